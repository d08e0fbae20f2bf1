//! Fits the network of `gounki::evaluation::network` by Adam, in floating point within the range of its integers.

use super::UNIT;
use super::record::Record;
use crate::records;
use anyhow::{Context, Result, ensure};
use clap::Args;
use gounki::evaluation::network::{
    BYTES, FEATURES, FULL, HIDDEN, MOST_INPUT, MOST_OUTPUT, OUTPUT_UNIT, features, mirrored,
};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::path::PathBuf;

const BATCH: usize = 1024;
const RATE: f32 = 4e-3;
/// One record in this number is held out.
const HELD_BACK: usize = 20;

/// Arguments of `network`.
#[derive(Debug, Args)]
pub struct Fit {
    /// Files of records.
    #[arg(required = true)]
    records: Vec<PathBuf>,
    /// Epochs. Records are mirrored in every second one.
    #[arg(long, default_value_t = 30)]
    epochs: usize,
    /// Weight of the game's result in the target. The search's value has the rest.
    #[arg(long, default_value_t = 0.3, value_parser = crate::numbers::share)]
    result_share: f32,
    /// Leaves out positions that the search decided.
    #[arg(long)]
    open: bool,
    /// Seed of the random choices.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Output file of weights.
    #[arg(long)]
    out: PathBuf,
}

/// A record's features and its target, from 0 to 1.
struct Sample {
    features: Vec<u16>,
    target: f32,
}

