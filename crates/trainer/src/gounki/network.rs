//! Fits the network of `gounki::evaluation::network` by Adam, in floating point within the range of its integers.

use super::UNIT;
use super::record::Record;
use crate::descent::{self, Conditions, Model};
use crate::records;
use anyhow::Result;
use clap::Args;
use gounki::evaluation::network::{
    BYTES, FEATURES, FULL, HIDDEN, MOST_INPUT, MOST_OUTPUT, OUTPUT_UNIT, features, mirrored,
};
use network::file;
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::path::PathBuf;

const RATE: f32 = 4e-3;

/// Arguments of `network`.
#[derive(Debug, Args)]
pub struct Fit {
    /// Files of records.
    #[arg(required = true)]
    records: Vec<PathBuf>,
    /// Epochs. Records are mirrored in every second one.
    #[arg(long, default_value_t = 30, value_parser = crate::numbers::count::<usize>())]
    epochs: usize,
    /// Weight of the game's result in the target. The search's value has the rest.
    #[arg(long, default_value_t = 0.3, value_parser = crate::numbers::share)]
    result_share: f32,
    /// Leaves out positions that the search decided.
    #[arg(long)]
    open: bool,
    /// Seed of the random choices.
    #[arg(long, default_value_t = 1, value_parser = crate::numbers::number::<u64>())]
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
        let conditions = Conditions { rate: RATE, epochs: self.epochs, seed: self.seed, out: &self.out };
        descent::fit(samples, &conditions, Net::new)
    }

    fn sample(&self, record: &Record) -> Sample {
        let mut list = Vec::with_capacity(32);
        features(&record.position, |feature| list.push(feature as u16));
        let result = self.result_share * record.result + (1.0 - self.result_share) * record.value;
        Sample { features: list, target: (1.0 + result) / 2.0 }
    }
}

/// The network in floating point.
struct Net {
    input: Vec<[f32; HIDDEN]>,
    bias: [f32; HIDDEN],
    output: [f32; HIDDEN],
    direct: Vec<f32>,
    output_bias: f32,
}

impl Net {
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
}

impl Model for Net {
    type Sample = Sample;

    fn zero() -> Self {
        Self {
            input: vec![[0.0; HIDDEN]; FEATURES],
            bias: [0.0; HIDDEN],
            output: [0.0; HIDDEN],
            direct: vec![0.0; FEATURES],
            output_bias: 0.0,
        }
    }

    fn loss(&self, sample: &Sample) -> f32 {
        let features = || sample.features.iter().map(|&feature| usize::from(feature));
        cross_entropy(self.output(&self.hidden(features()), features()), sample.target)
    }

    fn learn(&self, sample: &Sample, random: &mut Xoshiro256PlusPlus, gradient: &mut Self) -> f32 {
        let mirror = random.random::<bool>();
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

    fn parameters(&mut self) -> Vec<(&mut [f32], f32)> {
        vec![
            (self.input.as_flattened_mut(), MOST_INPUT),
            (self.bias.as_mut_slice(), MOST_INPUT),
            (self.output.as_mut_slice(), MOST_OUTPUT),
            (self.direct.as_mut_slice(), MOST_OUTPUT),
            (std::slice::from_mut(&mut self.output_bias), MOST_OUTPUT),
        ]
    }

    fn quantised(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(BYTES);
        let full = f32::from(FULL);
        file::put(&mut bytes, self.input.as_flattened(), full);
        file::put(&mut bytes, &self.bias, full);
        let output = UNIT * OUTPUT_UNIT as f32;
        file::put(&mut bytes, &self.output, output);
        file::put(&mut bytes, &self.direct, output);
        file::put(&mut bytes, &[self.output_bias], output);
        file::sealed(bytes)
    }
}

/// Returns the cross-entropy of log-odds `z`, less the entropy of the target.
fn cross_entropy(z: f32, target: f32) -> f32 {
    let expected = (1.0 / (1.0 + (-z).exp())).clamp(1e-6, 1.0 - 1e-6);
    let part = |share: f32, expected: f32| if share > 0.0 { share * (share / expected).ln() } else { 0.0 };
    part(target, expected) + part(1.0 - target, 1.0 - expected)
}
