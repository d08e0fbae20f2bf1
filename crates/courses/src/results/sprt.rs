//! The sequential probability ratio test, which stops as soon as the games prove one of two differences.
//!
//! The log-likelihood ratio is generalised: both hypotheses are replaced by the likeliest distributions of results that
//! satisfy them (M. Van den Bergh, "A practical introduction to the GSPRT" and "Normalized Elo practical").
//!
//! Source: A. Wald, "Sequential tests of statistical hypotheses", 1945; M. Van den Bergh, "A practical introduction to
//! the GSPRT".

use super::elo::{PER_UNIT, score_of};
use super::sample::{Sample, moments};
use serde::{Deserialize, Serialize};

/// The unit of the bounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scale {
    /// Elo of the expected score.
    Logistic,
    /// Normalised Elo: the mean score in standard deviations of a game. The number of games needed does not depend on the
    /// draw rate.
    Normalised,
}

/// A test of "at most `elo0`" against "at least `elo1`".
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Sprt {
    /// The difference of the null hypothesis.
    pub elo0: f64,
    /// The difference of the alternative hypothesis.
    pub elo1: f64,
    /// The unit of both differences.
    pub scale: Scale,
    /// The error rate at a difference of `elo0`: the test passes.
    pub alpha: f64,
    /// The error rate at a difference of `elo1`: the test fails.
    pub beta: f64,
}

/// The state of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// No decision yet.
    Undecided,
    /// At least `elo1` is accepted.
    Passed,
    /// At most `elo0` is accepted.
    Failed,
}

impl Sprt {
    /// Returns the log-likelihood ratios at which the test ends, by A. Wald.
    #[must_use]
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// Returns the log-likelihood ratio of a sample.
    #[must_use]
    pub fn ratio(&self, sample: &Sample) -> f64 {
        let (likely0, likely1) = match self.scale {
            Scale::Logistic => (
                likeliest_with_mean(&sample.shares, score_of(self.elo0)),
                likeliest_with_mean(&sample.shares, score_of(self.elo1)),
            ),
            Scale::Normalised => {
                let t = |elo: f64| elo / PER_UNIT * sample.games.sqrt();
                (
                    likeliest_with_t_value(&sample.shares, t(self.elo0)),
                    likeliest_with_t_value(&sample.shares, t(self.elo1)),
                )
            }
        };
        let sum: f64 = sample
            .shares
            .iter()
            .zip(likely0.iter().zip(&likely1))
            .map(|((_, seen), (p0, p1))| seen * (p1 / p0).ln())
            .sum();
        sample.count * sum
    }

    /// Returns the verdict on a sample.
    #[must_use]
    pub fn verdict(&self, sample: &Sample) -> Verdict {
        let (low, high) = self.bounds();
        match self.ratio(sample) {
            ratio if ratio >= high => Verdict::Passed,
            ratio if ratio <= low => Verdict::Failed,
            _ => Verdict::Undecided,
        }
    }
}

/// Returns the likeliest probabilities with mean `mean`, given the observed shares.
fn likeliest_with_mean(shares: &[(f64, f64)], mean: f64) -> Vec<f64> {
    let shifted: Vec<_> = shares.iter().map(|(value, share)| (value - mean, *share)).collect();
    tilt(&shifted)
}

/// Returns the likeliest probabilities whose mean is `t` standard deviations above ½, by fixed-point iteration over the
/// linearised constraint.
fn likeliest_with_t_value(shares: &[(f64, f64)], t: f64) -> Vec<f64> {
    let mut likely = vec![1.0 / shares.len() as f64; shares.len()];
    for _ in 0..30 {
        let current: Vec<_> = shares.iter().zip(&likely).map(|((value, _), p)| (*value, *p)).collect();
        let (mean, variance) = moments(&current);
        let deviation = variance.sqrt();
        let constraint: Vec<_> = shares
            .iter()
            .map(|(value, share)| {
                let z = (mean - value) / deviation;
                (value - 0.5 - t * deviation * (1.0 + z * z) / 2.0, *share)
            })
            .collect();
        let next = tilt(&constraint);
        let moved = likely.iter().zip(&next).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        likely = next;
        if moved < 1e-10 {
            break;
        }
    }
    likely
}

