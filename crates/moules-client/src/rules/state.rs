use super::{Dialect, Direction, Tile};
use smallvec::SmallVec;
use std::fmt;
use std::str::FromStr;

/// A cell's index in the maze, row by row from the top left, from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Cell(pub u32);

impl Cell {
    /// Returns the cell as an index.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Each player's cell, by player number.
pub type Players = SmallVec<[Cell; MAX_PLAYERS]>;

/// Maximum number of players in a match.
pub const MAX_PLAYERS: usize = 4;
/// Maximum number of cells: 1024 × 1024.
pub const MAX_CELLS: usize = 1 << 20;
/// Maximum points of a mussel, so that every total is far from overflowing an `i32`.
pub const MAX_POINTS: u32 = 1_000_000;
/// Maximum length of a state line in bytes, for a maze of [`MAX_CELLS`].
pub const MAX_LINE: usize = 8 * MAX_CELLS;

/// The state that the server sends before each turn: the maze, the items, the players' cells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    /// The number of columns.
    pub width: usize,
    /// The number of rows.
    pub height: usize,
    /// The cells, row by row from the top left.
    pub tiles: Vec<Tile>,
    /// Each player's cell, by player number.
    pub players: Players,
}

impl State {
    /// Returns the cell in column `x` and row `y`, which must be inside the maze.
    #[must_use]
    pub fn cell(&self, x: usize, y: usize) -> Cell {
        debug_assert!(x < self.width && y < self.height);
        Cell((y * self.width + x) as u32)
    }

    /// Returns the column and row of a cell.
    #[must_use]
    pub fn coordinates(&self, cell: Cell) -> (usize, usize) {
        (cell.index() % self.width, cell.index() / self.width)
    }

    /// Returns the content of a cell.
    #[must_use]
    pub fn tile(&self, cell: Cell) -> Tile {
        self.tiles[cell.index()]
    }

    /// Returns the cell `distance` cells from `cell`, or `None` outside the maze.
    #[must_use]
    pub fn neighbour(&self, cell: Cell, direction: Direction, distance: i32) -> Option<Cell> {
        let (x, y) = self.coordinates(cell);
        let (dx, dy) = direction.delta();
        let (x, y) = (x as i64 + i64::from(dx * distance), y as i64 + i64::from(dy * distance));
        let inside = (0..self.width as i64).contains(&x) && (0..self.height as i64).contains(&y);
        inside.then(|| self.cell(x as usize, y as usize))
    }

    /// Iterates over the mussels left, row by row, with their points.
    pub fn mussels(&self) -> impl Iterator<Item = (Cell, u32)> + '_ {
        self.tiles.iter().enumerate().filter_map(|(index, tile)| match *tile {
            Tile::Mussel(points) => Some((Cell(index as u32), points)),
            _ => None,
        })
    }
}

impl fmt::Display for State {
    /// Writes the wire format, without line ending.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}/", self.width, self.height)?;
        for (index, tile) in self.tiles.iter().enumerate() {
            if index > 0 {
                f.write_str("-")?;
            }
            // Writing the fixed letters directly halves the server's time for a turn.
            match tile {
                Tile::Dune => f.write_str("D")?,
                Tile::Sand => f.write_str("S")?,
                other => write!(f, "{other}")?,
            }
        }
        write!(f, "/{}", self.players.len())?;
        for &player in &self.players {
            let (x, y) = self.coordinates(player);
            write!(f, "-{x},{y}")?;
        }
        Ok(())
    }
}

