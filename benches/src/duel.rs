//! Two threads against one at an equal time a move, until one of two hypotheses is accepted: that they are no stronger,
//! or stronger by 20 Elo (SPRT).
//!
//! Source: M. Van den Bergh, "A practical introduction to the GSPRT".

use crate::threads::{MOST_PLIES, Think};
use search_core::testing::random_positions;
use search_core::{Limits, Outcome};
use std::fmt::Debug;
use std::time::Duration;

/// The Elo difference of the alternative hypothesis.
const ELO: f64 = 20.0;
/// The log-likelihood ratio that accepts a hypothesis, at error rates of 5 %.
const DECIDED: f64 = 2.94;
const THREADS: [usize; 2] = [2, 1];

/// Plays a game between the two threads and the one; the player at `first` moves first. Returns the points of the two threads.
fn game<P: search_core::Position + Debug>(
    mut position: P,
    first: usize,
    players: &mut [Think<P>; 2],
    limits: Limits,
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
        let best = players[side](&position, limits).best;
        position.play(best.unwrap_or_else(|| panic!("no move in {position:?}")));
    }
    0.5
}

/// The log-likelihood ratio of a difference of [`ELO`] over none, from the points of pairs of games, as shares of 1.
fn ratio(pairs: &[f64]) -> f64 {
    let count = pairs.len() as f64;
    let mean = pairs.iter().sum::<f64>() / count;
    let variance = pairs.iter().map(|points| (points - mean).powi(2)).sum::<f64>() / count;
    let better = 1.0 / (1.0 + 10_f64.powf(-ELO / 400.0));
    if variance == 0.0 {
        0.0
    } else {
        count * (better - 0.5) * (mean - f64::midpoint(0.5, better)) / variance
    }
}

/// Plays games from random openings, each twice with the sides exchanged, and prints how they stand.
///
/// # Panics
/// If a player has no move.
pub fn play<P: search_core::Position + Debug>(
    start: &P,
    games: usize,
    time: Duration,
    think: fn(usize) -> Think<P>,
) {
    let mut pairs = Vec::new();
    for opening in random_positions(start, 1, games / 2, 6) {
        if opening.outcome().is_some() {
            continue;
        }
        let mut points = 0.0;
        for first in 0..2 {
            // New players: they keep what they learn from move to move.
            let mut players = THREADS.map(think);
            points += game(opening.clone(), first, &mut players, Limits::time(time)) / 2.0;
        }
        pairs.push(points);
        let (ratio, mean) = (ratio(&pairs), pairs.iter().sum::<f64>() / pairs.len() as f64);
        println!("{} games: {:.1} %, log-likelihood ratio {ratio:.2}", 2 * pairs.len(), 100.0 * mean);
        if ratio.abs() >= DECIDED {
            let what = if ratio > 0.0 { "stronger" } else { "not stronger" };
            println!("two threads are {what}");
            return;
        }
    }
    println!("undecided");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ratio_is_negative_at_equal_strength_and_positive_at_twenty_elo() {
        let even: Vec<f64> = [0.25, 0.5, 0.75, 0.5].repeat(500);
        assert!(ratio(&even) < -DECIDED, "{}", ratio(&even));
        let better: Vec<f64> = even.iter().map(|points| points + 0.03).collect();
        assert!(ratio(&better) > 1.0, "{}", ratio(&better));
        assert_eq!(ratio(&[0.5, 0.5]), 0.0);
    }
}
