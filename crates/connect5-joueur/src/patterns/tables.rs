//! The lookup tables of the patterns, built on first use.

use super::Shape;
use super::shape::{REACH, shapes};
use crate::rules::Color;
use std::sync::OnceLock;

/// The number of windows of ten neighbours.
const LINES: usize = 1 << 20;

/// Returns one colour's shape in an entry of the line table.
#[inline]
pub(super) const fn shape(shapes: u8, color: Color) -> Shape {
    Shape::from_number(shapes >> (4 * color.index()) & 15)
}

#[derive(Debug)]
pub(super) struct Tables {
    /// By ten neighbours of two bits each (free, black, white, wall): black's shape in the low four bits, white's in
    /// the high four.
    pub lines: Box<[u8; LINES]>,
}

impl Tables {
    pub fn get() -> &'static Self {
        static TABLES: OnceLock<Tables> = OnceLock::new();
        TABLES.get_or_init(Self::build)
    }

    fn build() -> Self {
        Self { lines: line_table(shapes()) }
    }
}

/// Returns both colours' shapes for every window of ten neighbours.
fn line_table(shapes: &[Shape]) -> Box<[u8; LINES]> {
    const HALF: usize = 1 << (2 * REACH);
    // The ternary index of five cells for each colour. A cell neither free nor its own is blocked.
    let states = [1, 2].map(|own| {
        let mut states = vec![0_u16; HALF];
        for (bits, state) in states.iter_mut().enumerate() {
            for place in (0..REACH).rev() {
                let cell = bits >> (2 * place) & 3;
                let digit = if cell == 0 { 0 } else { 2 - u16::from(cell == own) };
                *state = 3 * *state + digit;
            }
        }
        states
    });
    let half_states = 3_usize.pow(REACH as u32);
    let mut lines = vec![0; HALF * HALF];
    for (after, row) in lines.chunks_exact_mut(HALF).enumerate() {
        let [black, white] = [0, 1].map(|color| {
            let first = usize::from(states[color][after]) * half_states;
            &shapes[first..first + half_states]
        });
        for (before, entry) in row.iter_mut().enumerate() {
            let (black, white) =
                (black[usize::from(states[0][before])], white[usize::from(states[1][before])]);
            *entry = black as u8 | (white as u8) << 4;
        }
    }
    lines.into_boxed_slice().try_into().expect("two to the twentieth entries")
}

#[cfg(test)]
mod tests {
    use super::*;
    use Shape::*;

    /// Returns black's (`X`) shape on the cell `*`. `O` stands for the other colour or the wall.
    fn black(line: &str) -> Shape {
        let line = line.as_bytes();
        let middle = line.iter().position(|&byte| byte == b'*').unwrap() as isize;
        let mut key = 0;
        for (place, offset) in (-5..=5).filter(|&offset| offset != 0).enumerate() {
            let cell = match usize::try_from(middle + offset).ok().and_then(|index| line.get(index)) {
                Some(b'_') => 0,
                Some(b'X') => 1,
                Some(b'O') => 2,
                _ => 3,
            };
            key |= cell << (2 * place);
        }
        shape(Tables::get().lines[key], Color::Black)
    }

    #[test]
    fn exactly_five_is_a_five_and_six_is_nothing() {
        assert_eq!(black("XX*XX"), Five);
        assert_eq!(black("OXXXX*O"), Five);
        assert_eq!(black("XX*XXX"), Dead);
        assert_eq!(black("XXXX*_X"), Five);
        assert_eq!(black("XXXXX*"), Dead);
    }

    #[test]
    fn a_four_next_to_a_stone_at_one_gap_has_one_five_point_only() {
        assert_eq!(black("__XX*X__"), OpenFour);
        assert_eq!(black("X_XX*X__"), Four);
        assert!(black("X_XX*X_X") < Four, "both sides make six");
        assert_eq!(black("OXX*X_"), Four);
        assert_eq!(black("X_X*X_X"), OpenFour, "two fives in one line");
        assert_eq!(black("OXX*XO"), Dead, "no room for five");
    }

    #[test]
    fn an_open_three_makes_an_open_four() {
        assert_eq!(black("___X*X___"), OpenThree);
        assert_eq!(black("O_X*X__O"), OpenThree);
        assert_eq!(black("O_X*X_O"), Three, "five cells are no room for an open four");
        assert_eq!(black("OX*X___"), Three);
    }

    #[test]
    fn twos_and_ones_follow() {
        assert_eq!(black("____X*____"), OpenTwo);
        assert_eq!(black("OX*____"), Two);
        assert_eq!(black("_____*_____"), OpenOne);
        assert_eq!(black("O*____O"), One);
        assert_eq!(black("O*___O"), Dead);
    }

    #[test]
    fn both_colours_see_the_same_line_alike() {
        let tables = Tables::get();
        for key in (0..1 << 20).step_by(97) {
            let swapped = (0..10).fold(0, |swapped, place| {
                let cell = key >> (2 * place) & 3;
                swapped | (if cell == 1 || cell == 2 { 3 - cell } else { cell }) << (2 * place)
            });
            assert_eq!(tables.lines[key] >> 4, tables.lines[swapped] & 15);
        }
    }
}
