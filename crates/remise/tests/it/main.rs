//! Each archive as its course receives it: unpacked in an empty folder, built offline, started the course's own way.

mod archives;
mod command_line;
