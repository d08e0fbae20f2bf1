//! Lines in and out, the same way in every executable of the workspace.
//!
//! - [`LineReader`]: lines of bounded length from any reader, on any line ending, never more memory than the bound.
//! - [`text`]: files and uploads of bounded size as text, whatever their encoding.
//! - [`properties`]: game records of properties in brackets, as SGF and GGF have them.
//! - [`Failure`]: one line for a person and the exit code that goes with it.
//! - [`run`]: the body of every `main`.
//! - [`number`], [`number_of`], [`choice_of`], [`named!`]: the values of arguments.
//! - [`process_age`]: the time since the process was started.
//! - [`analysis`]: the dialogue of an engine that thinks on as long as one looks.
//! - [`Waiting`]: the flag that stops the thinking while lines wait for their answer.
//! - [`Telling`]: a player tells of its searches on standard error, where its environment asks for it.
//! - [`put_line`]: one write and one flush a line, so that a peer never sees half of one.
//! - [`mod@file`]: files written whole or not at all, and the files of one command told apart.
//! - [`checksum`]: of what an executable carries.
//! - [`print()`], [`print_line`]: the standard output; a closed pipe ends the program silently, a failed write in one line.
//! - [`note`]: a line of diagnostics; [`printable`]: text of unknown origin, for a terminal.

#![forbid(unsafe_code)]
#![deny(clippy::print_stdout, clippy::print_stderr)]

mod age;
pub mod analysis;
mod argument;
mod checksum;
mod failure;
pub mod file;
mod named;
pub mod properties;
mod reader;
pub mod telling;
#[cfg(test)]
mod testing;
pub mod text;
mod waiting;
mod writer;

pub use age::process_age;
pub use argument::{MOST_MILLIS, NoNumber, choice_of, number, number_of};
pub use checksum::checksum;
pub use failure::{Failure, run};
pub use named::{Language, UnknownName};
pub use reader::{LineError, LineReader};
pub use telling::Telling;
pub use waiting::Waiting;
pub use writer::{is_unprintable, note, print, print_line, printable, put_line};

/// The README's example runs with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
