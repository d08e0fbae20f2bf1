//! Ratings of many players from all their games.
//!
//! Source: R. Bradley, M. Terry, "Rank analysis of incomplete block designs: I. The method of paired comparisons",
//! 1952.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};

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
    /// As text: `+12 [-4, +28]`.
    #[must_use]
    pub fn text(&self) -> String {
        format!("{:+.0} [{:+.0}, {:+.0}]", self.elo, self.low, self.high)
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
/// replacement.
#[must_use]
pub fn ratings(players: usize, meetings: &[Meeting], seed: u64) -> Vec<Rating> {
    const RESAMPLES: usize = 400;
    let best = fit(players, meetings.iter().copied());
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut draws: Vec<Vec<f64>> = vec![Vec::with_capacity(RESAMPLES); players];
    if !meetings.is_empty() {
        for _ in 0..RESAMPLES {
            let again = (0..meetings.len()).map(|_| meetings[random.random_range(0..meetings.len())]);
            for (draw, elo) in draws.iter_mut().zip(fit(players, again)) {
                draw.push(elo);
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

/// The likeliest ratings, by Newton's method: the likelihood has one summit. A hundredth of a drawn game between every two
/// players keeps the ratings of the never beaten finite.
fn fit(players: usize, meetings: impl Iterator<Item = Meeting>) -> Vec<f64> {
    const PRIOR: f64 = 0.01;
    let others = players.saturating_sub(1) as f64;
    let mut points = vec![others * PRIOR / 2.0; players];
    // Below the diagonal: games of every two.
    let mut games = vec![PRIOR; players * players];
    for meeting in meetings {
        let Meeting { first, second, points: won, games: played } = meeting;
        points[first] += won;
        points[second] += played - won;
        games[first.max(second) * players + first.min(second)] += played;
    }
    let mut logs = vec![0.0f64; players];
    for _ in 0..200 {
        let (mut step, curvature) = slope(&points, &games, &logs);
        solve(curvature, &mut step);
        // A rating far from its place is led there in strides of a factor.
        let most = step.iter().fold(0.0f64, |most, step| most.max(step.abs()));
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
        let elo = fit(3, meetings.into_iter());
        assert!((elo[0] - elo[2] - 2.0 * 190.85).abs() < 1.0, "{elo:?}");
    }

    #[test]
    fn the_ratings_are_where_every_players_points_are_expected() {
        let meetings: Vec<_> = (0..40)
            .flat_map(|a| (0..a).map(move |b| meeting(b, a, f64::from((a * b % 5) as u8) / 2.0, 2.0)))
            .collect();
        let elo = fit(40, meetings.iter().copied());
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
        let elo = fit(2, [meeting(0, 1, 10.0, 10.0)].into_iter());
        assert!(elo[0].is_finite() && elo[0] - elo[1] > 400.0);
    }
}
