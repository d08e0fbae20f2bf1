//! Shapes: the potential of one line through a stone.

use std::sync::OnceLock;

/// The potential of a line for a colour whose stone was just put on it: the number of stones still missing, from a
/// four, which one more stone completes, to a lone stone with room for five. A shape is *open* if the same number of
/// stones can make it a four with two completing cells. In ascending order of strength.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Shape {
    /// No five through this stone is possible.
    Dead,
    /// Needs four more stones for five.
    One,
    /// Needs three more stones for an open four.
    OpenOne,
    /// Needs three more stones for five.
    Two,
    /// Needs two more stones for an open four.
    OpenTwo,
    /// Needs one more stone for a four.
    Three,
    /// Needs one more stone for an open four.
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
    /// All shapes, in ascending order.
    pub const ALL: [Self; 10] = [Dead, One, OpenOne, Two, OpenTwo, Three, OpenThree, Four, OpenFour, Five];

    /// Returns the shape of an index.
    #[inline]
    pub(super) const fn from_number(number: u8) -> Self {
        Self::ALL[number as usize % Self::ALL.len()]
    }
}

/// Cells to either side of a stone that decide a shape.
pub(super) const REACH: usize = 5;
/// Number of states of those cells, each free, own or blocked: ten ternary digits, the first cell of the line lowest.
const STATES: usize = 59_049;

/// The number of stones missing until at least one cell completes five, and until two cells do.
#[derive(Debug, Clone, Copy)]
struct Missing {
    to_four: u8,
    to_open_four: u8,
}

impl Missing {
    /// Greater than any reachable number.
    const NEVER: Self = Self { to_four: 9, to_open_four: 9 };

    /// Returns the shape of a line without five.
    const fn shape(self) -> Shape {
        // The fewer stones missing, the stronger. Among equals an open line is stronger.
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

/// Returns the shape of the stone in the middle of every line of eleven cells, by the state of the other ten.
pub(super) fn shapes() -> &'static [Shape] {
    static SHAPES: OnceLock<Vec<Shape>> = OnceLock::new();
    SHAPES.get_or_init(|| {
        let powers: [usize; 2 * REACH] = std::array::from_fn(|place| 3_usize.pow(place as u32));
        // The outermost cells can make a five a six, but cannot belong to a five through the middle.
        let inner = 1..2 * REACH - 1;
        let mut shapes = vec![Dead; STATES];
        let mut missing = vec![Missing::NEVER; STATES];
        // A line with one more stone has a greater index, so its entry is computed first.
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
