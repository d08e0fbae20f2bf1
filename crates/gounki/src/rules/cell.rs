use std::fmt;

/// A player. The board's own directions are White's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Colour {
    /// The first player, who moves towards rank 8.
    White,
    /// The second player, who moves towards rank 1.
    Black,
}

impl Colour {
    /// Returns the opponent's colour.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }

    /// Converts a cell between the board's own names and this player's point of view, in either direction: Black sees
    /// the ranks reversed.
    #[must_use]
    pub const fn view(self, cell: Cell) -> Cell {
        match self {
            Self::White => cell,
            Self::Black => Cell(cell.0 ^ 56),
        }
    }

    /// The French name, `blanc` or `noir`, as the course writes it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::White => "blanc",
            Self::Black => "noir",
        }
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A cell, rank by rank from a1 = 0 to h8 = 63.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell(pub(super) u8);

impl Cell {
    /// All cells in the order of a configuration file: a1, b1, …, h8.
    pub fn all() -> impl ExactSizeIterator<Item = Self> {
        (0..64).map(Self)
    }

    /// The cell with this index; `None` from 64 on.
    #[must_use]
    pub const fn new(index: usize) -> Option<Self> {
        if index < 64 { Some(Self(index as u8)) } else { None }
    }

    /// The cell with this two-character name, `a1` to `h8`.
    #[must_use]
    pub const fn from_name(file: u8, rank: u8) -> Option<Self> {
        match (file, rank) {
            (b'a'..=b'h', b'1'..=b'8') => Some(Self((rank - b'1') * 8 + file - b'a')),
            _ => None,
        }
    }

    /// The index, from 0 to 63.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The file; a = 0.
    #[must_use]
    pub const fn file(self) -> u8 {
        self.0 & 7
    }

    /// The rank; 1 = 0.
    #[must_use]
    pub const fn rank(self) -> u8 {
        self.0 >> 3
    }

    /// True for dark cells, where squares begin; a1 is dark.
    #[must_use]
    pub const fn is_dark(self) -> bool {
        (self.file() + self.rank()).is_multiple_of(2)
    }

    /// The set that contains only this cell.
    #[must_use]
    pub const fn bit(self) -> u64 {
        1 << self.0
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.file()), self.rank() + 1)
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
