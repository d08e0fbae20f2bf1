//! *Valeur de l'armée*: stacks are worth more than their men alone, mixed stacks of three the most.

use crate::rules::Army;

/// A man alone is worth 100.
const SQUARE: i32 = 100;
const ROUND: i32 = 100;
/// The value of a stack beside its men: double square, double round, triple square, triple round, square and round, two
/// squares and a round, a square and two rounds.
const DOUBLE_SQUARE: i32 = 15;
const DOUBLE_ROUND: i32 = 15;
const TRIPLE_SQUARE: i32 = 15;
const TRIPLE_ROUND: i32 = 15;
const MIXED_PAIR: i32 = 25;
const SQUARES_AND_ROUND: i32 = 45;
const SQUARE_AND_ROUNDS: i32 = 45;

/// The army's value.
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
