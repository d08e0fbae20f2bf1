//! The lines that each side can still make.
//!
//! In an open board a side's hold grows with the lines that it has begun and the opponent has not entered, and most
//! with those that lack one cell. A line of boards that the opponent has closed nowhere is then worth the product of
//! the holds on its three boards: two boards won make much of a good hold on the third.

use crate::rules::{LINES, Side, State};

/// The hold on a board that is won.
const WON: i32 = 24;
/// The hold on an empty board.
const EMPTY: i32 = 4;
/// The values of a line that lacks two cells, and of one that lacks one.
const BEGUN: [i32; 3] = [0, 1, 5];
/// A hold stays below a board won.
const MOST: i32 = 16;
/// The value of the free choice of board for the mover.
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
