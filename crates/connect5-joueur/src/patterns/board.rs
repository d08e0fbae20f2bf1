//! The shapes of all free cells of a position.

use super::set::{CellSets, SETS};
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
    info: Box<[Info; CODES]>,
    tempo: i32,
}

impl Weights {
    /// Tabulates `value`: what a cell is worth to the colour whose turn it is, and what it is worth to the other.
    /// `tempo` is what the turn itself is worth.
    pub fn new(value: impl Fn(Code) -> [i16; 2], tempo: i32) -> Self {
        let classes = &Tables::get().classes;
        let info: Vec<Info> = (0..CODES).map(|code| Info::new(classes[code], value(code as Code))).collect();
        Self { info: info.into_boxed_slice().try_into().expect("one a code"), tempo }
    }
}

impl fmt::Debug for Weights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Weights")
    }
}

/// Class, flags and values of one code: eight bits, eight bits, and twice sixteen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Info(u64);

/// The sets of one colour, by the bits of [`Info::flags`]; the other colour's are four higher.
const FIVES: usize = 0;
const OPEN_FOURS: usize = 1;
const FOURS: usize = 2;
const CANDIDATES: usize = 3;

impl Info {
    fn new(class: Class, [moving, waiting]: [i16; 2]) -> Self {
        let flags = match class {
            Class::Nothing => 0,
            Class::Five => 1 << FIVES | 1 << CANDIDATES,
            Class::OpenFour => 1 << OPEN_FOURS | 1 << FOURS | 1 << CANDIDATES,
            Class::Four | Class::FourPlus | Class::FourThree => 1 << FOURS | 1 << CANDIDATES,
            _ => 1 << CANDIDATES,
        };
        let values = u64::from(moving as u16) << 16 | u64::from(waiting as u16) << 32;
        Self(class as u64 | flags << 8 | values)
    }

    #[inline]
    fn class(self) -> Class {
        Class::ALL[(self.0 & 15) as usize]
    }

    #[inline]
    fn flags(self) -> u8 {
        (self.0 >> 8) as u8
    }

    /// To the colour whose turn it is, and to the other.
    #[inline]
    fn values(self) -> [i32; 2] {
        [(self.0 >> 16) as i16, (self.0 >> 32) as i16].map(i32::from)
    }
}

/// One cell: its shapes, and what the weights say of them, for each colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Record {
    /// Eight bits a direction: black's shape in the low four, white's above.
    shapes: u32,
    info: [Info; 2],
}

impl Record {
    /// The codes of both colours.
    #[inline]
    fn codes(shapes: u32) -> [Code; 2] {
        [shapes, shapes >> 4].map(|nibbles| {
            let nibbles = nibbles & 0x0f0f_0f0f;
            let bytes = (nibbles | nibbles >> 4) & 0x00ff_00ff;
            (bytes | bytes >> 8) as Code
        })
    }

    #[inline]
    fn new(shapes: u32, weights: &Weights) -> Self {
        Self { shapes, info: Self::codes(shapes).map(|code| weights.info[usize::from(code)]) }
    }

    /// The sets it belongs to.
    #[inline]
    fn flags(self) -> u8 {
        self.info[0].flags() | self.info[1].flags() << 4
    }
}

/// What is summed over all free cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Sums {
    /// For each colour, the values if it has the turn and if it has not.
    values: [[i32; 2]; 2],
    /// Cells on which one of the colours can still hope for five.
    alive: u32,
}

impl Sums {
    /// Counts `new` in place of `old`.
    #[inline]
    fn exchange(&mut self, old: Record, new: Record) {
        for color in 0..2 {
            let (old, new) = (old.info[color].values(), new.info[color].values());
            for turn in 0..2 {
                self.values[color][turn] += new[turn] - old[turn];
            }
        }
        self.alive = self.alive + u32::from(new.shapes != 0) - u32::from(old.shapes != 0);
    }
}

/// A move on the board.
#[derive(Debug, Clone, Copy)]
struct Frame {
    /// The cell that was taken.
    cell: Cell,
    /// Where its changes begin.
    changes: u32,
    /// The sums before it.
    sums: Sums,
    /// The sizes of the sets before it.
    lens: [u64; SETS],
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
    sets: CellSets,
    sums: Sums,
    /// What the moves on the board have changed, the last one on top.
    changes: Vec<(Cell, Record)>,
    frames: Vec<Frame>,
}

impl Patterns {
    /// The patterns of `position`, valued by `weights`.
    pub fn new(position: &Position, weights: &'static Weights) -> Self {
        let cells = position.geometry().cells();
        let mut patterns = Self {
            tables: Tables::get(),
            weights,
            steps: position.geometry().steps(),
            records: vec![Record::default(); cells],
            sets: CellSets::new(cells),
            sums: Sums::default(),
            changes: Vec::with_capacity(1024),
            frames: Vec::with_capacity(64),
        };
        for cell in position.cells().filter(|&cell| position.is_free(cell)) {
            let shapes = (0..DIRECTIONS).fold(0, |shapes, direction| {
                let key = key_at(position.window(cell, direction), 2 * WINDOW_REACH);
                shapes | u32::from(patterns.tables.lines[key]) << (8 * direction)
            });
            let record = Record::new(shapes, weights);
            patterns.records[cell.index()] = record;
            patterns.sets.flip(cell, record.flags());
            patterns.sums.exchange(Record::default(), record);
        }
        patterns
    }

