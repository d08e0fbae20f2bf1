//! The text protocols: the match over TCP from both ends, the journal of matches, the map for a person, the analysis
//! dialogue.

pub mod analysis;
pub mod client;
pub mod journal;
pub mod map;
pub mod server;
