//! Each archive as the course receives it: unpacked in an empty folder, built offline, and started in the course's way.

mod archives;
mod command_line;
