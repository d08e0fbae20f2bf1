//! Evaluates the lines that each side can still complete.
//!
//! In an open board, a side's *hold* grows with the lines that it has begun and the opponent has not blocked; lines
//! that lack one cell count most. A line of boards that the opponent has not blocked is then worth the product of the
//! holds on its three boards: after two boards won, a good hold on the third counts for much.

use crate::rules::{LINES, Side, State};

/// The hold on a board that the side has won.
const WON: i32 = 24;
/// The hold on an empty board.
const EMPTY: i32 = 4;
/// The values of a line with none, one and two of its three cells.
const BEGUN: [i32; 3] = [0, 1, 5];
/// The largest hold on an open board, below that of a board won.
const MOST: i32 = 16;
/// The value for the side to move of choosing any board.
const FREE_CHOICE: i32 = 40;

pub(super) fn evaluate(state: &State) -> i32 {
    let side = state.mover();
    let choice = if state.forced().is_none() { FREE_CHOICE } else { 0 };
    prospects(state, side) - prospects(state, side.other()) + choice
}

fn prospects(state: &State, side: Side) -> i32 {
    let holds: [i32; 9] = std::array::from_fn(|board| hold(state, side, board));
    let lost = state.closed() & !state.won(side);
    let of_boards: i32 = LINES
        .iter()
        .filter(|&&line| lost & line == 0)
        .map(|&line| (0..9).filter(|board| line >> board & 1 == 1).map(|board| holds[board]).product::<i32>())
        .sum();
    of_boards / 16 + holds.iter().sum::<i32>()
}

fn hold(state: &State, side: Side, board: usize) -> i32 {
    if state.closed() >> board & 1 == 1 {
        return if state.won(side) >> board & 1 == 1 { WON } else { 0 };
    }
    let (own, theirs) = (state.cells(side, board), state.cells(side.other(), board));
    let lines = LINES.iter().filter(|&&line| theirs & line == 0);
    let begun: i32 = lines.map(|&line| BEGUN[(own & line).count_ones() as usize]).sum();
    (EMPTY + begun).min(MOST)
}
