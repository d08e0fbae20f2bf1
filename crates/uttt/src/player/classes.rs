//! Exact classes of positions: what cannot matter any more is not in their key.
//!
//! An open board is its empty cells and, for each side, the least sets of them that complete a line; whose symbols
//! stand where is nothing beyond that. The board of boards is its open boards and what each side's lines lack.

use super::ending::open;
use crate::rules::{Boards, FULL, LINES, Side, State, has_line};
use smallvec::SmallVec;
use std::sync::LazyLock;

/// Numbers of an open board: three to the ninth.
const BOARDS: usize = 19_683;

/// For each nine bits, the number that has them as its digits of base three.
const TERNARY: [u16; 512] = {
    let mut table = [0; 512];
    let mut cells = 0;
    while cells < 512 {
        let (mut cell, mut power) = (0, 1);
        while cell < 9 {
            if cells >> cell & 1 == 1 {
                table[cells] += power;
            }
            power *= 3;
            cell += 1;
        }
        cells += 1;
    }
    table
};

/// As many as there are lines.
type Sets = SmallVec<[u16; 8]>;

/// The least sets of empty cells with which a side completes a line of an open board, each a bit of the 512 sets.
fn least_sets(own: u16, other: u16) -> Sets {
    let mut sets: Sets = LINES.iter().filter(|&line| line & other == 0).map(|line| line & !own).collect();
    sets.sort_unstable();
    sets.dedup();
    let all = sets.clone();
    sets.retain(|&mut set| !all.iter().any(|&less| less != set && less & !set == 0));
    sets
}

/// SplitMix64's step from a state.
const fn mixed(state: u64) -> u64 {
    let mut x = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

/// The lowest bits of a class tell what the board means to x and to o: who can win it (two bits), who lacks one cell
/// (two).
const MARKS: u64 = 0b1111;

/// The hash of the class of each open board, with its marks.
static CLASSES: LazyLock<Box<[u64; BOARDS]>> = LazyLock::new(|| {
    let mut classes = vec![0; BOARDS];
    for own in (0..=FULL).filter(|&own| !has_line(own)) {
        for other in (0..=FULL).filter(|&other| own & other == 0 && !has_line(other)) {
            let empty = FULL & !(own | other);
            let sets = [least_sets(own, other), least_sets(other, own)];
            let words = std::iter::once(empty)
                .chain(sets.iter().flat_map(|sets| sets.iter().copied().chain([FULL + 1])));
            let hash = words.fold(7, |hash, word| mixed(hash ^ u64::from(word)));
            let marks = sets.iter().enumerate().map(|(side, sets)| {
                let lacks_one = sets.iter().any(|set| set.count_ones() == 1);
                (u64::from(!sets.is_empty()) | u64::from(lacks_one) << 2) << side
            });
            classes[number(own, other)] = hash & !MARKS | marks.sum::<u64>();
        }
    }
    classes.into_boxed_slice().try_into().expect("as many as there are numbers")
});

#[inline]
fn number(x: u16, o: u16) -> usize {
    usize::from(TERNARY[usize::from(x)]) + 2 * usize::from(TERNARY[usize::from(o)])
}

/// The boards that a side's line still lacks.
const LACKING: [[u64; 512]; 2] = {
    let mut table = [[0; 512]; 2];
    let mut n = 0;
    while n < 1024 {
        table[n / 512][n % 512] = mixed(1000 + n as u64);
        n += 1;
    }
    table
};

/// The board to play in, the last one any; and who moves.
const FORCED: [u64; 10] = {
    let mut table = [0; 10];
    let mut n = 0;
    while n < 10 {
        table[n] = mixed(3000 + n as u64);
        n += 1;
    }
    table
};
const O_TO_MOVE: u64 = mixed(4000);
const CLOSED: [u64; 9] = {
    let mut table = [0; 9];
    let mut n = 0;
    while n < 9 {
        table[n] = mixed(5000 + n as u64);
        n += 1;
    }
    table
};

/// The value of a line of boards by how far it is: a board won counts two, one that lacks a cell counts one.
const WORTH: [i16; 7] = [1, 2, 4, 7, 12, 20, 20];

/// A position's open boards at a look, which follows the moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Look {
    /// Of the open and of the closed boards.
    boards: u64,
    /// Of what each side's lines of boards lack.
    lines: u64,
    /// By side: the boards won, and those that may still be won.
    pub winnable: [u16; 2],
    /// By side: the open boards that lack it one cell.
    pub close: [u16; 2],
    /// By side: the value of the lines of boards that it can still make.
    pub worth: [i16; 2],
}

