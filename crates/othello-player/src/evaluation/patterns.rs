//! The learned evaluation: the sum of 54 pattern weights and a mobility weight by stage of the game (first order), and
//! the weights of every two patterns (second order).
//!
//! - [`layout`]: the cells of each pattern.
//! - [`Features`]: the state of every pattern, updated incrementally.
//! - [`sum`]: the sum of the weights of all states of a position.
//! - [`Pairs`]: the second-order term.
//! - [`Weights`]: the weights of all states, unpacked stage by stage on first use.
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

/// The largest number of moves that is told apart.
const MOST_MOVES: u32 = 31;
/// The number of pairs of mobilities.
const MOBILITIES: usize = 1024;

/// The index of the mobility weight in a stage's table, by both sides' numbers of moves.
#[inline]
#[must_use]
pub fn mobility_index(own: u32, opponent: u32) -> usize {
    LAYOUT.table + (own.min(MOST_MOVES) << 5 | opponent.min(MOST_MOVES)) as usize
}

/// The length of a stage's table: the states of all families, then the mobilities.
pub const TABLE_LEN: usize = layout::TABLE + MOBILITIES;

/// A stage's entry for a state: its first-order weight and the number of its vector in [`Pairs`]. Both are needed
/// together, so they share one word. From the low end: the weight in 1/16 of a disc plus [`MIDDLE`](Self::MIDDLE) (11
/// bits), zeros, and the vector's number (16 bits).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StateEntry(u32);

impl Default for StateEntry {
    /// Weight 0, vector 0.
    fn default() -> Self {
        Self(Self::MIDDLE)
    }
}

impl StateEntry {
    const MIDDLE: u32 = 1 << 10;
    /// Weights are stored in 1/16 and used in 1/128 of a disc.
    const SCALE: i32 = 8;
    /// The largest weight, in 1/16 of a disc: the sum over a position's states fits 16 bits.
    const MOST: i16 = i16::MAX / LAYOUT.instances as i16;
    /// The shift that turns the word into the byte offset of its vector; the bits below the number are zero.
    const VECTOR_AT: u32 = 16 - pairs::WIDTH.ilog2();

    /// The entry of a weight that [fits](Self::fits), in 1/16 of a disc.
    #[inline]
    const fn new(weight: i16, vector: u16) -> Self {
        const { assert!((Self::MOST as u32) < Self::MIDDLE && 2 * Self::MIDDLE == 1 << Self::VECTOR_AT) };
        debug_assert!(Self::fits(weight));
        Self(Self::MIDDLE.wrapping_add_signed(weight as i32) | (vector as u32) << 16)
    }

    /// True if the weight, in 1/16 of a disc, does not exceed [`MOST`](Self::MOST).
    #[inline]
    const fn fits(weight: i16) -> bool {
        weight.unsigned_abs() <= Self::MOST as u16
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

    /// The sum of the weights of all states of a position, in 1/128 of a disc, from the sum of their words.
    #[inline]
    fn worth_of_all(words: u32) -> i32 {
        const MIDDLES: u16 = (LAYOUT.instances as u32 * StateEntry::MIDDLE) as u16;
        i32::from((words as u16).wrapping_sub(MIDDLES) as i16) * Self::SCALE
    }

    /// The vector of the state.
    #[inline(always)]
    fn vector_of(self, vectors: &pairs::Vectors) -> &pairs::Vector {
        let from = (self.0 >> Self::VECTOR_AT) as usize;
        vectors[from..].first_chunk().expect("there is one vector more than numbers")
    }
}

/// The table of a stage.
pub type Table = [StateEntry; TABLE_LEN];

/// The evaluation, with the built-in weights unless others are given.
#[derive(Debug)]
pub struct Patterns {
    weights: &'static Weights,
    pairs: &'static Pairs,
    /// The features of the first position and of every position since.
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
        scaled(self.fitted(position))
    }

    #[inline]
    fn estimate(&mut self, position: &Position) -> Score {
        let Some(features) = self.path.last() else { return Score::DRAW };
        let table = self.weights.stage(stage_of(position.empties()));
        let mobility = mobility_index(position.legal().count_ones(), position.opponent_legal().count_ones());
        scaled(Score::new(sum::of(table, features) + table[mobility].worth()))
    }

    #[inline(always)]
    fn evaluate_next(&mut self, before: &Position, now: &Position, opponent_legal: u64) -> Score {
        scaled(self.fitted_next(before, now, opponent_legal))
    }
}

impl Patterns {
    /// The evaluation with these weights, prepared for searches from `position`.
    pub fn on(weights: &'static Weights, position: &Position) -> Self {
        let mut path = Vec::with_capacity(128);
        path.push(Features::of(position.own(), position.opponent()));
        Self { weights, pairs: weights.pairs(), path }
    }

    /// The value of the current position before the [output scale](scaled) is applied.
    #[inline]
    #[must_use]
    pub fn fitted(&self, position: &Position) -> Score {
        let Some(features) = self.path.last() else { return Score::DRAW };
        self.worth(features, position, position.opponent_legal())
    }

    /// As [`fitted`](Self::fitted), for the position after the current one (see [`Evaluate::evaluate_next`]).
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

/// Applies the output scale: converts a fitted value to the expected final disc difference. The fit learns who wins
/// rather than by how much, so its values are too close to a draw, by a quarter at first. On 3,427 tournament positions
/// with 24 empty squares, a search of ten plies is off by 3.7 discs without this and by 2.9 with it.
#[inline]
fn scaled(fitted: Score) -> Score {
    /// The largest correction.
    const MORE: i32 = 9 * Score::POINT / 2;
    /// No score exceeds all 64 discs.
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
        for weight in [-StateEntry::MOST, -1, 0, 1, StateEntry::MOST] {
            for number in [0, 1, u16::MAX] {
                let place = StateEntry::new(weight, number);
                assert_eq!(place.worth(), i32::from(weight) * 8);
                let vector = pairs.vector(number);
                assert!(std::ptr::eq(place.vector_of(pairs.vectors()), vector), "{weight}, {number}");
            }
            let all = StateEntry::new(weight, 7).0.wrapping_mul(LAYOUT.instances as u32);
            assert_eq!(StateEntry::worth_of_all(all), i32::from(weight) * 8 * LAYOUT.instances as i32);
        }
        let beyond = [StateEntry::MOST + 1, -StateEntry::MOST - 1, i16::MIN];
        assert!(!beyond.iter().any(|&weight| StateEntry::fits(weight)));
    }

    #[test]
    fn a_stretched_worth_keeps_its_order_and_its_sign() {
        let of = |discs: i32| scaled(Score::new(discs * Score::POINT)).value();
        let all: Vec<i32> = (-59 * 128..=59 * 128).map(|fitted| scaled(Score::new(fitted)).value()).collect();
        assert!(all.windows(2).all(|two| two[0] < two[1]));
        assert!(all.iter().zip(all.iter().rev()).all(|(one, other)| *one == -other));
        assert_eq!([of(8), of(40), of(62)], [10 * 128, 89 * 64, 64 * 128]);
    }
}
