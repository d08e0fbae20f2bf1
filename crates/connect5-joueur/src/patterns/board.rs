//! The shapes of all free cells of a position.

use super::code::{Code, Codes, SOMETHING, of_color};
use super::line_changes::{LineChanges, PLACES, codes_of};
use super::set::{CellSet, CellSets};
use super::shape::REACH;
use super::tables::{Tables, shape};
use super::weights::{FIVES, FOURS, OPEN_FOURS, Weights, Worth};
use super::window;
use super::{Class, Shape, threats};
use crate::rules::{Cell, Color, DIRECTIONS, Position};
use std::cmp::Reverse;
use std::fmt;

/// Bits per direction in a set of cells around a stone.
const STRETCH: usize = 16;
/// Maximum number of cells that a stone changes, rounded up.
const AROUND: usize = DIRECTIONS * STRETCH;

/// The previous state of a cell that a move changed.
#[derive(Debug, Clone, Copy, Default)]
struct Change {
    codes: Codes,
    /// The cell's index in the low 24 bits, and the sets that it entered or left above them.
    cell_and_sets: u32,
}

impl Change {
    #[inline]
    fn new(codes: Codes, cell: Cell, sets: u8) -> Self {
        Self { codes, cell_and_sets: cell.index() as u32 | u32::from(sets) << 24 }
    }

    #[inline]
    fn cell(self) -> Cell {
        Cell::new(self.cell_and_sets as usize & 0xff_ffff)
    }

    #[inline]
    fn sets(self) -> u8 {
        (self.cell_and_sets >> 24) as u8
    }
}

/// A move on the board, and the state before it.
#[derive(Debug, Clone, Copy)]
struct Frame {
    /// The index of the move's first change.
    changes: usize,
    /// The span before the move.
    span: (u32, u32),
    /// The sums before the move.
    sums: [Worth; 2],
}

/// The shapes of all free cells of a position. The caller reports moves by [`played`](Self::played) and
/// [`undone`](Self::undone).
#[derive(Clone)]
pub struct Patterns {
    tables: &'static Tables,
    weights: &'static Weights,
    line_changes: LineChanges,
    /// The codes of each cell, zero for an occupied one.
    codes: Vec<Codes>,
    sets: CellSets,
    /// The sums over all free cells for each colour.
    sums: [Worth; 2],
    /// The index offsets from a stone to the cells around it, [`STRETCH`] a direction.
    around: [i32; AROUND],
    /// The range of cell indices that contains all neighbours of stones, and so all candidates.
    span: (u32, u32),
    /// The largest index difference between a stone and a cell that it changes.
    reach: u32,
    /// The changes by all moves on the board. The last move's end at `last_change`.
    changes: Vec<Change>,
    last_change: usize,
    frames: Vec<Frame>,
}

impl Patterns {
    /// Computes the patterns of `position`, valued by `weights`.
    #[must_use]
    pub fn new(position: &Position, weights: &'static Weights) -> Self {
        let geometry = position.geometry();
        let cells = geometry.cells();
        let tables = Tables::get();
        let steps = geometry.steps();
        let mut patterns = Self {
            tables,
            weights,
            line_changes: LineChanges::new(tables),
            codes: vec![0; cells],
            sets: CellSets::new(cells),
            sums: [Worth::default(); 2],
            around: std::array::from_fn(|bit| (window::offset(bit % STRETCH) * steps[bit / STRETCH]) as i32),
            span: (cells as u32, 0),
            reach: (REACH * (geometry.columns() + 1)) as u32,
            changes: Vec::new(),
            last_change: 0,
            frames: Vec::with_capacity(64),
        };
        for cell in position.cells() {
            if position.is_free(cell) {
                let shapes = |direction| tables.lines[window::key(position.window(cell, direction), 0)];
                let codes = (0..DIRECTIONS).map(|direction| codes_of(shapes(direction))).sum();
                patterns.codes[cell.index()] = codes;
                let sets = exchange(&mut patterns.sums, weights, 0, codes);
                patterns.sets.flip(cell, sets);
            } else {
                patterns.widen(cell);
            }
        }
        patterns
    }

