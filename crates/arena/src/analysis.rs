//! An engine that thinks on as long as one looks: one of the five, asked by its line dialogue.

use crate::engine::{MEMORY, Place};
use courses::fault::{Fault, Kind, Trouble, excerpt};
use courses::peer::{Command, Peer, Supervisor};
use courses::registry::Game;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};
use wire::analysis::{Info, Request};

/// Lines that are shown in words.
pub const LINES: usize = 3;

/// The time for each position when the whole game is looked through.
const ENOUGH: Duration = Duration::from_millis(300);
/// News of the same position are told no more often.
const BETWEEN: Duration = Duration::from_millis(150);

/// Lines in a row that find nothing, at most.
const IDLE: u32 = 10_000;

/// The listener for findings, each with the number of its question; `None` after a quiet while.
pub type OnInfo = Box<dyn FnMut(Result<Option<Info>, Trouble>, u64) + Send>;

/// A question to an analysis.
#[derive(Debug, Clone)]
pub struct Question {
    /// Its number: findings come with it.
    pub number: u64,
    /// The position, as the player's analysis reads it.
    pub position: String,
}

/// An engine that analyses.
#[derive(Debug)]
pub struct Analysis {
    asks: mpsc::Sender<Option<Question>>,
    supervisor: Arc<Supervisor>,
    _place: Place,
}

impl Drop for Analysis {
    fn drop(&mut self) {
        self.supervisor.stop();
    }
}

/// The command of a game's own player that analyses.
fn command(words: &[&str], folder: &std::path::Path) -> Command {
    let mut words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    let own = folder.join(&words[0]);
    if own.is_file() {
        words[0] = own.to_string_lossy().into_owned();
    }
    Command { words, memory: Some(MEMORY), ..Command::default() }
}

impl Analysis {
    /// Starts the game's own player; it thinks of nothing yet.
    /// `None` where there is no thread for it.
    #[must_use]
    pub fn begin(game: Game, folder: PathBuf, place: Place, mut told: OnInfo) -> Option<Self> {
        let (asks, heard) = mpsc::channel();
        let supervisor = Arc::new(crate::engine::supervisor());
        let own = Arc::clone(&supervisor);
        let started = std::thread::Builder::new().name("study".into()).spawn(move || {
            let conversed = match game.analysis() {
                Some(program) => {
                    let command = command(program.command, &folder);
                    converse(&own, &command, program.moves, &heard, &mut told)
                }
                None => Err(Trouble::Referee(format!("nobody analyses {}", game.name()))),
            };
            match conversed {
                Ok(()) | Err(Trouble::Interrupted) => {}
                Err(trouble) => told(Err(trouble), 0),
            }
        });
        started.is_ok().then_some(Self { asks, supervisor, _place: place })
    }

    /// Turns to another position, or to none.
    pub fn ask(&self, about: Option<Question>) {
        let _ = self.asks.send(about);
    }
}

fn converse(
    supervisor: &Supervisor,
    command: &Command,
    moves: usize,
    asks: &mpsc::Receiver<Option<Question>>,
    told: &mut OnInfo,
) -> Result<(), Trouble> {
    let mut peer = Peer::spawn(supervisor, command)?;
    let mut about = None;
    let mut idle = 0;
    loop {
        // Only the latest question counts.
        let newer = match about {
            None => match asks.recv() {
                Ok(newer) => Some(newer),
                Err(_) => return Ok(()),
            },
            Some(_) => None,
        };
        if let Some(newer) = asks.try_iter().last().or(newer) {
            put(&mut peer, newer.as_ref().map(|question| question.position.as_str()), moves)?;
            about = newer.map(|question| question.number);
            idle = 0;
            continue;
        }
        let Some(question) = about else { continue };
        match peer.line(Instant::now() + Duration::from_millis(50)) {
            Ok(line) => {
                idle += 1;
                if let Ok(info) = line.parse() {
                    idle = 0;
                    told(Ok(Some(info)), question);
                } else if idle >= IDLE {
                    let detail = format!("{IDLE} lines that are no analysis: \"{}\"", excerpt(&line));
                    return Err(Fault::new(Kind::OutputFlood, detail).into());
                }
            }
            Err(Trouble::Fault(fault)) if fault.kind == Kind::Hang => told(Ok(None), question),
            Err(trouble) => return Err(trouble),
        }
    }
}

/// Puts another position to the engine, or none; what it still had to say of the last one is skipped.
fn put(peer: &mut Peer<'_>, text: Option<&str>, moves: usize) -> Result<(), Trouble> {
    let mut lines = format!("{}\n", Request::Stop);
    if let Some(text) = text {
        lines += &format!("{}\n{}\n", Request::Position(text.to_owned()), Request::Analyse(moves));
    }
    peer.send(lines.as_bytes(), Instant::now() + Duration::from_secs(5))?;
    if text.is_none() {
        return Ok(());
    }
    let read = |line: &str| match line.strip_prefix(wire::analysis::ERROR) {
        Some(error) => Some(Err(Trouble::Referee(error.to_owned()))),
        None => (line == wire::analysis::READY).then_some(Ok(())),
    };
    peer.find_line(Instant::now() + Duration::from_secs(20), read)?
}

/// The findings in a room's game.
#[derive(Debug)]
pub struct Study {
    analysis: Analysis,
    /// The position that is looked at.
    pub at: usize,
    /// The best lines there, the best first.
    pub lines: Vec<Info>,
    /// The value for the side to move after each number of moves.
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
    /// Counts the positions that were asked about: a finding about an earlier one is dropped.
    question: u64,
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
            question: 0,
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
        self.question += 1;
        let number = self.question;
        self.analysis.ask(text.map(|position| Question { number, position }));
    }

    /// Notes what was found about a question, if anything; whether it is worth telling now.
    pub fn note(&mut self, question: u64, info: Option<Info>) -> bool {
        if question != self.question {
            return false;
        }
        let is_quiet = info.is_none();
        if let Some(info) = info {
            self.untold = true;
            if info.rank == 1 {
                self.values.insert(self.at, info.clone());
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

    /// The best move here, once the position has been looked at for so long.
    #[must_use]
    pub fn best_after(&self, time: Duration) -> Option<String> {
        let best = self.lines.first()?.line.first()?;
        (self.began.elapsed() >= time).then(|| best.clone())
    }

    /// Returns whether the position has been looked at long enough for the graph.
    #[must_use]
    pub fn is_enough(&self) -> bool {
        self.began.elapsed() >= ENOUGH && self.values.contains_key(&self.at) || self.text.is_none()
    }
}
