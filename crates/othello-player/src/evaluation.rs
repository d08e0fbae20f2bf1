//! Evaluation functions: what a position is worth to its mover when the search may look no further, in
//! [`Score::POINT`]s a disc.
//!
//! One file a function; each implements [`Evaluate`], and [`Evaluation`] names them.

mod discs;
mod mobility;
pub mod patterns;
mod positional;

pub use discs::Discs;
pub use mobility::Mobility;
pub use patterns::Patterns;
pub use positional::Positional;

use crate::rules::Position;
use search_core::Score;

/// An evaluation function. What it keeps up to date along the moves is its own; a function of the position alone
/// needs [`evaluate`](Self::evaluate) only.
pub trait Evaluate: Sized {
    /// Gets ready for searches from this position.
    fn new(position: &Position) -> Self;

    /// A move led from `before` to `now`.
    #[inline]
    fn played(&mut self, _before: &Position, _now: &Position) {}

    /// The last move is about to be taken back.
    #[inline]
    fn undone(&mut self) {}

    /// The worth of `position`, the one that the moves led to, for its mover.
    fn evaluate(&mut self, position: &Position) -> Score;

    /// What `evaluate` says, more roughly where that takes less time: enough to order moves by.
    #[inline]
    fn estimate(&mut self, position: &Position) -> Score {
        self.evaluate(position)
    }

    /// The worth of `now` for its mover, where a disc led from `before`, the position that the moves led to, to `now`, in
    /// which the opponent could put discs on `opponent_legal`. Most leaves are evaluated so.
    #[inline]
    fn evaluate_next(&mut self, before: &Position, now: &Position, _opponent_legal: u64) -> Score {
        self.played(before, now);
        let score = self.evaluate(now);
        self.undone();
        score
    }
}

/// The evaluation functions by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Evaluation {
    /// Disc difference.
    Discs,
    /// A weight a square.
    Positional,
    /// Mobility, corners and their neighbours.
    Mobility,
    /// Learned weights of patterns.
    #[default]
    Patterns,
}

// Weakest first.
wire::named!(Evaluation, "evaluation": Discs = "discs", Positional = "positional", Mobility = "mobility", Patterns = "patterns");

impl Evaluation {
    /// The value of one position, nothing kept.
    #[must_use]
    pub fn evaluate(self, position: &Position) -> Score {
        match self {
            Self::Discs => Discs::new(position).evaluate(position),
            Self::Positional => Positional::new(position).evaluate(position),
            Self::Mobility => Mobility::new(position).evaluate(position),
            Self::Patterns => Patterns::new(position).evaluate(position),
        }
    }
}
