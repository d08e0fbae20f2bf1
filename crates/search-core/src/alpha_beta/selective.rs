//! Building blocks for a game's hooks: static values, verification searches, multi-cut.
//!
//! Source: T. Anantharaman, M. Campbell, F. Hsu, "Singular extensions: adding selectivity to brute-force searching",
//! 1990; Y. Björnsson, T. Marsland, "Multi-cut pruning in alpha-beta search", 1999.

use super::{Heuristics, MoveOf, Node, NodeType, NullWindow, Search, Verification};
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
        let searched = self.moves::<Verification>(&node, first);
        self.frames[ply].excluded = None;
        self.picker.truncate(first);
        self.horizon = horizon;
        Ok(searched?.best)
    }

    /// Returns true if at least `cuts` of the first `tries` candidates reach beta at `depth` (multi-cut: Björnsson &
    /// Marsland 1999). A node that is expected to fail high may then be cut.
    ///
    /// # Errors
    /// [`Stop`](crate::Stop) when the control says so.
    pub fn multi_cut(
        &mut self,
        node: &Node<MoveOf<E>>,
        tries: usize,
        cuts: usize,
        depth: Depth,
    ) -> Searched<bool> {
        let first = self.picker.len();
        self.generate(node, first);
        let searched = self.count_cuts(node, first, tries, cuts, depth);
        self.picker.truncate(first);
        Ok(searched? >= cuts)
    }

    fn count_cuts(
        &mut self,
        node: &Node<MoveOf<E>>,
        first: usize,
        tries: usize,
        cuts: usize,
        depth: Depth,
    ) -> Searched<usize> {
        let beta = node.window.beta;
        let mut count = 0;
        for index in first..self.picker.len().min(first + tries) {
            let mv = self.picker.pick(index);
            let score = -self
                .after(mv, |search| search.node::<NullWindow>(-Window::below(beta), depth - E::ONE_PLY))?;
            count += usize::from(score >= beta);
            if count == cuts {
                break;
            }
        }
        Ok(count)
    }

    /// Returns a score from the table that refutes the node by a move from `first` on (enhanced transposition cutoffs).
    pub(super) fn enhanced_cutoff<K: NodeType>(
        &mut self,
        node: &Node<MoveOf<E>>,
        first: usize,
    ) -> Option<Score> {
        let depth = node.depth - E::ONE_PLY;
        if node.depth < E::ENHANCED_CUTOFFS_FROM.saturating_mul(E::ONE_PLY)
            || depth < E::TABLE_FROM * E::ONE_PLY
        {
            return None;
        }
        let window = -Window::below(node.window.beta);
        (first..self.picker.len()).find_map(|index| {
            let mv = self.picker.nth(index);
            if self.leaves_out::<K>(mv) {
                return None;
            }
            let key = E::key_after(&mut self.position, mv);
            let entry = self.probe(key, self.ply + 1).filter(|entry| entry.score <= window.alpha);
            self.table_cut(&Node { window, depth, key, entry }).map(|score| -score)
        })
    }

    /// Returns true if `mv` is this node's excluded move.
    #[inline]
    pub(super) fn leaves_out<K: NodeType>(&self, mv: MoveOf<E>) -> bool {
        K::ROOT && self.root_excluded.contains(&mv)
            || K::VERIFIES && self.frames[self.ply].excluded == Some(mv)
    }
}
