//! The vectors of all free cells and their sums, which follow the moves.
//!
//! A move is only noted when it is played; what it changes is worked out when the position is evaluated, so that moves
//! taken back before that cost nothing.

use super::head::{Sums, correction, inputs, position_numbers};
use super::lines::LineClasses;
use super::{MOST, WIDTH, Weights, scale};
use crate::patterns::{Patterns, window};
use crate::rules::{Cell, Color, DIRECTIONS, Position};
use search_core::Score;
use std::fmt;

/// Cells that a stone changes in one direction, at most.
const PLACES: usize = 10;
/// Cells that a stone changes, at most.
const AROUND: usize = DIRECTIONS * PLACES;
/// Lines whose changes are kept: 256 KiB.
const KEPT: usize = 1 << 12;
/// Larger grids are not looked at: they would cost memory, and nothing like them was learned from.
const MOST_CELLS: usize = 2_500;

/// A cell's vector for black, then for white.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(align(64))]
struct Vectors([i16; 2 * WIDTH]);

/// A move on the board, before it is worked out.
#[derive(Debug, Clone, Copy)]
struct Frame {
    cell: Cell,
    windows: [u64; DIRECTIONS],
}

/// What is restored when a worked out move is taken back.
#[derive(Debug, Clone, Copy)]
struct Before {
    /// Where the cells that it changed begin.
    changed: usize,
    sums: Sums,
}

/// The classes that a stone changes in one line.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
struct LineChange {
    /// The line with the stone in its middle; 0 if nothing is kept here.
    window: u64,
    /// The free cells that change, a bit each.
    places: u16,
    old: [u16; PLACES],
    new: [u16; PLACES],
}

impl LineChange {
    const NONE: Self = Self { window: 0, places: 0, old: [0; PLACES], new: [0; PLACES] };

    #[cold]
    #[inline(never)]
    fn of(window: u64, classes: &LineClasses) -> Self {
        let before = window::without_stone(window);
        let mut change = Self { window, ..Self::NONE };
        for place in 0..PLACES {
            let offset = offset(place);
            if window::is_free(window, offset) {
                [change.old[place], change.new[place]] =
                    [before, window].map(|window| classes.of(window, offset));
                change.places |= u16::from(change.old[place] != change.new[place]) << place;
            }
        }
        change
    }
}

/// The steps from a stone to a place of its line: five before it and five behind it.
#[inline]
const fn offset(place: usize) -> isize {
    place as isize - if place < PLACES / 2 { 5 } else { 4 }
}

/// The network at a position, which it follows by [`played`](Self::played) and [`undone`](Self::undone).
#[derive(Clone)]
pub struct Network {
    weights: &'static Weights,
    classes: &'static LineClasses,
    /// One a cell; a taken cell's are those from before.
    vectors: Vec<Vectors>,
    sums: Sums,
    /// Nothing until the first stone is worked out.
    kept: Option<Box<[LineChange; KEPT]>>,
    /// The offset from a stone's number to the cells around it.
    around: [[i32; PLACES]; DIRECTIONS],
    moves: Vec<Frame>,
    /// One for each of the moves that are worked out, the first ones.
    befores: Vec<Before>,
    /// The cells that these moves changed, and their vectors before; as far as `changed`.
    cells: Vec<u32>,
    vectors_before: Vec<Vectors>,
    changed: usize,
}

