//! *Valeur de l'armée*: the material value. A stack is worth more than its men alone, and a mixed stack of three the
//! most.

use crate::rules::Army;

/// The value of a single man; a square is worth 100.
const SQUARE: i32 = 100;
const ROUND: i32 = 100;
/// The bonuses of stacks, in the order: two squares, two rounds, three squares, three rounds, a square and a round, two
/// squares and a round, a square and two rounds.
const DOUBLE_SQUARE: i32 = 15;
const DOUBLE_ROUND: i32 = 15;
const TRIPLE_SQUARE: i32 = 15;
const TRIPLE_ROUND: i32 = 15;
const MIXED_PAIR: i32 = 25;
const SQUARES_AND_ROUND: i32 = 45;
const SQUARE_AND_ROUNDS: i32 = 45;

/// The material value of `own`.
#[inline]
pub(super) fn of(own: &Army, _: &Army) -> i32 {
    let Army { squares: [s0, s1], rounds: [r0, r1] } = *own;
    let count = |cells: u64| cells.count_ones() as i32;
    let squares = count(s0) + 2 * count(s1);
    let rounds = count(r0) + 2 * count(r1);
    let rounded = r0 | r1;
    let squared = s0 | s1;
    SQUARE * squares
        + ROUND * rounds
        + DOUBLE_SQUARE * count(s1 & !s0 & !rounded)
        + DOUBLE_ROUND * count(r1 & !r0 & !squared)
        + TRIPLE_SQUARE * count(s1 & s0)
        + TRIPLE_ROUND * count(r1 & r0)
        + MIXED_PAIR * count(s0 & r0)
        + SQUARES_AND_ROUND * count(s1 & r0)
        + SQUARE_AND_ROUNDS * count(s0 & r1)
}
