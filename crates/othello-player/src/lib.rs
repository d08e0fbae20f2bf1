//! Othello: alpha-beta at a given depth.
//!
//! - [`rules`]: bitboards, positions, moves, games, and their texts.
//! - [`evaluation`]: what a position is worth, one file a function.
//! - [`player`]: rules, evaluation and search joined.
//! - [`protocol`]: GTP, NBoard, the course's tournament, problem files, a person at a terminal.
//! - [`cli`]: arguments, help, exit codes.

#![forbid(unsafe_code)]

pub mod cli;
pub mod evaluation;
pub mod player;
pub mod protocol;
pub mod rules;
