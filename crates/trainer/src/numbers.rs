//! Parsers of numeric options, which must be finite and within a range.

use anyhow::{Context, Result};
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
    }
}
