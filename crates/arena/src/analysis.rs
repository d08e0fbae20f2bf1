//! An engine that thinks on as long as one looks: one of the five, asked by its line dialogue.

use courses::course::Conditions;
use courses::fault::{Kind, Trouble};
use courses::options::Game;
use courses::peer::{Command, Peer, Supervisor};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};
use wire::analysis::{Info, Request};

/// Lines that are shown in words.
pub const LINES: usize = 3;

/// Moves whose values are asked for: they stand on the board.
fn asked(game: Game) -> usize {
    match game {
        Game::Othello => 33,
        Game::Uttt => wire::analysis::MAX_MOVES,
        Game::Connect5 | Game::Gounki | Game::Moules => 8,
    }
}
/// The time for each position when the whole game is looked through.
const ENOUGH: Duration = Duration::from_millis(300);
/// News of the same position are told no more often.
const BETWEEN: Duration = Duration::from_millis(150);

/// The listener for findings, each with the number of moves behind which it was made; `None` after a quiet while.
pub type Told = Box<dyn FnMut(Result<Option<Info>, String>, usize) + Send>;

/// An engine that analyses.
#[derive(Debug)]
pub struct Analysis {
    asks: mpsc::Sender<Option<(usize, String)>>,
    supervisor: Arc<Supervisor>,
}

impl Drop for Analysis {
    fn drop(&mut self) {
        self.supervisor.stop();
    }
}

/// The command of a game's own player that analyses.
fn command(game: Game, folder: &std::path::Path) -> Command {
    let words: &[&str] = match game {
        Game::Connect5 => &["connect5-joueur", "--analyse"],
        Game::Gounki => &["gounki", "--analyse"],
        Game::Moules => &["moules-client", "--analyse"],
        Game::Othello => &["othello-player", "analyse"],
        Game::Uttt => &["uttt", "analyse"],
    };
    let mut words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    let own = folder.join(&words[0]);
    if own.is_file() {
        words[0] = own.to_string_lossy().into_owned();
    }
    let conditions = Conditions::default();
    Command { words, memory: conditions.memory, ..Command::default() }
}

impl Analysis {
    /// Starts the game's own player; it thinks of nothing yet.
    #[must_use]
    pub fn begin(game: Game, folder: PathBuf, mut told: Told) -> Self {
        let (asks, heard) = mpsc::channel();
        let supervisor = Arc::new(crate::engine::supervisor());
        let own = Arc::clone(&supervisor);
        std::thread::spawn(move || {
            match converse(&own, &command(game, &folder), asked(game), &heard, &mut told) {
                Ok(()) | Err(Trouble::Interrupted) => {}
                Err(trouble) => told(Err(trouble.to_string()), 0),
            }
        });
        Self { asks, supervisor }
    }

    fn ask(&self, about: Option<(usize, String)>) {
        let _ = self.asks.send(about);
    }
}

fn converse(
    supervisor: &Supervisor,
    command: &Command,
    moves: usize,
    asks: &mpsc::Receiver<Option<(usize, String)>>,
    told: &mut Told,
) -> Result<(), Trouble> {
    let mut peer = Peer::spawn(supervisor, command)?;
    let mut about = None;
    loop {
        // Only the latest question counts.
        let newer = match about {
            None => match asks.recv() {
                Ok(newer) => Some(newer),
                Err(_) => return Ok(()),
            },
            Some(_) => None,
        };
        let newer = asks.try_iter().last().or(newer);
        if let Some(newer) = newer {
            let lines = match &newer {
                Some((_, text)) => {
                    format!(
                        "{}\n{}\n{}\n",
                        Request::Stop,
                        Request::Position(text.clone()),
                        Request::Analyse(moves)
                    )
                }
                None => format!("{}\n", Request::Stop),
            };
            peer.send(lines.as_bytes(), Instant::now() + Duration::from_secs(5))?;
            // What the last position still had to say ends with this.
            while newer.is_some() {
                let line = peer.line(Instant::now() + Duration::from_secs(20))?;
                if line == wire::analysis::READY {
                    break;
                }
                if let Some(error) = line.strip_prefix(wire::analysis::ERROR) {
                    return Err(Trouble::Referee(error.to_owned()));
                }
            }
            about = newer.map(|(at, _)| at);
            continue;
        }
        let Some(at) = about else { continue };
        match peer.line(Instant::now() + Duration::from_millis(50)) {
            Ok(line) => {
                if let Ok(info) = line.parse() {
                    told(Ok(Some(info)), at);
                }
            }
            Err(Trouble::Fault(fault)) if fault.kind == Kind::Hang => told(Ok(None), at),
            Err(trouble) => return Err(trouble),
        }
    }
}

/// The findings in a room's game.
#[derive(Debug)]
pub struct Study {
    analysis: Analysis,
    /// The position that is looked at.
    pub at: usize,
    /// The best lines there, the best first.
    pub lines: Vec<Info>,
    /// The value behind each number of moves, for who is to move there.
    pub values: BTreeMap<usize, Info>,
    /// The position that somebody looks at.
    pub focus: usize,
    /// True while the whole game is looked through.
    pub whole: bool,
    began: Instant,
    told: Instant,
    /// True if something was noted that nobody was told of.
    untold: bool,
    text: Option<String>,
}

impl Study {
    /// A study of nothing yet.
    #[must_use]
    pub fn new(analysis: Analysis) -> Self {
        let now = Instant::now();
        Self {
            analysis,
            at: usize::MAX,
            lines: Vec::new(),
            values: BTreeMap::new(),
            focus: 0,
            whole: false,
            began: now,
            told: now,
            untold: false,
            text: None,
        }
    }

    /// Looks at another position; `text` is missing where the game is over.
    pub fn turn_to(&mut self, at: usize, text: Option<String>) {
        if self.at == at && self.text == text {
            return;
        }
        self.at = at;
        self.lines.clear();
        self.began = Instant::now();
        self.text.clone_from(&text);
        self.analysis.ask(text.map(|text| (at, text)));
    }

    /// Notes what was found, if anything; whether it is worth telling now.
    pub fn note(&mut self, at: usize, info: Option<Info>) -> bool {
        if at != self.at {
            return false;
        }
        let is_quiet = info.is_none();
        if let Some(info) = info {
            self.untold = true;
            if info.rank == 1 {
                self.values.insert(at, info.clone());
            }
            let slot = info.rank - 1;
            if slot < self.lines.len() {
                self.lines[slot] = info;
            } else if slot == self.lines.len() {
                self.lines.push(info);
            }
        }
        let now = Instant::now();
        let due = self.untold && (is_quiet || now.duration_since(self.told) >= BETWEEN);
        if due {
            self.told = now;
            self.untold = false;
        }
        due
    }

    /// Returns whether the position has been looked at long enough for the graph.
    #[must_use]
    pub fn is_enough(&self) -> bool {
        self.began.elapsed() >= ENOUGH && self.values.contains_key(&self.at) || self.text.is_none()
    }
}
