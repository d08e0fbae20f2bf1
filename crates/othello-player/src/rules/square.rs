//! Squares and sets of squares.

use std::fmt;
use std::str::FromStr;

/// One of the 64 squares, row by row from a1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

/// The text is not a square.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected a square from a1 to h8, found \"{text}\"")]
pub struct SquareError {
    /// The start of the text.
    pub text: String,
}

impl Square {
    /// The square with this index; `None` from 64 on.
    #[must_use]
    pub const fn new(index: u8) -> Option<Self> {
        if index < 64 { Some(Self(index)) } else { None }
    }

    /// The square in this column and row, both from 0; `None` off the board.
    #[must_use]
    pub const fn at(column: u8, row: u8) -> Option<Self> {
        if column < 8 && row < 8 { Some(Self(8 * row + column)) } else { None }
    }

    /// The index: `8 × row + column`.
    #[inline]
    #[must_use]
    pub const fn index(self) -> u8 {
        self.0
    }

    /// The column, from 0.
    #[must_use]
    pub const fn column(self) -> u8 {
        self.0 % 8
    }

    /// The row, from 0.
    #[must_use]
    pub const fn row(self) -> u8 {
        self.0 / 8
    }

    /// The set that contains only this square.
    #[inline]
    #[must_use]
    pub const fn bit(self) -> u64 {
        1 << self.0
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.column()), self.row() + 1)
    }
}

impl FromStr for Square {
    type Err = SquareError;

    /// Parses a letter and a digit; capitals are accepted.
    fn from_str(text: &str) -> Result<Self, SquareError> {
        let square = match text.as_bytes() {
            [column, row] => Self::at(column.to_ascii_lowercase().wrapping_sub(b'a'), row.wrapping_sub(b'1')),
            _ => None,
        };
        square.ok_or_else(|| SquareError { text: text.chars().take(16).collect() })
    }
}

/// An iterator over the squares of a set, lowest first.
#[derive(Debug, Clone, Copy)]
pub struct Squares(pub u64);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        if self.0 == 0 {
            return None;
        }
        let square = Square(self.0.trailing_zeros() as u8);
        self.0 &= self.0 - 1;
        Some(square)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = self.0.count_ones() as usize;
        (count, Some(count))
    }
}

impl ExactSizeIterator for Squares {}
