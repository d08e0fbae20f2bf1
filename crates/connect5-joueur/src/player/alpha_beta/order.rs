//! In what order moves are tried, and what is learned for it from those that were best.

use super::AlphaBeta;
use super::moves::{Node, Tried};
use crate::patterns::Class;
use crate::player::candidates::candidates;
use crate::player::history::{History, Manner};
use crate::rules::Cell;
use search_core::alpha_beta::pick;

impl AlphaBeta<'_> {
    /// Puts the moves worth trying on the stack, ranked.
    pub(super) fn rank_candidates(&mut self) {
        let mover = self.position.mover();
        let before = if self.ply > 0 { self.frame(1).mv } else { None };
        let reply = before.and_then(|before| self.history.reply(mover.other(), before));
        let last = [before, if self.ply > 1 { self.frame(2).mv } else { None }];
        let Self { position, patterns, history, moves, .. } = self;
        let weights = patterns.weights();
        candidates(position, patterns, |cell| {
            let manner = manner(patterns.class(cell, mover));
            let done = history.count(mover, cell, manner);
            let done = if manner == Manner::Attack { done / 40 } else { done / 80 };
            let mut rank = patterns.promise(cell, mover) + weights.near(position, last, cell) + done;
            if reply == Some(cell) {
                rank += 65;
            }
            moves.push((rank, cell));
        });
    }

    /// The best of the moves from `from` on, moved to `from`.
    #[inline]
    pub(super) fn pick(&mut self, from: usize) -> Cell {
        pick(&mut self.moves[from..])
    }

    /// `mv` was best; the moves tried before it were not.
    pub(super) fn refuted_by(&mut self, mv: Cell, node: &Node, tried: &Tried) {
        let mover = self.position.mover();
        let bonus = History::bonus(node.depth);
        let class = self.patterns.class(mv, mover);
        let manner_of_best = manner(class);
        if manner_of_best == Manner::Attack || !node.threatened {
            self.history.reward(mover, mv, manner_of_best, bonus);
        }
        if manner_of_best == Manner::Quiet && !node.threatened {
            let killers = &mut self.frame_mut().killers;
            if killers[0] != Some(mv) {
                *killers = [Some(mv), killers[0]];
            }
        }
        for &failed in &tried.failed {
            let manner = manner(self.patterns.class(failed, mover));
            if manner == Manner::Attack || manner_of_best == Manner::Quiet && !node.threatened {
                self.history.reward(mover, failed, manner, -bonus);
            }
        }
        if self.ply > 0
            && let Some(before) = self.frame(1).mv
        {
            self.history.note_reply(mover.other(), before, mv);
        }
    }
}

#[inline]
fn manner(class: Class) -> Manner {
    if class >= Class::Three { Manner::Attack } else { Manner::Quiet }
}
