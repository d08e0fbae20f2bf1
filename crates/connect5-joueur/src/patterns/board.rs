//! The shapes of all free cells of a position.

use super::tables::{CODES, Code, Tables, shape_of};
use super::{CellSet, Class, Shape};
use crate::rules::{Cell, Color, DIRECTIONS, Position, WINDOW_REACH};
use std::fmt;

/// Cells to either side whose shapes a stone can change.
const REACH: usize = 5;
/// The lower bit of every cell of a window.
const LOW: u64 = 0x5555_5555_5555_5555;
/// The neighbours within [`REACH`] of the middle of a window.
const NEIGHBOURS: u64 =
    ((LOW & ((1 << (4 * REACH + 2)) - 1)) << (2 * (WINDOW_REACH - REACH))) & !(1 << (2 * WINDOW_REACH));

/// What an evaluation gives for the code of one cell, with its class beside it so that one look finds both.
pub struct Weights {
    /// Class in the low eight bits, flags in the next eight, value above.
    info: Box<[Info; CODES]>,
}

impl Weights {
    /// Tabulates `value`.
    pub fn new(value: impl Fn(Code) -> i16) -> Self {
        let classes = &Tables::get().classes;
        let info: Vec<Info> = (0..CODES).map(|code| Info::new(classes[code], value(code as Code))).collect();
        Self { info: info.into_boxed_slice().try_into().expect("one a code") }
    }
}

impl fmt::Debug for Weights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Weights")
    }
}

/// Class, flags and value of one code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Info(u32);

impl Info {
    const FIVE: u32 = 1 << 8;
    const OPEN_FOUR: u32 = 1 << 9;
    const FOUR: u32 = 1 << 10;
    const THREE: u32 = 1 << 11;
    const CANDIDATE: u32 = 1 << 12;
    /// The flags that have a set for each colour.
    const SETS: u32 = Self::FIVE | Self::OPEN_FOUR | Self::FOUR | Self::THREE;

    fn new(class: Class, value: i16) -> Self {
        let flags = match class {
            Class::Nothing => 0,
            Class::Five => Self::FIVE,
            Class::OpenFour => Self::OPEN_FOUR | Self::FOUR,
            Class::Four | Class::FourPlus | Class::FourThree => Self::FOUR,
            Class::Three | Class::ThreePlus | Class::DoubleThree => Self::THREE,
            _ => Self::CANDIDATE,
        };
        let candidate = if flags == 0 { 0 } else { Self::CANDIDATE };
        Self(class as u32 | flags | candidate | (value as u16 as u32) << 16)
    }

    #[inline]
    fn class(self) -> Class {
        Class::ALL[(self.0 & 15) as usize]
    }

    #[inline]
    fn value(self) -> i32 {
        self.0 as i32 >> 16
    }
}

/// One cell: its code, and what the weights say of it, for each colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Record {
    codes: [Code; 2],
    info: [Info; 2],
}

/// What one colour could do.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Side {
    five: CellSet,
    open_four: CellSet,
    four: CellSet,
    three: CellSet,
    /// How many free cells have each class.
    counts: [u16; 16],
    /// The sum of the values of all free cells.
    value: i32,
}

/// The shapes of all free cells of a position. It follows the position's moves by [`played`](Self::played) and
/// [`undone`](Self::undone).
#[derive(Clone)]
pub struct Patterns {
    tables: &'static Tables,
    weights: &'static Weights,
    steps: [isize; DIRECTIONS],
    /// One a cell. A taken cell keeps what it had when its stone was put there.
    records: Vec<Record>,
    sides: [Side; 2],
    /// Free cells that are more than [`Class::Nothing`] to one of the colours.
    candidates: CellSet,
    /// Free cells on which one of the colours can still hope for five.
    alive: u32,
    /// What the moves on the board have changed, the last one on top.
    changes: Vec<(Cell, Record)>,
    /// One a move on the board: the cell that was taken, and where its changes begin.
    frames: Vec<(Cell, u32)>,
}

impl Patterns {
    /// The patterns of `position`, valued by `weights`.
    pub fn new(position: &Position, weights: &'static Weights) -> Self {
        let cells = position.geometry().cells();
        let set = || CellSet::new(cells);
        let side =
            || Side { five: set(), open_four: set(), four: set(), three: set(), counts: [0; 16], value: 0 };
        let mut patterns = Self {
            tables: Tables::get(),
            weights,
            steps: position.geometry().steps(),
            records: vec![Record::default(); cells],
            sides: [side(), side()],
            candidates: set(),
            alive: 0,
            changes: Vec::with_capacity(1024),
            frames: Vec::with_capacity(64),
        };
        for cell in position.cells().filter(|&cell| position.is_free(cell)) {
            let record = patterns.read(position, cell);
            patterns.records[cell.index()] = record;
            patterns.enter(cell, record);
        }
        patterns
    }

