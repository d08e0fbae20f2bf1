//! Gounki, the board game with stacks and rebounds: rules, evaluations, robots, and the course's command line.
//!
//! - [`rules`]: positions, moves, their notations, whole games.
//! - [`evaluation`]: evaluation functions: army, breakthrough, defence line, isolated men, their weighted sum, two
//!   learned.
//! - [`player`]: robots: random, greedy, min-max, alpha-beta, levels, and the best.
//! - [`protocol`]: test mode, play mode, the board as text, files.
//! - `cli` (feature `cli`): arguments, help, exit codes.
//!
//! `rules` does not depend on the others, and `evaluation` depends only on `rules`. `protocol` asks `player` and never
//! searches.

#![forbid(unsafe_code)]
#![deny(clippy::print_stdout, clippy::print_stderr)]

#[cfg(feature = "cli")]
pub mod cli;
pub mod evaluation;
pub mod player;
pub mod protocol;
pub mod rules;
