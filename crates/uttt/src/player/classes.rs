//! Exact equivalence classes of positions: the key leaves out what can no longer matter.
//!
//! An open board is described by its empty cells and, for each side, the minimal sets of them that complete a line;
//! which cells each side holds adds nothing to that. The whole board is described by its open boards and by the boards
//! that each side's lines lack.

use crate::rules::{FULL, LINES, Side, State, has_line};
use smallvec::SmallVec;
use std::sync::LazyLock;

/// Number of codes of a board: three to the ninth.
const BOARDS: usize = 19_683;

/// Maps nine bits to the number that has them as its base-three digits.
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

/// A list of sets of cells, at most one a line.
type Sets = SmallVec<[u16; 8]>;

/// The minimal sets of empty cells (nine bits) that complete a line of an open board for the side with the cells `own`.
fn least_sets(own: u16, other: u16) -> Sets {
    let mut sets: Sets = LINES.iter().filter(|&line| line & other == 0).map(|line| line & !own).collect();
    sets.sort_unstable();
    sets.dedup();
    let all = sets.clone();
    sets.retain(|&mut set| !all.iter().any(|&less| less != set && less & !set == 0));
    sets
}

/// One step of the SplitMix64 generator.
const fn mixed(state: u64) -> u64 {
    let mut x = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

/// The lowest bits of a class hold the state of the board for x, and the next ones that for o: one of the marks below.
const MARK_BITS: u32 = 2;
const MARKS: u64 = (1 << (2 * MARK_BITS)) - 1;
/// The side can no longer win the board, or the board was closed without its win.
const DEAD: u64 = 0;
/// The side needs more than one cell.
const FAR: u64 = 1;
/// The side has won the board.
const WON: u64 = 2;
/// The side needs one cell.
const CLOSE: u64 = 3;

/// Folds words into a hash.
fn hash<'a>(start: u64, words: impl Iterator<Item = &'a u16>) -> u64 {
    words.fold(start, |hash, &word| mixed(hash ^ u64::from(word)))
}

/// Ends a list of sets in a hash.
const END: u16 = FULL + 1;

/// Hashes by a board's code. `open`: the class of an open board, with its marks. `lacking`: the boards that the lines
/// of a side lack, where digit 1 is a board won, 2 a board that it cannot win, and 0 one that it still may.
struct Classes {
    open: [u64; BOARDS],
    lacking: [u64; BOARDS],
}

static CLASSES: LazyLock<Box<Classes>> = LazyLock::new(|| {
    let mut classes = Box::new(Classes { open: [0; BOARDS], lacking: [0; BOARDS] });
    for own in (0..=FULL).filter(|&own| !has_line(own)) {
        for other in (0..=FULL).filter(|&other| own & other == 0) {
            let lacking = least_sets(own, other);
            classes.lacking[number(own, other)] = hash(1000, lacking.iter());
            if has_line(other) {
                continue;
            }
            let empty = FULL & !(own | other);
            let sets = [lacking, least_sets(other, own)];
            let words =
                [empty].into_iter().chain(sets.iter().flat_map(|sets| sets.iter().copied().chain([END])));
            let words: SmallVec<[u16; 32]> = words.collect();
            let marks = sets.iter().enumerate().map(|(side, sets)| {
                let lacks_one = sets.iter().any(|set| set.count_ones() == 1);
                let mark = if lacks_one {
                    CLOSE
                } else if sets.is_empty() {
                    DEAD
                } else {
                    FAR
                };
                mark << (MARK_BITS * side as u32)
            });
            classes.open[number(own, other)] = hash(7, words.iter()) & !MARKS | marks.sum::<u64>();
        }
    }
    classes
});

#[inline]
fn number(x: u16, o: u16) -> usize {
    usize::from(TERNARY[usize::from(x)]) + 2 * usize::from(TERNARY[usize::from(o)])
}

/// Hash words for the board to play in (the last means any), and for the side to move.
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
const CLOSED: u64 = mixed(5000);

/// The value of a pair of lines of boards for a side, by the marks of their boards. A board won counts two and one that
/// needs a cell counts one; a line with a dead board has no value.
const WORTH: [u8; 1 << (2 * LINE_BITS)] = {
    let values = [1, 2, 4, 7, 12, 20, 20];
    let mut table = [0; 1 << (2 * LINE_BITS)];
    let mut marks = 0;
    while marks < table.len() {
        let mut line = 0;
        while line < 2 {
            let (mut is_dead, mut points, mut board) = (false, 0, 0);
            while board < 3 {
                match (marks >> (line * LINE_BITS + board * MARK_BITS)) as u64 & 3 {
                    DEAD => is_dead = true,
                    CLOSE => points += 1,
                    WON => points += 2,
                    _ => {}
                }
                board += 1;
            }
            if !is_dead {
                table[marks] += values[points];
            }
            line += 1;
        }
        marks += 1;
    }
    table
};

/// Bits of a line: the marks of its three boards.
const LINE_BITS: u32 = 3 * MARK_BITS;

/// The places of a board's mark in the eight lines: a one at each.
const PLACES: [u64; 9] = {
    let mut table = [0; 9];
    let mut n = 0;
    while n < 72 {
        let (board, line) = (n / 8, LINES[n % 8]);
        if line >> board & 1 == 1 {
            let place = (line & ((1 << board) - 1)).count_ones();
            table[board] |= 1 << ((n % 8) as u32 * LINE_BITS + place * MARK_BITS);
        }
        n += 1;
    }
    table
};

