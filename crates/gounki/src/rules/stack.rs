use super::MAX_HEIGHT;
use std::fmt;

/// The two shapes of men.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Shape {
    /// A *carré*: moves one step left, right or forward.
    Square,
    /// A *rond*: moves one step diagonally forward.
    Round,
}

impl Shape {
    /// The other shape.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Square => Self::Round,
            Self::Round => Self::Square,
        }
    }

    /// The sign of a deployment that begins with this shape: `+` or `*`.
    #[must_use]
    pub const fn sign(self) -> char {
        match self {
            Self::Square => '+',
            Self::Round => '*',
        }
    }

    /// The French plural.
    #[must_use]
    pub const fn plural(self) -> &'static str {
        match self {
            Self::Square => "carrés",
            Self::Round => "ronds",
        }
    }
}

/// A stack of up to three men, without its colour. The order of its men has no meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Stack {
    squares: u8,
    rounds: u8,
}

impl Stack {
    /// The empty cell.
    pub const EMPTY: Self = Self { squares: 0, rounds: 0 };

    /// The stack with these numbers of men; `None` above three.
    #[must_use]
    pub const fn new(squares: u8, rounds: u8) -> Option<Self> {
        if squares <= MAX_HEIGHT && rounds <= MAX_HEIGHT && squares + rounds <= MAX_HEIGHT {
            Some(Self { squares, rounds })
        } else {
            None
        }
    }

    /// A stack from an army's bit planes, which never exceed three men.
    #[inline]
    pub(super) const fn of_planes(squares: u8, rounds: u8) -> Self {
        debug_assert!(squares + rounds <= MAX_HEIGHT);
        Self { squares, rounds }
    }

    /// The number of men of this shape.
    #[must_use]
    pub const fn count(self, shape: Shape) -> u8 {
        match shape {
            Shape::Square => self.squares,
            Shape::Round => self.rounds,
        }
    }

    /// The number of men.
    #[must_use]
    pub const fn height(self) -> u8 {
        self.squares + self.rounds
    }

    /// True for an empty cell.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.height() == 0
    }

    /// The digit in a configuration file; 0 for an empty cell.
    #[must_use]
    pub const fn code(self) -> u8 {
        match (self.squares, self.rounds) {
            (1, 0) => 1,
            (0, 1) => 2,
            (2, 0) => 3,
            (0, 2) => 4,
            (3, 0) => 5,
            (0, 3) => 6,
            (1, 1) => 7,
            (2, 1) => 8,
            (1, 2) => 9,
            _ => 0,
        }
    }

    /// The stack for a configuration file's digit.
    #[must_use]
    pub const fn from_code(code: u8) -> Option<Self> {
        let (squares, rounds) = match code {
            0 => (0, 0),
            1 => (1, 0),
            2 => (0, 1),
            3 => (2, 0),
            4 => (0, 2),
            5 => (3, 0),
            6 => (0, 3),
            7 => (1, 1),
            8 => (2, 1),
            9 => (1, 2),
            _ => return None,
        };
        Some(Self { squares, rounds })
    }
}

/// Writes the stack in French: `2 carrés et 1 rond`.
impl fmt::Display for Stack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = |n: u8| if n > 1 { "s" } else { "" };
        match (self.squares, self.rounds) {
            (0, 0) => f.write_str("rien"),
            (s, 0) => write!(f, "{s} carré{}", plural(s)),
            (0, r) => write!(f, "{r} rond{}", plural(r)),
            (s, r) => write!(f, "{s} carré{} et {r} rond{}", plural(s), plural(r)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ten_codes_stand_for_ten_stacks() {
        for code in 0..10 {
            assert_eq!(Stack::from_code(code).unwrap().code(), code);
        }
        assert_eq!(Stack::from_code(10), None);
        assert_eq!(Stack::new(2, 2), None);
        assert_eq!(Stack::new(255, 2), None);
    }
}
