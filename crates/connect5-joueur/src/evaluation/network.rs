//! A small neural network that corrects the learned evaluation.
//!
//! Every free cell has a vector for each colour: the sum of the table rows of its four line classes ([`LineClasses`]),
//! clipped below at zero and above. The vectors of all free cells are added up for the mover and for the opponent. One
//! hidden layer maps these sums and [`position_numbers`] to a correction of the score. A cell's own vectors give its
//! move score. All arithmetic is in integers, so every processor gives the same result.
//!
//! Sources: line classes as indices of a table of vectors, with incremental sums: W. Jin, H. Duan, H. Hang, "Rapfi:
//! Distilling Efficient Neural Network for the Game of Gomoku", 2025. Sums updated by differences, two perspectives and
//! clipped integer activations: Y. Nasu, "Efficiently Updatable Neural-Network-based Evaluation Functions for Computer
//! Shogi", 2018.
//!
//! `network.bin` holds the table as signed bytes; then, as 16-bit little-endian numbers, the hidden weights unit by
//! unit, the output weights, and the move-score weights of a cell's vector; then the hidden biases in 32 bits each.

#![expect(
    clippy::needless_range_loop,
    reason = "loops over the same places of several arrays become vector instructions"
)]

mod head;
mod lines;
mod sums;
mod values;

pub use head::position_numbers;
pub use lines::{CLASSES, EMPTY_CLASSES, LineClasses};
pub use sums::Network;

use super::DamagedWeights;
use network::file::Numbers;
use std::sync::OnceLock;

/// Length of a cell's vector for one colour.
pub const WIDTH: usize = 16;
/// Number of inputs that describe the whole position: see [`position_numbers`].
pub const POSITION_NUMBERS: usize = 16;
/// Number of inputs of a hidden unit.
pub const INPUTS: usize = 2 * WIDTH + POSITION_NUMBERS;
/// Number of hidden units.
pub const HIDDEN: usize = 32;

/// Fixed-point scales: the integer that stands for 1.0 in each part.
pub mod scale {
    /// Scale of the table and the cells' vectors.
    pub const VECTOR: i32 = 32;
    /// Scale of the inputs of the hidden units.
    pub const INPUT: i32 = 512;
    /// Scale of the weights of the hidden units.
    pub const HIDDEN: i32 = 512;
    /// Scale of the outputs of the hidden units.
    pub const OUTPUT: i32 = 1024;
    /// Scale of the weights of the output.
    pub const CORRECTION: i32 = 256;
    /// Scale of the weights of a move's score.
    pub const MOVE_SCORE: i32 = 256;
}

/// Maximum of a number in a cell's vector.
pub const MOST: i16 = 127;
/// Maximum of a hidden or output weight, which keeps all sums within 32 bits.
pub const MOST_WEIGHT: i16 = 1023;

/// The built-in weights, and their checksum.
const BUILT_IN: (&[u8], u64) = (include_bytes!("network.bin"), 0xb5a9_ba2f_fb06_89cf);

/// The length of `network.bin`.
pub const BYTES: usize = CLASSES * WIDTH + 2 * (HIDDEN * INPUTS + HIDDEN + 2 * WIDTH) + 4 * HIDDEN;

/// A table row: a cell's vector for black, then for white.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(align(32))]
struct Row([i8; 2 * WIDTH]);

/// The weights, laid out for use.
#[derive(Debug)]
pub struct Weights {
    /// The table row of each line class.
    rows: Box<[Row]>,
    /// The hidden weights, input by input.
    hidden: Box<[i32; INPUTS * HIDDEN]>,
    outputs: [i32; HIDDEN],
    /// The move-score weights for black's moves and for white's.
    move_score: [[i16; 2 * WIDTH]; 2],
    biases: [i32; HIDDEN],
}

impl Weights {
    /// Returns the built-in weights, laid out on first use.
    #[must_use]
    pub fn built_in() -> &'static Self {
        static WEIGHTS: OnceLock<Weights> = OnceLock::new();
        WEIGHTS.get_or_init(|| Self::read(BUILT_IN.0).expect("a test reads the weights"))
    }

    /// Reads weights. Returns `None` unless `bytes` has length [`BYTES`].
    #[must_use]
    pub fn read(bytes: &[u8]) -> Option<Self> {
        if bytes.len() != BYTES {
            return None;
        }
        let (table, rest) = bytes.split_at(CLASSES * WIDTH);
        let classes = LineClasses::get();
        let mut rows = vec![Row([0; 2 * WIDTH]); CLASSES];
        let (vectors, _) = table.as_chunks::<WIDTH>();
        for (class, row) in rows.iter_mut().enumerate() {
            let sides = [class, usize::from(classes.exchanged(class as u16))];
            for at in 0..WIDTH {
                row.0[at] = vectors[sides[0]][at].cast_signed();
                row.0[WIDTH + at] = vectors[sides[1]][at].cast_signed();
            }
        }
        let mut numbers = Numbers::new(rest);
        let mut hidden = Box::new([0; INPUTS * HIDDEN]);
        for unit in 0..HIDDEN {
            for input in 0..INPUTS {
                hidden[input * HIDDEN + unit] = numbers.word().into();
            }
        }
        let outputs = numbers.words().map(i32::from);
        let of_black: [i16; 2 * WIDTH] = numbers.words();
        let of_white = std::array::from_fn(|at| of_black[(at + WIDTH) % (2 * WIDTH)]);
        let biases = std::array::from_fn(|_| numbers.long());
        let move_score = [of_black, of_white];
        Some(Self { rows: rows.into_boxed_slice(), hidden, outputs, move_score, biases })
    }

    #[inline]
    fn row(&self, class: u16) -> &Row {
        &self.rows[usize::from(class)]
    }
}

/// Checks that the built-in weights are intact.
///
/// # Errors
/// If the executable is damaged.
pub fn check() -> Result<(), DamagedWeights> {
    let (bytes, expected) = std::hint::black_box(BUILT_IN);
    DamagedWeights::compare("network", bytes, expected)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weights_are_those_that_were_built_in() {
        assert_eq!(check(), Ok(()));
        assert!(Weights::read(BUILT_IN.0).is_some());
        assert!(Weights::read(&BUILT_IN.0[1..]).is_none());
    }
}
