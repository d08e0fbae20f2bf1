//! Record files: a head, then one JSON line a game, appended as games end.

use crate::record::Record;
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Which groups of players meet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Everybody meets everybody.
    RoundRobin,
    /// The first player meets all others.
    Gauntlet,
}

/// What a run is: two runs with the same head play the same games.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Head {
    /// The assignment.
    pub course: String,
    /// Its settings, in the course's words.
    pub setting: String,
    /// The players as they were written.
    pub players: Vec<String>,
    /// Their names.
    pub names: Vec<String>,
    /// Players a game.
    pub seats: usize,
    /// Who meets whom.
    pub format: Format,
    /// The run's seed.
    pub seed: u64,
    /// Milliseconds a move, if they are limited.
    pub time: Option<u64>,
}

#[derive(Serialize, Deserialize)]
struct FirstLine {
    run: Head,
}

/// Why a record file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The file cannot be read or written.
    #[error("{path}: {error}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        error: std::io::Error,
    },
    /// A line in the middle is no record.
    #[error("{path}, line {line}: {error}")]
    Line {
        /// The file.
        path: PathBuf,
        /// Its number, from 1.
        line: usize,
        /// What is wrong with it.
        error: String,
    },
    /// It is another run's.
    #[error("{path} holds another run: {what}")]
    Other {
        /// The file.
        path: PathBuf,
        /// What differs.
        what: String,
    },
    /// Another referee writes to it.
    #[error("{0} is in use by another referee")]
    Busy(PathBuf),
}

/// A record file open for appending.
#[derive(Debug)]
pub struct Store {
    path: PathBuf,
    file: File,
}

/// How long the lock of a referee that was killed may outlive it: a process that it was just starting holds the file
/// until it runs its own program, which takes a while on a busy machine.
const STARTING: Duration = Duration::from_secs(2);

/// Takes the file for this referee alone.
fn lock(file: &File) -> rustix::io::Result<()> {
    let deadline = Instant::now() + STARTING;
    loop {
        match rustix::fs::flock(file, rustix::fs::FlockOperation::NonBlockingLockExclusive) {
            Err(_) if Instant::now() < deadline => std::thread::sleep(Duration::from_millis(10)),
            taken => return taken,
        }
    }
}

impl Store {
    /// Opens a run's file, with the games that it holds already; begins it if it is not there. A last line cut short,
    /// as a referee killed in the middle of writing leaves it, is taken away.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn open(path: &Path, head: &Head) -> Result<(Self, Vec<Record>), StoreError> {
        let io = |error| StoreError::Io { path: path.to_owned(), error };
        let mut file = OpenOptions::new().read(true).append(true).create(true).open(path).map_err(io)?;
        lock(&file).map_err(|_| StoreError::Busy(path.to_owned()))?;
        let (found, records, whole) = read(path, &file)?;
        file.set_len(whole).map_err(io)?;
        file.seek(SeekFrom::End(0)).map_err(io)?;
        let mut store = Self { path: path.to_owned(), file };
        match found {
            None => store.append(&FirstLine { run: head.clone() })?,
            Some(found) => {
                if let Some(what) = difference(head, &found) {
                    return Err(StoreError::Other { path: path.to_owned(), what });
                }
            }
        }
        Ok((store, records))
    }

    /// Appends a game: one write, so that a reader sees whole lines.
    ///
    /// # Errors
    /// [`StoreError::Io`].
    pub fn push(&mut self, record: &Record) -> Result<(), StoreError> {
        self.append(record)
    }

    fn append(&mut self, value: &impl Serialize) -> Result<(), StoreError> {
        let io = |error| StoreError::Io { path: self.path.clone(), error };
        let mut line = serde_json::to_vec(value).map_err(|error| io(error.into()))?;
        line.push(b'\n');
        self.file.write_all(&line).map_err(io)
    }
}

/// A whole record file: its head and its games.
///
/// # Errors
/// [`StoreError`].
pub fn load(path: &Path) -> Result<(Head, Vec<Record>), StoreError> {
    let io = |error| StoreError::Io { path: path.to_owned(), error };
    let file = File::open(path).map_err(io)?;
    let (head, records, _) = read(path, &file)?;
    let empty = || StoreError::Line { path: path.to_owned(), line: 1, error: "no head of a run".into() };
    Ok((head.ok_or_else(empty)?, records))
}

