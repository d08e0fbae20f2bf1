//! The shapes of all free cells of a position.

use super::set::{CellSet, CellSets};
use super::tables::{Code, LINES, Tables, shape_of};
use super::weights::Weights;
use super::{Class, Shape};
use crate::rules::{Cell, Color, DIRECTIONS, Position, WINDOW_REACH};
use std::fmt;

/// Cells to either side whose shapes a stone can change.
const REACH: usize = 5;
/// The shapes of sixteen cells of a line, a byte each, as the line table has them.
type Stretch = u128;
/// Cells of a stretch.
const STRETCH: usize = 16;
/// The first cells of a stretch: those whose shapes a stone in their middle can change. A taken cell, the middle too,
/// has no shapes.
const CHANGEABLE: usize = 2 * REACH + 1;

/// The shapes of a cell: black's code in the low half, white's in the high half.
type Codes = u32;
/// The classes of a cell: black's and white's.
type Classes = [u8; 2];

/// The codes that one entry of the line table gives in one direction.
#[inline]
fn spread(shapes: u8, direction: usize) -> Codes {
    let shapes = Codes::from(shapes);
    (shapes & 15 | shapes << 12 & 0xf_0000) << (4 * direction)
}

/// The sets that a cell of these classes belongs to, a bit each.
#[inline]
fn sets_of(classes: Classes) -> u8 {
    const SETS: [u8; 16] = {
        let mut sets = [0; 16];
        sets[Class::Five as usize] = 1 << FIVES;
        sets[Class::OpenFour as usize] = 1 << OPEN_FOURS | 1 << FOURS;
        sets[Class::FourThree as usize] = 1 << FOURS;
        sets[Class::FourPlus as usize] = 1 << FOURS;
        sets[Class::Four as usize] = 1 << FOURS;
        sets
    };
    let [black, white] = classes.map(|class| SETS[usize::from(class & 15)]);
    black | white << 4
}

/// The sets of black, by number; white's are four higher.
const FIVES: usize = 0;
const OPEN_FOURS: usize = 1;
const FOURS: usize = 2;

/// The weakest class whose cells are counted.
const COUNTED: u8 = Class::Three as u8;

/// Whether cells of these classes are counted or belong to a set.
#[inline]
fn is_counted(classes: Classes) -> bool {
    const BYTES: u16 = 0x0101;
    // No byte carries into the next: classes are small.
    (u16::from_le_bytes(classes) + BYTES * (0x80 - COUNTED as u16)) & (BYTES * 0x80) != 0
}

/// What is summed over all free cells, for each colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Sums {
    /// As [`Weights::packed`] packs them: the values if the colour has the turn and if it has not, and how many cells
    /// can still hope for five.
    values: [i64; 2],
    /// How many cells there are of each class from [`COUNTED`] on, sixteen bits each.
    counts: [u128; 2],
}

impl Sums {
    /// Values a cell by its `new` codes in place of the `old` ones.
    #[inline]
    fn exchange(&mut self, weights: &Weights, old: Codes, new: Codes) {
        for (color, value) in self.values.iter_mut().enumerate() {
            let [before, after] = [old, new].map(|codes| weights.packed((codes >> (16 * color)) as Code));
            *value += after - before;
        }
    }

    /// Counts a cell by its `new` classes in place of the `old` ones.
    fn recount(&mut self, old: Classes, new: Classes) {
        const ONE: [u128; 16] = {
            let mut one = [0; 16];
            let mut class = COUNTED;
            while class <= Class::Five as u8 {
                one[class as usize] = 1 << (16 * (class - COUNTED));
                class += 1;
            }
            one
        };
        for (color, count) in self.counts.iter_mut().enumerate() {
            let [less, more] = [old, new].map(|classes| ONE[usize::from(classes[color] & 15)]);
            *count = count.wrapping_add(more).wrapping_sub(less);
        }
    }

    #[inline]
    fn count(&self, color: Color, class: Class) -> usize {
        usize::from((self.counts[color.index()] >> (16 * (class as u8 - COUNTED))) as u16)
    }
}

/// Which of the counted classes there are cells of, a bit each.
#[inline]
fn present(counts: u128) -> usize {
    const LANES: u128 = 0x0001_0001_0001_0001_0001_0001_0001_0001;
    let low = LANES * 0x7fff;
    // The top bit of every count that is not zero.
    let some = ((((counts & low) + low) | counts) >> 15) & LANES;
    // The product moves one bit of each of four counts to its place in the topmost sixteen.
    let bits = |half: u64| (half.wrapping_mul(1 << 48 | 1 << 33 | 1 << 18 | 1 << 3) >> 48 & 15) as usize;
    bits(some as u64) | bits((some >> 64) as u64) << 4
}

