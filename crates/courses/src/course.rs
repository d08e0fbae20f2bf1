//! The five assignments, each played and judged as its course does.
//!
//! - [`Course`]: what a run needs of an assignment; [`Setup`]: its setting.
//! - [`GameSetup`]: a game about to be played; [`Event`], [`Board`]: what is seen of it.
//! - [`OpeningSet`]: what games begin from.

mod set;

pub use set::OpeningSet;

use crate::fault::Trouble;
use crate::limits::{Adjudication, GameClock};
use crate::peer::{Command, Peer, Supervisor};
use crate::player::{Builtin, Player, Reach};
use crate::record::Played;
use crate::registry;
use crate::thought::{Settled, Thought};
use serde_json::{Value, json};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use wire::telling::{self, Telling};

/// An assignment's setting: its name, its openings, its own executable.
pub trait Setup: Sync {
    /// Its name.
    fn name(&self) -> &'static str;

    /// The numbers of players that a game may have.
    fn seats(&self) -> RangeInclusive<usize> {
        2..=2
    }

    /// The openings.
    fn set(&self) -> &OpeningSet;

    /// The opening that a line of the set stands for.
    fn opening_of(&self, line: &str) -> String {
        line.to_owned()
    }

    /// The `number`-th opening of the run; none repeats before all are used.
    fn opening(&self, number: u64) -> String {
        self.opening_of(self.set().cycle(number))
    }

    /// Returns whether games are timed: then they need a processor each.
    fn is_timed(&self) -> bool;

    /// The settings in words, for the head of a record file: two runs with the same words play the same game.
    fn setting(&self) -> String {
        format!("openings {}", self.set().name())
    }

    /// The project's own executable for it, as a player would be written: its name and the arguments that the course
    /// prescribes, then those of `extra`.
    fn own(&self, extra: &str) -> String;

    /// The same through a protocol that takes any position.
    fn own_of_positions(&self, extra: &str) -> String {
        self.own(extra)
    }
}

/// An assignment: its setting, and its games, played and judged.
pub trait Course: Setup {
    /// Reads every opening of the set.
    ///
    /// # Errors
    /// The first line that is none, with its number.
    fn check_openings(&self) -> Result<(), String>;

    /// Plays a whole game.
    ///
    /// # Errors
    /// [`Trouble::Interrupted`] and [`Trouble::Referee`]; a player's fault ends or marks the game and is in the record.
    fn play(&self, game: &mut GameSetup<'_>) -> Result<Played, Trouble>;

    /// The boards of a recorded game, from the opening on: one text each.
    ///
    /// # Errors
    /// With the first move that the rules forbid.
    fn replay(&self, opening: &str, played: &Played) -> Result<Vec<String>, String>;

    /// The board of a recorded game after its last move, as SVG in the classes of [`crate::drawing::STYLE`].
    ///
    /// # Errors
    /// With the first move that the rules forbid.
    fn last_drawing(&self, opening: &str, played: &Played) -> Result<String, String>;

    /// Asks the first player for a move in the position of the opening; the game is not played on.
    ///
    /// # Errors
    /// The player's fault; [`Trouble::Interrupted`] and [`Trouble::Referee`].
    fn ask(&self, _game: &GameSetup<'_>) -> Result<Asked, Trouble> {
        Err(Trouble::Referee(format!("{} has no positions to ask for", self.name())))
    }

    /// Checks that each of these moves is legal in an opening's position.
    ///
    /// # Errors
    /// The first that is not, and what is wrong with the opening.
    fn check_moves(&self, _opening: &str, _moves: &[String]) -> Result<(), String> {
        Err(format!("{} has no positions", self.name()))
    }
}

/// The conditions that every game of a run is played under.
#[derive(Debug, Clone)]
pub struct Conditions {
    /// Time a move, where the course or the caller sets one.
    pub time: Option<Duration>,
    /// A clock for the whole game, in place of a time a move.
    pub clock: Option<GameClock>,
    /// When a game ends before its rules end it.
    pub adjudication: Adjudication,
    /// The tolerance of a clock, for the way through pipes and the scheduler.
    pub grace: Duration,
    /// Without a time limit: how long a player may be silent.
    pub watchdog: Duration,
    /// The time for a player to be ready for its first question: machines are loaded, Java starts slowly, and
    /// engines read their networks.
    pub start_up: Duration,
    /// Virtual memory of each process, in bytes.
    pub memory: Option<u64>,
    /// Where the project's own executables are.
    pub folder: PathBuf,
    /// The share of their searches that processes are asked to tell.
    pub telling: Telling,
}

impl Conditions {
    /// A move's time, where the game's time is limited: its share of a clock.
    #[must_use]
    pub fn a_move(&self) -> Option<Duration> {
        self.clock.map(|clock| clock.a_move()).or(self.time)
    }

