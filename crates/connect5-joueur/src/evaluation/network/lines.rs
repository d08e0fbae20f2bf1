//! Line classes: the contents of a line around a free cell, as far as a five through the cell can depend on them.

use crate::patterns::window;
use std::sync::OnceLock;

/// Cells to either side of a free cell that can belong to a five through it, or make it a six.
const REACH: usize = 5;
/// Number of states of five cells of two bits each: free, black, white, wall.
const HALVES: usize = 1 << (2 * REACH);
/// Number of distinct sides. Cells on the far side of a wall, or of stones of both colours, have no influence.
const SIDES: usize = 172;
/// Empty sides: free cells up to a wall.
const EMPTY_SIDES: usize = REACH + 1;

/// The number of line classes: unordered pairs of sides.
pub const CLASSES: usize = SIDES * (SIDES + 1) / 2;
/// Classes below this are lines without a stone.
pub const EMPTY_CLASSES: u16 = (EMPTY_SIDES * (EMPTY_SIDES + 1) / 2) as u16;

/// The tables of line classes.
#[derive(Debug)]
pub struct LineClasses {
    /// The side of five cells, with the nearest cell in the lowest bits, and with the nearest in the highest.
    after: Box<[u8; HALVES]>,
    before: Box<[u8; HALVES]>,
    /// Each class with the colours exchanged.
    exchanged: Box<[u16; CLASSES]>,
}

impl LineClasses {
    /// Returns the tables, built on first use.
    pub fn get() -> &'static Self {
        static TABLES: OnceLock<LineClasses> = OnceLock::new();
        TABLES.get_or_init(Self::build)
    }

    fn build() -> Self {
        let mut numbers = vec![None; HALVES];
        let mut representatives = Vec::with_capacity(SIDES);
        let empty = (0..HALVES).filter(|&half| seen(normal(half)) == [false; 2]);
        for half in empty.chain(0..HALVES) {
            let half = normal(half);
            if numbers[half].is_none() {
                numbers[half] = Some(representatives.len() as u8);
                representatives.push(half);
            }
        }
        let number = |half: usize| numbers[normal(half)].unwrap_or_default();
        let after: Vec<u8> = (0..HALVES).map(number).collect();
        let before: Vec<u8> = (0..HALVES).map(|half| number(reversed(half))).collect();
        let exchanged_side = |side: usize| usize::from(number(exchanged(representatives[side])));
        let mut classes = vec![0; CLASSES];
        for high in 0..SIDES {
            for low in 0..=high {
                classes[usize::from(class(high, low))] = class(exchanged_side(high), exchanged_side(low));
            }
        }
        let boxed = |sides: Vec<u8>| sides.into_boxed_slice().try_into().expect("one a half");
        Self {
            after: boxed(after),
            before: boxed(before),
            exchanged: classes.into_boxed_slice().try_into().expect("one a class"),
        }
    }

    /// Returns the class of the line around the cell `offset` steps (at most five) from the middle of a
    /// [window](crate::rules::Position::window).
    #[inline]
    #[must_use]
    pub fn of(&self, window: u64, offset: isize) -> u16 {
        let key = window::key(window, offset);
        let [before, after] = [self.before[key % HALVES], self.after[key / HALVES % HALVES]];
        class(usize::from(before.max(after)), usize::from(before.min(after)))
    }

    /// Returns the class of the same line with the colours exchanged.
    #[inline]
    #[must_use]
    pub fn exchanged(&self, class: u16) -> u16 {
        self.exchanged[usize::from(class)]
    }
}

/// Returns the class of two sides, in either order.
#[inline]
fn class(side: usize, other: usize) -> u16 {
    let [high, low] = [side.max(other), side.min(other)];
    (high * (high + 1) / 2 + low) as u16
}

/// Returns which colours occur in these five cells.
fn seen(half: usize) -> [bool; 2] {
    [1, 2].map(|color| (0..REACH).any(|place| half >> (2 * place) & 3 == color))
}

/// Returns the side of a line with walls in place of the cells that cannot belong to a run through its near end: those
/// after a wall or after the second colour.
fn normal(half: usize) -> usize {
    let mut normal = 0;
    let mut colors = 0;
    for place in 0..REACH {
        let cell = half >> (2 * place) & 3;
        let hidden = colors == 3 || cell == 3;
        colors |= if hidden { 3 } else { cell };
        normal |= (if hidden { 3 } else { cell }) << (2 * place);
    }
    normal
}

fn reversed(half: usize) -> usize {
    (0..REACH).fold(0, |reversed, place| reversed << 2 | half >> (2 * place) & 3)
}

fn exchanged(half: usize) -> usize {
    // Exactly one of a stone's two bits is set.
    let stones = (half ^ half >> 1) & 0x155;
    half ^ (stones | stones << 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::Evaluation;
    use crate::patterns::Patterns;
    use crate::rules::{Cell, Color, Grid, Position};
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;
    use search_core::Position as _;
    use std::collections::HashMap;

    fn random_position(random: &mut Xoshiro256PlusPlus) -> Position {
        let mut position = Position::from_grid(&Grid::new(9, 13).unwrap());
        for _ in 0..random.random_range(0..80) {
            let cell = Cell::new(random.random_range(0..9 * 13));
            if position.is_legal(cell) {
                position.play(cell);
            }
        }
        position
    }

    #[test]
    fn lines_of_one_class_make_the_same_shapes_for_both_colours() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
        let classes = LineClasses::get();
        let mut shapes_of = HashMap::new();
        for _ in 0..2_000 {
            let position = random_position(&mut random);
            let patterns = Patterns::new(&position, Evaluation::default().weights());
            for cell in position.cells().filter(|&cell| position.is_free(cell)) {
                for direction in 0..4 {
                    let shapes = Color::ALL.map(|color| patterns.shape(&position, cell, color, direction));
                    let class = classes.of(position.window(cell, direction), 0);
                    assert_eq!(*shapes_of.entry(class).or_insert(shapes), shapes, "class {class}");
                    let exchanged = classes.exchanged(class);
                    assert_eq!(classes.exchanged(exchanged), class);
                    let other = [shapes[1], shapes[0]];
                    assert_eq!(*shapes_of.entry(exchanged).or_insert(other), other, "class {class}");
                }
            }
        }
        assert!(shapes_of.len() > 5_000, "{}", shapes_of.len());
    }

    #[test]
    fn there_are_as_many_sides_as_numbers_for_them() {
        let classes = LineClasses::get();
        assert_eq!(classes.after.iter().max().copied(), Some((SIDES - 1) as u8));
        let mut seen = vec![false; CLASSES];
        for before in 0..HALVES {
            for after in 0..HALVES {
                let window = (before | after << (2 * REACH + 2)) as u64;
                seen[usize::from(classes.of(window << (2 * REACH), 0))] = true;
            }
        }
        assert!(seen.into_iter().all(|seen| seen));
        assert!((0..CLASSES as u16).all(|class| {
            (class < EMPTY_CLASSES) == (classes.exchanged(class) == class && class < EMPTY_CLASSES)
        }));
    }
}
