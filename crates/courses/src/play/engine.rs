//! Engines in games on the page: processes that use their course's protocol.

use super::duel::DuelPage;
use crate::course::{Conditions, GameSetup};
use crate::duel::{PlyRecord, Question, random_move};
use crate::fault::Trouble;
use crate::peer::Supervisor;
use crate::player::Player;
use crate::registry::Game;
use crate::sandbox::Sandbox;
use crate::strength::{Level, Strength, drawn};
use search_core::Position as _;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// Maximum time for an engine to be ready.
const START_UP: Duration = Duration::from_secs(30);

/// Virtual memory of each process of the project's own players, in bytes.
pub const MEMORY: u64 = 1 << 30;

/// The definition of an engine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Spec {
    /// The engine's name.
    pub name: String,
    /// The player as written when the program was started, or `None` for the project's own.
    pub player: Option<String>,
    /// The engine's strength.
    pub strength: Strength,
    /// The engine's seed.
    pub seed: u64,
    /// The folder of the project's own executables.
    #[serde(skip)]
    pub folder: PathBuf,
    /// The sandbox of a player that was given when the program was started.
    #[serde(skip)]
    pub sandbox: Option<Sandbox>,
    /// True if no player of this name was given this time. Its seat is kept for it.
    #[serde(skip)]
    pub is_missing: bool,
}

impl Spec {
    /// Returns true if the strength changes how the engine plays. A player given at the start only has the levels that
    /// its command supports.
    #[must_use]
    pub fn has_strength(&self) -> bool {
        let is_levelled = |text: &String| text.contains("{depth}");
        matches!(self.strength, Strength::Millis(_)) || self.player.as_ref().is_none_or(is_levelled)
    }

    /// Returns the player and its conditions.
    ///
    /// # Errors
    /// [`Trouble::Referee`] if the player is unknown.
    pub fn invited(&self, game: Game, opening: &str) -> Result<(Player, Conditions), Trouble> {
        if self.is_missing {
            return Err(Trouble::Referee(format!("no player is named \"{}\"", self.name)));
        }
        let (text, conditions) = self.arranged(game, opening);
        let player = text.parse().map_err(Trouble::referee)?;
        Ok((player, conditions))
    }

    /// Returns the level of the project's own player, which draws some moves at random.
    #[must_use]
    pub fn level(&self, game: Game) -> Option<Level> {
        self.player.is_none().then(|| self.strength.level(game.levels())).flatten()
    }

    /// Returns the player as on a command line, and its conditions.
    fn arranged(&self, game: Game, opening: &str) -> (String, Conditions) {
        let own = game.opponent(self.strength, opening);
        // Another program gets the time of its seat.
        let given = match self.strength {
            Strength::Millis(millis) if self.player.is_some() => Some(Duration::from_millis(millis)),
            _ => None,
        };
        let time = own.time.or(given);
        let conditions = Conditions {
            time,
            // Nobody loses on time against a person, so a late answer is accepted.
            grace: Duration::from_secs(10),
            watchdog: Duration::from_secs(120),
            start_up: START_UP,
            memory: own.memory.or(self.player.is_none().then_some(MEMORY)),
            folder: self.folder.clone(),
            sandbox: self.sandbox.clone(),
            ..Conditions::default()
        };
        (self.player.clone().unwrap_or(own.player), conditions)
    }
}

/// An engine's answer and its time, or its fault.
pub type Answered = Result<(String, Duration), Trouble>;

/// The listener to answers.
pub type OnAnswer = Box<dyn FnMut(Answered) + Send>;

/// The requests to an engine: the moves since it began.
pub type Requests = mpsc::Receiver<Vec<String>>;

type Body = dyn FnOnce(&Supervisor, Requests, &mut OnAnswer) -> Result<(), Trouble> + Send;

/// An engine's part in a game from some move on. Its runner supplies processes, requests and a listener.
pub struct Conversation {
    /// The number of moves before the engine began.
    pub began: usize,
    /// Starts the engine and answers all requests. Ends when the requests end.
    pub body: Box<Body>,
}

impl Conversation {
    /// Creates a conversation that begins after `began` moves.
    pub fn new(
        began: usize,
        body: impl FnOnce(&Supervisor, Requests, &mut OnAnswer) -> Result<(), Trouble> + Send + 'static,
    ) -> Self {
        Self { began, body: Box::new(body) }
    }
}

/// Creates an engine of a game for two, which begins at `opening`, after `began` moves.
pub fn duel<R: DuelPage>(rules: R, opening: String, began: usize, spec: Spec, seat: usize) -> Conversation {
    Conversation::new(began, move |supervisor, asks, told| {
        let (player, conditions) = spec.invited(R::game(), &opening)?;
        let setup = GameSetup {
            players: vec![&player, &player],
            opening: &opening,
            seed: spec.seed,
            conditions: &conditions,
            supervisor,
            processor: None,
            observer: None,
        };
        let mut position = rules.start(&opening).map_err(Trouble::referee)?;
        let level = spec.level(R::game());
        let start = || -> Result<_, Trouble> {
            let mut driver = rules.driver(&setup, &player, seat)?;
            driver.greet(Instant::now() + START_UP)?;
            Ok(driver)
        };
        let mut driver = Some(start()?);
        let mut played: Vec<PlyRecord<R::Position>> = Vec::new();
        let clock = rules.clock(&conditions);
        for moves in asks {
            for text in &moves[played.len()..] {
                let mv =
                    rules.read(&position, text).ok_or_else(|| Trouble::Referee(format!("\"{text}\"")))?;
                played.push(PlyRecord::new(&rules, &position, mv));
                position.play(mv);
            }
            if let Some(mv) =
                drawn(level, spec.seed, &moves).and_then(|number| random_move(&rules, &position, number))
            {
                // The player does not know of this move, so another one begins after it.
                driver = None;
                told(Ok((rules.write(&position, mv), Duration::ZERO)));
                continue;
            }
            let mut asked = driver.take().map_or_else(start, Ok)?;
            let answer = asked.choose(&Question::new(&position, &played, &clock))?;
            driver = Some(asked);
            told(Ok((rules.write(&position, answer.mv), answer.time)));
        }
        if let Some(driver) = driver {
            driver.end();
        }
        Ok(())
    })
}
