//! Puzzles: positions with one best move, mined from self-play, proven, rated and audited by a second solver.
//!
//! - [`Source`]: a game's part: self-play, the proof, the player's answer, and the solver of the audit.
//! - [`Puzzle`]: a line of a file that `referee suite` reads.
//! - `mine` and `audit`: the two tasks.
//! - `connect5`, `gounki`, `moules`, `othello`, `uttt`: the games.
//!
//! The same seed gives the same puzzles; a run that is stopped has written those found so far.

mod audit;
mod connect5;
mod file;
mod gounki;
mod mine;
mod moules;
mod othello;
mod uttt;

pub use file::{Goal, Puzzle};

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};

/// A game with puzzles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Game {
    /// A win in a few moves against every defence, by one first move alone.
    Connect5,
    /// A win in a few moves against every defence, by one first move alone.
    Gounki,
    /// The only first move of all shortest plans of a player alone in a maze.
    Moules,
    /// The only move with the best disc difference, near the end.
    Othello,
    /// The only move that wins, near the end.
    Uttt,
}

/// Mines puzzles from games of self-play, or audits a file of puzzles by another solver.
#[derive(Debug, Args)]
pub struct Puzzles {
    /// The game to mine puzzles of.
    game: Game,
    /// Output file of puzzles. With --audit: those that pass.
    #[arg(long, required_unless_present = "audit")]
    out: Option<PathBuf>,
    /// Audits this file, and mines nothing.
    #[arg(long, value_name = "FILE")]
    audit: Option<PathBuf>,
    /// Number of puzzles to find, or of the first puzzles to audit.
    #[arg(long, default_value_t = 200)]
    count: usize,
    /// Seed of the first game. The others use the next numbers.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Begins no game after this many seconds.
    #[arg(long)]
    seconds: Option<u64>,
}

impl Puzzles {
    /// Mines or audits, and prints the counts.
    ///
    /// # Errors
    /// If a file cannot be read or written, or a puzzle fails the audit.
    pub fn run(&self) -> Result<()> {
        match self.game {
            Game::Connect5 => self.run_with(&mut connect5::Connect5),
            Game::Gounki => self.run_with(&mut gounki::Gounki::default()),
            Game::Moules => self.run_with(&mut moules::Moules),
            Game::Othello => self.run_with(&mut othello::Othello::default()),
            Game::Uttt => self.run_with(&mut uttt::Uttt::default()),
        }
    }

    fn run_with<S: Source>(&self, source: &mut S) -> Result<()> {
        let Some(path) = &self.audit else {
            let path = self.out.as_deref().context("no output file")?;
            return self.mine(source, path);
        };
        let puzzles = file::read(path)?;
        let puzzles = &puzzles[..puzzles.len().min(self.count)];
        audit::audit(source, puzzles, self.out.as_deref())
    }

    fn mine<S: Source>(&self, source: &mut S, path: &Path) -> Result<()> {
        let name = self.game.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default();
        let head = format!("# trainer puzzles {name} --count {} --seed {}", self.count, self.seed);
        let run = mine::Run { head, path, count: self.count, seed: self.seed, seconds: self.seconds };
        run.mine(source)
    }
}

/// Returns the place of a cell in one of the eight symmetric images of a square board, row by row.
fn image_of(place: usize, side: usize, image: u32) -> usize {
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
/// If a line is not a puzzle of the game.
pub fn failures(game: Game, text: &str) -> Result<Vec<String>> {
    let puzzles = file::parse(text)?;
    match game {
        Game::Connect5 => audit::failures(&mut connect5::Connect5, &puzzles),
        Game::Gounki => audit::failures(&mut gounki::Gounki::default(), &puzzles),
        Game::Moules => audit::failures(&mut moules::Moules, &puzzles),
        Game::Othello => audit::failures(&mut othello::Othello::default(), &puzzles),
        Game::Uttt => audit::failures(&mut uttt::Uttt::default(), &puzzles),
    }
}

/// Returns the names of the puzzles in a text whose position is a symmetric image of an earlier one. For tests.
///
/// # Errors
/// If a line is not a puzzle of the game.
pub fn alike(game: Game, text: &str) -> Result<Vec<String>> {
    let puzzles = file::parse(text)?;
    match game {
        Game::Connect5 => audit::alike(&connect5::Connect5, &puzzles),
        Game::Gounki => audit::alike(&gounki::Gounki::default(), &puzzles),
        Game::Moules => audit::alike(&moules::Moules, &puzzles),
        Game::Othello => audit::alike(&othello::Othello::default(), &puzzles),
        Game::Uttt => audit::alike(&uttt::Uttt::default(), &puzzles),
    }
}

/// A game's part of the puzzles.
trait Source {
    /// A position of the game.
    type Position;

    /// The largest node limit of the rating, as a power of two. A position that the player does not solve within it
    /// is left out.
    const HARDEST: u32 = 18;

    /// Plays a game, and returns the positions that may be puzzles, in order, each with its ply.
    fn game(&mut self, seed: u64) -> Vec<(usize, Self::Position)>;

    /// Proves that one move is the best. Returns `None` for any other position, and for a trivial one.
    fn prove(&mut self, position: &Self::Position) -> Option<Proven>;

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
struct Proven {
    /// The goal that this move alone reaches.
    goal: Goal,
    /// A line of best play; its first move is the solution.
    line: Vec<String>,
}

/// The answer of the second solver.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Solved {
    /// The moves that reach the goal.
    moves: Vec<String>,
    /// True if some move reaches more than the goal.
    is_surpassed: bool,
}
