//! A small network beside the learned evaluation, which it corrects.
//!
//! Every free cell has a vector for each colour: the sum of what the classes of its four lines ([`LineClasses`]) choose
//! from a table, clipped to be neither negative nor too large. The vectors of all free cells are added up, for the mover
//! and for the other side, and with what the learned evaluation makes of the position they go through one layer of hidden
//! units to a correction of its score. A cell's own vectors tell how likely a move there is. All numbers are integers, so
//! that every processor computes the same.
//!
//! Sources: lines as indices of a table of vectors and sums that follow the moves: W. Jin, H. Duan, H. Hang, "Rapfi:
//! Distilling Efficient Neural Network for the Game of Gomoku", 2025; sums that are updated by differences, two views of
//! a position and clipped activations in integers: Y. Nasu, "Efficiently Updatable Neural-Network-based Evaluation
//! Functions for Computer Shogi", 2018.
//!
//! `network.bin` holds the table (a signed byte a number), then 16-bit little-endian numbers: the hidden units' weights,
//! unit by unit; the weights of their outputs; and what each number of a cell adds to a move's score; then 32 bits each:
//! the hidden units' biases.

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
use std::sync::OnceLock;

/// Numbers of a cell's vector for one colour.
pub const WIDTH: usize = 16;
/// Numbers that the position as a whole adds to the sums of both colours: see [`position_numbers`].
pub const POSITION_NUMBERS: usize = 16;
/// Inputs of a hidden unit.
pub const INPUTS: usize = 2 * WIDTH + POSITION_NUMBERS;
/// Hidden units.
pub const HIDDEN: usize = 32;

/// What a one is, in the units of each part.
pub mod scale {
    /// Of the table, and of a cell's vector.
    pub const VECTOR: i32 = 32;
    /// Of the hidden units' inputs.
    pub const INPUT: i32 = 512;
    /// Of the hidden units' weights.
    pub const HIDDEN: i32 = 512;
    /// Of the hidden units' outputs.
    pub const OUTPUT: i32 = 1024;
    /// Of the weights of these.
    pub const CORRECTION: i32 = 256;
    /// Of the weights of a move's score.
    pub const MOVE_SCORE: i32 = 256;
}

/// The largest number of a cell's vector.
pub const MOST: i16 = 127;
/// The largest weight of a hidden unit and of its output: what keeps all sums within 32 bits.
pub const MOST_WEIGHT: i16 = 1023;

/// The built-in weights, and their checksum.
const BUILT_IN: (&[u8], u64) = (include_bytes!("network.bin"), 0x0427_b9fb_f253_60b6);

/// The length of `network.bin`.
pub const BYTES: usize = CLASSES * WIDTH + 2 * (HIDDEN * INPUTS + HIDDEN + 2 * WIDTH) + 4 * HIDDEN;

/// Sixteen numbers of a cell for black, and sixteen for white.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(align(32))]
struct Row([i8; 2 * WIDTH]);

/// The weights in the form in which they are used.
#[derive(Debug)]
pub struct Weights {
    /// What each class of line adds to a cell.
    rows: Box<[Row]>,
    /// Input by input.
    hidden: Box<[i32; INPUTS * HIDDEN]>,
    outputs: [i32; HIDDEN],
    /// For black's moves and for white's.
    move_score: [[i16; 2 * WIDTH]; 2],
    biases: [i32; HIDDEN],
}

impl Weights {
    /// The built-in weights, put in order when they are first asked for.
    #[must_use]
    pub fn built_in() -> &'static Self {
        static WEIGHTS: OnceLock<Weights> = OnceLock::new();
        WEIGHTS.get_or_init(|| Self::read(BUILT_IN.0).expect("a test reads the weights"))
    }

    /// The weights in these bytes; `None` unless there are [`BYTES`] of them.
    #[must_use]
    pub fn read(bytes: &[u8]) -> Option<Self> {
        if bytes.len() != BYTES {
            return None;
        }
        let (table, rest) = bytes.split_at(CLASSES * WIDTH);
        let (words, biases) = rest.split_at(rest.len() - 4 * HIDDEN);
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
        let (words, _) = words.as_chunks::<2>();
        let word = |at: usize| i16::from_le_bytes(words[at]);
        let mut hidden = Box::new([0; INPUTS * HIDDEN]);
        let mut outputs = [0; HIDDEN];
        let mut move_score = [[0; 2 * WIDTH]; 2];
        for unit in 0..HIDDEN {
            for input in 0..INPUTS {
                hidden[input * HIDDEN + unit] = word(unit * INPUTS + input).into();
            }
            outputs[unit] = word(HIDDEN * INPUTS + unit).into();
        }
        for at in 0..2 * WIDTH {
            move_score[0][at] = word(HIDDEN * INPUTS + HIDDEN + at);
            move_score[1][(at + WIDTH) % (2 * WIDTH)] = move_score[0][at];
        }
        let mut units = [0; HIDDEN];
        for (bias, &bytes) in units.iter_mut().zip(biases.as_chunks::<4>().0) {
            *bias = i32::from_le_bytes(bytes);
        }
        Some(Self { rows: rows.into_boxed_slice(), hidden, outputs, move_score, biases: units })
    }

    #[inline]
    fn row(&self, class: u16) -> &Row {
        &self.rows[usize::from(class)]
    }
}

/// The executable carries the weights that were built into it.
///
/// # Errors
/// A damaged executable.
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
