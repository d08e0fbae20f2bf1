//! Plays, marks, rates and records any executable as its course would.
//!
//! - [`fault`]: what a player can do wrong.
//! - [`peer`]: processes and connections, read and written with deadlines and bounds.
//! - [`player`]: who plays, as written on the command line.
//! - [`course`]: the five assignments, each judged by its own rules.
//! - [`schedule`]: who plays whom; [`run`]: the games, side by side; [`record`], [`store`]: what is kept of them.
//! - [`live`]: a run as it is played, for a browser.
//! - [`standing`]: every player's results.
//! - [`mark`]: the courses' marking schemes.
//! - [`stats`]: what games prove; [`report`]: told to people.
//! - [`cli`]: the commands.

#![forbid(unsafe_code)]

pub mod cli;
pub mod course;
pub mod fault;
pub mod live;
pub mod mark;
pub mod peer;
pub mod player;
pub mod record;
pub mod report;
pub mod run;
pub mod schedule;
pub mod standing;
pub mod stats;
pub mod store;
