//! Elo differences from scores, with the interval of [`interval`](super::interval).
//!
//! Source: A. Elo, "The rating of chessplayers, past and present", 1978; M. Van den Bergh, "Normalized Elo", and
//! fishtest, for the difference in units of the deviation of pairs of games.

use super::Tally;
use super::interval::{interval, superiority};
use super::sample::Sample;
use serde::{Deserialize, Serialize};

/// Elo per unit of normalised difference: 800 / ln 10 (M. Van den Bergh, "Normalized Elo").
pub const PER_UNIT: f64 = 347.435_585_522_601_8;

/// An Elo difference with its interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The score a game, from 0 to 1.
    pub score: f64,
    /// The lower end of the score's 95 % interval.
    pub score_low: f64,
    /// The upper end of the score's 95 % interval.
    pub score_high: f64,
    /// The Elo difference.
    pub elo: f64,
    /// The lower end of the difference's 95 % interval.
    pub low: f64,
    /// The upper end of the difference's 95 % interval.
    pub high: f64,
    /// The likelihood of superiority: the probability that the difference is above zero.
    pub superiority: f64,
    /// The normalised difference, in standard deviations of one game, comparable between draw rates.
    pub normalised: f64,
}

/// Returns the Elo difference of a score between 0 and 1, ±∞ at the ends.
fn of_score(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

/// Returns the expected score at an Elo difference.
#[must_use]
pub fn score_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

impl Estimate {
    /// Estimates from a side's games, by pairs if there are any. Returns `None` without games.
    #[must_use]
    pub fn of(tally: &Tally) -> Option<Self> {
        if tally.games() == 0 {
            return None;
        }
        let sample = Sample::of(tally);
        let (_, seen) = sample.moments();
        let mean = sample.mean();
        // Equal results would have no deviation, so one more result with the variance of a fair coin is added.
        let lottery = 0.25 / sample.games;
        let variance = (seen * sample.count + lottery) / (sample.count + 1.0);
        let (score_low, score_high) = interval(&sample.counts);
        Some(Self {
            score: mean,
            score_low,
            score_high,
            elo: of_score(mean),
            low: of_score(score_low),
            high: of_score(score_high),
            superiority: superiority(&sample.counts),
            normalised: (mean - 0.5) / (variance * sample.games).sqrt() * PER_UNIT,
        })
    }

    /// Formats `+12.3 [+4.5, +20.1]`, with `∞` for an infinite end.
    #[must_use]
    pub fn text(&self) -> String {
        format!("{} [{}, {}]", signed(self.elo), signed(self.low), signed(self.high))
    }
}

/// Formats an Elo figure with its sign, or `∞` beyond ±1200, where a score is practically 0 or 1.
#[must_use]
pub fn signed(elo: f64) -> String {
    match elo {
        elo if elo > 1200.0 => "+∞".to_owned(),
        elo if elo < -1200.0 => "−∞".to_owned(),
        elo if elo < 0.0 => format!("−{:.1}", -elo),
        elo => format!("+{elo:.1}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_and_elo_are_each_others_inverse() {
        assert!((of_score(0.64) - 99.95).abs() < 0.01);
        for elo in [-300.0, 0.0, 12.5, 700.0] {
            assert!((of_score(score_of(elo)) - elo).abs() < 1e-9);
        }
    }

    #[test]
    fn the_interval_over_pairs_is_narrower_when_pairs_cancel_the_opening() {
        // Every pair is split: the opening decides each game, so the players are certainly equal.
        let paired = Tally { wins: 100, losses: 100, draws: 0, pairs: [0, 0, 100, 0, 0] };
        let single = Tally { pairs: [0; 5], ..paired };
        let (paired, single) = (Estimate::of(&paired).unwrap(), Estimate::of(&single).unwrap());
        assert!(paired.high < 13.0 && single.high > 40.0, "{paired:?} {single:?}");
        assert!((single.elo).abs() < 1e-9 && (single.superiority - 0.5).abs() < 1e-6);
    }

    #[test]
    fn one_pair_or_two_prove_nothing() {
        for won in [1, 2] {
            let tally = Tally { wins: 2 * won, pairs: [0, 0, 0, 0, won], ..Tally::default() };
            let estimate = Estimate::of(&tally).unwrap();
            assert!(estimate.low < -200.0 / won as f64 && estimate.high == f64::INFINITY, "{estimate:?}");
            assert!(estimate.superiority < 0.94, "{estimate:?}");
            assert!(estimate.score_low < 0.2 && estimate.score_high == 1.0, "{estimate:?}");
        }
        let level = Tally { draws: 4, pairs: [0, 0, 2, 0, 0], ..Tally::default() };
        let level = Estimate::of(&level).unwrap();
        assert!(level.score == 0.5 && level.score_high > 0.8 && level.score_low < 0.2, "{level:?}");
    }

    #[test]
    fn a_known_match_has_its_known_figures() {
        // 60 wins, 20 draws, 40 losses: 0.5833, standard error 0.0408. The normal distribution gives [+3.2, +117.9]
        // around +58.5.
        let tally = Tally { wins: 60, draws: 20, losses: 40, pairs: [0; 5] };
        let estimate = Estimate::of(&tally).unwrap();
        assert!((estimate.elo - 58.45).abs() < 0.1, "{estimate:?}");
        assert!(
            (-2.0..3.2).contains(&estimate.low) && (117.9..124.0).contains(&estimate.high),
            "{estimate:?}"
        );
        assert!((estimate.superiority - 0.979).abs() < 0.003, "{estimate:?}");
        assert_eq!(signed(-3.25), "−3.2");
    }

    /// Returns how often the interval excludes zero over `count` pairs of equal players. `levels` are the points of a
    /// pair in halves, `law` their probabilities.
    fn misses(levels: &[usize], law: &[f64], count: u64) -> f64 {
        let logs: Vec<f64> = (0..=count).map(|n| (1..=n).map(|k| (k as f64).ln()).sum()).collect();
        let mut missed = 0.0;
        let mut counts = vec![0u64; levels.len()];
        counts[0] = count;
        loop {
            let mut tally = Tally { draws: 2 * count, ..Tally::default() };
            let mut log = logs[count as usize];
            for ((&level, &share), &seen) in levels.iter().zip(law).zip(&counts) {
                tally.pairs[level] = seen;
                log += seen as f64 * share.ln() - logs[seen as usize];
            }
            let estimate = Estimate::of(&tally).unwrap();
            if estimate.low > 0.0 || estimate.high < 0.0 {
                missed += log.exp();
            }
            // The next composition of the pairs.
            let Some(at) = (0..counts.len() - 1).rev().find(|&at| counts[at] > 0) else { return missed };
            let rest: u64 = counts[at + 1..].iter().sum();
            counts[at] -= 1;
            counts[at + 1..].fill(0);
            counts[at + 1] = rest + 1;
        }
    }

    #[test]
    fn the_interval_of_few_pairs_between_equals_leaves_zero_out_in_seven_of_a_hundred_at_most() {
        let mut worst = (0.0, String::new());
        let mut hold = |levels: &[usize], law: &[f64], count: u64| {
            let share = misses(levels, law, count);
            if share > worst.0 {
                worst = (share, format!("{count} pairs of {levels:?} with {law:?}"));
            }
        };
        for count in 1..=30 {
            // All pairs decided, by two points or one; most drawn; asymmetric distributions with the same mean; all
            // five results.
            hold(&[0, 4], &[0.5, 0.5], count);
            hold(&[1, 3], &[0.5, 0.5], count);
            if count <= 8 || count % 10 == 0 {
                hold(&[0, 2, 4], &[0.25, 0.5, 0.25], count);
                hold(&[0, 2, 4], &[0.03, 0.94, 0.03], count);
                hold(&[1, 2, 3], &[0.1, 0.8, 0.1], count);
                hold(&[0, 2, 3], &[0.2, 0.4, 0.4], count);
                hold(&[0, 3, 4], &[0.9 - 0.4 / 0.75, 0.4 / 0.75, 0.1], count);
            }
            if count <= 5 {
                hold(&[0, 1, 2, 3, 4], &[0.06, 0.22, 0.44, 0.22, 0.06], count);
                hold(&[0, 1, 2, 3, 4], &[0.3, 0.15, 0.1, 0.15, 0.3], count);
            }
        }
        println!("at worst {:.1} %: {}", 100.0 * worst.0, worst.1);
        assert!(worst.0 <= 0.07, "{worst:?}");
    }
}
