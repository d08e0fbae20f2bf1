//! A linear evaluation learned from self-play: piece-square weights, and weights of counts from the other evaluations.

use super::learned_weights::{CHECKSUM, WEIGHTS};
use super::{DamagedWeights, Evaluation, breakthrough, defence_line, isolated_men};
use crate::rules::{Army, Position};

/// The number of features: nine kinds of stacks on 32 cells (left and right are symmetric), five counts, and the move.
pub const FEATURES: usize = COUNTS + 6;
const COUNTS: usize = 9 * 32;
/// The feature for having the move.
const TEMPO: usize = FEATURES - 1;

const _: () = assert!(checksum(&WEIGHTS) == CHECKSUM, "learned_weights.rs is damaged");

/// The weights, arranged for evaluation.
struct Weights {
    /// The weights of each kind of stack, by cell.
    stacks: [[i16; 64]; 9],
    /// The weights of the counts and of having the move.
    counts: [i16; FEATURES - COUNTS],
}

static LOADED: Weights = unpacked();

/// The checksum of the weights at compile time.
const CHECKED: u64 = checksum_of(&unpacked());

/// Verifies the checksum of the weights in the executable.
///
/// # Errors
/// [`DamagedWeights`].
pub(super) fn check() -> Result<(), DamagedWeights> {
    // `black_box` makes it read memory, where damage would show.
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

/// The [`wire::checksum`] of 16-bit words in little-endian order.
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

/// Calls `add` with the index and the value of each non-zero feature: the mover's less the opponent's.
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

/// The value for the mover, in hundredths of a man.
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

/// The sum of one side's piece-square weights.
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

/// The index of a cell among the 32 of the left half.
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

/// Counts attackers with an open road, defenders in front of the others, held files, open files and isolated men.
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
        assert!(error.contains("endommagé") && error.contains(&format!("{CHECKED:016x}")), "{error}");
    }
}
