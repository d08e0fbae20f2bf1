//! The moves of the nodes on the path, and what ranks them.

use crate::position::{Sink, Word};
use crate::score::Depth;

/// A stack of move lists, one a node on the path, with the killers and the history that rank them.
#[derive(Debug, Clone)]
pub struct Picker<M> {
    moves: Vec<(i32, M)>,
    /// Two a ply.
    killers: Vec<[Option<M>; 2]>,
    use_killers: bool,
    history: Vec<i16>,
    use_history: bool,
    ply: usize,
}

/// Slots of the history, for each side; moves whose words collide share one.
const HISTORY: usize = 1 << 12;
/// The rank of the newer killer; the older has one less.
const KILLER: i32 = 1 << 15;
/// The history's greatest rank.
const HISTORY_LIMIT: i32 = 1 << 14;

impl<M: Word> Picker<M> {
    /// A rank above every killer and every history count: add it to a move that must come first.
    pub const FIRST: i32 = 1 << 20;

    pub(super) fn new(use_killers: bool, use_history: bool) -> Self {
        Self {
            moves: Vec::with_capacity(512),
            killers: vec![[None; 2]; super::MAX_PLY + 2],
            use_killers,
            history: vec![0; if use_history { 2 * HISTORY } else { 0 }],
            use_history,
            ply: 0,
        }
    }

    /// Adds a move of the current node; its rank is the game's own, plus what killers and history say of it.
    #[inline]
    pub fn add(&mut self, mv: M, rank: i32) {
        let mut rank = rank;
        if self.use_killers {
            let killers = &self.killers[self.ply];
            if killers[0] == Some(mv) {
                rank += KILLER;
            } else if killers[1] == Some(mv) {
                rank += KILLER - 1;
            }
        }
        if self.use_history {
            rank += i32::from(self.history[slot(self.ply, mv)]);
        }
        self.moves.push((rank, mv));
    }

    /// Adds a move with this very rank.
    #[inline]
    pub fn add_ranked(&mut self, mv: M, rank: i32) {
        self.moves.push((rank, mv));
    }

    /// Moves on the whole stack: a node notes it before it adds its own.
    #[inline]
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// Whether the stack is empty.
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// Takes off all moves above `len`.
    #[inline]
    pub fn truncate(&mut self, len: usize) {
        self.moves.truncate(len);
    }

    /// The moves from `from` on, in the order they stand in now.
    pub fn moves_from(&self, from: usize) -> impl ExactSizeIterator<Item = M> + '_ {
        self.moves[from..].iter().map(|&(_, mv)| mv)
    }

    /// Tells which ply `add` ranks for.
    #[inline]
    pub(super) fn at(&mut self, ply: usize) {
        self.ply = ply;
    }

    /// The best of the moves from `from` on, moved to `from`.
    #[inline]
    pub(super) fn pick(&mut self, from: usize) -> M {
        let rest = &mut self.moves[from..];
        let mut best = 0;
        for index in 1..rest.len() {
            if rest[index].0 > rest[best].0 {
                best = index;
            }
        }
        rest.swap(0, best);
        rest[0].1
    }

    /// `mv` refuted its node at `ply`, `depth` plies above the leaves, after the moves in `from..to` had failed to.
    pub(super) fn cut(&mut self, mv: M, ply: usize, depth: Depth, failed: std::ops::Range<usize>) {
        if self.use_killers {
            let killers = &mut self.killers[ply];
            if killers[0] != Some(mv) {
                *killers = [Some(mv), killers[0]];
            }
        }
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
        let count = &mut self.history[slot(ply, mv)];
        let old = i32::from(*count);
        // Pulled towards zero in proportion, so that it never leaves its limits and follows what is true now.
        *count = (old + bonus - old * bonus.abs() / HISTORY_LIMIT) as i16;
    }

    pub(super) fn new_search(&mut self) {
        self.killers.fill([None; 2]);
        self.clear();
    }

    pub(super) fn clear(&mut self) {
        self.moves.clear();
    }
}

#[inline]
fn slot<M: Word>(ply: usize, mv: M) -> usize {
    let hash = mv.to_word().wrapping_mul(0x9e37_79b1) >> 20;
    hash as usize + HISTORY * (ply & 1)
}

impl<M: Word> Sink<M> for Picker<M> {
    #[inline]
    fn push(&mut self, mv: M) {
        self.add(mv, 0);
    }
}
