use super::{Move, Tile};

/// The words of the wire: the course's server and its other public edition call the same things by other letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Dialect {
    /// `D`, `S`, `F`, `B`; `F-d` and `B-a-b-c`.
    #[default]
    Course,
    /// `Mu`, `So`, `Bs`, `Bp`; `Bs-d` and `Bp-a-b-c`.
    Public,
}

impl Dialect {
    /// The dialect of a state's cells: the first one is always a dune.
    #[must_use]
    pub fn of_cells(cells: &str) -> Self {
        if cells.starts_with(Self::Public.dune()) { Self::Public } else { Self::Course }
    }

    /// The dialect of a state's line.
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

    /// The tile of a code that is no number of points.
    pub(super) fn tile(self, code: &str) -> Option<Tile> {
        let codes = match self {
            Self::Course => ["D", "S", "F", "B"],
            Self::Public => ["Mu", "So", "Bs", "Bp"],
        };
        let tiles = [Tile::Dune, Tile::Sand, Tile::Frite, Tile::Beer];
        codes.into_iter().zip(tiles).find(|&(other, _)| other == code).map(|(_, tile)| tile)
    }

    /// The text of `mv` as a server of this dialect reads it.
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
