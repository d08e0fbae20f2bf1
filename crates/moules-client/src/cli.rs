//! The command lines of both executables.

pub mod client;
pub mod serveur;
