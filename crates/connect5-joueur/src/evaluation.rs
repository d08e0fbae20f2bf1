//! What a position is worth: a value for every free cell and colour from the four shapes that a stone there would
//! make, summed while the stones come and go.

pub mod learned;
mod lines;
mod shapes;

use crate::patterns::{Patterns, Shape, Weights};
use crate::rules::Position;
use search_core::Score;
use std::fmt;
use std::str::FromStr;
use std::sync::OnceLock;

/// An evaluation function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Evaluation {
    /// Every line by itself: the shapes of a cell are added up.
    Lines,
    /// What the shapes of a cell threaten together.
    Shapes,
    /// Fitted to games of self-play.
    #[default]
    Learned,
}

/// A name that is no evaluation's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown evaluation {0:?}; there are: {names}", names = names())]
pub struct UnknownEvaluation(String);

impl Evaluation {
    /// All of them.
    pub const ALL: &[Self] = &[Self::Lines, Self::Shapes, Self::Learned];

    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Lines => "lines",
            Self::Shapes => "shapes",
            Self::Learned => "learned",
        }
    }

    /// The value of every set of shapes, tabulated when it is first asked for.
    pub fn weights(self) -> &'static Weights {
        static LINES: OnceLock<Weights> = OnceLock::new();
        static SHAPES: OnceLock<Weights> = OnceLock::new();
        static LEARNED: OnceLock<Weights> = OnceLock::new();
        match self {
            Self::Lines => LINES.get_or_init(|| by_hand(lines::value)),
            Self::Shapes => SHAPES.get_or_init(|| by_hand(shapes::value)),
            Self::Learned => LEARNED.get_or_init(learned::weights),
        }
    }

    /// The mover's prospects, from the position alone.
    pub fn evaluate(self, position: &Position) -> Score {
        judge(&Patterns::new(position, self.weights()), position)
    }
}

/// The mover's prospects by the weights of `patterns`, which stand at `position`.
#[inline]
pub fn judge(patterns: &Patterns, position: &Position) -> Score {
    Score::new(patterns.balance(position.mover()))
}

/// The mover has the next stone: what it threatens counts for more than what it has to answer. The tables are written
/// in numbers twice as fine as a score is, which counts hundredths of the logarithm of the odds of winning.
fn by_hand(value: impl Fn([Shape; 4]) -> i16) -> Weights {
    let halves = |value: i16| [(value + value / 16) / 2, (value - value / 16) / 2];
    Weights::new(|shapes| halves(value(shapes)), 30)
}

fn names() -> String {
    Evaluation::ALL.iter().map(|evaluation| evaluation.name()).collect::<Vec<_>>().join(", ")
}

impl fmt::Display for Evaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Evaluation {
    type Err = UnknownEvaluation;

    fn from_str(name: &str) -> Result<Self, UnknownEvaluation> {
        let known = Self::ALL.iter().find(|evaluation| evaluation.name() == name);
        known.copied().ok_or_else(|| UnknownEvaluation(name.to_owned()))
    }
}
