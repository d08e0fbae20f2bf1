//! Legal moves and flipped discs on bare words: bit 0 is a1, bit 7 is h1, bit 63 is h8.
//!
//! A build for AVX2 handles the four lines through a square at once in the lanes of a vector; AVX-512 is faster still.
//! Other builds use the same algorithm on plain words.
//!
//! Source: tables for the discs turned by the last move: R. Delorme, Edax. The methods of the kernels: [`portable`].

// A build with a better kernel uses only parts of the lesser ones.
#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
#[cfg_attr(target_feature = "avx512f", allow(dead_code))]
mod avx2;
#[cfg(all(target_arch = "x86_64", target_feature = "avx512f"))]
mod avx512;
pub mod eight;
#[cfg_attr(target_feature = "avx2", allow(dead_code))]
mod portable;

#[cfg(all(target_arch = "x86_64", target_feature = "avx2", not(target_feature = "avx512f")))]
use avx2 as kernel;
#[cfg(all(target_arch = "x86_64", target_feature = "avx512f"))]
use avx512 as kernel;
#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
use portable as kernel;

/// The empty squares where the owner of `own` may play.
#[inline]
#[must_use]
pub fn moves(own: u64, opponent: u64) -> u64 {
    kernel::moves(own, opponent)
}

/// The legal [`moves`] of the owner of `own`, and those of the opponent.
#[inline]
#[must_use]
pub fn moves_of_both(own: u64, opponent: u64) -> (u64, u64) {
    kernel::moves_of_both(own, opponent)
}

/// The opponent's discs that a disc of `own` on the empty `square` flips; none if the move is illegal.
#[inline]
#[must_use]
pub fn flips(square: u8, own: u64, opponent: u64) -> u64 {
    kernel::flips(square, own, opponent)
}

/// The number of discs that `own` flips on `square`, the only empty one. The eight cells of each line form a table
/// index.
#[inline]
#[must_use]
pub fn last_flips(square: u8, own: u64) -> u32 {
    const FILE_A: u64 = 0x0101_0101_0101_0101;
    /// A multiplier that gathers a file's cells in the highest byte, lowest row first.
    const GATHER_FILE: u64 = 0x0102_0408_1020_4080;
    let (column, row) = (usize::from(square & 7), usize::from(square >> 3 & 7));
    let [falling, rising] = DIAGONALS[usize::from(square & 63)];
    // A diagonal has at most one cell per file, so the sum of its rows is the diagonal ordered by file.
    let by_file = |cells: u64| usize::from((cells.wrapping_mul(FILE_A) >> 56) as u8);
    let rank = usize::from((own >> (8 * row)) as u8);
    let file = usize::from(((own >> column & FILE_A).wrapping_mul(GATHER_FILE) >> 56) as u8);
    let at = &TURNED_ON_LINE[column];
    let turned = at[rank] + at[by_file(own & falling)] + at[by_file(own & rising)];
    u32::from(turned + TURNED_ON_LINE[row][file])
}

/// The number of discs flipped on a line of eight cells, all taken but one: by the place of the empty cell and the
/// line's own discs. Cells off the board count as the opponent's, since nothing encloses them.
static TURNED_ON_LINE: [[u8; 256]; 8] = {
    let mut turned = [[0; 256]; 8];
    let mut place = 0;
    while place < 8 {
        let mut own = 0;
        while own < 256 {
            let below = own & ((1 << place) - 1);
            if below != 0 {
                turned[place][own] += (place - 1 - below.ilog2() as usize) as u8;
            }
            let above = own >> place >> 1;
            turned[place][own] += if above == 0 { 0 } else { above.trailing_zeros() as u8 };
            own += 1;
        }
        place += 1;
    }
    turned
};

/// The two diagonals through each square.
static DIAGONALS: [[u64; 2]; 64] = {
    let mut diagonals = [[0; 2]; 64];
    let mut square = 0;
    while square < 64 {
        diagonals[square] =
            [ray(square, 1, 1) | ray(square, -1, -1), ray(square, 1, -1) | ray(square, -1, 1)];
        square += 1;
    }
    diagonals
};

/// All squares but the a and h files, so that runs along rows and diagonals do not wrap.
const INNER: u64 = 0x7e7e_7e7e_7e7e_7e7e;

