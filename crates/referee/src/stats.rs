//! The statistics of games: scores, Elo with intervals over pairs, likelihood of superiority, sequential tests, ratings.
//!
//! - [`tally`]: wins, draws and losses, and their pentanomial form over pairs.
//! - [`elo`]: a score as Elo, logistic or normalised, with its interval.
//! - [`sprt`]: the generalised sequential probability ratio test.
//! - [`rating`]: ratings of many players from all their games.
//! - [`trueskill`]: ratings from games of three or four.
//! - [`spsa`]: parameters that follow the side that wins.

pub mod elo;
pub mod rating;
pub mod sprt;
pub mod spsa;
pub mod tally;
pub mod trueskill;

/// The distribution function of the standard normal law, to about 1e-7 (Abramowitz and Stegun 7.1.26, one refinement
/// of its error by symmetry is not needed at this precision).
#[must_use]
pub fn normal_cdf(x: f64) -> f64 {
    0.5 * erfc(-x / std::f64::consts::SQRT_2)
}

/// The complementary error function, relative error below 1.2e-7 (W. J. Cody's form with Chebyshev fitting, as in
/// Numerical Recipes, section 6.2).
fn erfc(x: f64) -> f64 {
    const C: [f64; 10] = [
        -1.265_512_23,
        1.000_023_68,
        0.374_091_96,
        0.096_784_18,
        -0.186_288_06,
        0.278_868_07,
        -1.135_203_98,
        1.488_515_87,
        -0.822_152_23,
        0.170_872_77,
    ];
    let z = x.abs();
    let t = 1.0 / (1.0 + 0.5 * z);
    let polynomial = C.iter().rev().fold(0.0, |sum, c| sum * t + c);
    let value = t * (-z * z + polynomial).exp();
    if x >= 0.0 { value } else { 2.0 - value }
}

/// The 97.5 % point of the standard normal law: half the width of a 95 % interval.
pub const Z95: f64 = 1.959_963_984_540_054;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_normal_law_has_its_known_values() {
        for (x, p) in [(0.0, 0.5), (Z95, 0.975), (-Z95, 0.025), (1.0, 0.841_344_746), (-3.0, 0.001_349_898)] {
            assert!((normal_cdf(x) - p).abs() < 2e-7, "{x}: {}", normal_cdf(x));
        }
    }
}
