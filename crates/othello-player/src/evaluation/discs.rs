//! Disc difference: what the game is scored by, and a poor guide until its end. It is what a beginner plays by, and the
//! baseline for the others.

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
