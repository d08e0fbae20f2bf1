//! Learned from self-play: what each kind of stack is worth on each cell, and a few counts of the other evaluations.

use super::learned_weights::WEIGHTS;
use super::{breakthrough, defence_line, isolated_men};
use crate::rules::{Army, Position};

/// Nine kinds of stacks on 32 cells (the board is the same from left and right), then the counts, then the move itself.
pub const FEATURES: usize = COUNTS + 6;
const COUNTS: usize = 9 * 32;
/// To have the move is worth this.
const TEMPO: usize = FEATURES - 1;

/// Calls `add` with each feature of a position that is not zero: its index and its value, the mover's less the
/// opponent's.
pub fn features(position: &Position, mut add: impl FnMut(usize, i32)) {
    let (own, enemy) = (position.own(), position.enemy());
    let [own_back, enemy_back] = [own.reversed(), enemy.reversed()];
    for (army, sign) in [(own, 1), (&enemy_back, -1)] {
        for (kind, cells) in kinds(army).into_iter().enumerate() {
            let mut cells = cells;
            while cells != 0 {
                add(32 * kind + folded(cells.trailing_zeros() as usize), sign);
                cells &= cells - 1;
            }
        }
    }
    let [ours, theirs] = [counts(own, enemy), counts(&enemy_back, &own_back)];
    for (index, (our, their)) in ours.into_iter().zip(theirs).enumerate() {
        if our != their {
            add(COUNTS + index, our - their);
        }
    }
    add(TEMPO, 1);
}

/// The value.
#[inline]
pub(super) fn of(position: &Position) -> i32 {
    let (own, enemy) = (position.own(), position.enemy());
    let [own_back, enemy_back] = [own.reversed(), enemy.reversed()];
    let mut value = i32::from(WEIGHTS[TEMPO]) + stacks(own) - stacks(&enemy_back);
    let [ours, theirs] = [counts(own, enemy), counts(&enemy_back, &own_back)];
    for (index, (our, their)) in ours.into_iter().zip(theirs).enumerate() {
        value += i32::from(WEIGHTS[COUNTS + index]) * (our - their);
    }
    value
}

/// What the stacks of one side are worth where they stand.
#[inline]
fn stacks(army: &Army) -> i32 {
    let mut value = 0;
    for (kind, cells) in kinds(army).into_iter().enumerate() {
        let mut cells = cells;
        while cells != 0 {
            value += i32::from(TABLE[kind][cells.trailing_zeros() as usize]);
            cells &= cells - 1;
        }
    }
    value
}

/// The weights of the stacks, one for every cell.
static TABLE: [[i16; 64]; 9] = {
    let mut table = [[0; 64]; 9];
    let mut index = 0;
    while index < 9 * 64 {
        table[index / 64][index % 64] = WEIGHTS[32 * (index / 64) + folded(index % 64)];
        index += 1;
    }
    table
};

/// A cell's number among the 32 of the left half.
#[inline]
const fn folded(cell: usize) -> usize {
    let file = cell % 8;
    4 * (cell / 8) + if file < 4 { file } else { 7 - file }
}

/// The cells of each kind of stack, in the order of the configuration's codes.
#[inline]
fn kinds(army: &Army) -> [u64; 9] {
    let Army { squares: [s0, s1], rounds: [r0, r1] } = *army;
    let (squared, rounded) = (s0 | s1, r0 | r1);
    [
        s0 & !s1 & !rounded,
        r0 & !r1 & !squared,
        s1 & !s0 & !rounded,
        r1 & !r0 & !squared,
        s0 & s1,
        r0 & r1,
        s0 & r0,
        s1 & r0,
        s0 & r1,
    ]
}

/// Attackers with an open road, defenders before the others, files held, files open, isolated men.
#[inline]
fn counts(own: &Army, enemy: &Army) -> [i32; 5] {
    let [open_roads, defenders] = breakthrough::attackers(own, enemy);
    let [held, open, _] = defence_line::files(own);
    [open_roads, defenders, held, open, isolated_men::count(own)]
}
