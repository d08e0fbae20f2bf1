//! Eight sets of cells in one structure.

use crate::rules::Cell;

/// The number of cell sets in one [`CellSets`].
const SETS: usize = 8;

/// Eight sets of cells. One operation moves a cell in or out of any of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CellSets {
    /// For every 64 cells, one word of each set.
    words: Vec<[u64; SETS]>,
}

impl CellSets {
    /// Creates eight empty sets over `cells` cells.
    pub fn new(cells: usize) -> Self {
        Self { words: vec![[0; SETS]; cells.div_ceil(64)] }
    }

    /// Moves `cell` in or out of each set whose bit is set in `flips`.
    #[inline]
    pub fn flip(&mut self, cell: Cell, flips: u8) {
        let words = &mut self.words[cell.index() / 64];
        let mut flips = flips;
        while flips != 0 {
            words[flips.trailing_zeros() as usize % SETS] ^= 1 << (cell.index() % 64);
            flips &= flips - 1;
        }
    }

    /// Returns the set of this index. `len` must be its number of cells.
    #[inline]
    pub fn set(&self, set: usize, len: usize) -> CellSet<'_> {
        CellSet { words: &self.words, set, len }
    }
}

/// A set of cells.
#[derive(Debug, Clone, Copy)]
pub struct CellSet<'a> {
    words: &'a [[u64; SETS]],
    set: usize,
    len: usize,
}

impl<'a> CellSet<'a> {
    /// Returns the number of cells.
    #[inline]
    #[must_use]
    pub fn len(self) -> usize {
        self.len
    }

    /// Returns true if the set is empty.
    #[inline]
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.len == 0
    }

    /// Returns true if the set contains `cell`.
    #[inline]
    #[must_use]
    pub fn contains(self, cell: Cell) -> bool {
        self.words[cell.index() / 64][self.set] >> (cell.index() % 64) & 1 != 0
    }

    /// Returns the first cell in order.
    #[inline]
    #[must_use]
    pub fn first(self) -> Option<Cell> {
        self.iter().next()
    }

    /// Iterates over the cells in order.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Cell> + 'a {
        let mut left = self.len;
        let mut block = 0;
        let mut rest = self.words.first().map_or(0, |words| words[self.set]);
        std::iter::from_fn(move || {
            if left == 0 {
                return None;
            }
            while rest == 0 {
                block += 1;
                rest = self.words.get(block)?[self.set];
            }
            left -= 1;
            let bit = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            Some(Cell::new(64 * block + bit))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_come_and_go_and_are_walked_in_order() {
        let mut sets = CellSets::new(10_000);
        for (index, flips) in [(9_999, 1), (0, 3), (63, 129), (64, 1), (5_000, 2), (64, 1)] {
            sets.flip(Cell::new(index), flips);
        }
        let cells = |set, len| sets.set(set, len).iter().map(Cell::index).collect::<Vec<_>>();
        assert_eq!(cells(0, 3), [0, 63, 9_999]);
        assert_eq!(cells(1, 2), [0, 5_000]);
        assert_eq!(cells(7, 1), [63]);
        assert!(sets.set(0, 3).contains(Cell::new(63)) && !sets.set(0, 3).contains(Cell::new(64)));
        assert!(sets.set(2, 0).is_empty() && sets.set(2, 0).first().is_none());
    }
}
