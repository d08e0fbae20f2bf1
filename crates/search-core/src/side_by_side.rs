//! Values for every move of a position at increasing depth, for analysis. Each move gets a full search of the position
//! after it.
//!
//! ```
//! use search_core::side_by_side::{FlagClock, side_by_side};
//! use search_core::testing::{Heap, Take};
//! use search_core::{Control, Evaluation, Options, Score, Search, Table};
//! use std::sync::atomic::AtomicBool;
//!
//! let stop = AtomicBool::new(false); // a viewer may set it
//! let clock = FlagClock::start(&stop);
//! let mut moves = Vec::new();
//! let table = Table::with_bytes(1 << 20);
//! let think = |after: &Heap, depth| {
//!     let control = Control::new(FlagClock::limits(depth), &clock);
//!     let heuristics = Evaluation::new(|_: &Heap| Score::DRAW);
//!     Search::new(heuristics, *after, &table, &control, Options::EXACT).think(&mut |_| {})
//! };
//! side_by_side(&Heap(6), 10, &clock, think, |_, ranked, _| moves = ranked.to_vec());
//! assert_eq!(moves[0].line[0], Take(2));
//! assert!(moves[0].score.is_win() && moves[1].score.is_loss());
//! ```

use crate::limits::{Clock, Limits, Stopwatch};
use crate::position::Position;
use crate::report::{Line, Report};
use crate::score::{Depth, Score};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// A move with its value.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranked<M> {
    /// The mover's score.
    pub score: Score,
    /// The principal variation, beginning with the move.
    pub line: Line<M>,
    /// True if `score` is proven.
    pub proven: bool,
}

/// A clock that reports a time beyond any limit once another thread sets a flag, which stops a search with a hard limit.
#[derive(Debug)]
pub struct FlagClock<'a, C = Stopwatch> {
    stop: &'a AtomicBool,
    clock: C,
}

/// A time beyond any analysis.
const FOREVER: Duration = Duration::from_secs(1 << 30);

impl<'a> FlagClock<'a> {
    /// Starts now.
    pub fn start(stop: &'a AtomicBool) -> Self {
        Self { stop, clock: Stopwatch::start() }
    }

    /// Returns the limits of a search to a depth that the flag can stop.
    #[must_use]
    pub fn limits(depth: Depth) -> Limits {
        Limits { hard: Some(FOREVER), ..Limits::depth(depth) }
    }
}

impl<'a, C: Clock> FlagClock<'a, C> {
    /// Reports the time of `clock`, for programs without the system's clock.
    pub fn by(stop: &'a AtomicBool, clock: C) -> Self {
        Self { stop, clock }
    }

    /// Returns whether the flag is set.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Time since the start.
    #[must_use]
    pub fn so_far(&self) -> Duration {
        self.clock.elapsed()
    }
}

impl<C: Clock> Clock for FlagClock<'_, C> {
    fn elapsed(&self) -> Duration {
        if self.is_stopped() { FOREVER + FOREVER } else { self.clock.elapsed() }
    }
}

/// Values all moves of `position` at depths 1 to `deepest` by calling `think` on the position after each, until the clock's
/// flag is set or every move is proven. `tell` receives the moves, best first, and the nodes so far after each depth.
pub fn side_by_side<P: Position>(
    position: &P,
    deepest: Depth,
    clock: &FlagClock<'_, impl Clock>,
    think: impl FnMut(&P, Depth) -> Report<P::Move>,
    tell: impl FnMut(Depth, &[Ranked<P::Move>], u64),
) {
    best_side_by_side(position, (&position.move_list(), usize::MAX), deepest, clock, think, tell);
}

/// Like [`side_by_side`], for given moves, with a limit on the number of best moves that are searched beyond depth 1.
pub fn best_side_by_side<P: Position>(
    position: &P,
    (moves, most): (&[P::Move], usize),
    deepest: Depth,
    clock: &FlagClock<'_, impl Clock>,
    mut think: impl FnMut(&P, Depth) -> Report<P::Move>,
    mut tell: impl FnMut(Depth, &[Ranked<P::Move>], u64),
) {
    let unknown = |&mv| Ranked { score: Score::DRAW, line: std::iter::once(mv).collect(), proven: false };
    let mut moves: Vec<Ranked<P::Move>> = moves.iter().map(unknown).collect();
    let mut nodes = 0;
    for depth in 1..=deepest {
        for ranked in moves.iter_mut().filter(|ranked| !ranked.proven) {
            let mv = ranked.line[0];
            let mut after = position.clone();
            after.play(mv);
            *ranked = match after.outcome() {
                Some(outcome) => {
                    let score = one_ply_farther(-Score::of_outcome(outcome, 0));
                    Ranked { score, line: std::iter::once(mv).collect(), proven: true }
                }
                None => {
                    let report = think(&after, (depth - 1).max(1));
                    nodes += report.nodes;
                    if clock.is_stopped() {
                        return;
                    }
                    let line = std::iter::once(mv).chain(report.principal_variation).collect();
                    Ranked {
                        score: one_ply_farther(-report.score),
                        line,
                        proven: report.proven || report.score.is_decided(),
                    }
                }
            };
        }
        // The order of equals stays: a move that is no better than before does not jump.
        moves.sort_by_key(|ranked| std::cmp::Reverse(ranked.score));
        moves.truncate(most);
        tell(depth, &moves, nodes);
        if clock.is_stopped() || moves.iter().all(|ranked| ranked.proven) {
            return;
        }
    }
}

/// Converts a score of the position after a move to the position before it: a proven end is one ply farther.
fn one_ply_farther(score: Score) -> Score {
    match score.plies_to_end() {
        Some(plies) if score.is_win() => Score::win_in(plies + 1),
        Some(plies) => Score::loss_in(plies + 1),
        None => score,
    }
}
