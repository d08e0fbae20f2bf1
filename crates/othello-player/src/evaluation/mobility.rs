//! Mobility and corners. A side with few moves is forced to make bad ones; corners are stable, and the squares next to
//! an empty corner give it away. Before the end these matter most, and many discs are a liability.

use super::Evaluate;
use crate::rules::Position;
use search_core::Score;

/// Mobility, potential mobility, corners, and the squares next to empty corners.
#[derive(Debug, Clone, Copy)]
pub struct Mobility;

/// Weights in [`Score::POINT`]s.
const MOVE: i32 = 190;
const FRONTIER: i32 = 45;
const CORNER: i32 = 1500;
const BESIDE_EMPTY_CORNER: i32 = 250;
const DIAGONAL_TO_EMPTY_CORNER: i32 = 650;
const EDGE: i32 = 100;

const CORNERS: u64 = 1 | 1 << 7 | 1 << 56 | 1 << 63;
const EDGES: u64 = 0xff81_8181_8181_81ff & !CORNERS & !around_orthogonally(CORNERS);

impl Evaluate for Mobility {
    #[inline]
    fn new(_: &Position) -> Self {
        Self
    }

    #[inline]
    fn evaluate(&mut self, position: &Position) -> Score {
        let (own, opponent, empty) = (position.own(), position.opponent(), position.empty());
        let open = empty & CORNERS;
        let count = |squares: u64| squares.count_ones() as i32;
        let difference = |squares: u64| count(own & squares) - count(opponent & squares);
        let score = MOVE * (count(position.legal()) - count(position.opponent_legal()))
            - FRONTIER * (difference(around(empty)))
            + CORNER * difference(CORNERS)
            - BESIDE_EMPTY_CORNER * difference(around_orthogonally(open))
            - DIAGONAL_TO_EMPTY_CORNER * difference(around_diagonally(open))
            + EDGE * difference(EDGES);
        Score::new(score)
    }
}

const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;

#[inline]
const fn around_orthogonally(squares: u64) -> u64 {
    squares << 8 | squares >> 8 | (squares << 1 & NOT_A) | (squares >> 1 & NOT_H)
}

#[inline]
const fn around_diagonally(squares: u64) -> u64 {
    ((squares << 9 | squares >> 7) & NOT_A) | ((squares << 7 | squares >> 9) & NOT_H)
}

#[inline]
const fn around(squares: u64) -> u64 {
    around_orthogonally(squares) | around_diagonally(squares)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_square_has_its_neighbours_and_no_others() {
        let a1 = 1;
        assert_eq!(around(a1), 1 << 1 | 1 << 8 | 1 << 9);
        let h4 = 1 << 31;
        assert_eq!(around(h4), 1 << 23 | 1 << 22 | 1 << 30 | 1 << 38 | 1 << 39);
        assert_eq!(EDGES.count_ones(), 16);
    }
}
