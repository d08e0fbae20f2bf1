//! Per-ply data of the nodes on the current path.

use crate::position::MoveCode;
use crate::score::Score;

/// The data of one ply of the current path: `search.frames[search.ply]` belongs to the node being searched. Without
/// [`Heuristics::FRAMES`](super::Heuristics::FRAMES) only the killers are stored.
#[derive(Debug, Clone)]
pub struct Frame<M, Own = ()> {
    /// The move that led here; `None` at the root.
    pub mv: Option<M>,
    /// The static evaluation, once [`Search::static_value`](super::Search::static_value) has computed it.
    pub static_value: Option<Score>,
    /// The move excluded by a verification search (see [`Search::without`](super::Search::without)).
    pub excluded: Option<M>,
    /// The last two moves that refuted siblings of this node, latest first (killers: Akl & Newborn 1977).
    pub killers: Killers,
    /// The game's own data. The search never changes it: it holds what the previous node at this ply stored.
    pub own: Own,
}

impl<M, Own: Default> Default for Frame<M, Own> {
    fn default() -> Self {
        Self { mv: None, static_value: None, excluded: None, killers: Killers::NONE, own: Own::default() }
    }
}

/// Two killer moves, as move codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Killers([u32; 2]);

/// The code of no move.
pub(super) const NO_MOVE: u32 = u32::MAX;

impl Killers {
    /// No moves.
    pub const NONE: Self = Self([NO_MOVE; 2]);

    /// The moves, latest first.
    pub fn moves<M: MoveCode>(self) -> impl Iterator<Item = M> {
        self.0.into_iter().filter(|&word| word != NO_MOVE).map(M::from_code)
    }

    /// The move codes, latest first; [`NO_MOVE`] for an empty slot.
    #[inline]
    pub(super) fn words(self) -> [u32; 2] {
        self.0
    }

    #[inline]
    pub(super) fn note(&mut self, word: u32) {
        if self.0[0] != word {
            self.0 = [word, self.0[0]];
        }
    }
}
