//! The protocol log: both sides of the dialogues with players, with times.

use courses::peer::Said;
use courses::record::Record;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// The games that a log keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kept {
    /// Every game.
    All,
    /// Games with a fault.
    Faulty,
}

/// A log file open for writing.
#[derive(Debug)]
pub struct Log {
    file: BufWriter<File>,
    kept: Kept,
}

impl Log {
    /// Creates a log of the games that are `kept`.
    ///
    /// # Errors
    /// The system's error.
    pub fn create(path: &Path, kept: Kept) -> io::Result<Self> {
        Ok(Self { file: BufWriter::new(File::create(path)?), kept })
    }

    /// Writes a game: seconds from the run's start, the player's name, `<` for its lines and `>` for the referee's.
    ///
    /// # Errors
    /// The system's error.
    pub fn write(&mut self, record: &Record) -> io::Result<()> {
        let played = &record.played;
        if self.kept == Kept::Faulty && played.faults.is_empty() {
            return Ok(());
        }
        let opening = &record.opening;
        writeln!(self.file, "== game {}: {}; opening \"{opening}\"", record.game, record.names.join(" - "))?;
        let mut lines: Vec<(usize, &Said)> = played
            .dialogues
            .iter()
            .enumerate()
            .flat_map(|(seat, lines)| lines.iter().map(move |line| (seat, line)))
            .collect();
        lines.sort_by_key(|(_, line)| line.at);
        for (seat, line) in lines {
            writeln!(self.file, "{:>12.6} {} {line}", line.at.as_secs_f64(), record.names[seat])?;
        }
        for (seat, fault) in &played.faults {
            writeln!(self.file, "{:>12} {} ! {fault}", "", record.names[*seat])?;
        }
        writeln!(self.file, "-- {}", played.end)?;
        self.file.flush()
    }
}
