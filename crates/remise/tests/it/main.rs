//! `remise` on the command line. The archives themselves are tested by `courses`.

#![allow(clippy::disallowed_methods, reason = "tests make files as they like")]

mod command_line;
#[cfg(target_os = "linux")]
mod signals;
