//! Parsers of numeric options, which must be finite and within a range.

use anyhow::{Context, Result};

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
