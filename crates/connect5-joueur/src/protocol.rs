//! Text to the rules' types and back; the player is asked for the moves.
//!
//! - [`request`]: what the course's tool sends.
//! - [`dialogue`]: one conversation with it, over any reader and writer.
//! - [`large`]: grids that take long to set up.
//! - [`tcp`]: many conversations at once.
//! - [`piskvork`]: the Gomocup protocol.
//! - [`analysis`]: who looks at a position for as long as they like.
//! - [`team`]: the lines that begin a conversation.

pub mod analysis;
pub mod dialogue;
mod large;
pub mod piskvork;
pub mod request;
pub mod tcp;
pub mod team;
