//! Trains the pattern weights of `othello-player`, from games to the embedded file.
//!
//! - [`wthor`]: reads tournament games of the WTHOR database.
//! - [`self_play`]: plays, labels and reads self-play games.
//! - [`teacher`]: computes position values, exactly near the end, else by a search with the weights of later stages.
//! - [`samples`]: draws positions and computes their features.
//! - [`pairs`]: fits the second-order terms.
//! - [`course`]: fits the evaluation of the Java class.
//!
//! Stages are fitted from last to first, each with labels from the stages after it. A label does not depend on the
//! moves that followed in its game. The second-order terms are fitted to all stages at once, after the first-order
//! weights or together with them.

pub mod course;
pub mod pairs;
pub(crate) mod puzzles;
pub mod samples;
pub mod self_play;
pub mod teacher;
pub mod wthor;

use crate::linear::{Rows, fit};
use crate::numbers;
use crate::plot::{Curve, curves};
use anyhow::Context;
use clap::{Args, Subcommand};
use othello_player::evaluation::patterns::{STAGES, Weights, stage_of};
use rayon::prelude::*;
use samples::{Features, Sample};
use search_core::Depth;
use std::path::{Path, PathBuf};
use teacher::{Fitted, Teacher};
use wire::Progress;
use wthor::{At, Games};

/// The commands for othello-player.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Fits the first-order weights and writes a weights file.
    Fit(Fit),
    /// Draws positions, labels them with the teacher's values and writes them.
    Label(Label),
    /// Fits the second-order terms and writes the file that othello-player embeds.
    Pairs(FitPairs),
    /// Plays self-play games from random openings and writes one line a game.
    Play(Play),
    /// Plays games after random moves, and writes all positions in order with the teacher's values.
    Follow(Follow),
    /// Fits the evaluation of the Java class to labelled positions and prints its table.
    Course(course::Course),
    /// Prints the error of a weights file by search depth, on tournament positions with 24 empty squares and known
    /// scores.
    Check(Check),
}

/// Arguments of `fit`.
#[derive(Debug, Args)]
pub struct Fit {
    /// A folder of WTHOR files (*.wtb).
    #[arg(long)]
    wthor: PathBuf,
    /// Files of self-play games.
    #[arg(long)]
    games: Vec<PathBuf>,
    /// Output file of weights.
    #[arg(long)]
    weights: PathBuf,
    /// Output file of the error plot (SVG).
    #[arg(long)]
    curve: Option<PathBuf>,
    /// Number of positions a stage.
    #[arg(long, default_value_t = 450_000, value_parser = crate::numbers::count::<usize>())]
    positions: usize,
    /// Number of positions a stage where the teacher solves exactly, which takes longer.
    #[arg(long, default_value_t = 150_000, value_parser = crate::numbers::count::<usize>())]
    solved: usize,
    /// Maximum number of empty squares at which the teacher solves exactly.
    #[arg(long, default_value_t = 14)]
    exact: u32,
    /// Depth of the teacher's search elsewhere.
    #[arg(long, default_value_t = 4)]
    depth: Depth,
    /// Weights to start from. Each stage is then regularised towards its own weights instead of the next stage's.
    #[arg(long)]
    from: Option<PathBuf>,
    /// Strength of the regularisation towards the next stage's weights.
    #[arg(long, default_value_t = 8.0, value_parser = numbers::amount)]
    ridge: f32,
    /// Number of iterations a stage.
    #[arg(long, default_value_t = 40, value_parser = crate::numbers::count::<usize>())]
    iterations: usize,
    /// Seed of the random choices.
    #[arg(long, default_value_t = 1, value_parser = crate::numbers::number::<u64>())]
    seed: u64,
}

