//! Moves: a square or a pass.

use super::square::{Square, SquareError};
use search_core::MoveCode;
use std::fmt;
use std::str::FromStr;

/// A disc on a square, or the pass of a player without a legal move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(u8);

/// The text is neither a square nor a pass.
pub type MoveError = SquareError;

impl Move {
    /// The move that passes the turn, numbered 64.
    pub const PASS: Self = Self(64);

    /// The square of the move; `None` for a pass.
    #[must_use]
    pub const fn square(self) -> Option<Square> {
        Square::new(self.0)
    }

    /// The square's index, or 64 for a pass.
    #[inline]
    pub(crate) const fn index(self) -> u8 {
        self.0
    }
}

impl From<Square> for Move {
    #[inline]
    fn from(square: Square) -> Self {
        Self(square.index())
    }
}

impl MoveCode for Move {
    #[inline]
    fn to_code(self) -> u32 {
        self.0.into()
    }

    #[inline]
    fn from_code(word: u32) -> Self {
        Self(word.min(64) as u8)
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.square() {
            Some(square) => write!(f, "{square}"),
            None => f.write_str("pass"),
        }
    }
}

impl FromStr for Move {
    type Err = MoveError;

    /// Parses a square, or a pass as `pass`, `pa` or `ps`, in any case: all spellings of protocols and records.
    fn from_str(text: &str) -> Result<Self, MoveError> {
        if ["pass", "pa", "ps"].iter().any(|pass| text.eq_ignore_ascii_case(pass)) {
            return Ok(Self::PASS);
        }
        text.parse::<Square>().map(Self::from)
    }
}
