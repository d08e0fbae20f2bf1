//! Move lists of the nodes on the path, and move ordering.
//!
//! Source: S. Akl, M. Newborn, "The principal continuation and the killer heuristic", 1977; J. Schaeffer, "The history
//! heuristic", 1983; history gravity: the Stockfish developers.

use super::frame::Killers;
use crate::position::{MoveCode, Sink};
use crate::score::Depth;

/// A stack of move lists, one for each node on the path, with the history (Schaeffer 1983) and killers that rank them.
#[derive(Debug, Clone)]
pub struct Picker<M> {
    moves: Vec<(i32, M)>,
    /// History counts for each side; all zero if the history is off.
    history: Box<[[i16; HISTORY]; 2]>,
    use_history: bool,
    /// The killers and the side to move of the ply that `add` ranks for.
    killers: Killers,
    side: usize,
}

/// History slots for each side. Moves with colliding codes share one.
pub(super) const HISTORY: usize = 1 << 12;
/// The rank of the latest killer; the older one has one less.
const KILLER: i32 = 1 << 15;
/// The greatest rank from the history.
const HISTORY_LIMIT: i32 = 1 << 14;

impl<M: MoveCode> Picker<M> {
    /// A rank above every killer and history count. Add it to a move that must come first.
    pub const FIRST: i32 = 1 << 20;

    pub(super) fn new(use_history: bool) -> Self {
        Self {
            moves: Vec::with_capacity(512),
            history: Box::new([[0; HISTORY]; 2]),
            use_history,
            killers: Killers::NONE,
            side: 0,
        }
    }

    /// Adds a move of the current node. The game's own `rank` is raised by 2<sup>15</sup> for a killer and by
    /// [`history`](Self::history), so differences of ranks below 2<sup>14</sup> only order the rest.
    #[inline]
    pub fn add(&mut self, mv: M, rank: i32) {
        let word = mv.to_code();
        let mut rank = rank + i32::from(self.history[self.side & 1][slot(word)]);
        let [newer, older] = self.killers.words();
        if word == newer {
            rank += KILLER;
        } else if word == older {
            rank += KILLER - 1;
        }
        self.moves.push((rank, mv));
    }

    /// Returns the history count of a move for the side to move at `ply`, within ±2<sup>14</sup>. It is positive for moves
    /// that refuted more often than not.
    #[inline]
    pub fn history(&self, mv: M, ply: usize) -> i32 {
        self.history[ply & 1][slot(mv.to_code())].into()
    }

    /// Returns the number of moves on the whole stack. A node notes it before it adds its own.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// Returns true if the stack is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// Removes all moves above `len`.
    #[inline]
    pub fn truncate(&mut self, len: usize) {
        self.moves.truncate(len);
    }

    /// Returns the moves from `from` on, in their current order.
    #[must_use]
    pub fn moves_from(&self, from: usize) -> impl ExactSizeIterator<Item = M> + '_ {
        self.moves[from..].iter().map(|&(_, mv)| mv)
    }

    /// Sets the ply that `add` ranks for.
    #[inline]
    pub(super) fn at(&mut self, ply: usize, killers: Killers) {
        self.killers = killers;
        self.side = ply & 1;
    }

    /// Ranks a move just below the killers, if it is among those from `from` on.
    pub(super) fn promote(&mut self, from: usize, word: u32) {
        if let Some((rank, _)) = self.moves[from..].iter_mut().find(|(_, mv)| mv.to_code() == word)
            && !self.killers.words().contains(&word)
        {
            *rank += KILLER - 2;
        }
    }

    /// Moves the best of the moves from `from` on to `from`, and returns it.
    #[inline]
    pub(super) fn pick(&mut self, from: usize) -> M {
        pick(&mut self.moves[from..])
    }

    /// `mv` refuted its node at `ply`, `depth` plies above the leaves, after the moves in `from..to` had failed to.
    pub(super) fn cut(&mut self, mv: M, ply: usize, depth: Depth, failed: std::ops::Range<usize>) {
        if self.use_history {
            let bonus = (depth * depth).min(400);
            self.reward(mv, ply, bonus);
            for index in failed {
                self.reward(self.moves[index].1, ply, -bonus);
            }
        }
    }

    #[inline]
    fn reward(&mut self, mv: M, ply: usize, bonus: i32) {
        let count = &mut self.history[ply & 1][slot(mv.to_code())];
        let old = i32::from(*count);
        // History gravity: the count is pulled towards zero in proportion, so it stays within its limits.
        *count = (old + bonus - old * bonus.abs() / HISTORY_LIMIT) as i16;
    }

    pub(super) fn clear(&mut self) {
        self.moves.clear();
    }
}

/// Moves the best of these ranked moves to the front, the first among equals, and returns it.
///
/// # Panics
/// If there is no move.
#[inline]
pub fn pick<M: Copy>(moves: &mut [(i32, M)]) -> M {
    let (mut best, mut highest) = (0, moves[0].0);
    for (index, &(rank, _)) in moves.iter().enumerate().skip(1) {
        if rank > highest {
            (best, highest) = (index, rank);
        }
    }
    moves.swap(0, best);
    moves[0].1
}

#[inline]
pub(super) fn slot(word: u32) -> usize {
    (word.wrapping_mul(0x9e37_79b1) >> 20) as usize
}

impl<M: MoveCode> Sink<M> for Picker<M> {
    #[inline]
    fn push(&mut self, mv: M) {
        self.add(mv, 0);
    }
}
