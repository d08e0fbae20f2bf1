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

/// A stage's entry for a state: its own weight (first-order term) and which of the [`Pairs`]' vectors it has. Both are
/// wanted together, so they are one word: from the low end the weight, in 1/16 of a disc and with [`MIDDLE`](Self::MIDDLE)
/// added (11 bits), then zeros, and the vector's number (16 bits).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place(u32);

impl Default for Place {
    /// Nothing is worth anything.
    fn default() -> Self {
        Self(Self::MIDDLE)
    }
}

impl Place {
    const MIDDLE: u32 = 1 << 10;
    /// Weights are stored in 1/16 and used in 1/128 of a disc.
    const SCALE: i32 = 8;
    /// The largest weight, in 1/16 of a disc: a position's states add up to 16 bits.
    const MOST: i16 = i16::MAX / LAYOUT.instances as i16;
    /// So far down the upper half is where the vector begins among all vectors' bytes, for what lies between is zero.
    const VECTOR_AT: u32 = 16 - pairs::WIDTH.ilog2();

    /// `None` for a weight, in 1/16 of a disc, beyond [`MOST`](Self::MOST).
    fn new(weight: i16, vector: u16) -> Option<Self> {
        const { assert!((Self::MOST as u32) < Self::MIDDLE && 2 * Self::MIDDLE == 1 << Self::VECTOR_AT) };
        let low = Self::MIDDLE.checked_add_signed(i32::from(weight))?;
        (weight.unsigned_abs() <= Self::MOST as u16).then(|| Self(low | u32::from(vector) << 16))
    }

    /// The weight in 1/16 of a disc.
    fn weight(self) -> i16 {
        (self.0 as u16).wrapping_sub(Self::MIDDLE as u16) as i16
    }

    /// The weight in 1/128 of a disc.
    #[inline]
    #[must_use]
    pub fn worth(self) -> i32 {
        i32::from(self.weight()) * Self::SCALE
    }

    /// The weights of all states of a position in 1/128 of a disc, from their words' sum.
    #[inline]
    fn worth_of_all(words: u32) -> i32 {
        const MIDDLES: u16 = (LAYOUT.instances as u32 * Place::MIDDLE) as u16;
        i32::from((words as u16).wrapping_sub(MIDDLES) as i16) * Self::SCALE
    }

    /// Its vector.
    #[inline(always)]
    fn vector_of(self, vectors: &pairs::Vectors) -> &pairs::Vector {
        let from = (self.0 >> Self::VECTOR_AT) as usize;
        vectors.as_flattened()[from..].first_chunk().expect("there is one vector more than numbers")
    }
}

/// A stage's table.
pub type Table = [Place; TABLE_LEN];

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
        stretched(Score::new(sum::of(table, features) + table[mobility].worth()))
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
        let (states, vectors) =
            sum::with_vectors(table, features, self.pairs.vectors(), self.pairs.first(empties));
        Score::new(states + table[mobility].worth() + self.pairs.worth(&vectors, empties))
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
    fn a_place_holds_a_weight_and_the_number_of_a_vector() {
        let pairs = Pairs::none();
        for weight in [-Place::MOST, -1, 0, 1, Place::MOST] {
            for number in [0, 1, u16::MAX] {
                let place = Place::new(weight, number).unwrap();
                assert_eq!(place.worth(), i32::from(weight) * 8);
                let vector = &pairs.vectors()[usize::from(number)];
                assert!(std::ptr::eq(place.vector_of(pairs.vectors()), vector), "{weight}, {number}");
            }
            let all = Place::new(weight, 7).unwrap().0.wrapping_mul(LAYOUT.instances as u32);
            assert_eq!(Place::worth_of_all(all), i32::from(weight) * 8 * LAYOUT.instances as i32);
        }
        assert_eq!(Place::new(Place::MOST + 1, 0), None);
        assert_eq!(Place::new(-Place::MOST - 1, 0), None);
    }

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
