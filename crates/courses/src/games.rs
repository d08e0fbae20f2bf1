//! The five games, one folder each. Everything game-specific in the tools is in that folder.

pub mod connect5;
pub mod gounki;
pub mod moules;
pub mod othello;
pub mod uttt;
