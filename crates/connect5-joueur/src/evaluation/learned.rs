//! Weights fitted to the results of self-play games.
//!
//! `learned.bin` holds, for every set of four shapes in the order of [`shape_sets`]: a cell's value for the side to
//! move and for the other side, and two move scores, for the own gain and for the denial of the opponent's. Then follow
//! the value of the turn, the value of each threat set, and the move scores for nearness to the last two moves. All are
//! 16-bit little-endian numbers in hundredths of log-odds.
//!
//! Source: values and move scores (own gain and denial) indexed by the set of four line shapes are an idea of Rapfi's
//! classical evaluation.

use super::DamagedWeights;
use crate::patterns::{SHAPE_SETS, Shape, THREATS, Weights, shape_sets};
use crate::rules::RELATIONS;

/// The built-in weights, and their [`checksum`](wire::checksum).
const BUILT_IN: (&[u8], u64) = (include_bytes!("learned.bin"), 0x5f36_f499_94d7_d037);

/// The number of weights in `learned.bin`.
pub const NUMBERS: usize = 4 * SHAPE_SETS + 1 + THREATS + 2 * RELATIONS;

/// Checks that the built-in weights are intact.
///
/// # Errors
/// If the executable is damaged.
pub fn check() -> Result<(), DamagedWeights> {
    // Read from memory, so that a damaged executable is noticed.
    let (bytes, expected) = std::hint::black_box(BUILT_IN);
    DamagedWeights::compare("learned", bytes, expected)
}

/// Returns the index of a set of four shapes, in any order, in [`shape_sets`].
#[must_use]
pub fn set_number(mut shapes: [Shape; 4]) -> usize {
    shapes.sort_unstable_by(|a, b| b.cmp(a));
    let [a, b, c, d] = shapes.map(|shape| shape as usize);
    (a + 3) * (a + 2) * (a + 1) * a / 24 + (b + 2) * (b + 1) * b / 6 + (c + 1) * c / 2 + d
}

pub(super) fn weights() -> Weights {
    let mut numbers = BUILT_IN.0.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]]));
    let mut next = || numbers.next().expect("a test reads the weights");
    let values: Vec<[i16; 4]> = shape_sets().map(|_| std::array::from_fn(|_| next())).collect();
    let tempo = next();
    let threats = std::array::from_fn(|_| next());
    let near = std::array::from_fn(|_| std::array::from_fn(|_| next()));
    let value = |shapes| {
        let [moving, waiting, ..] = values[set_number(shapes)];
        [moving, waiting]
    };
    let move_score = |shapes| {
        let [.., own, other] = values[set_number(shapes)];
        [own, other]
    };
    Weights::new(value, tempo.into()).with_threats(threats).with_move_score(move_score, near)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weights_are_as_many_as_the_shape_sets() {
        let sets: Vec<_> = shape_sets().collect();
        assert_eq!(sets.len(), SHAPE_SETS);
        assert_eq!(BUILT_IN.0.len(), NUMBERS * 2);
        assert!(sets.windows(2).all(|pair| pair[0] < pair[1]), "in order, each once");
        assert!(sets.iter().enumerate().all(|(number, &shapes)| set_number(shapes) == number));
        assert!(sets.iter().all(|&[a, b, c, d]| set_number([c, a, d, b]) == set_number([a, b, c, d])));
        weights();
    }

    #[test]
    fn the_weights_are_those_that_were_built_in() {
        assert_eq!(check(), Ok(()));
    }
}
