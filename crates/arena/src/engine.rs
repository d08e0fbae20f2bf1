//! Opponents: processes behind their course's protocol, one thread and one supervisor each.
//!
//! An engine lives while the game only goes forward. Where moves are taken back it ends, and another one begins from
//! there; it also ends with its room, and, by its guard, with the arena.

mod places;

pub use places::{BUSY, Place, Places};

use crate::play::duel::Manners;
pub use courses::assignment::Strength;
use courses::course::{Conditions, GameSetup};
use courses::duel::{PlyRecord, Question};
use courses::fault::Trouble;
use courses::games::moules;
use courses::peer::Supervisor;
use courses::player::Player;
use courses::registry::Game;
use moules_client::rules::{self, Command};
use search_core::Position as _;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

/// The time that an engine may take before it can be asked.
const START_UP: Duration = Duration::from_secs(30);

/// Virtual memory of each process of the project's own players, in bytes.
pub const MEMORY: u64 = 1 << 30;

/// An engine as it is asked for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Spec {
    /// Its name.
    pub name: String,
    /// The player as it was written at the start; without: the project's own.
    pub player: Option<String>,
    /// Its strength.
    pub strength: Strength,
    /// Its seed.
    pub seed: u64,
    /// The folder of the project's own executables.
    #[serde(skip)]
    pub folder: PathBuf,
    /// True where nobody of its name was given at this start: its seat is kept, and nobody else plays there.
    #[serde(skip)]
    pub is_missing: bool,
}

impl Spec {
    /// True where its strength changes how it plays: a player given at the start has the levels that its command takes.
    #[must_use]
    pub fn has_strength(&self) -> bool {
        let is_levelled = |text: &String| text.contains("{depth}");
        matches!(self.strength, Strength::Millis(_)) || self.player.as_ref().is_none_or(is_levelled)
    }

    /// Its command and conditions.
    fn invited(&self, game: Game, opening: &str) -> Result<(Player, Conditions), Trouble> {
        if self.is_missing {
            return Err(Trouble::Referee(format!("no player is named \"{}\"", self.name)));
        }
        let (text, conditions) = self.arranged(game, opening);
        let player = text.parse().map_err(|error| Trouble::Referee(format!("{error}")))?;
        Ok((player, conditions))
    }

    /// The player, as it would be written on a command line, and its conditions.
    fn arranged(&self, game: Game, opening: &str) -> (String, Conditions) {
        let own = game.opponent(self.strength, opening);
        // Another program is told the time that its seat has.
        let given = self.strength.is_timed() && self.player.is_some();
        let time = own.time.or(given.then(|| Duration::from_millis(self.strength.millis())));
        let conditions = Conditions {
            time,
            // A person waits gladly for a late answer; no clock is lost here.
            grace: Duration::from_secs(10),
            watchdog: Duration::from_secs(120),
            start_up: START_UP,
            memory: own.memory.or(self.player.is_none().then_some(MEMORY)),
            folder: self.folder.clone(),
            ..Conditions::default()
        };
        (self.player.clone().unwrap_or(own.player), conditions)
    }
}

/// An engine's answer and its time; or its fault.
pub type Answered = Result<(String, Duration), String>;

/// The listener for answers.
pub type Told = Box<dyn FnMut(Answered) + Send>;

/// An engine that runs.
#[derive(Debug)]
pub struct Engine {
    asks: mpsc::Sender<Vec<String>>,
    supervisor: Arc<Supervisor>,
    /// The number of moves that were played when it began.
    began: usize,
    /// Its place among all engines, as long as it lives.
    place: Option<Place>,
}

impl Engine {
    /// Counts it among the engines at work.
    #[must_use]
    pub fn at(mut self, place: Place) -> Self {
        self.place = Some(place);
        self
    }

    /// Asks for the move behind these.
    pub fn ask(&self, moves: &[String]) {
        // An engine that is gone has said so.
        let _ = self.asks.send(moves[self.began..].to_vec());
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.supervisor.stop();
    }
}

/// A supervisor whose guard outlives this process, where this is a program that knows how to be one.
#[must_use]
pub fn supervisor() -> Supervisor {
    let own = std::env::current_exe().ok();
    let name = own.as_ref().and_then(|path| path.file_stem()).and_then(|name| name.to_str());
    match name {
        Some("arena" | "referee") => Supervisor::guarded().unwrap_or_default(),
        _ => Supervisor::new(),
    }
}

