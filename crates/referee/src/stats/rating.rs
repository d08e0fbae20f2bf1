//! Ratings of many players from all their games.
//!
//! Source: R. Bradley, M. Terry, "Rank analysis of incomplete block designs: I. The method of paired comparisons",
//! 1952.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A rating and its interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Rating {
    /// Elo, the players' mean at zero.
    pub elo: f64,
    /// The lower end of the 95 % interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Rating {
    /// As text: `+12 [-4, +28]`; an infinite end is written `∞`.
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

/// The result of two players in one unit of chance (a pair of games, or one game): indices, the first one's
/// points and the games.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Meeting {
    /// One player.
    pub first: usize,
    /// The other.
    pub second: usize,
    /// Points of the first.
    pub points: f64,
    /// Games.
    pub games: f64,
}

/// Elo ratings by the Bradley-Terry model with draws as half points; intervals by drawing the meetings again with
/// replacement, and one more result of every two players with them, as in [`Estimate::of`](super::elo::Estimate::of). An
/// end is infinite where a player could as well have won, or lost, all games.
#[must_use]
pub fn ratings(players: usize, meetings: &[Meeting], seed: u64) -> Vec<Rating> {
    const RESAMPLES: usize = 400;
    let best = fit(&Totals::of(players, meetings.iter().copied()));
    let spreads = spreads(meetings);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut draws: Vec<Vec<f64>> = vec![Vec::with_capacity(RESAMPLES); players];
    if !meetings.is_empty() {
        for _ in 0..RESAMPLES {
            let again = (0..meetings.len()).map(|_| {
                let meeting = meetings[random.random_range(0..meetings.len())];
                let spread = spreads[&(meeting.first, meeting.second)];
                Meeting { points: meeting.points + spread * normal(&mut random), ..meeting }
            });
            let totals = Totals::of(players, again);
            for (player, elo) in fit(&totals).into_iter().enumerate() {
                draws[player].push(totals.end(player).unwrap_or(elo));
            }
        }
    }
    best.into_iter()
        .zip(draws)
        .map(|(elo, mut draw)| {
            draw.sort_by(f64::total_cmp);
            let at = |share: f64| {
                draw.get((share * draw.len() as f64) as usize).or(draw.last()).copied().unwrap_or(elo)
            };
            Rating { elo, low: at(0.025).min(elo), high: at(0.975).max(elo) }
        })
        .collect()
}

/// The spread that the results of every two players lack, in points a meeting: a few results alike would look certain, so
/// that one more with the spread of an even lottery is reckoned in.
fn spreads(meetings: &[Meeting]) -> BTreeMap<(usize, usize), f64> {
    let mut of: BTreeMap<(usize, usize), Vec<&Meeting>> = BTreeMap::new();
    for meeting in meetings {
        of.entry((meeting.first, meeting.second)).or_default().push(meeting);
    }
    let spread = |meetings: Vec<&Meeting>| {
        let count = meetings.len() as f64;
        let mean = |value: &dyn Fn(&Meeting) -> f64| meetings.iter().map(|of| value(of)).sum::<f64>() / count;
        let games = mean(&|of| of.games);
        let score = mean(&|of| of.points / of.games);
        let seen = mean(&|of| (of.points / of.games - score).powi(2));
        let lottery = 0.25 / games;
        games * ((lottery - seen).max(0.0) / (count + 1.0)).sqrt()
    };
    of.into_iter().map(|(pair, meetings)| (pair, spread(meetings))).collect()
}

/// A number drawn from the standard normal law (Box and Muller 1958).
fn normal(random: &mut Xoshiro256PlusPlus) -> f64 {
    let [first, second] = [(); 2].map(|()| random.random::<f64>());
    (-2.0 * (1.0 - first).ln()).sqrt() * (std::f64::consts::TAU * second).cos()
}

/// The points of all players, and the games of every two, as the likelihood needs them.
struct Totals {
    points: Vec<f64>,
    /// Games of each player.
    played: Vec<f64>,
    /// Below the diagonal: games of every two.
    games: Vec<f64>,
}

impl Totals {
    fn of(players: usize, meetings: impl Iterator<Item = Meeting>) -> Self {
        let mut totals = Self {
            points: vec![0.0; players],
            played: vec![0.0; players],
            games: vec![0.0; players * players],
        };
        for meeting in meetings {
            let Meeting { first, second, points, games } = meeting;
            totals.points[first] += points;
            totals.points[second] += games - points;
            totals.played[first] += games;
            totals.played[second] += games;
            totals.games[first.max(second) * players + first.min(second)] += games;
        }
        totals
    }

