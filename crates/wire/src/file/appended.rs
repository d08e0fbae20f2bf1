//! Files that only grow.

use super::Replacement;
use super::call::Call;
use super::calls::{self, call};
use super::place::{self, Place};
use std::fs::{File, Metadata, OpenOptions, TryLockError};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Maximum time to wait for a lock. A killed process's lock lives on in a process that it was just starting, until that
/// process runs its own program.
const STARTING: Duration = Duration::from_secs(2);

/// An appended file is no longer at its path, or its length is not the one that its writer left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("another program removed, replaced or changed it")]
pub struct Changed;

/// A file open for appending. Old content is never overwritten; [`append`](Self::append) adds all of its bytes or none.
/// It adds nothing to a file that another program has removed, replaced or changed: the error holds [`Changed`].
#[derive(Debug)]
pub struct Appended {
    file: File,
    path: PathBuf,
    is_special: bool,
    /// The length in bytes that this value knows of.
    length: u64,
    /// The path of a file that goes while it is empty.
    provisional: Option<PathBuf>,
}

/// The files that [`Appended::provisional`] has created.
static PROVISIONAL: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn provisional() -> MutexGuard<'static, Vec<PathBuf>> {
    PROVISIONAL.lock().unwrap_or_else(PoisonError::into_inner)
}

fn remove_if_empty(path: &Path) {
    if std::fs::symlink_metadata(path).is_ok_and(|data| data.is_file() && data.len() == 0) {
        let _ = std::fs::remove_file(path);
    }
}

/// Removes the provisional files that are empty, for a program that is about to exit.
pub(super) fn remove_provisional() {
    let all = provisional();
    all.iter().for_each(|path| remove_if_empty(path));
    // Locked until the exit: no thread creates another one.
    std::mem::forget(all);
}

fn busy() -> io::Error {
    io::Error::new(io::ErrorKind::ResourceBusy, "another program writes to it")
}

/// Locks a file as [`Appended::lock`] does.
fn lock(file: &File) -> io::Result<()> {
    let deadline = Instant::now() + STARTING;
    loop {
        match file.try_lock() {
            Ok(()) | Err(TryLockError::Error(_)) => return Ok(()),
            Err(TryLockError::WouldBlock) if Instant::now() < deadline => {
                std::thread::sleep(Duration::from_millis(10));
            }
            Err(TryLockError::WouldBlock) => return Err(busy()),
        }
    }
}

impl Appended {
    /// Opens a file for reading and appending, or creates it. A device or a pipe is opened for writing only.
    ///
    /// # Errors
    /// Those of the system.
    pub fn open(path: &Path) -> io::Result<Self> {
        if Place::of(path)? == Place::Special {
            return Self::special(path);
        }
        let is_new = !path.exists();
        let file = calls::open(path, OpenOptions::new().read(true).append(true).create(true))?;
        if is_new {
            calls::sync_folder(path);
        }
        Self::of(file, path, None)
    }

    fn of(file: File, path: &Path, provisional: Option<PathBuf>) -> io::Result<Self> {
        let length = file.metadata()?.len();
        Ok(Self { file, path: path.to_owned(), is_special: false, length, provisional })
    }

    fn special(path: &Path) -> io::Result<Self> {
        let file = calls::open_special(path)?;
        Ok(Self { file, path: path.to_owned(), is_special: true, length: 0, provisional: None })
    }

    /// Opens a file as [`open`](Self::open). One that it creates goes while it is empty, with the value or by
    /// [`remove_unfinished`](super::remove_unfinished), unless [`keep`](Self::keep) is called.
    ///
    /// # Errors
    /// Those of the system.
    pub fn provisional(path: &Path) -> io::Result<Self> {
        if Place::of(path)? == Place::Special {
            return Self::special(path);
        }
        super::wait_if_ending();
        // Locked before, so that no signal comes between.
        let mut all = provisional();
        let is_new = !path.exists();
        let file = calls::open_at_once(path, OpenOptions::new().read(true).append(true).create(true))?;
        let created = is_new.then(|| std::fs::canonicalize(path).ok()).flatten();
        all.extend(created.clone());
        Self::of(file, path, created)
    }

