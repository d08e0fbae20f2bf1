//! Ratings of many players from all their games.
//!
//! The maximum likelihood ratings are found by Newton's method, each step by conjugate gradients over the games. One
//! Cholesky decomposition gives all errors of up to [`MOST_JOINT`] players.
//!
//! Source: R. Bradley, M. Terry, "Rank analysis of incomplete block designs: I. The method of paired comparisons",
//! 1952.

mod curvature;

use super::interval::{approximate_interval, interval};
use curvature::{Curvature, inverse_diagonal};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// A rating with its interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Rating {
    /// Elo, with the players' mean at zero.
    pub elo: f64,
    /// The lower end of the 95 % interval.
    pub low: f64,
    /// The upper end of the 95 % interval.
    pub high: f64,
}

impl Rating {
    /// Formats `+12 [-4, +28]`, with `∞` for an infinite end.
    #[must_use]
    pub fn text(&self) -> String {
        let end = |end: f64| match end {
            f64::INFINITY => "+∞".to_owned(),
            f64::NEG_INFINITY => "-∞".to_owned(),
            end => format!("{end:+.0}"),
        };
        format!("{:+.0} [{}, {}]", self.elo, end(self.low), end(self.high))
    }
}

/// Maximum number of players whose errors are computed together, in cubic time. The errors of more are as if the opponents'
/// ratings were exact.
pub const MOST_JOINT: usize = 1_500;

/// The result of two players in one unit, a pair of games or a single game.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Meeting {
    /// The index of the first player.
    pub first: usize,
    /// The index of the second player.
    pub second: usize,
    /// Points of the first player.
    pub points: f64,
    /// Number of games.
    pub games: f64,
}

/// Returns Elo ratings by the Bradley-Terry model with draws as half points, with the players' mean at zero.
///
/// The [`interval`] of a player's own score, as in [`Estimate`](super::elo::Estimate), gives the ratings that expect
/// these scores against the same opponents. The uncertainty of the opponents' ratings widens it, of up to [`MOST_JOINT`]
/// players. An end is infinite if a player won, or lost, all games.
#[must_use]
pub fn ratings(players: usize, meetings: &[Meeting]) -> Vec<Rating> {
    rate(players, meetings, Totals::errors, interval)
}

/// Like [`ratings`], with intervals of the [normal law](approximate_interval) and as if the opponents' ratings were
/// exact. This takes linear time in the meetings, where the errors of all ratings take cubic time in the players.
#[must_use]
pub fn quick_ratings(players: usize, meetings: &[Meeting]) -> Vec<Rating> {
    rate(players, meetings, |_, logs| vec![1.0; logs.len()], approximate_interval)
}

fn rate(
    players: usize,
    meetings: &[Meeting],
    errors: impl FnOnce(&Totals, &[f64]) -> Vec<f64>,
    interval: impl Fn(&[f64]) -> (f64, f64),
) -> Vec<Rating> {
    let totals = Totals::of(players, meetings);
    let logs = totals.fit();
    let errors = errors(&totals, &logs);
    let mut intervals = HashMap::new();
    let rating = |(player, results): (usize, &Results)| {
        let elo = PER_LOG * logs[player];
        let counts = results.counts.map(|count| count as u64);
        let (low, high) = *intervals.entry(counts).or_insert_with(|| interval(&results.counts));
        let side = |end: f64| match end {
            _ if results.meetings == 0.0 => f64::INFINITY,
            end if end <= 0.0 || end >= 1.0 => f64::INFINITY,
            end => {
                let log =
                    results.expecting(results.own(end, &totals, &logs, logs[player]), &logs, logs[player]);
                errors[player] * PER_LOG * (log - logs[player]).abs()
            }
        };
        Rating { elo, low: elo - side(low), high: elo + side(high) }
    };
    totals.0.iter().enumerate().map(rating).collect()
}

/// Elo in one unit of the logarithm of strength.
const PER_LOG: f64 = 400.0 / std::f64::consts::LN_10;

/// A player's results by meeting.
#[derive(Debug, Clone, Default)]
struct Results {
    /// Number of meetings by points a game: 0, ¼, ½, ¾, 1.
    counts: [f64; 5],
    meetings: f64,
    points: f64,
    games: f64,
    /// The results against each opponent.
    against: Vec<Against>,
}

/// A player's results against one opponent.
#[derive(Debug, Clone, Copy)]
struct Against {
    other: usize,
    games: f64,
    meetings: f64,
    /// The sums over meetings of the points a game, and of their squares.
    shares: f64,
    squares: f64,
}

