//! The network's last layers: from the sums over all cells to a correction of the score.

use super::{HIDDEN, INPUTS, POSITION_NUMBERS, WIDTH, Weights, scale};
use crate::patterns::{Class, Patterns};
use crate::rules::Color;

/// The inputs of the hidden units, in the units of [`scale::INPUT`].
pub type Inputs = [i16; INPUTS];

/// The sums of both colours' vectors, black's first.
pub type Sums = [[i32; WIDTH]; 2];

/// Limit of the learned evaluation's score as an input, in hundredths of log-odds.
const MOST_SCORE: i32 = 3_000;
/// Limit of the count of cells of a class as an input.
const MOST_CELLS: usize = 32;

/// The classes whose cells are counted as inputs.
const COUNTED: [Class; 5] = [Class::Three, Class::TwoThrees, Class::Four, Class::FourThree, Class::OpenFour];

/// Returns the inputs that describe the whole position: the learned evaluation's score for the mover, about one unit of
/// log-odds to [`scale::INPUT`], and for both sides the number of cells of each counted class, in quarters.
#[inline]
#[must_use]
pub fn position_numbers(patterns: &Patterns, mover: Color, score: i32) -> [i16; POSITION_NUMBERS] {
    const PER_CELL: i32 = scale::INPUT / 4;
    let number = |color, class| (patterns.count(color, class).min(MOST_CELLS) as i32 * PER_CELL) as i16;
    let mut numbers = [0; POSITION_NUMBERS];
    numbers[0] = (score.clamp(-MOST_SCORE, MOST_SCORE) * 5) as i16;
    for (side, color) in [mover, mover.other()].into_iter().enumerate() {
        for at in 0..COUNTED.len() {
            numbers[1 + COUNTED.len() * side + at] = number(color, COUNTED[at]);
        }
    }
    numbers
}

/// Returns the inputs from the sums of both colours' vectors, black's first, and the [`position_numbers`].
#[inline]
pub(super) fn inputs(sums: &Sums, mover: Color, numbers: [i16; POSITION_NUMBERS]) -> Inputs {
    let (own, other) = (&sums[mover.index()], &sums[mover.other().index()]);
    let mut inputs = [0; INPUTS];
    for at in 0..WIDTH {
        inputs[at] = own[at].min(i16::MAX.into()) as i16;
        inputs[WIDTH + at] = other[at].min(i16::MAX.into()) as i16;
        inputs[2 * WIDTH + at] = numbers[at];
    }
    inputs
}

/// Returns the correction in hundredths of log-odds.
#[inline]
pub(super) fn correction(weights: &Weights, inputs: &Inputs) -> i32 {
    const SHIFT: u32 = (scale::INPUT * scale::HIDDEN / scale::OUTPUT).ilog2();
    let mut units = weights.biases;
    accumulate(&mut units, weights.hidden.as_slice(), inputs);
    let mut sum = 0;
    for unit in 0..HIDDEN {
        sum += weights.outputs[unit] * (units[unit] >> SHIFT).clamp(0, i16::MAX.into());
    }
    (i64::from(sum) * 100 / i64::from(scale::OUTPUT * scale::CORRECTION)) as i32
}

/// Adds the products of inputs and weights, stored input by input, to each unit, four inputs at once. Not inlined and
/// on slices, so that it compiles to a loop over vectors of units.
#[inline(never)]
fn accumulate(units: &mut [i32], weights: &[i32], inputs: &[i16]) {
    let count = units.len();
    for (weights, inputs) in weights.chunks_exact(4 * count).zip(inputs.as_chunks::<4>().0) {
        let (a, weights) = weights.split_at(count);
        let (b, weights) = weights.split_at(count);
        let (c, d) = weights.split_at(count);
        let d = &d[..count];
        let [by_a, by_b, by_c, by_d] = inputs.map(i32::from);
        for unit in 0..count {
            units[unit] += a[unit] * by_a + b[unit] * by_b + c[unit] * by_c + d[unit] * by_d;
        }
    }
}
