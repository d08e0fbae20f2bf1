//! Elo differences from scores.
//!
//! Source: A. Elo, "The rating of chessplayers, past and present", 1978; M. Van den Bergh, "Normalized Elo", and
//! fishtest, for the difference in units of the deviation of pairs of games.

use super::tally::Tally;
use super::{Z95, normal_cdf};
use serde::{Deserialize, Serialize};

/// Elo per unit of normalised difference: 800 / ln 10 (M. Van den Bergh, "Normalized Elo").
pub const PER_UNIT: f64 = 347.435_585_522_601_8;

/// An Elo difference and its interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The difference.
    pub elo: f64,
    /// The lower end of the 95 % interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// The likelihood of superiority: how sure it is that the difference is above zero.
    pub superiority: f64,
    /// The normalised difference: per standard deviation of one game, comparable between draw rates.
    pub normalised: f64,
}

/// The Elo difference of a score between 0 and 1; ±∞ at the ends.
fn of_score(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

/// The expected score at an Elo difference.
#[must_use]
pub fn score_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

impl Estimate {
    /// From a side's games; by pairs where there are any. `None` without a game.
    #[must_use]
    pub fn of(tally: &Tally) -> Option<Self> {
        if tally.games() == 0 {
            return None;
        }
        let sample = tally.sample();
        let (mean, seen) = sample.moments();
        // A few results alike would look certain: one more result with the spread of an even lottery is reckoned in.
        let lottery = 0.25 / sample.games;
        let variance = (seen * sample.count + lottery) / (sample.count + 1.0);
        let error = (variance / sample.count).sqrt();
        let at = |score: f64| of_score(score.clamp(0.0, 1.0));
        Some(Self {
            elo: at(mean),
            low: at(mean - Z95 * error),
            high: at(mean + Z95 * error),
            superiority: normal_cdf((mean - 0.5) / error),
            normalised: (mean - 0.5) / (variance * sample.games).sqrt() * PER_UNIT,
        })
    }

    /// As text: `+12.3 [+4.5, +20.1]`; an infinite end is written `∞`.
    #[must_use]
    pub fn text(&self) -> String {
        format!("{} [{}, {}]", signed(self.elo), signed(self.low), signed(self.high))
    }
}

/// An Elo figure with its sign; beyond ±1200, where a score is as good as whole, `∞`.
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
        // Every pair is split: each opening decides its games, the players are equal for certain.
        let paired = Tally { wins: 100, losses: 100, draws: 0, pairs: [0, 0, 100, 0, 0] };
        let single = Tally { pairs: [0; 5], ..paired };
        let (paired, single) = (Estimate::of(&paired).unwrap(), Estimate::of(&single).unwrap());
        assert!(paired.high < 6.0 && single.high > 40.0);
        assert!((single.elo).abs() < 1e-9 && (single.superiority - 0.5).abs() < 1e-6);
    }

    #[test]
    fn a_known_match_has_its_known_figures() {
        // 60 wins, 20 draws, 40 losses: 0.5833, standard error 0.0408 → [+3.2, +117.9] around +58.5.
        let tally = Tally { wins: 60, draws: 20, losses: 40, pairs: [0; 5] };
        let estimate = Estimate::of(&tally).unwrap();
        assert!((estimate.elo - 58.45).abs() < 0.1, "{estimate:?}");
        assert!((estimate.low - 2.3).abs() < 1.0 && (estimate.high - 117.4).abs() < 2.0, "{estimate:?}");
        assert!((estimate.superiority - 0.979).abs() < 0.002, "{estimate:?}");
        assert_eq!(signed(-3.25), "−3.2");
    }
}
