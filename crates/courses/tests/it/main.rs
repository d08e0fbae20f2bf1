//! The games as the tools see them.

mod notation;
mod openings;
mod suite;

/// Returns a game of the registry.
fn game(name: &str) -> courses::registry::Game {
    name.parse().expect("a registered game")
}
