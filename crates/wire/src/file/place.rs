//! Resolves a path: to a file that can be replaced, or to something that is written in place.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The kind of object that a path names.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// A regular file, existing or not, with all links resolved.
    File(PathBuf),
    /// A device, a pipe, a socket or a descriptor of a process: never replaced.
    Special,
}

/// The largest number of links that are followed, as in Linux.
const MAX_LINKS: usize = 40;

impl Place {
    pub(super) fn of(path: &Path) -> io::Result<Self> {
        if let Ok(data) = fs::metadata(path) {
            if data.is_dir() {
                return Err(io::ErrorKind::IsADirectory.into());
            }
            if !data.is_file() {
                return Ok(Self::Special);
            }
        }
        if path.as_os_str().is_empty() {
            return Err(io::Error::new(io::ErrorKind::NotFound, "the name of a file is empty"));
        }
        let mut path = path.to_owned();
        for _ in 0..MAX_LINKS {
            // A folder that is missing: the system would refuse it only at the end, when the file is renamed.
            let text = path.as_os_str().as_encoded_bytes();
            if text.ends_with(b"/") || text.ends_with(b"/.") {
                return Err(io::ErrorKind::NotADirectory.into());
            }
            if is_descriptor(&path) {
                return Ok(Self::Special);
            }
            match fs::read_link(&path) {
                Ok(next) => path = folder_of(&path).join(next),
                Err(_) => return Ok(Self::File(path)),
            }
        }
        Err(io::Error::other("too many symbolic links"))
    }
}

/// The folder of a path; `.` for a bare name.
pub(super) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// True for entries of `/proc`, where `/dev/stdout` and `/dev/fd/3` lead: replacing such an entry would leave the
/// descriptor on the old file.
fn is_descriptor(path: &Path) -> bool {
    fs::canonicalize(folder_of(path)).is_ok_and(|folder| folder.starts_with("/proc"))
}

/// The identity of the file that a path leads to, independent of spelling.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Identity {
    /// An existing file, by device and inode.
    #[cfg(unix)]
    There(u64, u64),
    /// An existing file, by its full path.
    #[cfg(not(unix))]
    There(PathBuf),
    /// A file that does not exist yet, by its folder and its name.
    Missing(Box<Identity>, OsString),
}

/// The identity of the file at `path`. `None` for whatever may be named twice without harm: a device, a pipe, a folder,
/// or a path that leads nowhere.
pub(super) fn identity(path: &Path) -> Option<Identity> {
    match fs::metadata(path) {
        Ok(data) if data.is_file() => there(path, &data),
        Ok(_) => None,
        Err(_) => {
            let Ok(Place::File(path)) = Place::of(path) else { return None };
            let folder = folder_of(&path);
            let folder = there(folder, &fs::metadata(folder).ok()?)?;
            Some(Identity::Missing(Box::new(folder), path.file_name()?.to_owned()))
        }
    }
}

#[cfg(unix)]
#[allow(clippy::unnecessary_wraps, reason = "elsewhere there may be no answer")]
pub(super) fn there(_: &Path, data: &fs::Metadata) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt;
    Some(Identity::There(data.dev(), data.ino()))
}

#[cfg(not(unix))]
pub(super) fn there(path: &Path, _: &fs::Metadata) -> Option<Identity> {
    fs::canonicalize(path).ok().map(Identity::There)
}
