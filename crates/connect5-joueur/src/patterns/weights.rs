//! The weights of every code.

use super::code::{CODES, Code, code_of, shape_sets};
use super::{Class, Shape, THREATS};
use crate::rules::{Cell, Geometry, Position, RELATIONS, relation};
use std::fmt;

/// The weights of every code, for the evaluation and for move ordering.
pub struct Weights {
    codes: Box<[Worth; CODES]>,
    /// The value of being to move.
    tempo: i32,
    /// The value of each threat combination, by [`Patterns::threats`](super::Patterns::threats).
    threats: Box<[i16; THREATS]>,
    /// The score of a move by its distance in rows and columns (three bits each, at most [`FAR`]) from the opponent's
    /// last move, and from the mover's own.
    near: [[i16; PLACES]; 2],
}

/// Distances from here on are treated as equal.
const FAR: u16 = 7;
/// Number of pairs of distances up to [`FAR`] in rows and columns.
const PLACES: usize = 64;

/// One code's contributions to the sums, in eight numbers that are added together. In order: the cell's value for the
/// side to move; for the other side; its counter of cells that can still become a five, class and sets (20, 4 and 8
/// bits); the move scores for the own gain and for denial (16 bits each); and, 16 bits a class from [`COUNTED`] on, the
/// counter of that class.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[repr(align(32))]
pub(super) struct Worth([u32; 8]);

/// The weakest class whose cells are counted.
pub(super) const COUNTED: u8 = Class::Three as u8;

/// The indices of a colour's sets.
pub(super) const FIVES: usize = 0;
pub(super) const OPEN_FOURS: usize = 1;
pub(super) const FOURS: usize = 2;

impl Worth {
    fn of_class(class: Class, hopes: bool) -> Self {
        let sets: u32 = match class {
            Class::Five => 1 << FIVES,
            Class::OpenFour => 1 << OPEN_FOURS | 1 << FOURS,
            Class::FourThree | Class::Four => 1 << FOURS,
            _ => 0,
        };
        let mut numbers = [0; 8];
        numbers[2] = u32::from(hopes) | (class as u32) << 20 | sets << 24;
        if let Some(counted) = (class as usize).checked_sub(COUNTED.into()) {
            numbers[4 + counted / 2] = 1 << (16 * (counted % 2));
        }
        Self(numbers)
    }

    /// Replaces a cell's old contribution by its new one.
    #[inline]
    pub fn exchange(&mut self, old: &Self, new: &Self) {
        for ((sum, old), new) in self.0.iter_mut().zip(old.0).zip(new.0) {
            *sum = sum.wrapping_add(new).wrapping_sub(old);
        }
    }

    /// Returns the sets that the cell belongs to, one bit each.
    #[inline]
    pub fn sets(&self) -> u8 {
        (self.0[2] >> 24) as u8
    }

    #[inline]
    pub fn class(&self) -> Class {
        Class::from_number((self.0[2] >> 20) as u8 & 15)
    }

    /// In a sum: the value of the cells for the side to move.
    #[inline]
    pub fn moving(&self) -> i32 {
        self.0[0] as i32
    }

    /// The value of the cells for the side that waits, in a sum over cells.
    #[inline]
    pub fn waiting(&self) -> i32 {
        self.0[1] as i32
    }

    /// The number of free cells whose lines can still become a five, in a sum over cells.
    #[inline]
    pub fn hopes(&self) -> u32 {
        self.0[2] & 0xf_ffff
    }

    /// In a sum: the number of cells of `class`, which must be a counted one.
    #[inline]
    pub fn count(&self, class: Class) -> usize {
        let counted = (class as u8 - COUNTED) as usize;
        (self.0[4 + counted / 2] >> (16 * (counted % 2))) as usize & 0xffff
    }

    /// In a sum: the number of cells of each counted class, sixteen bits each.
    #[inline]
    pub fn counts(&self) -> u128 {
        (4..8).fold(0, |counts, index| counts | u128::from(self.0[index]) << (32 * (index - 4)))
    }

    #[inline]
    fn move_scores(&self) -> [i16; 2] {
        [self.0[3] as i16, (self.0[3] >> 16) as i16]
    }

    fn set_move_scores(&mut self, [own, other]: [i16; 2]) {
        self.0[3] = u32::from(own as u16) | u32::from(other as u16) << 16;
    }
}

