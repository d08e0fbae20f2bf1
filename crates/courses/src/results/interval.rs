//! Confidence intervals for the mean of results between 0 and 1, valid for few results too.
//!
//! They assume nothing but the range of the results. The upper end is a quantile of the mean under random weights: each
//! result, and one added win, has a weight from the flat Dirichlet distribution. The lower end adds a loss instead. For
//! wins and losses alone this is the exact binomial interval of Clopper and Pearson.
//!
//! Source: N. Gaffke, "Three test statistics for a nonparametric one-sided hypothesis on the mean of a nonnegative
//! variable", 2005; E. Learned-Miller, P. Thomas, "A new confidence interval for the mean of a bounded random variable",
//! 2019.

use super::Z95;
use super::sample::moments;
use std::f64::consts::PI;

/// Precision of the ends.
const PRECISION: f64 = 1e-9;

/// Returns the 95 % interval of the mean. `counts` are the numbers of results at equal steps from 0 to 1.
#[must_use]
pub fn interval(counts: &[f64]) -> (f64, f64) {
    let reversed: Vec<f64> = counts.iter().rev().copied().collect();
    (1.0 - upper(&reversed), upper(counts))
}

/// Returns [`interval`] by the normal law, without an integral. `counts` are as there.
///
/// Source: E. Wilson, "Probable inference, the law of succession, and statistical inference", 1927, with the variance of
/// the results for that of wins and losses.
#[must_use]
pub fn approximate_interval(counts: &[f64]) -> (f64, f64) {
    let (all, mean, variance) = totals(counts);
    let extra = Z95 * Z95 / all;
    let middle = (mean + extra / 2.0) / (1.0 + extra);
    let half = (extra * (variance + extra / 4.0)).sqrt() / (1.0 + extra);
    (if mean > 0.0 { middle - half } else { 0.0 }, if mean < 1.0 { middle + half } else { 1.0 })
}

/// Returns the sum of weights at equal steps from 0 to 1, and their mean and variance.
fn totals(weights: &[f64]) -> (f64, f64, f64) {
    let all: f64 = weights.iter().sum();
    let last = (weights.len() - 1) as f64;
    let share = |(nth, weight): (usize, &f64)| (nth as f64 / last, weight / all);
    let (mean, variance) = moments(&weights.iter().enumerate().map(share).collect::<Vec<_>>());
    (all, mean, variance)
}

/// Returns the probability that the mean is above ½, with half a win and half a loss added to the results.
#[must_use]
pub fn superiority(counts: &[f64]) -> f64 {
    let mut weights = counts.to_vec();
    weights[0] += 0.5;
    *weights.last_mut().expect("two results or more") += 0.5;
    above(&weights, 0.5)
}

/// Returns the upper end of the interval, above which the mean lies with a probability of 2.5 %.
fn upper(counts: &[f64]) -> f64 {
    let mut weights = counts.to_vec();
    let last = weights.len() - 1;
    weights[last] += 1.0;
    if weights[..last].iter().all(|&weight| weight == 0.0) {
        return 1.0;
    }
    let off = |mean: f64| {
        let above = above(&weights, mean).clamp(1e-300, 1.0 - 1e-16);
        (above / (1.0 - above)).ln() - (0.025f64 / 0.975).ln()
    };
    // The log-odds are nearly linear between the mean and a few deviations above it: the false position method, with
    // half weight for an end that stays twice (Illinois).
    let (all, mean, variance) = totals(&weights);
    let far = mean + 6.0 * (variance / all).sqrt() + 6.0 / all;
    let mut left = (mean, off(mean));
    let mut right = if far < 1.0 { (far, off(far)) } else { (1.0, -700.0) };
    let mut stayed = 0;
    for _ in 0..100 {
        let middle = left.0 + (right.0 - left.0) * left.1 / (left.1 - right.1);
        let value = off(middle);
        if right.0 - left.0 < PRECISION || value.abs() < PRECISION {
            return middle;
        }
        if value > 0.0 {
            left = (middle, value);
            stayed = stayed.max(0) + 1;
            right.1 /= if stayed > 1 { 2.0 } else { 1.0 };
        } else {
            right = (middle, value);
            stayed = stayed.min(0) - 1;
            left.1 /= if stayed < -1 { 2.0 } else { 1.0 };
        }
    }
    right.0
}

/// Returns the probability that the mean of values at equal steps from 0 to 1 is above `mean`, if their shares have the
/// Dirichlet distribution with these parameters.
///
/// The shares are gamma variables over their sum, so this is the probability that Σ (value − mean) · gamma is positive:
/// an integral of its moment generating function along a line through the saddle point (S. O. Rice, 1980).
fn above(weights: &[f64], mean: f64) -> f64 {
    let last = (weights.len() - 1) as f64;
    let terms = |sign: f64| -> Vec<(f64, f64)> {
        let term = |(nth, &weight): (usize, &f64)| (sign * (nth as f64 / last - mean), weight);
        weights.iter().enumerate().filter(|(_, weight)| **weight > 0.0).map(term).collect()
    };
    let expected: f64 = terms(1.0).iter().map(|(value, weight)| value * weight).sum();
    if expected > 0.0 { 1.0 - positive(&terms(-1.0)) } else { positive(&terms(1.0)) }
}

