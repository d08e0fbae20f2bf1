//! A position for the search, with make and undo at a cost independent of the grid's size.

use super::{Cell, Color, DIRECTIONS, Geometry, Grid};
use search_core::{Outcome, Sink};
use std::sync::Arc;

/// The reach of [`Position::window`] to either side.
pub const WINDOW_REACH: usize = 10;

/// The two bits of a cell: free, black, white, wall.
const FREE: u64 = 0;
/// The lower bit of every cell.
const LOW: u64 = 0x5555_5555_5555_5555;
/// The bit offset of the middle cell in its window.
const CENTER: u32 = 2 * WINDOW_REACH as u32;

/// A position of the search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Position {
    geometry: Arc<Geometry>,
    /// Every cell four times, once in a line of each direction: see [`Geometry`].
    lines: Vec<u8>,
    mover: Color,
    free: usize,
    key: u64,
    outcome: Option<Outcome>,
}

impl Position {
    /// Creates the position on `grid` with `mover` to move. A grid that is already won is a finished game, whoever is
    /// to move.
    #[must_use]
    pub fn new(grid: &Grid, mover: Color) -> Self {
        let geometry = Arc::new(Geometry::new(grid.rows(), grid.columns()));
        let lines = geometry.empty_lines();
        let free = geometry.cells();
        let mut position = Self { geometry, lines, mover, free, key: 0, outcome: None };
        let stones: Vec<_> =
            position.cells().filter_map(|cell| grid.stone(cell).map(|color| (cell, color))).collect();
        for &(cell, color) in &stones {
            position.put(cell, color);
        }
        position.key ^= if mover == Color::White { WHITE_TO_MOVE } else { 0 };
        let five = |of| stones.iter().any(|&(cell, color)| color == of && position.makes_five(cell, color));
        position.outcome = if five(mover.other()) {
            Some(Outcome::Loss)
        } else if five(mover) {
            Some(Outcome::Win)
        } else {
            (position.free == 0).then_some(Outcome::Draw)
        };
        position
    }

    /// Creates the position of a request, with the side to move from the number of stones.
    #[must_use]
    pub fn from_grid(grid: &Grid) -> Self {
        Self::new(grid, grid.mover())
    }

    /// Returns the tables that depend only on the size of the grid.
    #[inline]
    #[must_use]
    pub fn geometry(&self) -> &Geometry {
        &self.geometry
    }

    /// Returns the side to move.
    #[inline]
    #[must_use]
    pub fn mover(&self) -> Color {
        self.mover
    }

    /// Returns the number of free cells.
    #[inline]
    #[must_use]
    pub fn free(&self) -> usize {
        self.free
    }

    /// Iterates over all cells, row by row.
    pub fn cells(&self) -> impl ExactSizeIterator<Item = Cell> + use<> {
        (0..self.geometry.cells()).map(Cell::new)
    }

    /// Returns true if `cell` is free.
    #[inline]
    #[must_use]
    pub fn is_free(&self, cell: Cell) -> bool {
        self.code(cell) == FREE
    }

    /// Returns the stone on `cell`.
    #[must_use]
    pub fn stone(&self, cell: Cell) -> Option<Color> {
        match self.code(cell) {
            1 => Some(Color::Black),
            2 => Some(Color::White),
            _ => None,
        }
    }

    /// Returns the cells within [`WINDOW_REACH`] of `cell` in one direction, two bits each from the low end: free 0,
    /// black 1, white 2, wall 3. The cell itself is at index `WINDOW_REACH`.
    #[inline]
    #[must_use]
    pub fn window(&self, cell: Cell, direction: usize) -> u64 {
        let (byte, shift) = split(self.geometry.bits(cell)[direction]);
        let bytes = self.lines[byte..].first_chunk().expect("there is room for eight bytes after any cell");
        u64::from_le_bytes(*bytes) >> shift
    }

    /// Returns the windows around `cell` in all directions.
    #[inline]
    #[must_use]
    pub fn windows(&self, cell: Cell) -> [u64; DIRECTIONS] {
        std::array::from_fn(|direction| self.window(cell, direction))
    }

    /// Returns the cell `offset` steps (at most [`WINDOW_REACH`]) from `cell` in one direction, if it is on the grid
    /// and free.
    #[inline]
    #[must_use]
    pub fn free_neighbour(&self, cell: Cell, direction: usize, offset: isize) -> Option<Cell> {
        let place = (WINDOW_REACH as isize + offset) as u32;
        let free = self.window(cell, direction) >> (2 * place) & 3 == FREE;
        let index = cell.index() as isize + offset * self.geometry.steps()[direction];
        free.then(|| Cell::new(index as usize))
    }

