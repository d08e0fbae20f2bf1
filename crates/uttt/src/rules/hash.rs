//! Zobrist hash words.
//!
//! A closed board counts only by its owner: its cells no longer matter, so positions that differ only there share a
//! table entry.
//!
//! Source: A. Zobrist, "A new hashing method with application for game playing", 1970.

use super::cell::Side;

/// SplitMix64's `n`-th output.
const fn draw(n: u64) -> u64 {
    let mut x = n.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

const CELLS: [[u64; 81]; 2] = {
    let mut table = [[0; 81]; 2];
    let mut n = 0;
    while n < 162 {
        table[n / 81][n % 81] = draw(n as u64);
        n += 1;
    }
    table
};

const CLOSED: [[u64; 9]; 3] = {
    let mut table = [[0; 9]; 3];
    let mut n = 0;
    while n < 27 {
        table[n / 9][n % 9] = draw(200 + n as u64);
        n += 1;
    }
    table
};

/// The board to play in; the last word means any.
pub(super) const FORCED: [u64; 10] = {
    let mut table = [0; 10];
    let mut n = 0;
    while n < 9 {
        table[n] = draw(300 + n as u64);
        n += 1;
    }
    table
};

/// O is to move.
pub(super) const O_TO_MOVE: u64 = draw(400);

/// `side` holds cell `within` of an open board.
#[inline]
pub(super) const fn cell(side: Side, board: usize, within: usize) -> u64 {
    CELLS[side.index()][9 * board + within]
}

/// A closed board with its owner, or none if it is drawn.
#[inline]
pub(super) const fn closed(board: usize, owner: Option<Side>) -> u64 {
    let owner = match owner {
        Some(side) => side.index(),
        None => 2,
    };
    CLOSED[owner][board]
}
