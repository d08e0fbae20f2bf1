//! The hand-in of each course: archives that build and run with nothing else.
//!
//! - [`team`]: who hands in, as the courses' file names, packages and team lines need it.
//! - [`tree`]: files in memory; [`package`]: what of a package goes into an archive.
//! - [`workspace`]: the project pruned to one player, with its dependencies beside it.
//! - [`course`]: the five archives, one file a course; [`pack`]: written as zip or tar.gz.
//! - [`check`]: an archive unpacked, built without network, and played, as its course does it.
//! - [`progress`]: what is shown while cargo compiles.
//! - [`report`]: Gounki's report in PDF, from the project's text and its measured tournament.
//! - [`cli`]: the command line.

#![forbid(unsafe_code)]
#![deny(clippy::print_stdout, clippy::print_stderr)]

pub mod check;
pub mod cli;
pub mod course;
pub mod pack;
pub mod package;
pub mod progress;
pub mod report;
pub mod team;
pub mod tree;
pub mod workspace;
