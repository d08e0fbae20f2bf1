//! Discs that can never be turned any more: a safe lower count.

const EDGE: u64 = 0xff81_8181_8181_81ff;
const CORNERS: u64 = 0x8100_0000_0000_0081;
const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;
const RANK_1: u64 = 0xff;
const RANK_8: u64 = RANK_1 << 56;

/// Discs of `own` that the opponent can never turn. Along each of the four lines through a disc the line must be full, or
/// a neighbour on it be stable or off the board.
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

/// The rows without an empty square, whole.
fn full_rows(occupied: u64) -> u64 {
    let mut full = occupied;
    full &= full >> 4;
    full &= full >> 2;
    full &= full >> 1;
    (full & FILE_A) * 0xff
}

/// The columns without an empty square, whole.
fn full_columns(occupied: u64) -> u64 {
    let mut full = occupied;
    full &= full.rotate_right(8);
    full &= full.rotate_right(16);
    full &= full.rotate_right(32);
    full
}

/// The diagonals without an empty square, whole: those that fall to the right (a1–h8) and those that rise.
fn full_diagonals(occupied: u64) -> (u64, u64) {
    let (mut falling, mut rising) = (0, 0);
    for &diagonal in &FALLING {
        falling |= if occupied & diagonal == diagonal { diagonal } else { 0 };
        let mirrored = diagonal.swap_bytes();
        rising |= if occupied & mirrored == mirrored { mirrored } else { 0 };
    }
    (falling, rising)
}

/// The fifteen diagonals parallel to a1–h8.
const FALLING: [u64; 15] = {
    let mut diagonals = [0; 15];
    let mut square = 0;
    while square < 64 {
        diagonals[square / 8 + 7 - square % 8] |= 1 << square;
        square += 1;
    }
    diagonals
};
