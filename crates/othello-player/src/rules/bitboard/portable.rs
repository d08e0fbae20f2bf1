//! The portable kernels on plain words, with the proofs of their methods.
//!
//! **Legal moves**: an own disc encloses a run of opponent's discs from one end, and the empty square at the other end
//! is a legal move. Runs of one, two and three discs are found independently, each from the own discs at its distance.
//! Then each is lengthened by three more discs at once, because a line holds at most six between two others. This is
//! the occluded fill by parallel prefix, with steps of one, two, three and three again, so that the first three steps
//! depend only on the discs.
//! Source: Kogge & Stone 1973, "A Parallel Algorithm for the Efficient Solution of a General Class of Recurrence
//! Equations", for the method.
//!
//! **Flipped discs**: on a ray towards higher bits, let `ends` be the squares without an opponent's disc. `ends - 1`
//! clears the lowest bit of `ends` and sets every bit below it. So the lowest end is `ends & !(ends - 1)`, and the
//! opponent's discs before it are `ray & !ends & (ends - 1)`. They are flipped if the lowest end has an own disc; if
//! there is no end, none does. On the vertically flipped board (bytes reversed), the three rays towards lower rows also
//! point to higher bits. The ray to the left points to lower bits: there the highest of `ends` comes first, and the
//! number of leading zeros locates it. It is an own disc if `ends & own`, as a number, is greater than the set of all
//! squares below it.
//! Source: A. Peshkov and G. Isenberg 2007, "Hyperbola quintessence", for the board upside down.

use super::{LEFT, LINES, RAYS};

/// The empty squares where the owner of `own` may play.
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

/// The legal [`moves`] of both sides.
#[inline]
pub(super) fn moves_of_both(own: u64, opponent: u64) -> (u64, u64) {
    (super::moves(own, opponent), super::moves(opponent, own))
}

/// The opponent's discs that a disc of `own` on the empty `square` flips; none if the move is illegal.
#[inline]
pub(super) fn flips(square: u8, own: u64, opponent: u64) -> u64 {
    let rays = &RAYS[usize::from(square & 63)];
    let below = enclosed(&rays.down_upside_down, own.swap_bytes(), opponent.swap_bytes());
    enclosed(&rays.up, own, opponent) | below.swap_bytes() | enclosed_leftwards(square, own, opponent)
}

/// The opponent's discs on rays towards higher bits, up to the first other square, if that square has an own disc.
#[inline]
fn enclosed(rays: &[u64; 4], own: u64, opponent: u64) -> u64 {
    rays.iter().fold(0, |enclosed, ray| {
        let ends = ray & !opponent;
        let less = ends.wrapping_sub(1);
        let is_closed = ends & !less & own != 0;
        enclosed | ray & !ends & less & u64::from(is_closed).wrapping_neg()
    })
}

/// As [`enclosed`], along the row towards lower bits.
#[inline]
pub(super) fn enclosed_leftwards(square: u8, own: u64, opponent: u64) -> u64 {
    let ray = LEFT[usize::from(square & 63)];
    let ends = ray & !opponent;
    // Without an end there are 64 leading zeros, the shift is 0, and the condition is false.
    let up_to_it = u64::MAX >> (ends.leading_zeros() & 63);
    let is_closed = ends & own > up_to_it >> 1;
    ray & !up_to_it & u64::from(is_closed).wrapping_neg()
}
