//! A grid as a request describes it: any arrangement of stones, even one that no game can reach.

use super::{Cell, Color};
use bitvec::vec::BitVec;
use std::fmt;
use std::str::FromStr;

/// Maximum number of rows and of columns.
pub const MAX_SIDE: usize = 1023;

/// An error in the text of a grid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GridError {
    /// A side is 0 or more than [`MAX_SIDE`].
    #[error("a grid of {rows} x {columns} is not between 1 x 1 and {MAX_SIDE} x {MAX_SIDE}")]
    Size {
        /// The requested rows.
        rows: usize,
        /// The requested columns.
        columns: usize,
    },
    /// A row's length differs from the grid's width.
    #[error("row {row} has {found} cells, expected {expected}")]
    Width {
        /// The row, from 0.
        row: usize,
        /// The number of cells in the row.
        found: usize,
        /// The number of cells in the first row.
        expected: usize,
    },
    /// A character does not stand for a cell.
    #[error("row {row}, column {column}: {found:?} is not 0, N or B")]
    Character {
        /// The row, from 0.
        row: usize,
        /// The column, from 0.
        column: usize,
        /// The invalid character.
        found: char,
    },
}

/// A grid with stones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grid {
    rows: usize,
    columns: usize,
    /// One bit a cell for each colour.
    stones: [BitVec; 2],
}

impl Grid {
    /// Creates an empty grid.
    ///
    /// # Errors
    /// [`GridError::Size`].
    pub fn new(rows: usize, columns: usize) -> Result<Self, GridError> {
        if !(1..=MAX_SIDE).contains(&rows) || !(1..=MAX_SIDE).contains(&columns) {
            return Err(GridError::Size { rows, columns });
        }
        let stones = [(); 2].map(|()| BitVec::repeat(false, rows * columns));
        Ok(Self { rows, columns, stones })
    }

    /// Parses a row: `0` free, `N` black, `B` white.
    ///
    /// # Errors
    /// [`GridError::Width`] and [`GridError::Character`].
    pub fn set_row(&mut self, row: usize, text: &[u8]) -> Result<(), GridError> {
        for (column, &byte) in text.iter().enumerate().take(self.columns) {
            let color = match byte {
                b'0' => None,
                b'N' => Some(Color::Black),
                b'B' => Some(Color::White),
                _ => return Err(GridError::Character { row, column, found: byte.into() }),
            };
            self.set(Cell::at(row, column, self.columns), color);
        }
        if text.len() != self.columns {
            return Err(GridError::Width { row, found: text.len(), expected: self.columns });
        }
        Ok(())
    }

    /// Puts a stone on a cell, or removes it.
    pub fn set(&mut self, cell: Cell, stone: Option<Color>) {
        for color in Color::ALL {
            self.stones[color.index()].set(cell.index(), stone == Some(color));
        }
    }

    /// Returns the stone on a cell.
    #[must_use]
    pub fn stone(&self, cell: Cell) -> Option<Color> {
        Color::ALL.into_iter().find(|color| self.stones[color.index()][cell.index()])
    }

    /// Iterates over the occupied cells, black's first.
    pub fn stones(&self) -> impl Iterator<Item = Cell> + '_ {
        self.stones.iter().flat_map(|stones| stones.iter_ones().map(Cell::new))
    }

    /// Returns the number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Returns the number of columns.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Returns the number of stones of a colour.
    #[must_use]
    pub fn count(&self, color: Color) -> usize {
        self.stones[color.index()].count_ones()
    }

    /// Returns the side to move: black if both have the same number of stones, else the colour with fewer.
    #[must_use]
    pub fn mover(&self) -> Color {
        if self.count(Color::Black) > self.count(Color::White) { Color::White } else { Color::Black }
    }

    /// Returns true if alternate moves can give these numbers of stones.
    #[must_use]
    pub fn is_regular(&self) -> bool {
        let (black, white) = (self.count(Color::Black), self.count(Color::White));
        black == white || black == white + 1
    }

    /// Returns true if no cell is free.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.count(Color::Black) + self.count(Color::White) == self.rows * self.columns
    }
}

impl FromStr for Grid {
    type Err = GridError;

    /// Parses one row a line.
    fn from_str(text: &str) -> Result<Self, GridError> {
        let rows = text.lines().count();
        let columns = text.lines().next().unwrap_or_default().len();
        let mut grid = Self::new(rows, columns)?;
        for (row, line) in text.lines().enumerate() {
            grid.set_row(row, line.as_bytes())?;
        }
        Ok(grid)
    }
}

impl fmt::Display for Grid {
    /// Writes one row a line, as in a request.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in 0..self.rows {
            for column in 0..self.columns {
                let stone = self.stone(Cell::at(row, column, self.columns));
                write!(f, "{}", stone.map_or('0', Color::letter))?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
