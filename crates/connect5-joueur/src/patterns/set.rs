//! Eight sets of cells at once.

use crate::rules::Cell;

/// How many sets there are.
pub(super) const SETS: usize = 8;

/// Eight sets over the cells of a grid: eight bits a cell, and one step to move a cell in and out of any of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CellSets {
    /// For every 64 cells, a word of each set.
    words: Vec<[u64; SETS]>,
    pub lens: [u64; SETS],
}

impl CellSets {
    /// Eight empty sets over so many cells.
    pub fn new(cells: usize) -> Self {
        Self { words: vec![[0; SETS]; cells.div_ceil(64)], lens: [0; SETS] }
    }

    /// Moves `cell` in or out of each set whose bit is set in `flips`, and counts.
    #[inline]
    pub fn flip(&mut self, cell: Cell, flips: u8) {
        let bit = 1 << (cell.index() % 64);
        let words = &mut self.words[cell.index() / 64];
        for (set, (word, len)) in words.iter_mut().zip(&mut self.lens).enumerate() {
            let flipped = if flips >> set & 1 != 0 { bit } else { 0 };
            *word ^= flipped;
            // One more or one less, or nothing where nothing was flipped.
            let more = u64::from(*word & flipped != 0);
            *len = len.wrapping_add(2 * more).wrapping_sub(u64::from(flipped != 0));
        }
    }

    /// As [`flip`](Self::flip), where the caller puts the counts back himself.
    #[inline]
    pub fn flip_uncounted(&mut self, cell: Cell, flips: u8) {
        let bit = 1 << (cell.index() % 64);
        for (set, word) in self.words[cell.index() / 64].iter_mut().enumerate() {
            *word ^= if flips >> set & 1 != 0 { bit } else { 0 };
        }
    }

    /// The set with this number.
    #[inline]
    pub fn set<const N: usize>(&self, sets: [usize; N]) -> CellSet<'_, N> {
        CellSet { words: &self.words, lens: &self.lens, sets }
    }
}

/// A set of cells: the union of one or more of the eight.
#[derive(Debug, Clone, Copy)]
pub struct CellSet<'a, const N: usize = 1> {
    words: &'a [[u64; SETS]],
    lens: &'a [u64; SETS],
    sets: [usize; N],
}

impl<'a, const N: usize> CellSet<'a, N> {
    /// Whether no cell is in it.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.sets.iter().all(|&set| self.lens[set] == 0)
    }

    /// Whether `cell` is in it.
    #[inline]
    pub fn contains(self, cell: Cell) -> bool {
        self.word(cell.index() / 64) >> (cell.index() % 64) & 1 != 0
    }

    /// The first cell.
    #[inline]
    pub fn first(self) -> Option<Cell> {
        if self.is_empty() { None } else { self.iter().next() }
    }

    /// The cells in order.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Cell> + 'a
    where
        Self: 'a,
    {
        (0..self.words.len()).flat_map(move |index| {
            let mut rest = self.word(index);
            std::iter::from_fn(move || {
                if rest == 0 {
                    return None;
                }
                let bit = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                Some(Cell::new(64 * index + bit))
            })
        })
    }

    #[inline]
    fn word(self, index: usize) -> u64 {
        self.sets.iter().fold(0, |union, &set| union | self.words[index][set])
    }
}

impl CellSet<'_> {
    /// How many cells are in it.
    #[inline]
    pub fn len(self) -> usize {
        self.lens[self.sets[0]] as usize
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
        let cells = |set| sets.set([set]).iter().map(Cell::index).collect::<Vec<_>>();
        assert_eq!(cells(0), [0, 63, 9_999]);
        assert_eq!(cells(1), [0, 5_000]);
        assert_eq!(cells(7), [63]);
        assert_eq!(sets.set([1, 7]).iter().map(Cell::index).collect::<Vec<_>>(), [0, 63, 5_000]);
        assert_eq!(sets.lens, [3, 2, 0, 0, 0, 0, 0, 1]);
        assert!(sets.set([0]).contains(Cell::new(63)) && !sets.set([0]).contains(Cell::new(64)));
        assert!(sets.set([2]).is_empty() && sets.set([2]).first().is_none());
    }
}
