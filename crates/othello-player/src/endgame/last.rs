//! The last four squares, unrolled: no move generation, and no order but parity.
//!
//! Source: parity of regions is the Othello programmers' common stock; G. Andersson, "Writing an Othello program" (web
//! page). A function a number of empty squares: T. Okuhara, documentation of Edax-AVX; R. Delorme, Edax.

use crate::rules::bitboard::{flips, last_flips};

/// The largest number of empty squares solved here.
pub(super) const SQUARES: u32 = 4;

/// Tests whether the value is greater than `alpha`, with at most [`SQUARES`] empty squares.
#[inline]
pub(super) fn null_window(own: u64, opponent: u64, alpha: i32) -> i32 {
    let empty = !(own | opponent);
    let mut squares = [0_u8; 4];
    let mut count = 0;
    // Squares of odd quadrants come first.
    let odd = super::odd_regions(empty);
    for mut part in [empty & odd, empty & !odd] {
        while part != 0 {
            squares[count & 3] = part.trailing_zeros() as u8;
            part &= part - 1;
            count += 1;
        }
    }
    match count {
        4 => four(own, opponent, alpha, squares, false),
        3 => three(own, opponent, alpha, [squares[0], squares[1], squares[2]], false),
        2 => two(own, opponent, alpha, [squares[0], squares[1]], false),
        1 => one(own, squares[0]),
        _ => own.count_ones() as i32 - opponent.count_ones() as i32,
    }
}

/// The final difference if neither side can take the last `empty` squares.
fn over(own: u64, opponent: u64, empty: i32) -> i32 {
    let difference = own.count_ones() as i32 - opponent.count_ones() as i32;
    difference + difference.signum() * empty
}

#[inline]
fn one(own: u64, square: u8) -> i32 {
    // The mover has `own`, and the opponent the rest of 63 discs.
    let difference = 2 * own.count_ones() as i32 - 63;
    let turned = last_flips(square, own) as i32;
    if turned != 0 {
        return difference + 2 * turned + 1;
    }
    let turned = last_flips(square, !own & !(1 << square)) as i32;
    if turned != 0 {
        return difference - 2 * turned - 1;
    }
    difference + difference.signum()
}

#[inline]
fn two(own: u64, opponent: u64, alpha: i32, squares: [u8; 2], passed: bool) -> i32 {
    let [a, b] = squares;
    let mut best = i32::MIN;
    for (square, other) in [(a, b), (b, a)] {
        let turned = flips(square, own, opponent);
        if turned != 0 {
            best = best.max(-one(opponent ^ turned, other));
            if best > alpha {
                return best;
            }
        }
    }
    if best != i32::MIN {
        best
    } else if passed {
        over(own, opponent, 2)
    } else {
        -two(opponent, own, -alpha - 1, squares, true)
    }
}

#[inline]
fn three(own: u64, opponent: u64, alpha: i32, squares: [u8; 3], passed: bool) -> i32 {
    let [a, b, c] = squares;
    let mut best = i32::MIN;
    for (square, others) in [(a, [b, c]), (b, [a, c]), (c, [a, b])] {
        let turned = flips(square, own, opponent);
        if turned != 0 {
            best = best.max(-two(opponent ^ turned, own ^ turned ^ 1 << square, -alpha - 1, others, false));
            if best > alpha {
                return best;
            }
        }
    }
    if best != i32::MIN {
        best
    } else if passed {
        over(own, opponent, 3)
    } else {
        -three(opponent, own, -alpha - 1, squares, true)
    }
}

/// Orders three squares: if two share a quadrant, the third comes first.
#[inline]
fn odd_first([a, b, c]: [u8; 3]) -> [u8; 3] {
    let apart = |one: u8, other: u8| (one ^ other) & 0b10_0100;
    if apart(a, b) == 0 {
        [c, a, b]
    } else if apart(a, c) == 0 {
        [b, a, c]
    } else {
        [a, b, c]
    }
}

fn four(own: u64, opponent: u64, alpha: i32, squares: [u8; 4], passed: bool) -> i32 {
    let [a, b, c, d] = squares;
    let mut best = i32::MIN;
    for (square, others) in [(a, [b, c, d]), (b, [a, c, d]), (c, [a, b, d]), (d, [a, b, c])] {
        let turned = flips(square, own, opponent);
        if turned != 0 {
            let others = odd_first(others);
            best = best.max(-three(opponent ^ turned, own ^ turned ^ 1 << square, -alpha - 1, others, false));
            if best > alpha {
                return best;
            }
        }
    }
    if best != i32::MIN {
        best
    } else if passed {
        over(own, opponent, 4)
    } else {
        -four(opponent, own, -alpha - 1, squares, true)
    }
}
