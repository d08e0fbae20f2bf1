//! The changes of a line by a stone.
//!
//! The twenty-one cells around a stone decide what it changes of a line, and in a search the same cells come back
//! again and again: what they give is kept in a small memory, so that a stone costs four looks instead of forty.

use super::code::{Codes, share};
use super::tables::{Tables, shape};
use super::window::{self, CHANGEABLE};
use crate::rules::Color;

/// The changes of one line by a stone on it.
#[derive(Debug, Clone, Copy, Default)]
#[repr(align(64))]
pub(super) struct LineChange {
    /// The line with the stone in its middle; 0 if nothing is kept here.
    window: u64,
    /// The free cells that change, a bit each.
    pub places: u64,
    /// The numbers added to the codes of each.
    pub differences: [Codes; PLACES],
}

/// Differences of a line, some more than [`CHANGEABLE`], so that a change fills a cache line.
pub(super) const PLACES: usize = 12;

/// The number of changes kept: 512 KiB.
const KEPT: usize = 1 << 13;

/// The memory of changes, one for each of so many windows at most.
#[derive(Debug, Clone)]
pub(super) struct LineChanges {
    tables: &'static Tables,
    /// Nothing until the first stone is played.
    kept: Option<Box<[LineChange; KEPT]>>,
}

impl LineChanges {
    pub fn new(tables: &'static Tables) -> Self {
        Self { tables, kept: None }
    }

    /// The changes of the line by the stone in the middle of `window`.
    #[inline]
    pub fn of(&mut self, window: u64) -> &LineChange {
        let window = window::cells(window);
        let slot = (window.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as usize % KEPT;
        if self.kept.as_ref().is_none_or(|kept| kept[slot].window != window) {
            self.find(window, slot);
        }
        &self.kept.as_ref().expect("made by now")[slot]
    }

    #[cold]
    #[inline(never)]
    fn find(&mut self, window: u64, slot: usize) {
        let before = window::without_stone(window);
        let mut change = LineChange { window, ..LineChange::default() };
        for place in 0..CHANGEABLE {
            let offset = window::offset(place);
            if !window::is_free(window, offset) {
                continue;
            }
            let [old, new] = [before, window].map(|window| self.tables.lines[window::key(window, offset)]);
            if old != new {
                change.places |= 1 << place;
                change.differences[place] = codes_of(new).wrapping_sub(codes_of(old));
            }
        }
        let nothing = || vec![LineChange::default(); KEPT].into_boxed_slice().try_into().expect("as many");
        self.kept.get_or_insert_with(nothing)[slot] = change;
    }
}

/// The number that an entry of the line table adds to the codes of a cell.
#[inline]
pub(super) fn codes_of(shapes: u8) -> Codes {
    let [black, white] = Color::ALL.map(|color| Codes::from(share(shape(shapes, color))));
    black | white << 16
}
