//! The evaluation functions: what a position in which the game goes on is worth to its mover.

mod boards;
mod lines;
pub mod network;

pub use network::Network;

use crate::rules::State;
use search_core::Score;
use std::fmt;
use std::str::FromStr;

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

impl Evaluation {
    /// All there are.
    pub const ALL: &[Self] = &[Self::Boards, Self::Lines, Self::Network];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Boards => "boards",
            Self::Lines => "lines",
            Self::Network => "network",
        }
    }

    /// The score of a position that is won three times out of four.
    pub fn scale(self) -> f32 {
        match self {
            Self::Boards => 800.0,
            Self::Lines => 300.0,
            Self::Network => 5_000.0,
        }
    }

    /// The mover's prospects.
    #[inline]
    pub fn evaluate(self, state: &State) -> Score {
        Score::new(match self {
            Self::Boards => boards::evaluate(state),
            Self::Lines => lines::evaluate(state),
            Self::Network => network::evaluate(state),
        })
    }
}

impl fmt::Display for Evaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// No evaluation has this name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no evaluation is named {0:?}: expected {names}", names = names())]
pub struct UnknownEvaluation(String);

fn names() -> String {
    Evaluation::ALL.iter().map(|evaluation| evaluation.name()).collect::<Vec<_>>().join(", ")
}

impl FromStr for Evaluation {
    type Err = UnknownEvaluation;

    fn from_str(name: &str) -> Result<Self, UnknownEvaluation> {
        let found = Self::ALL.iter().find(|evaluation| evaluation.name() == name);
        found.copied().ok_or_else(|| UnknownEvaluation(name.to_owned()))
    }
}
