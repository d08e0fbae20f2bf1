//! Saved games: a file a game in the data folder, within a budget of files and bytes.

use anyhow::{Result, anyhow, bail};
use std::collections::HashMap;
use std::fs::TryLockError;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};
use wire::file::Appended;

/// Maximum number of files in the data folder, and of bytes in all.
const MOST: (usize, u64) = (1000, 100 << 20);
/// Maximum number of bytes of a game.
const LARGEST: u64 = 16 << 20;

/// The data folder of one arena.
pub(super) struct Store {
    folder: PathBuf,
    /// Locks the folder for this arena.
    _lock: Appended,
    files: Mutex<HashMap<String, Entry>>,
    most: (usize, u64),
}

/// A saved game.
#[derive(Debug, Clone, Copy)]
struct Entry {
    bytes: u64,
    written: SystemTime,
    is_over: bool,
}

impl Store {
    /// Opens the store of a folder, and creates the folder if it is missing.
    ///
    /// # Errors
    /// If the folder cannot be created, or another arena uses it.
    pub(super) fn open(folder: PathBuf) -> Result<Self> {
        Self::bounded(folder, MOST)
    }

    fn bounded(folder: PathBuf, most: (usize, u64)) -> Result<Self> {
        let lock = take(&folder)?;
        wire::file::remove_left(&folder);
        let files = std::fs::read_dir(&folder).into_iter().flatten().filter_map(Result::ok);
        let files = files.filter_map(|file| entry(&file)).collect();
        Ok(Self { folder, _lock: lock, files: Mutex::new(files), most })
    }

    fn files(&self) -> MutexGuard<'_, HashMap<String, Entry>> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn path(&self, id: &str) -> PathBuf {
        self.folder.join(format!("{id}.jsonl"))
    }

    /// Returns the text of a saved game.
    pub(super) fn read(&self, id: &str) -> Option<String> {
        text_of(&self.path(id))
    }

    /// Returns the names and times of saved games, the latest first.
    pub(super) fn names(&self) -> Vec<(String, SystemTime)> {
        let mut names: Vec<_> = self.files().iter().map(|(id, file)| (id.clone(), file.written)).collect();
        names.sort_by(|(a, at), (b, bt)| (bt, b).cmp(&(at, a)));
        names
    }

    /// Returns the time at which a game was saved.
    pub(super) fn written(&self, id: &str) -> Option<SystemTime> {
        self.files().get(id).map(|file| file.written)
    }

    /// Deletes a saved game.
    ///
    /// # Errors
    /// Those of the disk.
    pub(super) fn remove(&self, id: &str) -> io::Result<()> {
        self.remove_from(&mut self.files(), id)
    }

    fn remove_from(&self, files: &mut HashMap<String, Entry>, id: &str) -> io::Result<()> {
        match std::fs::remove_file(self.path(id)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => files.remove(id),
        };
        Ok(())
    }

    /// Saves a game. If the budget is used up, the oldest games that are over are deleted, then the oldest of all.
    ///
    /// # Errors
    /// Those of the disk, and a game that is too large.
    pub(super) fn write(&self, id: &str, text: &str, is_over: bool) -> io::Result<()> {
        let bytes = text.len() as u64;
        if bytes > LARGEST.min(self.most.1) {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        let mut files = self.files();
        loop {
            let others = || files.iter().filter(|(other, _)| *other != id);
            let sum: u64 = others().map(|(_, file)| file.bytes).sum();
            if others().count() < self.most.0 && sum + bytes <= self.most.1 {
                break;
            }
            let oldest = others().min_by_key(|(_, file)| (!file.is_over, file.written));
            let Some(oldest) = oldest.map(|(id, _)| id.clone()) else { break };
            if let Err(error) = self.remove_from(&mut files, &oldest) {
                // Such as a folder in its place: it is no game, and must not keep others from being saved.
                if std::fs::symlink_metadata(self.path(&oldest)).is_ok_and(|data| data.is_file()) {
                    return Err(error);
                }
                files.remove(&oldest);
            }
        }
        wire::file::write_plain(&self.path(id), text)?;
        // A clock that was turned back makes no game older than those before it.
        let latest = files.values().map(|file| file.written).max();
        let after = latest.and_then(|latest| latest.checked_add(Duration::from_nanos(1)));
        let written = after.map_or_else(SystemTime::now, |after| after.max(SystemTime::now()));
        files.insert(id.to_owned(), Entry { bytes, written, is_over });
        Ok(())
    }
}

