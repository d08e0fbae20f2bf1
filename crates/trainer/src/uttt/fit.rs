//! Fits the network of `uttt::evaluation::network` by Adam, in floating point within the range of its integers.

use super::record::Record;
use crate::records;
use anyhow::{Context, Result, ensure};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::path::{Path, PathBuf};
use uttt::evaluation::network::{
    BYTES, FEATURES, Features, HIDDEN, MOST_INPUT, MOST_OUTPUT, OUTPUT_UNIT, Perspective, UNIT,
};
use wire::checksum;

const BATCH: usize = 1024;
const RATE: f32 = 2e-3;
/// One record in this number is held out.
const HELD_BACK: usize = 20;

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
    ensure!(samples.len() > HELD_BACK, "only {} records", samples.len());
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    // Games are contiguous, so the last records are held out and at most one game is in both parts.
    let held_back = samples.split_off(samples.len() - samples.len() / HELD_BACK);
    wire::print_line(format_args!("{} records to learn from, {} held back", samples.len(), held_back.len()))?;

    let turns = turns();
    let mut net = Net::new(&mut random);
    let mut adam = Adam::default();
    let mut order: Vec<usize> = (0..samples.len()).collect();
    let steps = (epochs * samples.len().div_ceil(BATCH)) as f32;
    let mut step = 0.0;
    for epoch in 1..=epochs {
        for last in (1..order.len()).rev() {
            order.swap(last, random.random_range(0..=last));
        }
        let mut loss = 0.0;
        for batch in order.chunks(BATCH) {
            let mut gradient = Net::zero();
            for &index in batch {
                let turn = &turns[random.random_range(0..8)];
                loss += f64::from(net.learn(&samples[index], turn, &mut gradient));
            }
            // Cosine decay of the learning rate after a short warm-up.
            let progress: f32 = step / steps;
            let rate = RATE * 0.5 * (1.0 + (progress * std::f32::consts::PI).cos()) * (step / 200.0).min(1.0);
            adam.update(&mut net, &mut gradient, batch.len(), rate);
            step += 1.0;
        }
        let held: f64 = held_back.iter().map(|sample| f64::from(net.loss(sample))).sum();
        wire::print_line(format_args!(
            "epoch {epoch}: loss {:.5}, held back {:.5}",
            loss / samples.len() as f64,
            held / held_back.len() as f64
        ))?;
    }
    wire::file::write(out, net.quantised()).with_context(|| format!("cannot write {}", out.display()))
}

fn sample(record: &Record, result_share: f32) -> Sample {
    let mut features = Features::new();
    features.of_cells(&record.state, Perspective::of(record.state.mover()));
    features.push_forced(record.state.forced());
    let target = result_share * record.result + (1.0 - result_share) * record.value;
    Sample { features: features.entering().to_vec(), target }
}

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

/// The network in floating point, also used for its gradient and for Adam's moments.
struct Net {
    input: Vec<[f32; HIDDEN]>,
    bias: [f32; HIDDEN],
    output: [f32; HIDDEN],
    output_bias: f32,
}

impl Net {
    fn zero() -> Self {
        Self {
            input: vec![[0.0; HIDDEN]; FEATURES],
            bias: [0.0; HIDDEN],
            output: [0.0; HIDDEN],
            output_bias: 0.0,
        }
    }

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

    fn loss(&self, sample: &Sample) -> f32 {
        let z = self.output(&self.hidden(sample.features.iter().copied()));
        (z / (1.0 + z * z).sqrt() - sample.target).powi(2)
    }

    /// Adds the sample's gradient to `gradient`. Returns its loss.
    fn learn(&self, sample: &Sample, turn: &[u16; FEATURES], gradient: &mut Self) -> f32 {
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

    /// Iterates over all parameters, each with its maximum size.
    fn parameters(&mut self) -> impl Iterator<Item = (&mut [f32], f32)> {
        self.input
            .iter_mut()
            .map(|weights| (weights.as_mut_slice(), MOST_INPUT))
            .chain([(self.bias.as_mut_slice(), MOST_INPUT), (self.output.as_mut_slice(), MOST_OUTPUT)])
            .chain([(std::slice::from_mut(&mut self.output_bias), 100.0)])
    }

    /// Returns the bytes that `Network::from_bytes` reads.
    fn quantised(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(BYTES);
        let mut put = |weights: &[f32], unit: f32| {
            for weight in weights {
                bytes.extend_from_slice(&((weight * unit).round() as i16).to_le_bytes());
            }
        };
        self.input.iter().for_each(|weights| put(weights, f32::from(UNIT)));
        put(&self.bias, f32::from(UNIT));
        put(&self.output, OUTPUT_UNIT as f32);
        let bias = (self.output_bias * f32::from(UNIT) * OUTPUT_UNIT as f32).round() as i32;
        bytes.extend_from_slice(&bias.to_le_bytes());
        let sum = checksum(&bytes);
        bytes.extend_from_slice(&sum.to_le_bytes());
        assert_eq!(bytes.len(), BYTES);
        bytes
    }
}

/// The moments of Adam.
struct Adam {
    first: Net,
    second: Net,
    steps: i32,
}

impl Default for Adam {
    fn default() -> Self {
        Self { first: Net::zero(), second: Net::zero(), steps: 0 }
    }
}

impl Adam {
    const FIRST: f32 = 0.9;
    const SECOND: f32 = 0.999;

    fn update(&mut self, net: &mut Net, gradient: &mut Net, batch: usize, rate: f32) {
        self.steps += 1;
        let rate = rate * (1.0 - Self::SECOND.powi(self.steps)).sqrt() / (1.0 - Self::FIRST.powi(self.steps));
        let scale = 1.0 / batch as f32;
        let moments = self.first.parameters().zip(self.second.parameters());
        for (((weights, most), (slopes, _)), ((first, _), (second, _))) in
            net.parameters().zip(gradient.parameters()).zip(moments)
        {
            for (((weight, slope), first), second) in weights.iter_mut().zip(slopes).zip(first).zip(second) {
                let slope = *slope * scale;
                *first += (1.0 - Self::FIRST) * (slope - *first);
                *second += (1.0 - Self::SECOND) * (slope * slope - *second);
                *weight = (*weight - rate * *first / (second.sqrt() + 1e-8)).clamp(-most, most);
            }
        }
    }
}