impl Look {
    pub fn at(state: &State) -> Self {
        let mut look = Self { boards: 0, lines: 0, winnable: [0; 2], close: [0; 2], worth: [0; 2] };
        for side in [Side::X, Side::O] {
            look.winnable[side.index()] = state.won(side);
        }
        for board in Boards(open(state)) {
            look.mark(board, class(state, board));
        }
        for board in Boards(state.closed()) {
            look.boards ^= CLOSED[board];
        }
        look.lines = look.lacking(state);
        look.worth = [Side::X, Side::O].map(|side| look.worth(side, state));
        look
    }

    /// Takes an open board's class in.
    #[inline]
    fn mark(&mut self, board: usize, class: u64) {
        self.boards ^= class.rotate_left(7 * board as u32);
        for side in 0..2 {
            self.winnable[side] |= ((class >> side & 1) as u16) << board;
            self.close[side] |= ((class >> (2 + side) & 1) as u16) << board;
        }
    }

    /// The look at a position `now`, behind a move in `board` of the position looked at `before`.
    #[inline]
    pub fn follow(&mut self, before: &State, board: usize, now: &State) {
        let (winnable, close) = (self.winnable, self.close);
        self.boards ^= class(before, board).rotate_left(7 * board as u32);
        for side in [Side::X, Side::O] {
            let others = !(1 << board);
            self.winnable[side.index()] = winnable[side.index()] & others | now.won(side) & !others;
            self.close[side.index()] &= others;
        }
        let closes = now.closed() >> board & 1 == 1;
        if closes {
            self.boards ^= CLOSED[board];
        } else {
            self.mark(board, class(now, board));
        }
        if closes || winnable != self.winnable {
            self.lines = self.lacking(now);
        }
        for side in [Side::X, Side::O] {
            let n = side.index();
            if winnable[n] != self.winnable[n] || close[n] != self.close[n] || closes {
                self.worth[n] = self.worth(side, now);
            }
        }
    }

    fn worth(&self, side: Side, state: &State) -> i16 {
        let (won, winnable, close) = (state.won(side), self.winnable[side.index()], self.close[side.index()]);
        let possible = LINES.iter().filter(|&line| line & !winnable == 0);
        possible
            .map(|line| WORTH[(2 * (won & line).count_ones() + (close & line).count_ones()) as usize])
            .sum()
    }

    /// Two lines may lack the same boards: a sum tells that from none, an exclusive or would not.
    fn lacking(&self, state: &State) -> u64 {
        let mut lacking = 0_u64;
        for side in [Side::X, Side::O] {
            for line in LINES {
                if line & !self.winnable[side.index()] == 0 {
                    lacking =
                        lacking.wrapping_add(LACKING[side.index()][usize::from(line & !state.won(side))]);
                }
            }
        }
        lacking
    }

    /// Names the class of a position in which the game goes on. Positions of one class have one outcome.
    #[inline]
    pub fn key(&self, state: &State) -> u64 {
        let turn = FORCED[state.forced().unwrap_or(9)] ^ if state.mover() == Side::O { O_TO_MOVE } else { 0 };
        self.boards ^ self.lines ^ turn
    }
}

/// The class of an open board.
#[inline]
fn class(state: &State, board: usize) -> u64 {
    let classes: &[u64; BOARDS] = &CLASSES;
    classes[number(state.cells(Side::X, board), state.cells(Side::O, board))]
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn open_boards_fall_into_their_classes() {
        let (mut open, mut classes) = (0, HashSet::new());
        for x in 0..=FULL {
            for o in (0..=FULL).filter(|o| x & o == 0 && x | o != FULL) {
                if !has_line(x) && !has_line(o) {
                    open += 1;
                    classes.insert(CLASSES[number(x, o)]);
                }
            }
        }
        assert_eq!((open, classes.len()), (11_093, 8_626));
    }

    #[test]
    fn a_line_that_another_one_makes_needless_is_no_set_of_its_own() {
        // x holds 0 and 1: cell 2 wins, so that no set with cell 2 in it counts.
        assert!(least_sets(0b011, 0).contains(&0b100));
        assert!(least_sets(0b011, 0).iter().all(|&set| set == 0b100 || set & 0b100 == 0));
    }
}
