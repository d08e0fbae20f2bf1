//! The shape that one more stone makes of a line.

use std::sync::OnceLock;

/// The value of a line for a colour whose stone has just been put on it: how many stones it still needs. From a run of
/// four that one stone completes (a four) to a single stone with room for five, each either *open*, where as many stones
/// make it a four with two completing cells, or not. In ascending order of strength.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Shape {
    /// No five through this stone any more.
    Dead,
    /// Four stones are missing.
    One,
    /// Three are missing to an open four.
    OpenOne,
    /// Three stones are missing.
    Two,
    /// Two are missing to an open four.
    OpenTwo,
    /// One is missing to a four.
    Three,
    /// One is missing to an open four.
    OpenThree,
    /// One cell completes five.
    Four,
    /// Two cells or more complete five.
    OpenFour,
    /// Exactly five in a row.
    Five,
}

use Shape::*;

impl Shape {
    /// All of them, in order.
    pub const ALL: [Self; 10] = [Dead, One, OpenOne, Two, OpenTwo, Three, OpenThree, Four, OpenFour, Five];

    /// The shape with this number.
    #[inline]
    pub(super) const fn from_number(number: u8) -> Self {
        Self::ALL[number as usize % Self::ALL.len()]
    }
}

/// Cells to either side of a stone that decide a shape.
pub(super) const REACH: usize = 5;
/// Their states, each free, own or blocked: ten ternary digits, the first cell of the line in the lowest.
const STATES: usize = 59_049;

/// The stones that a line lacks until one cell at least completes five, and until two cells do.
#[derive(Debug, Clone, Copy)]
struct Missing {
    to_four: u8,
    to_open_four: u8,
}

impl Missing {
    /// More than there is room for.
    const NEVER: Self = Self { to_four: 9, to_open_four: 9 };

    /// The shape of a line that is no five.
    const fn shape(self) -> Shape {
        // The fewest stones decide; of as many, an open line is more.
        match (self.to_four, self.to_open_four) {
            (0, 0) => OpenFour,
            (0, _) => Four,
            (1, 1) => OpenThree,
            (1, _) => Three,
            (2, 2) => OpenTwo,
            (2, _) => Two,
            (3, 3) => OpenOne,
            (3, _) => One,
            _ => Dead,
        }
    }
}

/// The shape of the stone in the middle of every line of eleven cells, by the state of the other ten.
pub(super) fn shapes() -> &'static [Shape] {
    static SHAPES: OnceLock<Vec<Shape>> = OnceLock::new();
    SHAPES.get_or_init(|| {
        let powers: [usize; 2 * REACH] = std::array::from_fn(|place| 3_usize.pow(place as u32));
        // The outermost cells can make a five a six, but belong to none through the middle.
        let inner = 1..2 * REACH - 1;
        let mut shapes = vec![Dead; STATES];
        let mut missing = vec![Missing::NEVER; STATES];
        // A line with one more stone has a greater number: it is known before.
        for state in (0..STATES).rev() {
            let cell = |place: usize| state / powers[place] % 3;
            let before = (0..REACH).rev().take_while(|&place| cell(place) == 1).count();
            let after = (REACH..2 * REACH).take_while(|&place| cell(place) == 1).count();
            if before + 1 + after >= 5 {
                shapes[state] = if before + 1 + after == 5 { Five } else { Dead };
                continue;
            }
            let next = inner.clone().filter(|&place| cell(place) == 0).map(|place| state + powers[place]);
            let completing = next.clone().filter(|&state| shapes[state] == Five).count();
            let mut here = Missing::NEVER;
            for next in next {
                here.to_four = here.to_four.min(missing[next].to_four + 1);
                here.to_open_four = here.to_open_four.min(missing[next].to_open_four + 1);
            }
            match completing {
                0 => {}
                1 => here.to_four = 0,
                _ => here = Missing { to_four: 0, to_open_four: 0 },
            }
            (shapes[state], missing[state]) = (here.shape(), here);
        }
        shapes
    })
}