/// Locks a folder for this arena, as long as the file lives.
fn take(folder: &Path) -> Result<Appended> {
    let failed = |error: io::Error| anyhow!("{}: {error}", folder.display());
    std::fs::create_dir_all(folder).map_err(failed)?;
    let path = folder.join("lock");
    let lock = Appended::open_plain(&path).map_err(|error| anyhow!("{}: {error}", path.display()))?;
    match lock.file().try_lock() {
        Err(TryLockError::WouldBlock) => bail!(
            "{}: another arena keeps its games there; --data DIR names another folder, --no-data none",
            folder.display()
        ),
        // A system without locks knows nothing of other arenas.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(lock),
    }
}

/// Returns the saved game of a file in the folder.
fn entry(file: &std::fs::DirEntry) -> Option<(String, Entry)> {
    let path = file.path();
    let id = path.file_stem()?.to_str()?;
    if path.extension()? != "jsonl" || !is_name(id) {
        return None;
    }
    // Files of the system, which may have nothing to read yet, have no length.
    let data = std::fs::metadata(&path).ok().filter(|data| data.is_file() && data.len() > 0)?;
    let entry = Entry { bytes: data.len(), written: data.modified().ok()?, is_over: ended(&path) };
    Some((id.to_owned(), entry))
}

/// Returns the text of a file. `None` for a pipe or a device, and for a file larger than any game.
fn text_of(path: &Path) -> Option<String> {
    String::from_utf8(wire::text::read_bytes(path, LARGEST).ok()?).ok()
}

/// Returns true if the game of a record file is over.
fn ended(path: &Path) -> bool {
    #[derive(serde::Deserialize)]
    struct End {
        end: String,
    }
    let text = text_of(path).unwrap_or_default();
    let game = text.lines().nth(1).and_then(|line| serde_json::from_str::<End>(line).ok());
    // A file that is not a record has no game in progress.
    game.is_none_or(|game| !game.end.is_empty())
}

