//! The games as the tools see them, and the sandbox from outside: programs that attack, and honest ones.

#![allow(clippy::disallowed_methods, reason = "tests make files as they like")]

mod attacker;
mod attacks;
mod costs;
mod honest;
mod notation;
mod openings;
mod puzzles;
mod reports;
mod suite;
mod support;

/// Returns a game of the registry.
fn game(name: &str) -> courses::registry::Game {
    name.parse().expect("a registered game")
}
