use super::{Spot, Worth, bits};
use crate::board::{Board, FAR};

/// What was taken, and the best of the mussels left, halved every sixteen turns of its walk.
pub fn estimate(board: &Board, worth: &Worth, spot: &Spot, turn: usize) -> i64 {
    let ahead = bits(spot.left & board.mussels).map(|item| {
        match usize::from(board.distance(spot.cell, item, usize::from(spot.frites))) {
            far if far == usize::from(FAR) => 0,
            distance => worth.of(item, turn + distance) * 16 / (16 + distance as i64),
        }
    });
    i64::from(spot.gain) + ahead.max().unwrap_or(0)
}
