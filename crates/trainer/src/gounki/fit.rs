//! Fits the learned evaluation: plays games at a fixed number of nodes from random openings, then fits a logistic
//! regression to the results.

use crate::threads::on_threads;
use anyhow::Result;
use clap::Args;
use gounki::evaluation::{FEATURES, features};
use gounki::player::{Player, Settings};
use gounki::rules::{Game, Position};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use search_core::{Limits, Position as _, Stopwatch};
use std::fmt::Write;

/// A position's nonzero features, and its game's result for the mover: 1 or 0.
struct Sample {
    features: Vec<(u16, f32)>,
    result: f32,
}

/// The unit of the logistic curve, in the evaluation's points.
const UNIT: f32 = 400.0;
const PASSES: usize = 60;
/// Weight decay towards the prior, which affects rare features most.
const DECAY: f32 = 1e-3;

/// Returns the initial weights: a man is worth 100, and more the further it has advanced.
fn prior() -> Vec<f32> {
    const MEN: [f32; 9] = [1.0, 1.0, 2.0, 2.0, 3.0, 3.0, 2.0, 3.0, 3.0];
    const STACK: [f32; 9] = [0.0, 0.0, 15.0, 15.0, 15.0, 15.0, 25.0, 45.0, 45.0];
    const RANKS: [f32; 8] = [0.0, 2.0, 6.0, 14.0, 28.0, 50.0, 90.0, 400.0];
    let mut prior = vec![0.0; FEATURES];
    for (index, weight) in prior.iter_mut().enumerate().take(9 * 32) {
        let (kind, rank) = (index / 32, index % 32 / 4);
        *weight = (MEN[kind] * (100.0 + RANKS[rank]) + STACK[kind]) / UNIT;
    }
    for (weight, value) in prior[9 * 32..].iter_mut().zip([60.0, -6.0, 15.0, -40.0, -30.0]) {
        *weight = value / UNIT;
    }
    prior
}

/// Arguments of `fit`.
#[derive(Debug, Args)]
pub struct Fit {
    /// Number of games.
    #[arg(long, default_value_t = 2_000, value_parser = crate::numbers::count::<usize>())]
    games: usize,
    /// Nodes a move.
    #[arg(long, default_value_t = 1_000, value_parser = crate::numbers::number::<u64>())]
    nodes: u64,
    /// Number of games in parallel.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..=64))]
    threads: u64,
    /// The robot that plays, as in `gounki -B`.
    #[arg(long, default_value = "robot")]
    robot: Settings,
}

impl Fit {
    /// Plays, fits, and prints the weights in the format of `learned_weights.rs`.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn run(&self) -> Result<()> {
        let Self { games, nodes, threads, robot } = *self;
        let threads = threads as usize;
        let played = on_threads(threads, |worker| {
            let mut samples = Vec::new();
            for game in (worker..games).step_by(threads) {
                play_game(game as u64, nodes, robot, &mut samples);
            }
            samples
        });
        let samples: Vec<Sample> = played.into_iter().flatten().collect();
        let (weights, train, held) = fit(&samples);
        wire::note(format_args!(
            "{games} games at {nodes} nodes, {} positions; error {train:.4}, held out {held:.4}",
            samples.len()
        ));
        Ok(wire::print(text(&weights, games, nodes, samples.len()))?)
    }
}

fn play_game(seed: u64, nodes: u64, robot: Settings, samples: &mut Vec<Sample>) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut player = Player::new(Settings { seed, table_bytes: 1 << 20, ..robot });
    let mut game = Game::new(Position::initial());
    let opening = random.random_range(4..24);
    let mut seen = Vec::new();
    while !game.position().is_over() && game.number() < 300 {
        let position = *game.position();
        let strange = game.number() <= opening || random.random_range(0..8) == 0;
        let mv = if strange && !position.can_exit() {
            let moves = position.move_list();
            moves[random.random_range(0..moves.len())]
        } else {
            let report = player.think_in(&game, Limits::nodes(nodes), &Stopwatch::start());
            let quiet = !report.score.is_decided() && game.number() > opening;
            if quiet && !position.other_view().can_exit() {
                seen.push(position);
            }
            report.best.expect("the game goes on")
        };
        game.play(mv);
    }
    let Some(winner) = game.position().winner() else { return };
    samples.extend(seen.into_iter().map(|position| {
        let mut list = Vec::with_capacity(40);
        features(&position, |index, value| list.push((index as u16, value as f32)));
        Sample { features: list, result: f32::from(u8::from(winner == position.to_move())) }
    }));
}

/// Runs stochastic gradient descent on the logistic loss, with every tenth position held out.
fn fit(samples: &[Sample]) -> (Vec<f32>, f32, f32) {
    let prior = prior();
    let mut weights = prior.clone();
    let predict = |weights: &[f32], sample: &Sample| {
        let sum: f32 =
            sample.features.iter().map(|&(index, value)| weights[usize::from(index)] * value).sum();
        1.0 / (1.0 + (-sum).exp())
    };
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut order: Vec<_> = (0..samples.len()).filter(|index| index % 10 != 0).collect();
    for pass in 0..PASSES {
        let rate = 0.02 / (1.0 + pass as f32 / 6.0);
        for index in (1..order.len()).rev() {
            order.swap(index, random.random_range(0..=index));
        }
        for &index in &order {
            let error = samples[index].result - predict(&weights, &samples[index]);
            for &(index, value) in &samples[index].features {
                let weight = &mut weights[usize::from(index)];
                *weight += rate * (error * value - DECAY * (*weight - prior[usize::from(index)]));
            }
        }
    }
    let error = |held: bool| {
        let chosen: Vec<_> = (0..samples.len()).filter(|index| (index % 10 == 0) == held).collect();
        let loss = |&index: &usize| {
            let expected = predict(&weights, &samples[index]).clamp(1e-6, 1.0 - 1e-6);
            if samples[index].result > 0.5 { -expected.ln() } else { -(1.0 - expected).ln() }
        };
        chosen.iter().map(loss).sum::<f32>() / chosen.len().max(1) as f32
    };
    let errors = (error(false), error(true));
    (weights, errors.0, errors.1)
}

/// Formats the weights as Rust.
fn text(weights: &[f32], games: usize, nodes: u64, positions: usize) -> String {
    let rounded: [i16; FEATURES] = std::array::from_fn(|index| (weights[index] * UNIT).round() as i16);
    let checksum = gounki::evaluation::learned::checksum(&rounded);
    let mut text = format!(
        "//! Written by `trainer gounki fit`: {games} games at {nodes} nodes a move, {positions} positions.\n\n\
         /// [`checksum`](super::learned::checksum) of the weights.\n\
         pub(super) const CHECKSUM: u64 = 0x{checksum:016x};\n\n\
         pub(super) const WEIGHTS: [i16; {FEATURES}] = [\n"
    );
    for row in rounded.chunks(16) {
        let row: Vec<_> = row.iter().map(i16::to_string).collect();
        let _ = writeln!(text, "    {},", row.join(", "));
    }
    text.push_str("];\n");
    text
}
