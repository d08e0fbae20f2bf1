use search_core::MoveCode;
use std::fmt;

/// One of the 81 cells, numbered 9 · board + cell, with boards and cells row by row. Also a move: the mover's symbol in
/// that cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(u8);

impl Cell {
    /// The number of cells.
    pub const COUNT: usize = 81;

    /// Cell `index`, if it is below 81.
    #[inline]
    #[must_use]
    pub const fn new(index: usize) -> Option<Self> {
        if index < Self::COUNT { Some(Self(index as u8)) } else { None }
    }

    /// Cell `within` (0 to 8) of board `board` (0 to 8).
    #[inline]
    #[must_use]
    pub const fn at(board: usize, within: usize) -> Self {
        debug_assert!(board < 9 && within < 9);
        Self((9 * board + within) as u8)
    }

    /// The cell's number, 0 to 80.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The small board that contains the cell, 0 to 8.
    #[inline]
    #[must_use]
    pub const fn board(self) -> usize {
        self.0 as usize / 9
    }

    /// The cell's place in its board, 0 to 8, which is also the board that the opponent is sent to.
    #[inline]
    #[must_use]
    pub const fn within(self) -> usize {
        self.0 as usize % 9
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl MoveCode for Cell {
    #[inline]
    fn to_code(self) -> u32 {
        self.0.into()
    }

    #[inline]
    fn from_code(word: u32) -> Self {
        Self(word as u8)
    }
}

/// One of the two sides; x begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    /// The first player.
    X,
    /// The second player.
    O,
}

impl Side {
    /// The other player.
    #[inline]
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::X => Self::O,
            Self::O => Self::X,
        }
    }

    /// 0 for x, 1 for o.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The two bits of the side's symbol in an [`Integer`](super::Integer): 1 for x, 2 for o.
    #[inline]
    #[must_use]
    pub const fn symbol(self) -> u64 {
        self as u64 + 1
    }
}
