//! All that a tool may ask of a game.

use crate::course::Course;
use crate::drawing::Language;
use crate::options::GameOptions;
use crate::play::Play;
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;
use std::time::Duration;
use wire::Failure;

/// An assignment as the tools see it: its names, its games, its players.
///
/// The rules, the protocols and the drawing of a game in progress are its [`Course`]'s.
pub trait Assignment: Sync {
    /// The name on the command line, in addresses and in records.
    fn name(&self) -> &'static str;

    /// The title for a person.
    fn title(&self, language: Language) -> &'static str;

    /// The game in a few words, without a full stop.
    fn summary(&self, language: Language) -> &'static str;

    /// The numbers of players that a game may have.
    fn seats(&self) -> RangeInclusive<usize> {
        2..=2
    }

    /// The project's own executables for it; the first one plays.
    fn executables(&self) -> &'static [&'static str];

    /// The protocols that can be asked for by name, in front of a command.
    fn protocols(&self) -> &'static [&'static str] {
        &[]
    }

    /// The limits that hold where no option sets one.
    fn defaults(&self) -> Defaults {
        Defaults::default()
    }

    /// The assignment with the settings of `options`, for games of `seats` players; its openings are not read yet.
    ///
    /// # Errors
    /// An opening file that cannot be read, a size that is none.
    fn course(&'static self, options: &GameOptions, seats: usize) -> Result<Box<dyn Course>, Failure>;

    /// The course that a record file's games are judged by; `setting` is the file's.
    ///
    /// # Errors
    /// As [`course`](Self::course).
    fn recorded(
        &'static self,
        options: &GameOptions,
        seats: usize,
        _setting: &str,
    ) -> Result<Box<dyn Course>, Failure> {
        self.course(options, seats)
    }

    /// A random opening by this seed; `None` where the seed gives none that will do.
    fn draw_opening(&self, _drawing: &Drawing<'_>, _seed: u64) -> Option<String> {
        None
    }

    /// The options that [`draw_opening`](Self::draw_opening) depends on, as they are written.
    fn drawn_by(&self, drawing: &Drawing<'_>) -> String {
        format!("--plies {}", drawing.plies)
    }

    /// The project's own player at this strength in a game that begins at `opening`.
    fn opponent(&self, strength: Strength, opening: &str) -> Opponent;

    /// The program that analyses positions, if there is one.
    fn analysis(&self) -> Option<AnalysisProgram> {
        None
    }

    /// The game that `referee demo` plays, if there is one.
    fn demonstration(&self) -> Option<Demonstration> {
        None
    }

    /// The archive that the course receives, if it receives one.
    #[cfg(feature = "hand-in")]
    fn submission(&self) -> Option<&'static dyn crate::hand_in::Submission> {
        None
    }

    /// A game from its start as records write it, for people and engines on a page; `seats` counts where the number of
    /// players is free.
    ///
    /// # Errors
    /// With what is wrong in the start; for a game that no page shows.
    fn open(&self, _opening: &str, _seats: usize) -> Result<Box<dyn Play>, String> {
        Err(format!("{} has no page", self.name()))
    }

    /// A start as a person writes it, without a position, as records write it.
    ///
    /// # Errors
    /// With what is wrong in it.
    fn start(&self, text: &str) -> Result<String, String> {
        Ok(text.to_owned())
    }

    /// The start that a person writes beside a size.
    fn sized(&self, text: &str, _size: &str) -> String {
        text.to_owned()
    }

    /// The class of a seat's swatch on a page: `deep`, `pale`, `x`, `o`.
    fn swatch(&self, seat: usize) -> &'static str {
        if seat == 0 { "deep" } else { "pale" }
    }

    /// An opening whose board is the game's picture.
    fn sample(&self) -> &'static str {
        ""
    }
}

/// Limits where no option sets one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Defaults {
    /// Time of a move.
    pub time: Option<Duration>,
    /// How late an answer may be.
    pub grace: Duration,
    /// Virtual memory of each process, in bytes.
    pub memory: Option<u64>,
}

impl Default for Defaults {
    fn default() -> Self {
        Self { time: None, grace: Duration::from_millis(50), memory: None }
    }
}

/// The openings that are to be drawn.
#[derive(Debug, Clone, Copy)]
pub struct Drawing<'a> {
    /// Plies of each.
    pub plies: usize,
    /// The farthest from level that an opening may be, in the search's points.
    pub level: i32,
    /// Positions that are searched to see it; 0: only a first look.
    pub positions: u64,
    /// The size of the board.
    pub options: &'a GameOptions,
}

/// The strength of an opponent.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Strength {
    /// 1 to 10.
    Level(u8),
    /// Milliseconds a move.
    Millis(u64),
}

impl Strength {
    /// The value of a level among ten, or the milliseconds.
    #[must_use]
    pub fn choose(self, levels: [u64; 10]) -> u64 {
        match self {
            Self::Level(level) => levels[usize::from(level.clamp(1, 10)) - 1],
            Self::Millis(millis) => millis,
        }
    }

    /// Milliseconds a move.
    #[must_use]
    pub fn millis(self) -> u64 {
        self.choose([10, 20, 50, 100, 200, 400, 800, 1_500, 2_500, 4_000])
    }

    /// Positions a move; for [`Strength::Millis`] the milliseconds.
    #[must_use]
    pub fn nodes(self) -> u64 {
        self.choose([20, 60, 200, 600, 2_000, 6_000, 20_000, 60_000, 200_000, 600_000])
    }

    /// The option that sets this limit: `--time MILLIS` or `--nodes COUNT`.
    #[must_use]
    pub fn option(self) -> String {
        let name = if self.is_timed() { "--time" } else { "--nodes" };
        format!("{name} {}", self.nodes())
    }

    /// True where the time of a move is given.
    #[must_use]
    pub fn is_timed(self) -> bool {
        matches!(self, Self::Millis(_))
    }
}

/// The project's own player as an opponent.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Opponent {
    /// As it would be written on a command line.
    pub player: String,
    /// The time of a move that its protocol is told, also where another program plays in its place.
    pub time: Option<Duration>,
    /// Virtual memory, in bytes.
    pub memory: Option<u64>,
}

/// A program that analyses positions by the dialogue of [`wire::analysis`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AnalysisProgram {
    /// The command.
    pub command: &'static [&'static str],
    /// The number of moves whose values are asked for, to stand on the board.
    pub moves: usize,
}

/// A game to show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Demonstration {
    /// Who plays whom, and how.
    pub title: &'static str,
    /// The players.
    pub players: &'static [&'static str],
    /// The names of the seats.
    pub sides: &'static [&'static str],
    /// The opening.
    pub opening: &'static str,
    /// Milliseconds a move.
    pub millis: u64,
}
