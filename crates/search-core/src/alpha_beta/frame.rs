//! The nodes on the path.

use crate::position::MoveCode;
use crate::score::Score;

/// A node on the path from the root, one a ply: `search.frames[search.ply]` is the node that is searched now. All but
/// the killers is kept only where [`Heuristics::FRAMES`](super::Heuristics::FRAMES) asks for it.
#[derive(Debug, Clone)]
pub struct Frame<M, Own = ()> {
    /// The move that led here; `None` at the root.
    pub mv: Option<M>,
    /// The evaluation of the node, once [`Search::static_value`](super::Search::static_value) has found it.
    pub static_value: Option<Score>,
    /// The move that a verification search leaves out here (see [`Search::without`](super::Search::without)).
    pub excluded: Option<M>,
    /// The moves that refuted siblings of this node last, the newer first (killers: Akl & Newborn 1977).
    pub killers: Killers,
    /// The game's own part. The search never touches it: it is what the last node at this ply left there.
    pub own: Own,
}

impl<M, Own: Default> Default for Frame<M, Own> {
    fn default() -> Self {
        Self { mv: None, static_value: None, excluded: None, killers: Killers::NONE, own: Own::default() }
    }
}

/// Two moves, as words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Killers([u32; 2]);

/// No move's word.
pub(super) const NO_MOVE: u32 = u32::MAX;

impl Killers {
    /// No moves.
    pub const NONE: Self = Self([NO_MOVE; 2]);

    /// The moves, the newer first.
    pub fn moves<M: MoveCode>(self) -> impl Iterator<Item = M> {
        self.0.into_iter().filter(|&word| word != NO_MOVE).map(M::from_code)
    }

    /// The words, the newer first; [`NO_MOVE`] where there is none.
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