/// Returns the likeliest probabilities under which the values have mean zero: `p / (1 + x·value)` for a single `x`,
/// found by bisection, because the sum decreases in `x` between its poles.
fn tilt(shares: &[(f64, f64)]) -> Vec<f64> {
    let low = shares.iter().map(|(value, _)| *value).fold(f64::INFINITY, f64::min);
    let high = shares.iter().map(|(value, _)| *value).fold(f64::NEG_INFINITY, f64::max);
    if low >= 0.0 || high <= 0.0 {
        return shares.iter().map(|(_, share)| *share).collect();
    }
    let mut left = -1.0 / high * (1.0 - 1e-9);
    let mut right = -1.0 / low * (1.0 - 1e-9);
    for _ in 0..80 {
        let x = (left + right) / 2.0;
        let sum: f64 = shares.iter().map(|(value, share)| share * value / (1.0 + x * value)).sum();
        if sum > 0.0 { left = x } else { right = x }
    }
    let x = (left + right) / 2.0;
    shares.iter().map(|(value, share)| share / (1.0 + x * value)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::RngExt;
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    fn test(elo0: f64, elo1: f64, scale: Scale) -> Sprt {
        Sprt { elo0, elo1, scale, alpha: 0.05, beta: 0.05 }
    }

    #[test]
    fn the_ratio_is_within_a_hundredth_of_published_ones() {
        let normalised = test(0.0, 2.0, Scale::Normalised).ratio(&Sample::games(36433, 68692, 36027));
        assert!((normalised - 0.92).abs() < 0.01, "{normalised}");
        let logistic = test(0.5, 2.5, Scale::Logistic).ratio(&Sample::games(21404, 40708, 21184));
        assert!((logistic + 1.57).abs() < 0.01, "{logistic}");
    }

    #[test]
    fn the_bounds_are_walds() {
        let (low, high) = test(0.0, 5.0, Scale::Logistic).bounds();
        assert!((low + 2.944).abs() < 0.001 && (high - 2.944).abs() < 0.001);
    }

    /// Plays pairs of two equal players until the test ends, with results from a plausible pentanomial distribution.
    fn null_match(sprt: &Sprt, random: &mut Xoshiro256PlusPlus) -> Verdict {
        let law = [0.06, 0.22, 0.44, 0.22, 0.06];
        let mut counts = [0u64; 5];
        loop {
            let mut at = random.random::<f64>();
            let drawn = law.iter().position(|share| {
                at -= share;
                at < 0.0
            });
            counts[drawn.unwrap_or(4)] += 1;
            let sample = Sample::pairs(counts);
            match sprt.verdict(&sample) {
                Verdict::Undecided if sample.count < 100_000.0 => {}
                verdict => return verdict,
            }
        }
    }

    #[test]
    fn a_thousand_null_matches_pass_at_most_as_often_as_they_may() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
        for scale in [Scale::Logistic, Scale::Normalised] {
            let sprt = test(0.0, 60.0, scale);
            let passed = (0..1000).filter(|_| null_match(&sprt, &mut random) == Verdict::Passed).count();
            println!("{scale:?}: {passed} of 1000 null matches passed at a nominal 50");
            // Not too rarely either, because a test that never passes would prove nothing.
            assert!((20..=65).contains(&passed), "{scale:?}: {passed} of 1000");
        }
    }

    #[test]
    fn a_player_that_is_much_better_passes_and_a_worse_one_fails() {
        let sprt = test(0.0, 10.0, Scale::Normalised);
        assert_eq!(sprt.verdict(&Sample::pairs([10, 50, 300, 250, 90])), Verdict::Passed);
        assert_eq!(sprt.verdict(&Sample::pairs([90, 250, 300, 50, 10])), Verdict::Failed);
        assert_eq!(sprt.verdict(&Sample::pairs([1, 2, 3, 2, 1])), Verdict::Undecided);
    }
}
