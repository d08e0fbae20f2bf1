//! The arguments of both executables.

pub mod client;
pub mod serveur;
