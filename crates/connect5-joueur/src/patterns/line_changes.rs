//! A cache of the changes of a line by a stone.
//!
//! The twenty-one cells around a stone decide the changes in a line, and the same cells recur in a search. With the
//! cache a stone costs four lookups instead of forty.

use super::code::{Codes, share};
use super::tables::{Tables, shape};
use super::window::{self, CHANGEABLE};
use crate::rules::Color;

/// The changes of one line by a stone on it.
#[derive(Debug, Clone, Copy, Default)]
#[repr(align(64))]
pub(super) struct LineChange {
    /// The line with the stone in its middle, 0 for an empty slot.
    window: u64,
    /// The free cells that change, one bit each.
    pub places: u64,
    /// The numbers added to the codes of each cell.
    pub differences: [Codes; PLACES],
}

/// Length of `differences`: [`CHANGEABLE`] rounded up, so that a change fills whole cache lines.
pub(super) const PLACES: usize = 12;

/// Number of cached changes: 512 KiB.
const KEPT: usize = 1 << 13;

/// The cache of changes, by window.
#[derive(Debug, Clone)]
pub(super) struct LineChanges {
    tables: &'static Tables,
    /// Allocated at the first stone.
    kept: Option<Box<[LineChange; KEPT]>>,
}

impl LineChanges {
    pub fn new(tables: &'static Tables) -> Self {
        Self { tables, kept: None }
    }

    /// Returns the changes of the line by the stone in the middle of `window`.
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

/// Returns the number that an entry of the line table adds to the codes of a cell.
#[inline]
pub(super) fn codes_of(shapes: u8) -> Codes {
    let [black, white] = Color::ALL.map(|color| Codes::from(share(shape(shapes, color))));
    black | white << 16
}
