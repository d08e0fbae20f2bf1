//! À la pêche aux moules: a client that plans its moves, and a server.
//!
//! - [`rules`]: the maze, the items, the commands, and the original server's maze generator.
//! - [`maze`]: the maze prepared for planning: steps and jumps, items as bits, distances.
//! - [`evaluation`]: the functions that rank plans.
//! - [`player`]: the players, from "always east" to the full planner.
//! - [`tracker`]: the state that the server does not send: points, bonuses, late answers.
//! - [`protocol`]: both ends of the TCP protocol, the journal of matches, the map for the terminal.
//! - `cli` (feature `cli`): the command lines of both executables.

#![forbid(unsafe_code)]
#![deny(clippy::print_stdout, clippy::print_stderr)]

#[cfg(feature = "cli")]
pub mod cli;
pub mod evaluation;
pub mod maze;
pub mod player;
pub mod protocol;
pub mod rules;
pub mod tracker;
