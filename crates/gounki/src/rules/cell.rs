use std::fmt;

/// One of the two players; the board's own directions are White's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Colour {
    /// Moves first, towards rank 8.
    White,
    /// Moves towards rank 1.
    Black,
}

impl Colour {
    /// The opponent.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }

    /// A cell of the board as this player sees it from behind rank 1, and back: White sees the board as it is, Black
    /// with its ranks reversed.
    #[must_use]
    pub const fn view(self, cell: Cell) -> Cell {
        match self {
            Self::White => cell,
            Self::Black => Cell(cell.0 ^ 56),
        }
    }

    /// `blanc` or `noir`, as the course writes it.
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

    /// The cell of a number below 64.
    #[must_use]
    pub const fn new(index: usize) -> Option<Self> {
        if index < 64 { Some(Self(index as u8)) } else { None }
    }

    /// The cell named by its two characters, `a1` to `h8`.
    #[must_use]
    pub const fn from_name(file: u8, rank: u8) -> Option<Self> {
        match (file, rank) {
            (b'a'..=b'h', b'1'..=b'8') => Some(Self((rank - b'1') * 8 + file - b'a')),
            _ => None,
        }
    }

    /// Its number, from 0 to 63.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Its file, a = 0.
    #[must_use]
    pub const fn file(self) -> u8 {
        self.0 & 7
    }

    /// Its rank, 1 = 0.
    #[must_use]
    pub const fn rank(self) -> u8 {
        self.0 >> 3
    }

    /// Dark cells are those where squares begin: a1 is one.
    #[must_use]
    pub const fn is_dark(self) -> bool {
        (self.file() + self.rank()).is_multiple_of(2)
    }

    /// Its bit in a set of cells.
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
