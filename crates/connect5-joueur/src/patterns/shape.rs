//! What one more stone makes of a line.

use std::sync::OnceLock;

/// The value of a line for a colour whose stone has just been put on it: how many stones it still needs, and in how
/// many ways. From a run of four that one stone completes (a four) to a single stone with room for five, each either
/// *open*, where it can still become a four with two completing cells, or not; *rich*, where it can do so in several
/// ways. In ascending order of strength.
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
    /// Two are missing to an open four, to be put in one way or two.
    OpenTwo,
    /// Two are missing to an open four, to be put in three ways or more.
    RichOpenTwo,
    /// One is missing to a four, on one cell only.
    Three,
    /// One is missing to a four, on any of several cells.
    RichThree,
    /// One is missing to an open four, on one cell only.
    OpenThree,
    /// One is missing to an open four, on any of several cells.
    RichOpenThree,
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
    pub const ALL: [Self; 13] = [
        Dead,
        One,
        OpenOne,
        Two,
        OpenTwo,
        RichOpenTwo,
        Three,
        RichThree,
        OpenThree,
        RichOpenThree,
        Four,
        OpenFour,
        Five,
    ];

    /// The shape with this number.
    #[inline]
    pub(super) const fn from_number(number: u8) -> Self {
        Self::ALL[number as usize % Self::ALL.len()]
    }
}

/// Cells to either side of a stone that decide a shape.
pub(super) const REACH: usize = 5;
/// Their states, each free, own or blocked: ten ternary digits, the first cell of the line in the lowest.
pub(super) const STATES: usize = 59_049;

/// The farthest look ahead: a single stone lacks so many to a four.
const STAGES: usize = 4;

/// In how many orders stones can be put on a line, for each number of stones from 0 on.
#[derive(Debug, Clone, Copy, Default)]
struct Ways {
    /// Until one cell at least completes five.
    to_four: [u16; STAGES],
    /// Until two cells at least do.
    to_open_four: [u16; STAGES],
}

impl Ways {
    /// The shape of a line that is no five.
    fn shape(&self) -> Shape {
        // The fewest stones decide; of as many, an open line is more.
        let ways = |missing: usize| (self.to_four[missing], self.to_open_four[missing]);
        match (ways(0), ways(1), ways(2), ways(3)) {
            ((_, 1..), ..) => OpenFour,
            ((1.., _), ..) => Four,
            (_, (_, 2..), ..) => RichOpenThree,
            (_, (_, 1), ..) => OpenThree,
            (_, (2.., _), ..) => RichThree,
            (_, (1, _), ..) => Three,
            // Two stones in three ways, in either order.
            (.., (_, 5..), _) => RichOpenTwo,
            (.., (_, 1..), _) => OpenTwo,
            (.., (1.., _), _) => Two,
            (.., (_, 1..)) => OpenOne,
            (.., (1.., _)) => One,
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
        let mut ways = vec![Ways::default(); STATES];
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
            let mut here = Ways::default();
            here.to_four[0] = u16::from(completing > 0);
            here.to_open_four[0] = u16::from(completing > 1);
            for next in next {
                for stage in 1..STAGES {
                    here.to_four[stage] += ways[next].to_four[stage - 1];
                    here.to_open_four[stage] += ways[next].to_open_four[stage - 1];
                }
            }
            (shapes[state], ways[state]) = (here.shape(), here);
        }
        shapes
    })
}
