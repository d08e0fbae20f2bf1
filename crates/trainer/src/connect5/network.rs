//! Fits the network of connect5-joueur to self-play games.

mod examples;
mod model;

use super::games::Game;
use crate::adam::Adam;
use crate::descent::shuffle;
use anyhow::Result;
use examples::Example;
use model::{Loss, Model};
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;
use std::f32::consts::PI;

/// Positions a batch.
const BATCH: usize = 1024;
/// Parts of a batch computed in parallel. Their number is fixed, so that the sums do not depend on the number of
/// threads.
const PARTS: usize = 4;
/// Number of games whose positions are shuffled together.
const MIXED: usize = 1_000;
/// One game in this number is held out.
const HELD_OUT: usize = 20;

/// Returns true for a held-out game, by its index in the fit's input.
pub const fn is_held_out(number: usize) -> bool {
    number.is_multiple_of(HELD_OUT)
}

/// The first and the last learning rate.
const RATES: [f32; 2] = [2e-3, 2e-5];

/// Fits the network and returns it in the player's format. Reports progress to `inform`. Starts `from` weights in that
/// format at half the learning rate, or from random weights.
///
/// # Errors
/// If `from` is not a valid network.
pub fn fit(
    games: &[Game],
    from: Option<&[u8]>,
    epochs: usize,
    seed: u64,
    inform: &mut dyn FnMut(String),
) -> Result<Vec<u8>> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let (held_out, mut fitting): (Vec<_>, Vec<_>) =
        games.iter().enumerate().partition(|&(number, _)| is_held_out(number));
    let (model, first_rate) = match from {
        None => (Model::random(&mut random), RATES[0]),
        Some(bytes) => (Model::of_bytes(bytes)?, RATES[0] / 2.0),
    };
    let mut learner = Learner::new(model);
    if from.is_some() {
        inform(format!("before: {}", told(&learner.model, &held_out)));
    }
    for epoch in 0..epochs {
        shuffle(&mut fitting, &mut random);
        let mut rest = Vec::new();
        for (block, games) in fitting.chunks(MIXED).enumerate() {
            let progress = (epoch as f32 + (block * MIXED) as f32 / fitting.len() as f32) / epochs as f32;
            let rate = RATES[1] + (first_rate - RATES[1]) * (0.5 + 0.5 * (PI * progress).cos());
            let more: Vec<Vec<Example>> = games.par_iter().map(|(_, game)| examples::of_game(game)).collect();
            rest.extend(more.into_iter().flatten());
            shuffle(&mut rest, &mut random);
            // An incomplete batch waits for the next games.
            let first = rest.len() % BATCH;
            rest.drain(first..).as_slice().chunks(BATCH).for_each(|batch| learner.step(batch, rate));
        }
        inform(format!("epoch {}: {}", epoch + 1, told(&learner.model, &held_out)));
    }
    learner.model.round();
    inform(format!("rounded: {}", told(&learner.model, &held_out)));
    Ok(learner.model.quantised())
}

/// Formats the model's losses on these games.
fn told(model: &Model, games: &[(usize, &Game)]) -> String {
    let of_game = |(_, game): &(usize, &Game)| {
        let mut loss = Loss::default();
        examples::of_game(game).iter().for_each(|example| loss += model.loss(example));
        loss
    };
    let losses: Vec<Loss> = games.par_iter().map(of_game).collect();
    let mut loss = Loss::default();
    losses.into_iter().for_each(|of_game| loss += of_game);
    let [value, learned] = loss.values.map(|sum| sum / loss.examples.max(1.0));
    let [moves, alone] = loss.moves.map(|sum| sum / loss.choices.max(1.0));
    let [right, alone_right] = loss.hits.map(|sum| 100.0 * sum / loss.choices.max(1.0));
    format!(
        "{} positions held out: values {value:.4}, learned {learned:.4}; \
         moves {moves:.4}, right {right:.1} %; learned {alone:.4}, right {alone_right:.1} %",
        loss.examples
    )
}