/// The head, the records, and how many bytes are whole lines.
fn read(path: &Path, file: &File) -> Result<(Option<Head>, Vec<Record>, u64), StoreError> {
    let io = |error| StoreError::Io { path: path.to_owned(), error };
    let mut reader = BufReader::new(file);
    let (mut head, mut records, mut whole) = (None, Vec::new(), 0);
    let mut bytes = Vec::new();
    for line in 1.. {
        bytes.clear();
        let count = reader.read_until(b'\n', &mut bytes).map_err(io)?;
        if bytes.last() != Some(&b'\n') {
            break;
        }
        let wrong = |error: serde_json::Error| StoreError::Line {
            path: path.to_owned(),
            line,
            error: error.to_string(),
        };
        if line == 1 {
            head = Some(serde_json::from_slice::<FirstLine>(&bytes).map_err(wrong)?.run);
        } else {
            records.push(serde_json::from_slice(&bytes).map_err(wrong)?);
        }
        whole += count as u64;
    }
    Ok((head, records, whole))
}

/// The first thing in which two runs differ.
pub fn difference(a: &Head, b: &Head) -> Option<String> {
    let show = |name: &str, a: String, b: String| (a != b).then(|| format!("{name} {b} instead of {a}"));
    show("assignment", a.course.clone(), b.course.clone())
        .or_else(|| show("players", format!("{:?}", a.players), format!("{:?}", b.players)))
        .or_else(|| show("settings", a.setting.clone(), b.setting.clone()))
        .or_else(|| show("seed", a.seed.to_string(), b.seed.to_string()))
        .or_else(|| show("seats", a.seats.to_string(), b.seats.to_string()))
        .or_else(|| show("format", format!("{:?}", a.format), format!("{:?}", b.format)))
        .or_else(|| show("time", format!("{:?}", a.time), format!("{:?}", b.time)))
        .or_else(|| show("names", format!("{:?}", a.names), format!("{:?}", b.names)))
}

/// Joins the files of one run's shards into one, games in their order.
///
/// # Errors
/// [`StoreError`], when a game is there twice too.
pub fn merge(parts: &[PathBuf], into: &Path) -> Result<(Head, Vec<Record>), StoreError> {
    let mut all: Option<(Head, Vec<Record>)> = None;
    for path in parts {
        let (head, records) = load(path)?;
        match &mut all {
            None => all = Some((head, records)),
            Some((first, joined)) => {
                if let Some(what) = difference(first, &head) {
                    return Err(StoreError::Other { path: path.clone(), what });
                }
                joined.extend(records);
            }
        }
    }
    let missing = || StoreError::Other { path: into.to_owned(), what: "no file to merge".into() };
    let (head, mut records) = all.ok_or_else(missing)?;
    records.sort_by_key(|record| record.game);
    if let Some(twice) = records.windows(2).find(|pair| pair[0].game == pair[1].game) {
        let what = format!("game {} is there twice", twice[0].game);
        return Err(StoreError::Other { path: into.to_owned(), what });
    }
    let io = |error| StoreError::Io { path: into.to_owned(), error };
    // Written beside and renamed: whoever reads the joined file reads all of it.
    let beside = into.with_extension("part");
    let file = File::create(&beside).map_err(io)?;
    let mut store = Store { path: beside.clone(), file };
    store.append(&FirstLine { run: head.clone() })?;
    for record in &records {
        store.push(record)?;
    }
    std::fs::rename(&beside, into).map_err(io)?;
    Ok((head, records))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Played;

    fn head() -> Head {
        Head {
            course: "uttt".into(),
            setting: "plain".into(),
            players: vec!["builtin:random".into(); 2],
            names: vec!["a".into(), "b".into()],
            seats: 2,
            format: Format::RoundRobin,
            seed: 1,
            time: None,
        }
    }

    fn record(game: u64) -> Record {
        Record {
            game,
            group: game / 2,
            course: "uttt".into(),
            seats: vec![0, 1],
            names: vec!["a".into(), "b".into()],
            opening: String::new(),
            seed: 7,
            played: Played { moves: vec!["40".into()], points: vec![1.0, 0.0], ..Played::default() },
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
        std::fs::write(&path, "not json\n").unwrap();
        assert!(Store::open(&path, &head()).unwrap_err().to_string().contains("line 1"));
    }

    #[test]
    fn shards_are_joined_in_order_and_no_game_twice() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for (name, games) in [("a", [0, 2]), ("b", [3, 1])] {
            let (mut store, _) = Store::open(&path(name), &head()).unwrap();
            for game in games {
                store.push(&record(game)).unwrap();
            }
        }
        let (_, records) = merge(&[path("a"), path("b")], &path("c")).unwrap();
        assert_eq!(records.iter().map(|record| record.game).collect::<Vec<_>>(), [0, 1, 2, 3]);
        assert_eq!(load(&path("c")).unwrap().1, records);
        assert!(
            merge(&[path("a"), path("a")], &path("d"))
                .unwrap_err()
                .to_string()
                .contains("game 0 is there twice")
        );
    }
}
