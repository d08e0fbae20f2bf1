//! À la pêche aux moules: a client that plans, and the server it plays on.
//!
//! - [`rules`]: the maze, the items, what each command does, the original's generator.
//! - [`evaluation`]: the functions that rank plans.
//! - [`player`]: who plays, from "always east" to the full player.
//! - [`tracker`]: what the server does not tell: scores, bonuses, lateness.
//! - [`protocol`]: the match over TCP from both ends, the journal, the map.
//! - [`cli`]: the arguments of both executables.

#![forbid(unsafe_code)]
#![deny(clippy::print_stdout, clippy::print_stderr)]

pub mod cli;
pub mod evaluation;
pub mod player;
pub mod protocol;
pub mod rules;
pub mod tracker;