    /// Updates the patterns by a move just played. `position` has the stone on `cell`.
    #[inline]
    pub fn played(&mut self, cell: Cell, position: &Position) {
        self.frames.push(Frame { changes: self.last_change, span: self.span, sums: self.sums });
        self.widen(cell);
        let mut differences = [0; AROUND];
        let mut changed = 0;
        for (direction, window) in position.windows(cell).into_iter().enumerate() {
            let first = STRETCH * direction;
            let change = self.line_changes.of(window);
            changed |= change.places << first;
            differences[first..first + PLACES].copy_from_slice(&change.differences);
        }
        if self.changes.len() < self.last_change + AROUND {
            self.changes.resize(2 * self.last_change + 16 * AROUND, Change::default());
        }
        let Self { weights, codes, sets, around, .. } = self;
        let codes = codes.as_mut_slice();
        let changes: &mut [Change; AROUND] =
            self.changes[self.last_change..].first_chunk_mut().expect("room was made");
        // The stone's own cell loses its value first, then the cells around it change.
        let mut sums = self.sums;
        let old = std::mem::take(&mut codes[cell.index()]);
        let moved = exchange(&mut sums, weights, old, 0);
        sets.flip(cell, moved);
        changes[0] = Change::new(old, cell, moved);
        let mut count = 1;
        while changed != 0 {
            let bit = changed.trailing_zeros() as usize % AROUND;
            changed &= changed - 1;
            let cell = Cell::new((cell.index() as i32 + around[bit]) as usize);
            let codes = &mut codes[cell.index()];
            let old = *codes;
            let new = old.wrapping_add(differences[bit]);
            *codes = new;
            let moved = exchange(&mut sums, weights, old, new);
            changes[count % AROUND] = Change::new(old, cell, moved);
            count += 1;
            if moved != 0 {
                sets.flip(cell, moved);
            }
        }
        self.last_change += count;
        self.sums = sums;
    }

    /// Takes back the last move's changes.
    #[inline]
    pub fn undone(&mut self) {
        let frame = self.frames.pop().expect("a move was played");
        let Self { codes, sets, .. } = self;
        let codes = codes.as_mut_slice();
        for change in &self.changes[frame.changes..self.last_change] {
            codes[change.cell().index()] = change.codes;
            if change.sets() != 0 {
                sets.flip(change.cell(), change.sets());
            }
        }
        self.last_change = frame.changes;
        self.span = frame.span;
        self.sums = frame.sums;
    }

    /// Extends the span by the neighbours of `cell`.
    #[inline]
    fn widen(&mut self, cell: Cell) {
        let (index, reach) = (cell.index() as u32, self.reach);
        let (first, last) = self.span;
        let end = self.codes.len() as u32;
        self.span = (first.min(index.saturating_sub(reach)), last.max((index + reach + 1).min(end)));
    }

    /// Returns the threat class of a stone of `color` on the free cell `cell`.
    #[inline]
    #[must_use]
    pub fn class(&self, cell: Cell, color: Color) -> Class {
        self.worth(cell, color).class()
    }

    /// Returns the score of the move of `mover` on the free cell `cell`, in hundredths of log-odds.
    #[inline]
    #[must_use]
    pub fn move_score(&self, cell: Cell, mover: Color) -> i32 {
        self.weights.move_score(self.code(cell, mover), self.code(cell, mover.other()))
    }

    /// Returns the free cell with the highest move score, the one nearest to the middle among equals.
    ///
    /// # Panics
    /// If no cell is free.
    #[must_use]
    pub fn highest_scored(&self, position: &Position) -> Cell {
        let (rows, columns) = (position.geometry().rows(), position.geometry().columns());
        let rank = |cell: Cell| {
            let at = cell.coordinates(columns);
            let distance = (2 * at.row + 1).abs_diff(rows) + (2 * at.column + 1).abs_diff(columns);
            (self.move_score(cell, position.mover()), Reverse(distance), Reverse(cell))
        };
        let free = position.cells().filter(|&cell| position.is_free(cell));
        free.max_by_key(|&cell| rank(cell)).expect("a cell is free")
    }

