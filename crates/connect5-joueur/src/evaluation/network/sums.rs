//! Incremental sums of the vectors of all free cells.
//!
//! A move is only recorded when it is played. The sums are computed when the position's value is needed, and the cells'
//! vectors when a later move or a move's score needs them, because most positions are undone before that. Values are
//! cached by the position's key, because the search returns to the same positions.

use super::head::{Sums, correction, inputs, position_numbers};
use super::lines::LineClasses;
use super::values::Values;
use super::{MOST, WIDTH, Weights, scale};
use crate::patterns::{Patterns, window};
use crate::rules::{Cell, Color, DIRECTIONS, Position};
use search_core::{Position as _, Score, memory};
use std::fmt;

/// Maximum number of cells that a stone changes in one direction.
const PLACES: usize = 10;
/// Maximum number of cells that a stone changes.
const AROUND: usize = DIRECTIONS * PLACES;
/// Number of cached line changes: 256 KiB.
const KEPT: usize = 1 << 12;
/// Maximum number of cells of a grid. The network was not trained on larger ones, and they would need much memory.
const MOST_CELLS: usize = 10_000;

/// A cell's vector for black, then for white.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(align(64))]
struct Vectors([i16; 2 * WIDTH]);

/// A move on the board, and the range of `cells` that it changes once its sums are computed.
#[derive(Debug, Clone, Copy)]
struct Ply {
    cell: Cell,
    windows: [u64; DIRECTIONS],
    /// The index of the first cell.
    first: usize,
    count: usize,
}

/// The classes that a stone changes in one line.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
struct LineChange {
    /// The line with the stone in its middle, 0 for an empty slot.
    window: u64,
    /// The number of free cells that change, their offsets and classes. Unused entries are zero.
    count: u8,
    offsets: [i8; PLACES],
    old: [u16; PLACES],
    new: [u16; PLACES],
}

impl LineChange {
    const NONE: Self = Self { window: 0, count: 0, offsets: [0; PLACES], old: [0; PLACES], new: [0; PLACES] };

    #[cold]
    #[inline(never)]
    fn of(window: u64, classes: &LineClasses) -> Self {
        let before = window::without_stone(window);
        let mut change = Self { window, ..Self::NONE };
        for offset in (-5..=5).filter(|&offset| window::is_free(window, offset)) {
            let [old, new] = [before, window].map(|window| classes.of(window, offset));
            if old != new {
                let at = usize::from(change.count);
                (change.offsets[at], change.old[at], change.new[at]) = (offset as i8, old, new);
                change.count += 1;
            }
        }
        change
    }
}

