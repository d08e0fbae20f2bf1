//! A small neural network. Its inputs are the nine kinds of stacks on each cell for each side; it has 128 hidden units
//! and one output, to which each input also contributes directly.
//!
//! A hidden unit is the sum of its inputs' weights, clamped to 0 … 1 and squared. All arithmetic is on integers.
//!
//! Source: Y. Nasu, "Efficiently updatable neural-network-based evaluation functions for computer shogi", 2018.

use super::{DamagedWeights, Evaluation};
use crate::rules::{Army, Position};
use network::Units;
use network::file::{self, Damaged, SEAL};
use std::sync::LazyLock;

/// The number of hidden units.
pub const HIDDEN: usize = 128;
/// The number of inputs: nine kinds of stacks on 64 cells, for the mover and for the opponent.
pub const FEATURES: usize = 2 * SIDE;
const SIDE: usize = 9 * 64;

/// The fixed-point value of 1 in a hidden unit: the largest whose square fits 16 bits.
pub const FULL: i16 = 181;
/// The number of low bits dropped from a unit's square, so that the sum over all units fits 32 bits.
const SPARED: u32 = 5;
/// The largest square after that shift.
#[cfg(test)]
const HELD: i16 = (FULL * FULL) >> SPARED;
/// The fixed-point scale of output weights.
pub const OUTPUT_UNIT: i32 = 16;
/// The largest input weight: the sum over a game's 32 stacks and the bias then fits 16 bits.
pub const MOST_INPUT: f32 = 5.0;
/// The largest output weight, in log-odds.
pub const MOST_OUTPUT: f32 = 5.0;

/// The size of a weights file in bytes: input weights by feature, hidden biases, output weights, a direct weight for
/// each feature, and the output bias, 16 bits each; and the checksum.
pub const BYTES: usize = 2 * (FEATURES * HIDDEN + 2 * HIDDEN + FEATURES + 1) + SEAL;

struct Network {
    input: Box<[Units<HIDDEN>; FEATURES]>,
    bias: Units<HIDDEN>,
    output: Units<HIDDEN>,
    direct: [i16; FEATURES],
    output_bias: i16,
}

/// The built-in weights.
static EMBEDDED: &[u8; BYTES] = include_bytes!("network.bin");

static NETWORK: LazyLock<Network> = LazyLock::new(|| unpacked(EMBEDDED).expect("the weights were checked"));

/// Verifies the checksum of the built-in weights.
///
/// # Errors
/// [`DamagedWeights`].
pub(super) fn check() -> Result<(), DamagedWeights> {
    // `black_box` makes it read memory, where damage would show.
    check_bytes(std::hint::black_box(EMBEDDED))
}

fn check_bytes(bytes: &[u8; BYTES]) -> Result<(), DamagedWeights> {
    match file::opened(bytes) {
        Ok(_) => Ok(()),
        Err(Damaged { found, stored }) => DamagedWeights::check(Evaluation::Network, found, stored),
    }
}

fn unpacked(bytes: &[u8; BYTES]) -> Result<Network, Damaged> {
    let mut numbers = file::opened(bytes)?;
    Ok(Network {
        input: numbers.features(),
        bias: Units(numbers.words()),
        output: Units(numbers.words()),
        direct: numbers.words(),
        output_bias: numbers.word(),
    })
}

/// The kind, from 0 to 8, of each stack by its bits of squares and rounds; impossible stacks have the last kind.
const KINDS: [u8; 16] = {
    let mut kinds = [8; 16];
    let mut code = 1;
    while code < 10 {
        // The numbers of squares and rounds, in the order of the configuration's codes.
        let (squares, rounds) =
            [(1, 0), (0, 1), (2, 0), (0, 2), (3, 0), (0, 3), (1, 1), (2, 1), (1, 2)][code - 1];
        kinds[squares | rounds << 2] = code as u8 - 1;
        code += 1;
    }
    kinds
};

/// Calls `add` with each active input of a position.
#[inline]
pub fn features(position: &Position, mut add: impl FnMut(usize)) {
    for (army, side) in [(position.own(), 0), (position.enemy(), SIDE)] {
        let Army { squares: [s0, s1], rounds: [r0, r1] } = *army;
        let mut cells = army.occupied();
        while cells != 0 {
            let cell = cells.trailing_zeros() as usize;
            cells &= cells - 1;
            let bit = |plane: u64| (plane >> cell & 1) as usize;
            let stack = bit(s0) | bit(s1) << 1 | bit(r0) << 2 | bit(r1) << 3;
            add(side + 64 * usize::from(KINDS[stack]) + cell);
        }
    }
}

/// The input that corresponds to `feature` on the board with left and right exchanged.
#[must_use]
pub const fn mirrored(feature: usize) -> usize {
    feature ^ 7
}

/// The value for the mover, in hundredths of a man.
#[inline]
pub(super) fn of(position: &Position) -> i32 {
    let network = &*NETWORK;
    let mut units = network.bias;
    let mut sum = i32::from(network.output_bias);
    features(position, |feature| {
        // A configuration may have more men than a game, so the sum saturates.
        units.add_saturating(&network.input[feature]);
        sum += i32::from(network.direct[feature]);
    });
    let hidden = units.output(&network.output, |unit| {
        let held = unit.clamp(0, FULL);
        (held * held) >> SPARED
    });
    (sum + (hidden >> (15 - SPARED))) / OUTPUT_UNIT
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damage_anywhere_in_the_weights_shows() {
        assert_eq!(check(), Ok(()));
        for place in [0, BYTES / 2, BYTES - SEAL - 1, BYTES - 1] {
            let mut damaged = *EMBEDDED;
            damaged[place] ^= 1;
            let error = check_bytes(&damaged).unwrap_err().to_string();
            assert!(error.contains("de l'évaluation « reseau »"), "{error}");
        }
    }

    #[test]
    fn no_sum_of_weights_leaves_its_integer() {
        let network = &*NETWORK;
        let most = (FULL as f32 * MOST_INPUT).round() as i16;
        let within = |units: &Units<HIDDEN>| units.0.iter().all(|weight| weight.abs() <= most);
        assert!(network.input.iter().all(within) && within(&network.bias));
        // At most 32 men stand on 32 cells, and there is the bias.
        assert!(33 * i32::from(most) <= i32::from(i16::MAX));
        let outputs: i64 = network.output.0.iter().map(|&weight| i64::from(weight).abs()).sum();
        assert!(outputs * i64::from(HELD) <= i64::from(i32::MAX));
    }

    #[test]
    fn a_stack_is_one_feature_of_its_kind_cell_and_side() {
        let mut seen = Vec::new();
        features(&Position::initial(), |feature| seen.push(feature));
        assert_eq!(seen.len(), 32);
        // White has a square on a1 and a round on b1; Black has the same on a8 and b8.
        for feature in [0, 64 + 1, SIDE + 64 + 56, SIDE + 57] {
            assert!(seen.contains(&feature), "{feature}");
        }
        assert!(seen.iter().all(|&feature| mirrored(mirrored(feature)) == feature));
    }
}
