//! Each archive as the course receives it: unpacked in an empty folder, built offline, and started in the course's way.

#![allow(clippy::disallowed_methods, reason = "tests make files as they like")]

mod archives;
mod command_line;
