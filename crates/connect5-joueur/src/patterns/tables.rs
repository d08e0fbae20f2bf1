//! The tables behind the patterns: built once, when the first request needs them.

use super::{Class, Shape};
use std::sync::OnceLock;

/// The four shapes of a cell for one colour, four bits a direction.
pub type Code = u16;
/// How many codes there are.
pub const CODES: usize = 1 << 16;

/// How many windows of ten neighbours there are.
pub(super) const LINES: usize = 1 << 20;

/// Cells to either side that decide a shape.
const REACH: usize = 5;
/// States of ten neighbours, each free, own or blocked.
const STATES: usize = 59_049;

/// The shape of a direction in a code.
#[inline]
pub const fn shape_of(code: Code, direction: usize) -> Shape {
    Shape::from_number((code >> (4 * direction) & 15) as u8)
}

/// The four shapes in a code.
pub fn shapes_of(code: Code) -> [Shape; 4] {
    std::array::from_fn(|direction| shape_of(code, direction))
}

#[derive(Debug)]
pub(super) struct Tables {
    /// For ten neighbours of two bits each (free, black, white, wall): black's shape in the low four bits, white's above.
    pub lines: Box<[u8; LINES]>,
    /// The class of every code.
    pub classes: Box<[Class; CODES]>,
}

impl Tables {
    pub fn get() -> &'static Self {
        static TABLES: OnceLock<Tables> = OnceLock::new();
        TABLES.get_or_init(Self::build)
    }

    fn build() -> Self {
        let mut classes = vec![Class::Nothing; CODES];
        for (code, class) in classes.iter_mut().enumerate() {
            *class = Class::of(shapes_of(code as Code));
        }
        let classes = classes.into_boxed_slice().try_into().expect("one a code");
        Self { lines: line_table(&shape_table()), classes }
    }
}

/// The shape of the middle cell of every line of eleven, seen by the colour that stands on it. The nearest neighbours
/// are the middle digits of the state, and a state with one more own stone has a greater number: it is known already.
fn shape_table() -> Vec<Shape> {
    let powers: [usize; 2 * REACH] = std::array::from_fn(|digit| 3_usize.pow(digit as u32));
    let mut shapes = vec![Shape::Dead; STATES];
    for state in (0..STATES).rev() {
        let digit = |place: usize| state / powers[place] % 3;
        let before = (0..REACH).rev().take_while(|&place| digit(place) == 1).count();
        let after = (REACH..2 * REACH).take_while(|&place| digit(place) == 1).count();
        shapes[state] = match 1 + before + after {
            5 => Shape::Five,
            6.. => Shape::Dead,
            _ => {
                let mut counts = [0; Shape::ALL.len()];
                // The outermost cells can spoil a five, but belong to none.
                for place in (1..2 * REACH - 1).filter(|&place| digit(place) == 0) {
                    counts[shapes[state + powers[place]] as usize] += 1;
                }
                Shape::from_successors(|shape| counts[shape as usize])
            }
        };
    }
    shapes
}

/// Both colours' shapes for every window of ten neighbours.
fn line_table(shapes: &[Shape]) -> Box<[u8; LINES]> {
    const HALF: usize = 1 << (2 * REACH);
    // The ternary number of five cells, for each colour: what is neither free nor its own is blocked.
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

    /// The shape that `X` gets of the cell `*`; `O` stands for the other colour and the wall.
    fn shape(line: &str) -> Shape {
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
        Shape::from_number(Tables::get().lines[key] & 15)
    }

    #[test]
    fn exactly_five_is_a_five_and_six_is_nothing() {
        assert_eq!(shape("XX*XX"), Five);
        assert_eq!(shape("OXXXX*O"), Five);
        assert_eq!(shape("XX*XXX"), Dead);
        assert_eq!(shape("XXXX*_X"), Five);
        assert_eq!(shape("XXXXX*"), Dead);
    }

    #[test]
    fn a_four_next_to_a_stone_at_one_gap_has_one_five_point_only() {
        assert_eq!(shape("__XX*X__"), OpenFour);
        assert_eq!(shape("X_XX*X__"), Four);
        assert!(shape("X_XX*X_X") < Four, "both sides make six");
        assert_eq!(shape("OXX*X_"), Four);
        assert_eq!(shape("X_X*X_X"), OpenFour, "two fives in one line");
        assert_eq!(shape("OXX*XO"), Dead, "no room for five");
    }

    #[test]
    fn an_open_three_makes_an_open_four() {
        assert_eq!(shape("___X*X___"), OpenThree);
        assert_eq!(shape("O_X*X__O"), NarrowThree);
        assert_eq!(shape("O_X*X_O"), SleepingThree, "five cells are no room for an open four");
        assert_eq!(shape("OX*X___"), SleepingThree);
    }

    #[test]
    fn twos_and_ones_follow() {
        assert_eq!(shape("____X*____"), WideTwo);
        assert_eq!(shape("OX*____"), SleepingTwo);
        assert_eq!(shape("_____*_____"), OpenOne);
        assert_eq!(shape("O*____O"), SleepingOne);
        assert_eq!(shape("O*___O"), Dead);
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
