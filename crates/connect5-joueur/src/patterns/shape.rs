//! What a stone makes of one line.

/// What one colour's stone on a free cell makes of a line through it, weakest first.
///
/// Each shape is defined by what one more stone can make of it, down from a run of exactly five; a run of six or more
/// is worth nothing. The five cells to either side decide: a five reaches four cells, and the fifth may spoil it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Shape {
    /// No five can contain this cell.
    Dead,
    /// One more stone makes a sleeping two.
    SleepingOne,
    /// One more stone makes an open two.
    OpenOne,
    /// One more stone makes a sleeping three.
    SleepingTwo,
    /// One more stone makes an open three, on one cell only.
    NarrowTwo,
    /// One more stone makes an open three, on two cells.
    OpenTwo,
    /// One more stone makes an open three, on three cells or more.
    WideTwo,
    /// One more stone makes a four.
    SleepingThree,
    /// One more stone makes an open four, on one cell only.
    NarrowThree,
    /// One more stone makes an open four, on two cells or more.
    OpenThree,
    /// One more stone makes five, on one cell only.
    Four,
    /// One more stone makes five, on two cells.
    OpenFour,
    /// Exactly five.
    Five,
}

impl Shape {
    /// All, weakest first.
    pub const ALL: [Self; 13] = [
        Self::Dead,
        Self::SleepingOne,
        Self::OpenOne,
        Self::SleepingTwo,
        Self::NarrowTwo,
        Self::OpenTwo,
        Self::WideTwo,
        Self::SleepingThree,
        Self::NarrowThree,
        Self::OpenThree,
        Self::Four,
        Self::OpenFour,
        Self::Five,
    ];

    /// The shape with this number; numbers that have none are dead.
    #[inline]
    pub const fn from_number(number: u8) -> Self {
        if (number as usize) < Self::ALL.len() { Self::ALL[number as usize] } else { Self::Dead }
    }

    /// What cells that each make `next` with one more stone make of their line now.
    pub(super) fn from_successors(count: impl Fn(Self) -> usize) -> Self {
        let threes = count(Self::OpenThree) + count(Self::NarrowThree);
        match () {
            () if count(Self::Five) >= 2 => Self::OpenFour,
            () if count(Self::Five) == 1 => Self::Four,
            () if count(Self::OpenFour) >= 2 => Self::OpenThree,
            () if count(Self::OpenFour) == 1 => Self::NarrowThree,
            () if count(Self::Four) > 0 => Self::SleepingThree,
            () if threes >= 3 => Self::WideTwo,
            () if threes == 2 => Self::OpenTwo,
            () if threes == 1 => Self::NarrowTwo,
            () if count(Self::SleepingThree) > 0 => Self::SleepingTwo,
            () if count(Self::WideTwo) + count(Self::OpenTwo) + count(Self::NarrowTwo) > 0 => Self::OpenOne,
            () if count(Self::SleepingTwo) > 0 => Self::SleepingOne,
            () => Self::Dead,
        }
    }
}
