//! The text protocols: both ends of a match over TCP, the journal, the map for the terminal, the analysis dialogue.

pub mod analysis;
#[cfg(feature = "cli")]
pub mod client;
pub mod event;
pub mod journal;
pub mod map;
#[cfg(feature = "cli")]
pub mod server;
