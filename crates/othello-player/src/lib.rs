//! An Othello player: alpha-beta search to a given depth or by the clock.
//!
//! - [`rules`]: bitboards, positions, moves, games, and their notations.
//! - [`evaluation`]: evaluation functions, one per file.
//! - [`endgame`]: the exact endgame solver.
//! - [`player`]: combines rules, evaluation and search.
//! - [`protocol`]: GTP, NBoard, the course's tournament, problem files, and play at a terminal.
//! - `cli` (feature `cli`): arguments, help, exit codes.

// Allowed, with reasons, in the vector kernels of `rules::bitboard` and in `evaluation::patterns::sum`.
#![deny(unsafe_code)]
#![deny(clippy::print_stdout, clippy::print_stderr)]

#[cfg(feature = "cli")]
pub mod cli;
pub mod endgame;
pub mod evaluation;
pub mod player;
pub mod protocol;
pub mod rules;
