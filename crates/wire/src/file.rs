//! Files: written whole or not at all, appended to a record at a time, and the files of one command told apart.
//!
//! - [`write()`], [`Replacement`]: a file put in the place of another once all of it is on the disk.
//! - [`Appended`]: a file that grows; an append that fails leaves it as it was.
//! - [`Files`]: the inputs and outputs of one command, compared before any of them is opened for writing.
//!
//! Every other way to open a file for writing is forbidden by `clippy.toml`.

#![allow(clippy::disallowed_methods, reason = "this module is the one place that opens files for writing")]

mod appended;
mod calls;
mod files;
mod place;

#[cfg(any(test, feature = "faults"))]
pub mod faults;

pub use appended::Appended;
pub use files::{Clash, Files};

use calls::{Call, call};
use place::Place;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A file that takes the place of another by [`finish`](Self::finish): whoever reads the path reads the whole of the old
/// file or the whole of the new one, after a power cut too.
///
/// A symbolic link is followed, and its target is replaced, or made where the link leads nowhere. The mode and the owner
/// of the old file are kept. A device, a pipe or a descriptor of this process is written in place.
#[derive(Debug)]
pub struct Replacement {
    file: File,
    into: PathBuf,
    /// Where the new file lies until it is finished; `None` for one that is written in place.
    beside: Option<PathBuf>,
}

impl Replacement {
    /// A file beside `path`, empty, with the mode and the owner of the file that it will replace.
    ///
    /// # Errors
    /// When no file can be made there, `path` is a folder, the old file may not be written, or its owner cannot be kept.
    pub fn beside(path: &Path) -> io::Result<Self> {
        let into = match Place::of(path)? {
            Place::File(into) => into,
            Place::Special => {
                let file = calls::open(path, OpenOptions::new().append(true))?;
                return Ok(Self { file, into: path.to_owned(), beside: None });
            }
        };
        let before = match fs::metadata(&into) {
            Ok(before) => {
                // A file that is protected against writing is not replaced either.
                calls::open(&into, OpenOptions::new().append(true))?;
                Some(before)
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        let (beside, file) = create_beside(&into, before.is_some())?;
        let replacement = Self { file, into, beside: Some(beside) };
        if let Some(before) = before {
            calls::own(&replacement.file, &before)?;
            call(Call::Mode, || replacement.file.set_permissions(before.permissions()))?;
        }
        Ok(replacement)
    }

    /// Puts the file on the disk, and then in the place of the old one.
    ///
    /// # Errors
    /// Those of the system; the old file stays.
    pub fn finish(mut self) -> io::Result<()> {
        let Some(beside) = self.beside.take() else { return self.file.flush() };
        let moved =
            calls::sync(&self.file).and_then(|()| call(Call::Rename, || fs::rename(&beside, &self.into)));
        forget(&beside, moved.is_err());
        moved?;
        calls::sync_folder(&self.into);
        Ok(())
    }
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        calls::write(&mut self.file, bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        if let Some(beside) = self.beside.take() {
            forget(&beside, true);
        }
    }
}

/// The files that lie beside the ones that they are to replace.
static BESIDE: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn beside() -> MutexGuard<'static, Vec<PathBuf>> {
    BESIDE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn forget(path: &Path, removes: bool) {
    if removes {
        let _ = fs::remove_file(path);
    }
    beside().retain(|other| other != path);
}

/// Removes every file that was not finished: for a program that ends at once.
pub fn abandon() {
    for path in beside().drain(..) {
        let _ = fs::remove_file(path);
    }
}

/// A new file in the folder of `path`, under a name that nothing else had; closed to others where `is_private`.
fn create_beside(path: &Path, is_private: bool) -> io::Result<(PathBuf, File)> {
    const MOST_NAMES: u32 = 1000;
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if is_private {
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    }
    #[cfg(not(unix))]
    let _ = is_private;
    for nth in 0..MOST_NAMES {
        // Short, for the file's own name may be as long as the system allows.
        let beside = path.with_file_name(format!(".{}-{nth}.tmp", std::process::id()));
        match calls::open(&beside, &options) {
            Ok(file) => {
                self::beside().push(beside.clone());
                return Ok((beside, file));
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// Finds out whether `path` can be written, and leaves no trace.
///
/// # Errors
/// Why not.
pub fn check(path: &Path) -> io::Result<()> {
    match Place::of(path)? {
        Place::Special => Ok(()),
        Place::File(_) => Replacement::beside(path).map(drop),
    }
}

/// Writes the whole of `bytes` to `path`; where it fails, the old file stays.
///
/// # Errors
/// Those of the system.
pub fn write(path: &Path, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    let mut file = Replacement::beside(path)?;
    file.write_all(bytes.as_ref())?;
    file.finish()
}

/// Writes a file that must not be there yet; nothing else is left where it fails.
///
/// # Errors
/// [`io::ErrorKind::AlreadyExists`]; those of the system.
pub fn write_new(path: &Path, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    let mut file = calls::open(path, OpenOptions::new().write(true).create_new(true))?;
    let written = file.write_all(bytes.as_ref());
    if written.is_err() {
        let _ = fs::remove_file(path);
    }
    written
}

#[cfg(test)]
mod tests;
