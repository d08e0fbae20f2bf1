//! The course's command line: the test mode, the play mode, the board on a terminal, and files.

pub mod analysis;
pub mod board;
pub mod file;
pub mod french;
pub mod play;
pub mod test;

use crate::rules::Move;

/// The heading of a move that was played: `Coup 1 (blanc) : a2-b3`.
#[must_use]
pub fn heading(number: usize, mv: Move) -> String {
    format!("Coup {number} ({}) : {mv}", mv.colour())
}

/// The line that ends a game.
#[must_use]
pub fn result(winner: crate::rules::Colour) -> String {
    format!("Partie terminée : les {}s gagnent.", winner)
}
