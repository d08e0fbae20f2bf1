//! Plays, marks, rates and records any executable as its course would.
//!
//! - [`fault`]: what a player can do wrong.
//! - [`peer`]: processes and connections, read and written with deadlines and bounds.
//! - [`stats`]: what games prove.

#![forbid(unsafe_code)]

pub mod fault;
pub mod peer;
pub mod stats;
