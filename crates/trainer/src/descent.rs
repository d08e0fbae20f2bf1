//! The fit of a game's `evaluation::network` by Adam, in floating point within the range of its integers.

use crate::adam::Adam;
use anyhow::{Context, Result, ensure};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::path::Path;
use wire::Progress;

/// Samples a batch.
const BATCH: usize = 1024;
/// One record in this number is held out.
const HELD_BACK: usize = 20;

/// A network in floating point, also used for its gradient.
pub trait Model {
    /// A record's features and its target.
    type Sample;

    /// Returns a model whose weights are zero.
    fn zero() -> Self;

    /// Returns all parameters, each part with its maximum size.
    fn parameters(&mut self) -> Vec<(&mut [f32], f32)>;

    /// Returns the loss of a sample.
    fn loss(&self, sample: &Self::Sample) -> f32;

    /// Adds the gradient of a sample, in a random one of its symmetries. Returns its loss.
    fn learn(&self, sample: &Self::Sample, random: &mut Xoshiro256PlusPlus, gradient: &mut Self) -> f32;

    /// Returns the bytes of `network.bin`.
    fn quantised(&self) -> Vec<u8>;
}

/// The conditions of a fit.
#[derive(Debug, Clone, Copy)]
pub struct Conditions<'a> {
    /// The largest learning rate.
    pub rate: f32,
    /// The number of times that each sample is seen.
    pub epochs: usize,
    /// The seed of the random choices.
    pub seed: u64,
    /// The file of weights.
    pub out: &'a Path,
}

/// Fits a model, prints the losses of every epoch and writes the weights. `begin` draws the first weights.
///
/// # Errors
/// If there are too few samples, or the file cannot be written.
pub fn fit<M: Model>(
    mut samples: Vec<M::Sample>,
    conditions: &Conditions<'_>,
    begin: impl FnOnce(&mut Xoshiro256PlusPlus) -> M,
) -> Result<()> {
    let Conditions { rate, epochs, seed, out } = *conditions;
    ensure!(samples.len() > HELD_BACK, "only {} records", samples.len());
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    // Games are contiguous, so the last records are held out and at most one game is in both parts.
    let held_back = samples.split_off(samples.len() - samples.len() / HELD_BACK);
    let mut progress = Progress::default();
    progress.line(format_args!("{} records to learn from, {} held back", samples.len(), held_back.len()));

    let mut model = begin(&mut random);
    let mut gradient = M::zero();
    let mut adam = Adam::new(gradient.parameters().iter().map(|(part, _)| part.len()).sum());
    let mut order: Vec<usize> = (0..samples.len()).collect();
    let steps = (epochs * samples.len().div_ceil(BATCH)) as f32;
    let mut step = 0.0;
    for epoch in 1..=epochs {
        shuffle(&mut order, &mut random);
        let mut loss = 0.0;
        for batch in order.chunks(BATCH) {
            gradient.parameters().into_iter().for_each(|(part, _)| part.fill(0.0));
            for &index in batch {
                loss += f64::from(model.learn(&samples[index], &mut random, &mut gradient));
            }
            // Cosine decay of the learning rate after a short warm-up.
            let progress: f32 = step / steps;
            let rate = rate * 0.5 * (1.0 + (progress * std::f32::consts::PI).cos()) * (step / 200.0).min(1.0);
            let parts = model.parameters().into_iter().zip(gradient.parameters());
            adam.update(
                parts.map(|((weights, _), (gradients, _))| (weights, &*gradients)),
                batch.len(),
                rate,
            );
            for (weights, most) in model.parameters() {
                weights.iter_mut().for_each(|weight| *weight = weight.clamp(-most, most));
            }
            step += 1.0;
        }
        let held: f64 = held_back.iter().map(|sample| f64::from(model.loss(sample))).sum();
        progress.line(format_args!(
            "epoch {epoch}: loss {:.5}, held back {:.5}",
            loss / samples.len() as f64,
            held / held_back.len() as f64
        ));
    }
    for (part, _) in model.parameters() {
        crate::numbers::check_finite(&*part)?;
    }
    wire::file::write(out, model.quantised()).with_context(|| format!("cannot write {}", out.display()))?;
    Ok(progress.end()?)
}

/// Puts items in a random order.
pub fn shuffle<T>(items: &mut [T], random: &mut Xoshiro256PlusPlus) {
    for last in (1..items.len()).rev() {
        items.swap(last, random.random_range(0..=last));
    }
}
