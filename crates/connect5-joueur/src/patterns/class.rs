//! The threat class of a stone, from its four lines.

use super::Shape;

/// The threat class of a stone over all four directions, in ascending order of strength.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Class {
    /// No line has a second stone that could belong to the same five.
    Nothing,
    /// At least one line has such a stone, without a threat.
    Something,
    /// Threatens an open four, in one direction.
    Three,
    /// Threatens an open four in several directions.
    TwoThrees,
    /// Threatens five on one cell.
    Four,
    /// Threatens five on one cell, and an open four in another direction.
    FourThree,
    /// Threatens five on several cells.
    OpenFour,
    /// Makes five.
    Five,
}

impl Class {
    /// All classes, in ascending order.
    pub const ALL: [Self; 8] = [
        Self::Nothing,
        Self::Something,
        Self::Three,
        Self::TwoThrees,
        Self::Four,
        Self::FourThree,
        Self::OpenFour,
        Self::Five,
    ];

    /// Returns the class of a stone that makes these shapes.
    #[must_use]
    pub fn of(shapes: [Shape; 4]) -> Self {
        let count = |least: Shape, most: Shape| {
            shapes.into_iter().filter(|&shape| least <= shape && shape <= most).count()
        };
        let threes = count(Shape::OpenThree, Shape::OpenThree);
        let completing = count(Shape::Four, Shape::Four) + 2 * count(Shape::OpenFour, Shape::OpenFour);
        match (completing, threes) {
            _ if shapes.contains(&Shape::Five) => Self::Five,
            (2.., _) => Self::OpenFour,
            (1, 1..) => Self::FourThree,
            (1, 0) => Self::Four,
            (0, 2..) => Self::TwoThrees,
            (0, 1) => Self::Three,
            _ if count(Shape::Two, Shape::Five) > 0 => Self::Something,
            _ => Self::Nothing,
        }
    }

    /// Returns the class of an index.
    #[inline]
    pub(super) const fn from_number(number: u8) -> Self {
        Self::ALL[number as usize % Self::ALL.len()]
    }
}
