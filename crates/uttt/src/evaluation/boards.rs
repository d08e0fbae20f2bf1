//! Evaluates the boards won, each by the number of lines through it.

use crate::rules::{Boards, State};

/// Lines through each board: three for a corner, four for the centre, two for an edge.
const LINES_THROUGH: [i32; 9] = [3, 2, 3, 2, 4, 2, 3, 2, 3];

pub(super) fn evaluate(state: &State) -> i32 {
    let worth = |side| Boards(state.won(side)).map(|board| 100 * LINES_THROUGH[board]).sum::<i32>();
    worth(state.mover()) - worth(state.mover().other())
}