/// Returns true for the name of a room, which cannot contain a path.
pub(super) fn is_name(id: &str) -> bool {
    id.len() == 12 && id.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "a test may write files as it likes")]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_kept_within_their_budget_and_games_that_go_on_stay_longest() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::bounded(folder.path().to_owned(), (10, 1000)).unwrap();
        let name = |nth: usize| format!("{nth:012x}");
        let left = || -> Vec<usize> {
            let found = std::fs::read_dir(folder.path()).unwrap().filter_map(Result::ok);
            let stem = |path: PathBuf| usize::from_str_radix(path.file_stem()?.to_str()?, 16).ok();
            let mut left: Vec<_> = found.filter_map(|file| stem(file.path())).collect();
            left.sort_unstable();
            left
        };
        for nth in 0..4 {
            store.write(&name(nth), &"x".repeat(300), nth != 0).unwrap();
        }
        assert_eq!(left(), [0, 2, 3]);
        store.write(&name(3), &"x".repeat(600), true).unwrap();
        assert_eq!(left(), [0, 3], "a game that grows counts once");
        store.write(&name(4), &"x".repeat(900), false).unwrap();
        assert_eq!(left(), [4]);
        assert!(store.write(&name(5), &"x".repeat(1001), false).is_err());
        assert_eq!(left(), [4]);
        for nth in 10..30 {
            store.write(&name(nth), "x", false).unwrap();
        }
        assert_eq!((left().len(), store.names().len(), store.names()[0].0.clone()), (10, 10, name(29)));
    }

    #[test]
    fn a_game_saved_after_the_clock_was_turned_back_is_the_latest() {
        let folder = tempfile::tempdir().unwrap();
        let path = |nth: usize| folder.path().join(format!("{nth:012x}.jsonl"));
        let later = SystemTime::now() + Duration::from_secs(86_400);
        for nth in 0..3 {
            let file = std::fs::File::create(path(nth)).unwrap();
            std::fs::write(path(nth), "x").unwrap();
            file.set_modified(later + Duration::from_secs(nth as u64)).unwrap();
        }
        let store = Store::bounded(folder.path().to_owned(), (3, 1000)).unwrap();
        for nth in 3..6 {
            store.write(&format!("{nth:012x}"), "x", true).unwrap();
        }
        let names = store.names().into_iter().map(|(name, _)| name);
        assert_eq!(names.collect::<Vec<_>>(), [5, 4, 3].map(|nth| format!("{nth:012x}")));
    }

    #[test]
    #[cfg(unix)]
    fn pipes_devices_and_huge_files_in_the_folder_are_no_games() {
        let folder = tempfile::tempdir().unwrap();
        let path = |nth: usize| folder.path().join(format!("{nth:012x}.jsonl"));
        assert!(std::process::Command::new("mkfifo").arg(path(0)).status().unwrap().success());
        std::os::unix::fs::symlink("/dev/zero", path(1)).unwrap();
        std::fs::File::create(path(2)).unwrap().set_len(LARGEST + 1).unwrap();
        std::fs::write(path(3), "x").unwrap();
        std::os::unix::fs::symlink(path(3), path(4)).unwrap();
        // Files of the system whose reader may wait.
        std::os::unix::fs::symlink("/proc/kmsg", path(5)).unwrap();
        std::os::unix::fs::symlink("/proc/self/fd/0", path(6)).unwrap();
        let (told, opened) = std::sync::mpsc::channel();
        let place = folder.path().to_owned();
        std::thread::Builder::new().spawn(move || told.send(Box::new(Store::open(place).unwrap()))).unwrap();
        let store = opened.recv_timeout(std::time::Duration::from_secs(20)).expect("it opens");
        let read = |nth| store.read(&format!("{nth:012x}"));
        assert_eq!([0, 1, 2, 3, 4].map(read), [None, None, None, Some("x".into()), Some("x".into())]);
        assert_eq!(store.names().len(), 3, "the huge file can be dropped");
    }

    #[test]
    #[cfg(unix)]
    fn whatever_takes_a_games_place_no_save_waits_and_other_games_are_saved() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::bounded(folder.path().to_owned(), (3, 1000)).unwrap();
        let name = |nth: usize| format!("{nth:012x}");
        let began = std::time::Instant::now();
        for (nth, (kind, told)) in
            [("pipe", "not a plain file"), ("device", "not a plain file"), ("folder", "directory")]
                .into_iter()
                .enumerate()
        {
            let path = folder.path().join(format!("{}.jsonl", name(nth)));
            store.write(&name(nth), "before", false).unwrap();
            std::fs::remove_file(&path).unwrap();
            match kind {
                "pipe" => {
                    assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success())
                }
                "device" => std::os::unix::fs::symlink("/dev/full", &path).unwrap(),
                _ => std::fs::create_dir(&path).unwrap(),
            }
            let error = store.write(&name(nth), "after", false).unwrap_err().to_string();
            assert!(error.contains(told), "{kind}: {error}");
        }
        // Even those that have to go first.
        for nth in 3..9 {
            store.write(&name(nth), "new", false).unwrap();
            assert_eq!(store.read(&name(nth)).unwrap(), "new");
        }
        assert!(began.elapsed() < std::time::Duration::from_secs(5), "{:?}", began.elapsed());
    }

    #[test]
    #[cfg(unix)]
    fn a_pipe_or_a_device_in_the_locks_place_is_refused_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let lock = folder.path().join("lock");
        let refused = || {
            let began = std::time::Instant::now();
            let error = take(folder.path()).unwrap_err().to_string();
            assert_eq!(error, format!("{}: not a plain file", lock.display()));
            assert!(began.elapsed() < std::time::Duration::from_millis(900), "{:?}", began.elapsed());
        };
        assert!(std::process::Command::new("mkfifo").arg(&lock).status().unwrap().success());
        refused();
        std::fs::remove_file(&lock).unwrap();
        std::os::unix::fs::symlink("/dev/null", &lock).unwrap();
        refused();
    }

    #[test]
    fn half_files_of_a_killed_arena_go_when_the_next_one_opens_their_folder() {
        let folder = tempfile::tempdir().unwrap();
        let left = |name: &str| folder.path().join(name).exists();
        let names = [".123-0.tmp", ".-0.tmp", ".1-x.tmp", "1-0.tmp", ".1-0.tmp2"];
        names.iter().for_each(|name| std::fs::write(folder.path().join(name), "half").unwrap());
        let _store = Store::open(folder.path().to_owned()).unwrap();
        assert_eq!(names.map(left), [false, true, true, true, true]);
    }

    #[test]
    fn whichever_call_fails_a_kept_game_is_the_old_one_or_the_new_one() {
        use wire::file::faults::{self, Fault};
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path().to_owned()).unwrap();
        let id = "0123456789ab";
        for fault in Fault::ALL {
            for nth in 0.. {
                store.write(id, "before", false).unwrap();
                let (kept, struck) = faults::with(fault, nth, || store.write(id, "and after", false));
                let expected = if kept.is_ok() { "and after" } else { "before" };
                assert_eq!(store.read(id).unwrap(), expected, "{fault:?} at call {nth}: {kept:?}");
                if !struck {
                    break;
                }
            }
        }
    }
}