/// For a class that no bit tells of.
const NO_BIT: u32 = 16;

/// For each set of counted classes, the bits that stand for them.
const fn numbers(bits: [u32; 8]) -> [u16; 256] {
    let mut numbers = [0; 256];
    let mut set = 0;
    while set < 256 {
        let mut class = 0;
        while class < 8 {
            if set >> class & 1 != 0 && bits[class] != NO_BIT {
                numbers[set] |= 1 << bits[class];
            }
            class += 1;
        }
        set += 1;
    }
    numbers
}

/// A move on the board.
#[derive(Debug, Clone, Copy)]
struct Frame {
    /// Where its changes begin.
    changes: u32,
    /// Where the stretches of the lines through it begin, and their shapes before it.
    starts: [u32; DIRECTIONS],
    stretches: [Stretch; DIRECTIONS],
    /// Between which cells any stone's neighbours lay before it.
    span: (u32, u32),
    /// The sums before it.
    sums: Sums,
}

/// What a cell was before a move.
#[derive(Debug, Clone, Copy)]
struct Change {
    codes: Codes,
    cell: Cell,
    classes: Classes,
}

/// The shapes of all free cells of a position. It follows the position's moves by [`played`](Self::played) and
/// [`undone`](Self::undone).
#[derive(Clone)]
pub struct Patterns {
    tables: &'static Tables,
    weights: &'static Weights,
    steps: [isize; DIRECTIONS],
    /// The shapes of every cell on every line, in the order of [`Geometry::place`](crate::rules::Geometry::place).
    lines: Vec<u8>,
    /// One a cell. A taken cell keeps what it had when its stone was put there.
    codes: Vec<Codes>,
    /// One a cell; those of a taken cell are nothing.
    classes: Vec<Classes>,
    sets: CellSets,
    sums: Sums,
    /// Between which cells all that mean something lie.
    span: (u32, u32),
    /// How far apart the numbers of a stone and of a cell that it means something to can be.
    reach: u32,
    /// What the moves on the board have changed, the last one on top.
    changes: Vec<Change>,
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
            lines: vec![0; position.geometry().places() + STRETCH],
            codes: vec![0; cells],
            classes: vec![[0; 2]; cells],
            sets: CellSets::new(cells),
            sums: Sums::default(),
            span: (cells as u32, 0),
            reach: (REACH * (position.geometry().columns() + 1)) as u32,
            changes: Vec::with_capacity(1024),
            frames: Vec::with_capacity(64),
        };
        for cell in position.cells() {
            let mut codes = 0;
            for direction in 0..DIRECTIONS {
                let shapes =
                    patterns.tables.lines[key_at(position.window(cell, direction), 2 * WINDOW_REACH)];
                patterns.lines[position.geometry().place(cell, direction)] = shapes;
                codes |= spread(shapes, direction);
            }
            if !position.is_free(cell) {
                patterns.widen(cell);
                continue;
            }
            let classes = patterns.classes_of(codes);
            patterns.codes[cell.index()] = codes;
            patterns.classes[cell.index()] = classes;
            patterns.sums.exchange(weights, 0, codes);
            patterns.reclass(cell, [0; 2], classes);
        }
        patterns
    }

    /// Follows a move that was just played: `position` has the stone on `cell`.
    #[inline]
    pub fn played(&mut self, cell: Cell, position: &Position) {
        let mut frame = Frame {
            changes: self.changes.len() as u32,
            starts: [0; DIRECTIONS],
            stretches: [0; DIRECTIONS],
            span: self.span,
            sums: self.sums,
        };
        self.widen(cell);
        // First which cells change, without a branch on it, then the changes: whether one cell changes tells nothing
        // of the next, and wrong guesses would cost more than all the rest.
        let mut differences = [[0; STRETCH]; DIRECTIONS];
        let mut changed = 0_u64;
        for (direction, difference) in differences.iter_mut().enumerate() {
            let start = position.geometry().place(cell, direction) - REACH;
            let stretch = self.lines[start..].first_chunk_mut().expect("there is room behind any cell");
            let old = Stretch::from_le_bytes(*stretch);
            let window = position.window(cell, direction);
            let mut new = old >> (8 * CHANGEABLE) << (8 * CHANGEABLE);
            for (place, key) in keys_of(window).into_iter().enumerate().take(CHANGEABLE) {
                new |= Stretch::from(self.tables.lines[key as usize & (LINES - 1)]) << (8 * place);
            }
            *stretch = new.to_le_bytes();
            frame.starts[direction] = start as u32;
            frame.stretches[direction] = old;
            *difference = (old ^ new).to_le_bytes();
            changed |= (some(old ^ new) & free(window)) << (STRETCH * direction);
        }
        self.frames.push(frame);
        let (codes, classes) = (self.codes[cell.index()], self.classes[cell.index()]);
        self.sums.exchange(self.weights, codes, 0);
        self.changes.push(Change { codes, cell, classes });
        self.reclass(cell, classes, [0; 2]);
        while changed != 0 {
            let bit = changed.trailing_zeros() as usize;
            changed &= changed - 1;
            let (direction, place) = (bit / STRETCH, bit % STRETCH);
            let offset = place as isize - REACH as isize;
            let cell = Cell::new((cell.index() as isize + offset * self.steps[direction]) as usize);
            let old = self.codes[cell.index()];
            let codes = old ^ spread(differences[direction][place], direction);
            let classes = self.classes[cell.index()];
            self.changes.push(Change { codes: old, cell, classes });
            self.codes[cell.index()] = codes;
            self.sums.exchange(self.weights, old, codes);
            self.reclass(cell, classes, self.classes_of(codes));
        }
    }

    /// Takes back what the last move changed.
    #[inline]
    pub fn undone(&mut self) {
        let frame = self.frames.pop().expect("a move was played");
        for direction in 0..DIRECTIONS {
            let start = frame.starts[direction] as usize;
            *self.lines[start..].first_chunk_mut().expect("there is room behind any cell") =
                frame.stretches[direction].to_le_bytes();
        }
        for &Change { codes, cell, classes } in &self.changes[frame.changes as usize..] {
            self.codes[cell.index()] = codes;
            let now = std::mem::replace(&mut self.classes[cell.index()], classes);
            if is_counted(now) || is_counted(classes) {
                self.sets.flip(cell, sets_of(now) ^ sets_of(classes));
            }
        }
        self.changes.truncate(frame.changes as usize);
        self.span = frame.span;
        self.sums = frame.sums;
    }

    #[inline]
    fn classes_of(&self, codes: Codes) -> Classes {
        [codes, codes >> 16].map(|codes| self.tables.classes[usize::from(codes as Code)] as u8)
    }

    /// `cell` is of the classes `new` from now on.
    #[inline]
    fn reclass(&mut self, cell: Cell, old: Classes, new: Classes) {
        self.classes[cell.index()] = new;
        if is_counted(old) || is_counted(new) {
            self.sums.recount(old, new);
            self.sets.flip(cell, sets_of(old) ^ sets_of(new));
        }
    }

    /// Takes the neighbours of `cell` into the span.
    #[inline]
    fn widen(&mut self, cell: Cell) {
        let (index, reach) = (cell.index() as u32, self.reach);
        let (first, last) = self.span;
        let end = self.classes.len() as u32;
        self.span = (first.min(index.saturating_sub(reach)), last.max((index + reach + 1).min(end)));
    }

    /// What a stone of `color` on the free cell `cell` threatens.
    #[inline]
    pub fn class(&self, cell: Cell, color: Color) -> Class {
        Class::from_number(self.classes[cell.index()][color.index()])
    }

    /// How promising a move of `mover` on the free cell `cell` is, in hundredths of the logarithm of the odds.
    #[inline]
    pub fn promise(&self, cell: Cell, mover: Color) -> i32 {
        self.weights.promise(self.code(cell, mover), self.code(cell, mover.other()))
    }

    /// The evaluation's weights.
    #[inline]
    pub fn weights(&self) -> &'static Weights {
        self.weights
    }

    /// Which threats are on the board, as a number: bits for what `mover` has on any cell (a four that builds, a four,
    /// a three that builds, a three), then what the other side has (an open four, a four with an open three, a four
    /// that builds, a four, two open threes, a three that builds, a three).
    #[inline]
    pub fn threats(&self, mover: Color) -> usize {
        const OWN: [u16; 256] = numbers([3, 2, 2, 1, 0, 0, NO_BIT, NO_BIT]);
        const THEIRS: [u16; 256] = numbers([10, 9, 8, 7, 6, 5, 4, NO_BIT]);
        let present = |color: Color| present(self.sums.counts[color.index()]);
        usize::from(OWN[present(mover)] | THEIRS[present(mover.other())])
    }

    /// The four shapes that a stone of `color` makes on the free cell `cell`.
    #[inline]
    pub fn code(&self, cell: Cell, color: Color) -> Code {
        (self.codes[cell.index()] >> (16 * color.index())) as Code
    }

    /// The shape that a stone of `color` makes on the free cell `cell` in one direction.
    #[inline]
    pub fn shape(&self, cell: Cell, color: Color, direction: usize) -> Shape {
        shape_of(self.code(cell, color), direction)
    }

    /// How many free cells are this to `color`: an open three or more, weaker classes are not counted.
    #[inline]
    pub fn count(&self, color: Color, class: Class) -> usize {
        self.sums.count(color, class)
    }

    /// What the free cell `cell` would be to `color` after a stone of the other side `offset` steps away in one
    /// direction, at most five.
    pub fn class_after(
        &self,
        position: &Position,
        cell: Cell,
        color: Color,
        direction: usize,
        offset: isize,
    ) -> Class {
        let window = with_stone(position.window(cell, direction), offset, color.other());
        let shapes = self.tables.lines[key_at(window, 2 * WINDOW_REACH)];
        let shape = Code::from(shapes >> (4 * color.index()) & 15);
        let code = self.code(cell, color) & !(15 << (4 * direction)) | shape << (4 * direction);
        self.tables.classes[usize::from(code)]
    }

    /// The shape that the free cell `cell` would be to `color` after a stone of its own `offset` steps away in the same
    /// direction, at most five.
    pub fn shape_with(
        &self,
        position: &Position,
        cell: Cell,
        color: Color,
        direction: usize,
        offset: isize,
    ) -> Shape {
        let window = with_stone(position.window(cell, direction), offset, color);
        Shape::from_number(self.tables.lines[key_at(window, 2 * WINDOW_REACH)] >> (4 * color.index()) & 15)
    }

    /// Where the other side must answer the four that a stone of `color` makes on `cell`.
    pub fn reply_to_four(&self, position: &Position, cell: Cell, color: Color) -> Option<Cell> {
        let direction =
            (0..DIRECTIONS).find(|&direction| self.shape(cell, color, direction) == Shape::Four)?;
        let window = with_stone(position.window(cell, direction), 0, color);
        let makes_five = |offset: isize| {
            let bit = 2 * (WINDOW_REACH as isize + offset) as usize;
            window >> bit & 3 == 0
                && self.tables.lines[key_at(window, bit)] >> (4 * color.index()) & 15 == Shape::Five as u8
        };
        let offset = (1 - REACH as isize..REACH as isize).find(|&offset| makes_five(offset))?;
        position.free_neighbour(cell, direction, offset)
    }

    /// What all free cells together and the threats on the board are worth to `mover`, whose turn it is.
    #[inline]
    pub fn balance(&self, mover: Color) -> i32 {
        let [moving, _] = Weights::unpacked(self.sums.values[mover.index()]);
        let [_, waiting] = Weights::unpacked(self.sums.values[mover.other().index()]);
        self.weights.turn(self.threats(mover)) + moving - waiting
    }

    /// Where a stone of `color` makes five.
    #[inline]
    pub fn fives(&self, color: Color) -> CellSet<'_> {
        self.sets.set(FIVES + 4 * color.index(), self.count(color, Class::Five))
    }

    /// Where a stone of `color` makes an open four or two fours.
    #[inline]
    pub fn open_fours(&self, color: Color) -> CellSet<'_> {
        self.sets.set(OPEN_FOURS + 4 * color.index(), self.count(color, Class::OpenFour))
    }

    /// Where a stone of `color` makes a four, open fours among them.
    #[inline]
    pub fn fours(&self, color: Color) -> CellSet<'_> {
        let classes = [Class::Four, Class::FourPlus, Class::FourThree, Class::OpenFour];
        let len = classes.map(|class| self.count(color, class)).iter().sum();
        self.sets.set(FOURS + 4 * color.index(), len)
    }

    /// The free cells that are more than [`Class::Nothing`] to one of the colours, in order.
    #[inline]
    pub fn candidates(&self) -> impl Iterator<Item = Cell> + '_ {
        let (first, last) = (self.span.0 as usize, self.span.1 as usize);
        let blocks = self.classes.get(first..last).unwrap_or_default().chunks(64);
        blocks.enumerate().flat_map(move |(block, classes)| {
            let some = |(place, &[black, white]): (usize, &Classes)| u64::from(black | white != 0) << place;
            let mut rest = classes.iter().enumerate().map(some).fold(0, |cells, cell| cells | cell);
            std::iter::from_fn(move || {
                let place = rest.trailing_zeros() as usize;
                (rest != 0).then(|| {
                    rest &= rest - 1;
                    Cell::new(first + 64 * block + place)
                })
            })
        })
    }

    /// Whether neither colour can ever make five.
    #[inline]
    pub fn is_dead(&self) -> bool {
        self.sums.values.iter().all(|&values| Weights::hopes(values) == 0)
    }
}

