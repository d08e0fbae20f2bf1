//! Parts that a game's hooks put together: static values, verification searches, cuts on several moves.
//!
//! Source: T. Anantharaman, M. Campbell, F. Hsu, "Singular extensions: adding selectivity to brute-force searching",
//! 1990; Y. Björnsson, T. Marsland, "Multi-cut pruning in alpha-beta search", 1999.

use super::{Heuristics, MoveOf, Node, NodeType, NullWindow, Search, Verification};
use crate::limits::Searched;
use crate::score::{Depth, Score, Window};

impl<E: Heuristics> Search<'_, E> {
    /// The evaluation of this node, found once. With [`Heuristics::FRAMES`].
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

    /// Returns whether the mover's static value has risen since its last turn, as far as both are known.
    pub fn is_improving(&mut self) -> bool {
        let before = self.ply.checked_sub(2).and_then(|ply| self.frames.get(ply)?.static_value);
        before.is_some_and(|before| self.static_value() > before)
    }

    /// The value of this node without the move `excluded`, `depth` deep: what the other moves are worth. A singular
    /// extension (Anantharaman, Campbell & Hsu 1990) looks farther behind a move that no other comes near. It asks in
    /// [`Heuristics::plan`], of the table's move, with a window below the table's score. Where it is the only move, the
    /// answer is alpha. With [`Heuristics::FRAMES`].
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

    /// Returns whether so many as `cuts` of the first `tries` candidates reach beta, searched `depth` deep (multi-cut:
    /// Björnsson & Marsland 2001): then a node that is expected to fail high may be cut.
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

    /// A score that refutes the node, if the table has one for a move from `first` on (enhanced transposition cutoffs).
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

    /// Returns whether this node is searched without `mv`.
    #[inline]
    pub(super) fn leaves_out<K: NodeType>(&self, mv: MoveOf<E>) -> bool {
        K::ROOT && self.root_excluded.contains(&mv)
            || K::VERIFIES && self.frames[self.ply].excluded == Some(mv)
    }
}
