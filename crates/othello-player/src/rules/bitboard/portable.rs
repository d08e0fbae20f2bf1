//! The kernels in plain words, and why they are right.
//!
//! **Legal moves**: an opponent's disc encloses when an own disc stands at the other end of the run that it ends. Runs
//! of one, two and three discs are found side by side, each from the own discs at its distance; then three more discs
//! lengthen each at once, for a line holds six between two others. It is the occluded fill by parallel prefix, with
//! steps of one, two, three and three again, so that the first three wait for nothing but the discs.
//! Source: Kogge & Stone 1973, "A Parallel Algorithm for the Efficient Solution of a General Class of Recurrence
//! Equations", for the method.
//!
//! **Turned discs**: on a ray towards higher bits let `ends` be the squares that are not the opponent's. Of them
//! `ends - 1` lacks the lowest alone, and has every square below it: the lowest is what `ends & !(ends - 1)` leaves, and
//! the opponent's discs before it are `ray & !ends & (ends - 1)`. They are turned if that lowest square has an own disc;
//! where there is no such square, nothing is left to have one. On the board upside down, whose word has its bytes in the
//! opposite order, the three rays towards higher rows are rays towards higher bits, too. The ray to the left stays one
//! towards lower bits: there the highest of `ends` comes first, and the zeros that lead a word say where it is; it is an own disc if
//! `ends & own`, read as a number, is more than all the squares below it.
//! Source: A. Peshkov and G. Isenberg 2007, "Hyperbola quintessence", for the board upside down.

use super::{LEFT, LINES, RAYS};

/// The empty squares on which the owner of `own` may put a disc.
#[inline]
pub(super) fn moves(own: u64, opponent: u64) -> u64 {
    let mut reached = 0;
    for (shift, mask) in LINES {
        let middle = opponent & mask;
        let (twice, thrice) = (2 * shift, 3 * shift);

        let two = middle & middle << shift;
        let three = two & middle << twice;
        let short = middle & own << shift | two & own << twice | three & own << thrice;
        let up = short | three & short << thrice;

        let (two, three) = (two >> shift, three >> twice);
        let short = middle & own >> shift | two & own >> twice | three & own >> thrice;
        let down = short | three & short >> thrice;

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
    let below = enclosed(&rays.down_upside_down, own.swap_bytes(), opponent.swap_bytes());
    enclosed(&rays.up, own, opponent) | below.swap_bytes() | enclosed_leftwards(square, own, opponent)
}

/// The opponent's discs on rays towards higher bits, before an own disc that comes first of what is not the opponent's.
#[inline]
fn enclosed(rays: &[u64; 4], own: u64, opponent: u64) -> u64 {
    rays.iter().fold(0, |enclosed, ray| {
        let ends = ray & !opponent;
        let less = ends.wrapping_sub(1);
        let is_closed = ends & !less & own != 0;
        enclosed | ray & !ends & less & u64::from(is_closed).wrapping_neg()
    })
}

/// The same along the row towards lower bits.
#[inline]
pub(super) fn enclosed_leftwards(square: u8, own: u64, opponent: u64) -> u64 {
    let ray = LEFT[usize::from(square & 63)];
    let ends = ray & !opponent;
    // No end: 64 zeros, a shift by none, and a condition that does not hold.
    let up_to_it = u64::MAX >> (ends.leading_zeros() & 63);
    let is_closed = ends & own > up_to_it >> 1;
    ray & !up_to_it & u64::from(is_closed).wrapping_neg()
}
