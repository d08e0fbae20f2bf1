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

/// The likeliest ratings, by Hunter's minorisation-maximisation. A hundredth of a drawn game between every two players
/// keeps the ratings of the never beaten finite.
fn fit(players: usize, meetings: impl Iterator<Item = Meeting>) -> Vec<f64> {
    let mut points = vec![0.0; players];
    let mut games = vec![0.0; players * players];
    for meeting in meetings {
        points[meeting.first] += meeting.points;
        points[meeting.second] += meeting.games - meeting.points;
        games[meeting.first * players + meeting.second] += meeting.games;
        games[meeting.second * players + meeting.first] += meeting.games;
    }
    let prior = 0.01;
    for i in 0..players {
        for j in 0..players {
            if i != j {
                games[i * players + j] += prior;
                points[i] += prior / 2.0;
            }
        }
    }
    let mut strength = vec![1.0f64; players];
    for _ in 0..500 {
        let mut moved: f64 = 0.0;
        for i in 0..players {
            let sum: f64 = (0..players)
                .filter(|&j| j != i)
                .map(|j| games[i * players + j] / (strength[i] + strength[j]))
                .sum();
            if sum > 0.0 {
                let next = points[i] / sum;
                moved = moved.max((next / strength[i]).ln().abs());
                strength[i] = next;
            }
        }
        if moved < 1e-7 {
            break;
        }
    }
    let elo: Vec<f64> = strength.iter().map(|strength| 400.0 * strength.log10()).collect();
    let mean = elo.iter().sum::<f64>() / players.max(1) as f64;
    elo.iter().map(|elo| elo - mean).collect()
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
    fn a_player_never_beaten_has_a_finite_rating() {
        let elo = fit(2, [meeting(0, 1, 10.0, 10.0)].into_iter());
        assert!(elo[0].is_finite() && elo[0] - elo[1] > 400.0);
    }
}
