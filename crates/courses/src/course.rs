//! The interface between a run and a game: settings, play, replay.
//!
//! - [`Course`]: a game with its rules of play and judging; [`Setup`]: its settings.
//! - [`GameSetup`]: a game about to be played; [`Event`], [`Board`]: what its observer sees.
//! - [`OpeningSet`]: the openings of a run.

mod set;

pub use set::OpeningSet;

use crate::fault::Trouble;
use crate::limits::{Adjudication, GameClock};
use crate::peer::{Command, Peer, Supervisor};
use crate::play::watched::Scoreboard;
use crate::player::{Builtin, Player, Reach};
use crate::record::Played;
use crate::registry;
use crate::sandbox::Sandbox;
use crate::thought::{Settled, Thought};
use anyhow::bail;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use wire::search_log::{self, SearchLog};

/// An assignment's settings: its name, its openings, its executable.
pub trait Setup: Sync {
    /// Returns the assignment's name.
    fn name(&self) -> &'static str;

    /// Returns the possible numbers of players.
    fn seats(&self) -> RangeInclusive<usize> {
        2..=2
    }

    /// Returns the openings.
    fn set(&self) -> &OpeningSet;

    /// Returns the opening for a line of the set.
    fn opening_of(&self, line: &str) -> String {
        line.to_owned()
    }

    /// Returns opening `number` of the run. None repeats before all are used.
    fn opening(&self, number: u64) -> String {
        self.opening_of(self.set().cycle(number))
    }

    /// Returns true if games are timed, so that each needs its own processor.
    fn is_timed(&self) -> bool {
        false
    }

    /// Describes the settings for the head of a record file. Runs with the same description play the same game.
    fn setting(&self) -> String {
        format!("openings {}", self.set().name())
    }

    /// Returns the project's own executable as a player on the command line: its name, the arguments that the course
    /// prescribes, and `extra`.
    fn own(&self, extra: &str) -> String {
        let program = registry::find(self.name()).and_then(|game| game.executables().first().copied());
        format!("{} {extra}", program.unwrap_or_default()).trim().to_owned()
    }

    /// Like [`own`](Self::own), with a protocol that can start from any position.
    fn own_of_positions(&self, extra: &str) -> String {
        self.own(extra)
    }
}

/// An assignment whose games can be played and judged.
pub trait Course: Setup {
    /// Checks every opening of the set.
    ///
    /// # Errors
    /// The number of the first invalid line, and the reason.
    fn check_openings(&self) -> anyhow::Result<()>;

    /// Plays a game.
    ///
    /// # Errors
    /// [`Trouble::Argument`], [`Trouble::Interrupted`] and [`Trouble::Referee`]. A player's fault is in the record.
    fn play(&self, game: &mut GameSetup<'_>) -> Result<Played, Trouble>;

    /// Returns the boards of a recorded game as text, from the opening on.
    ///
    /// # Errors
    /// The first illegal move.
    fn replay(&self, opening: &str, played: &Played) -> anyhow::Result<Vec<String>> {
        let mut boards = Vec::new();
        self.show(opening, played, &mut |picture| boards.push(picture()))?;
        Ok(boards)
    }

    /// Replays a recorded game, and calls `each` at each of its boards, the opening's first, with what draws it.
    ///
    /// # Errors
    /// The first illegal move.
    fn show(
        &self,
        opening: &str,
        played: &Played,
        each: &mut dyn FnMut(&dyn Fn() -> String),
    ) -> anyhow::Result<()>;

    /// Draws the last board of a recorded game as SVG with the classes of [`crate::drawing::style`].
    ///
    /// # Errors
    /// The first illegal move.
    fn last_drawing(&self, opening: &str, played: &Played) -> anyhow::Result<String>;

    /// Asks the first player for one move in the position of the opening.
    ///
    /// # Errors
    /// The player's fault, [`Trouble::Argument`], [`Trouble::Interrupted`] or [`Trouble::Referee`].
    fn ask(&self, _game: &GameSetup<'_>) -> Result<Asked, Trouble> {
        Err(Trouble::Referee(format!("{} has no positions to ask for", self.name())))
    }

    /// Checks that these moves are legal in the position of an opening.
    ///
    /// # Errors
    /// The first illegal move, or an error in the opening.
    fn check_moves(&self, _opening: &str, _moves: &[String]) -> anyhow::Result<()> {
        bail!("{} has no positions", self.name())
    }
}

/// The conditions of every game of a run.
#[derive(Debug, Clone)]
pub struct Conditions {
    /// Time of a move, if the course or the caller sets one.
    pub time: Option<Duration>,
    /// A game clock instead of a time of a move.
    pub clock: Option<GameClock>,
    /// The conditions that end a game before its rules do.
    pub adjudication: Adjudication,
    /// Time that an answer may be late by, to allow for pipes and the scheduler.
    pub grace: Duration,
    /// Maximum time for an answer if there is no time limit.
    pub watchdog: Duration,
    /// Maximum time for a player to be ready for its first question. Machines may be loaded, Java starts slowly, and
    /// engines read their networks.
    pub start_up: Duration,
    /// Virtual memory of each process, in bytes.
    pub memory: Option<u64>,
    /// The folder of the project's own executables.
    pub folder: PathBuf,
    /// The part of their searches that processes are asked to log.
    pub search_log: SearchLog,
    /// The sandbox of programs by strangers.
    pub sandbox: Option<Sandbox>,
}

impl Conditions {
    /// Returns the time of a move if the game is timed; with a game clock, the fair share of one move.
    #[must_use]
    pub fn a_move(&self) -> Option<Duration> {
        self.clock.map(|clock| clock.a_move()).or(self.time)
    }

