//! One page where anyone plays, watches and studies the five games.
//!
//! - [`session`]: a game with its seats, clocks and engines. It knows no pages, connections, threads or files.
//! - [`view`]: pages as HTML, of a session as its visitors see it. It knows no connections.
//! - `web`: requests, rooms, files, and engines that are processes.
//! - `watch`: the page of a run; `serveur`: a course's own server with its page.
//! - `cli`: the arguments.
//!
//! Without the feature `server` only `session` and `view` are built.

#![forbid(unsafe_code)]
#![deny(clippy::print_stdout, clippy::print_stderr)]

#[cfg(feature = "server")]
pub mod cli;
#[cfg(feature = "server")]
pub mod serveur;
pub mod session;
pub mod view;
#[cfg(feature = "server")]
pub mod watch;
#[cfg(feature = "server")]
pub mod web;
