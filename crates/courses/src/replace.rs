//! Atomic replacement of files.

use std::fs::{self, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// A file that replaces another once it is complete. Readers see either the whole old file or the whole new one.
#[derive(Debug)]
pub struct Replacement {
    file: tempfile::NamedTempFile,
    into: PathBuf,
}

impl Replacement {
    /// Creates an empty temporary file in the folder of `path`. If `path` is a link, its target is replaced.
    ///
    /// # Errors
    /// If no file can be created there, or `path` is a folder.
    pub fn beside(path: &Path) -> io::Result<Self> {
        let into = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        if into.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        let folder = into.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let file = tempfile::Builder::new().permissions(Permissions::from_mode(0o666)).tempfile_in(folder)?;
        Ok(Self { file, into })
    }

    /// Replaces the old file.
    ///
    /// # Errors
    /// The system's error.
    pub fn finish(mut self) -> io::Result<()> {
        self.file.flush()?;
        self.file.persist(&self.into)?;
        Ok(())
    }
}

impl Write for Replacement {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Returns true if `path` exists and is not a regular file: a device or a pipe, which is written to and never replaced.
fn is_special(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|data| !data.is_file() && !data.is_dir())
}

/// Checks that `path` can be written, without changing it.
///
/// # Errors
/// The reason why not.
pub fn check(path: &Path) -> io::Result<()> {
    if is_special(path) {
        return Ok(());
    }
    Replacement::beside(path).map(drop)
}

/// Writes `bytes` to `path`. On failure the old file stays.
///
/// # Errors
/// The system's error.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if is_special(path) {
        return fs::write(path, bytes);
    }
    let mut file = Replacement::beside(path)?;
    file.write_all(bytes)?;
    file.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_whole_and_a_link_stays_one() {
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("a"), folder.path().join("link"));
        write(&path, b"one").unwrap();
        std::os::unix::fs::symlink(&path, &link).unwrap();
        check(&link).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"one");
        write(&link, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn what_cannot_be_written_is_found_out_without_a_trace() {
        let folder = tempfile::tempdir().unwrap();
        assert!(check(folder.path()).is_err());
        assert!(check(&folder.path().join("nowhere/page.html")).is_err());
        assert!(check(&folder.path().join("page.html")).is_ok());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        check(Path::new("/dev/null")).unwrap();
        write(Path::new("/dev/null"), b"x").unwrap();
    }
}
