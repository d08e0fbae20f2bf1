//! The arguments of both executables.

pub mod serveur;
