//! Wins, draws and losses of one side, one by one and in pairs.

use serde::{Deserialize, Serialize};

/// A tally of one side's games. Games of a pair share their opening with the sides swapped, so that luck of the
/// opening cancels: the pair, not the game, is the unit of chance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Pairs by their points: 0, ½, 1, 1½, 2.
    pub pairs: [u64; 5],
}

impl Tally {
    /// Counts a game by its points: 0, ½ or 1. The game's pair is counted by [`add_pair`](Self::add_pair).
    pub fn add(&mut self, points: f64) {
        match points {
            p if p > 0.75 => self.wins += 1,
            p if p < 0.25 => self.losses += 1,
            _ => self.draws += 1,
        }
    }

    /// Counts a whole pair by the points of both its games.
    pub fn add_pair(&mut self, first: f64, second: f64) {
        self.pairs[((first + second) * 2.0).round().clamp(0.0, 4.0) as usize] += 1;
    }

    /// Games.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points.
    #[must_use]
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// Points a game; ½ without any.
    #[must_use]
    pub fn score(&self) -> f64 {
        if self.games() == 0 { 0.5 } else { self.points() / self.games() as f64 }
    }

    /// The same games seen from the other side.
    #[must_use]
    pub fn reversed(&self) -> Self {
        let mut pairs = self.pairs;
        pairs.reverse();
        Self { wins: self.losses, draws: self.draws, losses: self.wins, pairs }
    }

    /// The sample to judge by: the pairs if there are any, else the single games.
    #[must_use]
    pub fn sample(&self) -> Sample {
        if self.pairs.iter().sum::<u64>() > 0 {
            Sample::pairs(self.pairs)
        } else {
            Sample::games(self.wins, self.draws, self.losses)
        }
    }
}

/// A sample of independent results: how often each score between 0 and 1 was seen.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    /// The number of results.
    pub count: f64,
    /// The number of results of each score, in equal steps from 0 to 1.
    pub counts: Vec<f64>,
    /// Scores, from 0 to 1, with their shares; shares add up to 1.
    pub shares: Vec<(f64, f64)>,
    /// Games in a result: 2 for pairs.
    pub games: f64,
}

impl Sample {
    /// Pairs by their points 0, ½, 1, 1½, 2.
    #[must_use]
    pub fn pairs(counts: [u64; 5]) -> Self {
        Self::new(&counts, 2.0)
    }

    /// Single games.
    #[must_use]
    pub fn games(wins: u64, draws: u64, losses: u64) -> Self {
        Self::new(&[losses, draws, wins], 1.0)
    }

    /// A result never seen counts as a thousandth, so that no likelihood is infinite (as the chess engines' test
    /// servers do).
    fn new(counts: &[u64], games: f64) -> Self {
        let counts: Vec<f64> = counts.iter().map(|&count| count as f64).collect();
        let seen: Vec<f64> = counts.iter().map(|count| count.max(1e-3)).collect();
        let total: f64 = seen.iter().sum();
        let last = (counts.len() - 1) as f64;
        let shares = seen.iter().enumerate().map(|(i, count)| (i as f64 / last, count / total)).collect();
        Self { count: total, counts, shares, games }
    }

    /// The mean of one result.
    #[must_use]
    pub fn mean(&self) -> f64 {
        let last = (self.counts.len() - 1) as f64;
        let points: f64 = self.counts.iter().enumerate().map(|(i, count)| i as f64 / last * count).sum();
        points / self.counts.iter().sum::<f64>()
    }

    /// Mean and variance of one result.
    #[must_use]
    pub fn moments(&self) -> (f64, f64) {
        moments(&self.shares)
    }
}

/// Mean and variance of a distribution given as values and shares.
pub(super) fn moments(shares: &[(f64, f64)]) -> (f64, f64) {
    let mean: f64 = shares.iter().map(|(value, share)| value * share).sum();
    let variance = shares.iter().map(|(value, share)| share * (value - mean).powi(2)).sum();
    (mean, variance)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_counted_by_their_points() {
        let mut tally = Tally::default();
        for (first, second) in [(1.0, 1.0), (1.0, 0.0), (0.5, 0.5), (0.0, 0.5), (0.0, 0.0)] {
            tally.add(first);
            tally.add(second);
            tally.add_pair(first, second);
        }
        assert_eq!((tally.wins, tally.draws, tally.losses), (3, 3, 4));
        assert_eq!(tally.pairs, [1, 1, 2, 0, 1]);
        assert_eq!(tally.reversed().pairs, [1, 0, 2, 1, 1]);
        assert_eq!(tally.points(), 4.5);
    }
}
