//! Squares and sets of them.

use std::fmt;
use std::str::FromStr;

/// One of the 64 squares, row by row from a1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

/// The text names no square.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" is no square: a1 to h8 expected")]
pub struct SquareError(pub String);

impl Square {
    /// The square of this number, if it is below 64.
    #[must_use]
    pub const fn new(index: u8) -> Option<Self> {
        if index < 64 { Some(Self(index)) } else { None }
    }

    /// The square in this column and row, both counted from 0, if it is on the board.
    #[must_use]
    pub const fn at(column: u8, row: u8) -> Option<Self> {
        if column < 8 && row < 8 { Some(Self(8 * row + column)) } else { None }
    }

    /// Its number: `8 × row + column`.
    #[inline]
    #[must_use]
    pub const fn index(self) -> u8 {
        self.0
    }

    /// Its column, from 0.
    #[must_use]
    pub const fn column(self) -> u8 {
        self.0 % 8
    }

    /// Its row, from 0.
    #[must_use]
    pub const fn row(self) -> u8 {
        self.0 / 8
    }

    /// The set of it alone.
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

    /// A letter and a digit; the letter may be a capital.
    fn from_str(text: &str) -> Result<Self, SquareError> {
        let square = match text.as_bytes() {
            [column, row] => Self::at(column.to_ascii_lowercase().wrapping_sub(b'a'), row.wrapping_sub(b'1')),
            _ => None,
        };
        square.ok_or_else(|| SquareError(text.chars().take(16).collect()))
    }
}

/// The squares of a set, lowest first.
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
