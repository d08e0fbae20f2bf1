//! Tic-tac-toe on nine bits: a small board, or the board of boards.

/// The eight lines; bit i is cell i.
pub(crate) const LINES: [u16; 8] = [
    0b000_000_111,
    0b000_111_000,
    0b111_000_000,
    0b001_001_001,
    0b010_010_010,
    0b100_100_100,
    0b100_010_001,
    0b001_010_100,
];

/// All nine cells of a board.
pub(crate) const FULL: u16 = 0b111_111_111;

/// A bit table over the 512 sets of cells: set if the set holds a line.
const WITH_LINE: [u64; 8] = {
    let mut table = [0; 8];
    let mut cells = 0;
    while cells < 512 {
        let mut line = 0;
        while line < 8 {
            if cells as u16 & LINES[line] == LINES[line] {
                table[cells / 64] |= 1 << (cells % 64);
            }
            line += 1;
        }
        cells += 1;
    }
    table
};

/// Returns whether a set of cells (nine bits) holds a line of three.
#[inline]
#[must_use]
pub const fn has_line(cells: u16) -> bool {
    WITH_LINE[(cells as usize & 511) / 64] >> (cells % 64) & 1 == 1
}

/// For each set of cells, the cells that would complete a line together with two of the set.
const COMPLETING: [u16; 512] = {
    let mut table = [0; 512];
    let mut cells = 0;
    while cells < 512 {
        let mut line = 0;
        while line < 8 {
            let missing = LINES[line] & !(cells as u16);
            if missing.count_ones() == 1 {
                table[cells] |= missing;
            }
            line += 1;
        }
        cells += 1;
    }
    table
};

/// The cells that would complete a line of a set of cells (nine bits), free or not.
#[inline]
#[must_use]
pub const fn completing(cells: u16) -> u16 {
    COMPLETING[cells as usize & 511]
}

/// A set of small boards, or of the cells of one board, iterated in ascending order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Boards(pub u16);

impl Iterator for Boards {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let lowest = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(lowest)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.0.count_ones() as usize;
        (len, Some(len))
    }
}

impl ExactSizeIterator for Boards {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_in_a_row_column_or_diagonal_are_a_line() {
        for cells in 0..512_u16 {
            let at = |row: u16, column: u16| cells >> (3 * row + column) & 1 == 1;
            let rows = (0..3).any(|row| (0..3).all(|column| at(row, column)));
            let columns = (0..3).any(|column| (0..3).all(|row| at(row, column)));
            let diagonals = (0..3).all(|i| at(i, i)) || (0..3).all(|i| at(i, 2 - i));
            assert_eq!(has_line(cells), rows || columns || diagonals, "{cells:09b}");
        }
    }

    #[test]
    fn a_cell_completes_a_line_if_the_set_has_one_with_it() {
        for cells in (0..512_u16).filter(|&cells| !has_line(cells)) {
            let expected =
                (0..9).filter(|cell| has_line(cells | 1 << cell)).fold(0, |set, cell| set | 1 << cell);
            assert_eq!(completing(cells), expected, "{cells:09b}");
        }
    }

    #[test]
    fn a_set_lists_its_members_upwards() {
        assert_eq!(Boards(0b100_010_001).collect::<Vec<_>>(), [0, 4, 8]);
        assert_eq!(Boards(FULL).len(), 9);
    }
}
