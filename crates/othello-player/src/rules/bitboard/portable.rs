//! The kernels in plain words.

use super::{LINES, RAYS};

/// The empty squares on which the owner of `own` may put a disc.
#[inline]
pub(super) fn moves(own: u64, opponent: u64) -> u64 {
    let mut reached = 0;
    for (shift, mask) in LINES {
        // Runs of opponent's discs that begin beside an own disc, grown by one, then twice by two: at most six.
        let middle = opponent & mask;
        let mut up = middle & own << shift;
        let mut down = middle & own >> shift;
        up |= middle & up << shift;
        down |= middle & down >> shift;
        let pairs_up = middle & middle << shift;
        let pairs_down = pairs_up >> shift;
        up |= pairs_up & up << (2 * shift);
        down |= pairs_down & down >> (2 * shift);
        up |= pairs_up & up << (2 * shift);
        down |= pairs_down & down >> (2 * shift);
        reached |= up << shift | down >> shift;
    }
    reached & !(own | opponent)
}

/// [`moves`] of both sides.
#[inline]
pub(super) fn moves_of_both(own: u64, opponent: u64) -> (u64, u64) {
    (super::moves(own, opponent), super::moves(opponent, own))
}

/// The opponent's discs that a disc of `own` on the empty `square` turns; none where it may not be put.
#[inline]
pub(super) fn flips(square: u8, own: u64, opponent: u64) -> u64 {
    let rays = &RAYS[usize::from(square & 63)];
    let mut turned = 0;
    for &ray in &rays.up {
        // A carry set off at the bottom runs through everything that is not on the ray, then through the opponent's
        // discs, and stops on the first square of the ray that holds none.
        let stop = (opponent | !ray).wrapping_add(1) & ray & own;
        turned |= stop.wrapping_sub(u64::from(stop != 0)) & ray;
    }
    for &ray in &rays.down {
        // The highest square of the ray that holds no opponent's disc. No such square: zero, whose shift is masked.
        let free = ray & !opponent;
        let stop = (1 << 63 >> (free.leading_zeros() & 63)) & own & free;
        turned |= (stop << 1).wrapping_neg() & ray & u64::from(stop != 0).wrapping_neg();
    }
    turned
}
