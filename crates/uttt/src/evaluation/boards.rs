//! Boards won, by how many lines go through them, and nothing else.

use crate::rules::{Boards, State};

/// Lines through each board: a corner lies on three, the centre on four, an edge on two.
const LINES_THROUGH: [i32; 9] = [3, 2, 3, 2, 4, 2, 3, 2, 3];

pub(super) fn evaluate(state: &State) -> i32 {
    let worth = |side| Boards(state.won(side)).map(|board| 100 * LINES_THROUGH[board]).sum::<i32>();
    worth(state.mover()) - worth(state.mover().other())
}
