//! Files that only grow.

use super::call::Call;
use super::calls::{self, call};
use super::place::Place;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Maximum time to wait for a lock. A killed process's lock lives on in a process that it was just starting, until that
/// process runs its own program.
const STARTING: Duration = Duration::from_secs(2);

/// A file open for appending. Old content is never overwritten; [`append`](Self::append) adds all of its bytes or none.
#[derive(Debug)]
pub struct Appended {
    file: File,
    is_special: bool,
    /// The path of the file, if this value has created it.
    created: Option<PathBuf>,
}

impl Appended {
    /// Opens a file for reading and appending, or creates it. A device or a pipe is opened for writing only.
    ///
    /// # Errors
    /// Those of the system.
    pub fn open(path: &Path) -> io::Result<Self> {
        let is_special = Place::of(path)? == Place::Special;
        if is_special {
            return Ok(Self { file: calls::open_special(path)?, is_special, created: None });
        }
        let is_new = !path.exists();
        let file = calls::open(path, OpenOptions::new().read(true).append(true).create(true))?;
        let mut created = None;
        if is_new {
            calls::sync_folder(path);
            created = std::fs::canonicalize(path).ok();
        }
        Ok(Self { file, is_special, created })
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
        let file = Self::open(path)?;
        if !file.is_special {
            file.lock().map_err(|error| io::Error::new(error.kind(), "another program writes to it"))?;
        }
        Ok(file)
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

    /// Removes the file if this value has created it and it is still empty.
    pub fn discard(&self) {
        if let Some(path) = &self.created
            && self.file.metadata().is_ok_and(|data| data.len() == 0)
        {
            let _ = std::fs::remove_file(path);
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
