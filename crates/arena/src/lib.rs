//! One page where anyone plays, watches and studies the five games.
//!
//! - [`files`]: games of other programs, read for a replay.
//! - [`engine`]: opponents, processes that speak their course's protocol, one thread each.
//! - [`room`]: a game with its seats, clocks and engines; [`hall`]: all of them, and their records.
//! - [`analysis`]: an engine that thinks on as long as one looks.
//! - [`page`]: what is sent; [`web`]: to whom, and under which rules.
//! - [`serveur`]: a course's own server with its page.
//! - [`watch`]: the room of a run that is played elsewhere.
//! - [`words`]: errors and settings in French.
//! - [`mod@cli`] reads the arguments.

#![forbid(unsafe_code)]
#![deny(clippy::print_stdout, clippy::print_stderr)]

pub mod analysis;
pub mod cli;
pub mod engine;
pub mod files;
pub mod hall;
pub mod page;
pub mod room;
pub mod serveur;
pub mod watch;
pub mod web;
pub mod words;
