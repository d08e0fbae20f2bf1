//! Text to the rules' types and back; the player is asked for the moves.
//!
//! - [`request`]: what the course's tool sends.
//! - [`dialogue`]: one conversation with it, over any reader and writer.
//! - [`tcp`]: many conversations at once.
//! - [`piskvork`]: the Gomocup protocol.
//! - [`team`]: the lines that begin a conversation.

pub mod dialogue;
pub mod piskvork;
pub mod request;
pub mod tcp;
pub mod team;