    /// Follows a move that was just played: `position` has the stone on `cell`.
    #[inline]
    pub fn played(&mut self, cell: Cell, position: &Position) {
        self.frames.push((cell, self.changes.len() as u32));
        self.leave(cell, self.records[cell.index()]);
        for direction in 0..DIRECTIONS {
            let window = position.window(cell, direction);
            let mut free = !(window | window >> 1) & NEIGHBOURS;
            while free != 0 {
                let bit = free.trailing_zeros() as usize;
                free &= free - 1;
                let key = key_at(window, bit);
                let shapes = u16::from(self.tables.lines[key]);
                let offset = bit as isize / 2 - WINDOW_REACH as isize;
                let neighbour = (cell.index() as isize + offset * self.steps[direction]) as usize;
                let codes = self.records[neighbour].codes;
                let shift = 4 * direction;
                let changed = [(codes[0] >> shift ^ shapes) & 15, (codes[1] >> shift ^ shapes >> 4) & 15];
                if changed != [0, 0] {
                    self.change(Cell::new(neighbour), changed.map(|bits| bits << shift));
                }
            }
        }
    }

    /// Takes back what the last move changed.
    #[inline]
    pub fn undone(&mut self) {
        let (cell, first) = self.frames.pop().expect("a move was played");
        while self.changes.len() > first as usize {
            let (changed, old) = self.changes.pop().expect("it is above the first");
            let new = std::mem::replace(&mut self.records[changed.index()], old);
            self.exchange(changed, new, old);
        }
        self.enter(cell, self.records[cell.index()]);
    }

    /// What a stone of `color` on the free cell `cell` threatens.
    #[inline]
    pub fn class(&self, cell: Cell, color: Color) -> Class {
        self.records[cell.index()].info[color.index()].class()
    }

    /// What the weights give for a stone of `color` on the free cell `cell`.
    #[inline]
    pub fn value_of(&self, cell: Cell, color: Color) -> i32 {
        self.records[cell.index()].info[color.index()].value()
    }

    /// The four shapes that a stone of `color` makes on the free cell `cell`.
    #[inline]
    pub fn code(&self, cell: Cell, color: Color) -> Code {
        self.records[cell.index()].codes[color.index()]
    }

    /// The shape that a stone of `color` makes on the free cell `cell` in one direction.
    #[inline]
    pub fn shape(&self, cell: Cell, color: Color, direction: usize) -> Shape {
        shape_of(self.code(cell, color), direction)
    }

    /// The sum of the values of all free cells.
    #[inline]
    pub fn value(&self, color: Color) -> i32 {
        self.sides[color.index()].value
    }

    /// How many free cells have this class for `color`.
    #[inline]
    pub fn count(&self, color: Color, class: Class) -> usize {
        self.sides[color.index()].counts[class as usize].into()
    }

    /// Where a stone of `color` makes five.
    #[inline]
    pub fn fives(&self, color: Color) -> &CellSet {
        &self.sides[color.index()].five
    }

    /// Where a stone of `color` makes an open four or two fours.
    #[inline]
    pub fn open_fours(&self, color: Color) -> &CellSet {
        &self.sides[color.index()].open_four
    }

    /// Where a stone of `color` makes a four, open fours among them.
    #[inline]
    pub fn fours(&self, color: Color) -> &CellSet {
        &self.sides[color.index()].four
    }

    /// Where a stone of `color` makes an open three and no four.
    #[inline]
    pub fn threes(&self, color: Color) -> &CellSet {
        &self.sides[color.index()].three
    }

    /// The free cells that are something to one of the colours.
    #[inline]
    pub fn candidates(&self) -> &CellSet {
        &self.candidates
    }

    /// Whether neither colour can ever make five.
    #[inline]
    pub fn is_dead(&self) -> bool {
        self.alive == 0
    }

    fn read(&self, position: &Position, cell: Cell) -> Record {
        let mut codes = [0; 2];
        for direction in 0..DIRECTIONS {
            let key = key_at(position.window(cell, direction), 2 * WINDOW_REACH);
            let shapes = Code::from(self.tables.lines[key]);
            codes[0] |= (shapes & 15) << (4 * direction);
            codes[1] |= (shapes >> 4) << (4 * direction);
        }
        Record { codes, info: codes.map(|code| self.weights.info[usize::from(code)]) }
    }