    /// The infinite rating of a player that won or lost all games.
    fn end(&self, player: usize) -> Option<f64> {
        let (points, games) = (self.points[player], self.played[player]);
        match () {
            () if games == 0.0 => None,
            () if points >= games => Some(f64::INFINITY),
            () if points <= 0.0 => Some(f64::NEG_INFINITY),
            () => None,
        }
    }
}

/// The likeliest ratings, by Newton's method: the likelihood has one summit. A hundredth of a drawn game between every two
/// players keeps the ratings of the never beaten finite.
fn fit(totals: &Totals) -> Vec<f64> {
    const PRIOR: f64 = 0.01;
    let players = totals.points.len();
    let others = players.saturating_sub(1) as f64;
    let bounded = |(points, games): (&f64, &f64)| points.clamp(0.0, *games) + others * PRIOR / 2.0;
    let points: Vec<f64> = totals.points.iter().zip(&totals.played).map(bounded).collect();
    let games: Vec<f64> = totals.games.iter().map(|games| games + PRIOR).collect();
    let mut logs = vec![0.0f64; players];
    for _ in 0..200 {
        let (mut step, curvature) = slope(&points, &games, &logs);
        solve(curvature, &mut step);
        // A rating far from its place is led there in strides of a factor.
        let most = step.iter().fold(0.0f64, |most, step| most.max(step.abs()));
        // Drawn points that no games give have no summit: what is reached is far enough.
        if !step.iter().all(|step| step.is_finite()) {
            break;
        }
        let stride = (1.0 / most).min(1.0);
        logs.iter_mut().zip(&step).for_each(|(log, step)| *log += stride * step);
        if most < 1e-9 {
            break;
        }
    }
    let mean = logs.iter().sum::<f64>() / players.max(1) as f64;
    logs.iter().map(|log| 400.0 * (log - mean) / std::f64::consts::LN_10).collect()
}

/// The likelihood's gradient at the logarithms of strengths, and the lower triangle of its negated second derivatives,
/// which are made definite: nothing but the mean is free in them.
fn slope(points: &[f64], games: &[f64], logs: &[f64]) -> (Vec<f64>, Vec<f64>) {
    let players = points.len();
    let strengths: Vec<f64> = logs.iter().map(|log| log.exp()).collect();
    let (mut gradient, mut curvature) = (points.to_vec(), vec![0.0; players * players]);
    for i in 0..players {
        for j in 0..i {
            let count = games[i * players + j];
            let chance = strengths[i] / (strengths[i] + strengths[j]);
            let bend = count * chance * (1.0 - chance);
            gradient[i] -= count * chance;
            gradient[j] -= count * (1.0 - chance);
            curvature[i * players + j] = 1.0 - bend;
            curvature[i * players + i] += bend;
            curvature[j * players + j] += bend;
        }
    }
    (0..players).for_each(|i| curvature[i * players + i] += 1.0);
    (gradient, curvature)
}

