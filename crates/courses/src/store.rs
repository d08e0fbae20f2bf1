//! Record files: a head, then one JSON line a game, appended when a game ends.

mod head;
mod merge;
mod read;

pub use head::{CourseRanking, Format, Head, difference};
pub use merge::merge;
pub use read::{LineError, check_encoding};

use crate::record::Record;
use head::rebuilt;
use read::{Contents, read};
use serde::{Deserialize, Serialize};
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use wire::file::Appended;

#[derive(Serialize, Deserialize)]
struct FirstLine {
    run: Head,
}

/// An error in the use of a record file.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The file cannot be read or written.
    #[error("{path}: {error}")]
    Io {
        /// The path of the file.
        path: PathBuf,
        /// The system's error.
        error: std::io::Error,
    },
    /// A line is not a valid record.
    #[error("{path}, line {line}: {error}")]
    Line {
        /// The path of the record file.
        path: PathBuf,
        /// The line's number, from 1.
        line: usize,
        /// The fault of the line.
        error: LineError,
    },
    /// The file belongs to another run.
    #[error("{path} holds another run: {what}")]
    Other {
        /// The path of the record file.
        path: PathBuf,
        /// The first difference.
        what: String,
    },
    /// Merging would lose games of the existing output file.
    #[error("{path} holds {count} games that the parts do not, from game {first} on")]
    Lost {
        /// The path of the output file.
        path: PathBuf,
        /// The number of games that would be lost.
        count: usize,
        /// The number of the first of them.
        first: u64,
    },
    /// The path is a folder, a device or a pipe.
    #[error("{0} is not a file that games can be appended to")]
    Special(PathBuf),
    /// Another referee holds the file's lock.
    #[error("{0} is in use by another referee")]
    Busy(PathBuf),
}

/// A record file open for appending.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    file: Appended,
    /// The time of the last sync to disk, and whether something was written since.
    synced: Instant,
    dirty: bool,
    /// The change to the file before its first game.
    first: Option<First>,
}

/// The number of bytes of an opened file that stay, the end of their last line if it is missing, and a missing head.
#[derive(Debug)]
struct First {
    whole: u64,
    lacks_end: bool,
    head: Option<Vec<u8>>,
}

/// Interval between syncs, the most that a power cut can lose.
const SYNC_EVERY: Duration = Duration::from_secs(1);

impl Store {
    /// Opens or creates a run's file, and returns its games. Removes an incomplete last line, which a referee killed
    /// while writing leaves, and never changes anything else.
    ///
    /// # Errors
    /// [`StoreError`]. A file that is not a run's record is not changed.
    pub fn open(path: &Path, head: &Head) -> Result<(Self, Vec<Record>), StoreError> {
        let (mut store, records) = Self::prepare(path, head, |_, _| ())?;
        store.begin()?;
        Ok((store, records))
    }

    /// Does the same for a run that may still be refused: until its first game or [`begin`](Self::begin) an old file is not changed, and a new one
    /// goes with the value or by a signal. `slim` may drop what the run does not need of a game.
    ///
    /// # Errors
    /// Those of [`open`](Self::open).
    pub fn prepare(
        path: &Path,
        head: &Head,
        slim: impl Fn(&Head, &mut Record),
    ) -> Result<(Self, Vec<Record>), StoreError> {
        let io = |error| StoreError::Io { path: path.to_owned(), error };
        if std::fs::metadata(path).is_ok_and(|data| !data.is_file()) {
            return Err(StoreError::Special(path.to_owned()));
        }
        let mut file = Appended::provisional(path).map_err(io)?;
        file.lock().map_err(|_| StoreError::Busy(path.to_owned()))?;
        let found = read(path, BufReader::new(file.file()), slim)?;
        let other = |found: &Head| difference(head, found).or_else(|| rebuilt(head, found));
        if let Some(what) = found.head.as_ref().and_then(other) {
            return Err(StoreError::Other { path: path.to_owned(), what });
        }
        let first = first_line(head).map_err(io)?;
        if !was_cut_short(&found, &first) {
            let line = if found.head.is_none() { 1 } else { found.records.len() + 2 };
            let error = LineError::Unfinished;
            return Err(StoreError::Line { path: path.to_owned(), line, error });
        }
        let head = found.head.is_none().then_some(first);
        let first = Some(First { whole: found.whole, lacks_end: found.lacks_end, head });
        let path = path.to_owned();
        Ok((Self { path, file, synced: Instant::now(), dirty: true, first }, found.records))
    }

