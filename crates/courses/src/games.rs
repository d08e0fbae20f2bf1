//! The five games, one folder each. Everything game-specific in the tools is in that folder.

#[cfg(feature = "connect5")]
pub mod connect5;
#[cfg(feature = "gounki")]
pub mod gounki;
#[cfg(feature = "moules")]
pub mod moules;
#[cfg(feature = "othello")]
pub mod othello;
#[cfg(feature = "uttt")]
pub mod uttt;

use crate::assignment::Assignment;

/// The project's own assignments, in the order of the demo. Each is a feature.
pub(crate) static OWN: &[&dyn Assignment] = &[
    #[cfg(feature = "connect5")]
    &connect5::assignment::Gomoku,
    #[cfg(feature = "gounki")]
    &gounki::assignment::Stacks,
    #[cfg(feature = "moules")]
    &moules::assignment::Maze,
    #[cfg(feature = "othello")]
    &othello::assignment::Reversi,
    #[cfg(feature = "uttt")]
    &uttt::assignment::Ultimate,
];

/// The name of the assignment that a page offers first.
pub(crate) const FIRST_OFFERED: &str = "othello";
