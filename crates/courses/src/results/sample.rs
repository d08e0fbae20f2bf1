//! Samples of independent results: single games, or pairs of games.

use super::Tally;

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
    /// The sample to judge by: the pairs if there are any, else the single games.
    #[must_use]
    pub fn of(tally: &Tally) -> Self {
        if tally.pairs.iter().sum::<u64>() > 0 {
            Self::pairs(tally.pairs)
        } else {
            Self::games(tally.wins, tally.draws, tally.losses)
        }
    }

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
#[must_use]
pub fn moments(shares: &[(f64, f64)]) -> (f64, f64) {
    let mean: f64 = shares.iter().map(|(value, share)| value * share).sum();
    let variance = shares.iter().map(|(value, share)| share * (value - mean).powi(2)).sum();
    (mean, variance)
}