/// A model with the state of Adam, and the gradients of each part of a batch.
struct Learner {
    model: Model,
    adam: Adam,
    parts: Vec<Model>,
}

impl Learner {
    fn new(model: Model) -> Self {
        let mut zero = Model::zero();
        let weights = zero.numbers().iter().map(|numbers| numbers.len()).sum();
        Self { model, adam: Adam::new(weights), parts: vec![zero; PARTS] }
    }

    fn step(&mut self, batch: &[Example], rate: f32) {
        let model = &self.model;
        self.parts.par_iter_mut().enumerate().for_each(|(part, gradients)| {
            gradients.numbers().into_iter().for_each(|numbers| numbers.fill(0.0));
            let examples = batch.chunks(BATCH / PARTS).nth(part).unwrap_or_default();
            examples.iter().for_each(|example| model.learn(example, gradients));
        });
        let [first, others @ ..] = self.parts.as_mut_slice() else { return };
        for other in others {
            for (sums, numbers) in first.numbers().into_iter().zip(other.numbers()) {
                sums.iter_mut().zip(numbers).for_each(|(sum, number)| *sum += *number);
            }
        }
        let gradients = first.numbers().into_iter().map(|numbers| &*numbers);
        self.adam.update(self.model.numbers().into_iter().zip(gradients), batch.len(), rate);
        self.model.clip();
    }
}

#[cfg(test)]
mod tests {
    use super::super::games;
    use super::*;
    use connect5_joueur::evaluation::Evaluation;
    use connect5_joueur::evaluation::network::BYTES;

    #[test]
    fn the_same_seed_gives_the_same_weights() {
        let games: Vec<Game> = games::play(0..90, 20, 1, Evaluation::Learned).collect();
        let mut told = Vec::new();
        let weights = fit(&games, None, 2, 1, &mut |line| told.push(line)).unwrap();
        assert_eq!(weights.len(), BYTES);
        assert_eq!(weights, fit(&games, None, 2, 1, &mut |_| {}).unwrap());
        assert_ne!(weights, fit(&games, None, 1, 2, &mut |_| {}).unwrap());
        assert!(told.len() == 3 && told[2].starts_with("rounded: "), "{told:?}");
    }

    #[test]
    fn a_fit_begins_from_the_weights_that_it_is_given() {
        let games: Vec<Game> = games::play(0..30, 20, 1, Evaluation::Learned).collect();
        let weights = fit(&games, None, 1, 1, &mut |_| {}).unwrap();
        let mut told = Vec::new();
        assert_eq!(fit(&games, Some(&weights), 0, 1, &mut |line| told.push(line)).unwrap(), weights);
        assert!(told.len() == 2 && told[0].starts_with("before: "), "{told:?}");
        assert!(fit(&games, Some(&weights[1..]), 0, 1, &mut |_| {}).is_err());
    }

    #[test]
    fn what_was_learned_surprises_less() {
        let games = games::play(0..4, 30, 1, Evaluation::Learned);
        let examples: Vec<Example> = games.flat_map(|game| examples::of_game(&game)).collect();
        let mut learner = Learner::new(Model::random(&mut Xoshiro256PlusPlus::seed_from_u64(1)));
        let loss = |model: &Model| {
            let mut loss = Loss::default();
            examples.iter().for_each(|example| loss += model.loss(example));
            loss
        };
        let before = loss(&learner.model);
        assert!((before.values[0] - before.values[1]).abs() < 1e-3, "nothing is corrected yet");
        (0..40).for_each(|_| learner.step(&examples, RATES[0]));
        let after = loss(&learner.model);
        assert!(after.values[0] < 0.98 * before.values[0], "{before:?} {after:?}");
        assert!(after.moves[0] < 0.98 * before.moves[0], "{before:?} {after:?}");
    }
}
