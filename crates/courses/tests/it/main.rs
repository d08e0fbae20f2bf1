//! The games as the tools see them: pages, judged games, marks, archives; and the sandbox from outside.

#![allow(clippy::disallowed_methods, reason = "tests make files as they like")]

#[cfg(feature = "hand-in")]
mod archives;
mod assignments;
mod attacker;
mod attacks;
mod costs;
mod games;
mod honest;
mod ladder;
mod marks;
mod notation;
mod notes;
mod older;
mod openings;
mod pages;
mod puzzles;
mod reports;
mod review;
mod suite;
mod support;
mod users;

/// Returns a game of the registry.
fn game(name: &str) -> courses::registry::Game {
    name.parse().expect("a registered game")
}
