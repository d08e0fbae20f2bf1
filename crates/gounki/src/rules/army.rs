use super::{Cell, Shape, Stack};

/// The men of one side: for each shape, the number of its men on each cell as two bit planes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Army {
    pub(crate) squares: [u64; 2],
    pub(crate) rounds: [u64; 2],
}

impl Army {
    /// The cells with at least one man.
    #[inline]
    #[must_use]
    pub const fn occupied(&self) -> u64 {
        self.squares[0] | self.squares[1] | self.rounds[0] | self.rounds[1]
    }

    /// The cells with at least one man of this shape.
    #[inline]
    #[must_use]
    pub const fn with(&self, shape: Shape) -> u64 {
        let [low, high] = self.planes(shape);
        low | high
    }

    /// The low and the high bit plane of the numbers of men of this shape.
    #[inline]
    #[must_use]
    pub const fn planes(&self, shape: Shape) -> [u64; 2] {
        match shape {
            Shape::Square => self.squares,
            Shape::Round => self.rounds,
        }
    }

    /// The low and the high bit plane of the heights of stacks.
    #[inline]
    #[must_use]
    pub const fn heights(&self) -> [u64; 2] {
        let carry = self.squares[0] & self.rounds[0];
        [self.squares[0] ^ self.rounds[0], self.squares[1] | self.rounds[1] | carry]
    }

    /// The cells with stacks of three.
    #[inline]
    #[must_use]
    pub const fn full(&self) -> u64 {
        let [low, high] = self.heights();
        low & high
    }

    /// The number of men.
    #[must_use]
    pub const fn men(&self) -> u32 {
        self.squares[0].count_ones()
            + self.rounds[0].count_ones()
            + 2 * (self.squares[1].count_ones() + self.rounds[1].count_ones())
    }

    /// The stack on a cell.
    #[inline]
    #[must_use]
    pub const fn at(&self, cell: Cell) -> Stack {
        Stack::of_planes(number(self.squares, cell), number(self.rounds, cell))
    }

    /// Removes all men from a cell.
    #[inline]
    pub const fn clear(&mut self, cell: Cell) {
        let keep = !cell.bit();
        self.squares[0] &= keep;
        self.squares[1] &= keep;
        self.rounds[0] &= keep;
        self.rounds[1] &= keep;
    }

    /// Adds a stack to a cell. The total height must not exceed three.
    #[inline]
    pub const fn add(&mut self, cell: Cell, stack: Stack) {
        add(&mut self.squares, cell, stack.count(Shape::Square));
        add(&mut self.rounds, cell, stack.count(Shape::Round));
    }

    /// Adds one man to a cell.
    #[inline]
    pub const fn lay(&mut self, cell: Cell, shape: Shape) {
        match shape {
            Shape::Square => add(&mut self.squares, cell, 1),
            Shape::Round => add(&mut self.rounds, cell, 1),
        }
    }

    /// The same men with the ranks reversed, as the other side sees them.
    #[inline]
    #[must_use]
    pub const fn reversed(&self) -> Self {
        let [a, b] = self.squares;
        let [c, d] = self.rounds;
        Self { squares: [a.swap_bytes(), b.swap_bytes()], rounds: [c.swap_bytes(), d.swap_bytes()] }
    }
}

/// Reads a cell's two-bit number.
#[inline]
const fn number([low, high]: [u64; 2], cell: Cell) -> u8 {
    (low >> cell.0 & 1) as u8 | ((high >> cell.0 & 1) as u8) << 1
}

/// Adds `count` to a cell's two-bit number.
#[inline]
const fn add(planes: &mut [u64; 2], cell: Cell, count: u8) {
    let low = ((count & 1) as u64) << cell.0;
    let high = ((count >> 1) as u64) << cell.0;
    planes[1] ^= high ^ (planes[0] & low);
    planes[0] ^= low;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stacks_add_up() {
        let cell = Cell(27);
        for below in (0..10).filter_map(Stack::from_code) {
            for above in (0..10).filter_map(Stack::from_code) {
                let [squares, rounds] =
                    [Shape::Square, Shape::Round].map(|shape| below.count(shape) + above.count(shape));
                let Some(sum) = Stack::new(squares, rounds) else { continue };
                let mut army = Army::default();
                army.add(cell, below);
                army.add(cell, above);
                assert_eq!(army.at(cell), sum);
                assert_eq!(army.men(), u32::from(sum.height()));
                let [low, high] = army.heights();
                assert_eq!((low >> 27 & 1) + 2 * (high >> 27 & 1), u64::from(sum.height()));
                assert_eq!(army.full() != 0, sum.height() == 3);
                army.clear(cell);
                assert_eq!(army, Army::default());
            }
        }
    }
}
