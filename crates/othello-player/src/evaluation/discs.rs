//! Disc difference: the score of the game, but a poor guide before its end. Beginners play by it; it is the baseline
//! for the other functions.

use super::Evaluate;
use crate::rules::Position;
use search_core::Score;

/// The mover's discs less the opponent's.
#[derive(Debug, Clone, Copy)]
pub struct Discs;

impl Evaluate for Discs {
    #[inline]
    fn new(_: &Position) -> Self {
        Self
    }

    #[inline]
    fn evaluate(&mut self, position: &Position) -> Score {
        let difference = position.own().count_ones() as i32 - position.opponent().count_ones() as i32;
        Score::new(Score::POINT * difference)
    }
}
