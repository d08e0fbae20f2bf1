//! The evaluation functions: what a position in which the game goes on is worth to its mover.

mod boards;
mod lines;
pub mod network;

pub use network::Network;

use crate::rules::State;
use search_core::Score;

/// An evaluation function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Evaluation {
    /// Boards won, the centre worth most.
    Boards,
    /// The lines that each side can still make, of boards and within boards.
    Lines,
    /// A small network on the cells, trained by self-play.
    #[default]
    Network,
}

wire::named!(Evaluation, "evaluation": Boards = "boards", Lines = "lines", Network = "network");

impl Evaluation {
    /// The score of a position that is won three times out of four.
    #[must_use]
    pub fn scale(self) -> f32 {
        match self {
            Self::Boards => 800.0,
            Self::Lines => 300.0,
            Self::Network => 5_000.0,
        }
    }

    /// The mover's prospects.
    #[inline]
    #[must_use]
    pub fn evaluate(self, state: &State) -> Score {
        Score::new(match self {
            Self::Boards => boards::evaluate(state),
            Self::Lines => lines::evaluate(state),
            Self::Network => network::evaluate(state),
        })
    }
}
