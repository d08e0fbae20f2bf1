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

    /// Checks that no other program has removed, replaced or changed the file.
    ///
    /// # Errors
    /// [`StoreError::Io`].
    pub fn check(&self) -> Result<(), StoreError> {
        self.file.check().map_err(|error| StoreError::Io { path: self.path.clone(), error })
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
            // The games are written. Only a power cut could lose the last of them.
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
mod tests {
    use super::*;
    use crate::record::Played;
    use std::fs::OpenOptions;
    use std::io::Write;

    pub(super) fn head() -> Head {
        Head {
            course: "draughts".into(),
            setting: "plain".into(),
            conditions: String::new(),
            players: vec!["builtin:random".into(); 2],
            names: vec!["a".into(), "b".into()],
            seats: 2,
            format: Format::RoundRobin,
            seed: 1,
            time: None,
            programs: vec!["1f".into(), String::new()],
            ranking: None,
            sandbox: String::new(),
        }
    }

    pub(super) fn record(game: u64) -> Record {
        Record {
            game,
            group: game / 2,
            course: "draughts".into(),
            seats: vec![0, 1],
            names: vec!["a".into(), "b".into()],
            opening: String::new(),
            seed: 7,
            played: Played {
                moves: vec!["40".into()],
                movers: vec![0],
                micros: vec![1],
                points: vec![1.0, 0.0],
                score: vec![1.0, 0.0],
                cpu: vec![0, 0],
                ..Played::default()
            },
        }
    }

    #[test]
    fn a_line_cut_short_is_taken_away_and_the_rest_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.jsonl");
        let (mut store, records) = Store::open(&path, &head()).unwrap();
        assert!(records.is_empty());
        store.push(&record(0)).unwrap();
        drop(store);
        let whole = std::fs::metadata(&path).unwrap().len();
        OpenOptions::new().append(true).open(&path).unwrap().write_all(b"{\"game\":1,\"gro").unwrap();
        let (mut store, records) = Store::open(&path, &head()).unwrap();
        assert_eq!(records, [record(0)]);
        assert_eq!(std::fs::metadata(&path).unwrap().len(), whole);
        store.push(&record(1)).unwrap();
        assert_eq!(load(&path).unwrap(), (head(), vec![record(0), record(1)]));
        drop(store);
        // An editor has left out the end of the last line.
        let length = std::fs::metadata(&path).unwrap().len();
        OpenOptions::new().write(true).open(&path).unwrap().set_len(length - 1).unwrap();
        assert_eq!(load(&path).unwrap(), (head(), vec![record(0), record(1)]));
        let (mut store, records) = Store::open(&path, &head()).unwrap();
        assert_eq!(records, [record(0), record(1)]);
        store.push(&record(2)).unwrap();
        assert_eq!(load(&path).unwrap(), (head(), vec![record(0), record(1), record(2)]));
    }

    #[test]
    fn a_record_with_a_byte_order_mark_goes_on() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.jsonl");
        let (mut store, _) = Store::open(&path, &head()).unwrap();
        store.push(&record(0)).unwrap();
        drop(store);
        let text = std::fs::read_to_string(&path).unwrap();
        // So many that a call for each would overflow the stack.
        std::fs::write(&path, "\u{feff}".repeat(1_000_000) + &text).unwrap();
        let (mut store, records) = Store::open(&path, &head()).unwrap();
        assert_eq!(records, [record(0)]);
        store.push(&record(1)).unwrap();
        assert_eq!(load(&path).unwrap(), (head(), vec![record(0), record(1)]));
        drop(store);
        let wide: Vec<u8> = format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect();
        std::fs::write(&path, &wide).unwrap();
        let error = Store::open(&path, &head()).unwrap_err().to_string();
        assert!(error.ends_with("line 1: the file is UTF-16: UTF-8 is expected"), "{error}");
        assert_eq!(std::fs::read(&path).unwrap(), wide);
    }

    #[test]
    fn another_runs_file_and_one_in_use_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.jsonl");
        let (store, _) = Store::open(&path, &head()).unwrap();
        assert!(matches!(Store::open(&path, &head()), Err(StoreError::Busy(_))));
        drop(store);
        let error = Store::open(&path, &Head { seed: 2, ..head() }).unwrap_err().to_string();
        assert!(error.ends_with("holds another run: seed 1 instead of 2"), "{error}");
        let programs = vec!["2f".into(), String::new()];
        let error = Store::open(&path, &Head { programs, ..head() }).unwrap_err().to_string();
        assert!(error.ends_with("holds another run: the program of \"a\" has changed"), "{error}");
        // The record of an older referee does not contain it.
        let old = path.with_extension("old");
        drop(Store::open(&old, &Head { programs: Vec::new(), ..head() }).unwrap());
        assert!(Store::open(&old, &head()).is_ok());
        std::fs::write(&path, "not json\n").unwrap();
        assert!(Store::open(&path, &head()).unwrap_err().to_string().contains("line 1"));
    }

    #[test]
    fn until_a_run_begins_an_old_file_is_as_it_was_and_a_new_one_goes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.jsonl");
        drop(Store::prepare(&path, &head(), |_, _| ()).unwrap());
        assert!(!path.exists());
        // A link that leads nowhere yet stays a link.
        #[cfg(unix)]
        {
            let link = folder.path().join("link");
            std::os::unix::fs::symlink(&path, &link).unwrap();
            drop(Store::prepare(&link, &head(), |_, _| ()).unwrap());
            assert!(!path.exists() && std::fs::read_link(&link).is_ok());
        }
        let (mut store, _) = Store::prepare(&path, &head(), |_, _| ()).unwrap();
        store.begin().unwrap();
        drop(store);
        assert_eq!(load(&path).unwrap(), (head(), Vec::new()), "a run without games");
        OpenOptions::new().append(true).open(&path).unwrap().write_all(b"{\"game\":1,\"gro").unwrap();
        let before = std::fs::read(&path).unwrap();
        drop(Store::prepare(&path, &head(), |_, _| ()).unwrap());
        assert_eq!(std::fs::read(&path).unwrap(), before);
        let (mut store, _) = Store::prepare(&path, &head(), |_, _| ()).unwrap();
        store.push(&record(0)).unwrap();
        assert_eq!(load(&path).unwrap(), (head(), vec![record(0)]));
    }

    /// Asserts that a file is refused and not changed.
    fn is_refused(text: &str) -> String {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("f");
        std::fs::write(&path, text).unwrap();
        let error = Store::open(&path, &head()).unwrap_err().to_string();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        error
    }

    #[test]
    fn what_is_no_record_is_never_written_to() {
        assert!(is_refused("IMPORTANT").contains("line 1"));
        assert!(is_refused("{\"run\": 1}").contains("line 1"));
        let first = String::from_utf8(first_line(&head()).unwrap()).unwrap();
        assert!(is_refused(&format!("{first}a note of mine")).contains("line 2"));
        assert!(matches!(Store::open(Path::new("/dev/null"), &head()), Err(StoreError::Special(_))));
        let long = is_refused(&format!("{first}{{\"game\": \"{}\"}}\n", "x".repeat(1 << 16)));
        assert!(long.len() < 1000 && long.contains("line 2: ") && long.contains("expected u"), "{long}");
        // An incomplete head is this run's own.
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("f");
        std::fs::write(&path, &first[..first.len() / 2]).unwrap();
        assert!(Store::open(&path, &head()).is_ok());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), first);
        // Merging only replaces a file of the same run.
        std::fs::write(folder.path().join("g"), "IMPORTANT\n").unwrap();
        assert!(merge(&[path], &folder.path().join("g")).is_err());
        assert_eq!(std::fs::read_to_string(folder.path().join("g")).unwrap(), "IMPORTANT\n");
    }

    #[test]
    fn a_record_that_does_not_fit_its_run_is_refused_with_line_and_field() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.jsonl");
        let refused = |change: &dyn Fn(&mut Record)| {
            let mut wrong = record(1);
            change(&mut wrong);
            let lines =
                [first_line(&head()).unwrap(), line_of(&record(0)).unwrap(), line_of(&wrong).unwrap()];
            std::fs::write(&path, lines.concat()).unwrap();
            let loaded = load(&path).unwrap_err().to_string();
            assert_eq!(loaded, Store::open(&path, &head()).unwrap_err().to_string());
            assert_eq!(
                loaded,
                merge(std::slice::from_ref(&path), &folder.path().join("joined")).unwrap_err().to_string()
            );
            loaded.split_once(", line 3: field ").unwrap_or_else(|| panic!("{loaded}")).1.to_owned()
        };
        let fault = || crate::fault::Fault::illegal("x");
        assert_eq!(refused(&|r| r.seats = vec![0]), "seats: 1 instead of 2");
        assert_eq!(refused(&|r| r.seats = vec![0, 2]), "seats: player 2 of 2");
        assert_eq!(refused(&|r| r.seats = vec![1, 1]), "seats: player 1 sits twice");
        assert_eq!(refused(&|r| r.names = vec![]), "names: 0 instead of 2");
        assert_eq!(refused(&|r| r.played.points = vec![1.0]), "points: 1 instead of 2");
        assert_eq!(refused(&|r| r.played.points = vec![1.0, 2.0]), "points: 2 is not between 0 and 1");
        let all = "points: 2 in all, and a game of 2 gives 1.000";
        assert_eq!(refused(&|r| r.played.points = vec![1.0, 1.0]), all);
        assert_eq!(refused(&|r| r.played.score = vec![1.0; 3]), "score: 3 instead of 2");
        assert_eq!(refused(&|r| r.played.movers = vec![]), "movers: 0 instead of 1");
        assert_eq!(refused(&|r| r.played.movers = vec![2]), "movers: seat 2 of 2");
        let late = || vec![(1, crate::record::Missed::Late)];
        assert_eq!(refused(&|r| r.played.missed = late()), "missed: move 1 of 1");
        assert_eq!(refused(&|r| r.played.micros = vec![1, 1]), "micros: 2 instead of 1");
        assert_eq!(refused(&|r| r.played.faults = vec![(2, fault())]), "faults: seat 2 of 2");
        assert_eq!(refused(&|r| r.played.remarks = vec![(2, "x".into())]), "remarks: seat 2 of 2");
        assert_eq!(refused(&|r| r.played.errors = vec!["x".into()]), "errors: 1 instead of 2");
        assert_eq!(refused(&|r| r.course = "chess".into()), "course: \"chess\" in a run of draughts");
        assert_eq!(refused(&|r| r.game = 0), "game: game 0 occurs twice");
    }

    #[test]
    fn a_line_without_end_is_refused_in_bounded_memory() {
        let file = tempfile::NamedTempFile::new().unwrap();
        file.as_file().set_len(1 << 40).unwrap();
        let error = load(file.path()).unwrap_err().to_string();
        assert!(error.contains(", line 1: longer than"), "{error}");
        assert!(load(Path::new("/dev/zero")).unwrap_err().to_string().contains("not a plain file"));
    }

    /// Plays games into a record through every fault at every call: what was told as kept is there, every line is whole,
    /// the message names the file, and the run goes on.
    #[test]
    fn whichever_call_fails_a_record_holds_its_games_and_goes_on() {
        use wire::file::faults::{self, Fault};
        for fault in Fault::ALL {
            for nth in 0.. {
                let folder = tempfile::tempdir().unwrap();
                let path = folder.path().join("run.jsonl");
                let mut kept = Vec::new();
                let mut told = None;
                let ((), struck) = faults::with(fault, nth, || {
                    let opened = Store::open(&path, &head());
                    let Ok((mut store, _)) = opened.inspect_err(|error| told = Some(error.to_string()))
                    else {
                        return;
                    };
                    for game in 0..3 {
                        match store.push(&record(game)) {
                            Ok(()) => kept.push(record(game)),
                            Err(error) => return told = Some(error.to_string()),
                        }
                    }
                });
                let context = format!("{fault:?} at call {nth}: {told:?}");
                let is_named = |text: &String| text.contains("run.jsonl");
                assert!(told.as_ref().is_none_or(is_named), "{context}");
                assert_eq!(told.is_some(), struck && kept.len() < 3, "{context}");
                let Ok((mut store, found)) = Store::open(&path, &head()) else {
                    panic!("{context}: it cannot be gone on with")
                };
                // A power cut may take what was not yet on the disk, and nothing before it.
                assert!(kept.starts_with(&found), "{context}");
                assert!(fault == Fault::PowerCut || found == kept, "{context}");
                store.push(&record(9)).unwrap();
                assert_eq!(load(&path).unwrap().1.len(), found.len() + 1, "{context}");
                if !struck {
                    assert!(nth > 4, "{context}");
                    break;
                }
            }
        }
    }
}
