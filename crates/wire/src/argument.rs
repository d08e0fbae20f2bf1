use crate::Failure;
use std::ffi::OsStr;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// The longest time limit accepted, in milliseconds: a day.
pub const MAX_MILLIS: u64 = 86_400_000;

/// The text is not a whole number, or it is out of bounds.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected a number from {least} to {most}, found {text:?}")]
pub struct NumberError {
    /// The offending text, shortened.
    pub text: String,
    /// The lower bound.
    pub least: String,
    /// The upper bound.
    pub most: String,
}

/// Parses a whole number within bounds. A plus sign is refused.
///
/// # Errors
/// [`NumberError`].
pub fn number<T>(value: impl AsRef<OsStr>, bounds: RangeInclusive<T>) -> Result<T, NumberError>
where
    T: FromStr + PartialOrd + Display,
{
    let text = value.as_ref().to_string_lossy();
    let number = if text.starts_with('+') { None } else { text.parse().ok() };
    number.filter(|number| bounds.contains(number)).ok_or_else(|| NumberError {
        text: text.chars().take(40).collect(),
        least: bounds.start().to_string(),
        most: bounds.end().to_string(),
    })
}

/// Parses the number that is the value of `option`.
///
/// # Errors
/// [`NumberError`], prefixed with the option; exit code 2.
pub fn number_of<T>(option: &str, value: impl AsRef<OsStr>, bounds: RangeInclusive<T>) -> Result<T, Failure>
where
    T: FromStr + PartialOrd + Display,
{
    number(value, bounds).map_err(|error| Failure::input(format!("{option}: {error}")))
}

/// Parses the value of `option` as a number of mebibytes for a table, and returns the bytes.
///
/// # Errors
/// [`NumberError`], prefixed with the option, and more memory than the system grants; exit code 2.
pub fn mebibytes_of(
    option: &str,
    value: impl AsRef<OsStr>,
    bounds: RangeInclusive<usize>,
) -> Result<usize, Failure> {
    let mebibytes = number_of(option, value, bounds)?;
    if has_memory(mebibytes) {
        return Ok(mebibytes << 20);
    }
    Err(Failure::input(format!("{option}: the system refuses {mebibytes} MiB of memory")))
}

/// Returns true if the system grants this much memory at once. Where it refuses later, the standard library ends the
/// program, with lines of its own.
#[must_use]
pub fn has_memory(mebibytes: usize) -> bool {
    let mut memory = Vec::<u8>::new();
    // Seen by nobody, the memory would not be asked for.
    let granted = std::hint::black_box(&mut memory).try_reserve_exact(mebibytes.saturating_mul(1 << 20));
    granted.is_ok() && std::hint::black_box(&memory).is_empty()
}

/// Parses the value of `option` as one of a set of names.
///
/// # Errors
/// The error of the type, prefixed with the option; exit code 2.
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
    fn more_mebibytes_than_the_system_has_are_refused_in_one_line() {
        let all = 1..=usize::MAX >> 20;
        assert_eq!(mebibytes_of("--table", "2", all.clone()), Ok(2 << 20));
        let most = all.end().to_string();
        let error = mebibytes_of("--table", &most, all.clone()).unwrap_err();
        assert_eq!(error.to_string(), format!("--table: the system refuses {most} MiB of memory"));
        assert_eq!(error.code(), 2);
        assert!(mebibytes_of("--table", "0", all).unwrap_err().to_string().contains("expected a number"));
    }

    #[test]
    fn a_number_is_digits_within_bounds() {
        assert_eq!(number("7", 1..=9), Ok(7));
        assert_eq!(number("-7", -9..=9), Ok(-7));
        for text in ["", "0", "10", "+7", "7.0", " 7", "x", "99999999999999999999999"] {
            let error = number(text, 1..=9).unwrap_err();
            assert_eq!(error.to_string(), format!("expected a number from 1 to 9, found {text:?}"));
        }
        let failure = number_of("--time", "x", 1..=9).unwrap_err();
        assert_eq!(
            (failure.to_string().as_str(), failure.code()),
            ("--time: expected a number from 1 to 9, found \"x\"", 2)
        );
    }

    #[test]
    fn what_is_no_choice_is_told_with_its_option() {
        assert_eq!(choice_of::<bool>("--on", "true"), Ok(true));
        assert!(choice_of::<bool>("--on", "yes").unwrap_err().to_string().starts_with("--on: "));
    }
}
