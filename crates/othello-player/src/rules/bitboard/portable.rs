//! The kernels in plain words, and why they are right.
//!
//! **Legal moves**: an opponent's disc encloses when an own disc stands at the other end of the run that it ends. Runs
//! of one, two and three discs are found side by side, each from the own discs at its distance; then three more discs
//! lengthen each at once, for a line holds six between two others. It is the occluded fill by parallel prefix, with
//! steps of one, two, three and three again, so that the first three wait for nothing but the discs.
//! Source: Kogge & Stone 1973, "A Parallel Algorithm for the Efficient Solution of a General Class of Recurrence
//! Equations", for the method.
//!
//! **Turned discs**: on a ray let `a` be the own discs and `e` the empty squares. They share no square, so of two such
//! sets, read as numbers, the larger is the one with the higher highest square. On a ray towards lower bits the square
//! next to the played one is the highest: the first disc or empty square that is not the opponent's is an own disc
//! exactly if `a > e`, which no empty `a` meets; all squares of the ray above the highest one of `a` are then the
//! opponent's, neither own nor empty, and they are what is turned. On a ray towards higher bits the squares before the
//! lowest of `a` are those of `!a & (a - 1)`: they are turned if `a` is not empty and none of them is in `e`.

use super::{LINES, RAYS};

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
    let empty = !(own | opponent);
    let if_so = |condition: bool| u64::from(condition).wrapping_neg();
    let mut turned = 0;
    for &ray in &rays.up {
        let closing = ray & own;
        let before = ray & !closing & closing.wrapping_sub(1);
        turned |= before & if_so(closing != 0) & if_so(before & empty == 0);
    }
    for &ray in &rays.down {
        let closing = ray & own;
        // No disc: 64 zeros, a shift by none, and a condition that does not hold.
        let up_to_it = u64::MAX >> (closing.leading_zeros() & 63);
        turned |= ray & !up_to_it & if_so(closing > ray & empty);
    }
    turned
}
