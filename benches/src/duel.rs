//! A search with more means against the same with less, until one of two hypotheses is accepted: that it is no
//! stronger, or stronger by 20 Elo (SPRT).

use crate::threads::{MOST_PLIES, Think};
use courses::results::sample::Sample;
use courses::results::sprt::{Scale, Sprt, Verdict};
use search_core::testing::random_positions;
use search_core::{Limits, Outcome};
use std::fmt::Debug;
use std::time::Duration;

const TEST: Sprt = Sprt { elo0: 0.0, elo1: 20.0, scale: Scale::Logistic, alpha: 0.05, beta: 0.05 };

/// The means of a player.
#[derive(Debug, Clone, Copy)]
pub struct Means {
    /// The threads of its search.
    pub threads: usize,
    /// The limits of a move.
    pub limits: Limits,
}

/// Returns the means of two players by the name of what the first has twice: `threads` at an equal time, `time` on one
/// thread (the most that two threads could give), or `threads` at an equal number of `nodes`, which are thousands.
#[must_use]
pub fn means(twice: &str, amount: u32) -> Option<[Means; 2]> {
    let time = |threads, times| Means {
        threads,
        limits: Limits::time(times * Duration::from_millis(amount.into())),
    };
    let nodes = |threads: u64| Means {
        threads: threads as usize,
        limits: Limits::nodes(1000 * u64::from(amount) / threads),
    };
    match twice {
        "threads" => Some([time(2, 1), time(1, 1)]),
        "time" => Some([time(1, 2), time(1, 1)]),
        "nodes" => Some([nodes(2), nodes(1)]),
        _ => None,
    }
}

/// Plays a game; the player at `first` moves first. Returns the points of the first player.
fn game<P: search_core::Position + Debug>(
    mut position: P,
    first: usize,
    players: &mut [Think<P>; 2],
    means: &[Means; 2],
) -> f64 {
    for ply in 0..MOST_PLIES {
        let side = (first + ply) % 2;
        if let Some(outcome) = position.outcome() {
            let points = match outcome {
                Outcome::Win => 1.0,
                Outcome::Draw => 0.5,
                Outcome::Loss => 0.0,
                Outcome::Margin(points) => f64::midpoint(1.0, f64::from(points.signum())),
            };
            return if side == 0 { points } else { 1.0 - points };
        }
        let best = players[side](&position, means[side].limits).best;
        position.play(best.unwrap_or_else(|| panic!("no move in {position:?}")));
    }
    0.5
}

/// Plays games from random openings, each twice with the sides exchanged, and prints how they stand.
///
/// # Panics
/// If a player has no move.
pub fn play<P: search_core::Position + Debug>(
    start: &P,
    games: usize,
    means: &[Means; 2],
    think: fn(usize) -> Think<P>,
) {
    // Pairs of games by their points: 0, ½, 1, 1½, 2.
    let mut pairs = [0; 5];
    for opening in random_positions(start, 1, games / 2, 6) {
        if opening.outcome().is_some() {
            continue;
        }
        let mut points = 0.0;
        for first in 0..2 {
            // New players: they keep what they learn from move to move.
            let mut players = means.map(|player| think(player.threads));
            points += game(opening.clone(), first, &mut players, means);
        }
        pairs[(2.0 * points) as usize] += 1;
        let sample = Sample::pairs(pairs);
        let (count, mean, ratio) = (2 * pairs.iter().sum::<u64>(), sample.mean(), TEST.ratio(&sample));
        println!("{count} games, pairs {pairs:?}: {:.1} %, log-likelihood ratio {ratio:.2}", 100.0 * mean);
        match TEST.verdict(&sample) {
            Verdict::Undecided => {}
            Verdict::Passed => return println!("stronger"),
            Verdict::Failed => return println!("not stronger"),
        }
    }
    println!("undecided");
}
