//! A line as [`Position::window`](crate::rules::Position::window) shows it: two bits a cell.

use super::shape::REACH;
use crate::rules::{Color, WINDOW_REACH};

/// Cells whose shapes a stone in the middle of a window can change; the middle itself, the place [`REACH`], is taken.
pub(crate) const CHANGEABLE: usize = 2 * REACH + 1;

/// The cells of a window, without what lies behind them.
#[inline]
pub(crate) const fn cells(window: u64) -> u64 {
    window & ((1 << (2 * (2 * WINDOW_REACH + 1))) - 1)
}

/// The window before the stone in its middle was put there.
#[inline]
pub(crate) const fn without_stone(window: u64) -> u64 {
    window & !(3 << (2 * WINDOW_REACH))
}

/// The window with one more stone, `offset` steps from its middle.
#[inline]
pub(crate) const fn with_stone(window: u64, offset: isize, color: Color) -> u64 {
    window | 1 << color.index() << (2 * (WINDOW_REACH as isize + offset))
}

/// True if the cell `offset` steps from the middle is free.
#[inline]
pub(crate) const fn is_free(window: u64, offset: isize) -> bool {
    window >> (2 * (WINDOW_REACH as isize + offset)) & 3 == 0
}

/// The ten neighbours of the cell `offset` steps from the middle, as the line table numbers them.
#[inline]
pub(crate) const fn key(window: u64, offset: isize) -> usize {
    const HALF: u64 = (1 << (2 * REACH)) - 1;
    let around = window >> (2 * (WINDOW_REACH as isize - REACH as isize + offset));
    let (before, after) = (around & HALF, around >> (2 * REACH + 2) & HALF);
    (before | after << (2 * REACH)) as usize
}

/// The distance from the middle of a place among the [`CHANGEABLE`].
#[inline]
pub(crate) const fn offset(place: usize) -> isize {
    place as isize - REACH as isize
}
