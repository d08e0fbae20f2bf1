//! À la pêche aux moules: a client that plans, and the server it plays on.
//!
//! - [`rules`]: the maze, the items, what each command does, the original's generator.
//! - [`protocol`]: the match over TCP from both ends, the journal, the map.
//! - [`cli`]: the arguments of both executables.

#![forbid(unsafe_code)]

pub mod cli;
pub mod protocol;
pub mod rules;
