//! Ultimate tic-tac-toe on the course's 169-bit integers.
//!
//! - [`rules`]: cells, integers, positions, the picture of a position.
//! - [`evaluation`]: the evaluation functions, one file each.
//! - [`player`]: rules, evaluation and search-core joined: a position and limits in, a move and the reason out.
//! - [`tree`]: the game tree printed at the speed of memory.
//! - [`protocol`]: texts in, texts out: one answer, and the dialogue of one integer a line.
//! - [`cli`]: arguments, help, exit codes.

#![deny(unsafe_code)]
#![deny(clippy::print_stdout, clippy::print_stderr)]

pub mod cli;
pub mod evaluation;
pub mod player;
pub mod protocol;
pub mod rules;
pub mod tree;
