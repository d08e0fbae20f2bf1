//! The state of a search with one evaluation function, and that function's backup near the horizon.

use crate::evaluation::{Discs, Evaluate, Mobility, Patterns, Positional};
use crate::rules::Position;
use search_core::Score;

/// The M & N backup for an evaluation function. The default is plain minimax.
pub trait NearEquals: Evaluate {
    /// A move this far or less below the best one still adds to the node's value; 0 disables the backup.
    const TOLERANCE: i32 = 0;
    /// The scale of the bonus: two equal moves give a third of it, three equal moves half.
    const BONUS: i32 = 0;
}

impl NearEquals for Discs {}
impl NearEquals for Positional {}
impl NearEquals for Mobility {}
impl NearEquals for Patterns {
    const TOLERANCE: i32 = 5 * Score::POINT;
    const BONUS: i32 = 5 * Score::POINT / 2;
}

/// The hooks with one evaluation function, with or without ProbCut.
#[derive(Debug)]
pub struct OthelloHeuristics<V, const PROBCUT: bool = false> {
    pub(super) evaluation: V,
    /// The depth of nesting of ProbCut's shallow searches.
    pub(super) nested: u8,
    /// The square that last refuted a node one ply before the horizon, as a set.
    pub(super) refutation: u64,
}

impl<V: NearEquals, const PROBCUT: bool> OthelloHeuristics<V, PROBCUT> {
    /// Hooks for searches from `position`.
    #[must_use]
    pub fn new(position: &Position) -> Self {
        Self::with(V::new(position))
    }

    /// Hooks with an evaluation that is already prepared.
    pub fn with(evaluation: V) -> Self {
        Self { evaluation, nested: 0, refutation: 0 }
    }
}
