//! The learned evaluation: what 54 patterns and both sides' mobility are worth, added up, by stage of the game, and
//! what every two patterns are worth together.
//!
//! - [`layout`]: which cells each pattern reads.
//! - [`Features`]: the state of every pattern, kept up to date by turned disc.
//! - [`sum`]: what all states of a position are worth, added up.
//! - [`Pairs`]: what every two of them are worth together.
//! - [`Weights`]: the worth of every state, unpacked stage by stage when it is first asked for.
//!
//! Source: M. Buro, "From simple features to sophisticated evaluation functions", 1999; stages and mobility as in his
//! "Experiments with Multi-ProbCut and a new high-quality evaluation function for Othello", 1997.

mod features;
pub mod layout;
pub mod pairs;
mod sum;
mod weights;

pub use features::Features;
pub use pairs::{Pairs, TooMany};
pub use weights::{STAGES, UnpackError, Weights, pack, stage_of};

use super::Evaluate;
use crate::rules::Position;
use layout::LAYOUT;
use search_core::Score;

/// Mobility beyond this counts as this.
const MOST_MOVES: u32 = 31;
/// Pairs of mobilities.
const MOBILITIES: usize = 1024;

/// Where the worth of both sides' numbers of moves stands in a stage's table.
#[inline]
#[must_use]
pub fn mobility_index(own: u32, opponent: u32) -> usize {
    LAYOUT.table + (own.min(MOST_MOVES) << 5 | opponent.min(MOST_MOVES)) as usize
}

/// The length of a stage's table: all states of all families, then the mobilities.
pub const TABLE_LEN: usize = layout::TABLE + MOBILITIES;

/// A stage's entry for a state. Both are wanted together, so they stand together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(C, align(4))]
pub struct Place {
    /// The state's own weight (first-order term), in 1/128 of a disc.
    pub worth: i16,
    /// Which of the [`Pairs`]' vectors it has.
    vector: u16,
}

/// A stage's table, and an empty place behind it for lanes that are not in use.
pub type Table = [Place; TABLE_LEN + 1];

/// The evaluation, on the built-in weights unless it is given others.
#[derive(Debug)]
pub struct Patterns {
    weights: &'static Weights,
    pairs: &'static Pairs,
    /// The features of the position that was begun with and of every one since.
    path: Vec<Features>,
}

impl Evaluate for Patterns {
    fn new(position: &Position) -> Self {
        Self::on(Weights::embedded(), position)
    }

    #[inline]
    fn played(&mut self, before: &Position, now: &Position) {
        let Some(last) = self.path.last() else { return };
        self.path.push(last.played(before, now));
    }

    #[inline]
    fn undone(&mut self) {
        self.path.pop();
    }

    #[inline]
    fn evaluate(&mut self, position: &Position) -> Score {
        stretched(self.fitted(position))
    }

    #[inline]
    fn estimate(&mut self, position: &Position) -> Score {
        let Some(features) = self.path.last() else { return Score::DRAW };
        let table = self.weights.stage(stage_of(position.empties()));
        let mobility = mobility_index(position.legal().count_ones(), position.opponent_legal().count_ones());
        stretched(Score::new(sum::of(table, features).0 + i32::from(table[mobility].worth)))
    }

    #[inline(always)]
    fn evaluate_next(&mut self, before: &Position, now: &Position, opponent_legal: u64) -> Score {
        stretched(self.fitted_next(before, now, opponent_legal))
    }
}

impl Patterns {
    /// The evaluation on these weights, ready for searches from this position.
    pub fn on(weights: &'static Weights, position: &Position) -> Self {
        let mut path = Vec::with_capacity(128);
        path.push(Features::of(position.own(), position.opponent()));
        Self { weights, pairs: weights.pairs(), path }
    }

    /// The worth of the position that the moves led to, as it was fitted.
    #[inline]
    #[must_use]
    pub fn fitted(&self, position: &Position) -> Score {
        let Some(features) = self.path.last() else { return Score::DRAW };
        self.worth(features, position, position.opponent_legal())
    }

    /// The same of the position after it (see [`Evaluate::evaluate_next`]).
    #[inline(always)]
    #[must_use]
    pub fn fitted_next(&self, before: &Position, now: &Position, opponent_legal: u64) -> Score {
        let Some(last) = self.path.last() else { return Score::DRAW };
        self.worth(&last.played(before, now), now, opponent_legal)
    }

    #[inline(always)]
    fn worth(&self, features: &Features, position: &Position, opponent_legal: u64) -> Score {
        let empties = position.empties();
        let table = self.weights.stage(stage_of(empties));
        let mobility = mobility_index(position.legal().count_ones(), opponent_legal.count_ones());
        let (states, vectors) = sum::of(table, features);
        let one_by_one = states + i32::from(table[mobility].worth);
        Score::new(one_by_one + self.pairs.worth(&vectors, empties))
    }
}

/// In discs at the end of the game what the fit says. It learns who is winning rather than by how much, so it puts the
/// ends too near to a draw, by a quarter at first: of 3,427 tournament positions with 24 empty squares a search of ten
/// plies is 3.7 discs off without this and 2.9 with it.
#[inline]
fn stretched(fitted: Score) -> Score {
    /// The most that it adds.
    const MORE: i32 = 9 * Score::POINT / 2;
    /// Nobody has more than all 64 discs.
    const MOST: i32 = 64 * Score::POINT;
    let fitted = fitted.value();
    Score::new((fitted + (fitted / 4).clamp(-MORE, MORE)).clamp(-MOST, MOST))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stretched_worth_keeps_its_order_and_its_sign() {
        let of = |discs: i32| stretched(Score::new(discs * Score::POINT)).value();
        let all: Vec<i32> =
            (-59 * 128..=59 * 128).map(|fitted| stretched(Score::new(fitted)).value()).collect();
        assert!(all.windows(2).all(|two| two[0] < two[1]));
        assert!(all.iter().zip(all.iter().rev()).all(|(one, other)| *one == -other));
        assert_eq!([of(8), of(40), of(62)], [10 * 128, 89 * 64, 64 * 128]);
    }
}
