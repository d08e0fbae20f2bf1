//! The portable kernel for eight positions: one after the other.

use super::{Eight, Spot, Words};
use crate::rules::{Squares, bitboard};

pub(super) fn moves(eight: &Eight) -> Words {
    Words(std::array::from_fn(|lane| bitboard::moves(eight.own.0[lane], eight.opponent.0[lane])))
}

pub(super) fn after(eight: &Eight, lanes: &[u8; 8], spots: &[Spot; 8]) -> Eight {
    let mut after = Eight::default();
    for (place, (&lane, &spot)) in lanes.iter().zip(spots).enumerate() {
        let lane = usize::from(lane & 7);
        let (own, opponent) = (eight.own.0[lane], eight.opponent.0[lane]);
        let (turned, put) = match spot {
            Spot::NOWHERE => (0, 0),
            Spot(square) => (bitboard::flips(square, own, opponent), 1 << square),
        };
        after.own.0[place] = opponent ^ turned;
        after.opponent.0[place] = own ^ turned ^ put;
    }
    after
}

pub(super) fn list(set: u64) -> [Spot; 64] {
    let mut spots = [Spot::NOWHERE; 64];
    for (spot, square) in spots.iter_mut().zip(Squares(set)) {
        *spot = Spot(square.index());
    }
    spots
}