impl Results {
    /// Adds a meeting with its points and games.
    fn add(&mut self, other: usize, points: f64, games: f64) {
        let share = points / games;
        self.counts[(4.0 * share).round().clamp(0.0, 4.0) as usize] += 1.0;
        self.meetings += 1.0;
        self.points += points;
        self.games += games;
        self.against.push(Against { other, games, meetings: 1.0, shares: share, squares: share * share });
    }

    /// Merges the results against each opponent.
    fn gather(&mut self) {
        self.against.sort_by_key(|of| of.other);
        self.against.dedup_by(|next, first| {
            let same = next.other == first.other;
            if same {
                first.games += next.games;
                first.meetings += next.meetings;
                first.shares += next.shares;
                first.squares += next.squares;
            }
            same
        });
    }

    /// Returns an end of the interval as points in all games, without the part of the variance that the opponents'
    /// strengths explain. An opponent's strength explains only as much as its games against others show.
    fn own(&self, end: f64, totals: &Totals, logs: &[f64], log: f64) -> f64 {
        let mean = self.against.iter().map(|of| of.shares).sum::<f64>() / self.meetings;
        let (mut all, mut own) = (0.0, 0.0);
        for of in &self.against {
            let around = |center: f64| of.squares - 2.0 * of.shares * center + of.meetings * center * center;
            all += around(mean);
            let mutual = of.games / totals.0[of.other].games;
            own += around((1.0 - mutual) * chance(log - logs[of.other]) + mutual * mean);
        }
        // One fair coin more on both sides, so that a few equal results explain nothing.
        let part = ((own + 0.25) / (all + 0.25)).sqrt().min(1.0);
        self.games * (mean + part * (end - mean))
    }

    /// Returns the logarithm of strength with these expected points against the opponents. `log` is the player's own.
    fn expecting(&self, points: f64, logs: &[f64], mut log: f64) -> f64 {
        // Newton's method between two bounds.
        let (mut low, mut high) = (log - 60.0, log + 60.0);
        for _ in 0..60 {
            let (mut expected, mut bend) = (0.0, 1e-12);
            for of in &self.against {
                let chance = chance(log - logs[of.other]);
                expected += of.games * chance;
                bend += of.games * chance * (1.0 - chance);
            }
            if expected < points {
                low = log
            } else {
                high = log
            }
            let next = log + (points - expected) / bend;
            let next = if next > low && next < high { next } else { (low + high) / 2.0 };
            let moved = (next - log).abs();
            log = next;
            if moved < 1e-6 {
                break;
            }
        }
        log
    }
}

/// Returns the expected points of a game at a difference of log-strengths.
fn chance(difference: f64) -> f64 {
    1.0 / (1.0 + (-difference).exp())
}

/// The results of all players.
struct Totals(Vec<Results>);

/// Weight of a drawn game of each player against a player at zero, which keeps the ratings of unbeaten players finite.
const PRIOR: f64 = 0.01;

impl Totals {
    fn of(players: usize, meetings: &[Meeting]) -> Self {
        let mut all = vec![Results::default(); players];
        for &Meeting { first, second, points, games } in meetings {
            all[first].add(second, points, games);
            all[second].add(first, games - points, games);
        }
        all.iter_mut().for_each(Results::gather);
        Self(all)
    }

    /// Returns the maximum likelihood log-strengths, with mean zero. The likelihood has a single maximum.
    fn fit(&self) -> Vec<f64> {
        let players = self.0.len();
        let mut logs = vec![0.0f64; players];
        for _ in 0..200 {
            let curvature = Curvature::of(self, &logs, 0.0);
            let step = curvature.solve(&self.slope(&logs));
            // Large steps are limited, so that a distant rating approaches gradually.
            let most = step.iter().fold(0.0f64, |most, step| most.max(step.abs()));
            let stride = (1.0 / most).min(1.0);
            if most == 0.0 || !stride.is_finite() {
                break;
            }
            logs.iter_mut().zip(&step).for_each(|(log, step)| *log += stride * step);
            if most < 1e-9 {
                break;
            }
        }
        let mean = logs.iter().sum::<f64>() / players.max(1) as f64;
        logs.iter().map(|log| log - mean).collect()
    }

    /// Returns the gradient of the log-likelihood.
    fn slope(&self, logs: &[f64]) -> Vec<f64> {
        let of = |(results, &log): (&Results, &f64)| {
            let expected: f64 =
                results.against.iter().map(|of| of.games * chance(log - logs[of.other])).sum();
            results.points - expected + PRIOR * (0.5 - chance(log))
        };
        self.0.iter().zip(logs).map(of).collect()
    }

