//! The five games, a folder each: what the tools know of a game stands there and nowhere else.

pub mod connect5;
pub mod gounki;
pub mod moules;
pub mod othello;
pub mod uttt;