/// An error in a state line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StateError {
    /// The line does not have three parts.
    #[error("expected three parts separated by slashes, found {0}")]
    Parts(usize),
    /// The first part is not `WxH`, or the maze is too small or too large.
    #[error("\"{0}\" is not a size: expected WxH, from 3x3 to {MAX_CELLS} cells")]
    Size(String),
    /// The number of cells differs from the size.
    #[error("expected {expected} cells, found {found}")]
    Count {
        /// The number of cells by the size.
        expected: usize,
        /// The number of cells in the line.
        found: usize,
    },
    /// A cell is not `D`, `S`, `F`, `B` (or `Mu`, `So`, `Bs`, `Bp` in the public dialect) or a number of points.
    #[error("cell {index} is \"{code}\": expected D, S, F, B or points up to {MAX_POINTS}")]
    Code {
        /// The cell's index, from 0.
        index: usize,
        /// The cell's text.
        code: String,
    },
    /// A cell at the edge is not a dune.
    #[error("cell {0} at the edge is not a dune")]
    Edge(usize),
    /// The third part does not list the number of players that it states, or not 1 to 4.
    #[error("\"{0}\" is not a list of players: expected n-x,y-…, n from 1 to {MAX_PLAYERS}")]
    Players(String),
    /// A player stands outside or on a dune.
    #[error("player {player} at \"{place}\" is not on sand")]
    Place {
        /// The player's number, from 0.
        player: usize,
        /// The text of its coordinates.
        place: String,
    },
}

impl FromStr for State {
    type Err = StateError;

    /// Parses a line of either [`Dialect`].
    fn from_str(line: &str) -> Result<Self, StateError> {
        let parts: SmallVec<[&str; 4]> = line.split('/').take(5).collect();
        let &[size, cells, players] = parts.as_slice() else {
            return Err(StateError::Parts(parts.len()));
        };
        let (width, height) = read_size(size)?;
        let tiles = read_tiles(cells, width, height)?;
        let mut state = Self { width, height, tiles, players: Players::new() };
        state.players = read_players(players, &state)?;
        Ok(state)
    }
}

/// Returns at most forty characters of a text, for messages.
fn excerpt(text: &str) -> String {
    text.chars().take(40).collect()
}

fn read_number<T: FromStr>(text: &str) -> Option<T> {
    // Checked first because `parse` would accept a sign.
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

fn read_size(text: &str) -> Result<(usize, usize), StateError> {
    let bad = || StateError::Size(excerpt(text));
    let (width, height) = text.split_once('x').ok_or_else(bad)?;
    let width: usize = read_number(width).ok_or_else(bad)?;
    let height: usize = read_number(height).ok_or_else(bad)?;
    let cells = width.checked_mul(height).ok_or_else(bad)?;
    if width < 3 || height < 3 || cells > MAX_CELLS { Err(bad()) } else { Ok((width, height)) }
}

fn read_tiles(text: &str, width: usize, height: usize) -> Result<Vec<Tile>, StateError> {
    let expected = width * height;
    // Counted before memory is allocated.
    let found = text.bytes().filter(|&byte| byte == b'-').count() + 1;
    if found != expected {
        return Err(StateError::Count { expected, found });
    }
    let dialect = Dialect::of_cells(text);
    let mut tiles = Vec::with_capacity(expected);
    for (index, code) in text.split('-').enumerate() {
        let mussel = || read_number(code).filter(|&points| points <= MAX_POINTS).map(Tile::Mussel);
        let Some(tile) = dialect.tile(code).or_else(mussel) else {
            return Err(StateError::Code { index, code: excerpt(code) });
        };
        let (x, y) = (index % width, index / width);
        if (x == 0 || y == 0 || x == width - 1 || y == height - 1) && tile != Tile::Dune {
            return Err(StateError::Edge(index));
        }
        tiles.push(tile);
    }
    Ok(tiles)
}

fn read_players(text: &str, state: &State) -> Result<Players, StateError> {
    let bad = || StateError::Players(excerpt(text));
    let mut words = text.split('-');
    let count: usize = words.next().and_then(read_number).ok_or_else(bad)?;
    if !(1..=MAX_PLAYERS).contains(&count) {
        return Err(bad());
    }
    let mut players = Players::new();
    for place in words {
        let player = players.len();
        if player == count {
            return Err(bad());
        }
        let wrong = || StateError::Place { player, place: excerpt(place) };
        let (x, y) = place.split_once(',').ok_or_else(bad)?;
        let x: usize = read_number(x).ok_or_else(wrong)?;
        let y: usize = read_number(y).ok_or_else(wrong)?;
        if x >= state.width || y >= state.height || state.tile(state.cell(x, y)) == Tile::Dune {
            return Err(wrong());
        }
        players.push(state.cell(x, y));
    }
    if players.len() == count { Ok(players) } else { Err(bad()) }
}
