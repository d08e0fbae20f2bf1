//! Gounki, the board game with stacks and rebounds: rules, evaluations, robots, and the course's command line.
//!
//! - [`rules`]: positions, moves, their text forms, whole games.
//! - [`evaluation`]: what a position is worth: army, breakthrough, defence line, isolated men, their weighted sum.
//! - [`player`]: robots: random, greedy, min-max, alpha-beta, levels, and the best.
//! - [`protocol`]: the test mode, the play mode, the board as text, files.
//! - [`cli`]: arguments, help, exit codes.
//!
//! `rules` knows nothing of the others, `evaluation` only `rules`; `protocol` asks `player` and never searches.

#![forbid(unsafe_code)]
#![deny(clippy::print_stdout, clippy::print_stderr)]

pub mod cli;
pub mod evaluation;
pub mod player;
pub mod protocol;
pub mod rules;
