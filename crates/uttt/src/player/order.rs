//! Move ordering for alpha-beta.

use crate::rules::{Cell, State, has_line};

/// Ranks moves that win a board first, and moves that let the opponent choose the board last.
#[inline]
pub(super) fn rank(state: &State, cell: Cell) -> i32 {
    let wins_board = has_line(state.cells(state.mover(), cell.board()) | 1 << cell.within());
    let gives_choice = state.closed() >> cell.within() & 1 == 1;
    1000 * i32::from(wins_board) - 500 * i32::from(gives_choice)
}