    /// Returns the evaluation's weights.
    #[inline]
    #[must_use]
    pub fn weights(&self) -> &'static Weights {
        self.weights
    }

    /// Returns the index of the threats on the board, below [`THREATS`](super::THREATS).
    #[inline]
    #[must_use]
    pub fn threats(&self, mover: Color) -> usize {
        let [mover, other] = [mover, mover.other()].map(|color| self.sums[color.index()].counts());
        threats::number(mover, other)
    }

    #[inline]
    fn code(&self, cell: Cell, color: Color) -> Code {
        of_color(self.codes[cell.index()], color.index())
    }

    #[inline]
    fn worth(&self, cell: Cell, color: Color) -> &Worth {
        self.weights.worth(self.code(cell, color))
    }

    /// Returns the shape of a stone of `color` on the free cell `cell` in one direction of `position`.
    #[inline]
    #[must_use]
    pub fn shape(&self, position: &Position, cell: Cell, color: Color, direction: usize) -> Shape {
        self.shape_in(position.window(cell, direction), 0, color)
    }

    /// Returns the shape of a stone of `color` `offset` steps (at most five) from the middle of a window.
    #[inline]
    pub(super) fn shape_in(&self, window: u64, offset: isize, color: Color) -> Shape {
        shape(self.tables.lines[window::key(window, offset)], color)
    }

    /// Returns the number of free cells of this class for `color`. The class must be at least an open three; weaker
    /// ones are not counted.
    #[inline]
    #[must_use]
    pub fn count(&self, color: Color, class: Class) -> usize {
        self.sums[color.index()].count(class)
    }

    /// Returns the value of all free cells and of the threats on the board for `mover`, the side to move.
    #[inline]
    #[must_use]
    pub fn balance(&self, mover: Color) -> i32 {
        let [own, other] = [mover, mover.other()].map(|color| &self.sums[color.index()]);
        self.weights.turn(self.threats(mover)) + own.moving() - other.waiting()
    }

    /// Returns the cells where a stone of `color` makes five.
    #[inline]
    #[must_use]
    pub fn fives(&self, color: Color) -> CellSet<'_> {
        self.sets.set(FIVES + 4 * color.index(), self.count(color, Class::Five))
    }

    /// Returns the cells where a stone of `color` makes an open four or two fours.
    #[inline]
    #[must_use]
    pub fn open_fours(&self, color: Color) -> CellSet<'_> {
        self.sets.set(OPEN_FOURS + 4 * color.index(), self.count(color, Class::OpenFour))
    }

    /// Returns the cells where a stone of `color` makes a four, open or not.
    #[inline]
    #[must_use]
    pub fn fours(&self, color: Color) -> CellSet<'_> {
        let classes = [Class::Four, Class::FourThree, Class::OpenFour];
        let len = classes.map(|class| self.count(color, class)).iter().sum();
        self.sets.set(FOURS + 4 * color.index(), len)
    }

    /// Iterates over the free cells above [`Class::Nothing`] for one of the colours, in order.
    #[inline]
    pub fn candidates(&self) -> impl Iterator<Item = Cell> + '_ {
        let (first, last) = (self.span.0 as usize, self.span.1 as usize);
        let blocks = self.codes.get(first..last).unwrap_or_default().chunks(64);
        blocks.enumerate().flat_map(move |(block, codes)| {
            let is_something = |codes: Codes| (0..2).any(|color| of_color(codes, color) >= SOMETHING);
            let some = |(place, &codes): (usize, &Codes)| u64::from(is_something(codes)) << place;
            let mut rest = codes.iter().enumerate().map(some).fold(0, |cells, cell| cells | cell);
            std::iter::from_fn(move || {
                let place = rest.trailing_zeros() as usize;
                (rest != 0).then(|| {
                    rest &= rest - 1;
                    Cell::new(first + 64 * block + place)
                })
            })
        })
    }

    /// Returns true if neither colour can ever make five.
    #[inline]
    #[must_use]
    pub fn is_dead(&self) -> bool {
        self.sums.iter().all(|sum| sum.hopes() == 0)
    }
}

