//! The search of one node.

use super::observe::{NodeKind, Order, Origin, Step};
use super::{Heuristics, MAX_PLY, MoveOf, Node, NodeType, NullWindow, Plan, Pv, Search, TableCut};
use crate::limits::Searched;
use crate::memory;
use crate::position::{MoveCode, Position};
use crate::report::Line;
use crate::score::{Bound, Depth, Score, Window};
use crate::table::Entry;

impl<E: Heuristics> Search<'_, E> {
    /// Searches the position within `window` to `depth`, in units of [`Heuristics::ONE_PLY`], and returns its value.
    ///
    /// # Errors
    /// [`Stop`](crate::Stop) when the control says so; the position is as it was all the same.
    pub fn node<K: NodeType>(&mut self, window: Window, depth: Depth) -> Searched {
        self.control.tick()?;
        self.tell(|| Step::Entered { kind: NodeKind::of::<K>(), window, depth });
        let (score, by) = self.searched::<K>(window, depth)?;
        self.tell(|| Step::Left { score, by });
        Ok(score)
    }

    /// Tells the observer of a step. Without one, nothing is compiled.
    #[inline(always)]
    fn tell(&mut self, step: impl FnOnce() -> Step<MoveOf<E>>) {
        if E::OBSERVES {
            E::observe(self, step());
        }
    }

    /// The value of a node, and its origin.
    #[inline(always)]
    fn searched<K: NodeType>(&mut self, window: Window, depth: Depth) -> Searched<(Score, Origin)> {
        if K::PV {
            self.begin_line();
        }
        if let Some(outcome) = self.position.outcome() {
            return Ok((Score::of_outcome(outcome, self.ply), Origin::Outcome));
        }
        if depth < E::ONE_PLY || self.ply >= MAX_PLY {
            self.horizon = true;
            return Ok((E::leaf(self, window)?, Origin::Leaf));
        }

        let keyed = depth >= E::TABLE_FROM * E::ONE_PLY;
        let key = if keyed { self.position.key() } else { 0 };
        let entry = if keyed { self.probe(key, self.ply) } else { None };
        if let Some(entry) = entry {
            self.tell(|| Step::Found(entry));
        }
        let mut node = Node { window, depth, key, entry };
        if let Some(score) = self.table_value::<K>(&node) {
            return Ok((score, Origin::Table));
        }
        if !K::ROOT {
            if let Some(score) = E::before_moves::<K>(self, &node)? {
                return Ok((score, Origin::Hook));
            }
            node.depth = E::depth_at::<K>(self, &node);
        }

        let first = self.picker.len();
        let mut tried = Tried::new(window);
        let searched = self.moves::<K>(&node, first, &mut tried);
        self.picker.truncate(first);
        searched?;
        let Tried { best: score, mv: best, .. } = tried;
        let whole = !K::ROOT || self.root_excluded.is_empty();
        if keyed && whole {
            let bound = Bound::of(score, window);
            let best = if bound == Bound::Upper { None } else { best };
            // To another thread, which would search this node just like this, it counts as searched to the depth asked for.
            let depth = if self.has_helpers() { depth } else { node.depth } / E::ONE_PLY;
            self.table.store(key, self.ply, Entry { best, score, depth, bound });
        }
        Ok((score, Origin::Moves))
    }

    /// The table's entry for `key`, depths in the search's units.
    #[inline]
    pub(super) fn probe(&self, key: u64, ply: usize) -> Option<Entry<MoveOf<E>>> {
        let entry = self.table.probe(key, ply)?;
        Some(Entry { depth: entry.depth * E::ONE_PLY, ..entry })
    }

    /// Returns the table's score if it can replace the search of this node. A PV node's line is needed, so it takes only
    /// an exact score that another thread may have just found, with the table's move as its line.
    #[inline(always)]
    pub(super) fn table_value<K: NodeType>(&mut self, node: &Node<MoveOf<E>>) -> Option<Score> {
        let is_exact = || node.entry.is_some_and(|entry| entry.bound == Bound::Exact);
        if K::PV && (K::ROOT || !self.has_helpers() || !is_exact()) {
            return None;
        }
        let score = self.table_cut(node)?;
        if K::PV {
            self.set_line(self.known_move(node));
        }
        Some(score)
    }

    /// The table's score, if its depth and its bound settle the node's window.
    #[inline]
    fn table_cut(&mut self, node: &Node<MoveOf<E>>) -> Option<Score> {
        let entry = node.entry?;
        // The table keeps whole plies.
        let depth = node.depth / E::ONE_PLY * E::ONE_PLY;
        let deep_enough = match self.options.table_cut {
            TableCut::Never => false,
            TableCut::SameDepth => entry.depth == depth,
            TableCut::AtLeast => entry.depth >= depth,
        };
        if !deep_enough || !entry.bound.settles(entry.score, node.window) {
            return None;
        }
        self.horizon |= !entry.score.is_decided();
        Some(entry.score)
    }

    /// Tries the moves: the table's first, before anything is generated, then the candidates by rank.
    pub(super) fn moves<K: NodeType>(
        &mut self,
        node: &Node<MoveOf<E>>,
        first: usize,
        tried: &mut Tried<MoveOf<E>>,
    ) -> Searched<()> {
        if self.is_shared(node) {
            return self.shared_moves::<K>(node, first, tried);
        }
        let known = self.known_move(node);
        if let Some(mv) = known
            && self.try_move::<K>(node, tried, mv)?
        {
            self.note_refutation(node, tried, mv, first..first);
            return Ok(());
        }

        self.generate(node, first);
        for index in first..self.picker.len() {
            let mv = self.picker.pick(index);
            if Some(mv) != known && self.try_move::<K>(node, tried, mv)? {
                self.note_refutation(node, tried, mv, first..index);
                break;
            }
        }
        self.or_leaf::<K>(node, tried)
    }

    /// The table's move, if it is legal here.
    #[inline(always)]
    pub(super) fn known_move(&self, node: &Node<MoveOf<E>>) -> Option<MoveOf<E>> {
        node.entry.and_then(|entry| entry.best).filter(|&mv| self.position.is_legal(mv))
    }

    /// Where every move was skipped, takes the leaf's value. A node whose only move is excluded is lost.
    #[inline(always)]
    pub(super) fn or_leaf<K: NodeType>(
        &mut self,
        node: &Node<MoveOf<E>>,
        tried: &mut Tried<MoveOf<E>>,
    ) -> Searched<()> {
        if tried.nth == 0 {
            self.horizon = true;
            tried.best = if K::VERIFIES { node.window.alpha } else { E::leaf(self, node.window)? };
        }
        Ok(())
    }

    /// Adds the candidates of this node to the picker, which holds `first` moves of its ancestors.
    #[inline(always)]
    pub(super) fn generate(&mut self, node: &Node<MoveOf<E>>, first: usize) {
        self.picker.at(self.ply, self.frames[self.ply].killers);
        E::candidates(self, node);
        if E::COUNTERMOVES
            && let Some(last) = self.frames[self.ply].mv
        {
            self.picker.promote(first, self.countermoves.get(self.ply, last));
        }
    }

    /// Lets killers, history and countermoves learn from a move that refuted the node.
    #[inline]
    pub(super) fn note_refutation(
        &mut self,
        node: &Node<MoveOf<E>>,
        tried: &Tried<MoveOf<E>>,
        mv: MoveOf<E>,
        failed: std::ops::Range<usize>,
    ) {
        if tried.ended {
            return;
        }
        let ply = self.ply;
        if self.options.killers {
            self.frames[ply].killers.note(mv.to_code());
        }
        if E::COUNTERMOVES
            && let Some(last) = self.frames[ply].mv
        {
            self.countermoves.note(ply, last, mv.to_code());
        }
        self.picker.cut(mv, ply, node.depth / E::ONE_PLY, failed);
    }

    /// Searches one move. Returns true if the remaining moves need not be tried: it refutes the node, or the node's value
    /// is known.
    #[inline]
    pub(super) fn try_move<K: NodeType>(
        &mut self,
        node: &Node<MoveOf<E>>,
        tried: &mut Tried<MoveOf<E>>,
        mv: MoveOf<E>,
    ) -> Searched<bool> {
        if self.leaves_out::<K>(mv) {
            return Ok(false);
        }
        let (depth, reduction) = match E::plan::<K>(self, node, mv, tried.nth)? {
            Plan::Search { depth, reduction } => (depth, reduction),
            Plan::Skip | Plan::SkipRest if E::SOUND_LOSSES && tried.best.is_loss() && tried.nth > 0 => {
                (node.depth - E::ONE_PLY, 0)
            }
            Plan::SkipRest => {
                self.horizon = true;
                tried.ended = true;
                return Ok(true);
            }
            Plan::Skip => {
                self.horizon = true;
                return Ok(false);
            }
        };
        let Window { alpha, beta } = tried.window;
        let whole_window = tried.nth == 0 || !self.options.scouting;
        if E::FETCHES_AHEAD && depth - reduction >= E::TABLE_FROM * E::ONE_PLY {
            let key = E::key_after(&mut self.position, mv);
            memory::fetch(self.table.line(key));
        }
        if E::OBSERVES {
            let order = self.order_of(node, mv);
            E::observe(self, Step::Tried { mv, nth: tried.nth, order, reduction });
        }
        let score = self.after(mv, |search| {
            if whole_window {
                return search.node::<K::First>(-Window::new(alpha, beta), depth).map(|score| -score);
            }
            let mut score = -search.node::<NullWindow>(-Window::above(alpha), depth - reduction)?;
            if score > alpha && reduction > 0 {
                score = -search.node::<NullWindow>(-Window::above(alpha), depth)?;
            }
            if K::PV && score > alpha && score < beta {
                score = -search.node::<Pv>(-Window::new(alpha, beta), depth)?;
            }
            Ok(score)
        })?;
        if K::ROOT && tried.nth == 0 {
            self.begun_with = Some(mv);
        }
        tried.nth += 1;
        if score > tried.best {
            tried.best = score;
            if score > alpha {
                self.tell(|| Step::Raised { mv, score });
                tried.mv = Some(mv);
                tried.window.alpha = score;
                if K::PV {
                    self.keep_line(mv);
                }
                if K::ROOT {
                    self.best_at_root = Some(score);
                }
            }
        }
        Ok(score >= beta)
    }

    /// The reason for the place of `mv` in this node's order.
    fn order_of(&self, node: &Node<MoveOf<E>>, mv: MoveOf<E>) -> Order {
        if node.entry.and_then(|entry| entry.best) == Some(mv) {
            Order::Table
        } else if self.options.killers && self.frames[self.ply].killers.words().contains(&mv.to_code()) {
            Order::Killer
        } else {
            Order::Rank
        }
    }

    /// Clears the principal variation of this ply.
    fn begin_line(&mut self) {
        if self.lines.len() <= self.ply {
            self.lines.resize(self.ply + 1, Line::new());
        }
        self.lines[self.ply].clear();
    }

    /// Sets the principal variation of this ply to `mv` followed by that of the next ply.
    fn keep_line(&mut self, mv: MoveOf<E>) {
        let (upper, lower) = self.lines.split_at_mut(self.ply + 1);
        let line = &mut upper[self.ply];
        line.clear();
        line.push(mv);
        if let Some(rest) = lower.first() {
            line.extend_from_slice(rest);
        }
    }
}

/// Without the feature, no node is shared.
#[cfg(not(feature = "threads"))]
impl<E: Heuristics> Search<'_, E> {
    #[inline(always)]
    fn has_helpers(&self) -> bool {
        false
    }

    #[inline(always)]
    fn is_shared(&self, _: &Node<MoveOf<E>>) -> bool {
        false
    }

    fn shared_moves<K: NodeType>(
        &mut self,
        _: &Node<MoveOf<E>>,
        _: usize,
        _: &mut Tried<MoveOf<E>>,
    ) -> Searched<()> {
        unreachable!("no node is shared")
    }
}

impl<M> Tried<M> {
    /// No move tried yet.
    #[inline(always)]
    pub fn new(window: Window) -> Self {
        Self { window, best: -Score::INFINITY, mv: None, nth: 0, ended: false }
    }
}

/// The results of the moves tried so far.
pub(super) struct Tried<M> {
    window: Window,
    pub best: Score,
    mv: Option<M>,
    pub nth: usize,
    /// True if all remaining moves are skipped.
    pub ended: bool,
}
