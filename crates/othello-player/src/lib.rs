//! Othello: alpha-beta at a given depth.
//!
//! - [`rules`]: bitboards, positions, moves, games, and their texts.
//! - [`evaluation`]: what a position is worth, one file a function.
//! - [`endgame`]: the last moves, solved exactly.
//! - [`player`]: rules, evaluation and search joined.
//! - [`protocol`]: GTP, NBoard, the course's tournament, problem files, a person at a terminal.
//! - [`cli`]: arguments, help, exit codes.

// Allowed where it is said, with the reason: the vector kernels of `rules::bitboard`, and `evaluation::patterns::sum`.
#![deny(unsafe_code)]
#![deny(clippy::print_stdout, clippy::print_stderr)]

pub mod cli;
pub mod endgame;
pub mod evaluation;
pub mod player;
pub mod protocol;
pub mod rules;
