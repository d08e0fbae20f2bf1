use super::cell::Cell;
use num_bigint::BigUint;
use std::fmt;
use std::str::FromStr;

/// A position in the course's encoding, 169 bits: two bits a cell (0 empty, 1 x, 2 o) with cell 0 highest, and above
/// them seven bits for the cell that was played last. Stored as three words, the lowest first.
///
/// ```
/// use uttt::rules::{Cell, Integer};
///
/// let integer: Integer = "459329034283597291728327479273734123420780266358036".parse()?;
/// assert_eq!(integer.last(), 78);
/// assert_eq!(integer.cell(Cell::new(78).unwrap()), 1);
/// assert_eq!(integer.to_string(), "459329034283597291728327479273734123420780266358036");
/// # Ok::<(), uttt::rules::IntegerError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Integer([u64; 3]);

/// The reason why a text is not a position's integer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IntegerError {
    /// The text has no digit.
    #[error("expected an integer, found nothing")]
    Empty,
    /// The text begins with a minus sign.
    #[error("{0:?} is negative: a position is a non-negative integer")]
    Negative(String),
    /// The text has characters other than decimal digits.
    #[error("{0:?} is not a decimal integer")]
    NotANumber(String),
    /// The number has more than 169 bits.
    #[error("{0:?} has more than 169 bits")]
    TooLarge(String),
}

impl Integer {
    /// The number of decimal digits of the largest integer.
    pub const MAX_DIGITS: usize = 51;
    const LAST_SHIFT: u32 = 162 - 128;

    /// The integer of three words, the lowest first, or `None` above 169 bits.
    #[must_use]
    pub fn from_words(words: [u64; 3]) -> Option<Self> {
        (words[2] >> (169 - 128) == 0).then_some(Self(words))
    }

    /// The integer's three words, the lowest first.
    #[must_use]
    pub fn words(&self) -> [u64; 3] {
        self.0
    }

    /// The symbol in `cell`: 0 empty, 1 x, 2 o; 3 is invalid.
    #[inline]
    #[must_use]
    pub fn cell(&self, cell: Cell) -> u64 {
        let shift = 2 * (80 - cell.index());
        self.0[shift / 64] >> (shift % 64) & 3
    }

    /// Puts `symbol` (two bits) into an empty cell.
    #[inline]
    pub fn put(&mut self, cell: Cell, symbol: u64) {
        debug_assert!(symbol < 4 && self.cell(cell) == 0);
        let shift = 2 * (80 - cell.index());
        self.0[shift / 64] |= symbol << (shift % 64);
    }

    /// The number of the cell played last, 0 to 127.
    #[inline]
    #[must_use]
    pub fn last(&self) -> usize {
        (self.0[2] >> Self::LAST_SHIFT) as usize
    }

    /// The same cells with another last move (0 to 127).
    #[inline]
    #[must_use]
    pub fn with_last(mut self, last: usize) -> Self {
        debug_assert!(last < 128);
        self.0[2] = self.0[2] & ((1 << Self::LAST_SHIFT) - 1) | (last as u64) << Self::LAST_SHIFT;
        self
    }

    /// Returns whether all cells are empty, whatever the last move is.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.with_last(0).0 == [0; 3]
    }
}

impl FromStr for Integer {
    type Err = IntegerError;

    fn from_str(text: &str) -> Result<Self, IntegerError> {
        if text.is_empty() {
            return Err(IntegerError::Empty);
        }
        if !text.bytes().all(|byte| byte.is_ascii_digit()) {
            let negative = text
                .strip_prefix('-')
                .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit()));
            let text = excerpt(text);
            return Err(if negative { IntegerError::Negative(text) } else { IntegerError::NotANumber(text) });
        }
        let digits = text.trim_start_matches('0');
        // The length is checked first, so that work never grows with the input.
        if digits.len() > Self::MAX_DIGITS {
            return Err(IntegerError::TooLarge(excerpt(text)));
        }
        let Some(number) = BigUint::parse_bytes(digits.as_bytes(), 10) else { return Ok(Self::default()) };
        Self::try_from(&number).map_err(|TooWide| IntegerError::TooLarge(excerpt(text)))
    }
}

/// A short excerpt of a bad text for messages.
fn excerpt(text: &str) -> String {
    const LONGEST: usize = 60;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

/// The number has more than 169 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooWide;

impl TryFrom<&BigUint> for Integer {
    type Error = TooWide;

    fn try_from(number: &BigUint) -> Result<Self, TooWide> {
        if number.bits() > 169 {
            return Err(TooWide);
        }
        let mut words = [0; 3];
        for (word, digit) in words.iter_mut().zip(number.to_u64_digits()) {
            *word = digit;
        }
        Ok(Self(words))
    }
}

impl From<Integer> for BigUint {
    fn from(integer: Integer) -> Self {
        integer.0.iter().rev().fold(Self::default(), |number, &word| (number << 64_u32) + word)
    }
}

impl fmt::Display for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        BigUint::from(*self).fmt(f)
    }
}
