//! The five games, one folder each. Everything game-specific in the tools is in that folder.

pub mod connect5;
pub mod gounki;
pub mod moules;
pub mod othello;
pub mod uttt;

use crate::assignment::Assignment;

/// The project's own assignments, in the order of the demo.
pub(crate) static OWN: [&dyn Assignment; 5] = [
    &connect5::assignment::Gomoku,
    &gounki::assignment::Stacks,
    &moules::assignment::Maze,
    &othello::assignment::Reversi,
    &uttt::assignment::Ultimate,
];

/// The assignment that a page offers first.
pub(crate) static FIRST_OFFERED: &dyn Assignment = &othello::assignment::Reversi;
