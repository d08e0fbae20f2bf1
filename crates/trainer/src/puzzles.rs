//! Puzzles: positions with one best move, mined from self-play, proven, rated and audited by a second solver.
//!
//! - [`Source`]: a game's part, in its own folder: self-play, the proof, the player's answer, and the solver of the audit.
//! - [`Puzzle`]: a line of a file that `referee suite` reads.
//! - `mine` and `audit`: the two tasks.
//!
//! The same seed gives the same puzzles; a run that is stopped has written those found so far.

mod audit;
mod file;
mod mine;

pub use file::{Goal, Puzzle};

use anyhow::{Context, Result};
use clap::Args;
use clap::builder::PossibleValuesParser;
use std::path::{Path, PathBuf};

/// Mines puzzles from games of self-play, or audits a file of puzzles by another solver.
#[derive(Debug, Args)]
pub struct Puzzles {
    /// The game to mine puzzles of.
    #[arg(value_parser = PossibleValuesParser::new(crate::PUZZLES.map(|(name, _)| name)))]
    game: String,
    /// Output file of puzzles, with those found so far in FILE.part until the end. With --audit: those that pass.
    #[arg(long, value_name = "FILE", required_unless_present = "audit")]
    out: Option<PathBuf>,
    /// Audits this file, and mines nothing.
    #[arg(long, value_name = "FILE")]
    audit: Option<PathBuf>,
    /// Number of puzzles to find, or of the first puzzles to audit.
    #[arg(long, default_value_t = 200, value_parser = crate::numbers::count::<usize>())]
    count: usize,
    /// Seed of the first game. The others use the next numbers.
    #[arg(long, default_value_t = 1, value_parser = crate::numbers::number::<u64>())]
    seed: u64,
    /// Mines easy puzzles, which a beginner can see.
    #[arg(long)]
    easy: bool,
    /// Begins no game after this many seconds.
    #[arg(long, value_parser = crate::numbers::number::<u64>())]
    seconds: Option<u64>,
}

impl Puzzles {
    /// Mines or audits, and prints the counts.
    ///
    /// # Errors
    /// If a file cannot be read or written, or a puzzle fails the audit.
    pub fn run(&self) -> Result<()> {
        let mut source = source(&self.game)?;
        let Some(path) = &self.audit else {
            let path = self.out.as_deref().context("no output file")?;
            let easy = if self.easy { " --easy" } else { "" };
            let head =
                format!("# trainer puzzles {}{easy} --count {} --seed {}", self.game, self.count, self.seed);
            let level = if self.easy { Level::Easy } else { Level::Usual };
            let (count, seed, seconds) = (self.count, self.seed, self.seconds);
            let run = mine::Run { head, path, level, count, seed, seconds };
            return source.mine(&run);
        };
        let puzzles = file::read(path)?;
        source.audit(&puzzles[..puzzles.len().min(self.count)], self.out.as_deref())
    }
}

/// Returns the part of a game, by name.
fn source(game: &str) -> Result<Box<dyn Tasks>> {
    let found = crate::PUZZLES.iter().find(|(name, _)| *name == game);
    found.map(|(_, new)| new()).with_context(|| format!("no puzzles of {game:?}"))
}

/// Returns the place of a cell in one of the eight symmetric images of a square board, row by row.
pub(crate) fn image_of(place: usize, side: usize, image: u32) -> usize {
    let (mut column, mut row) = (place % side, place / side);
    if image & 1 != 0 {
        column = side - 1 - column;
    }
    if image & 2 != 0 {
        row = side - 1 - row;
    }
    if image & 4 != 0 {
        (column, row) = (row, column);
    }
    side * row + column
}

/// Audits a text of puzzles, and returns the names of those that fail with the reasons. For tests.
///
/// # Errors
/// If there is no such game, or a line is not one of its puzzles.
pub fn failures(game: &str, text: &str) -> Result<Vec<String>> {
    source(game)?.failures(&file::parse(text)?)
}