    /// Follows a move that was just played: `position` has the stone on `cell`.
    #[inline]
    pub fn played(&mut self, cell: Cell, position: &Position) {
        let changes = self.changes.len() as u32;
        self.frames.push(Frame { cell, changes, sums: self.sums, lens: self.sets.lens });
        let taken = self.records[cell.index()];
        self.sets.flip(cell, taken.flags());
        self.sums.exchange(taken, Record::default());
        // First which cells change, without a branch on it, then the changes: whether one cell changes tells nothing
        // of the next, and wrong guesses would cost more than all the rest.
        let mut changed = [(0_u16, 0_u32); 2 * REACH * DIRECTIONS + 1];
        let mut count = 0;
        for direction in 0..DIRECTIONS {
            let window = position.window(cell, direction);
            let mut free = !(window | window >> 1) & NEIGHBOURS;
            while free != 0 {
                let bit = free.trailing_zeros() as usize;
                free &= free - 1;
                let shapes = self.tables.lines[key_at(window, bit)];
                let offset = bit as isize / 2 - WINDOW_REACH as isize;
                let neighbour = (cell.index() as isize + offset * self.steps[direction]) as usize;
                let old = (self.records[neighbour].shapes >> (8 * direction)) as u8;
                changed[count] = (neighbour as u16, u32::from(old ^ shapes) << (8 * direction));
                count += usize::from(old != shapes);
            }
        }
        for &(neighbour, bits) in &changed[..count] {
            let cell = Cell::new(neighbour.into());
            let old = self.records[cell.index()];
            let new = Record::new(old.shapes ^ bits, self.weights);
            self.records[cell.index()] = new;
            self.changes.push((cell, old));
            self.sums.exchange(old, new);
            let flips = old.flags() ^ new.flags();
            if flips != 0 {
                self.sets.flip(cell, flips);
            }
        }
    }

    /// Takes back what the last move changed.
    #[inline]
    pub fn undone(&mut self) {
        let frame = self.frames.pop().expect("a move was played");
        for &(cell, old) in &self.changes[frame.changes as usize..] {
            let new = std::mem::replace(&mut self.records[cell.index()], old);
            let flips = old.flags() ^ new.flags();
            if flips != 0 {
                self.sets.flip_uncounted(cell, flips);
            }
        }
        self.changes.truncate(frame.changes as usize);
        self.sets.flip_uncounted(frame.cell, self.records[frame.cell.index()].flags());
        self.sets.lens = frame.lens;
        self.sums = frame.sums;
    }

    /// What a stone of `color` on the free cell `cell` threatens.
    #[inline]
    pub fn class(&self, cell: Cell, color: Color) -> Class {
        self.records[cell.index()].info[color.index()].class()
    }

    /// What the free cell `cell` is worth to `mover` and to its opponent together.
    #[inline]
    pub fn worth(&self, cell: Cell, mover: Color) -> i32 {
        let info = &self.records[cell.index()].info;
        info[mover.index()].values()[0] + info[mover.other().index()].values()[1]
    }

    /// The four shapes that a stone of `color` makes on the free cell `cell`.
    #[inline]
    pub fn code(&self, cell: Cell, color: Color) -> Code {
        Record::codes(self.records[cell.index()].shapes)[color.index()]
    }

    /// The shape that a stone of `color` makes on the free cell `cell` in one direction.
    #[inline]
    pub fn shape(&self, cell: Cell, color: Color, direction: usize) -> Shape {
        shape_of(self.code(cell, color), direction)
    }

    /// What all free cells together are worth to `mover`, whose turn it is, less what they are worth to its opponent.
    #[inline]
    pub fn balance(&self, mover: Color) -> i32 {
        let values = &self.sums.values;
        self.weights.tempo + values[mover.index()][0] - values[mover.other().index()][1]
    }

    /// Where a stone of `color` makes five.
    #[inline]
    pub fn fives(&self, color: Color) -> CellSet<'_> {
        self.sets.set([FIVES + 4 * color.index()])
    }

    /// Where a stone of `color` makes an open four or two fours.
    #[inline]
    pub fn open_fours(&self, color: Color) -> CellSet<'_> {
        self.sets.set([OPEN_FOURS + 4 * color.index()])
    }

    /// Where a stone of `color` makes a four, open fours among them.
    #[inline]
    pub fn fours(&self, color: Color) -> CellSet<'_> {
        self.sets.set([FOURS + 4 * color.index()])
    }

    /// The free cells that are more than [`Class::Nothing`] to one of the colours.
    #[inline]
    pub fn candidates(&self) -> CellSet<'_, 2> {
        self.sets.set([CANDIDATES, CANDIDATES + 4])
    }

    /// Whether neither colour can ever make five.
    #[inline]
    pub fn is_dead(&self) -> bool {
        self.sums.alive == 0
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
        f.debug_struct("Patterns").field("sums", &self.sums).finish_non_exhaustive()
    }
}

/// Equal as far as the free cells of `position` tell: for tests, against patterns made anew.
#[cfg(test)]
impl Patterns {
    fn assert_same(&self, other: &Self, position: &Position) {
        assert_eq!(self.sets, other.sets, "{}", position.to_grid());
        assert_eq!(self.sums, other.sums);
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
