//! Wins, draws and losses of one side, by game and by pair.

use serde::{Deserialize, Serialize};

/// A tally of one side's games. The games of a pair share their opening with sides swapped, so that the opening's luck
/// cancels. The pair, not the game, is the independent unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Number of pairs by their points: 0, ½, 1, 1½, 2.
    pub pairs: [u64; 5],
}

impl Tally {
    /// Adds a game by its points: 0, ½ or 1. [`add_pair`](Self::add_pair) adds its pair.
    pub fn add(&mut self, points: f64) {
        match points {
            p if p > 0.75 => self.wins += 1,
            p if p < 0.25 => self.losses += 1,
            _ => self.draws += 1,
        }
    }

    /// Adds a pair by the points of both games.
    pub fn add_pair(&mut self, first: f64, second: f64) {
        self.pairs[((first + second) * 2.0).round().clamp(0.0, 4.0) as usize] += 1;
    }

    /// Returns the number of games.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Returns the points.
    #[must_use]
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// Returns the points a game, ½ without games.
    #[must_use]
    pub fn score(&self) -> f64 {
        if self.games() == 0 { 0.5 } else { self.points() / self.games() as f64 }
    }

    /// Returns the tally of the other side.
    #[must_use]
    pub fn reversed(&self) -> Self {
        let mut pairs = self.pairs;
        pairs.reverse();
        Self { wins: self.losses, draws: self.draws, losses: self.wins, pairs }
    }

    /// Returns the sample for statistics: the pairs if there are any, else the single games.
    #[must_use]
    pub fn sample(&self) -> Sample {
        if self.pairs.iter().sum::<u64>() > 0 {
            Sample::pairs(self.pairs)
        } else {
            Sample::games(self.wins, self.draws, self.losses)
        }
    }
}

/// A sample of independent results: the frequency of each score between 0 and 1.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    /// The number of results.
    pub count: f64,
    /// The number of results of each score, in equal steps from 0 to 1.
    pub counts: Vec<f64>,
    /// Scores, from 0 to 1, with their shares, which add up to 1.
    pub shares: Vec<(f64, f64)>,
    /// Number of games in a result: 2 for pairs.
    pub games: f64,
}

impl Sample {
    /// Creates a sample of pairs, by their points 0, ½, 1, 1½, 2.
    #[must_use]
    pub fn pairs(counts: [u64; 5]) -> Self {
        Self::new(&counts, 2.0)
    }

    /// Creates a sample of single games.
    #[must_use]
    pub fn games(wins: u64, draws: u64, losses: u64) -> Self {
        Self::new(&[losses, draws, wins], 1.0)
    }

    /// A result without occurrences counts as a thousandth, so that no likelihood is infinite, as on the chess engines'
    /// test servers.
    fn new(counts: &[u64], games: f64) -> Self {
        let counts: Vec<f64> = counts.iter().map(|&count| count as f64).collect();
        let seen: Vec<f64> = counts.iter().map(|count| count.max(1e-3)).collect();
        let total: f64 = seen.iter().sum();
        let last = (counts.len() - 1) as f64;
        let shares = seen.iter().enumerate().map(|(i, count)| (i as f64 / last, count / total)).collect();
        Self { count: total, counts, shares, games }
    }

    /// Returns the mean of one result.
    #[must_use]
    pub fn mean(&self) -> f64 {
        let last = (self.counts.len() - 1) as f64;
        let points: f64 = self.counts.iter().enumerate().map(|(i, count)| i as f64 / last * count).sum();
        points / self.counts.iter().sum::<f64>()
    }

    /// Returns the mean and the variance of one result.
    #[must_use]
    pub fn moments(&self) -> (f64, f64) {
        moments(&self.shares)
    }
}

/// Returns the mean and the variance of a distribution of values and shares.
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
