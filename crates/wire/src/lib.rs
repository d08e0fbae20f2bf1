//! Lines in and out, the same way in every executable of the workspace.
//!
//! - [`LineReader`]: lines of bounded length from any reader, on any line ending, never more memory than the bound.
//! - [`Failure`]: one line for a person and the exit code that goes with it.
//! - [`run`]: the body of every `main`.
//! - [`process_age`]: the time since the process was started.
//! - [`put_line`]: one write and one flush a line, so that a peer never sees half of one.

#![forbid(unsafe_code)]

mod age;
mod failure;
mod reader;
mod writer;

pub use age::process_age;
pub use failure::{Failure, run};
pub use reader::{LineError, LineReader};
pub use writer::put_line;
