//! Plays paired games between two robots in one process: every random opening twice, colours exchanged.
//!
//! `cargo run --release -p gounki --example duel -- A B [--games N] [--time MS | --nodes N] [--ouverture PLIES]
//! [--seed N] [--threads N] [--secondes S]`, where A and B are types of robots as `-B` takes them. `--nodes-b N` and `--time-b MS`
//! give B other limits; after S seconds no new pair is begun. Prints A's wins, its score, the 95 % interval over pairs, Elo, and CPU seconds per side.

use gounki::player::{Player, Settings, allowance};
use gounki::rules::{Colour, Game, Position};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use search_core::{Limits, Position as _, Stopwatch};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

struct Match {
    robots: [Settings; 2],
    limits: [Limits; 2],
    pairs: usize,
    opening: usize,
    seed: u64,
    threads: usize,
    longest: Duration,
}

/// What one pair of games gave.
#[derive(Clone, Copy, Default)]
struct Pair {
    wins: u32,
    stopped: u32,
    plies: usize,
    cpu: [Duration; 2],
    longest: [Duration; 2],
}

/// Moves sideways in a row after which a game is stopped, half a point each.
const LONGEST_SHUFFLE: usize = 200;

fn main() -> ExitCode {
    wire::run("duel", |arguments| {
        let duel = parse(arguments).map_err(wire::Failure::input)?;
        report(&duel, &play(&duel));
        Ok(())
    })
}

fn parse(arguments: Vec<std::ffi::OsString>) -> Result<Match, lexopt::Error> {
    use lexopt::prelude::*;
    let mut robots: Vec<Settings> = Vec::new();
    let mut limits = [allowance(100); 2];
    let (mut games, mut opening, mut seed, mut threads, mut seconds) = (100, 6, 1, 1, u64::MAX);
    let mut parser = lexopt::Parser::from_args(arguments);
    let millis = |parser: &mut lexopt::Parser| Ok::<_, lexopt::Error>(allowance(parser.value()?.parse()?));
    let nodes = |parser: &mut lexopt::Parser| Ok::<_, lexopt::Error>(Limits::nodes(parser.value()?.parse()?));
    while let Some(argument) = parser.next()? {
        match argument {
            Value(name) => robots.push(name.parse()?),
            Long("games") => games = parser.value()?.parse()?,
            Long("ouverture") => opening = parser.value()?.parse()?,
            Long("seed") => seed = parser.value()?.parse()?,
            Long("threads") => threads = parser.value()?.parse()?,
            Long("secondes") => seconds = parser.value()?.parse()?,
            Long("time") => limits = [millis(&mut parser)?; 2],
            Long("nodes") => limits = [nodes(&mut parser)?; 2],
            Long("time-b") => limits[1] = millis(&mut parser)?,
            Long("nodes-b") => limits[1] = nodes(&mut parser)?,
            _ => return Err(argument.unexpected()),
        }
    }
    let robots = robots.try_into().map_err(|_| "two robots are expected")?;
    Ok(Match {
        robots,
        limits,
        pairs: usize::max(games / 2, 1),
        opening,
        seed,
        threads,
        longest: Duration::from_secs(seconds),
    })
}

fn play(duel: &Match) -> Vec<Pair> {
    let next = AtomicUsize::new(0);
    let start = Instant::now();
    let mut pairs = vec![None; duel.pairs];
    std::thread::scope(|scope| {
        let worker = || {
            let mut played = Vec::new();
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                if index >= duel.pairs || start.elapsed() >= duel.longest {
                    return played;
                }
                played.push((index, play_pair(duel, index)));
            }
        };
        let workers: Vec<_> = (0..duel.threads).map(|_| scope.spawn(worker)).collect();
        for worker in workers {
            for (index, pair) in worker.join().expect("a worker does not panic") {
                pairs[index] = Some(pair);
            }
        }
    });
    pairs.into_iter().flatten().collect()
}

fn play_pair(duel: &Match, index: usize) -> Pair {
    let seed = duel.seed.wrapping_mul(1_000_003).wrapping_add(index as u64);
    let opening = opening(seed, duel.opening);
    let mut pair = Pair::default();
    for first in 0..2 {
        let mut players =
            duel.robots.map(|settings| Player::new(Settings { seed: seed * 2 + first as u64, ..settings }));
        let mut game = Game::new(opening);
        let mut shuffled = 0;
        while game.position().winner().is_none() && shuffled < LONGEST_SHUFFLE {
            let side = (game.position().to_move() as usize) ^ first;
            let (clock, before) = (Stopwatch::start(), cpu());
            let report = players[side].think_in(&game, duel.limits[side], &clock);
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
        match game.position().winner() {
            Some(winner) => pair.wins += u32::from((winner == Colour::White) == (first == 0)),
            None => pair.stopped += 1,
        }
    }
    pair
}

/// A position after random moves, in which the game goes on and nobody wins at once.
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

/// This thread's CPU time, where the system tells it.
fn cpu() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanos = text.split(' ').next().and_then(|first| first.parse().ok());
    Duration::from_nanos(nanos.unwrap_or(0))
}

fn report(duel: &Match, pairs: &[Pair]) {
    let games = 2.0 * pairs.len() as f64;
    let points = |pair: &Pair| f64::from(pair.wins) + f64::from(pair.stopped) / 2.0;
    let score = pairs.iter().map(points).sum::<f64>() / games;
    let spread = |pair: &Pair| (points(pair) / 2.0 - score).powi(2);
    let variance = pairs.iter().map(spread).sum::<f64>() / (pairs.len() as f64 - 1.0).max(1.0);
    let margin = 1.96 * (variance / pairs.len() as f64).sqrt();
    let elo = |score: f64| -400.0 * (1.0 / score.clamp(0.001, 0.999) - 1.0).log10();
    let wins: u32 = pairs.iter().map(|pair| pair.wins).sum();
    let stopped: u32 = pairs.iter().map(|pair| pair.stopped).sum();
    let plies: usize = pairs.iter().map(|pair| pair.plies).sum();
    let cpu = [0, 1].map(|side| pairs.iter().map(|pair| pair.cpu[side].as_secs_f64()).sum::<f64>());
    let longest = [0, 1].map(|side| pairs.iter().map(|pair| pair.longest[side]).max().unwrap_or_default());
    println!("A {} - B {}", duel.robots[0], duel.robots[1]);
    println!("games {games:.0}: A won {wins}, stopped {stopped}, {:.1} plies a game", plies as f64 / games);
    println!(
        "score {:.1} % +- {:.1}, Elo {:+.0} ({:+.0} .. {:+.0}); CPU s {:.1} - {:.1}; longest move {:.0?} - {:.0?}",
        100.0 * score,
        100.0 * margin,
        elo(score),
        elo(score - margin),
        elo(score + margin),
        cpu[0],
        cpu[1],
        longest[0],
        longest[1]
    );
}
