//! The learned evaluation: what 54 patterns and both sides' mobility are worth, added up, by stage of the game, and what
//! every two patterns are worth together.
//!
//! - [`layout`]: which cells each pattern reads.
//! - [`Features`]: the state of every pattern, kept up to date by turned disc.
//! - [`sum`]: what all states of a position are worth, added up.
//! - [`Pairs`]: what every two of them are worth together.
//! - [`Weights`]: the worth of every state, unpacked stage by stage when it is first asked for.

mod features;
pub mod layout;
pub mod pairs;
mod sum;
mod weights;

pub use features::Features;
pub use pairs::Pairs;
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
pub fn mobility_index(own: u32, opponent: u32) -> usize {
    LAYOUT.table + (own.min(MOST_MOVES) << 5 | opponent.min(MOST_MOVES)) as usize
}

/// The length of a stage's table: all states of all families, then the mobilities.
pub const TABLE_LEN: usize = layout::TABLE + MOBILITIES;

/// A stage's table in 1/128 of a disc, and two zeros behind it: the first for lanes that are not in use, the second because
/// a vector reads two words at once.
pub type Table = [i16; TABLE_LEN + 2];

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
        let Some(features) = self.path.last() else { return Score::DRAW };
        self.worth(features, position, position.opponent_legal())
    }

    #[inline(always)]
    fn evaluate_next(&mut self, before: &Position, now: &Position, opponent_legal: u64) -> Score {
        let Some(last) = self.path.last() else { return Score::DRAW };
        self.worth(&last.played(before, now), now, opponent_legal)
    }
}

impl Patterns {
    /// The evaluation on these weights, ready for searches from this position.
    pub fn on(weights: &'static Weights, position: &Position) -> Self {
        let mut path = Vec::with_capacity(128);
        path.push(Features::of(position.own(), position.opponent()));
        Self { weights, pairs: weights.pairs(), path }
    }

    #[inline(always)]
    fn worth(&self, features: &Features, position: &Position, opponent_legal: u64) -> Score {
        /// Nobody has more than all 64 discs.
        const MOST: i32 = 64 * Score::POINT;
        let empties = position.empties();
        let table = self.weights.stage(stage_of(empties));
        let mobility = mobility_index(position.legal().count_ones(), opponent_legal.count_ones());
        let one_by_one = sum::of(table, features) + i32::from(table[mobility]);
        Score::new((one_by_one + self.pairs.worth(features, empties)).clamp(-MOST, MOST))
    }
}
