//! Beyond the depth limit only fours are played on: the mover may stop wherever its evaluation is better.

use super::{AlphaBeta, MAX_PLY};
use crate::patterns::Class;
use crate::player::verdict::verdict;
use crate::rules::Cell;
use search_core::{Bound, Entry, Position as _, Score, Searched, Window};
use smallvec::SmallVec;

/// After so many fours, only those that build something else too.
const PLAIN_FOURS: i32 = 6;
/// Fours behind the first lie within this distance of the last one.
const NEAR: usize = 4;

impl AlphaBeta<'_> {
    /// The value of stopping here or going on with fours, `fours` of which have been played since the depth ran out.
    pub(super) fn leaf<const PV: bool>(&mut self, window: Window, fours: i32) -> Searched {
        self.control.tick()?;
        if PV {
            self.begin_line();
        }
        if let Some(outcome) = self.position.outcome() {
            return Ok(Score::of_outcome(outcome, self.ply));
        }
        if self.ply >= MAX_PLY {
            return Ok(self.evaluate());
        }
        if let Some(score) = verdict(&self.position, &self.patterns, self.ply) {
            return Ok(score);
        }
        let mover = self.position.mover();
        if let Some(reply) = self.patterns.fives(mover.other()).first() {
            let score = self.after(reply, |search| search.leaf::<PV>(-window, fours))?;
            if PV {
                self.keep_line(reply);
            }
            return Ok(-score);
        }
        let still = self.evaluate();
        if still >= window.beta || self.patterns.fours(mover).is_empty() {
            return Ok(still);
        }
        let key = self.position.key();
        let entry = self.table.probe(key, self.ply);
        if let Some(entry) = entry
            && !PV
            && entry.depth >= -fours
            && entry.bound.settles(entry.score, window)
        {
            return Ok(entry.score);
        }
        let mut inner = window;
        inner.alpha = inner.alpha.max(still);
        let mut best = still;
        let mut best_move = None;
        for four in self.promising_fours(fours) {
            let score = -self.after(four, |search| search.leaf::<PV>(-inner, fours + 1))?;
            if score > best {
                best = score;
                if score > inner.alpha {
                    best_move = Some(four);
                    inner.alpha = score;
                    if PV {
                        self.keep_line(four);
                    }
                    if score >= window.beta {
                        break;
                    }
                }
            }
        }
        let entry = Entry { best: best_move, score: best, depth: -fours, bound: Bound::of(best, window) };
        self.table.store(key, self.ply, entry);
        Ok(best)
    }

    /// The mover's fours that are worth playing on, the strongest first.
    fn promising_fours(&self, fours: i32) -> SmallVec<[Cell; 16]> {
        let mover = self.position.mover();
        let before = if fours > 0 && self.ply >= 2 { self.frame(2).mv } else { None };
        let mut moves: SmallVec<[Cell; 16]> = self
            .patterns
            .fours(mover)
            .iter()
            .filter(|&cell| {
                (fours < PLAIN_FOURS || self.patterns.class(cell, mover) > Class::Four)
                    && before.is_none_or(|before| self.position.geometry().distance(before, cell) <= NEAR)
            })
            .collect();
        moves.sort_by_key(|&cell| std::cmp::Reverse(self.patterns.promise(cell, mover)));
        moves
    }
}
