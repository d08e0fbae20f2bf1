//! The weights of every code.

use super::code::{CODES, Code, code_of, shape_sets};
use super::{Class, Shape, THREATS};
use crate::rules::{Cell, Geometry, Position, RELATIONS, relation};
use std::fmt;

/// The weights of every code: for the sum over all cells, and for the order in which moves are tried.
pub struct Weights {
    codes: Box<[Worth; CODES]>,
    /// The value of the turn itself.
    tempo: i32,
    /// For each set of threats on the board, as [`Patterns::threats`](super::Patterns::threats) numbers them.
    threats: Box<[i16; THREATS]>,
    /// The score of a move that lies so many rows and columns (three bits each, at most [`FAR`]) from the other side's
    /// last move, and from the mover's own.
    near: [[i16; PLACES]; 2],
}

/// Cells so many steps apart have nothing to do with each other.
const FAR: u16 = 7;
/// Ways in which cells are at most [`FAR`] rows and columns apart.
const PLACES: usize = 64;

/// The sums' share of a cell of one code, in eight numbers that are added up at once. From the first: its
/// value to a colour that moves, and to one that waits; whether it can still become a five, its class and the sets it
/// belongs to (20, 4 and 8 bits); the score of a move for the colour that makes it, and for what it keeps from the
/// other (16 bits each); and, 16 bits a class from [`COUNTED`] on, whether it is of it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[repr(align(32))]
pub(super) struct Worth([u32; 8]);

/// The weakest class whose cells are counted.
pub(super) const COUNTED: u8 = Class::Three as u8;

/// The sets of a colour, by number.
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

    /// Replaces what a cell added before by what it adds now.
    #[inline]
    pub fn exchange(&mut self, old: &Self, new: &Self) {
        for ((sum, old), new) in self.0.iter_mut().zip(old.0).zip(new.0) {
            *sum = sum.wrapping_add(new).wrapping_sub(old);
        }
    }

    /// The sets that the cell belongs to, a bit each.
    #[inline]
    pub fn sets(&self) -> u8 {
        (self.0[2] >> 24) as u8
    }

    #[inline]
    pub fn class(&self) -> Class {
        Class::from_number((self.0[2] >> 20) as u8 & 15)
    }

    /// Of a sum: what the cells are worth to a colour that moves.
    #[inline]
    pub fn moving(&self) -> i32 {
        self.0[0] as i32
    }

    /// Of a sum: what the cells are worth to a colour that waits.
    #[inline]
    pub fn waiting(&self) -> i32 {
        self.0[1] as i32
    }

    /// Of a sum: how many cells can still become a five.
    #[inline]
    pub fn hopes(&self) -> u32 {
        self.0[2] & 0xf_ffff
    }

    /// Of a sum: how many cells there are of `class`, which is a counted one.
    #[inline]
    pub fn count(&self, class: Class) -> usize {
        let counted = (class as u8 - COUNTED) as usize;
        (self.0[4 + counted / 2] >> (16 * (counted % 2))) as usize & 0xffff
    }

    /// Of a sum: how many cells there are of each counted class, sixteen bits each.
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
    /// Tabulates `value`: what a cell of four shapes, the strongest first, is worth to the colour whose turn it is, and
    /// what it is worth to the other. `tempo` is what the turn itself is worth. Moves score what they are worth.
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

    /// With what each set of threats on the board is worth to the mover.
    #[must_use]
    pub fn with_threats(self, threats: [i16; THREATS]) -> Self {
        Self { threats: Box::new(threats), ..self }
    }

    /// With the score of a move for the colour that makes it and for what it keeps from the other, and what it adds
    /// to lie near the other side's last move and the mover's own ([`Geometry::relation`](crate::rules::Geometry::relation)).
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

    /// The sums' share of a cell of this code.
    #[inline]
    pub(super) fn worth(&self, code: Code) -> &Worth {
        &self.codes[usize::from(code) % CODES]
    }

    /// The value of the turn with these threats on the board.
    #[inline]
    pub(super) fn turn(&self, threats: usize) -> i32 {
        self.tempo + i32::from(self.threats[threats])
    }

    /// The score of a move with one code for its own colour and another for the other.
    #[inline]
    pub(super) fn move_score(&self, own: Code, other: Code) -> i32 {
        i32::from(self.worth(own).move_scores()[0]) + i32::from(self.worth(other).move_scores()[1])
    }

    /// The move scores for lying near the last moves, the other side's first.
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

/// The move score for lying near the last two moves.
#[derive(Debug, Clone, Copy)]
pub struct Near<'a> {
    adds: [&'a [i16; PLACES]; 2],
    /// Row and column of the moves.
    before: [[u16; 2]; 2],
    geometry: &'a Geometry,
}

impl Near<'_> {
    /// The score that it adds for this move.
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
