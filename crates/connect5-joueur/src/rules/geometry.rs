//! The lines of a grid, and the places of its cells on them.

use super::{Cell, MAX_SIDE};

/// Number of directions: along a row, along a column, down to the right, down to the left.
pub const DIRECTIONS: usize = 4;

/// Number of relations between two cells: see [`Geometry::relation`].
pub const RELATIONS: usize = 9;

/// Returns the relation of two cells by their distance in rows and columns: see [`Geometry::relation`].
pub(crate) fn relation(down: u16, right: u16) -> usize {
    let distance = usize::from(down.max(right));
    let on_line = down == 0 || right == 0 || down == right;
    match distance {
        1..=5 if on_line => distance,
        2..=4 => 4 + distance,
        _ => 0,
    }
}

/// Wall cells before, between and after the lines, so that a window of ten cells to either side never reaches another
/// line.
const WALL: usize = 10;

/// The tables that depend only on the size of the grid, shared by all positions on it.
///
/// All lines of all four directions are stored one after the other in one string of two-bit cells, with walls between.
#[derive(Debug, PartialEq, Eq)]
pub struct Geometry {
    rows: usize,
    columns: usize,
    /// For each cell, its bit offset in the string of lines, by direction.
    bits: Vec<[u32; DIRECTIONS]>,
    /// For each cell, its row and column.
    places: Vec<[u16; 2]>,
    /// Zobrist keys of each cell, by colour.
    keys: Vec<[u64; 2]>,
    /// Length of the string of lines in bytes, with room to read eight bytes anywhere.
    bytes: usize,
}

impl Geometry {
    /// Builds the tables of a grid of `rows` × `columns`.
    #[must_use]
    pub fn new(rows: usize, columns: usize) -> Self {
        let diagonals = rows + columns - 1;
        // The lines of each direction, and the cells of each line. On a diagonal a cell's place is its row.
        let lines = [rows, columns, diagonals, diagonals];
        let lengths = [columns, rows, rows, rows];
        let mut starts = [0; DIRECTIONS];
        let mut end = WALL;
        for direction in 0..DIRECTIONS {
            starts[direction] = end;
            end += lines[direction] * (lengths[direction] + WALL);
        }
        let mut bits = Vec::with_capacity(rows * columns);
        let mut places = Vec::with_capacity(rows * columns);
        for row in 0..rows {
            for column in 0..columns {
                places.push([row as u16, column as u16]);
                let line = [row, column, row + columns - 1 - column, row + column];
                let place = [column, row, row, row];
                bits.push(std::array::from_fn(|d| {
                    (2 * (starts[d] + line[d] * (lengths[d] + WALL) + place[d])) as u32
                }));
            }
        }
        // The size is part of the key, so that grids of different sizes have different keys.
        let size = (rows * (MAX_SIDE + 1) + columns) as u64;
        let key = |cell: usize, color: u64| mix(size << 32 | (4 * cell as u64 + color));
        let keys = (0..rows * columns).map(|cell| [1, 2].map(|color| key(cell, color))).collect();
        Self { rows, columns, bits, places, keys, bytes: end / 4 + 16 }
    }

    /// Returns the number of rows.
    #[inline]
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Returns the number of columns.
    #[inline]
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Returns the number of cells.
    #[inline]
    #[must_use]
    pub fn cells(&self) -> usize {
        self.rows * self.columns
    }

    /// Returns the index offset of one step in each direction.
    #[inline]
    #[must_use]
    pub fn steps(&self) -> [isize; DIRECTIONS] {
        let columns = self.columns as isize;
        [1, columns, columns + 1, columns - 1]
    }

    /// Returns the relation of `to` to `from`, below [`RELATIONS`]: one to five steps apart on a common line; two,
    /// three or four steps apart off all lines; or farther (0).
    #[inline]
    #[must_use]
    pub fn relation(&self, from: Cell, to: Cell) -> usize {
        let [down, right] = self.apart(from, to);
        relation(down, right)
    }

    /// Returns the row and the column of a cell.
    #[inline]
    pub(crate) fn place(&self, cell: Cell) -> [u16; 2] {
        self.places[cell.index()]
    }

    /// Returns the distance of two cells in rows and columns.
    #[inline]
    fn apart(&self, from: Cell, to: Cell) -> [u16; 2] {
        let ([row, column], [to_row, to_column]) = (self.place(from), self.place(to));
        [row.abs_diff(to_row), column.abs_diff(to_column)]
    }

    #[inline]
    pub(super) fn bits(&self, cell: Cell) -> &[u32; DIRECTIONS] {
        &self.bits[cell.index()]
    }

    #[inline]
    pub(super) fn keys(&self, cell: Cell) -> &[u64; 2] {
        &self.keys[cell.index()]
    }

    /// Returns all lines of an empty grid.
    pub(super) fn empty_lines(&self) -> Vec<u8> {
        let mut lines = vec![0xff; self.bytes];
        for bit in self.bits.iter().flatten() {
            lines[(bit >> 3) as usize] &= !(3 << (bit & 7));
        }
        lines
    }
}

/// SplitMix64's output function.
fn mix(seed: u64) -> u64 {
    let mut x = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}
