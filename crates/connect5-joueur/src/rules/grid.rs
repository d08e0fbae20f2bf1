//! A grid as a request describes it: any stones anywhere, even where no game could have put them.

use super::{Cell, Color};
use bitvec::vec::BitVec;
use std::fmt;
use std::str::FromStr;

/// The most rows, and the most columns.
pub const MAX_SIDE: usize = 1023;

/// Why a text is no grid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GridError {
    /// A side of zero or more than [`MAX_SIDE`] cells.
    #[error("a grid of {rows} x {columns} is not between 1 x 1 and {MAX_SIDE} x {MAX_SIDE}")]
    Size {
        /// Rows asked for.
        rows: usize,
        /// Columns asked for.
        columns: usize,
    },
    /// A row of another length than the grid's width.
    #[error("row {row} has {found} cells, expected {expected}")]
    Width {
        /// From 0.
        row: usize,
        /// Cells found.
        found: usize,
        /// The grid's width.
        expected: usize,
    },
    /// A character that is no cell.
    #[error("row {row}, column {column}: {found:?} is not 0, N or B")]
    Character {
        /// From 0.
        row: usize,
        /// From 0.
        column: usize,
        /// The content of the cell.
        found: char,
    },
}

/// Which stone stands on which cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grid {
    rows: usize,
    columns: usize,
    /// One bit a cell for each colour.
    stones: [BitVec; 2],
}

impl Grid {
    /// An empty grid.
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

    /// Reads a row: `0` free, `N` black, `B` white.
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

    /// Puts a stone on a cell, or takes it away.
    pub fn set(&mut self, cell: Cell, stone: Option<Color>) {
        for color in Color::ALL {
            self.stones[color.index()].set(cell.index(), stone == Some(color));
        }
    }

    /// The stone on a cell.
    #[must_use]
    pub fn stone(&self, cell: Cell) -> Option<Color> {
        Color::ALL.into_iter().find(|color| self.stones[color.index()][cell.index()])
    }

    /// The cells that hold a stone, black's first.
    pub fn stones(&self) -> impl Iterator<Item = Cell> + '_ {
        self.stones.iter().flat_map(|stones| stones.iter_ones().map(Cell::new))
    }

    /// Rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Columns.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The number of stones of a colour.
    #[must_use]
    pub fn count(&self, color: Color) -> usize {
        self.stones[color.index()].count_ones()
    }

    /// Whose turn it is: black's when both have as many stones, else that of the colour with fewer.
    #[must_use]
    pub fn mover(&self) -> Color {
        if self.count(Color::Black) > self.count(Color::White) { Color::White } else { Color::Black }
    }

    /// True if a game with alternate moves can have put so many stones on it.
    #[must_use]
    pub fn is_regular(&self) -> bool {
        let (black, white) = (self.count(Color::Black), self.count(Color::White));
        black == white || black == white + 1
    }

    /// True if no cell is free.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.count(Color::Black) + self.count(Color::White) == self.rows * self.columns
    }
}

impl FromStr for Grid {
    type Err = GridError;

    /// One row a line.
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
    /// One row a line, as in a request.
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