/// Arguments of `label`.
#[derive(Debug, Args)]
pub struct Label {
    /// A folder of WTHOR files (*.wtb).
    #[arg(long)]
    wthor: Option<PathBuf>,
    /// Files of self-play games, sampled with equal weight.
    #[arg(long)]
    games: Vec<PathBuf>,
    /// Weights of the teacher (default: built into othello-player).
    #[arg(long)]
    weights: Option<PathBuf>,
    /// Output file of positions.
    #[arg(long)]
    out: PathBuf,
    /// The first stage, counted from 0.
    #[arg(long, default_value_t = 2, value_parser = crate::numbers::number::<usize>())]
    first: usize,
    /// The last stage.
    #[arg(long, default_value_t = 25, value_parser = crate::numbers::number::<usize>())]
    last: usize,
    /// Number of positions a stage.
    #[arg(long, default_value_t = 50_000, value_parser = crate::numbers::count::<usize>())]
    positions: usize,
    /// Maximum number of empty squares at which the teacher solves exactly.
    #[arg(long, default_value_t = KNOWN_BEFORE)]
    exact: u32,
    /// Depth of the teacher's search elsewhere.
    #[arg(long, default_value_t = 6)]
    depth: Depth,
    /// Uses ProbCut, which reaches more depth in the same time.
    #[arg(long)]
    probcut: bool,
    /// Seed of the random choices.
    #[arg(long, default_value_t = 1, value_parser = crate::numbers::number::<u64>())]
    seed: u64,
}

/// Arguments of `pairs`.
#[derive(Debug, Args)]
pub struct FitPairs {
    /// A folder of WTHOR files (*.wtb), for positions with more than 14 empty squares and known scores.
    #[arg(long)]
    wthor: PathBuf,
    /// Files of labelled positions.
    #[arg(long)]
    labelled: Vec<PathBuf>,
    /// Initial weights (default: built into othello-player).
    #[arg(long)]
    weights: Option<PathBuf>,
    /// Output file of weights.
    #[arg(long)]
    out: PathBuf,
    /// Output file of the error plot (SVG).
    #[arg(long)]
    curve: Option<PathBuf>,
    /// The number of passes over the samples.
    #[arg(long, default_value_t = 3, value_parser = crate::numbers::count::<usize>())]
    epochs: usize,
    /// Initial learning rate of the vectors.
    #[arg(long, default_value_t = 0.02, value_parser = numbers::amount)]
    rate: f32,
    /// Initial learning rate of the first-order weights, in discs. With 0 they are not changed.
    #[arg(long, default_value_t = 0.0, value_parser = numbers::amount)]
    own_rate: f32,
    /// Continues from the vectors of --weights, as if they had seen this many epochs. With 0 the vectors start at
    /// random.
    #[arg(long, default_value_t = 0.0, value_parser = numbers::amount)]
    prior: f32,
    /// Weight of the next position's value in each value of a file of `follow`.
    #[arg(long, default_value_t = 0.0, value_parser = numbers::share)]
    ahead: f32,
    /// Factor on the weight of known scores.
    #[arg(long, default_value_t = 1.0, value_parser = numbers::amount)]
    known: f32,
    /// Number of discs beyond which a score counts as decided.
    #[arg(long, default_value_t = 20.0, value_parser = numbers::divisor)]
    decided: f32,
    /// Minimum number of occurrences of a state with a vector.
    #[arg(long, default_value_t = 60)]
    least: u32,
    /// Seed of the random choices.
    #[arg(long, default_value_t = 1, value_parser = crate::numbers::number::<u64>())]
    seed: u64,
}

/// Arguments of `play`.
#[derive(Debug, Args)]
pub struct Play {
    /// Number of games.
    #[arg(long, default_value_t = 50_000, value_parser = crate::numbers::count::<usize>())]
    games: usize,
    /// Depth of the search for a move.
    #[arg(long, default_value_t = 3)]
    depth: Depth,
    /// Weights (default: built into othello-player).
    #[arg(long)]
    weights: Option<PathBuf>,
    /// Seed of the random choices.
    #[arg(long, default_value_t = 1, value_parser = crate::numbers::number::<u64>())]
    seed: u64,
    /// Output file of games.
    #[arg(long)]
    out: PathBuf,
}

