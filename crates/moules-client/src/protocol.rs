//! The text protocols: both ends of a match over TCP, the journal, the map for the terminal, the analysis dialogue.

pub mod analysis;
pub mod client;
pub mod journal;
pub mod map;
pub mod server;