/// A summary of a position's boards, updated incrementally by moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Summary {
    /// Hash of the classes of the boards.
    boards: u64,
    /// By side: the marks of the boards of each line.
    lines: [u64; 2],
    /// Hash of what each side's lines of boards lack.
    lacking: u64,
    /// By side: the boards won and those that may still be won.
    pub winnable: [u16; 2],
    /// By side: the open boards in which it needs one cell.
    pub close: [u16; 2],
    /// By side: the value of the lines of boards that it can still complete.
    pub worth: [i16; 2],
}

impl Summary {
    pub fn at(state: &State) -> Self {
        let mut summary =
            Self { boards: 0, lines: [0; 2], lacking: 0, winnable: [0; 2], close: [0; 2], worth: [0; 2] };
        let won = [Side::X, Side::O].map(|side| state.won(side));
        for board in 0..9 {
            summary.change(board, 0, BoardClass::new(state, board).class);
        }
        summary.sum_up(won);
        summary
    }

    /// The summary after a move that changes the class of `board`; `won` are the boards that each side has won after
    /// it.
    #[inline]
    pub fn after(&self, board: usize, before: u64, after: u64, won: [u16; 2]) -> Self {
        let mut summary = *self;
        if summary.change(board, before, after) {
            summary.sum_up(won);
        }
        summary
    }

    /// Replaces a board's class without [summing up](Self::sum_up); returns whether its marks change.
    #[inline]
    fn change(&mut self, board: usize, before: u64, after: u64) -> bool {
        self.boards ^= ((before ^ after) & !MARKS).rotate_left(7 * board as u32);
        let changed = (before ^ after) & MARKS;
        if changed == 0 {
            return false;
        }
        let others = !(1 << board);
        for side in 0..2 {
            let now = mark(after, side);
            self.lines[side] ^= PLACES[board] * mark(changed, side);
            self.winnable[side] = self.winnable[side] & others | u16::from(now != DEAD) << board;
            self.close[side] = self.close[side] & others | u16::from(now == CLOSE) << board;
        }
        true
    }

    /// Recomputes what depends on the marks.
    #[inline]
    fn sum_up(&mut self, won: [u16; 2]) {
        let classes: &Classes = &CLASSES;
        for side in 0..2 {
            let two = |n: u32| WORTH[(self.lines[side] >> (2 * LINE_BITS * n)) as usize & (WORTH.len() - 1)];
            self.worth[side] = (0..4).map(|n| i16::from(two(n))).sum();
        }
        let [x, o] = [0, 1].map(|side| classes.lacking[number(won[side], FULL & !self.winnable[side])]);
        self.lacking = x ^ o.rotate_left(32);
    }

    /// The key of an unfinished position's class, from the board to play in and the side to move. All positions of a
    /// class have the same outcome.
    #[inline]
    pub fn key(&self, forced: Option<usize>, mover: Side) -> u64 {
        let turn = FORCED[forced.unwrap_or(9)] ^ if mover == Side::O { O_TO_MOVE } else { 0 };
        self.boards ^ self.lacking ^ turn
    }
}

/// The mark of a side in a class.
#[inline]
const fn mark(class: u64, side: usize) -> u64 {
    class >> (MARK_BITS * side as u32) & 3
}

/// The class of a closed board.
#[inline]
const fn closed(winner: Option<Side>) -> u64 {
    let marks = match winner {
        Some(Side::X) => WON,
        Some(Side::O) => WON << MARK_BITS,
        None => DEAD,
    };
    CLOSED & !MARKS | marks
}

/// A board's class before a move, and its class after each move in it.
pub(super) struct BoardClass {
    open: &'static [u64; BOARDS],
    number: usize,
    pub class: u64,
}

impl BoardClass {
    #[inline]
    pub fn new(state: &State, board: usize) -> Self {
        let open = &CLASSES.open;
        let number = number(state.cells(Side::X, board), state.cells(Side::O, board));
        let class = if state.closed() >> board & 1 == 0 {
            open[number]
        } else {
            closed([Side::X, Side::O].into_iter().find(|&side| state.won(side) >> board & 1 == 1))
        };
        Self { open, number, class }
    }

    /// The class after a side's move in cell `within`.
    #[inline]
    pub fn after(&self, side: Side, within: usize, closes: bool, wins: bool) -> u64 {
        if closes {
            return closed(wins.then_some(side));
        }
        let digit = usize::from(TERNARY[1 << within]);
        self.open[self.number + (side.index() + 1) * digit]
    }
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
                    classes.insert(CLASSES.open[number(x, o)]);
                }
            }
        }
        assert_eq!((open, classes.len()), (11_093, 8_626));
    }

    #[test]
    fn a_line_that_another_one_makes_needless_is_no_set_of_its_own() {
        // x holds 0 and 1, so cell 2 wins: no other minimal set contains cell 2.
        assert!(least_sets(0b011, 0).contains(&0b100));
        assert!(least_sets(0b011, 0).iter().all(|&set| set == 0b100 || set & 0b100 == 0));
    }
}
