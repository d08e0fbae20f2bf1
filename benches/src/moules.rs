//! The maze.

use crate::table::Game;
use moules_client::evaluation::Evaluation;

/// The evaluation functions.
#[must_use]
pub fn game() -> Game {
    Game::new("moules", Evaluation::ALL, "--eval {}")
}