/// Replaces a cell's `old` codes by its `new` ones in the sums. Returns the sets that the cell enters or leaves.
#[inline]
fn exchange(sums: &mut [Worth; 2], weights: &Weights, old: Codes, new: Codes) -> u8 {
    let mut moved = [0; 2];
    for (color, sum) in sums.iter_mut().enumerate() {
        let [old, new] = [old, new].map(|codes| weights.worth(of_color(codes, color)));
        sum.exchange(old, new);
        moved[color] = old.sets() ^ new.sets();
    }
    moved[0] | moved[1] << 4
}

impl fmt::Debug for Patterns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Patterns").field("sums", &self.sums).finish_non_exhaustive()
    }
}

/// Equality on the free cells of `position`, to compare with patterns computed from scratch.
#[cfg(test)]
impl Patterns {
    pub(crate) fn assert_same(&self, other: &Self, position: &Position) {
        assert_eq!(self.sets, other.sets, "{}", position.to_grid());
        assert_eq!(self.sums, other.sums);
        assert_eq!(self.span, other.span);
        assert_eq!(self.codes, other.codes);
        assert!(self.candidates().eq(other.candidates()));
    }
}

#[cfg(test)]
mod tests {
    use super::super::THREATS;
    use super::*;
    use crate::evaluation::Evaluation;
    use crate::rules::Grid;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;
    use search_core::Position as _;

    #[test]
    fn patterns_that_followed_the_moves_are_those_made_anew() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
        for (rows, columns) in [(1, 1), (1, 9), (9, 1), (4, 4), (5, 7), (7, 5), (15, 15), (12, 20)] {
            for _ in 0..6 {
                let mut position = Position::from_grid(&Grid::new(rows, columns).unwrap());
                let weights = Evaluation::default().weights();
                let mut patterns = Patterns::new(&position, weights);
                let mut played = Vec::new();
                loop {
                    patterns.assert_same(&Patterns::new(&position, weights), &position);
                    let moves = position.move_list();
                    if moves.is_empty() {
                        break;
                    }
                    let cell = moves[random.random_range(0..moves.len())];
                    position.play(cell);
                    patterns.played(cell, &position);
                    played.push(cell);
                }
                while let Some(cell) = played.pop() {
                    patterns.undone();
                    position.undo(cell, ());
                    patterns.assert_same(&Patterns::new(&position, weights), &position);
                }
            }
        }
    }

    #[test]
    fn the_number_of_the_threats_tells_whose_they_are() {
        let empty = "0000000000/0000000000/0000000000/0000000000/0000000000";
        let number = |grid: &str, mover| {
            let position = Position::from_grid(&grid.replace('/', "\n").parse::<Grid>().unwrap());
            let patterns = Patterns::new(&position, Evaluation::default().weights());
            patterns.threats(mover)
        };
        assert_eq!(number(empty, Color::Black), 0);
        let two = "0000000000/0000000000/0000NN0000/0000000000/0000000000";
        let three = "0000000000/0000000000/000NNN0000/0000000000/0000000000";
        let numbers = [number(two, Color::Black), number(two, Color::White), number(three, Color::Black)];
        assert!(numbers[0] > 0 && numbers[1] > 0 && numbers[0] != numbers[1] && numbers[2] != numbers[0]);
        assert!(number(three, Color::White) >= THREATS / 2, "an open four is to come");
    }

    #[test]
    fn where_a_stone_makes_five_is_what_the_rules_say() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(6);
        for _ in 0..40 {
            let mut grid = Grid::new(9, 10).unwrap();
            for index in 0..90 {
                let stone = [None, None, Some(Color::Black), Some(Color::Black), Some(Color::White)];
                grid.set(Cell::new(index), stone[random.random_range(0..5)]);
            }
            let position = Position::from_grid(&grid);
            let patterns = Patterns::new(&position, Evaluation::default().weights());
            for cell in position.cells().filter(|&cell| position.is_free(cell)) {
                for color in Color::ALL {
                    let mut filled = grid.clone();
                    filled.set(cell, Some(color));
                    let after = Position::new(&filled, color.other());
                    assert_eq!(patterns.fives(color).contains(cell), after.makes_five(cell, color), "{grid}");
                }
            }
        }
    }
}
