//! The evaluation of a position: a value for every free cell and colour from the four shapes that a stone there would
//! make, summed while the stones come and go.

pub mod learned;
mod lines;
mod shapes;

use crate::patterns::{Patterns, Shape, Weights};
use crate::rules::Position;
use search_core::Score;
use std::sync::OnceLock;

/// An evaluation function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Evaluation {
    /// Every line by itself: the shapes of a cell are added up.
    Lines,
    /// The threat class of a cell's four shapes.
    Shapes,
    /// Fitted to games of self-play.
    #[default]
    Learned,
}

wire::named!(Evaluation, "evaluation": Lines = "lines", Shapes = "shapes", Learned = "learned");

impl Evaluation {
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
    #[must_use]
    pub fn evaluate(self, position: &Position) -> Score {
        judge(&Patterns::new(position, self.weights()), position)
    }
}

/// The mover's prospects by the weights of `patterns`, which stand at `position`.
#[inline]
#[must_use]
pub fn judge(patterns: &Patterns, position: &Position) -> Score {
    Score::new(patterns.balance(position.mover()))
}

/// The mover has the next stone: what it threatens counts for more than what it has to answer. The tables are written
/// in numbers twice as fine as a score is, which counts hundredths of the logarithm of the odds of winning.
fn by_hand(value: impl Fn([Shape; 4]) -> i16) -> Weights {
    let halves = |value: i16| [(value + value / 16) / 2, (value - value / 16) / 2];
    Weights::new(|shapes| halves(value(shapes)), 30)
}