impl Network {
    /// The network at `position`; `None` on grids of more cells than it learned from.
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
        let steps = position.geometry().steps();
        Some(Self {
            weights,
            classes,
            vectors,
            sums,
            kept: None,
            around: steps.map(|step| std::array::from_fn(|place| (offset(place) * step) as i32)),
            moves: Vec::with_capacity(64),
            befores: Vec::with_capacity(64),
            cells: Vec::new(),
            vectors_before: Vec::new(),
            changed: 0,
        })
    }

    /// Follows a move that was just played: `position` has the stone on `cell`.
    #[inline]
    pub fn played(&mut self, cell: Cell, position: &Position) {
        self.moves.push(Frame { cell, windows: position.windows(cell) });
    }

    /// Takes back the last move.
    #[inline]
    pub fn undone(&mut self) {
        self.moves.pop();
        if self.befores.len() > self.moves.len()
            && let Some(before) = self.befores.pop()
        {
            let changed = before.changed..self.changed;
            for (&cell, vectors) in self.cells[changed.clone()].iter().zip(&self.vectors_before[changed]) {
                self.vectors[cell as usize] = *vectors;
            }
            self.changed = before.changed;
            self.sums = before.sums;
        }
    }

    /// The score of the position that the network and `patterns` stand at: the learned evaluation's, corrected.
    #[inline]
    pub fn evaluate(&mut self, patterns: &Patterns, mover: Color) -> Score {
        self.catch_up();
        let learned = patterns.balance(mover);
        let numbers = position_numbers(patterns, mover, learned);
        Score::new(learned + correction(self.weights, &inputs(&self.sums, mover, numbers)))
    }

    /// Works out what the moves since the last time have changed. [`move_score`](Self::move_score) is of the position then.
    #[inline]
    pub fn catch_up(&mut self) {
        while self.befores.len() < self.moves.len() {
            self.work_out(self.moves[self.befores.len()]);
        }
    }

    fn work_out(&mut self, Frame { cell, windows }: Frame) {
        self.befores.push(Before { changed: self.changed, sums: self.sums });
        if self.cells.len() < self.changed + AROUND {
            self.cells.resize(2 * self.changed + 16 * AROUND, 0);
            self.vectors_before.resize(self.cells.len(), Vectors([0; 2 * WIDTH]));
        }
        let cells: &mut [u32; AROUND] = self.cells[self.changed..].first_chunk_mut().expect("room was made");
        let befores: &mut [Vectors; AROUND] =
            self.vectors_before[self.changed..].first_chunk_mut().expect("room was made");
        let nothing = || vec![LineChange::NONE; KEPT].into_boxed_slice().try_into().expect("as many");
        let kept = self.kept.get_or_insert_with(nothing);
        let mut rows = [[0; 2]; AROUND];
        let mut count = 0;
        for direction in 0..DIRECTIONS {
            let window = window::cells(windows[direction]);
            let slot = (window.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as usize % KEPT;
            if kept[slot].window != window {
                kept[slot] = LineChange::of(window, self.classes);
            }
            let change = &kept[slot];
            let mut places = change.places;
            while places != 0 {
                let place = places.trailing_zeros() as usize % PLACES;
                places &= places - 1;
                cells[count % AROUND] = (cell.index() as i32 + self.around[direction][place]) as u32;
                rows[count % AROUND] = [change.old[place], change.new[place]];
                count += 1;
            }
        }
        let count = count.min(AROUND);
        // The stone's own cell counts no more.
        let mut sums = [0; 2 * WIDTH];
        let stone = &self.vectors[cell.index()].0;
        for at in 0..2 * WIDTH {
            sums[at] = -clipped(stone[at]);
        }
        for at in 0..count {
            let vectors = &mut self.vectors[cells[at] as usize];
            let [old, new] = [*self.weights.row(rows[at][0]), *self.weights.row(rows[at][1])];
            let before = *vectors;
            let mut now = before;
            for at in 0..2 * WIDTH {
                now.0[at] += i16::from(new.0[at]) - i16::from(old.0[at]);
                sums[at] += clipped(now.0[at]) - clipped(before.0[at]);
            }
            *vectors = now;
            befores[at] = before;
        }
        self.changed += count;
        for at in 0..WIDTH {
            self.sums[0][at] += i32::from(sums[at]);
            self.sums[1][at] += i32::from(sums[WIDTH + at]);
        }
    }

    /// The part of a move's score that the free cell's lines give, beside the learned evaluation's, in hundredths.
    #[inline]
    #[must_use]
    pub fn move_score(&self, cell: Cell, mover: Color) -> i32 {
        debug_assert_eq!(self.befores.len(), self.moves.len(), "caught up");
        let (numbers, weights) = (&self.vectors[cell.index()].0, &self.weights.move_score[mover.index()]);
        let mut sum = 0;
        for at in 0..2 * WIDTH {
            sum += i32::from(clipped(numbers[at])) * i32::from(weights[at]);
        }
        sum * 25 / (scale::VECTOR * scale::MOVE_SCORE / 4)
    }
}

/// A number of a cell as it counts.
#[inline]
fn clipped(number: i16) -> i16 {
    number.clamp(0, MOST)
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Network").field("sums", &self.sums).finish_non_exhaustive()
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
    use search_core::Position as _;

    /// Weights that use the whole range of every number.
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
            self.catch_up();
            let anew = Self::new(position, self.weights).unwrap();
            assert_eq!(self.sums, anew.sums, "{}", position.to_grid());
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
        assert!(Network::new(&Position::from_grid(&Grid::new(50, 51).unwrap()), weights).is_none());
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
            tell(network.evaluate(&patterns, position.mover()).value());
            let free = position.cells().filter(|&cell| position.is_free(cell));
            free.for_each(|cell| tell(network.move_score(cell, position.mover())));
        }
        assert_eq!(told, 17_491_756_871_984_665_882);
    }
}