/// The four lines as shifts along row, column and both diagonals, each with the squares where an enclosed disc can be.
const LINES: [(u32, u64); 4] = [(1, INNER), (8, !0), (7, INNER), (9, INNER)];

/// The directions towards higher bits as (columns, rows): right, down, down-left, down-right.
const UP: [(i8, i8); 4] = [(1, 0), (0, 1), (-1, 1), (1, 1)];

/// The squares in each direction from a square, itself excluded. From square 64 there are none.
#[repr(align(64))]
struct Rays {
    /// Towards higher bits: right, down, down-left, down-right.
    up: [u64; 4],
    /// Up, up-right, up-left and none, on the flipped board, where they point towards higher bits.
    down_upside_down: [u64; 4],
}

static RAYS: [Rays; 128] = rays();

const fn rays() -> [Rays; 128] {
    let mut all = [const { Rays { up: [0; 4], down_upside_down: [0; 4] } }; 128];
    let mut square = 0;
    while square < 64 {
        let mut line = 0;
        while line < 4 {
            let (columns, rows) = UP[line];
            all[square].up[line] = ray(square, columns, rows);
            line += 1;
        }
        // On the flipped board, a square's row is counted from the other edge.
        all[square].down_upside_down =
            [ray(square ^ 56, 0, 1), ray(square ^ 56, 1, 1), ray(square ^ 56, -1, 1), 0];
        square += 1;
    }
    all
}

/// The squares to the left of each square.
static LEFT: [u64; 64] = {
    let mut left = [0; 64];
    let mut square = 0;
    while square < 64 {
        left[square] = ray(square, -1, 0);
        square += 1;
    }
    left
};

const fn ray(square: usize, columns: i8, rows: i8) -> u64 {
    let mut column = (square % 8) as i8 + columns;
    let mut row = (square / 8) as i8 + rows;
    let mut squares = 0;
    while column >= 0 && column < 8 && row >= 0 && row < 8 {
        squares |= 1 << (8 * row + column);
        column += columns;
        row += rows;
    }
    squares
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    /// The rule as the assignment words it: walk over the opponent's discs until an own disc.
    fn flips_by_walking(square: usize, own: u64, opponent: u64) -> u64 {
        let mut turned = 0;
        for (columns, rows) in [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)] {
            let (mut column, mut row) = ((square % 8) as i32, (square / 8) as i32);
            let mut between = 0;
            loop {
                (column, row) = (column + columns, row + rows);
                if !(0..8).contains(&column) || !(0..8).contains(&row) {
                    break;
                }
                let bit = 1_u64 << (8 * row + column);
                if opponent & bit != 0 {
                    between |= bit;
                } else {
                    turned |= if own & bit != 0 { between } else { 0 };
                    break;
                }
            }
        }
        turned
    }

    #[test]
    fn a_disc_turns_what_it_encloses_and_may_be_put_where_it_turns_some() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        for _ in 0..20_000 {
            let (a, b, c) = (random.random::<u64>(), random.random::<u64>(), random.random::<u64>());
            let occupied = if random.random() { a | c } else { a & c };
            let (own, opponent) = (occupied & b, occupied & !b);
            let mut legal = 0;
            for square in (0..64).filter(|square| occupied >> square & 1 == 0) {
                let turned = flips(square as u8, own, opponent);
                assert_eq!(
                    turned,
                    flips_by_walking(square, own, opponent),
                    "{square} {own:#x} {opponent:#x}"
                );
                let rest = !own & !(1 << square);
                assert_eq!(last_flips(square as u8, own), flips(square as u8, own, rest).count_ones());
                legal |= u64::from(turned != 0) << square;
            }
            assert_eq!(portable::moves(own, opponent), legal);
            assert_eq!(moves(own, opponent), legal, "{own:#x} {opponent:#x}");
            assert_eq!(portable::moves_of_both(own, opponent), (legal, moves(opponent, own)));
            assert_eq!(moves_of_both(own, opponent), (legal, moves(opponent, own)));
        }
    }

    #[test]
    fn full_lines_are_turned_to_the_edge() {
        for (square, own, opponent) in [(0, 1 << 63, 0x0040_2010_0804_0200), (63, 1, 0x0040_2010_0804_0200)] {
            assert_eq!(flips(square, own, opponent), opponent);
            assert_eq!(flips(square, 0, opponent), 0);
            assert_eq!(flips(square, 0, !(1 << square)), 0);
        }
    }
}
