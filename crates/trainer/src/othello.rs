//! The pattern weights of `othello-player`: from tournament games to the file that is built into it.
//!
//! - [`wthor`]: reads tournament games.
//! - [`self_play`]: plays and reads games of self-play, and follows them with a teacher.
//! - [`teacher`]: says what a position is worth: exactly near the end, by a search on later stages' weights before.
//! - [`samples`]: which positions are learned from, and their features as rows.
//! - [`pairs`]: fits what every two states are worth together.
//! - [`course`]: fits the evaluation of the Java class.
//!
//! Stages are fitted from the last to the first, so that each is taught by the ones behind it: what a position is worth
//! never depends on how its game happened to go on. Pairs are fitted to all stages at once, on top of them or with them.

pub mod course;
pub mod pairs;
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
use wthor::{At, Games};

/// The command.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Fits what patterns are worth by themselves and writes a weights file.
    Fit(Fit),
    /// Draws positions and writes what the teacher says of them.
    Label(Label),
    /// Fits what every two patterns are worth together, and writes the file that othello-player embeds.
    Pairs(FitPairs),
    /// Plays games of self-play from random openings and writes one line a game.
    Play(Play),
    /// Plays games behind random moves and writes what the teacher says of each position, in their order.
    Follow(Follow),
    /// Fits the evaluation of the Java class to labelled positions and prints its table.
    Course(course::Course),
    /// The error of a weights file, by search depth, on tournament positions with 24 empty squares and known scores.
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
    /// The depth of the teacher's search elsewhere.
    #[arg(long, default_value_t = 4)]
    depth: Depth,
    /// Weights to go on from: each stage is held to its own there, not to the next stage's.
    #[arg(long)]
    from: Option<PathBuf>,
    /// The strength with which weights are held to those of the next stage.
    #[arg(long, default_value_t = 8.0, value_parser = numbers::amount)]
    ridge: f32,
    /// Iterations a stage.
    #[arg(long, default_value_t = 40)]
    iterations: usize,
    /// The seed.
    #[arg(long, default_value_t = 1)]
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
    /// The teacher's weights; those built into othello-player if none are given.
    #[arg(long)]
    weights: Option<PathBuf>,
    /// Where the positions go.
    #[arg(long)]
    out: PathBuf,
    /// The first stage, counted from 0.
    #[arg(long, default_value_t = 2)]
    first: usize,
    /// The last stage.
    #[arg(long, default_value_t = 25)]
    last: usize,
    /// Positions a stage.
    #[arg(long, default_value_t = 50_000)]
    positions: usize,
    /// The teacher solves positions with at most so many empty squares.
    #[arg(long, default_value_t = KNOWN_BEFORE)]
    exact: u32,
    /// The depth of the teacher's search elsewhere.
    #[arg(long, default_value_t = 6)]
    depth: Depth,
    /// Shallow searches cut deep ones: more depth in the same time.
    #[arg(long)]
    probcut: bool,
    /// The seed.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Arguments of `pairs`.
