//! Sets of cells that are walked in order, at a cost that hardly depends on the size of the grid.

use crate::rules::Cell;

/// A bit a cell, and a bit for every word that has one: an empty stretch of 4,096 cells is skipped in one step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CellSet {
    words: Vec<u64>,
    summary: Vec<u64>,
    len: u32,
}

impl CellSet {
    /// No cell of a grid with so many.
    pub fn new(cells: usize) -> Self {
        let words = cells.div_ceil(64);
        Self { words: vec![0; words], summary: vec![0; words.div_ceil(64)], len: 0 }
    }

    /// How many cells are in it.
    #[inline]
    pub fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether there is none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether `cell` is in it.
    #[inline]
    pub fn contains(&self, cell: Cell) -> bool {
        self.words[cell.index() / 64] >> (cell.index() % 64) & 1 != 0
    }

    /// Takes `cell` in if it is out, and out if it is in.
    #[inline]
    pub fn toggle(&mut self, cell: Cell) {
        let index = cell.index() / 64;
        let word = &mut self.words[index];
        *word ^= 1 << (cell.index() % 64);
        self.len = if *word >> (cell.index() % 64) & 1 != 0 { self.len + 1 } else { self.len - 1 };
        let bit = 1 << (index % 64);
        if *word == 0 {
            self.summary[index / 64] &= !bit;
        } else {
            self.summary[index / 64] |= bit;
        }
    }

    /// The first cell.
    #[inline]
    pub fn first(&self) -> Option<Cell> {
        if self.len == 0 { None } else { self.iter().next() }
    }

    /// The cells in order.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = Cell> + '_ {
        bits(&self.summary)
            .flat_map(|word| bits(&self.words[word..=word]).map(move |bit| Cell::new(64 * word + bit)))
    }
}

/// The numbers of the bits that are set.
#[inline]
fn bits(words: &[u64]) -> impl Iterator<Item = usize> + '_ {
    words.iter().enumerate().flat_map(|(index, &word)| {
        let mut rest = word;
        std::iter::from_fn(move || {
            if rest == 0 {
                return None;
            }
            let bit = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            Some(64 * index + bit)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_come_and_go_and_are_walked_in_order() {
        let mut set = CellSet::new(10_000);
        for index in [9_999, 0, 63, 64, 5_000, 64] {
            set.toggle(Cell::new(index));
        }
        assert_eq!(set.iter().map(Cell::index).collect::<Vec<_>>(), [0, 63, 5_000, 9_999]);
        assert_eq!((set.len(), set.first()), (4, Some(Cell::new(0))));
        assert!(set.contains(Cell::new(63)) && !set.contains(Cell::new(64)));
    }
}
