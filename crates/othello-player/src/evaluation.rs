//! Evaluation functions: static values of positions for their mover, in [`Score::POINT`]s per disc.
//!
//! Each file has one function. All implement [`Evaluate`], and [`Evaluation`] names them.

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

/// An evaluation function. It may update its state incrementally on each move; a function of the position alone
/// implements only [`evaluate`](Self::evaluate).
pub trait Evaluate: Sized {
    /// Prepares for searches from `position`.
    fn new(position: &Position) -> Self;

    /// Updates the state after a move from `before` to `now`.
    #[inline]
    fn played(&mut self, _before: &Position, _now: &Position) {}

    /// Restores the state before the last move.
    #[inline]
    fn undone(&mut self) {}

    /// The value of the current position for its mover.
    fn evaluate(&mut self, position: &Position) -> Score;

    /// A cheaper approximation of `evaluate`, good enough for move ordering.
    #[inline]
    fn estimate(&mut self, position: &Position) -> Score {
        self.evaluate(position)
    }

    /// The value of `now` for its mover, one disc after the current position `before`; the opponent could move to
    /// `opponent_legal`. Most leaves are evaluated by this function.
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
    /// Weighted squares.
    Positional,
    /// Mobility, corners and their neighbours.
    Mobility,
    /// Learned pattern weights.
    #[default]
    Patterns,
}

// From the weakest to the strongest.
wire::named!(Evaluation, "evaluation": Discs = "discs", Positional = "positional", Mobility = "mobility", Patterns = "patterns");

impl Evaluation {
    /// Evaluates a single position from scratch.
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
