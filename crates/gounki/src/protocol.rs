//! The course's command line: test mode, play mode, the board as text, and files.

pub mod analysis;
pub mod board;
pub mod file;
pub mod french;
#[cfg(feature = "cli")]
pub mod play;
pub mod test;

use crate::rules::Move;

/// The heading above a played move's board: `Coup 1 (blanc) : a2-b3`.
#[must_use]
pub fn heading(number: usize, mv: Move) -> String {
    format!("Coup {number} ({}) : {mv}", mv.colour())
}

/// The line that announces the winner.
#[must_use]
pub fn result(winner: crate::rules::Colour) -> String {
    format!("Partie terminée : les {}s gagnent.", winner)
}