/// Puts the solution of a positive definite system, of which the lower triangle is given, in the place of its right side
/// (Cholesky).
fn solve(mut matrix: Vec<f64>, right: &mut [f64]) {
    let size = right.len();
    for i in 0..size {
        let (above, row) = matrix.split_at_mut(i * size);
        for j in 0..i {
            let other = &above[j * size..=j * size + j];
            let sum: f64 = row[..j].iter().zip(other).map(|(a, b)| a * b).sum();
            row[j] = (row[j] - sum) / other[j];
        }
        let sum: f64 = row[..i].iter().map(|a| a * a).sum();
        row[i] = (row[i] - sum).sqrt();
        let sum: f64 = row[..i].iter().zip(&*right).map(|(a, b)| a * b).sum();
        right[i] = (right[i] - sum) / row[i];
    }
    for i in (0..size).rev() {
        right[i] /= matrix[i * size + i];
        for j in 0..i {
            right[j] -= matrix[i * size + j] * right[i];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meeting(first: usize, second: usize, points: f64, games: f64) -> Meeting {
        Meeting { first, second, points, games }
    }

    #[test]
    fn two_players_are_apart_by_the_elo_of_their_score() {
        let meetings: Vec<_> = (0..100).map(|i| meeting(0, 1, if i < 64 { 1.0 } else { 0.0 }, 1.0)).collect();
        let ratings = ratings(2, &meetings, 1);
        assert!((ratings[0].elo - ratings[1].elo - 99.95).abs() < 0.5, "{ratings:?}");
        assert!((ratings[0].elo + ratings[1].elo).abs() < 1e-6);
        assert!(ratings[0].low < ratings[0].elo && ratings[0].elo < ratings[0].high);
    }

    #[test]
    fn strength_passes_through_a_common_opponent() {
        let meetings = [meeting(0, 1, 75.0, 100.0), meeting(1, 2, 75.0, 100.0)];
        let elo = fit(&Totals::of(3, meetings.into_iter()));
        assert!((elo[0] - elo[2] - 2.0 * 190.85).abs() < 1.0, "{elo:?}");
    }

    #[test]
    fn the_ratings_are_where_every_players_points_are_expected() {
        let meetings: Vec<_> = (0..40)
            .flat_map(|a| (0..a).map(move |b| meeting(b, a, f64::from((a * b % 5) as u8) / 2.0, 2.0)))
            .collect();
        let elo = fit(&Totals::of(40, meetings.iter().copied()));
        assert!(elo.iter().sum::<f64>().abs() < 1e-6);
        for player in 0..40 {
            let expected = |other: usize| 1.0 / (1.0 + 10f64.powf((elo[other] - elo[player]) / 400.0));
            let others = (0..40).filter(|&other| other != player);
            let sum: f64 = others.map(|other| 2.01 * expected(other)).sum();
            let of = |m: &Meeting| if m.first == player { m.points } else { 2.0 - m.points };
            let has = |m: &&Meeting| m.first == player || m.second == player;
            let points: f64 = meetings.iter().filter(has).map(of).sum::<f64>() + 39.0 * 0.005;
            assert!((sum - points).abs() < 1e-6, "{player}: {sum} and {points}");
        }
    }

    #[test]
    fn a_player_never_beaten_has_a_finite_rating() {
        let elo = fit(&Totals::of(2, [meeting(0, 1, 10.0, 10.0)].into_iter()));
        assert!(elo[0].is_finite() && elo[0] - elo[1] > 400.0);
    }

    #[test]
    fn results_alike_are_as_uncertain_as_in_the_estimate_of_two() {
        use crate::stats::elo::Estimate;
        use crate::stats::tally::Tally;
        // Pairs by their points: 0, ½, 1, 1½, 2.
        for pairs in [[0, 0, 0, 0, 1], [0, 0, 0, 0, 4], [0, 0, 10, 0, 0], [0, 1, 4, 1, 0], [3, 4, 6, 9, 8]] {
            let games: u64 = pairs.iter().sum::<u64>() * 2;
            let estimate = Estimate::of(&Tally { wins: games, pairs, ..Tally::default() }).unwrap();
            let meetings: Vec<Meeting> = (0..5)
                .flat_map(|half| std::iter::repeat_n(half, pairs[half] as usize))
                .map(|half| meeting(0, 1, half as f64 / 2.0, 2.0))
                .collect();
            let [first, second] = ratings(2, &meetings, 1)[..] else { panic!("two players") };
            assert!(first.high >= first.elo && second.low <= second.elo && second.elo == -first.elo);
            for (end, expected) in [(2.0 * first.low, estimate.low), (2.0 * first.high, estimate.high)] {
                let most = 12.0 + 0.25 * (expected - estimate.elo).abs();
                assert!(
                    end == expected || (end - expected).abs() < most,
                    "{pairs:?}: {first:?} {estimate:?}"
                );
            }
        }
        let two = ratings(2, &[meeting(0, 1, 2.0, 2.0)], 1);
        assert!(two[0].text().ends_with(", +∞]") && two[1].text().contains("[-∞, "), "{two:?}");
    }

    #[test]
    fn a_player_of_three_that_always_won_has_no_upper_end() {
        let meetings = [meeting(0, 1, 2.0, 2.0), meeting(0, 2, 2.0, 2.0), meeting(1, 2, 1.0, 2.0)];
        let ratings = ratings(3, &meetings, 1);
        assert!(ratings[0].high == f64::INFINITY && ratings[0].low < ratings[0].elo - 50.0, "{ratings:?}");
        assert!(ratings[1..].iter().all(|rating| rating.low < rating.elo && rating.elo < rating.high));
    }
}