    /// The limits beside a move's time, in words.
    #[must_use]
    pub fn limits(&self) -> String {
        let memory = self.memory.map_or("no limit".to_owned(), |bytes| format!("{} MB", bytes >> 20));
        format!(
            "memory {memory}, grace {} ms, watchdog {} s, start-up {} s",
            self.grace.as_millis(),
            self.watchdog.as_secs_f64(),
            self.start_up.as_secs_f64()
        )
    }
}

impl Default for Conditions {
    fn default() -> Self {
        Self {
            time: None,
            clock: None,
            adjudication: Adjudication::default(),
            grace: Duration::from_millis(50),
            watchdog: Duration::from_secs(60),
            start_up: Duration::from_secs(30),
            memory: None,
            folder: PathBuf::new(),
            telling: Telling::Moves,
        }
    }
}

/// A game about to be played.
pub struct GameSetup<'a> {
    /// The players by seat.
    pub players: Vec<&'a Player>,
    /// Its start.
    pub opening: &'a str,
    /// Its seed.
    pub seed: u64,
    /// The run's conditions.
    pub conditions: &'a Conditions,
    /// Where processes are started.
    pub supervisor: &'a Supervisor,
    /// The processor that its players run on, if they are bound to one.
    pub processor: Option<usize>,
    /// Told of every move.
    pub observer: Option<&'a mut dyn FnMut(&Event<'_>)>,
}

/// A player's answer to one position.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// The move, in the game's own words.
    pub mv: String,
    /// The time it took.
    pub time: Duration,
    /// The player's own report of its search.
    pub thought: Option<Thought>,
    /// When the move was found for good, where that can be told.
    pub settled: Option<Settled>,
}

/// Something happened in a game.
pub struct Event<'a> {
    /// The player that moved; `None` before the first move.
    pub seat: Option<usize>,
    /// The moves.
    pub text: &'a str,
    /// The board.
    pub board: &'a dyn Board,
}

/// A board as it stands.
pub trait Board {
    /// For a person at a terminal.
    fn picture(&self) -> String;

    /// For a page: SVG in the classes of [`crate::drawing::STYLE`].
    fn drawing(&self) -> String;

    /// For the live page: `text`, or what it draws itself.
    fn scene(&self) -> Value {
        json!({ "text": self.picture() })
    }
}

impl<'a> GameSetup<'a> {
    /// Tells the observer, if there is one.
    pub fn tell(&mut self, seat: Option<usize>, text: &str, board: &dyn Board) {
        if let Some(observer) = &mut self.observer {
            observer(&Event { seat, text, board });
        }
    }

    /// The conditions of a seat: those of the run, and its player's own limits.
    #[must_use]
    pub fn conditions_of(&self, seat: usize) -> Conditions {
        let mut conditions = self.conditions.clone();
        let Some(limits) = self.players.get(seat).map(|player| player.limits) else { return conditions };
        if limits.time.is_some() || limits.clock.is_some() {
            (conditions.time, conditions.clock) = (limits.time, limits.clock);
        }
        conditions.memory = limits.memory.or(conditions.memory);
        conditions
    }

    /// The command of a process player, its limits and placeholders filled in: `{seed}`, `{time}` (milliseconds) and
    /// `{seat}`; a program that is one of the project's own and has no path is looked for in the project's folder.
    #[must_use]
    pub fn command(&self, command: &Command, seat: usize) -> Command {
        let conditions = self.conditions_of(seat);
        let time = conditions.a_move().map_or(0, |time| time.as_millis());
        let mut command = command.filled(&[
            ("seed", (self.seed + seat as u64).to_string()),
            ("time", time.to_string()),
            ("seat", seat.to_string()),
        ]);
        if let Some(program) = command.words.first_mut()
            && let Some(own) = own_program(&self.conditions.folder, program)
        {
            *program = own.to_string_lossy().into_owned();
        }
        // A Java machine reserves far more than it uses and has a switch of its own for its memory.
        let is_java = command.words.first().is_some_and(|program| program.ends_with("java"));
        command.memory = conditions.memory.filter(|_| !is_java);
        command.processor = self.processor;
        command.environment.push((telling::VARIABLE.to_owned(), conditions.telling.to_string()));
        command
    }

    /// Starts a process player.
    ///
    /// # Errors
    /// [`Trouble::Referee`] when it cannot be started.
    pub fn start(&self, command: &Command, seat: usize) -> Result<Peer<'a>, Trouble> {
        Peer::spawn(self.supervisor, &self.command(command, seat))
    }
}

/// The sign that begins a position in an opening: what follows up to the next blank is a board, not a move.
pub const POSITION: char = '@';

/// An opening's position, if it begins with one, and its moves.
#[must_use]
pub fn split_position(opening: &str) -> (Option<&str>, &str) {
    let opening = opening.trim();
    match opening.strip_prefix(POSITION) {
        None => (None, opening),
        Some(rest) => {
            let (board, moves) = rest.split_once(' ').unwrap_or((rest, ""));
            (Some(board), moves)
        }
    }
}

/// The file of a program of the project's own that has no path, where it lies in this folder.
pub(crate) fn own_program(folder: &Path, program: &str) -> Option<PathBuf> {
    let own = folder.join(program);
    (registry::is_own(program) && own.is_file()).then_some(own)
}

/// The connection to a player of a duel that the referee does not play itself.
pub enum Line<'a> {
    /// The referee plays.
    Builtin(Builtin),
    /// Through a protocol: `None` is the course's first one.
    Process(Option<&'static str>, &'a Command),
    /// It runs already.
    Tcp(std::net::SocketAddr),
}

impl<'a> From<&'a Player> for Line<'a> {
    fn from(player: &'a Player) -> Self {
        match &player.reach {
            Reach::Builtin(builtin) => Self::Builtin(*builtin),
            Reach::Tcp(address) => Self::Tcp(*address),
            Reach::Process { protocol, command } => Self::Process(*protocol, command),
        }
    }
}

/// A moment `duration` from now.
#[must_use]
pub fn in_time(duration: Duration) -> Instant {
    Instant::now() + duration
}