    /// Opens and locks an existing file for a [`Replacement`], which does not read it. Returns `None` if there is none.
    ///
    /// # Errors
    /// It is write-protected or locked; those of the system.
    pub(super) fn to_replace(path: &Path) -> io::Result<Option<Self>> {
        match calls::open(path, OpenOptions::new().append(true)) {
            Ok(file) => Self::of(file, path, None)?.alone().map(Some),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Creates an empty file that will replace this one, which is to be locked.
    ///
    /// # Errors
    /// Those of [`Replacement::create`].
    pub fn replacement(self) -> io::Result<Replacement> {
        match Place::of(&self.path)? {
            Place::File(into) => Replacement::over(Some(self), into),
            Place::Special => Replacement::create(&self.path),
        }
    }

    /// Keeps a file that is empty.
    pub fn keep(&mut self) {
        if let Some(path) = self.provisional.take() {
            provisional().retain(|other| *other != path);
            calls::sync_folder(&path);
        }
    }

    /// Opens a file as [`open`](Self::open), but refuses a pipe or a device, which could make the caller wait.
    ///
    /// # Errors
    /// [`io::ErrorKind::InvalidInput`] for what is not a plain file; those of the system.
    pub fn open_plain(path: &Path) -> io::Result<Self> {
        match Place::of(path)? {
            Place::Special => Err(super::read::no_plain_file()),
            Place::File(_) => Self::open(path),
        }
    }

    /// Opens a file as [`open`](Self::open), for this process alone as long as the value lives.
    ///
    /// # Errors
    /// [`io::ErrorKind::ResourceBusy`] if another process has it; those of the system.
    pub fn open_alone(path: &Path) -> io::Result<Self> {
        Self::open(path)?.alone()
    }

    /// Locks the file unless it is a device or a pipe.
    ///
    /// # Errors
    /// [`io::ErrorKind::ResourceBusy`] if another process has it.
    pub fn alone(mut self) -> io::Result<Self> {
        if !self.is_special {
            self.lock()?;
        }
        Ok(self)
    }

    /// True for a device or a pipe.
    #[must_use]
    pub fn is_special(&self) -> bool {
        self.is_special
    }

    /// The open file, for reading and locking.
    #[must_use]
    pub fn file(&self) -> &File {
        &self.file
    }

    /// Locks the file for this process, as long as the value lives. Waits two seconds. If the process that had the lock
    /// has replaced the file, the new one is opened and locked.
    ///
    /// # Errors
    /// [`io::ErrorKind::ResourceBusy`] if another process holds the lock, or has removed the file. A system without locks
    /// knows of none.
    pub fn lock(&mut self) -> io::Result<()> {
        loop {
            // A file that another process has locked is no longer ours to remove.
            lock(&self.file).inspect_err(|_| self.keep())?;
            // The process that had the lock may have written.
            self.length = self.file.metadata()?.len();
            match self.check() {
                Err(error) if error.get_ref().is_some_and(|inner| inner.is::<Changed>()) => {}
                checked => return checked,
            }
            self.keep();
            let opened = calls::open(&self.path, OpenOptions::new().read(true).append(true));
            let is_gone = |error: &io::Error| error.kind() == io::ErrorKind::NotFound;
            self.file = opened.map_err(|error| if is_gone(&error) { busy() } else { error })?;
        }
    }

    /// Checks that the file is still at its path and has the length that this value left. A device or a pipe has none.
    ///
    /// # Errors
    /// [`Changed`], or those of the system.
    pub fn check(&self) -> io::Result<()> {
        if self.is_special {
            return Ok(());
        }
        let open = self.file.metadata()?;
        let is_kept = |found: &Metadata| {
            place::there(&self.path, found) == place::there(&self.path, &open) && found.len() == self.length
        };
        match std::fs::metadata(&self.path) {
            Ok(found) if is_kept(&found) => return Ok(()),
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        // A program that is about to exit removes its empty files itself.
        super::wait_if_ending();
        Err(io::Error::other(Changed))
    }

    /// Truncates the file to `bytes` bytes.
    ///
    /// # Errors
    /// [`Changed`], or those of the system.
    pub fn cut(&mut self, bytes: u64) -> io::Result<()> {
        self.check()?;
        self.resize(bytes)
    }

    fn resize(&mut self, bytes: u64) -> io::Result<()> {
        call(Call::Resize, || self.file.set_len(bytes))?;
        self.length = bytes;
        self.file.seek(SeekFrom::End(0)).map(drop)
    }

    /// Appends `bytes`. If that fails, the file is truncated to its old length.
    ///
    /// # Errors
    /// [`Changed`], or those of the system.
    pub fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.is_special {
            return self.write_all(bytes);
        }
        self.check()?;
        let before = self.length;
        if before == 0
            && let Some(path) = &self.provisional
        {
            calls::sync_folder(path);
        }
        let written = self.write_all(bytes);
        if written.is_err() {
            let _ = self.resize(before);
        }
        written
    }

    /// Syncs the file to the disk and checks it; does nothing for a device or a pipe.
    ///
    /// # Errors
    /// Those of the system, or [`Changed`].
    pub fn sync(&self) -> io::Result<()> {
        if self.is_special { Ok(()) } else { calls::sync(&self.file).and_then(|()| self.check()) }
    }
}

impl Write for Appended {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = calls::write(&mut self.file, bytes)?;
        self.length += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for Appended {
    fn drop(&mut self) {
        if let Some(path) = self.provisional.take() {
            let mut all = provisional();
            // While its lock is held.
            remove_if_empty(&path);
            all.retain(|other| *other != path);
        }
    }
}
