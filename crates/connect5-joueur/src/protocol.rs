//! The protocols: they parse requests, call the player and write its moves.
//!
//! - [`request`]: the requests of the course's tool.
//! - [`dialogue`]: a session with the tool, over any reader and writer.
//! - [`large`]: grids that take long to set up.
//! - `tcp` (feature `cli`): sessions with several clients over TCP.
//! - [`piskvork`]: the Gomocup protocol.
//! - [`analysis`]: the analysis dialogue.
//! - [`team`]: the lines that begin a session.

pub mod analysis;
pub mod dialogue;
mod large;
pub mod piskvork;
pub mod request;
#[cfg(feature = "cli")]
pub mod tcp;
pub mod team;
