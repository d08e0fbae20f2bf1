//! Static win and loss rules and forced moves: wins and losses within a few plies, read from the patterns.

use crate::patterns::Patterns;
use crate::rules::{Cell, Color};
use search_core::Score;

/// The result of the static rules for the mover.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StaticResult {
    /// The mover wins by a stone here, in this number of plies: a five, or an open four that the opponent cannot answer
    /// by five.
    Win(Cell, usize),
    /// The opponent makes five next, here or elsewhere.
    Lost(Cell),
    /// The opponent makes five next unless a stone is put here.
    Forced(Cell),
    /// The static rules decide nothing.
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

    /// Returns the score of a decided node at `ply`.
    pub fn score(self, ply: usize) -> Option<Score> {
        match self {
            Self::Win(_, plies) => Some(Score::win_in(ply + plies)),
            Self::Lost(_) => Some(Score::loss_in(ply + 2)),
            Self::Forced(_) | Self::Open => None,
        }
    }
}
