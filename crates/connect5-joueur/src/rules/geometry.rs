//! Where the cells of a grid stand on its lines.

use super::{Cell, MAX_SIDE};

/// Along a row, along a column, down to the right, down to the left.
pub const DIRECTIONS: usize = 4;

/// Ways in which two cells may lie to each other: see [`Geometry::relation`].
pub const RELATIONS: usize = 9;

/// The relation of two cells by their distance in rows and columns: see [`Geometry::relation`].
pub(crate) fn relation(down: u16, right: u16) -> usize {
    let distance = usize::from(down.max(right));
    let on_line = down == 0 || right == 0 || down == right;
    match distance {
        1..=5 if on_line => distance,
        2..=4 => 4 + distance,
        _ => 0,
    }
}

/// Cells of wall before, between and after the lines, so that a window of ten cells to either side never leaves its
/// line for another.
const WALL: usize = 10;

/// The tables that depend only on the size of the grid: shared by all positions on it.
///
/// All lines of all four directions stand one after the other in one string of two-bit cells, with walls between.
#[derive(Debug, PartialEq, Eq)]
pub struct Geometry {
    rows: usize,
    columns: usize,
    /// For each cell, the bit at which it stands in the string of lines, for each direction.
    bits: Vec<[u32; DIRECTIONS]>,
    /// For each cell, its row and column.
    places: Vec<[u16; 2]>,
    /// For each cell, a random number for each colour: what its stone contributes to the key.
    keys: Vec<[u64; 2]>,
    /// Bytes of the string of lines, with room to read eight bytes anywhere.
    bytes: usize,
}

impl Geometry {
    /// The geometry of a grid of `rows` × `columns`.
    #[must_use]
    pub fn new(rows: usize, columns: usize) -> Self {
        let diagonals = rows + columns - 1;
        // Lines of each direction, and cells of each line; on diagonals a cell stands at its row.
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
        // A position on a grid of another size is another position.
        let size = (rows * (MAX_SIDE + 1) + columns) as u64;
        let key = |cell: usize, color: u64| mix(size << 32 | (4 * cell as u64 + color));
        let keys = (0..rows * columns).map(|cell| [1, 2].map(|color| key(cell, color))).collect();
        Self { rows, columns, bits, places, keys, bytes: end / 4 + 16 }
    }

    /// Rows.
    #[inline]
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Columns.
    #[inline]
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Cells.
    #[inline]
    #[must_use]
    pub fn cells(&self) -> usize {
        self.rows * self.columns
    }

    /// The offset of one step in each direction.
    #[inline]
    #[must_use]
    pub fn steps(&self) -> [isize; DIRECTIONS] {
        let columns = self.columns as isize;
        [1, columns, columns + 1, columns - 1]
    }

    /// The distance of two cells in king's steps.
    #[inline]
    #[must_use]
    pub fn distance(&self, from: Cell, to: Cell) -> usize {
        let [down, right] = self.apart(from, to);
        usize::from(down.max(right))
    }

    /// The relation of `to` to `from`, a number below [`RELATIONS`]: on one line so many steps away up to five, off all
    /// lines two, three or four steps away, or farther (0).
    #[inline]
    #[must_use]
    pub fn relation(&self, from: Cell, to: Cell) -> usize {
        let [down, right] = self.apart(from, to);
        relation(down, right)
    }

    /// The row and the column of a cell.
    #[inline]
    pub(crate) fn place(&self, cell: Cell) -> [u16; 2] {
        self.places[cell.index()]
    }

    /// The distance of two cells in rows and columns.
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

    /// All lines of an empty grid.
    pub(super) fn empty_lines(&self) -> Vec<u8> {
        let mut lines = vec![0xff; self.bytes];
        for bit in self.bits.iter().flatten() {
            lines[(bit >> 3) as usize] &= !(3 << (bit & 7));
        }
        lines
    }
}

/// SplitMix64.
fn mix(seed: u64) -> u64 {
    let mut x = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}
