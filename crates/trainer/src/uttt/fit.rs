//! Fits the network of `uttt::evaluation::network` by Adam, in floating point within the range of its integers.

use super::record::Record;
use crate::descent::{self, Conditions, Model};
use crate::records;
use anyhow::Result;
use network::file;
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use uttt::evaluation::network::{
    BYTES, FEATURES, Features, HIDDEN, MOST_INPUT, MOST_OUTPUT, OUTPUT_UNIT, Perspective, UNIT,
};

const RATE: f32 = 2e-3;

/// A record's features and its target.
struct Sample {
    features: Vec<u16>,
    target: f32,
}

pub fn run(paths: &[PathBuf], epochs: usize, result_share: f32, seed: u64, out: &Path) -> Result<()> {
    let mut samples = Vec::new();
    for path in paths {
        samples.extend(records::read(path)?.iter().map(|record| sample(record, result_share)));
    }
    descent::fit(samples, &Conditions { rate: RATE, epochs, seed, out }, Net::new)
}

fn sample(record: &Record, result_share: f32) -> Sample {
    let mut features = Features::new();
    features.of_cells(&record.state, Perspective::of(record.state.mover()));
    features.push_forced(record.state.forced());
    let target = result_share * record.result + (1.0 - result_share) * record.value;
    Sample { features: features.entering().to_vec(), target }
}

static TURNS: LazyLock<[[u16; FEATURES]; 8]> = LazyLock::new(turns);

/// Returns the eight symmetries of the board, as permutations of the features. The large board and its small boards
/// turn together, because a move's cell selects the next board.
fn turns() -> [[u16; FEATURES]; 8] {
    std::array::from_fn(|turn| {
        let at = |place: usize| {
            let (mut row, mut column) = (place / 3, place % 3);
            if turn & 1 == 1 {
                (row, column) = (column, row);
            }
            if turn & 2 == 2 {
                row = 2 - row;
            }
            if turn & 4 == 4 {
                column = 2 - column;
            }
            3 * row + column
        };
        std::array::from_fn(|feature| {
            let turned = match feature {
                0..324 => feature / 81 * 81 + 9 * at(feature % 81 / 9) + at(feature % 9),
                324..360 => 324 + (feature - 324) / 9 * 9 + at((feature - 324) % 9),
                _ => feature,
            };
            turned as u16
        })
    })
}

/// The network in floating point.
struct Net {
    input: Vec<[f32; HIDDEN]>,
    bias: [f32; HIDDEN],
    output: [f32; HIDDEN],
    output_bias: f32,
}

impl Net {
    fn new(random: &mut Xoshiro256PlusPlus) -> Self {
        let mut net = Self::zero();
        let mut draw = |most: f32| most * (2.0 * random.random::<f32>() - 1.0);
        net.input.iter_mut().flatten().for_each(|weight| *weight = draw(0.15));
        net.output.iter_mut().for_each(|weight| *weight = draw(0.2));
        net.bias.fill(0.25);
        net
    }

    /// Returns the sums of the hidden units.
    fn hidden(&self, features: impl Iterator<Item = u16>) -> [f32; HIDDEN] {
        let mut hidden = self.bias;
        for feature in features {
            for (unit, weight) in hidden.iter_mut().zip(&self.input[usize::from(feature)]) {
                *unit += weight;
            }
        }
        hidden
    }

    fn output(&self, hidden: &[f32; HIDDEN]) -> f32 {
        // Sixteen partial sums, so that the compiler can use vector instructions.
        let mut sums = [0.0; 16];
        for (units, weights) in hidden.chunks_exact(16).zip(self.output.chunks_exact(16)) {
            for ((sum, unit), weight) in sums.iter_mut().zip(units).zip(weights) {
                *sum += unit.clamp(0.0, 1.0) * weight;
            }
        }
        self.output_bias + sums.iter().sum::<f32>()
    }
}

impl Model for Net {
    type Sample = Sample;

    fn zero() -> Self {
        Self {
            input: vec![[0.0; HIDDEN]; FEATURES],
            bias: [0.0; HIDDEN],
            output: [0.0; HIDDEN],
            output_bias: 0.0,
        }
    }

    fn loss(&self, sample: &Sample) -> f32 {
        let z = self.output(&self.hidden(sample.features.iter().copied()));
        (z / (1.0 + z * z).sqrt() - sample.target).powi(2)
    }

    fn learn(&self, sample: &Sample, random: &mut Xoshiro256PlusPlus, gradient: &mut Self) -> f32 {
        let turn = &TURNS[random.random_range(0..8)];
        let features = || sample.features.iter().map(|&feature| turn[usize::from(feature)]);
        let hidden = self.hidden(features());
        let z = self.output(&hidden);
        let root = (1.0 + z * z).sqrt();
        let error = z / root - sample.target;
        let slope = 2.0 * error / (root * root * root);
        gradient.output_bias += slope;
        let mut units = [0.0; HIDDEN];
        for index in 0..HIDDEN {
            let unit = hidden[index];
            gradient.output[index] += slope * unit.clamp(0.0, 1.0);
            // A clipped unit still has a small gradient, so that it can recover.
            let open = if unit > 0.0 && unit < 1.0 { 1.0 } else { 0.01 };
            units[index] = slope * open * self.output[index];
            gradient.bias[index] += units[index];
        }
        for feature in features() {
            for (sum, unit) in gradient.input[usize::from(feature)].iter_mut().zip(&units) {
                *sum += unit;
            }
        }
        error * error
    }

    fn parameters(&mut self) -> Vec<(&mut [f32], f32)> {
        vec![
            (self.input.as_flattened_mut(), MOST_INPUT),
            (self.bias.as_mut_slice(), MOST_INPUT),
            (self.output.as_mut_slice(), MOST_OUTPUT),
            (std::slice::from_mut(&mut self.output_bias), 100.0),
        ]
    }

    fn quantised(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(BYTES);
        file::put(&mut bytes, self.input.as_flattened(), f32::from(UNIT));
        file::put(&mut bytes, &self.bias, f32::from(UNIT));
        file::put(&mut bytes, &self.output, OUTPUT_UNIT as f32);
        let bias = (self.output_bias * f32::from(UNIT) * OUTPUT_UNIT as f32).round() as i32;
        bytes.extend_from_slice(&bias.to_le_bytes());
        file::sealed(bytes)
    }
}
