//! Building blocks for a game's hooks: static values and verification searches.
//!
//! Source: T. Anantharaman, M. Campbell, F. Hsu, "Singular extensions: adding selectivity to brute-force searching",
//! 1990.

use super::node::Tried;
use super::{Heuristics, MoveOf, Node, NodeType, Search, Verification};
use crate::limits::Searched;
use crate::score::{Depth, Score, Window};

impl<E: Heuristics> Search<'_, E> {
    /// Returns the static evaluation of this node, computed once. Requires [`Heuristics::FRAMES`].
    pub fn static_value(&mut self) -> Score {
        const { assert!(E::FRAMES, "static values lie in the frames: set FRAMES") };
        let ply = self.ply;
        if let Some(value) = self.frames.get(ply).and_then(|frame| frame.static_value) {
            return value;
        }
        let value = self.heuristics.evaluate(&self.position);
        if let Some(frame) = self.frames.get_mut(ply) {
            frame.static_value = Some(value);
        }
        value
    }

    /// Returns true if the mover's static value is above that of its previous turn; false if that is unknown.
    pub fn is_improving(&mut self) -> bool {
        let before = self.ply.checked_sub(2).and_then(|ply| self.frames.get(ply)?.static_value);
        before.is_some_and(|before| self.static_value() > before)
    }

    /// Searches this node to `depth` without the move `excluded`; returns alpha if there is no other move.
    ///
    /// For singular extensions (Anantharaman, Campbell & Hsu 1990): [`Heuristics::plan`] excludes the table's move, with a
    /// window below the table's score, and extends that move if all others fail low. Requires [`Heuristics::FRAMES`].
    ///
    /// # Errors
    /// [`Stop`](crate::Stop) when the control says so.
    pub fn without(
        &mut self,
        excluded: MoveOf<E>,
        node: &Node<MoveOf<E>>,
        window: Window,
        depth: Depth,
    ) -> Searched {
        const { assert!(E::FRAMES, "excluded moves lie in the frames: set FRAMES") };
        let ply = self.ply;
        let node = Node { window, depth, ..*node };
        let horizon = self.horizon;
        let first = self.picker.len();
        self.frames[ply].excluded = Some(excluded);
        let mut tried = Tried::new(window);
        let searched = self.moves::<Verification>(&node, first, &mut tried);
        self.frames[ply].excluded = None;
        self.picker.truncate(first);
        self.horizon = horizon;
        searched?;
        Ok(tried.best)
    }

    /// Returns whether this node is searched without `mv`.
    #[inline]
    pub(super) fn leaves_out<K: NodeType>(&self, mv: MoveOf<E>) -> bool {
        K::ROOT && self.root_excluded.contains(&mv)
            || K::VERIFIES && self.frames[self.ply].excluded == Some(mv)
    }
}