#[derive(Debug, Args)]
pub struct FitPairs {
    /// A folder of WTHOR files (*.wtb): their positions with more than 14 empty squares and known scores.
    #[arg(long)]
    wthor: PathBuf,
    /// Files of labelled positions.
    #[arg(long)]
    labelled: Vec<PathBuf>,
    /// The weights to begin with: as built into othello-player if no file is given.
    #[arg(long)]
    weights: Option<PathBuf>,
    /// Where the weights go.
    #[arg(long)]
    out: PathBuf,
    /// Where the plot of the error by epoch goes (SVG).
    #[arg(long)]
    curve: Option<PathBuf>,
    /// The number of epochs: every sample is seen so often.
    #[arg(long, default_value_t = 3)]
    epochs: usize,
    /// The first step of every number of a vector.
    #[arg(long, default_value_t = 0.02, value_parser = numbers::amount)]
    rate: f32,
    /// The first step of what a state is worth by itself, in discs; 0: that stays as it is.
    #[arg(long, default_value_t = 0.0, value_parser = numbers::amount)]
    own_rate: f32,
    /// Goes on from the vectors of --weights, as if they had seen so many epochs of these samples; 0: from random ones.
    #[arg(long, default_value_t = 0.0, value_parser = numbers::amount)]
    prior: f32,
    /// The share of the next position's value in each value of a file of `follow`.
    #[arg(long, default_value_t = 0.0, value_parser = numbers::share)]
    ahead: f32,
    /// The weight of the known scores, as a share of their own.
    #[arg(long, default_value_t = 1.0, value_parser = numbers::amount)]
    known: f32,
    /// Scores beyond so many discs are as good as decided.
    #[arg(long, default_value_t = 20.0, value_parser = numbers::amount)]
    decided: f32,
    /// A state that is seen less often has no vector.
    #[arg(long, default_value_t = 60)]
    least: u32,
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
    /// The depth of the search for a move.
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

/// Arguments of `follow`.
#[derive(Debug, Args)]
pub struct Follow {
    /// Games to play.
    #[arg(long, default_value_t = 5_000)]
    games: usize,
    /// The depth of the teacher's search, with ProbCut.
    #[arg(long, default_value_t = 6)]
    depth: Depth,
    /// A game ends where the teacher solves it, with at most so many empty squares.
    #[arg(long, default_value_t = KNOWN_BEFORE)]
    exact: u32,
    /// The weights; those built into othello-player if none are given.
    #[arg(long)]
    weights: Option<PathBuf>,
    /// The seed.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Where the positions go.
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
        wire::print_line(format_args!("{} positions", positions.len()))?;
        let known = samples::known(&positions);
        let features = Features::new();
        let before = self.from.as_deref().map(read).transpose()?;
        let mut fitted = Fitted::default();
        let mut progress = Vec::new();
        for stage in (0..STAGES).rev() {
            let pool = pool(&positions, stage)?;
            let mostly_solved = stage_of(self.exact) <= stage && stage <= stage_of(self.exact) + 1;
            let count = if mostly_solved { self.solved } else { self.positions };
            let teacher = Teacher::new(&fitted, stage, self.depth, self.exact);
            let mut drawn = samples::draw_many(&positions, &pool, self.seed, count, &teacher);
            let here = |empties| stage_of(empties) == stage && empties > self.exact;
            drawn.extend(known.iter().filter(|sample| here(sample.position.empties())));
            let rows = |wanted: bool| features.rows(drawn.iter().filter(|sample| sample.held_out == wanted));
            let (train, test) = (rows(false), rows(true));
            // What this stage is held to: its own weights of before, or those of the next stage of its parity.
            let mut solution = before.as_ref().unwrap_or(&fitted).tables[stage].clone();
            let mut curve =
                Curve { name: format!("{} empty squares", 60 - first_ply(stage)), points: Vec::new() };
            fit(&train, self.ridge, self.iterations, &mut solution, &mut |iteration, solution| {
                curve.points.push((iteration as f64, test.errors(solution).0));
            });
            progress.push(curve);
            features.spread(&solution, &mut fitted.tables[stage]);
            // Where a search passes it may end in a stage that is not fitted yet.
            if let Some(earlier) = stage.checked_sub(2) {
                fitted.tables[earlier] = fitted.tables[stage].clone();
            }
            report(stage, &train, &test, &solution)?;
        }
        write(&self.weights, &fitted)?;
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

fn report(stage: usize, train: &Rows, test: &Rows, solution: &[f32]) -> Result<(), wire::Failure> {
    let ((train_rms, _), (rms, mean)) = (train.errors(solution), test.errors(solution));
    wire::print_line(format_args!(
        "plies {:>2} and {:>2}: {:>7} positions, error {train_rms:.3}; held out {rms:.3}, mean {mean:.3} discs",
        first_ply(stage),
        first_ply(stage) + 2,
        train.len(),
    ))
}

/// The weights of a file, in discs.
fn read(path: &Path) -> anyhow::Result<Fitted> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    // The file is kept to the end of the program, as the built-in one is.
    let weights = Weights::open(bytes.leak())?;
    weights.check()?;
    Ok(Fitted::of(&weights))
}

fn read_or_built_in(path: Option<&Path>) -> anyhow::Result<Fitted> {
    path.map_or_else(|| Ok(Fitted::of(Weights::embedded())), read)
}

fn write(path: &Path, fitted: &Fitted) -> anyhow::Result<()> {
    std::fs::write(path, fitted.pack(19)).with_context(|| format!("cannot write {}", path.display()))
}

/// Pairs are taught known scores above so many empty squares; with as few or fewer a teacher solves.
const KNOWN_BEFORE: u32 = 14;

impl Label {
    fn run(&self) -> anyhow::Result<()> {
        anyhow::ensure!(self.last < STAGES, "there is no stage {}: the last is {}", self.last, STAGES - 1);
        anyhow::ensure!(self.wthor.is_some() || !self.games.is_empty(), "no games: give --wthor or --games");
        let positions = read_games(self.wthor.as_deref(), &self.games)?;
        let fitted = read_or_built_in(self.weights.as_deref())?;
        let mut labelled = Vec::new();
        for stage in self.first..=self.last {
            let pool = pool(&positions, stage)?;
            let teacher = Teacher::new(&fitted, stage, self.depth, self.exact).with_probcut(self.probcut);
            labelled.extend(samples::draw_many(&positions, &pool, self.seed, self.positions, &teacher));
            wire::print_line(format_args!("plies {} and {}", first_ply(stage), first_ply(stage) + 2))?;
        }
        samples::write(&self.out, &labelled)
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
        wire::print_line(format_args!(
            "{} games; {} positions, {} held out",
            games.len(),
            train.len(),
            test.len()
        ))?;
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
        let mut told = Ok(());
        let fitted = pairs::fit(&features, &start, &mut train, &test, &settings, &mut |epoch, error| {
            if told.is_ok() {
                told = wire::print_line(format_args!("epoch {epoch}: error {error:.4}"));
            }
            curve.points.push((epoch as f64, error));
        });
        let fitted = fitted.context("ask for states that are seen more often: --least")?;
        write(&self.out, &fitted)?;
        told?;
        if let Some(file) = &self.curve {
            curves(file, "Error on held-out games", "epoch", "root mean square error, tanh", &[curve])?;
        }
        Ok(())
    }
}

/// The positions of tournament games and of games of self-play.
fn read_games(wthor: Option<&Path>, games: &[PathBuf]) -> anyhow::Result<Vec<At>> {
    let tournaments = wthor.map(Games::read).transpose()?;
    let mut positions = tournaments.as_ref().map(Games::positions).unwrap_or_default();
    let first = tournaments.map_or(0, |games| games.len());
    for (file, path) in games.iter().enumerate() {
        positions.extend(self_play::read(path, first + file * 10_000_000)?);
    }
    Ok(positions)
}

/// The numbers of a stage's positions, of which there must be some.
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
        std::fs::write(&self.out, text).with_context(|| format!("cannot write {}", self.out.display()))
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
