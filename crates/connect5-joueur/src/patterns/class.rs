//! The four shapes of a cell, folded into what a stone there threatens.

use super::Shape;

/// What one colour threatens with a stone on a free cell, weakest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Class {
    /// No line with another stone of this colour.
    Nothing,
    /// A sleeping two.
    Weak,
    /// An open two.
    Two,
    /// A sleeping three and nothing else.
    SleepingThree,
    /// Several open twos or sleeping threes.
    Builder,
    /// An open three.
    Three,
    /// An open three with an open two or a sleeping three.
    ThreePlus,
    /// Two open threes.
    DoubleThree,
    /// A four.
    Four,
    /// A four with an open two or a sleeping three.
    FourPlus,
    /// A four with an open three.
    FourThree,
    /// An open four, or two fours: the next stone makes five.
    OpenFour,
    /// Exactly five.
    Five,
}

impl Class {
    /// All, weakest first.
    pub const ALL: [Self; 13] = [
        Self::Nothing,
        Self::Weak,
        Self::Two,
        Self::SleepingThree,
        Self::Builder,
        Self::Three,
        Self::ThreePlus,
        Self::DoubleThree,
        Self::Four,
        Self::FourPlus,
        Self::FourThree,
        Self::OpenFour,
        Self::Five,
    ];

    /// The class with this number; numbers that have none are nothing.
    #[inline]
    pub(super) const fn from_number(number: u8) -> Self {
        if (number as usize) < Self::ALL.len() { Self::ALL[number as usize] } else { Self::Nothing }
    }

    /// Folds the shapes of the four lines through a cell.
    pub fn of(shapes: [Shape; 4]) -> Self {
        let count = |range: std::ops::RangeInclusive<Shape>| {
            shapes.iter().filter(|shape| range.contains(shape)).count()
        };
        let fours = count(Shape::Four..=Shape::Four);
        let threes = count(Shape::NarrowThree..=Shape::OpenThree);
        let sleeping_threes = count(Shape::SleepingThree..=Shape::SleepingThree);
        let twos = count(Shape::NarrowTwo..=Shape::WideTwo);
        let builders = sleeping_threes + twos;
        match () {
            () if shapes.contains(&Shape::Five) => Self::Five,
            () if fours >= 2 || shapes.contains(&Shape::OpenFour) => Self::OpenFour,
            () if fours == 1 && threes > 0 => Self::FourThree,
            () if fours == 1 && builders > 0 => Self::FourPlus,
            () if fours == 1 => Self::Four,
            () if threes >= 2 => Self::DoubleThree,
            () if threes == 1 && builders > 0 => Self::ThreePlus,
            () if threes == 1 => Self::Three,
            () if builders >= 2 => Self::Builder,
            () if sleeping_threes == 1 => Self::SleepingThree,
            () if twos == 1 => Self::Two,
            () if shapes.contains(&Shape::SleepingTwo) => Self::Weak,
            () => Self::Nothing,
        }
    }
}
