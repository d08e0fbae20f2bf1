use std::fmt;

/// The content of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Tile {
    /// Nobody walks here; a frite jumps over it.
    Dune,
    /// Nothing.
    Sand,
    /// A bonus: two cells at once.
    Frite,
    /// A bonus: three steps at once.
    Beer,
    /// A mussel and its points.
    Mussel(u32),
}

impl Tile {
    /// True if somebody who comes here takes something.
    #[must_use]
    pub const fn is_item(self) -> bool {
        !matches!(self, Self::Dune | Self::Sand)
    }
}

impl fmt::Display for Tile {
    /// The code on the wire: `D`, `S`, `F`, `B`, or the points.
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