/// Arguments of `follow`.
#[derive(Debug, Args)]
pub struct Follow {
    /// Number of games.
    #[arg(long, default_value_t = 5_000, value_parser = crate::numbers::count::<usize>())]
    games: usize,
    /// Depth of the teacher's search, with ProbCut.
    #[arg(long, default_value_t = 6)]
    depth: Depth,
    /// Maximum number of empty squares at which the teacher solves exactly, which ends a game.
    #[arg(long, default_value_t = KNOWN_BEFORE)]
    exact: u32,
    /// Weights (default: built into othello-player).
    #[arg(long)]
    weights: Option<PathBuf>,
    /// Seed of the random choices.
    #[arg(long, default_value_t = 1, value_parser = crate::numbers::number::<u64>())]
    seed: u64,
    /// Output file of positions.
    #[arg(long)]
    out: PathBuf,
}

/// Arguments of `check`.
#[derive(Debug, Args)]
pub struct Check {
    /// A folder of WTHOR files (*.wtb).
    #[arg(long)]
    wthor: PathBuf,
    /// Weights (default: built into othello-player).
    #[arg(long)]
    weights: Option<PathBuf>,
    /// Maximum search depth.
    #[arg(long, default_value_t = 6)]
    depth: Depth,
    /// Number of positions.
    #[arg(long, default_value_t = 2000, value_parser = crate::numbers::count::<usize>())]
    positions: usize,
}

impl Command {
    /// Runs the command.
    ///
    /// # Errors
    /// If a file cannot be read or written, or is damaged.
    pub fn run(self) -> anyhow::Result<()> {
        match self {
            Self::Fit(fit) => fit.run(),
            Self::Label(label) => label.run(),
            Self::Pairs(fit) => fit.run(),
            Self::Play(play) => play.run(),
            Self::Follow(follow) => follow.run(),
            Self::Course(course) => course.run(),
            Self::Check(check) => check.run(),
        }
    }
}

impl Fit {
    fn run(&self) -> anyhow::Result<()> {
        let positions = read_games(Some(&self.wthor), &self.games)?;
        let mut progress = Progress::default();
        progress.line(format_args!("{} positions", positions.len()));
        let known = samples::known(&positions);
        let features = Features::new();
        let before = self.from.as_deref().map(read).transpose()?;
        let mut fitted = Fitted::default();
        let mut shown = Vec::new();
        for stage in (0..STAGES).rev() {
            let pool = pool(&positions, stage)?;
            let mostly_solved = stage_of(self.exact) <= stage && stage <= stage_of(self.exact) + 1;
            let count = if mostly_solved { self.solved } else { self.positions };
            let teacher = Teacher::new(&fitted, stage, self.depth, self.exact);
            let mut drawn = samples::draw_many(&positions, &pool, self.seed, count, &teacher);
            let here = |empties| stage_of(empties) == stage && empties > self.exact;
            drawn.extend(known.iter().filter(|sample| here(sample.position.empties())));
            anyhow::ensure!(!drawn.is_empty(), "no positions to fit: ask for more (--positions, --solved)");
            let rows = |wanted: bool| features.rows(drawn.iter().filter(|sample| sample.held_out == wanted));
            let (train, test) = (rows(false), rows(true));
            // The prior of this stage: its own earlier weights, or those of the next stage of its parity.
            let mut solution = before.as_ref().unwrap_or(&fitted).tables[stage].clone();
            let mut curve =
                Curve { name: format!("{} empty squares", 60 - first_ply(stage)), points: Vec::new() };
            fit(&train, self.ridge, self.iterations, &mut solution, &mut |iteration, solution| {
                curve.points.push((iteration as f64, test.errors(solution).0));
            });
            shown.push(curve);
            features.spread(&solution, &mut fitted.tables[stage]);
            // A search with a pass may end in a stage that is not fitted yet.
            if let Some(earlier) = stage.checked_sub(2) {
                fitted.tables[earlier] = fitted.tables[stage].clone();
            }
            progress.line(report(stage, &train, &test, &solution));
        }
        write(&self.weights, &fitted)?;
        if let Some(file) = &self.curve {
            let some: Vec<_> = shown.into_iter().rev().step_by(3).collect();
            curves(file, "Error on held-out games", "iteration", "root mean square error, discs", &some)?;
        }
        Ok(progress.end()?)
    }
}