    /// Flips bits of a cell's codes.
    #[inline]
    fn change(&mut self, cell: Cell, bits: [Code; 2]) {
        let old = self.records[cell.index()];
        self.changes.push((cell, old));
        let mut new = old;
        for (color, bits) in bits.into_iter().enumerate() {
            if bits != 0 {
                new.codes[color] ^= bits;
                new.info[color] = self.weights.info[usize::from(new.codes[color])];
            }
        }
        self.records[cell.index()] = new;
        self.exchange(cell, old, new);
    }

    /// Counts `new` in place of `old`.
    #[inline]
    fn exchange(&mut self, cell: Cell, old: Record, new: Record) {
        for color in 0..2 {
            let (old, new) = (old.info[color], new.info[color]);
            if old != new {
                let side = &mut self.sides[color];
                side.value += new.value() - old.value();
                side.counts[(old.0 & 15) as usize] -= 1;
                side.counts[(new.0 & 15) as usize] += 1;
                let flipped = (old.0 ^ new.0) & Info::SETS;
                if flipped != 0 {
                    side.flip(cell, flipped);
                }
            }
        }
        let flags = |record: Record| record.info[0].0 | record.info[1].0;
        if (flags(old) ^ flags(new)) & Info::CANDIDATE != 0 {
            self.candidates.toggle(cell);
        }
        let is_alive = |record: Record| u32::from(record.codes != [0, 0]);
        self.alive = self.alive + is_alive(new) - is_alive(old);
    }

    /// Counts a cell that became free.
    #[inline]
    fn enter(&mut self, cell: Cell, record: Record) {
        for (side, info) in self.sides.iter_mut().zip(record.info) {
            side.value += info.value();
            side.counts[(info.0 & 15) as usize] += 1;
            side.flip(cell, info.0 & Info::SETS);
        }
        self.toggle_whole(cell, record);
        self.alive += u32::from(record.codes != [0, 0]);
    }

    /// Counts a cell no more that is no longer free.
    #[inline]
    fn leave(&mut self, cell: Cell, record: Record) {
        for (side, info) in self.sides.iter_mut().zip(record.info) {
            side.value -= info.value();
            side.counts[(info.0 & 15) as usize] -= 1;
            side.flip(cell, info.0 & Info::SETS);
        }
        self.toggle_whole(cell, record);
        self.alive -= u32::from(record.codes != [0, 0]);
    }

    #[inline]
    fn toggle_whole(&mut self, cell: Cell, record: Record) {
        if (record.info[0].0 | record.info[1].0) & Info::CANDIDATE != 0 {
            self.candidates.toggle(cell);
        }
    }
}

impl Side {
    /// Takes a cell in or out of the sets of these flags.
    #[inline]
    fn flip(&mut self, cell: Cell, flags: u32) {
        if flags == 0 {
            return;
        }
        if flags & Info::FIVE != 0 {
            self.five.toggle(cell);
        }
        if flags & Info::OPEN_FOUR != 0 {
            self.open_four.toggle(cell);
        }
        if flags & Info::FOUR != 0 {
            self.four.toggle(cell);
        }
        if flags & Info::THREE != 0 {
            self.three.toggle(cell);
        }
    }
}

/// The ten neighbours of the cell at `bit` of a window, as the line table numbers them.
#[inline]
fn key_at(window: u64, bit: usize) -> usize {
    let around = window >> (bit - 2 * REACH);
    let before = around & ((1 << (2 * REACH)) - 1);
    let after = around >> (2 * REACH + 2) & ((1 << (2 * REACH)) - 1);
    (before | after << (2 * REACH)) as usize
}

impl fmt::Debug for Patterns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Patterns").field("sides", &self.sides).finish_non_exhaustive()
    }
}

/// Equal as far as the free cells of `position` tell: for tests, against patterns made anew.
#[cfg(test)]
impl Patterns {
    fn assert_same(&self, other: &Self, position: &Position) {
        assert_eq!(self.sides, other.sides, "{}", position.to_grid());
        assert_eq!(self.candidates, other.candidates);
        assert_eq!(self.alive, other.alive);
        for cell in position.cells().filter(|&cell| position.is_free(cell)) {
            assert_eq!(self.records[cell.index()], other.records[cell.index()]);
        }
    }
}

#[cfg(test)]
mod tests {
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
