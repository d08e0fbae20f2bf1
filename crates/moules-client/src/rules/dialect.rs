use super::{Move, Tile};

/// The words of the wire format, which differ between the course's server and its other public edition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Dialect {
    /// `D`, `S`, `F`, `B`; `F-d` and `B-a-b-c`.
    #[default]
    Course,
    /// `Mu`, `So`, `Bs`, `Bp`; `Bs-d` and `Bp-a-b-c`.
    Public,
}

impl Dialect {
    /// Returns the dialect of a state's cells, from the first one, which is always a dune.
    #[must_use]
    pub fn of_cells(cells: &str) -> Self {
        if cells.starts_with(Self::Public.dune()) { Self::Public } else { Self::Course }
    }

    /// Returns the dialect of a state line.
    #[must_use]
    pub fn of_line(line: &str) -> Self {
        Self::of_cells(line.split('/').nth(1).unwrap_or_default())
    }

    const fn dune(self) -> &'static str {
        match self {
            Self::Course => "D",
            Self::Public => "Mu",
        }
    }

    /// Returns the tile of a code that is not a number.
    pub(super) fn tile(self, code: &str) -> Option<Tile> {
        let codes = match self {
            Self::Course => ["D", "S", "F", "B"],
            Self::Public => ["Mu", "So", "Bs", "Bp"],
        };
        let tiles = [Tile::Dune, Tile::Sand, Tile::Frite, Tile::Beer];
        codes.into_iter().zip(tiles).find(|&(other, _)| other == code).map(|(_, tile)| tile)
    }

    /// Returns the text of `mv` for a server of this dialect.
    #[must_use]
    pub fn command(self, mv: Move) -> String {
        let text = mv.to_string();
        match (self, mv) {
            (Self::Public, Move::Jump(_)) => text.replacen('F', "Bs", 1),
            (Self::Public, Move::Beer(_)) => text.replacen('B', "Bp", 1),
            _ => text,
        }
    }
}