/// Returns the first of a stage's two plies.
fn first_ply(stage: usize) -> usize {
    stage / 2 * 4 + stage % 2
}

fn report(stage: usize, train: &Rows, test: &Rows, solution: &[f32]) -> String {
    let ((train_rms, _), (rms, mean)) = (train.errors(solution), test.errors(solution));
    format!(
        "plies {:>2} and {:>2}: {:>7} positions, error {train_rms:.3}; held out {rms:.3}, mean {mean:.3} discs",
        first_ply(stage),
        first_ply(stage) + 2,
        train.len(),
    )
}

/// Reads the weights of a file, in discs.
fn read(path: &Path) -> anyhow::Result<Fitted> {
    let bytes = crate::records::bytes(path)?;
    // Leaked, because built-in weights have a static lifetime too.
    let weights = Weights::open(bytes.leak())?;
    weights.check()?;
    Ok(Fitted::of(&weights))
}

fn read_or_built_in(path: Option<&Path>) -> anyhow::Result<Fitted> {
    path.map_or_else(|| Ok(Fitted::of(Weights::embedded())), read)
}

fn write(path: &Path, fitted: &Fitted) -> anyhow::Result<()> {
    numbers::check_finite(fitted.tables.iter().flatten())?;
    wire::file::write(path, fitted.pack(19)).with_context(|| format!("cannot write {}", path.display()))
}

/// Number of empty squares above which the fit uses known scores. At or below it the teacher solves exactly.
const KNOWN_BEFORE: u32 = 14;

impl Label {
    fn run(&self) -> anyhow::Result<()> {
        anyhow::ensure!(self.last < STAGES, "there is no stage {}: the last is {}", self.last, STAGES - 1);
        anyhow::ensure!(self.wthor.is_some() || !self.games.is_empty(), "no games: give --wthor or --games");
        let positions = read_games(self.wthor.as_deref(), &self.games)?;
        let fitted = read_or_built_in(self.weights.as_deref())?;
        let (mut labelled, mut progress) = (Vec::new(), Progress::default());
        for stage in self.first..=self.last {
            let pool = pool(&positions, stage)?;
            let teacher = Teacher::new(&fitted, stage, self.depth, self.exact).with_probcut(self.probcut);
            labelled.extend(samples::draw_many(&positions, &pool, self.seed, self.positions, &teacher));
            progress.line(format_args!("plies {} and {}", first_ply(stage), first_ply(stage) + 2));
        }
        samples::write(&self.out, &labelled)?;
        Ok(progress.end()?)
    }
}

impl FitPairs {
    fn run(&self) -> anyhow::Result<()> {
        let games = Games::read(&self.wthor)?;
        let start = read_or_built_in(self.weights.as_deref())?;
        let features = Features::new();
        let mut sets = [pairs::Set::default(), pairs::Set::default()];
        let mut add = |drawn: &[Sample]| {
            let empties = |sample: &&Sample| pairs::EMPTIES.contains(&sample.position.empties());
            for sample in drawn.iter().filter(empties) {
                sets[usize::from(sample.held_out)].push(&features, sample);
            }
        };
        let mut known = samples::known(&games.positions());
        known.retain(|sample| sample.position.empties() > KNOWN_BEFORE);
        known.iter_mut().for_each(|sample| sample.weight *= self.known);
        if self.known > 0.0 {
            add(&known);
        }
        for path in &self.labelled {
            let mut labelled = samples::read(path)?;
            samples::look_ahead(&mut labelled, self.ahead);
            add(&labelled);
        }
        let [mut train, test] = sets;
        let mut progress = Progress::default();
        progress.line(format_args!(
            "{} games; {} positions, {} held out",
            games.len(),
            train.len(),
            test.len()
        ));
        let settings = pairs::Settings {
            epochs: self.epochs,
            rate: self.rate,
            own_rate: self.own_rate,
            prior: self.prior,
            decided: self.decided,
            least: self.least,
            seed: self.seed,
        };
        let mut curve = Curve { name: "all plies".to_owned(), points: Vec::new() };
        let fitted = pairs::fit(&features, &start, &mut train, &test, &settings, &mut |epoch, error| {
            progress.line(format_args!("epoch {epoch}: error {error:.4}"));
            curve.points.push((epoch as f64, error));
        });
        let fitted = fitted.context("ask for states that are seen more often: --least")?;
        write(&self.out, &fitted)?;
        if let Some(file) = &self.curve {
            curves(file, "Error on held-out games", "epoch", "root mean square error, tanh", &[curve])?;
        }
        Ok(progress.end()?)
    }
}