/// Returns the cache slot of a line.
#[inline]
fn slot(window: u64) -> usize {
    (window.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as usize % KEPT
}

/// The network's state at a position. The caller reports moves by [`played`](Self::played) and
/// [`undone`](Self::undone).
#[derive(Clone)]
pub struct Network {
    weights: &'static Weights,
    classes: &'static LineClasses,
    /// The vectors of each cell after the applied moves. An occupied cell keeps its vectors from before.
    vectors: Vec<Vectors>,
    /// The cache of line changes, allocated at the first stone.
    kept: Option<Box<[LineChange; KEPT]>>,
    /// The cache of values, allocated at the first value.
    values: Values,
    steps: [i32; DIRECTIONS],
    plies: Vec<Ply>,
    /// The sums before the first move and after each computed move.
    sums: Vec<Sums>,
    /// The number of moves applied to `vectors`: all computed ones, or all but the last.
    applied: usize,
    /// The cells that the moves change, and their vectors: those before each applied move, and those after the computed
    /// move that is not applied.
    cells: Vec<u32>,
    changes: Vec<Vectors>,
}

impl Network {
    /// Creates the network at `position`. Returns `None` if the grid is too large.
    #[must_use]
    pub fn new(position: &Position, weights: &'static Weights) -> Option<Self> {
        let cells = position.geometry().cells();
        if cells > MOST_CELLS {
            return None;
        }
        let classes = LineClasses::get();
        let mut vectors = vec![Vectors([0; 2 * WIDTH]); cells];
        let mut sums: Sums = [[0; WIDTH]; 2];
        for cell in position.cells().filter(|&cell| position.is_free(cell)) {
            let vectors = &mut vectors[cell.index()].0;
            for window in position.windows(cell) {
                let row = weights.row(classes.of(window, 0));
                vectors.iter_mut().zip(row.0).for_each(|(number, add)| *number += i16::from(add));
            }
            let sums = sums.as_flattened_mut().iter_mut();
            sums.zip(vectors).for_each(|(sum, number)| *sum += i32::from(clipped(*number)));
        }
        Some(Self {
            weights,
            classes,
            vectors,
            kept: None,
            values: Values::new(),
            steps: position.geometry().steps().map(|step| step as i32),
            plies: Vec::with_capacity(64),
            sums: vec![sums],
            applied: 0,
            cells: Vec::new(),
            changes: Vec::new(),
        })
    }

    /// Records a move just played. `position` has the stone on `cell`.
    #[inline]
    pub fn played(&mut self, cell: Cell, position: &Position) {
        let windows = position.windows(cell).map(window::cells);
        if let Some(kept) = &self.kept {
            windows.iter().for_each(|&window| memory::fetch(&kept[slot(window)]));
        }
        self.values.fetch(position.key());
        self.plies.push(Ply { cell, windows, first: 0, count: 0 });
    }

    /// Takes back the last move.
    #[inline]
    pub fn undone(&mut self) {
        let Some(ply) = self.plies.pop() else { return };
        self.sums.truncate(self.plies.len() + 1);
        if self.applied > self.plies.len() {
            self.applied -= 1;
            let changed = ply.first..ply.first + ply.count;
            for (&cell, before) in self.cells[changed.clone()].iter().zip(&self.changes[changed]) {
                self.vectors[cell as usize] = *before;
            }
        }
    }

    /// Evaluates `position`, to which the network and `patterns` must correspond: the learned evaluation plus the
    /// correction.
    #[inline]
    pub fn evaluate(&mut self, patterns: &Patterns, position: &Position) -> Score {
        let key = position.key();
        if let Some(value) = self.values.get(key) {
            return value;
        }
        while self.sums.len() <= self.plies.len() {
            self.work_out();
        }
        let mover = position.mover();
        let learned = patterns.balance(mover);
        let numbers = position_numbers(patterns, mover, learned);
        let inputs = inputs(&self.sums[self.plies.len()], mover, numbers);
        let value = Score::new(learned + correction(self.weights, &inputs));
        self.values.keep(key, value);
        value
    }

    /// Computes and applies all recorded moves, as [`move_score`](Self::move_score) requires.
    #[inline]
    pub fn catch_up(&mut self) {
        while self.sums.len() <= self.plies.len() {
            self.work_out();
        }
        self.apply();
    }

    /// Applies the changes of the last computed move to the vectors.
    #[inline]
    fn apply(&mut self) {
        let worked_out = self.sums.len() - 1;
        if self.applied < worked_out {
            let ply = self.plies[self.applied];
            self.applied = worked_out;
            let changed = ply.first..ply.first + ply.count;
            for (&cell, after) in self.cells[changed.clone()].iter().zip(&mut self.changes[changed]) {
                *after = std::mem::replace(&mut self.vectors[cell as usize], *after);
            }
        }
    }

    /// Computes the sums after the next move.
    fn work_out(&mut self) {
        self.apply();
        let first =
            self.applied.checked_sub(1).map_or(0, |last| self.plies[last].first + self.plies[last].count);
        if self.cells.len() < first + AROUND {
            self.cells.resize(2 * first + 16 * AROUND, 0);
            self.changes.resize(self.cells.len(), Vectors([0; 2 * WIDTH]));
        }
        let ply = &mut self.plies[self.applied];
        let cells: &mut [u32; AROUND] = self.cells[first..].first_chunk_mut().expect("room was made");
        let changes: &mut [Vectors; AROUND] = self.changes[first..].first_chunk_mut().expect("room was made");
        let nothing = || vec![LineChange::NONE; KEPT].into_boxed_slice().try_into().expect("as many");
        let kept = self.kept.get_or_insert_with(nothing);
        let [mut old, mut new] = [[0; AROUND]; 2];
        let mut count = 0;
        for direction in 0..DIRECTIONS {
            let window = ply.windows[direction];
            let slot = slot(window);
            if kept[slot].window != window {
                kept[slot] = LineChange::of(window, self.classes);
            }
            let change = &kept[slot];
            // All entries are copied without a branch. The next line overwrites the unused ones.
            let room = "a line before this one changed ten cells at most";
            let cells: &mut [u32; PLACES] = cells[count..].first_chunk_mut().expect(room);
            for at in 0..PLACES {
                let steps = i32::from(change.offsets[at]);
                cells[at] = (ply.cell.index() as i32 + steps * self.steps[direction]) as u32;
            }
            *old[count..].first_chunk_mut().expect(room) = change.old;
            *new[count..].first_chunk_mut().expect(room) = change.new;
            count += usize::from(change.count).min(PLACES);
        }
        // The stone's own cell no longer counts.
        let mut sums = [0; 2 * WIDTH];
        let stone = &self.vectors[ply.cell.index()].0;
        for at in 0..2 * WIDTH {
            sums[at] = -clipped(stone[at]);
        }
        for at in 0..count {
            let before = self.vectors[cells[at] as usize];
            let [old, new] = [*self.weights.row(old[at]), *self.weights.row(new[at])];
            let mut after = before;
            for at in 0..2 * WIDTH {
                after.0[at] += i16::from(new.0[at]) - i16::from(old.0[at]);
                sums[at] += clipped(after.0[at]) - clipped(before.0[at]);
            }
            changes[at] = after;
        }
        (ply.first, ply.count) = (first, count);
        let mut all = self.sums[self.applied];
        for at in 0..WIDTH {
            all[0][at] += i32::from(sums[at]);
            all[1][at] += i32::from(sums[WIDTH + at]);
        }
        self.sums.push(all);
    }

    /// Returns the network's part of a move's score on a free cell, in hundredths of log-odds.
    #[inline]
    #[must_use]
    pub fn move_score(&self, cell: Cell, mover: Color) -> i32 {
        debug_assert_eq!(self.applied, self.plies.len(), "caught up");
        let (numbers, weights) = (&self.vectors[cell.index()].0, &self.weights.move_score[mover.index()]);
        let mut sum = 0;
        for at in 0..2 * WIDTH {
            sum += i32::from(clipped(numbers[at])) * i32::from(weights[at]);
        }
        sum * 25 / (scale::VECTOR * scale::MOVE_SCORE / 4)
    }
}

/// Clips a number of a cell's vector.
#[inline]
fn clipped(number: i16) -> i16 {
    number.clamp(0, MOST)
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Network").field("sums", &self.sums.last()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::super::BYTES;
    use super::*;
    use crate::evaluation::Evaluation;
    use crate::rules::Grid;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    /// Returns weights over the whole range of every number.
    fn random_weights(random: &mut Xoshiro256PlusPlus) -> &'static Weights {
        let mut bytes: Vec<u8> = (0..BYTES).map(|_| random.random()).collect();
        let table = crate::evaluation::network::CLASSES * WIDTH;
        for word in bytes[table..].as_chunks_mut::<2>().0 {
            *word = (i16::from_le_bytes(*word) % 1024).to_le_bytes();
        }
        Box::leak(Box::new(Weights::read(&bytes).unwrap()))
    }

    impl Network {
        fn assert_same(&mut self, position: &Position) {
            let patterns = Patterns::new(position, Evaluation::Network.weights());
            let mut anew = Self::new(position, self.weights).unwrap();
            // Twice, to test the cached value too.
            for _ in 0..2 {
                assert_eq!(self.evaluate(&patterns, position), anew.evaluate(&patterns, position));
            }
            self.catch_up();
            assert_eq!(self.sums.last(), anew.sums.last(), "{}", position.to_grid());
            for cell in position.cells().filter(|&cell| position.is_free(cell)) {
                assert_eq!(self.vectors[cell.index()], anew.vectors[cell.index()]);
            }
        }
    }

    #[test]
    fn a_network_that_followed_the_moves_is_the_one_made_anew() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
        let weights = random_weights(&mut random);
        for (rows, columns) in [(1, 1), (1, 9), (9, 1), (5, 7), (15, 15), (12, 20), (50, 50)] {
            let mut position = Position::from_grid(&Grid::new(rows, columns).unwrap());
            let mut network = Network::new(&position, weights).unwrap();
            let mut played = Vec::new();
            for _ in 0..400 {
                let moves = position.move_list();
                if !moves.is_empty() && random.random_bool(0.6) {
                    let cell = moves[random.random_range(0..moves.len())];
                    position.play(cell);
                    network.played(cell, &position);
                    played.push(cell);
                } else if let Some(cell) = played.pop() {
                    network.undone();
                    position.undo(cell, ());
                }
                if random.random_bool(0.1) {
                    network.catch_up();
                }
                if random.random_bool(0.4) {
                    network.assert_same(&position);
                }
            }
            while let Some(cell) = played.pop() {
                network.undone();
                position.undo(cell, ());
                network.assert_same(&position);
            }
        }
        assert!(Network::new(&Position::from_grid(&Grid::new(100, 101).unwrap()), weights).is_none());
    }

    #[test]
    fn every_processor_computes_the_same() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(6);
        let weights = random_weights(&mut random);
        let mut told = 0_u64;
        for _ in 0..40 {
            let mut position = Position::from_grid(&Grid::new(13, 11).unwrap());
            let mut network = Network::new(&position, weights).unwrap();
            for _ in 0..random.random_range(0..60) {
                let moves = position.move_list();
                if moves.is_empty() {
                    break;
                }
                let cell = moves[random.random_range(0..moves.len())];
                position.play(cell);
                network.played(cell, &position);
            }
            let patterns = Patterns::new(&position, Evaluation::Network.weights());
            let mut tell = |number: i32| {
                told = (told.rotate_left(7) ^ u64::from(number.cast_unsigned()))
                    .wrapping_mul(0x9e37_79b9_7f4a_7c15);
            };
            tell(network.evaluate(&patterns, &position).value());
            network.catch_up();
            let free = position.cells().filter(|&cell| position.is_free(cell));
            free.for_each(|cell| tell(network.move_score(cell, position.mover())));
        }
        assert_eq!(told, 17_491_756_871_984_665_882);
    }
}
