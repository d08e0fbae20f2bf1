//! The pattern weights of `othello-player`: from tournament games to the file that is built into it.
//!
//! - [`wthor`]: reads tournament games.
//! - [`self_play`]: plays and reads games against itself.
//! - [`teacher`]: says what a position is worth: exactly near the end, by a search on later stages' weights before.
//! - [`samples`]: which positions are learned from, and their features as rows.
//!
//! Stages are fitted from the last to the first, so that each is taught by the ones behind it: what a position is worth
//! never depends on how its game happened to go on.

pub mod samples;
pub mod self_play;
pub mod teacher;
pub mod wthor;

use crate::linear::{Rows, fit};
use crate::plot::{Curve, curves};
use anyhow::Context;
use clap::{Args, Subcommand};
use othello_player::evaluation::patterns::{STAGES, TABLE_LEN, Weights, pack, stage_of};
use rayon::prelude::*;
use samples::{Features, Sample};
use search_core::Depth;
use std::path::{Path, PathBuf};
use teacher::{Tables, Teacher};
use wthor::Games;

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Fits weights and writes the file that othello-player embeds.
    Fit(Fit),
    /// Plays games against itself from random openings and writes one line a game.
    Play(Play),
    /// The error of a weights file, by search depth, on tournament positions with 24 empty squares and known scores.
    Check(Check),
}

/// Arguments of `fit`.
#[derive(Debug, Args)]
pub struct Fit {
    /// A folder of WTHOR files (*.wtb).
    #[arg(long)]
    wthor: PathBuf,
    /// Files of games against itself.
    #[arg(long)]
    games: Vec<PathBuf>,
    /// Where the weights go.
    #[arg(long)]
    weights: PathBuf,
    /// Where the plot of the errors by iteration goes (SVG).
    #[arg(long)]
    curve: Option<PathBuf>,
    /// Positions a stage.
    #[arg(long, default_value_t = 450_000)]
    positions: usize,
    /// Positions a stage where the teacher solves exactly, which takes longer.
    #[arg(long, default_value_t = 150_000)]
    solved: usize,
    /// The teacher solves positions with at most so many empty squares.
    #[arg(long, default_value_t = 14)]
    exact: u32,
    /// How deep the teacher searches elsewhere.
    #[arg(long, default_value_t = 4)]
    depth: Depth,
    /// Weights to go on from: each stage is held to its own there, not to the next stage's.
    #[arg(long)]
    from: Option<PathBuf>,
    /// How strongly weights are held to those of the next stage.
    #[arg(long, default_value_t = 8.0)]
    ridge: f32,
    /// Iterations a stage.
    #[arg(long, default_value_t = 40)]
    iterations: usize,
    /// The seed.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Arguments of `play`.
#[derive(Debug, Args)]
pub struct Play {
    /// Games to play.
    #[arg(long, default_value_t = 50_000)]
    games: usize,
    /// How deep a move is searched.
    #[arg(long, default_value_t = 3)]
    depth: Depth,
    /// The weights; those built into othello-player if none are given.
    #[arg(long)]
    weights: Option<PathBuf>,
    /// The seed.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Where to write the games.
    #[arg(long)]
    out: PathBuf,
}

/// Arguments of `check`.
#[derive(Debug, Args)]
pub struct Check {
    /// A folder of WTHOR files (*.wtb).
    #[arg(long)]
    wthor: PathBuf,
    /// The weights; those built into othello-player if none are given.
    #[arg(long)]
    weights: Option<PathBuf>,
    /// The greatest depth.
    #[arg(long, default_value_t = 6)]
    depth: Depth,
    /// So many positions.
    #[arg(long, default_value_t = 2000)]
    positions: usize,
}

impl Command {
    /// Does it.
    ///
    /// # Errors
    /// When a file cannot be read or written, or is damaged.
    pub fn run(self) -> anyhow::Result<()> {
        match self {
            Self::Fit(fit) => fit.run(),
            Self::Play(play) => play.run(),
            Self::Check(check) => check.run(),
        }
    }
}

impl Fit {
    fn run(&self) -> anyhow::Result<()> {
        let games = Games::read(&self.wthor)?;
        let mut positions = games.positions();
        for (file, path) in self.games.iter().enumerate() {
            positions.extend(self_play::read(path, games.len() + file * 10_000_000)?);
        }
        println!("{} games, {} positions", games.len(), positions.len());
        let known = samples::known(&positions);
        let features = Features::new();
        let before = self.from.as_deref().map(read).transpose()?;
        let mut tables: Tables = std::array::from_fn(|_| vec![0.0; TABLE_LEN]);
        let mut progress = Vec::new();
        for stage in (0..STAGES).rev() {
            let in_stage = |&number: &usize| stage_of(positions[number].position.empties()) == stage;
            let pool: Vec<usize> = (0..positions.len()).filter(in_stage).collect();
            let mostly_solved = stage_of(self.exact) <= stage && stage <= stage_of(self.exact) + 1;
            let count = if mostly_solved { self.solved } else { self.positions };
            let teacher = Teacher::new(&tables, stage, self.depth, self.exact);
            let draw =
                |number| samples::draw(&positions, &pool, self.seed, stage * 10_000_000 + number, &teacher);
            let mut drawn: Vec<Sample> = (0..count).into_par_iter().map(draw).collect();
            let here = |empties| stage_of(empties) == stage && empties > self.exact;
            drawn.extend(known.iter().filter(|sample| here(sample.position.empties())));
            let rows = |wanted: bool| features.rows(drawn.iter().filter(|sample| sample.held_out == wanted));
            let (train, test) = (rows(false), rows(true));
            // What this stage is held to: its own weights of before, or those of the next stage of its parity.
            let mut solution = before.as_ref().unwrap_or(&tables)[stage].clone();
            let mut curve =
                Curve { name: format!("{} empty squares", 60 - first_ply(stage)), points: Vec::new() };
            fit(&train, self.ridge, self.iterations, &mut solution, &mut |iteration, solution| {
                curve.points.push((iteration as f64, test.errors(solution).0));
            });
            progress.push(curve);
            features.spread(&solution, &mut tables[stage]);
            // Where a search passes it may end in a stage that is not fitted yet.
            if let Some(earlier) = stage.checked_sub(2) {
                tables[earlier] = tables[stage].clone();
            }
            report(stage, &train, &test, &solution);
        }
        let compress =
            |block: &[u8]| zstd::bulk::compress(block, 19).expect("memory takes what is written to it");
        std::fs::write(&self.weights, pack(&tables, compress))
            .with_context(|| format!("cannot write {}", self.weights.display()))?;
        if let Some(file) = &self.curve {
            let some: Vec<_> = progress.into_iter().rev().step_by(3).collect();
            curves(file, "Error on held-out games", "iteration", "root mean square error, discs", &some)?;
        }
        Ok(())
    }
}

/// The first of a stage's two plies.
fn first_ply(stage: usize) -> usize {
    stage / 2 * 4 + stage % 2
}

fn report(stage: usize, train: &Rows, test: &Rows, solution: &[f32]) {
    let ((train_rms, _), (rms, mean)) = (train.errors(solution), test.errors(solution));
    println!(
        "plies {:>2} and {:>2}: {:>7} positions, error {train_rms:.3}; held out {rms:.3}, mean {mean:.3} discs",
        first_ply(stage),
        first_ply(stage) + 2,
        train.len(),
    );
}

/// The weights of a file, in discs.
fn read(path: &Path) -> anyhow::Result<Tables> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    // The file is kept to the end of the program, as the built-in one is.
    let weights = Weights::open(bytes.leak())?;
    weights.check()?;
    Ok(in_discs(&weights))
}