impl Fit {
    /// Fits, prints the losses of every epoch and writes the weights.
    ///
    /// # Errors
    /// If a file cannot be read or written.
    pub fn run(&self) -> Result<()> {
        let mut samples = Vec::new();
        for path in &self.records {
            let records = records::read::<Record>(path)?;
            let learned = records.iter().filter(|record| !self.open || record.value.abs() < 1.0);
            samples.extend(learned.map(|record| self.sample(record)));
        }
        ensure!(samples.len() > HELD_BACK, "only {} records", samples.len());
        let mut random = Xoshiro256PlusPlus::seed_from_u64(self.seed);
        // Games are contiguous, so the last records are held out and at most one game is in both parts.
        let held_back = samples.split_off(samples.len() - samples.len() / HELD_BACK);
        wire::print_line(format_args!(
            "{} records to learn from, {} held back",
            samples.len(),
            held_back.len()
        ))?;

        let mut net = Net::new(&mut random);
        let mut adam = Adam::default();
        let mut order: Vec<usize> = (0..samples.len()).collect();
        let steps = (self.epochs * samples.len().div_ceil(BATCH)) as f32;
        let mut step = 0.0;
        for epoch in 1..=self.epochs {
            for last in (1..order.len()).rev() {
                order.swap(last, random.random_range(0..=last));
            }
            let mut loss = 0.0;
            let mut gradient = Net::zero();
            for batch in order.chunks(BATCH) {
                for &index in batch {
                    loss += f64::from(net.learn(&samples[index], random.random(), &mut gradient));
                }
                // Cosine decay of the learning rate after a short warm-up.
                let progress: f32 = step / steps;
                let rate =
                    RATE * 0.5 * (1.0 + (progress * std::f32::consts::PI).cos()) * (step / 200.0).min(1.0);
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
        wire::file::write(&self.out, net.quantised())
            .with_context(|| format!("cannot write {}", self.out.display()))
    }

    fn sample(&self, record: &Record) -> Sample {
        let mut list = Vec::with_capacity(32);
        features(&record.position, |feature| list.push(feature as u16));
        let result = self.result_share * record.result + (1.0 - self.result_share) * record.value;
        Sample { features: list, target: (1.0 + result) / 2.0 }
    }
}

/// The network in floating point, also used for its gradient and for Adam's moments.
struct Net {
    input: Vec<[f32; HIDDEN]>,
    bias: [f32; HIDDEN],
    output: [f32; HIDDEN],
    direct: Vec<f32>,
    output_bias: f32,
}

impl Net {
    fn zero() -> Self {
        Self {
            input: vec![[0.0; HIDDEN]; FEATURES],
            bias: [0.0; HIDDEN],
            output: [0.0; HIDDEN],
            direct: vec![0.0; FEATURES],
            output_bias: 0.0,
        }
    }

    fn new(random: &mut Xoshiro256PlusPlus) -> Self {
        let mut net = Self::zero();
        let mut draw = |most: f32| most * (2.0 * random.random::<f32>() - 1.0);
        net.input.iter_mut().flatten().for_each(|weight| *weight = draw(0.2));
        net.output.iter_mut().for_each(|weight| *weight = draw(0.5));
        net.bias.fill(0.3);
        net
    }

    /// Returns the sums of the hidden units.
    fn hidden(&self, features: impl Iterator<Item = usize>) -> [f32; HIDDEN] {
        let mut hidden = self.bias;
        for feature in features {
            for (unit, weight) in hidden.iter_mut().zip(&self.input[feature]) {
                *unit += weight;
            }
        }
        hidden
    }

    /// Returns the log-odds.
    fn output(&self, hidden: &[f32; HIDDEN], features: impl Iterator<Item = usize>) -> f32 {
        let direct: f32 = features.map(|feature| self.direct[feature]).sum();
        let units =
            hidden.iter().zip(&self.output).map(|(unit, weight)| unit.clamp(0.0, 1.0).powi(2) * weight);
        self.output_bias + direct + units.sum::<f32>()
    }

    fn loss(&self, sample: &Sample) -> f32 {
        let features = || sample.features.iter().map(|&feature| usize::from(feature));
        cross_entropy(self.output(&self.hidden(features()), features()), sample.target)
    }

    /// Adds the sample's gradient to `gradient`. Returns its loss.
    fn learn(&self, sample: &Sample, mirror: bool, gradient: &mut Self) -> f32 {
        let features = || {
            sample.features.iter().map(|&feature| {
                let feature = usize::from(feature);
                if mirror { mirrored(feature) } else { feature }
            })
        };
        let hidden = self.hidden(features());
        let z = self.output(&hidden, features());
        let slope = 1.0 / (1.0 + (-z).exp()) - sample.target;
        gradient.output_bias += slope;
        let mut units = [0.0; HIDDEN];
        for index in 0..HIDDEN {
            let unit = hidden[index];
            let held = unit.clamp(0.0, 1.0);
            gradient.output[index] += slope * held * held;
            // A clipped unit still has a small gradient, so that it can recover.
            let open = if unit > 0.0 && unit < 1.0 { 2.0 * unit } else { 0.01 };
            units[index] = slope * open * self.output[index];
            gradient.bias[index] += units[index];
        }
        for feature in features() {
            gradient.direct[feature] += slope;
            for (sum, unit) in gradient.input[feature].iter_mut().zip(&units) {
                *sum += unit;
            }
        }
        cross_entropy(z, sample.target)
    }

    /// Iterates over all parameters, each with its maximum size.
    fn parameters(&mut self) -> impl Iterator<Item = (&mut [f32], f32)> {
        [
            (self.input.as_flattened_mut(), MOST_INPUT),
            (self.bias.as_mut_slice(), MOST_INPUT),
            (self.output.as_mut_slice(), MOST_OUTPUT),
            (self.direct.as_mut_slice(), MOST_OUTPUT),
            (std::slice::from_mut(&mut self.output_bias), MOST_OUTPUT),
        ]
        .into_iter()
    }

    /// Returns the bytes of `network.bin`.
    fn quantised(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(BYTES);
        let mut put = |weights: &[f32], unit: f32| {
            for weight in weights {
                bytes.extend_from_slice(&((weight * unit).round() as i16).to_le_bytes());
            }
        };
        let full = f32::from(FULL);
        put(self.input.as_flattened(), full);
        put(&self.bias, full);
        let output = UNIT * OUTPUT_UNIT as f32;
        put(&self.output, output);
        put(&self.direct, output);
        put(&[self.output_bias], output);
        let sum = wire::checksum(&bytes);
        bytes.extend_from_slice(&sum.to_le_bytes());
        assert_eq!(bytes.len(), BYTES);
        bytes
    }
}

/// Returns the cross-entropy of log-odds `z`, less the entropy of the target.
fn cross_entropy(z: f32, target: f32) -> f32 {
    let expected = (1.0 / (1.0 + (-z).exp())).clamp(1e-6, 1.0 - 1e-6);
    let part = |share: f32, expected: f32| if share > 0.0 { share * (share / expected).ln() } else { 0.0 };
    part(target, expected) + part(1.0 - target, 1.0 - expected)
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

    /// Makes one step against a batch's gradient, and resets the gradient to zero.
    fn update(&mut self, net: &mut Net, gradient: &mut Net, batch: usize, rate: f32) {
        self.steps += 1;
        let rate = rate * (1.0 - Self::SECOND.powi(self.steps)).sqrt() / (1.0 - Self::FIRST.powi(self.steps));
        let scale = 1.0 / batch as f32;
        let moments = self.first.parameters().zip(self.second.parameters());
        for (((weights, most), (slopes, _)), ((first, _), (second, _))) in
            net.parameters().zip(gradient.parameters()).zip(moments)
        {
            for (((weight, slope), first), second) in weights.iter_mut().zip(slopes).zip(first).zip(second) {
                let step = *slope * scale;
                *slope = 0.0;
                *first += (1.0 - Self::FIRST) * (step - *first);
                *second += (1.0 - Self::SECOND) * (step * step - *second);
                *weight = (*weight - rate * *first / (second.sqrt() + 1e-8)).clamp(-most, most);
            }
        }
    }
}
