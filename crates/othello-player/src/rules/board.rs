//! Positions with colours, and their text.

use super::position::Position;
use std::fmt;
use std::str::FromStr;

/// A colour. Black moves first. The course calls black red, and white blue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    /// The first player.
    Black,
    /// The second player.
    White,
}

impl Side {
    /// Returns the opponent's side.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Black => Self::White,
            Self::White => Self::Black,
        }
    }

    /// The letter in texts: `X` for black, `O` for white.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::Black => 'X',
            Self::White => 'O',
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Black => "black",
            Self::White => "white",
        })
    }
}

/// A position and the side to move. Its text has 64 cells from a1 to h8, row by row (`X` or `*` black, `O` white, `-`
/// or `.` empty, white space ignored), then the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Board {
    /// The discs, from the point of view of the side to move.
    pub position: Position,
    /// The side to move.
    pub side: Side,
}

/// The text is not a board.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BoardError {
    /// An unknown character among the cells.
    #[error("cell {cell} of the board is '{found}': X, O or - expected")]
    Cell {
        /// The number of the cell, from 1.
        cell: usize,
        /// The invalid character.
        found: char,
    },
    /// There are fewer than 64 cells.
    #[error("the board has {0} cells: 64 expected")]
    Short(usize),
    /// The cells are not followed by exactly one `X` or `O`.
    #[error("the side to move is \"{0}\": X or O expected")]
    Side(String),
}

impl Board {
    /// The initial position.
    pub const START: Self = Self { position: Position::START, side: Side::Black };

    /// The discs of `side`.
    #[must_use]
    pub fn discs(&self, side: Side) -> u64 {
        if side == self.side { self.position.own() } else { self.position.opponent() }
    }

    /// The final disc difference for `side`, with empty squares counted for the winner.
    #[must_use]
    pub fn margin_of(&self, side: Side) -> i16 {
        if side == self.side { self.position.margin() } else { -self.position.margin() }
    }

    /// The colour of the disc on a square, given as its bit.
    #[must_use]
    pub fn cell(&self, bit: u64) -> Option<Side> {
        [Side::Black, Side::White].into_iter().find(|&side| self.discs(side) & bit != 0)
    }

    /// The board as text with coordinates; a dot marks each legal move.
    pub fn diagram(&self) -> String {
        let mut text = String::from("  a b c d e f g h\n");
        for row in 0..8 {
            text.push(char::from(b'1' + row));
            for column in 0..8 {
                let bit = 1 << (8 * row + column);
                let marked = if self.position.legal() & bit != 0 { '·' } else { '-' };
                text.push(' ');
                text.push(self.cell(bit).map_or(marked, Side::letter));
            }
            text.push_str(&format!(" {}\n", row + 1));
        }
        text + "  a b c d e f g h"
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for index in 0..64 {
            write!(f, "{}", self.cell(1 << index).map_or('-', Side::letter))?;
        }
        write!(f, " {}", self.side.letter())
    }
}

impl FromStr for Board {
    type Err = BoardError;

    fn from_str(text: &str) -> Result<Self, BoardError> {
        let mut symbols = text.chars().filter(|symbol| !symbol.is_whitespace());
        let (mut black, mut white) = (0_u64, 0_u64);
        for cell in 0..64 {
            match symbols.next() {
                Some('X' | 'x' | '*') => black |= 1 << cell,
                Some('O' | 'o') => white |= 1 << cell,
                Some('-' | '.') => {}
                Some(found) => return Err(BoardError::Cell { cell: cell + 1, found }),
                None => return Err(BoardError::Short(cell)),
            }
        }
        let rest: String = symbols.take(16).collect();
        let side = match rest.as_str() {
            "X" | "x" | "*" => Side::Black,
            "O" | "o" => Side::White,
            _ => return Err(BoardError::Side(rest)),
        };
        let (own, opponent) = if side == Side::Black { (black, white) } else { (white, black) };
        let position = Position::new(own, opponent).expect("a cell holds one disc");
        Ok(Self { position, side })
    }
}
