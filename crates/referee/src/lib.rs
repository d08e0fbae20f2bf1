//! Plays, marks, rates and records any executable as its course would.
//!
//! - [`fault`]: what a player can do wrong.
//! - [`peer`]: processes and connections, read and written with deadlines and bounds.
//! - [`player`]: who plays, as written on the command line.
//! - [`course`]: the five assignments, each judged by its own rules.
//! - [`schedule`]: who plays whom; [`record`], [`store`]: what is kept of it.
//! - [`stats`]: what games prove.

#![forbid(unsafe_code)]

pub mod course;
pub mod fault;
pub mod peer;
pub mod player;
pub mod record;
pub mod schedule;
pub mod stats;
pub mod store;
