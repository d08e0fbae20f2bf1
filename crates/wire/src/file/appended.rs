//! Files that only grow.

use super::call::Call;
use super::calls::{self, call};
use super::place::Place;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Maximum time to wait for a lock. A killed process's lock lives on in a process that it was just starting, until that
/// process runs its own program.
const STARTING: Duration = Duration::from_secs(2);

/// A file open for appending. Old content is never overwritten; [`append`](Self::append) adds all of its bytes or none.
#[derive(Debug)]
pub struct Appended {
    file: File,
    is_special: bool,
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
        Ok(Self { file, is_special: false, provisional: None })
    }

    fn special(path: &Path) -> io::Result<Self> {
        Ok(Self { file: calls::open_special(path)?, is_special: true, provisional: None })
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
        Ok(Self { file, is_special: false, provisional: created })
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
    pub fn alone(self) -> io::Result<Self> {
        if !self.is_special {
            self.lock().map_err(|error| io::Error::new(error.kind(), "another program writes to it"))?;
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

    /// Locks the file for this process, as long as the value lives. Waits two seconds.
    ///
    /// # Errors
    /// [`io::ErrorKind::ResourceBusy`] if another process holds the lock. A system without locks knows of none.
    pub fn lock(&self) -> io::Result<()> {
        let deadline = Instant::now() + STARTING;
        loop {
            match self.file.try_lock() {
                Ok(()) | Err(TryLockError::Error(_)) => return Ok(()),
                Err(TryLockError::WouldBlock) if Instant::now() < deadline => {
                    std::thread::sleep(Duration::from_millis(10));
                }
                Err(TryLockError::WouldBlock) => return Err(io::ErrorKind::ResourceBusy.into()),
            }
        }
    }

    /// Truncates the file to `bytes` bytes.
    ///
    /// # Errors
    /// Those of the system.
    pub fn cut(&mut self, bytes: u64) -> io::Result<()> {
        call(Call::Resize, || self.file.set_len(bytes))?;
        self.file.seek(SeekFrom::End(0)).map(drop)
    }

    /// Appends `bytes`. If that fails, the file is truncated to its old length.
    ///
    /// # Errors
    /// Those of the system.
    pub fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.is_special {
            return self.write_all(bytes);
        }
        let before = self.file.metadata()?.len();
        if before == 0
            && let Some(path) = &self.provisional
        {
            calls::sync_folder(path);
        }
        let written = self.write_all(bytes);
        if written.is_err() {
            let _ = self.cut(before);
        }
        written
    }

    /// Syncs the file to the disk; does nothing for a device or a pipe.
    ///
    /// # Errors
    /// Those of the system.
    pub fn sync(&self) -> io::Result<()> {
        if self.is_special { Ok(()) } else { calls::sync(&self.file) }
    }
}

impl Write for Appended {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        calls::write(&mut self.file, bytes)
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
