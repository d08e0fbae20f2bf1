//! The countermove heuristic (Uiterwijk 1992): a move that refuted another once may refute it again.
//!
//! Source: J. Uiterwijk, "The countermove heuristic", 1992; the Stockfish developers.

use super::frame::NO_MOVE;
use super::picker::{HISTORY, slot};
use crate::position::MoveCode;

/// The last refutation of each opponent's move, for each side.
#[derive(Debug, Clone)]
pub(super) struct Countermoves(Vec<[u32; HISTORY]>);

impl Countermoves {
    pub fn new(used: bool) -> Self {
        Self(if used { vec![[NO_MOVE; HISTORY]; 2] } else { Vec::new() })
    }

    #[inline]
    pub fn get(&self, ply: usize, last: impl MoveCode) -> u32 {
        self.0.get(ply & 1).map_or(NO_MOVE, |side| side[slot(last.to_code())])
    }

    #[inline]
    pub fn note(&mut self, ply: usize, last: impl MoveCode, refutation: u32) {
        if let Some(side) = self.0.get_mut(ply & 1) {
            side[slot(last.to_code())] = refutation;
        }
    }
}
