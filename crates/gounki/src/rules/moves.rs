use super::{Cell, Colour, Heading, Notation, Shape, Step, ray};
use search_core::MoveCode;
use smallvec::SmallVec;
use std::fmt;

/// A move with all its data, so that it can be written without its position. Of 18 bits, from the low end: the starting
/// cell (6), the colour (1) and the kind (2), with cells from the mover's point of view. Then, for a step, the target
/// (6); for a deployment, whether rounds go first (1), the number of men in each group (2 and 2) and the headings (2
/// and 2).
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(u32);

/// The kind of a move, with cells from the mover's point of view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The whole stack moves to this cell.
    Step(Cell),
    /// A man or a stack leaves the board and wins.
    Exit,
    /// The stack is deployed.
    Deploy,
}

const COLOUR: u32 = 6;
const KIND: u32 = 7;
const BODY: u32 = 9;
const EXIT: u32 = 1 << KIND;
const DEPLOY: u32 = 2 << KIND;

impl Move {
    /// A move of the whole stack.
    #[inline]
    pub(super) const fn step(colour: Colour, from: Cell, to: Cell) -> Self {
        Self(from.0 as u32 | (colour as u32) << COLOUR | (to.0 as u32) << BODY)
    }

    /// A win beyond the last rank.
    #[inline]
    pub(super) const fn exit(colour: Colour, from: Cell) -> Self {
        Self(from.0 as u32 | (colour as u32) << COLOUR | EXIT)
    }

    /// A deployment: the shape laid first, the number of men in each group, and their headings.
    #[inline]
    pub(super) const fn deploy(
        colour: Colour,
        from: Cell,
        first: Shape,
        counts: [u8; 2],
        headings: [Heading; 2],
    ) -> Self {
        Self(
            from.0 as u32
                | (colour as u32) << COLOUR
                | DEPLOY
                | (first as u32) << BODY
                | (counts[0] as u32) << (BODY + 1)
                | (counts[1] as u32) << (BODY + 3)
                | (headings[0] as u32) << (BODY + 5)
                | (headings[1] as u32) << (BODY + 7),
        )
    }

    /// The colour of the mover.
    #[inline]
    #[must_use]
    pub const fn colour(self) -> Colour {
        if self.0 >> COLOUR & 1 == 0 { Colour::White } else { Colour::Black }
    }

    /// The starting cell, from the mover's point of view.
    #[inline]
    #[must_use]
    pub const fn from(self) -> Cell {
        Cell((self.0 & 63) as u8)
    }

    /// The kind of the move.
    #[inline]
    #[must_use]
    pub const fn kind(self) -> Kind {
        match self.0 >> KIND & 3 {
            0 => Kind::Step(Cell((self.0 >> BODY & 63) as u8)),
            1 => Kind::Exit,
            _ => Kind::Deploy,
        }
    }

    /// True if the stack moves to the side edge and back to where it was.
    #[inline]
    #[must_use]
    pub fn is_null(self) -> bool {
        self.kind() == Kind::Step(self.from())
    }

    /// True if later moves may restore the position, unless this one captures: all men stay on their rank. False if a
    /// man advances or leaves the board.
    #[must_use]
    pub fn can_repeat(self) -> bool {
        let here = |cell: Cell| cell.rank() == self.from().rank();
        match self.kind() {
            Kind::Step(to) => here(to),
            Kind::Exit => false,
            // Men laid side by side can be stacked again.
            Kind::Deploy => self.laid().iter().all(|&(cell, _)| here(cell)),
        }
    }

    /// The men laid by a deployment with their cells, in order; empty for other moves.
    #[must_use]
    pub fn laid(self) -> SmallVec<[(Cell, Shape); 3]> {
        let mut laid = SmallVec::new();
        if self.kind() != Kind::Deploy {
            return laid;
        }
        let first = if self.0 >> BODY & 1 == 0 { Shape::Square } else { Shape::Round };
        let mut from = self.from();
        for (group, shape) in [first, first.other()].into_iter().enumerate() {
            let count = (self.0 >> (BODY + 1 + 2 * group as u32) & 3) as usize;
            let heading = match self.0 >> (BODY + 5 + 2 * group as u32) & 3 {
                0 => Heading::Left,
                1 => Heading::Right,
                _ => Heading::Ahead,
            };
            for step in &ray(shape, heading, from)[..count] {
                let Step::To(cell) = *step else { break };
                laid.push((cell, shape));
            }
            if let Some(&(last, _)) = laid.last() {
                from = last;
            }
        }
        laid
    }

    /// The move in the course's notation.
    #[must_use]
    pub fn notation(self) -> Notation {
        let colour = self.colour();
        let from = colour.view(self.from());
        match self.kind() {
            Kind::Step(to) => Notation::Step { from, to: colour.view(to) },
            Kind::Exit => Notation::Exit { from },
            Kind::Deploy => {
                let laid = self.laid();
                let first = laid.first().map_or(Shape::Square, |&(_, shape)| shape);
                Notation::Deploy {
                    from,
                    first,
                    cells: laid.into_iter().map(|(cell, _)| colour.view(cell)).collect(),
                }
            }
        }
    }
}

/// Writes the move as the assignment does: `b2-b3`, `b3+b4-c5`, `g8#`.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.notation().fmt(f)
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.notation().fmt(f)
    }
}

impl MoveCode for Move {
    #[inline]
    fn to_code(self) -> u32 {
        self.0
    }

    #[inline]
    fn from_code(word: u32) -> Self {
        Self(word)
    }
}
