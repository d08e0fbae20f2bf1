//! Plays, marks, rates and records any executable as its course would. The rules of each course are in `courses`.
//!
//! - [`schedule`]: the pairings; [`run`]: concurrent games.
//! - [`live`]: a run in progress, for a browser.
//! - [`log`]: the dialogues of the games.
//! - [`standing`]: every player's results; [`evidence`]: the distinct games among them; [`ranking`]: the order
//!   that a course gives by scores.
//! - [`mark`]: report cards of one program or a class, by the marking schemes of `courses`.
//! - [`stats`]: what games prove; [`report`]: told to people.
//! - [`cli`]: the commands.

#![forbid(unsafe_code)]
#![deny(clippy::print_stdout, clippy::print_stderr)]

pub mod cli;
pub mod evidence;
pub mod live;
pub mod log;
pub mod mark;
pub mod pairing;
pub mod ranking;
pub mod report;
pub mod run;
pub mod schedule;
pub mod standing;
pub mod stats;
pub mod suite;