/// The ten neighbours of each cell of the stretch around the middle of a window, as the line table numbers them.
#[inline]
fn keys_of(window: u64) -> [u32; STRETCH] {
    std::array::from_fn(|place| {
        let around = window >> (2 * place);
        (around & 0x3ff | around >> 2 & 0xf_fc00) as u32
    })
}

/// Which cells of the stretch around the middle of a window are free, a bit each.
#[inline]
fn free(window: u64) -> u64 {
    let free = !(window | window >> 1) >> (2 * (WINDOW_REACH - REACH));
    // Every other bit, pushed together.
    let free = free & 0x5555_5555;
    let free = (free | free >> 1) & 0x3333_3333;
    let free = (free | free >> 2) & 0x0f0f_0f0f;
    let free = (free | free >> 4) & 0x00ff_00ff;
    (free | free >> 8) & ((1 << CHANGEABLE) - 1)
}

/// Which bytes are not zero, a bit each.
#[inline]
fn some(stretch: Stretch) -> u64 {
    const LOW_SEVEN: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let bits = |word: u64| {
        let high = (((word & LOW_SEVEN) + LOW_SEVEN) | word) & !LOW_SEVEN;
        // The product moves the top bit of each byte to its place in the topmost byte.
        (high >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
    };
    bits(stretch as u64) | bits((stretch >> 64) as u64) << 8
}

/// The ten neighbours of the cell at `bit` of a window, as the line table numbers them.
#[inline]
fn key_at(window: u64, bit: usize) -> usize {
    let around = window >> (bit - 2 * REACH);
    let before = around & ((1 << (2 * REACH)) - 1);
    let after = around >> (2 * REACH + 2) & ((1 << (2 * REACH)) - 1);
    (before | after << (2 * REACH)) as usize
}

/// The window with one more stone, `offset` steps from its middle.
#[inline]
fn with_stone(window: u64, offset: isize, color: Color) -> u64 {
    window | 1 << color.index() << (2 * (WINDOW_REACH as isize + offset))
}

impl fmt::Debug for Patterns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Patterns").field("sums", &self.sums).finish_non_exhaustive()
    }
}

