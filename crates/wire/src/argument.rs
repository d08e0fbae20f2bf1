use crate::Failure;
use std::ffi::OsStr;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// The longest time that a program is given, in milliseconds: a day.
pub const MOST_MILLIS: u64 = 86_400_000;

/// A text that is no whole number, or none within its bounds.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is no number from {least} to {most}")]
pub struct NoNumber {
    /// The text, cut where it is long.
    pub text: String,
    /// The least number that is expected.
    pub least: String,
    /// The greatest.
    pub most: String,
}

/// The whole number that `value` says in digits, with a minus sign where the bounds allow one.
///
/// # Errors
/// [`NoNumber`].
pub fn number<T>(value: impl AsRef<OsStr>, bounds: RangeInclusive<T>) -> Result<T, NoNumber>
where
    T: FromStr + PartialOrd + Display,
{
    let text = value.as_ref().to_string_lossy();
    let number = if text.starts_with('+') { None } else { text.parse().ok() };
    number.filter(|number| bounds.contains(number)).ok_or_else(|| NoNumber {
        text: text.chars().take(40).collect(),
        least: bounds.start().to_string(),
        most: bounds.end().to_string(),
    })
}

/// The number that an option's value says.
///
/// # Errors
/// The option, and [`NoNumber`]; exit code 2.
pub fn number_of<T>(option: &str, value: impl AsRef<OsStr>, bounds: RangeInclusive<T>) -> Result<T, Failure>
where
    T: FromStr + PartialOrd + Display,
{
    number(value, bounds).map_err(|error| Failure::input(format!("{option}: {error}")))
}

/// The choice that an option's value names.
///
/// # Errors
/// The option, and what its type says of the text; exit code 2.
pub fn choice_of<T>(option: &str, value: impl AsRef<OsStr>) -> Result<T, Failure>
where
    T: FromStr<Err: Display>,
{
    let text = value.as_ref().to_string_lossy();
    text.parse().map_err(|error| Failure::input(format!("{option}: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_digits_within_bounds() {
        assert_eq!(number("7", 1..=9), Ok(7));
        assert_eq!(number("-7", -9..=9), Ok(-7));
        for text in ["", "0", "10", "+7", "7.0", " 7", "x", "99999999999999999999999"] {
            let error = number(text, 1..=9).unwrap_err();
            assert_eq!(error.to_string(), format!("{text:?} is no number from 1 to 9"));
        }
        let failure = number_of("--time", "x", 1..=9).unwrap_err();
        assert_eq!(
            (failure.to_string().as_str(), failure.code()),
            ("--time: \"x\" is no number from 1 to 9", 2)
        );
    }

    #[test]
    fn what_is_no_choice_is_told_with_its_option() {
        assert_eq!(choice_of::<bool>("--on", "true"), Ok(true));
        assert!(choice_of::<bool>("--on", "yes").unwrap_err().to_string().starts_with("--on: "));
    }
}
