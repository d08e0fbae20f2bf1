//! The protocol log: both sides of the dialogues with players, with times.

use courses::peer::Said;
use courses::record::Record;
use std::fmt::Write;
use std::io::{self, Read};
use std::path::Path;
use wire::file::Appended;

/// The games that a log keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kept {
    /// Every game.
    All,
    /// Games with a fault.
    Faulty,
}

/// The beginning of each game, and so of a log.
const TITLE: &str = "== game ";

/// A log file open for writing.
#[derive(Debug)]
pub struct Log {
    file: Appended,
    kept: Kept,
    /// True for a file whose old content goes when the log begins.
    is_old: bool,
}

impl Log {
    /// Opens a log of the games that are `kept`. It begins anew unless `goes_on`, for a run that goes on in its record.
    /// Until its first game or [`begin`](Self::begin) an old file is not changed, and a new one goes with the value or
    /// by a signal.
    ///
    /// # Errors
    /// The system's error, or another program has the file. A file that is not a log is left unchanged.
    pub fn open(path: &Path, kept: Kept, goes_on: bool) -> io::Result<Self> {
        let file = Appended::provisional(path)?.alone()?;
        if !file.is_special() {
            let mut first = Vec::new();
            file.file().take(TITLE.len() as u64).read_to_end(&mut first)?;
            if !TITLE.as_bytes().starts_with(&first) {
                return Err(io::Error::other("it is not a log of the referee and is left unchanged"));
            }
        }
        let is_old = !file.is_special() && !goes_on;
        Ok(Self { file, kept, is_old })
    }

    /// Empties the file of an earlier run, for one that begins.
    ///
    /// # Errors
    /// The system's error.
    pub fn begin(&mut self) -> io::Result<()> {
        self.file.keep();
        if std::mem::take(&mut self.is_old) { self.file.cut(0) } else { Ok(()) }
    }

    /// Syncs the file to the disk, and checks that no other program has removed, replaced or changed it.
    ///
    /// # Errors
    /// The system's error, or such a change.
    pub fn sync(&self) -> io::Result<()> {
        self.file.sync()
    }

    /// Writes a game: seconds from the run's start, the player's name, `<` for its lines and `>` for the referee's.
    ///
    /// # Errors
    /// The system's error.
    pub fn write(&mut self, record: &Record) -> io::Result<()> {
        self.begin()?;
        let played = &record.played;
        if self.kept == Kept::Faulty && played.faults.is_empty() {
            return Ok(());
        }
        let opening = &record.opening;
        let mut text = String::new();
        let _ =
            writeln!(text, "{TITLE}{}: {}; opening \"{opening}\"", record.game + 1, record.names.join(" - "));
        let mut lines: Vec<(usize, &Said)> = played
            .dialogues
            .iter()
            .enumerate()
            .flat_map(|(seat, lines)| lines.iter().map(move |line| (seat, line)))
            .collect();
        lines.sort_by_key(|(_, line)| line.at);
        for (seat, line) in lines {
            let _ = writeln!(text, "{:>12.6} {} {line}", line.at.as_secs_f64(), record.names[seat]);
        }
        for (seat, fault) in &played.faults {
            let _ = writeln!(text, "{:>12} {} ! {fault}", "", record.names[*seat]);
        }
        let _ = writeln!(text, "-- {}", played.end);
        self.file.append(text.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_that_another_run_writes_is_not_begun_anew() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        let mut first = Log::open(&path, Kept::All, false).unwrap();
        first.file.append(b"== game 0").unwrap();
        let error = Log::open(&path, Kept::All, false).unwrap_err();
        assert_eq!(error.to_string(), "another program writes to it");
        assert_eq!(std::fs::read(&path).unwrap(), b"== game 0");
    }
}
