//! Ultimate tic-tac-toe on the course's 169-bit integers.
//!
//! - [`rules`]: cells, integers, positions and their picture.
//! - [`evaluation`]: the evaluation functions, one file each.
//! - [`player`]: joins rules, evaluation and search-core; takes a position and limits, returns a move with its report.
//! - `tree` (feature `cli`): prints the game tree at the speed of memory.
//! - [`protocol`]: reads requests and writes answers: one move, or a dialogue of one integer a line.
//! - `cli` (feature `cli`): arguments, help text and exit codes.

#![deny(unsafe_code)]
#![deny(clippy::print_stdout, clippy::print_stderr)]

#[cfg(feature = "cli")]
pub mod cli;
pub mod evaluation;
pub mod player;
pub mod protocol;
pub mod rules;
#[cfg(feature = "cli")]
pub mod tree;
