//! One node of the search.

use super::{Expert, Kind, MAX_PLY, MoveOf, Node, Pv, Scout, Search, TableCut};
use crate::limits::Searched;
use crate::position::Position;
use crate::report::Line;
use crate::score::{Bound, Depth, Score, Window};
use crate::table::Entry;

impl<E: Expert> Search<'_, E> {
    /// The position's value within `window`, `depth` plies deep.
    ///
    /// # Errors
    /// [`Stop`](crate::Stop) when the control says so; the position is as it was all the same.
    pub fn node<K: Kind>(&mut self, window: Window, depth: Depth) -> Searched {
        self.control.tick()?;
        if K::PV {
            self.begin_line();
        }
        if let Some(outcome) = self.position.outcome() {
            return Ok(Score::of_outcome(outcome, self.ply));
        }
        if depth <= 0 || self.ply >= MAX_PLY {
            self.horizon = true;
            return E::leaf(self, window);
        }

        let keyed = depth >= E::TABLE_FROM;
        let key = if keyed { self.position.key() } else { 0 };
        let entry = if keyed { self.table.probe(key, self.ply) } else { None };
        let node = Node { window, depth, key, entry };
        if let Some(score) = self.table_cut::<K>(&node) {
            return Ok(score);
        }
        if !K::ROOT
            && let Some(score) = E::before_moves::<K>(self, &node)?
        {
            return Ok(score);
        }

        let first = self.picker.len();
        let searched = self.moves::<K>(&node, first);
        self.picker.truncate(first);
        let (score, best) = searched?;
        if keyed {
            let bound = Bound::of(score, window);
            let best = if bound == Bound::Upper { None } else { best };
            self.table.store(key, self.ply, Entry { best, score, depth, bound });
        }
        Ok(score)
    }

    /// The score that the table gives for the whole node, if it may.
    #[inline]
    fn table_cut<K: Kind>(&mut self, node: &Node<MoveOf<E>>) -> Option<Score> {
        let entry = node.entry?;
        let deep_enough = match self.options.table_cut {
            TableCut::Never => false,
            TableCut::SameDepth => entry.depth == node.depth,
            TableCut::AtLeast => entry.depth >= node.depth,
        };
        // On the principal variation the line is wanted, not only the score.
        if K::PV
            || !deep_enough
            || !entry.bound.settles(entry.score, node.window)
            || !E::trusts_table(self, node)
        {
            return None;
        }
        self.horizon |= !entry.score.is_decided();
        Some(entry.score)
    }

    /// Tries the moves: the table's first, before anything is generated, then the candidates by rank.
    fn moves<K: Kind>(
        &mut self,
        node: &Node<MoveOf<E>>,
        first: usize,
    ) -> Searched<(Score, Option<MoveOf<E>>)> {
        let mut tried = Tried { window: node.window, best: -Score::INFINITY, mv: None, nth: 0 };
        let known = node.entry.and_then(|entry| entry.best).filter(|&mv| self.position.is_legal(mv));
        if let Some(mv) = known
            && self.try_move::<K>(node, &mut tried, mv)?
        {
            self.picker.cut(mv, self.ply, node.depth, 0..0);
            return Ok((tried.best, tried.mv));
        }

        self.picker.at(self.ply);
        E::candidates(self, node);
        for index in first..self.picker.len() {
            let mv = self.picker.pick(index);
            if Some(mv) != known && self.try_move::<K>(node, &mut tried, mv)? {
                self.picker.cut(mv, self.ply, node.depth, first..index);
                break;
            }
        }
        if tried.nth == 0 {
            // Every move was skipped: nothing is known but what a leaf knows.
            self.horizon = true;
            return Ok((E::leaf(self, node.window)?, None));
        }
        Ok((tried.best, tried.mv))
    }

    /// Searches one move; true when it refutes the node.
    #[inline]
    fn try_move<K: Kind>(
        &mut self,
        node: &Node<MoveOf<E>>,
        tried: &mut Tried<MoveOf<E>>,
        mv: MoveOf<E>,
    ) -> Searched<bool> {
        let Some(depth) = E::depth_for::<K>(self, node, mv, tried.nth) else {
            self.horizon = true;
            return Ok(false);
        };
        let Window { alpha, beta } = tried.window;
        let whole_window = tried.nth == 0 || !self.options.scouting;
        let score = self.after(mv, |search| {
            if whole_window {
                return search.node::<K::First>(-Window::new(alpha, beta), depth).map(|score| -score);
            }
            let mut score = -search.node::<Scout>(-Window::above(alpha), depth)?;
            if score > alpha && depth < node.depth - 1 {
                score = -search.node::<Scout>(-Window::above(alpha), node.depth - 1)?;
            }
            if K::PV && score > alpha && score < beta {
                score = -search.node::<Pv>(-Window::new(alpha, beta), depth.max(node.depth - 1))?;
            }
            Ok(score)
        })?;
        tried.nth += 1;
        if score > tried.best {
            tried.best = score;
            if score > alpha {
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

    /// Nothing is known yet of the best line from here.
    fn begin_line(&mut self) {
        if self.lines.len() <= self.ply {
            self.lines.resize(self.ply + 1, Line::new());
        }
        self.lines[self.ply].clear();
    }

    /// The best line from here is `mv` and then the best line behind it.
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

/// What the moves tried so far gave.
struct Tried<M> {
    window: Window,
    best: Score,
    mv: Option<M>,
    nth: usize,
}
