//! Plays, marks, rates and records any executable as its course would. How a course plays is `courses`'.
//!
//! - [`schedule`]: who plays whom; [`run`]: the games, side by side.
//! - [`live`]: a run as it is played, for a browser.
//! - [`log`]: the dialogues of the games.
//! - [`standing`]: every player's results; [`evidence`]: the distinct games among them; [`ranking`]: Othello's as its
//!   course ranks them.
//! - [`mark`]: the courses' marking schemes.
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