    /// Makes the file ready for its first game: takes away an incomplete line, and writes a missing head.
    ///
    /// # Errors
    /// [`StoreError::Io`].
    pub fn begin(&mut self) -> Result<(), StoreError> {
        self.make_ready().map_err(|error| StoreError::Io { path: self.path.clone(), error })
    }

    fn make_ready(&mut self) -> io::Result<()> {
        if let Some(First { whole, lacks_end, head }) = &self.first {
            self.file.cut(*whole)?;
            if *lacks_end {
                self.file.append(b"\n")?;
            }
            head.iter().try_for_each(|head| self.file.append(head))?;
            self.first = None;
        }
        Ok(())
    }

    /// Appends all of a game or nothing, in one write, so that readers see whole lines. Syncs the file at least once a
    /// second.
    ///
    /// # Errors
    /// [`StoreError::Io`].
    pub fn push(&mut self, record: &Record) -> Result<(), StoreError> {
        self.append(record).map_err(|error| StoreError::Io { path: self.path.clone(), error })
    }

    /// Syncs the games to the disk, which may refuse what it took, and checks that no other program has removed, replaced
    /// or changed the file.
    ///
    /// # Errors
    /// [`StoreError::Io`].
    pub fn sync(&mut self) -> Result<(), StoreError> {
        let is_dirty = self.first.is_none() && std::mem::take(&mut self.dirty);
        let synced = if is_dirty { self.file.sync() } else { self.file.check() };
        synced.map_err(|error| StoreError::Io { path: self.path.clone(), error })
    }

    fn append(&mut self, record: &Record) -> io::Result<()> {
        self.make_ready()?;
        self.file.append(&line_of(record)?)?;
        self.dirty = true;
        if self.synced.elapsed() >= SYNC_EVERY {
            self.file.sync()?;
            (self.synced, self.dirty) = (Instant::now(), false);
        }
        Ok(())
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        if self.first.is_none() && self.dirty {
            // Where an error is told already.
            let _ = self.file.sync();
        }
    }
}

/// Serialises a value as a line of the file.
fn line_of(value: &impl Serialize) -> io::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(value)?;
    line.push(b'\n');
    Ok(line)
}

fn first_line(head: &Head) -> io::Result<Vec<u8>> {
    line_of(&FirstLine { run: head.clone() })
}

/// Returns true if the bytes after the last whole line are empty, or the beginning of a line that this program would
/// have written.
fn was_cut_short(found: &Contents, first: &[u8]) -> bool {
    const RECORD: &[u8] = b"{\"game\":";
    match found.head {
        None => first.starts_with(&found.rest),
        Some(_) => found.rest.starts_with(RECORD) || RECORD.starts_with(&found.rest),
    }
}

/// Reads a record file: its head and its games.
///
/// # Errors
/// [`StoreError`].
pub fn load(path: &Path) -> Result<(Head, Vec<Record>), StoreError> {
    load_slim(path, |_, _| ())
}

/// Reads a record file. `slim` may drop what the caller does not need of a game.
///
/// # Errors
/// [`StoreError`].
pub fn load_slim(path: &Path, slim: impl Fn(&Head, &mut Record)) -> Result<(Head, Vec<Record>), StoreError> {
    let io = |error| StoreError::Io { path: path.to_owned(), error };
    let file = wire::file::open(path).map_err(io)?;
    let Contents { head, records, .. } = read(path, BufReader::new(file), slim)?;
    let empty = || StoreError::Line { path: path.to_owned(), line: 1, error: LineError::NoHead };
    Ok((head.ok_or_else(empty)?, records))
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "tests make files as they like")]
mod tests;