/// Equal as far as the free cells of `position` tell: for tests, against patterns made anew.
#[cfg(test)]
impl Patterns {
    pub(crate) fn assert_same(&self, other: &Self, position: &Position) {
        assert_eq!(self.sets, other.sets, "{}", position.to_grid());
        assert_eq!(self.sums, other.sums);
        assert_eq!(self.span, other.span);
        assert!(self.candidates().eq(other.candidates()));
        for cell in position.cells().filter(|&cell| position.is_free(cell)) {
            assert_eq!(self.codes[cell.index()], other.codes[cell.index()]);
            assert_eq!(self.classes[cell.index()], other.classes[cell.index()]);
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
    fn each_threat_has_its_bit_in_the_number_of_the_threats() {
        let grid = "0000000000/0BBB00NN00/0000000000/0NN000BB00/00000BNN00/0000000000/0000000000/0000000000";
        let position = Position::from_grid(&grid.replace('/', "\n").parse::<Grid>().unwrap());
        let patterns = Patterns::new(&position, Evaluation::default().weights());
        for mover in Color::ALL {
            let own = |classes: &[Class]| classes.iter().any(|&class| patterns.count(mover, class) > 0);
            let theirs = |class| patterns.count(mover.other(), class) > 0;
            let expected = [
                own(&[Class::FourPlus, Class::FourThree]),
                own(&[Class::Four]),
                own(&[Class::ThreePlus, Class::DoubleThree]),
                own(&[Class::Three]),
                theirs(Class::OpenFour),
                theirs(Class::FourThree),
                theirs(Class::FourPlus),
                theirs(Class::Four),
                theirs(Class::DoubleThree),
                theirs(Class::ThreePlus),
                theirs(Class::Three),
            ];
            assert!(expected.contains(&true));
            let bits = (0..expected.len()).map(|bit| patterns.threats(mover) >> bit & 1 != 0);
            assert!(bits.eq(expected), "{mover:?}");
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