/// Returns the probability that Σ value · gamma(weight) is positive, for terms (value, weight) with a negative
/// expectation.
fn positive(terms: &[(f64, f64)]) -> f64 {
    let greatest = terms.iter().map(|(value, _)| *value).fold(0.0, f64::max);
    if greatest <= 0.0 {
        return 0.0;
    }
    // The saddle point of exp(K(s)) / s between 0 and the nearest pole.
    let slope = |s: f64| terms.iter().map(|(v, w)| w * v / (1.0 - v * s)).sum::<f64>() - 1.0 / s;
    let (mut low, mut high) = (0.0, 1.0 / greatest);
    for _ in 0..50 {
        let middle = (low + high) / 2.0;
        if slope(middle) < 0.0 { low = middle } else { high = middle }
    }
    let saddle = (low + high) / 2.0;
    let curvature: f64 = terms.iter().map(|(v, w)| w * (v / (1.0 - v * saddle)).powi(2)).sum();
    let scale = (curvature + 1.0 / (saddle * saddle)).sqrt().recip();
    // A hyperbola through the saddle point, open to the right, along which the integrand does not oscillate. It decays
    // like a power, so the step grows too.
    const STEP: f64 = 0.1;
    let mut sum = 0.0;
    for nth in 0..400 {
        let u = STEP * f64::from(nth);
        let (x, y) = (saddle + scale * (u.cosh() - 1.0) / 2.0, scale * u.sinh());
        let (along_x, along_y) = (scale * u.sinh() / 2.0, scale * u.cosh());
        let (mut log, mut angle) = (-x.hypot(y).ln(), -y.atan2(x));
        for &(value, weight) in terms {
            let (re, im) = (1.0 - value * x, -value * y);
            log -= weight * re.hypot(im).ln();
            angle -= weight * im.atan2(re);
        }
        let size = log.exp();
        sum += size * (angle.cos() * along_y + angle.sin() * along_x) / if nth == 0 { 2.0 } else { 1.0 };
        if size * along_y < 1e-13 * sum.abs().max(1e-290) {
            break;
        }
    }
    (sum * STEP / PI).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wins_and_losses_have_the_exact_binomial_interval() {
        // All of n won: the lower end is the n-th root of 2.5 %.
        for wins in [1, 2, 5, 30, 1000] {
            let (low, high) = interval(&[0.0, f64::from(wins)]);
            assert!((low - 0.025f64.powf(1.0 / f64::from(wins))).abs() < 1e-7, "{wins}: {low}");
            assert_eq!(high, 1.0);
        }
        // Clopper and Pearson, 1934: 7 of 10, and 50 of 100.
        for (counts, (low, high)) in
            [([3.0, 7.0], (0.347_547, 0.933_260)), ([50.0, 50.0], (0.398_321, 0.601_679))]
        {
            let found = interval(&counts);
            assert!((found.0 - low).abs() < 1e-6 && (found.1 - high).abs() < 1e-6, "{counts:?}: {found:?}");
        }
    }

    #[test]
    fn many_results_have_the_interval_of_the_normal_law() {
        let counts = [600.0, 2200.0, 4400.0, 2200.0, 600.0];
        let variance = (2.0 * 600.0 * 0.25 + 2.0 * 2200.0 * 0.0625) / 10_000.0;
        let half = Z95 * f64::sqrt(variance / 10_000.0);
        let (low, high) = interval(&counts);
        assert!((low - 0.5 + half).abs() < 1e-4 && (high - 0.5 - half).abs() < 1e-4, "{low} {high} {half}");
        for counts in [[20.0, 10.0, 30.0, 20.0, 40.0], [30.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 40.0]]
        {
            let ((low, high), (near_low, near_high)) = (interval(&counts), approximate_interval(&counts));
            assert!((low - near_low).abs() < 0.03 && (high - near_high).abs() < 0.03, "{counts:?}");
            assert_eq!((low == 0.0, high == 1.0), (near_low == 0.0, near_high == 1.0));
        }
    }

    #[test]
    fn superiority_is_even_without_a_difference_and_adds_up_over_both_sides() {
        assert!((superiority(&[0.0; 5]) - 0.5).abs() < 1e-9);
        assert!((superiority(&[3.0, 1.0, 7.0, 1.0, 3.0]) - 0.5).abs() < 1e-9);
        for counts in
            [[0.0, 0.0, 0.0, 0.0, 1.0], [2.0, 0.0, 1.0, 5.0, 2.0], [90.0, 200.0, 400.0, 260.0, 130.0]]
        {
            let mirrored: Vec<f64> = counts.iter().rev().copied().collect();
            assert!((superiority(&counts) + superiority(&mirrored) - 1.0).abs() < 1e-9, "{counts:?}");
        }
    }
}
