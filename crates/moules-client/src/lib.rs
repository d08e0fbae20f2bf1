//! À la pêche aux moules: a client that plans, and the server it plays on.
//!
//! - [`rules`]: the maze, the items, what each command does, the original's generator.

#![forbid(unsafe_code)]

pub mod rules;