    /// Describes the limits other than the time of a move.
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

    /// Returns the sandbox that a player's process starts in, if there is one.
    #[must_use]
    pub fn sandbox_of(&self, player: &Player) -> Option<&Sandbox> {
        let Reach::Process { command, .. } = &player.reach else { return None };
        let is_own =
            command.words.first().is_some_and(|program| own_program(&self.folder, program).is_some());
        self.sandbox.as_ref().filter(|sandbox| !is_own || sandbox.holds_own())
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
            search_log: SearchLog::Moves,
            sandbox: None,
        }
    }
}

/// A game about to be played.
pub struct GameSetup<'a> {
    /// The players by seat.
    pub players: Vec<&'a Player>,
    /// The opening, in the game's notation.
    pub opening: &'a str,
    /// The game's seed.
    pub seed: u64,
    /// The run's conditions.
    pub conditions: &'a Conditions,
    /// The supervisor that starts processes.
    pub supervisor: &'a Supervisor,
    /// The processor that the players run on, if they are bound to one.
    pub processor: Option<usize>,
    /// The observer of every move.
    pub observer: Option<&'a mut dyn FnMut(&Event<'_>)>,
}

/// A player's answer to one position.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// The move, in the game's notation.
    pub mv: String,
    /// The time it took.
    pub time: Duration,
    /// The player's search report.
    pub thought: Option<Thought>,
    /// The moment from which the move was the best one, if known.
    pub settled: Option<Settled>,
}

/// An event in a game.
pub struct Event<'a> {
    /// The player that moved; `None` before the first move.
    pub seat: Option<usize>,
    /// The moves, as text.
    pub text: &'a str,
    /// The position reached, which can be drawn.
    pub board: &'a dyn Board,
}

/// A board to be shown.
pub trait Board {
    /// Draws the board for a terminal.
    fn picture(&self) -> String;

    /// Draws the board for a page, as SVG with the classes of [`crate::drawing::style`].
    fn drawing(&self) -> String;

    /// Returns the table beside the board, if the game has one.
    fn scoreboard(&self) -> Option<Arc<dyn Scoreboard>> {
        None
    }
}

impl<'a> GameSetup<'a> {
    /// Reports an event to the observer, if there is one.
    pub fn tell(&mut self, seat: Option<usize>, text: &str, board: &dyn Board) {
        if let Some(observer) = &mut self.observer {
            observer(&Event { seat, text, board });
        }
    }

    /// Returns the conditions of a seat: those of the run, overridden by its player's own limits.
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

    /// Completes a player's command with its limits and placeholders: `{seed}`, `{time}` (milliseconds) and `{seat}`. A
    /// program of the project's own without a path is looked up in the project's folder.
    #[must_use]
    pub fn command(&self, command: &Command, seat: usize) -> Command {
        let conditions = self.conditions_of(seat);
        let time = conditions.a_move().map_or(0, |time| time.as_millis());
        let mut command = command.filled(&[
            ("seed", (self.seed + seat as u64).to_string()),
            ("time", time.to_string()),
            ("seat", seat.to_string()),
        ]);
        let own = command.words.first().and_then(|program| own_program(&self.conditions.folder, program));
        command.sandbox = conditions.sandbox.filter(|sandbox| own.is_none() || sandbox.holds_own());
        if let (Some(program), Some(own)) = (command.words.first_mut(), own) {
            *program = own.to_string_lossy().into_owned();
        }
        command.memory = conditions.memory;
        command.processor = self.processor;
        command.player = self.players.get(seat).map(|player| player.name.clone()).unwrap_or_default();
        command.environment.push((search_log::VARIABLE.to_owned(), conditions.search_log.to_string()));
        command
    }

    /// Starts a player's process.
    ///
    /// # Errors
    /// [`Trouble::Referee`] if it cannot be started.
    pub fn start(&self, command: &Command, seat: usize) -> Result<Peer<'a>, Trouble> {
        Peer::spawn(self.supervisor, &self.command(command, seat))
    }
}

/// The sign before a position in an opening. The text up to the next blank is a board.
pub const POSITION: char = '@';

/// Splits an opening into its position, if it begins with one, and its moves.
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

/// Returns the path of an own program without a path, if the folder contains it.
pub(crate) fn own_program(folder: &Path, program: &str) -> Option<PathBuf> {
    let own = folder.join(program);
    (registry::is_own(program) && own.is_file()).then_some(own)
}

/// The connection to a player of a game for two.
pub enum Line<'a> {
    /// The referee plays itself.
    Builtin(Builtin),
    /// A process with a protocol; `None` is the course's first one.
    Process(Option<&'static str>, &'a Command),
    /// A server that is already running.
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

/// Returns the moment `duration` from now.
#[must_use]
pub fn in_time(duration: Duration) -> Instant {
    Instant::now() + duration
}
