//! Static win and loss rules and forced moves: the one place where wins and losses of a few plies are judged, by one look
//! at the patterns.

use crate::patterns::Patterns;
use crate::rules::{Cell, Color};
use search_core::Score;

/// The static rules' result for the mover.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StaticResult {
    /// It wins by a stone here, in so many plies: a five, or an open four that no five comes before.
    Win(Cell, usize),
    /// The other side makes five next, here or elsewhere.
    Lost(Cell),
    /// The other side makes five next if no stone comes here.
    Forced(Cell),
    /// Nothing.
    Open,
}

impl StaticResult {
    pub fn at(patterns: &Patterns, mover: Color) -> Self {
        let threats = patterns.fives(mover.other());
        if let Some(five) = patterns.fives(mover).first() {
            Self::Win(five, 1)
        } else if let Some(five) = threats.first() {
            if threats.len() > 1 { Self::Lost(five) } else { Self::Forced(five) }
        } else if let Some(four) = patterns.open_fours(mover).first() {
            Self::Win(four, 3)
        } else {
            Self::Open
        }
    }

    /// The value of a node at `ply`, where it is decided.
    pub fn score(self, ply: usize) -> Option<Score> {
        match self {
            Self::Win(_, plies) => Some(Score::win_in(ply + plies)),
            Self::Lost(_) => Some(Score::loss_in(ply + 2)),
            Self::Forced(_) | Self::Open => None,
        }
    }
}
