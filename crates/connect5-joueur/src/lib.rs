//! A player of Connect5, which is gomoku where exactly five in a row win, on grids up to 1023×1023.
//!
//! - [`rules`]: cells, grids as a request describes them, positions with make and undo.
//! - [`patterns`]: the line shapes and values of every free cell, updated incrementally.
//! - [`evaluation`]: evaluation functions over the patterns, chosen by name.
//! - [`player`]: the search: static rules, forced moves, VCF and VCT, alpha-beta.
//! - [`protocol`]: the course's dialogue (on standard input and output, over TCP) and the Gomocup protocol.
//! - `cli` (feature `cli`): the command line.

#![forbid(unsafe_code)]
#![deny(clippy::print_stdout, clippy::print_stderr)]

#[cfg(feature = "cli")]
pub mod cli;
pub mod evaluation;
pub mod patterns;
pub mod player;
pub mod protocol;
pub mod rules;
