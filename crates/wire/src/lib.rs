//! Input, output, files and arguments, the same way in every executable of the workspace.
//!
//! - [`LineReader`]: reads lines of bounded length with any line ending, in bounded memory.
//! - [`text`]: decodes files and uploads of bounded size, whatever their encoding.
//! - [`properties`]: parses the bracketed properties of SGF and GGF game records.
//! - [`Failure`]: a one-line message and its exit code.
//! - [`run`] and [`run_apart`]: the body of every `main`.
//! - [`number`], [`number_of`], [`choice_of`], [`named!`]: parse the values of arguments.
//! - [`process_age`]: the time since the process was started.
//! - [`analysis`]: the protocol of an engine that analyses until it is told to stop.
//! - [`PendingLines`]: a flag that stops the search while unanswered lines are pending.
//! - [`SearchLog`]: an optional log of a player's searches on standard error.
//! - [`put_line`]: writes and flushes a line at once, so that a peer never sees half of one.
//! - [`mod@file`]: writes files whole and detects when one command names a file twice.
//! - [`checksum`]: the checksum of data compiled into an executable.
//! - `signals` (feature `signals`): the signals that end a program.
//! - `tcp` (feature `tcp`): accepts TCP clients and reads what they send.
//! - [`transfer`]: makes the calls that carry bytes of pipes and connections.
//! - [`print()`], [`print_line`]: write to standard output; a closed pipe ends the program silently.
//! - [`Progress`]: lines on standard output whose first error waits for the result.
//! - [`note`]: writes a diagnostic line; [`printable`] makes text of unknown origin safe for a terminal.
//!
//! # Features
//!
//! None is on by default.
//!
//! - `tcp`: the module of that name, for servers.
//! - `signals`: a file that may not grow (`ulimit -f`) is a failed write, in programs that write files.
//! - `attributes`: on Linux a replaced file keeps its extended attributes, and folders of any depth are removed.
//! - `faults`: calls that change files fail on purpose, for tests.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod age;
pub mod analysis;
mod argument;
mod checksum;
mod failure;
pub mod file;
mod named;
mod pending_lines;
mod progress;
pub mod properties;
mod reader;
pub mod search_log;
#[cfg(all(unix, feature = "signals"))]
pub mod signals;
#[cfg(feature = "tcp")]
pub mod tcp;
#[cfg(test)]
mod testing;
pub mod text;
pub mod transfer;
mod writer;

pub use age::process_age;
pub use argument::{MAX_MILLIS, NumberError, choice_of, has_memory, mebibytes_of, number, number_of};
pub use checksum::checksum;
pub use failure::{Failure, run, run_apart};
pub use named::{Language, UnknownName};
pub use pending_lines::PendingLines;
pub use progress::Progress;
pub use reader::{LineError, LineReader};
pub use search_log::SearchLog;
pub use writer::{is_unprintable, note, print, print_line, printable, put_line, write_notes_in_background};

/// Runs the README's example with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
