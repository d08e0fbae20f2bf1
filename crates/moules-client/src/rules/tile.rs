use std::fmt;

/// The content of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Tile {
    /// A wall, which a frite jumps over.
    Dune,
    /// An empty cell.
    Sand,
    /// A bonus: a jump of two cells.
    Frite,
    /// A bonus: three steps in one turn.
    Beer,
    /// A mussel with its points.
    Mussel(u32),
}

impl Tile {
    /// Returns true for a mussel, a frite or a beer.
    #[must_use]
    pub const fn is_item(self) -> bool {
        !matches!(self, Self::Dune | Self::Sand)
    }
}

impl fmt::Display for Tile {
    /// Writes the code on the wire: `D`, `S`, `F`, `B`, or the points.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Dune => f.write_str("D"),
            Self::Sand => f.write_str("S"),
            Self::Frite => f.write_str("F"),
            Self::Beer => f.write_str("B"),
            Self::Mussel(points) => write!(f, "{points}"),
        }
    }
}
