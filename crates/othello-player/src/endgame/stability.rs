//! A lower bound of the discs that can never be flipped again.
//!
//! Source: P. Rosenbloom, "A world-championship-level Othello program", 1982; full lines by doubled shifts: R. Delorme,
//! Edax; T. Okuhara, documentation of Edax-AVX.

const EDGE: u64 = 0xff81_8181_8181_81ff;
const CORNERS: u64 = 0x8100_0000_0000_0081;
const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;
const RANK_1: u64 = 0xff;
const RANK_8: u64 = RANK_1 << 56;

/// Discs of `own` that the opponent can never flip: on each of the four lines through the disc, the line is full, or a
/// neighbour is stable or off the board.
pub(super) fn stable(own: u64, opponent: u64) -> u64 {
    let occupied = own | opponent;
    let rows = full_rows(occupied);
    let columns = full_columns(occupied);
    let (falling, rising) = full_diagonals(occupied);
    let mut stable = own & (rows & columns & falling & rising | CORNERS);
    stable |= own & (rows & (RANK_1 | RANK_8) | columns & (FILE_A | FILE_H));
    while stable != 0 {
        let along_row = rows | FILE_A | FILE_H | (stable << 1) & !FILE_A | (stable >> 1) & !FILE_H;
        let along_column = columns | RANK_1 | RANK_8 | stable << 8 | stable >> 8;
        let along_falling = falling | EDGE | (stable << 9) & !FILE_A | (stable >> 9) & !FILE_H;
        let along_rising = rising | EDGE | (stable << 7) & !FILE_H | (stable >> 7) & !FILE_A;
        let more = own & along_row & along_column & along_falling & along_rising | stable;
        if more == stable {
            break;
        }
        stable = more;
    }
    stable
}

/// The rows without an empty square, as whole rows.
fn full_rows(occupied: u64) -> u64 {
    let mut full = occupied;
    full &= full >> 4;
    full &= full >> 2;
    full &= full >> 1;
    (full & FILE_A) * 0xff
}

/// The columns without an empty square, as whole columns.
fn full_columns(occupied: u64) -> u64 {
    let mut full = occupied;
    full &= full.rotate_right(8);
    full &= full.rotate_right(16);
    full &= full.rotate_right(32);
    full
}

/// The diagonals without an empty square, as whole diagonals: those that fall to the right (a1–h8), and those that
/// rise.
fn full_diagonals(occupied: u64) -> (u64, u64) {
    let (mut falling, mut falling_back, mut rising, mut rising_back) =
        (occupied, occupied, occupied, occupied);
    // Extends full runs along the diagonal by one, two and four squares; a run may end at the edge of the board.
    for (squares, first_files) in [(1, FILE_A), (2, FILE_A * 0x03), (4, FILE_A * 0x0f)] {
        let last_files = first_files << (8 - squares);
        let first_ranks = (1_u64 << (8 * squares)) - 1;
        let last_ranks = !(!0 >> (8 * squares));
        falling &= last_ranks | last_files | falling >> (9 * squares);
        falling_back &= first_ranks | first_files | falling_back << (9 * squares);
        rising &= last_ranks | first_files | rising >> (7 * squares);
        rising_back &= first_ranks | last_files | rising_back << (7 * squares);
    }
    (falling & falling_back, rising & rising_back)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    /// The squares on the line through `square` in this direction and the opposite one, `square` included.
    fn line(square: i32, columns: i32, rows: i32) -> u64 {
        let mut squares = 0;
        for way in [1, -1] {
            let (mut column, mut row) = (square % 8, square / 8);
            while (0..8).contains(&column) && (0..8).contains(&row) {
                squares |= 1 << (8 * row + column);
                (column, row) = (column + way * columns, row + way * rows);
            }
        }
        squares
    }

    #[test]
    fn a_line_is_full_when_all_its_squares_are() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(4);
        for _ in 0..2000 {
            let occupied = random.random::<u64>() | random.random::<u64>() | random.random::<u64>();
            let (falling, rising) = full_diagonals(occupied);
            let found = [(1, 0), (0, 1), (1, 1), (-1, 1)].into_iter().zip([
                full_rows(occupied),
                full_columns(occupied),
                falling,
                rising,
            ]);
            for ((columns, rows), full) in found {
                for square in 0..64 {
                    let line = line(square, columns, rows);
                    assert_eq!(full >> square & 1 == 1, occupied & line == line, "{square} {occupied:#x}");
                }
            }
        }
    }

    #[test]
    fn discs_held_by_a_corner_are_stable_and_others_are_not() {
        let bottom_left = 1 << 56 | 1 << 57 | 1 << 48;
        assert_eq!(stable(bottom_left | 1 << 27, 1 << 28), bottom_left);
        assert_eq!(stable(!0, 0), !0);
        assert_eq!(stable(1 << 1, 0), 0);
    }
}
