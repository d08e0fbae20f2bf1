//! Parsers of numeric options, which must be finite and within a range.

use anyhow::{Context, Result, ensure};
use clap::builder::RangedU64ValueParser;

/// Parses a number of games, positions or the like, up to 100 million, for which there can be memory.
pub fn count<T: TryFrom<u64> + Clone + Send + Sync>() -> RangedU64ValueParser<T> {
    RangedU64ValueParser::new().range(..=100_000_000)
}

/// Parses a seed or a number of nodes, up to 2⁴⁰: sums and products with others stay within 64 bits.
pub fn number<T: TryFrom<u64> + Clone + Send + Sync>() -> RangedU64ValueParser<T> {
    RangedU64ValueParser::new().range(..=1 << 40)
}

/// Parses a share, from 0 to 1.
pub fn share(text: &str) -> Result<f32> {
    within(text, 1.0)
}

/// Parses an amount, from 0 to a million.
pub fn amount(text: &str) -> Result<f32> {
    within(text, 1e6)
}

/// Parses an amount above 0, to a million, which divides.
pub fn divisor(text: &str) -> Result<f32> {
    let number = amount(text).ok().filter(|&number| number > 0.0);
    number.context("expected a number above 0, to 1000000")
}

/// Checks the weights of a fit before they replace others.
///
/// # Errors
/// A weight is not finite: the files or the options led to a division by zero.
pub fn check_finite<'a>(weights: impl IntoIterator<Item = &'a f32>) -> Result<()> {
    ensure!(weights.into_iter().all(|weight| weight.is_finite()), "the fit failed: a weight is not finite");
    Ok(())
}

fn within(text: &str, most: f32) -> Result<f32> {
    let number = text.parse().ok().filter(|number| (0.0..=most).contains(number));
    number.with_context(|| format!("expected a number from 0 to {most}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_finite_is_refused() {
        assert_eq!((share("0.5").unwrap(), amount("20").unwrap()), (0.5, 20.0));
        for text in ["nan", "inf", "-inf", "-1", "1e99", "", "x"] {
            assert!(share(text).is_err() && amount(text).is_err(), "{text}");
        }
        assert!(share("1.5").is_err());
        assert!(divisor("0").is_err() && divisor("nan").is_err() && divisor("0.1").is_ok());
        assert!(check_finite(&[1.0, f32::NAN]).is_err() && check_finite(&[1.0, -2.0]).is_ok());
    }
}
