/// A direction of movement in the maze.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Direction {
    /// Up, `N`.
    North,
    /// Down, `S`.
    South,
    /// Right, `E`.
    East,
    /// Left, `O` for "Ouest".
    West,
}

impl Direction {
    /// All four, in the order of the assignment.
    pub const ALL: [Self; 4] = [Self::North, Self::South, Self::East, Self::West];

    /// Returns the letter on the wire.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::North => 'N',
            Self::South => 'S',
            Self::East => 'E',
            Self::West => 'O',
        }
    }

    /// Returns the direction of a letter on the wire.
    #[must_use]
    pub const fn from_letter(letter: char) -> Option<Self> {
        match letter {
            'N' => Some(Self::North),
            'S' => Some(Self::South),
            'E' => Some(Self::East),
            'O' => Some(Self::West),
            _ => None,
        }
    }

    /// Returns the opposite direction.
    #[must_use]
    pub const fn opposite(self) -> Self {
        match self {
            Self::North => Self::South,
            Self::South => Self::North,
            Self::East => Self::West,
            Self::West => Self::East,
        }
    }

    /// Returns the difference in columns and rows.
    #[must_use]
    pub const fn delta(self) -> (i32, i32) {
        match self {
            Self::North => (0, -1),
            Self::South => (0, 1),
            Self::East => (1, 0),
            Self::West => (-1, 0),
        }
    }
}