impl Weights {
    /// Tabulates `value`, which maps four shapes, strongest first, to the cell's values for the side to move and for
    /// the other side. `tempo` is the value of being to move. Move scores equal the values.
    pub fn new(value: impl Fn([Shape; 4]) -> [i16; 2], tempo: i32) -> Self {
        let mut codes = vec![Worth::default(); CODES];
        for shapes in shape_sets() {
            let code = code_of(shapes);
            let worth = &mut codes[usize::from(code)];
            let values = value(shapes);
            *worth = Worth::of_class(Class::of(shapes), code != 0);
            [worth.0[0], worth.0[1]] = values.map(|value| i32::from(value) as u32);
            worth.set_move_scores(values);
        }
        Self {
            codes: codes.into_boxed_slice().try_into().expect("one a code"),
            tempo,
            threats: Box::new([0; THREATS]),
            near: [[0; PLACES]; 2],
        }
    }

    /// Sets the value of each threat combination for the mover.
    #[must_use]
    pub fn with_threats(self, threats: [i16; THREATS]) -> Self {
        Self { threats: Box::new(threats), ..self }
    }

    /// Sets the move scores for the own gain and for denial, and for nearness to the opponent's last move and to the
    /// mover's own ([`Geometry::relation`](crate::rules::Geometry::relation)).
    #[must_use]
    pub fn with_move_score(
        mut self,
        move_score: impl Fn([Shape; 4]) -> [i16; 2],
        near: [[i16; RELATIONS]; 2],
    ) -> Self {
        for shapes in shape_sets() {
            self.codes[usize::from(code_of(shapes))].set_move_scores(move_score(shapes));
        }
        let of_place = |near: [i16; RELATIONS]| {
            std::array::from_fn(|place| near[relation(place as u16 >> 3, place as u16 & FAR)])
        };
        Self { near: near.map(of_place), ..self }
    }

    /// Returns the contribution of a code to the sums.
    #[inline]
    pub(super) fn worth(&self, code: Code) -> &Worth {
        &self.codes[usize::from(code) % CODES]
    }

    /// Returns the value of being to move with these threats on the board.
    #[inline]
    pub(super) fn turn(&self, threats: usize) -> i32 {
        self.tempo + i32::from(self.threats[threats])
    }

    /// Returns the score of a move from its codes for its own and for the other colour.
    #[inline]
    pub(super) fn move_score(&self, own: Code, other: Code) -> i32 {
        i32::from(self.worth(own).move_scores()[0]) + i32::from(self.worth(other).move_scores()[1])
    }

    /// Returns the move scores for nearness to the last moves, the opponent's first.
    #[inline]
    #[must_use]
    pub fn near<'a>(&'a self, position: &'a Position, before: [Option<Cell>; 2]) -> Near<'a> {
        const NOTHING: &[i16; PLACES] = &[0; PLACES];
        let adds =
            std::array::from_fn(|side| if before[side].is_some() { &self.near[side] } else { NOTHING });
        let geometry = position.geometry();
        Near { adds, before: before.map(|before| geometry.place(before.unwrap_or(Cell::new(0)))), geometry }
    }
}

/// The move scores for nearness to the last two moves.
#[derive(Debug, Clone, Copy)]
pub struct Near<'a> {
    adds: [&'a [i16; PLACES]; 2],
    /// Row and column of the last two moves.
    before: [[u16; 2]; 2],
    geometry: &'a Geometry,
}

impl Near<'_> {
    /// Returns the score that nearness adds to this move.
    #[inline]
    pub fn of(&self, cell: Cell) -> i32 {
        let [row, column] = self.geometry.place(cell);
        let near = |side: usize| {
            let [before_row, before_column] = self.before[side];
            let [down, right] = [row.abs_diff(before_row).min(FAR), column.abs_diff(before_column).min(FAR)];
            i32::from(self.adds[side][usize::from(down << 3 | right) % PLACES])
        };
        near(0) + near(1)
    }
}

impl fmt::Debug for Weights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Weights")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_count_classes_and_add_up_values() {
        let weights = Weights::new(
            |shapes| {
                let strength = shapes.map(|shape| shape as i16).iter().sum::<i16>();
                [100 * strength, -600 * strength]
            },
            0,
        );
        let mut sum = Worth::default();
        let mut expected = ([0; Class::ALL.len()], 0, [0, 0]);
        for shapes in shape_sets().cycle().take(9_000) {
            let worth = weights.worth(code_of(shapes));
            sum.exchange(&Worth::default(), worth);
            expected.0[Class::of(shapes) as usize] += 1;
            expected.1 += u32::from(shapes != [Shape::Dead; 4]);
            expected.2 = [expected.2[0] + worth.moving(), expected.2[1] + worth.waiting()];
            assert_eq!(worth.class(), Class::of(shapes));
            assert_eq!((sum.hopes(), [sum.moving(), sum.waiting()]), (expected.1, expected.2));
            for &class in &Class::ALL[usize::from(COUNTED)..] {
                assert_eq!(sum.count(class), expected.0[class as usize]);
                assert_eq!(
                    (sum.counts() >> (16 * (class as u8 - COUNTED))) as u16 as usize,
                    sum.count(class)
                );
            }
        }
    }
}