fn launch(
    began: usize,
    mut told: Told,
    body: impl FnOnce(&Supervisor, mpsc::Receiver<Vec<String>>, &mut Told) -> Result<(), Trouble> + Send + 'static,
) -> Engine {
    let (asks, heard) = mpsc::channel();
    let supervisor = Arc::new(supervisor());
    let own = Arc::clone(&supervisor);
    let started =
        std::thread::Builder::new().name("engine".into()).spawn(move || match body(&own, heard, &mut told) {
            Ok(()) | Err(Trouble::Interrupted) => {}
            Err(trouble) => told(Err(trouble.to_string())),
        });
    drop(started);
    Engine { asks, supervisor, began, place: None }
}

/// An engine of a game for two that begins at `opening`, behind `began` moves.
pub fn duel<R: Manners>(
    rules: R,
    opening: String,
    began: usize,
    spec: Spec,
    seat: usize,
    told: Told,
) -> Engine {
    launch(began, told, move |supervisor, asks, told| {
        let (player, conditions) = spec.invited(R::GAME, &opening)?;
        let setup = GameSetup {
            players: vec![&player, &player],
            opening: &opening,
            seed: spec.seed,
            conditions: &conditions,
            supervisor,
            processor: None,
            observer: None,
        };
        let mut position = rules.start(&opening).map_err(Trouble::Referee)?;
        let mut driver = rules.driver(&setup, &player, seat)?;
        driver.greet(Instant::now() + START_UP)?;
        let mut played: Vec<PlyRecord<R::Position>> = Vec::new();
        let clock = rules.clock(&conditions);
        for moves in asks {
            for text in &moves[played.len()..] {
                let mv =
                    rules.read(&position, text).ok_or_else(|| Trouble::Referee(format!("\"{text}\"")))?;
                let before = position.clone();
                position.play(mv);
                played.push(PlyRecord { before, mv });
            }
            let question = Question::new(&position, &played, &clock);
            let answer = driver.choose(&question)?;
            told(Ok((rules.write(&position, answer.mv), answer.time)));
        }
        driver.end();
        Ok(())
    })
}

/// A client of the maze that begins in the middle of a game, or at its start.
#[must_use]
pub fn client(game: rules::Game, seats: usize, began: usize, spec: Spec, seat: usize, told: Told) -> Engine {
    launch(began, told, move |supervisor, asks, told| {
        let (mut player, conditions) = spec.invited(Game::Moules, "")?;
        // It goes through a command line and the maze's protocol.
        player.name = spec.name.replace(|c: char| !c.is_ascii_alphanumeric() && !"-_.".contains(c), "_");
        let setup = GameSetup {
            players: vec![&player; seats],
            opening: "",
            seed: spec.seed,
            conditions: &conditions,
            supervisor,
            processor: None,
            observer: None,
        };
        let mut peer = moules::let_in_alone(&setup, seat)?;
        let mut game = game;
        let mut known = 0;
        for moves in asks {
            for text in &moves[known..] {
                game.play(Command::read(text.as_bytes()));
            }
            known = moves.len();
            let began = Instant::now();
            let patience = conditions.time.unwrap_or(moules::TIME) + conditions.grace;
            peer.send(format!("{}\n", game.state).as_bytes(), began + patience)?;
            let line = peer.line(began + patience)?;
            told(Ok((courses::fault::excerpt(&line), began.elapsed())));
        }
        peer.close(b"FIN\n");
        Ok(())
    })
}

/// Returns the folder of the project's own executables: this one's, unless it was set.
pub fn own_folder() -> PathBuf {
    FOLDER.get().cloned().unwrap_or_else(|| {
        let own = std::env::current_exe().ok();
        own.and_then(|path| path.parent().map(PathBuf::from)).unwrap_or_default()
    })
}

/// Sets the folder that [`own_folder`] names; the first call counts.
pub fn set_folder(folder: PathBuf) {
    let _ = FOLDER.set(folder);
}

static FOLDER: std::sync::OnceLock<PathBuf> = std::sync::OnceLock::new();
