//! The rules: two colours put stones on a grid in turn, and exactly five in a row win.
//!
//! [`Grid`] is any grid that a request describes. [`Position`] is the search's representation.

mod geometry;
mod grid;
mod position;

pub(crate) use geometry::relation;
pub use geometry::{DIRECTIONS, Geometry, RELATIONS};
pub use grid::{Grid, GridError, MAX_SIDE};
pub use position::{Position, WINDOW_REACH};

use search_core::MoveCode;
use std::fmt;

/// A player's colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Color {
    /// `N`, the first to move.
    Black,
    /// `B`.
    White,
}

impl Color {
    /// Both colours, the first to move first.
    pub const ALL: [Self; 2] = [Self::Black, Self::White];

    /// Returns the other colour.
    #[inline]
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Black => Self::White,
            Self::White => Self::Black,
        }
    }

    /// Returns 0 for black, 1 for white.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the course's letter: `N` (noir) or `B` (blanc).
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::Black => 'N',
            Self::White => 'B',
        }
    }
}

/// A cell of a grid, numbered row by row from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(u32);

impl Cell {
    /// Returns the cell of an index.
    #[inline]
    #[must_use]
    pub const fn new(index: usize) -> Self {
        debug_assert!(index < MAX_SIDE * MAX_SIDE);
        Self(index as u32)
    }

    /// Returns the index of the cell.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the cell at `row` and `column` of a grid with `columns` columns.
    #[inline]
    #[must_use]
    pub const fn at(row: usize, column: usize, columns: usize) -> Self {
        Self::new(row * columns + column)
    }

    /// Returns row and column, from 0, in a grid with `columns` columns.
    #[inline]
    #[must_use]
    pub const fn coordinates(self, columns: usize) -> Coordinates {
        Coordinates { row: self.index() / columns, column: self.index() % columns }
    }

    /// Returns the cell's name in a grid with `columns` columns: the column's letters from `a`, then the row's number
    /// from 1.
    #[must_use]
    pub fn name(self, columns: usize) -> String {
        let at = self.coordinates(columns);
        let mut letters = Vec::new();
        let mut column = at.column + 1;
        while column > 0 {
            column -= 1;
            letters.push(char::from(b'a' + (column % 26) as u8));
            column /= 26;
        }
        format!("{}{}", letters.iter().rev().collect::<String>(), at.row + 1)
    }
}

impl MoveCode for Cell {
    #[inline]
    fn to_code(self) -> u32 {
        self.0
    }

    #[inline]
    fn from_code(word: u32) -> Self {
        Self(word)
    }
}

/// A row and a column, both from 0, displayed in the format of an answer: `row column`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Coordinates {
    /// From 0 at the top.
    pub row: usize,
    /// From 0 at the left.
    pub column: usize,
}

impl fmt::Display for Coordinates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.row, self.column)
    }
}
