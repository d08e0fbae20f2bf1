//! Mining: games of self-play, of whose positions those are kept that have one best move.

use super::file::{self, Puzzle};
use super::{Level, Proven, Source};
use anyhow::Result;
use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};
use wire::Failure;

/// The least distance in plies between two puzzles of one game.
const DISTANCE: usize = 6;
/// The largest number of puzzles from one game.
const MOST_OF_A_GAME: usize = 2;
/// The smallest node limit of the rating, as a power of two.
const EASIEST: u32 = 2;
/// A move that the player finds within fewer positions is no puzzle, but for an easy one.
const LEAST: u64 = 8;
/// The number of consecutive limits with the right answer.
const IN_A_ROW: u32 = 3;

/// A run of mining.
pub(crate) struct Run<'a> {
    /// The first line of the file.
    pub head: String,
    /// The file, written at the end. Until then the puzzles found so far are in a file `PATH.part`.
    pub path: &'a Path,
    /// The puzzles to mine.
    pub level: Level,
    /// The number of puzzles to find.
    pub count: usize,
    /// The seed of the first game.
    pub seed: u64,
    /// No game begins after this many seconds.
    pub seconds: Option<u64>,
}

impl Run<'_> {
    /// Plays games until enough puzzles are found or the time is over.
    pub fn mine<S: Source>(&self, source: &mut S) -> Result<()> {
        let start = Instant::now();
        let is_over = || self.seconds.is_some_and(|seconds| start.elapsed() >= Duration::from_secs(seconds));
        let mut found: Vec<Puzzle> = Vec::new();
        let mut seen = BTreeSet::new();
        let (mut games, mut positions, mut proofs) = (0, 0, 0);
        let mut part = self.path.as_os_str().to_owned();
        part.push(".part");
        let part = Path::new(&part);
        if part.symlink_metadata().is_ok() {
            let why = "it may have the puzzles of an unfinished run: move it away";
            return Err(Failure::input(format!("{} exists: {why}", part.display())).into());
        }
        while found.len() < self.count && !is_over() {
            let seed = self.seed + games;
            games += 1;
            let (mut next, mut kept) = (0, 0);
            for (ply, position) in source.game(seed, self.level) {
                if ply < next || kept == MOST_OF_A_GAME || found.len() == self.count {
                    continue;
                }
                positions += 1;
                let Some(proven) = source.prove(&position, self.level) else { continue };
                proofs += 1;
                let same = found.iter().filter(|puzzle| puzzle.goal == proven.goal).count();
                if self.level == Level::Easy && same >= self.count.div_ceil(S::EASY_GOALS) {
                    continue;
                }
                let Some(nodes) = rate(source, &position, &proven) else { continue };
                if self.level == Level::Usual && nodes < LEAST {
                    continue;
                }
                if !seen.insert(source.signature(&position)) {
                    continue;
                }
                let Proven { goal, line } = proven;
                found.push(Puzzle {
                    position: source.write(&position),
                    goal,
                    line,
                    nodes,
                    origin: (seed, ply),
                });
                (next, kept) = (ply + DISTANCE, kept + 1);
                file::write(part, &self.head, &found)?;
            }
        }
        file::write(self.path, &self.head, &found)?;
        // Without a puzzle there is none.
        let _ = std::fs::remove_file(part);
        Ok(wire::print_line(format_args!(
            "{} puzzles from {games} games: {positions} positions, {proofs} with one best move; {:.0} s",
            found.len(),
            start.elapsed().as_secs_f64()
        ))?)
    }
}

/// Returns the number of positions that the player visits until it finds the solution, with the smallest limit that
/// suffices and the next two, or `None` if it does not find it.
fn rate<S: Source>(source: &mut S, position: &S::Position, proven: &Proven) -> Option<u64> {
    let (mut nodes, mut in_a_row) = (0, 0);
    for limit in EASIEST..=S::HARDEST {
        let (answer, visited) = source.answer(position, 1 << limit);
        if answer.as_deref() != proven.line.first().map(String::as_str) {
            in_a_row = 0;
            continue;
        }
        if in_a_row == 0 {
            nodes = visited;
        }
        in_a_row += 1;
        if in_a_row == IN_A_ROW {
            return Some(nodes);
        }
    }
    None
}
