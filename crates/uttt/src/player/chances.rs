//! What a look at the lines tells a proof: who cannot win any more, and how hard the rest will be.

use crate::rules::{LINES, Side, State, completing, has_line};
use search_core::proof::{Estimate, Goal};
use search_core::{Count, Position};

/// Guesses by the lines of boards that each side can still make.
#[derive(Debug, Clone, Copy)]
pub(super) struct Chances;

/// What a line of boards is worth by how far it is: a board won counts two, one that lacks a cell counts one.
const WORTH: [i32; 7] = [1, 2, 4, 7, 12, 20, 20];

/// One bit for each of the 512 sets of cells: whether it touches every line, so that the other side can make none.
const BLOCKING: [u64; 8] = {
    let mut table = [0; 8];
    let mut cells = 0;
    while cells < 512 {
        let mut line = 0;
        while line < 8 && cells as u16 & LINES[line] != 0 {
            line += 1;
        }
        if line == 8 {
            table[cells / 64] |= 1 << (cells % 64);
        }
        cells += 1;
    }
    table
};

#[inline]
fn blocks(cells: u16) -> bool {
    BLOCKING[cells as usize / 64] >> (cells % 64) & 1 == 1
}

/// The boards that a side has won or may still win, and those that lack it one cell.
#[inline]
fn boards(state: &State, side: Side) -> (u16, u16) {
    let (mut winnable, mut close) = (state.won(side), 0);
    for board in 0..9 {
        let open = state.closed() >> board & 1 == 0;
        let theirs = state.cells(side.other(), board);
        winnable |= u16::from(open && !blocks(theirs)) << board;
        close |= u16::from(open && completing(state.cells(side, board)) & !theirs != 0) << board;
    }
    (winnable, close)
}

#[inline]
fn worth(won: u16, winnable: u16, close: u16) -> i32 {
    let mut sum = 0;
    for line in LINES {
        if line & !winnable == 0 {
            sum += WORTH[(2 * (won & line).count_ones() + (close & line).count_ones()) as usize];
        }
    }
    sum
}

impl Estimate<State> for Chances {
    fn estimate(&self, state: &State, goal: Goal) -> (u32, u32) {
        let (own, other) = (state.mover(), state.mover().other());
        let (winnable, close) = boards(state, own);
        let (their_winnable, their_close) = boards(state, other);
        match goal {
            Goal::Win if !has_line(winnable) => return (1, 0),
            Goal::Draw if !has_line(their_winnable) => return (0, 1),
            _ => {}
        }
        let ahead =
            worth(state.won(own), winnable, close) - worth(state.won(other), their_winnable, their_close);
        let mut moves = Count(0);
        state.moves(&mut moves);
        (1 + (-ahead).max(0) as u32, moves.0 as u32 + ahead.max(0) as u32)
    }
}
