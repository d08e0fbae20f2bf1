//! A line as in [`Position::window`](crate::rules::Position::window): two bits a cell.

use super::shape::REACH;
use crate::rules::{Color, WINDOW_REACH};

/// Number of cells whose shapes a stone in the middle of a window can change, the occupied middle (index [`REACH`])
/// included.
pub(crate) const CHANGEABLE: usize = 2 * REACH + 1;

/// Returns the cells of a window, without the bits above them.
#[inline]
pub(crate) const fn cells(window: u64) -> u64 {
    window & ((1 << (2 * (2 * WINDOW_REACH + 1))) - 1)
}

/// Returns the window as it was before the stone in its middle.
#[inline]
pub(crate) const fn without_stone(window: u64) -> u64 {
    window & !(3 << (2 * WINDOW_REACH))
}

/// Returns the window with one more stone, `offset` steps from its middle.
#[inline]
pub(crate) const fn with_stone(window: u64, offset: isize, color: Color) -> u64 {
    window | 1 << color.index() << (2 * (WINDOW_REACH as isize + offset))
}

/// Returns true if the cell `offset` steps from the middle is free.
#[inline]
pub(crate) const fn is_free(window: u64, offset: isize) -> bool {
    window >> (2 * (WINDOW_REACH as isize + offset)) & 3 == 0
}

/// Returns the ten neighbours of the cell `offset` steps from the middle, as an index of the line table.
#[inline]
pub(crate) const fn key(window: u64, offset: isize) -> usize {
    const HALF: u64 = (1 << (2 * REACH)) - 1;
    let around = window >> (2 * (WINDOW_REACH as isize - REACH as isize + offset));
    let (before, after) = (around & HALF, around >> (2 * REACH + 2) & HALF);
    (before | after << (2 * REACH)) as usize
}

/// Returns the offset from the middle of an index among the [`CHANGEABLE`] cells.
#[inline]
pub(crate) const fn offset(place: usize) -> isize {
    place as isize - REACH as isize
}
