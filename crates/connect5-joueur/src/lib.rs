//! A player of Connect5: gomoku in which exactly five in a row win, on any grid up to 1023×1023.
//!
//! - [`rules`]: cells, grids as a request describes them, positions with make and undo.
//! - [`patterns`]: what each empty cell is worth to each colour, line by line, kept up to date by every stone.
//! - [`evaluation`]: evaluation functions over the patterns, chosen by name.
//! - [`player`]: limits to move: static wins, forced replies, the searches for fours and threats, alpha-beta.
//! - [`protocol`]: the course's dialogue (on standard input and output, over TCP) and the Gomocup protocol.
//! - [`cli`]: arguments, help text, exit codes.

#![forbid(unsafe_code)]
#![deny(clippy::print_stdout, clippy::print_stderr)]

pub mod cli;
pub mod evaluation;
pub mod patterns;
pub mod player;
pub mod protocol;
pub mod rules;
