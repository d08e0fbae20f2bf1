//! Learned from self-play: what each kind of stack is worth on each cell, and a few counts of the other evaluations.

use super::learned_weights::{CHECKSUM, WEIGHTS};
use super::{DamagedWeights, Evaluation, breakthrough, defence_line, isolated_men};
use crate::rules::{Army, Position};

/// Nine kinds of stacks on 32 cells (the board is the same from left and right), then the counts, then the move itself.
pub const FEATURES: usize = COUNTS + 6;
const COUNTS: usize = 9 * 32;
/// To have the move is worth this.
const TEMPO: usize = FEATURES - 1;

const _: () = assert!(checksum(&WEIGHTS) == CHECKSUM, "learned_weights.rs is damaged");

/// The weights as the evaluation reads them.
struct Weights {
    /// Of the stacks, one for every cell.
    stacks: [[i16; 64]; 9],
    /// Of the counts, and of the move itself.
    counts: [i16; FEATURES - COUNTS],
}

static LOADED: Weights = unpacked();

/// The checksum of what is loaded.
const CHECKED: u64 = checksum_of(&unpacked());

/// The executable carries the weights that were built into it.
///
/// # Errors
/// A damaged executable.
pub(super) fn check() -> Result<(), DamagedWeights> {
    // Read from memory, as a damaged executable has them.
    check_weights(std::hint::black_box(&LOADED))
}

fn check_weights(weights: &Weights) -> Result<(), DamagedWeights> {
    DamagedWeights::check(Evaluation::Learned, checksum_of(weights), CHECKED)
}

const fn unpacked() -> Weights {
    let mut weights = Weights { stacks: [[0; 64]; 9], counts: [0; FEATURES - COUNTS] };
    let mut index = 0;
    while index < 9 * 64 {
        weights.stacks[index / 64][index % 64] = WEIGHTS[32 * (index / 64) + folded(index % 64)];
        index += 1;
    }
    index = COUNTS;
    while index < FEATURES {
        weights.counts[index - COUNTS] = WEIGHTS[index];
        index += 1;
    }
    weights
}

/// [`wire::checksum`] of words of 16 bits, little-endian.
#[must_use]
pub const fn checksum<const N: usize>(words: &[i16; N]) -> u64 {
    let mut bytes = [[0; 2]; N];
    let mut index = 0;
    while index < N {
        bytes[index] = words[index].to_le_bytes();
        index += 1;
    }
    wire::checksum(bytes.as_flattened())
}

const fn checksum_of(weights: &Weights) -> u64 {
    let mut words = [0; 9 * 64 + FEATURES - COUNTS];
    let (stacks, counts) = words.split_at_mut(9 * 64);
    stacks.copy_from_slice(weights.stacks.as_flattened());
    counts.copy_from_slice(&weights.counts);
    checksum(&words)
}

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
    let mut value = i32::from(LOADED.counts[TEMPO - COUNTS]) + stacks(own) - stacks(&enemy_back);
    let [ours, theirs] = [counts(own, enemy), counts(&enemy_back, &own_back)];
    for (index, (our, their)) in ours.into_iter().zip(theirs).enumerate() {
        value += i32::from(LOADED.counts[index]) * (our - their);
    }
    value
}

/// The value of one side's stacks where they stand.
#[inline]
fn stacks(army: &Army) -> i32 {
    let mut value = 0;
    for (kind, cells) in kinds(army).into_iter().enumerate() {
        let mut cells = cells;
        while cells != 0 {
            value += i32::from(LOADED.stacks[kind][cells.trailing_zeros() as usize]);
            cells &= cells - 1;
        }
    }
    value
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damage_anywhere_in_the_weights_shows() {
        assert_eq!(check(), Ok(()));
        for (kind, cell) in [(0, 0), (4, 31), (8, 63)] {
            let mut damaged = unpacked();
            damaged.stacks[kind][cell] ^= 1;
            assert!(check_weights(&damaged).is_err());
        }
        let mut damaged = unpacked();
        damaged.counts[FEATURES - COUNTS - 1] ^= 0x100;
        let error = check_weights(&damaged).unwrap_err().to_string();
        assert!(error.contains("abîmés") && error.contains(&format!("{CHECKED:016x}")), "{error}");
    }
}