    /// Returns by how much each player's interval widens because its opponents' ratings are estimates, and narrows
    /// because the mean is fixed.
    fn errors(&self, logs: &[f64]) -> Vec<f64> {
        let players = logs.len();
        if players > MOST_JOINT {
            return vec![1.0; players];
        }
        let curvature = Curvature::of(self, logs, LEAST_BEND);
        // The games do not determine the players' mean, so it gets a term of its own.
        let mut matrix = vec![1.0 / players.max(1) as f64; players * players];
        for player in 0..players {
            matrix[player * players + player] += curvature.diagonal[player];
            for &(other, bend) in &curvature.beside[player] {
                matrix[player * players + other] -= bend;
            }
        }
        let variances = inverse_diagonal(matrix, players);
        let own = variances.iter().zip(&curvature.diagonal);
        own.map(|(variance, own)| ((variance - 1.0 / players as f64).max(0.0) * own).sqrt()).collect()
    }
}

/// Minimum curvature of a game for the errors, as at 49 to 1. Beyond it the prior determines the difference.
const LEAST_BEND: f64 = 0.02;

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    fn meeting(first: usize, second: usize, points: f64, games: f64) -> Meeting {
        Meeting { first, second, points, games }
    }

    fn fitted(players: usize, meetings: &[Meeting]) -> Vec<f64> {
        Totals::of(players, meetings).fit().iter().map(|log| PER_LOG * log).collect()
    }

    /// Returns games of players with evenly spaced strengths, each against those at these distances.
    fn ladder(players: usize, distances: impl Iterator<Item = usize> + Clone) -> Vec<Meeting> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
        (0..players)
            .flat_map(|first| distances.clone().map(move |far| (first, first + far)))
            .filter(|&(_, second)| second < players)
            .map(|(first, second)| {
                let won = 0.5 - 0.4 * (second - first) as f64 / players as f64;
                let point =
                    |random: &mut Xoshiro256PlusPlus| f64::from(u8::from(random.random::<f64>() < won));
                meeting(first, second, point(&mut random) + point(&mut random), 2.0)
            })
            .collect()
    }

    #[test]
    fn a_thousand_players_are_rated_at_once() {
        // A generous limit for a debug build on a busy machine. Four hundred fits in cubic time took half an hour and
        // more.
        let most = std::time::Duration::from_secs(60);
        for (name, players, meetings) in [
            ("Swiss", 1000, ladder(1000, [1, 7, 40, 111, 200, 333, 480, 501, 640, 777].into_iter())),
            ("round robin", 400, ladder(400, 1..400)),
            (
                "gauntlet",
                1000,
                (1..1000).map(|other| meeting(0, other, f64::from(other as u8 % 3), 2.0)).collect(),
            ),
            ("large Swiss", 6000, ladder(6000, [1, 7, 40, 111, 200, 333, 480, 501, 640, 777].into_iter())),
        ] {
            let start = std::time::Instant::now();
            let ratings = ratings(players, &meetings);
            let taken = start.elapsed();
            println!("{name}: {taken:?}");
            assert!(taken < most, "{name}: {taken:?}");
            assert!(ratings.iter().all(|of| of.low < of.elo && of.elo < of.high), "{name}");
            assert!(ratings.iter().map(|of| of.elo).sum::<f64>().abs() < 1e-3, "{name}");
            let quick = quick_ratings(players, &meetings);
            for (quick, whole) in quick.iter().zip(&ratings) {
                assert!(quick.elo == whole.elo && quick.low < quick.elo && quick.elo < quick.high, "{name}");
            }
        }
    }

    #[test]
    fn the_intervals_of_few_meetings_hold_the_truth() {
        // Five players at 0, 60, … Elo, three pairs of each two, a third of the games drawn.
        let truth = [-120.0, -60.0, 0.0, 60.0, 120.0];
        let mut random = Xoshiro256PlusPlus::seed_from_u64(9);
        let (mut missed, runs) = (0, 200);
        for _ in 0..runs {
            let mut meetings = Vec::new();
            for (first, second) in (0..5).flat_map(|a| (0..a).map(move |b| (b, a))) {
                for _ in 0..3 {
                    let won = crate::stats::elo::score_of(truth[first] - truth[second]) - 1.0 / 6.0;
                    let mut game = || match random.random::<f64>() {
                        at if at < won => 1.0,
                        at if at < won + 1.0 / 3.0 => 0.5,
                        _ => 0.0,
                    };
                    meetings.push(meeting(first, second, game() + game(), 2.0));
                }
            }
            let ratings = ratings(5, &meetings);
            missed +=
                ratings.iter().zip(truth).filter(|(of, truth)| *truth < of.low || *truth > of.high).count();
        }
        let share = missed as f64 / f64::from(5 * runs);
        println!("{share} of the intervals miss the truth");
        assert!((0.001..0.07).contains(&share), "{share}");
    }

    #[test]
    fn two_players_are_apart_by_the_elo_of_their_score() {
        let meetings: Vec<_> = (0..100).map(|i| meeting(0, 1, if i < 64 { 1.0 } else { 0.0 }, 1.0)).collect();
        let ratings = ratings(2, &meetings);
        assert!((ratings[0].elo - ratings[1].elo - 99.95).abs() < 0.5, "{ratings:?}");
        assert!((ratings[0].elo + ratings[1].elo).abs() < 1e-6);
        assert!(ratings[0].low < ratings[0].elo && ratings[0].elo < ratings[0].high);
    }

    #[test]
    fn strength_passes_through_a_common_opponent() {
        let meetings = [meeting(0, 1, 75.0, 100.0), meeting(1, 2, 75.0, 100.0)];
        let elo = fitted(3, &meetings);
        assert!((elo[0] - elo[2] - 2.0 * 190.85).abs() < 1.0, "{elo:?}");
    }

    #[test]
    fn the_ratings_are_where_every_players_points_are_expected() {
        let meetings: Vec<_> = (0..40)
            .flat_map(|a| (0..a).map(move |b| meeting(b, a, f64::from((a * b % 5) as u8) / 2.0, 2.0)))
            .collect();
        let elo = fitted(40, &meetings);
        assert!(elo.iter().sum::<f64>().abs() < 1e-6);
        // The players' mean is not the prior's zero, which only has the weight of a hundredth of a game.
        for player in 0..40 {
            let expected = |other: usize| 1.0 / (1.0 + 10f64.powf((elo[other] - elo[player]) / 400.0));
            let others = (0..40).filter(|&other| other != player);
            let sum: f64 = others.map(|other| 2.0 * expected(other)).sum();
            let of = |m: &Meeting| if m.first == player { m.points } else { 2.0 - m.points };
            let has = |m: &&Meeting| m.first == player || m.second == player;
            let points: f64 = meetings.iter().filter(has).map(of).sum::<f64>();
            assert!((sum - points).abs() < 0.011, "{player}: {sum} and {points}");
        }
    }

    #[test]
    fn a_player_never_beaten_has_a_finite_rating() {
        let elo = fitted(2, &[meeting(0, 1, 10.0, 10.0)]);
        assert!(elo[0].is_finite() && elo[0] - elo[1] > 400.0);
    }

    #[test]
    fn results_alike_are_as_uncertain_as_in_the_estimate_of_two() {
        use crate::stats::elo::Estimate;
        use courses::results::Tally;
        // Pairs by their points: 0, ½, 1, 1½, 2.
        for pairs in [[0, 0, 0, 0, 1], [0, 0, 0, 0, 4], [0, 0, 10, 0, 0], [0, 1, 4, 1, 0], [3, 4, 6, 9, 8]] {
            let games: u64 = pairs.iter().sum::<u64>() * 2;
            let estimate = Estimate::of(&Tally { wins: games, pairs, ..Tally::default() }).unwrap();
            let meetings: Vec<Meeting> = (0..5)
                .flat_map(|half| std::iter::repeat_n(half, pairs[half] as usize))
                .map(|half| meeting(0, 1, half as f64 / 2.0, 2.0))
                .collect();
            let [first, second] = ratings(2, &meetings)[..] else { panic!("two players") };
            assert!(
                first.high >= first.elo && second.low <= second.elo && (second.elo + first.elo).abs() < 1e-9
            );
            for (end, expected) in [(2.0 * first.low, estimate.low), (2.0 * first.high, estimate.high)] {
                let most = 12.0 + 0.25 * (expected - estimate.elo).abs();
                assert!(
                    end == expected || (end - expected).abs() < most,
                    "{pairs:?}: {first:?} {estimate:?}"
                );
            }
        }
        let two = ratings(2, &[meeting(0, 1, 2.0, 2.0)]);
        assert!(two[0].text().ends_with(", +∞]") && two[1].text().contains("[-∞, "), "{two:?}");
    }

    #[test]
    fn a_player_of_three_that_always_won_has_no_upper_end() {
        let meetings = [meeting(0, 1, 2.0, 2.0), meeting(0, 2, 2.0, 2.0), meeting(1, 2, 1.0, 2.0)];
        let ratings = ratings(3, &meetings);
        assert!(ratings[0].high == f64::INFINITY && ratings[0].low < ratings[0].elo - 50.0, "{ratings:?}");
        assert!(ratings[1..].iter().all(|rating| rating.low < rating.elo && rating.elo < rating.high));
    }
}