fn in_discs(weights: &Weights) -> Tables {
    let discs = |&weight: &i16| f32::from(weight) / 128.0;
    std::array::from_fn(|stage| weights.stage(stage).iter().take(TABLE_LEN).map(discs).collect())
}

fn read_or_built_in(path: Option<&Path>) -> anyhow::Result<Tables> {
    path.map_or_else(|| Ok(in_discs(Weights::embedded())), read)
}

impl Play {
    fn run(&self) -> anyhow::Result<()> {
        let teacher = Teacher::new(&read_or_built_in(self.weights.as_deref())?, 0, 0, 0);
        let mut text = self_play::play(&teacher, self.games, self.depth.max(1), self.seed).join("\n");
        text.push('\n');
        std::fs::write(&self.out, text).with_context(|| format!("cannot write {}", self.out.display()))
    }
}

impl Check {
    fn run(&self) -> anyhow::Result<()> {
        let games = Games::read(&self.wthor)?;
        let known = samples::known(&games.positions());
        let tables = read_or_built_in(self.weights.as_deref())?;
        let at_24 =
            known.iter().filter(|sample| sample.held_out && sample.position.empties() == samples::KNOWN_AT);
        let held_out: Vec<_> = at_24.take(self.positions).collect();
        println!("{} positions with 24 empty squares\ndepth   mean    rms   bias", held_out.len());
        let teacher = Teacher::new(&tables, 0, 0, 0);
        for depth in 0..=self.depth {
            let errors: Vec<f64> = held_out
                .par_iter()
                .map(|sample| f64::from(teacher.search(&sample.position, depth) - sample.target))
                .collect();
            let mean =
                |of: &dyn Fn(f64) -> f64| errors.iter().map(|&e| of(e)).sum::<f64>() / errors.len() as f64;
            println!(
                "{depth:>5} {:>6.3} {:>6.3} {:>+6.3}",
                mean(&f64::abs),
                mean(&|e| e * e).sqrt(),
                mean(&|e| e)
            );
        }
        Ok(())
    }
}
