//! The evaluation functions: the value of an unfinished position for the side to move.

mod boards;
mod lines;
pub mod network;

pub use network::Network;

use crate::rules::State;
use search_core::Score;

/// An evaluation function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Evaluation {
    /// Boards won, weighted by the number of lines through them.
    Boards,
    /// The lines that each side can still complete, on the whole board and within each small board.
    Lines,
    /// A small network on the cells, trained by self-play.
    #[default]
    Network,
}

wire::named!(Evaluation, "evaluation": Boards = "boards", Lines = "lines", Network = "network");

impl Evaluation {
    /// The score at which a position is won three times out of four.
    #[must_use]
    pub fn scale(self) -> f32 {
        match self {
            Self::Boards => 800.0,
            Self::Lines => 300.0,
            Self::Network => 5_000.0,
        }
    }

    /// The score for the side to move.
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