/// Returns the names of the puzzles in a text whose position is a symmetric image of an earlier one. For tests.
///
/// # Errors
/// If there is no such game, or a line is not one of its puzzles.
pub fn alike(game: &str, text: &str) -> Result<Vec<String>> {
    source(game)?.alike(&file::parse(text)?)
}

/// Makes a game's source of puzzles.
pub(crate) type Start = fn() -> Box<dyn Tasks>;

/// The tasks on a game's puzzles, whatever its positions are. [`Source`] gives them.
pub(crate) trait Tasks {
    /// Mines puzzles.
    fn mine(&mut self, run: &mine::Run<'_>) -> Result<()>;

    /// Audits puzzles, and writes those that pass to `out`.
    fn audit(&mut self, puzzles: &[Puzzle], out: Option<&Path>) -> Result<()>;

    /// Returns the names of the puzzles that fail the audit, each with its verdict.
    fn failures(&mut self, puzzles: &[Puzzle]) -> Result<Vec<String>>;

    /// Returns the names of the puzzles whose position is an image of an earlier one.
    fn alike(&self, puzzles: &[Puzzle]) -> Result<Vec<String>>;
}

impl<S: Source> Tasks for S {
    fn mine(&mut self, run: &mine::Run<'_>) -> Result<()> {
        run.mine(self)
    }

    fn audit(&mut self, puzzles: &[Puzzle], out: Option<&Path>) -> Result<()> {
        audit::audit(self, puzzles, out)
    }

    fn failures(&mut self, puzzles: &[Puzzle]) -> Result<Vec<String>> {
        audit::failures(self, puzzles)
    }

    fn alike(&self, puzzles: &[Puzzle]) -> Result<Vec<String>> {
        audit::alike(self, puzzles)
    }
}

/// The puzzles that a run mines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Level {
    /// The goal is one or two moves away, or a few squares or steps: a beginner sees it.
    Easy,
    /// The goal takes a longer calculation.
    Usual,
}

/// A game's part of the puzzles.
pub(crate) trait Source {
    /// A position of the game.
    type Position;

    /// The largest node limit of the rating, as a power of two. A position that the player does not solve within it
    /// is left out.
    const HARDEST: u32 = 18;

    /// The number of different goals of easy puzzles. None has more than its share.
    const EASY_GOALS: usize = 1;

    /// Plays a game, and returns the positions that may be puzzles, in order, each with its ply.
    fn game(&mut self, seed: u64, level: Level) -> Vec<(usize, Self::Position)>;

    /// Proves that one move is the best. Returns `None` for any other position, and for one that is not of the level.
    fn prove(&mut self, position: &Self::Position, level: Level) -> Option<Proven>;

    /// Returns a text that the images of a position under the game's symmetries share, and no other position.
    fn signature(&self, position: &Self::Position) -> String;

    /// Returns the move that the player with its default settings finds in about `nodes` positions, with an empty
    /// memory, and the number of positions that it visited.
    fn answer(&mut self, position: &Self::Position, nodes: u64) -> (Option<String>, u64);

    /// Writes a position in the notation of openings.
    fn write(&self, position: &Self::Position) -> String;

    /// Reads a position that [`write`](Self::write) wrote.
    ///
    /// # Errors
    /// The error in the text.
    fn read(&self, text: &str) -> Result<Self::Position>;

    /// Finds the moves that reach a goal by the second solver.
    fn solve(&mut self, position: &Self::Position, goal: Goal) -> Solved;
}

/// A proof that one move is the best.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Proven {
    /// The goal that this move alone reaches.
    pub goal: Goal,
    /// A line of best play; its first move is the solution.
    pub line: Vec<String>,
}

/// The answer of the second solver.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Solved {
    /// The moves that reach the goal.
    pub moves: Vec<String>,
    /// True if some move reaches more than the goal.
    pub is_surpassed: bool,
}
