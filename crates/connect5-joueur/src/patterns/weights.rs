//! What an evaluation says of every code.

use super::tables::{CODES, Code};
use crate::rules::{Cell, Position, RELATIONS};
use std::fmt;

/// What an evaluation says of every code: for the sum over all cells, and for the order in which moves are tried.
pub struct Weights {
    /// See [`packed`](Self::packed).
    packed: Box<[i64; CODES]>,
    /// What the turn itself is worth.
    tempo: i32,
    /// For each set of threats on the board, as [`Patterns::threats`](super::Patterns::threats) numbers them.
    threats: Box<[i16; THREATS]>,
    /// How promising a move is: to the colour that makes it, and for what it keeps from the other.
    promise: Box<[[i16; 2]; CODES]>,
    /// What it adds that a move lies so to the other side's last move, and to the mover's own.
    near: [[i16; RELATIONS]; 2],
}

/// How many sets of threats there are.
pub const THREATS: usize = 1 << 11;

/// Where the two values stand in a packed number.
const WAITING: u32 = 16;
const MOVING: u32 = 40;

impl Weights {
    /// Tabulates `value`: what a cell is worth to the colour whose turn it is, and what it is worth to the other.
    /// `tempo` is what the turn itself is worth. Moves promise what they are worth.
    pub fn new(value: impl Fn(Code) -> [i16; 2], tempo: i32) -> Self {
        let values: Vec<[i16; 2]> = (0..CODES).map(|code| value(code as Code)).collect();
        let packed: Vec<i64> =
            values.iter().enumerate().map(|(code, &value)| pack(code != 0, value)).collect();
        Self {
            packed: packed.into_boxed_slice().try_into().expect("one a code"),
            tempo,
            threats: Box::new([0; THREATS]),
            promise: values.into_boxed_slice().try_into().expect("one a code"),
            near: [[0; RELATIONS]; 2],
        }
    }

    /// With what each set of threats on the board is worth to the mover.
    #[must_use]
    pub fn with_threats(self, threats: [i16; THREATS]) -> Self {
        Self { threats: Box::new(threats), ..self }
    }

    /// With how promising a move is to the colour that makes it and for what it keeps from the other, and what it adds
    /// to lie near the other side's last move and the mover's own ([`Geometry::relation`](crate::rules::Geometry::relation)).
    #[must_use]
    pub fn with_promise(self, promise: impl Fn(Code) -> [i16; 2], near: [[i16; RELATIONS]; 2]) -> Self {
        let promise: Vec<[i16; 2]> = (0..CODES).map(|code| promise(code as Code)).collect();
        Self { promise: promise.into_boxed_slice().try_into().expect("one a code"), near, ..self }
    }

    /// What a cell of this code adds to the sums: from the low end, whether it can still become a five (16 bits), what
    /// it is worth to a colour that waits (24), and to one that moves (24).
    #[inline]
    pub(super) fn packed(&self, code: Code) -> i64 {
        self.packed[usize::from(code)]
    }

    /// What a sum of packed numbers is worth to a colour that moves, and to one that waits.
    #[inline]
    pub(super) fn unpacked(sum: i64) -> [i32; 2] {
        let waiting = sum << (64 - MOVING) >> (64 - MOVING) >> WAITING;
        let moving = (sum - (waiting << WAITING)) >> MOVING;
        [moving as i32, waiting as i32]
    }

    /// How many cells in a sum of packed numbers can still become a five.
    #[inline]
    pub(super) fn hopes(sum: i64) -> u16 {
        sum as u16
    }

    /// What the turn is worth with these threats on the board.
    #[inline]
    pub(super) fn turn(&self, threats: usize) -> i32 {
        self.tempo + i32::from(self.threats[threats])
    }

    /// How promising a move is that has one code for its own colour and another for the other.
    #[inline]
    pub(super) fn promise(&self, own: Code, other: Code) -> i32 {
        i32::from(self.promise[usize::from(own)][0]) + i32::from(self.promise[usize::from(other)][1])
    }

    /// What it adds to a move's promise to lie near the last moves, the other side's first.
    #[inline]
    pub fn near(&self, position: &Position, before: [Option<Cell>; 2], cell: Cell) -> i32 {
        let near = |near: &[i16; RELATIONS], before: Option<Cell>| {
            before.map_or(0, |before| i32::from(near[position.geometry().relation(before, cell)]))
        };
        near(&self.near[0], before[0]) + near(&self.near[1], before[1])
    }
}

fn pack(hopes: bool, [moving, waiting]: [i16; 2]) -> i64 {
    i64::from(hopes) + (i64::from(waiting) << WAITING) + (i64::from(moving) << MOVING)
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
    fn sums_of_packed_numbers_are_the_sums_of_what_was_packed() {
        let cells = [(true, [3, -500]), (false, [-7, 40]), (true, [-900, -1]), (true, [i16::MIN, i16::MAX])];
        let mut sum = 0;
        let mut expected = (0, [0, 0]);
        for (hopes, [moving, waiting]) in cells.into_iter().cycle().take(90) {
            sum += pack(hopes, [moving, waiting]);
            expected.0 += u16::from(hopes);
            expected.1 = [expected.1[0] + i32::from(moving), expected.1[1] + i32::from(waiting)];
            assert_eq!((Weights::hopes(sum), Weights::unpacked(sum)), expected);
        }
    }
}
