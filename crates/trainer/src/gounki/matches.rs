//! Paired games between two robots in one process: each random opening twice, with colours exchanged.

use crate::threads::on_threads;
use anyhow::{Context, Result};
use clap::Args;
use courses::results::Tally;
use courses::results::elo::Estimate;
use gounki::player::{Player, Settings, allowance};
use gounki::rules::{Colour, Game, Position};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use search_core::{Limits, Position as _, Stopwatch};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Arguments of `match`.
#[derive(Debug, Args)]
pub struct Match {
    /// The first robot, as in `gounki -B`.
    a: Settings,
    /// The second robot.
    b: Settings,
    /// Number of games, half of them with colours exchanged.
    #[arg(long, default_value_t = 100, value_parser = crate::numbers::count::<usize>())]
    games: usize,
    /// Milliseconds a move (default 100).
    #[arg(long, conflicts_with = "nodes", value_parser = crate::numbers::number::<u64>())]
    time: Option<u64>,
    /// Nodes a move, instead of a time.
    #[arg(long, value_parser = crate::numbers::number::<u64>())]
    nodes: Option<u64>,
    /// Milliseconds a move of the second robot.
    #[arg(long, conflicts_with = "nodes_b", value_parser = crate::numbers::number::<u64>())]
    time_b: Option<u64>,
    /// Nodes a move of the second robot.
    #[arg(long, value_parser = crate::numbers::number::<u64>())]
    nodes_b: Option<u64>,
    /// Number of random moves before a game.
    #[arg(long, default_value_t = 6, value_parser = crate::numbers::count::<usize>())]
    opening: usize,
    /// Seed of the openings.
    #[arg(long, default_value_t = 1, value_parser = crate::numbers::number::<u64>())]
    seed: u64,
    /// Number of games in parallel.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=64))]
    threads: u64,
    /// Seconds after which no new pair is started.
    #[arg(long, value_parser = crate::numbers::number::<u64>())]
    seconds: Option<u64>,
}

/// The conditions of a match.
struct Conditions {
    robots: [Settings; 2],
    limits: [Limits; 2],
    pairs: usize,
    opening: usize,
    seed: u64,
    threads: usize,
    longest: Duration,
}

impl Match {
    /// Plays the match. Prints the first robot's wins, its score with the 95 % interval over pairs, Elo, and the CPU
    /// seconds of each side.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn run(&self) -> Result<()> {
        let first = limits(self.time, self.nodes).unwrap_or_else(|| allowance(100));
        let conditions = Conditions {
            robots: [self.a, self.b],
            limits: [first, limits(self.time_b, self.nodes_b).unwrap_or(first)],
            pairs: usize::max(self.games / 2, 1),
            opening: self.opening,
            seed: self.seed,
            threads: self.threads as usize,
            longest: Duration::from_secs(self.seconds.unwrap_or(u64::MAX)),
        };
        report(&conditions, &play(&conditions))
    }
}

/// Returns the limits of a time or a number of nodes.
fn limits(millis: Option<u64>, nodes: Option<u64>) -> Option<Limits> {
    nodes.map(Limits::nodes).or_else(|| millis.map(allowance))
}

/// The results of a pair of games.
#[derive(Clone, Copy, Default)]
struct Pair {
    /// The first robot's points in each game: a stopped game is half a point.
    points: [f64; 2],
    plies: usize,
    cpu: [Duration; 2],
    longest: [Duration; 2],
}

/// Number of consecutive sideways moves after which a game is stopped as a draw.
const LONGEST_SHUFFLE: usize = 200;

fn play(conditions: &Conditions) -> Vec<Pair> {
    let next = AtomicUsize::new(0);
    let start = Instant::now();
    let mut pairs = vec![None; conditions.pairs];
    let played = on_threads(conditions.threads, |_| {
        let mut played = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= conditions.pairs || start.elapsed() >= conditions.longest {
                return played;
            }
            played.push((index, play_pair(conditions, index)));
        }
    });
    for (index, pair) in played.into_iter().flatten() {
        pairs[index] = Some(pair);
    }
    pairs.into_iter().flatten().collect()
}

fn play_pair(conditions: &Conditions, index: usize) -> Pair {
    let seed = conditions.seed.wrapping_mul(1_000_003).wrapping_add(index as u64);
    let opening = opening(seed, conditions.opening);
    let mut pair = Pair::default();
    for first in 0..2 {
        let mut players = conditions
            .robots
            .map(|settings| Player::new(Settings { seed: seed * 2 + first as u64, ..settings }));
        let mut game = Game::new(opening);
        let mut shuffled = 0;
        while game.position().winner().is_none() && shuffled < LONGEST_SHUFFLE {
            let side = (game.position().to_move() as usize) ^ first;
            let (clock, before) = (Stopwatch::start(), cpu());
            let report = players[side].think_in(&game, conditions.limits[side], &clock);
            pair.cpu[side] += cpu().saturating_sub(before);
            pair.longest[side] = pair.longest[side].max(search_core::Clock::elapsed(&clock));
            let mv = report.best.expect("the game goes on");
            assert!(game.position().is_legal(mv), "{mv}: {:?}", game.position());
            let men = game.position().enemy().men();
            game.play(mv);
            let quiet = mv.can_repeat() && game.position().own().men() == men;
            shuffled = if quiet { shuffled + 1 } else { 0 };
        }
        pair.plies += game.played().len();
        pair.points[first] = match game.position().winner() {
            Some(winner) => f64::from(u8::from((winner == Colour::White) == (first == 0))),
            None => 0.5,
        };
    }
    pair
}

/// Returns a position after random moves, where the game is not over and nobody wins at once.
fn opening(seed: u64, plies: usize) -> Position {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    loop {
        let mut position = Position::initial();
        for _ in 0..plies {
            let moves = position.move_list();
            if moves.is_empty() {
                break;
            }
            position.play(moves[random.random_range(0..moves.len())]);
        }
        if !position.is_over() && !position.can_exit() {
            return position;
        }
    }
}

/// Returns this thread's CPU time, or zero if the system does not report it.
fn cpu() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanos = text.split(' ').next().and_then(|first| first.parse().ok());
    Duration::from_nanos(nanos.unwrap_or(0))
}

fn report(conditions: &Conditions, pairs: &[Pair]) -> Result<()> {
    let mut tally = Tally::default();
    for &Pair { points: [first, second], .. } in pairs {
        tally.add(first);
        tally.add(second);
        tally.add_pair(first, second);
    }
    let estimate = Estimate::of(&tally).context("no game was played")?;
    let Tally { wins, draws, .. } = tally;
    let games = tally.games();
    let plies: usize = pairs.iter().map(|pair| pair.plies).sum();
    let cpu = [0, 1].map(|side| pairs.iter().map(|pair| pair.cpu[side].as_secs_f64()).sum::<f64>());
    let longest = [0, 1].map(|side| pairs.iter().map(|pair| pair.longest[side]).max().unwrap_or_default());
    wire::print_line(format_args!("A {} - B {}", conditions.robots[0], conditions.robots[1]))?;
    wire::print_line(format_args!(
        "games {games}: A won {wins}, stopped {draws}, {:.1} plies a game",
        plies as f64 / games as f64
    ))?;
    Ok(wire::print_line(format_args!(
        "score {:.1} % [{:.1}, {:.1}], Elo {}; CPU s {:.1} - {:.1}; longest move {:.0?} - {:.0?}",
        100.0 * estimate.score,
        100.0 * estimate.score_low,
        100.0 * estimate.score_high,
        estimate.text(),
        cpu[0],
        cpu[1],
        longest[0],
        longest[1]
    ))?)
}