    /// Returns true if a stone of `color` on `cell` is in a run of exactly five.
    #[inline]
    #[must_use]
    pub fn makes_five(&self, cell: Cell, color: Color) -> bool {
        has_five(self.windows(cell), color)
    }

    /// Returns the grid in the form of a request.
    #[must_use]
    pub fn to_grid(&self) -> Grid {
        let mut grid =
            Grid::new(self.geometry.rows(), self.geometry.columns()).expect("a position has a grid's size");
        for cell in self.cells() {
            grid.set(cell, self.stone(cell));
        }
        grid
    }

    /// Returns the key of the position after the mover's stone on the free cell `cell`.
    #[inline]
    #[must_use]
    pub fn key_after(&self, cell: Cell) -> u64 {
        self.key ^ self.geometry.keys(cell)[self.mover.index()] ^ WHITE_TO_MOVE
    }

    #[inline]
    fn code(&self, cell: Cell) -> u64 {
        let bit = self.geometry.bits(cell)[0];
        u64::from(self.lines[(bit >> 3) as usize] >> (bit & 7) & 3)
    }

    /// Adds or removes a stone of `color` on a cell, and returns the windows around it. Inlined, so that the windows
    /// cost nothing where the caller does not use them.
    #[inline(always)]
    fn flip(&mut self, cell: Cell, color: Color) -> [u64; DIRECTIONS] {
        self.key ^= self.geometry.keys(cell)[color.index()];
        self.geometry.bits(cell).map(|bit| {
            // Written as the same bytes that the window is read from, so that the processor can forward the store to
            // the load.
            let (byte, shift) = split(bit);
            let bytes =
                self.lines[byte..].first_chunk_mut().expect("there is room for eight bytes after any cell");
            let lines = u64::from_le_bytes(*bytes) ^ 1 << color.index() << (CENTER + shift);
            *bytes = lines.to_le_bytes();
            lines >> shift
        })
    }

    #[inline]
    fn put(&mut self, cell: Cell, color: Color) -> [u64; DIRECTIONS] {
        self.free -= 1;
        self.flip(cell, color)
    }
}

/// Returns the first byte of the window of the cell at this bit, and the number of bits to skip.
#[inline]
const fn split(bit: u32) -> (usize, u32) {
    let first = bit - CENTER;
    ((first >> 3) as usize, first & 7)
}

/// Returns the lower bit of every cell of a window with a stone of `color`.
#[inline]
const fn stones(window: u64, color: Color) -> u64 {
    match color {
        Color::Black => window & !(window >> 1) & LOW,
        Color::White => window >> 1 & !window & LOW,
    }
}

/// Returns true if a stone of `color` in the middle of these windows is in a run of exactly five.
#[inline]
fn has_five(windows: [u64; DIRECTIONS], color: Color) -> bool {
    let own = windows.map(|window| stones(window, color) | 1 << CENTER);
    // A cheap test for five or more in a row anywhere, which is rare.
    let fives = own.map(|own| {
        let two = own & own >> 2;
        two & two >> 4 & own >> 8
    });
    fives.into_iter().any(|five| five != 0) && own.into_iter().any(is_five)
}

/// Returns true if the stones of one colour form a run of exactly five through the middle of their window.
#[inline]
const fn is_five(own: u64) -> bool {
    let others = LOW & !own;
    let after = (others >> (CENTER + 2)).trailing_zeros() / 2;
    let before = (others << (64 - CENTER)).leading_zeros() / 2;
    before + after == 4
}

const WHITE_TO_MOVE: u64 = 0x6a09_e667_f3bc_c909;

impl search_core::Position for Position {
    type Move = Cell;
    type Undo = ();

    fn moves<S: Sink<Cell>>(&self, sink: &mut S) {
        if self.outcome.is_none() {
            for cell in self.cells().filter(|&cell| self.is_free(cell)) {
                sink.push(cell);
            }
        }
    }

    #[inline]
    fn is_legal(&self, cell: Cell) -> bool {
        self.outcome.is_none() && cell.index() < self.geometry.cells() && self.is_free(cell)
    }

    #[inline]
    fn play(&mut self, cell: Cell) {
        debug_assert!(self.is_legal(cell));
        let color = self.mover;
        let windows = self.put(cell, color);
        self.outcome = if has_five(windows, color) {
            Some(Outcome::Loss)
        } else {
            (self.free == 0).then_some(Outcome::Draw)
        };
        self.mover = color.other();
        self.key ^= WHITE_TO_MOVE;
    }

    #[inline]
    fn undo(&mut self, cell: Cell, (): ()) {
        self.mover = self.mover.other();
        self.key ^= WHITE_TO_MOVE;
        self.flip(cell, self.mover);
        self.free += 1;
        self.outcome = None;
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key
    }
}