/// Returns the positions of tournament and self-play games.
fn read_games(wthor: Option<&Path>, games: &[PathBuf]) -> anyhow::Result<Vec<At>> {
    let tournaments = wthor.map(Games::read).transpose()?;
    let mut positions = tournaments.as_ref().map(Games::positions).unwrap_or_default();
    let first = tournaments.map_or(0, |games| games.len());
    for (file, path) in games.iter().enumerate() {
        positions.extend(self_play::read(path, first + file * 10_000_000)?);
    }
    Ok(positions)
}

/// Returns the indices of a stage's positions. It is an error if there are none.
fn pool(positions: &[At], stage: usize) -> anyhow::Result<Vec<usize>> {
    let in_stage = |&number: &usize| stage_of(positions[number].position.empties()) == stage;
    let pool: Vec<usize> = (0..positions.len()).filter(in_stage).collect();
    let ply = first_ply(stage);
    anyhow::ensure!(!pool.is_empty(), "no game has a position at plies {ply} and {}", ply + 2);
    Ok(pool)
}

impl Play {
    fn run(&self) -> anyhow::Result<()> {
        let teacher = Teacher::player(&read_or_built_in(self.weights.as_deref())?);
        let mut text = self_play::play(&teacher, self.games, self.depth.max(1), self.seed).join("\n");
        text.push('\n');
        wire::file::write(&self.out, text).with_context(|| format!("cannot write {}", self.out.display()))
    }
}

impl Follow {
    fn run(&self) -> anyhow::Result<()> {
        let fitted = read_or_built_in(self.weights.as_deref())?;
        let teacher = Teacher::new(&fitted, 0, self.depth.max(1), self.exact).with_probcut(true);
        samples::write(&self.out, &self_play::follow(&teacher, self.games, self.seed))
    }
}

impl Check {
    fn run(&self) -> anyhow::Result<()> {
        let games = Games::read(&self.wthor)?;
        let known = samples::known(&games.positions());
        let fitted = read_or_built_in(self.weights.as_deref())?;
        let at_24 =
            known.iter().filter(|sample| sample.held_out && sample.position.empties() == samples::KNOWN_AT);
        let held_out: Vec<_> = at_24.take(self.positions).collect();
        wire::print_line(format_args!(
            "{} positions with 24 empty squares\ndepth   mean    rms   bias",
            held_out.len()
        ))?;
        let teacher = Teacher::player(&fitted);
        for depth in 0..=self.depth {
            let errors: Vec<f64> = held_out
                .par_iter()
                .map(|sample| f64::from(teacher.search(&sample.position, depth) - sample.target))
                .collect();
            let mean =
                |of: &dyn Fn(f64) -> f64| errors.iter().map(|&e| of(e)).sum::<f64>() / errors.len() as f64;
            wire::print_line(format_args!(
                "{depth:>5} {:>6.3} {:>6.3} {:>+6.3}",
                mean(&f64::abs),
                mean(&|e| e * e).sqrt(),
                mean(&|e| e)
            ))?;
        }
        Ok(())
    }
}
