//! The moves of the nodes on the path, and what ranks them.
//!
//! Source: S. Akl, M. Newborn, "The principal continuation and the killer heuristic", 1977; J. Schaeffer, "The history
//! heuristic", 1983.

use crate::position::{Sink, Word};
use crate::score::Depth;

/// A stack of move lists, one a node on the path, with the killers and the history that rank them.
#[derive(Debug, Clone)]
pub struct Picker<M> {
    moves: Vec<(i32, M)>,
    /// Two a ply, as words.
    killers: Vec<[u32; 2]>,
    use_killers: bool,
    /// Counts for each side; all zero where it is not used.
    history: Box<[[i16; HISTORY]; 2]>,
    use_history: bool,
    /// The killers of the ply that `add` ranks for, and whose turn it is there.
    now: [u32; 2],
    side: usize,
}

/// No move's word.
const NO_MOVE: u32 = u32::MAX;

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
            killers: vec![[NO_MOVE; 2]; super::MAX_PLY + 2],
            use_killers,
            history: Box::new([[0; HISTORY]; 2]),
            use_history,
            now: [NO_MOVE; 2],
            side: 0,
        }
    }

    /// Adds a move of the current node; its rank is the game's own, plus what killers and history say of it.
    #[inline]
    pub fn add(&mut self, mv: M, rank: i32) {
        let word = mv.to_word();
        let mut rank = rank + i32::from(self.history[self.side & 1][slot(word)]);
        if word == self.now[0] {
            rank += KILLER;
        } else if word == self.now[1] {
            rank += KILLER - 1;
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
        self.now = self.killers[ply];
        self.side = ply & 1;
    }

    /// The best of the moves from `from` on, moved to `from`.
    #[inline]
    pub(super) fn pick(&mut self, from: usize) -> M {
        pick(&mut self.moves[from..])
    }

    /// `mv` refuted its node at `ply`, `depth` plies above the leaves, after the moves in `from..to` had failed to.
    pub(super) fn cut(&mut self, mv: M, ply: usize, depth: Depth, failed: std::ops::Range<usize>) {
        if self.use_killers {
            let killers = &mut self.killers[ply];
            if killers[0] != mv.to_word() {
                *killers = [mv.to_word(), killers[0]];
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
        let count = &mut self.history[ply & 1][slot(mv.to_word())];
        let old = i32::from(*count);
        // Pulled towards zero in proportion, so that it never leaves its limits and follows what is true now.
        *count = (old + bonus - old * bonus.abs() / HISTORY_LIMIT) as i16;
    }

    pub(super) fn new_search(&mut self) {
        self.killers.fill([NO_MOVE; 2]);
        self.clear();
    }

    pub(super) fn clear(&mut self) {
        self.moves.clear();
    }
}

/// The best of these ranked moves, the first among equals, moved to the front.
///
/// # Panics
/// Without a move.
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
fn slot(word: u32) -> usize {
    (word.wrapping_mul(0x9e37_79b1) >> 20) as usize
}

impl<M: Word> Sink<M> for Picker<M> {
    #[inline]
    fn push(&mut self, mv: M) {
        self.add(mv, 0);
    }
}
