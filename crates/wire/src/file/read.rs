//! Files opened for reading.

use super::calls::{self, SOON};
use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Read};
use std::path::Path;

/// A file open for reading, or a descriptor of this process.
#[derive(Debug)]
pub struct Input {
    file: File,
    is_plain: bool,
}

/// Opens a file for reading. A pipe, a device or a file of the system that has nothing to read yet is refused, here or
/// by the first read, where it would make the program wait, maybe for ever. Descriptors of this process, such as
/// `/dev/stdin`, are read as they come.
///
/// # Errors
/// Those of the system; [`io::ErrorKind::InvalidInput`] for what is not a plain file.
pub fn open(path: &Path) -> io::Result<Input> {
    let file = calls::open(path, OpenOptions::new().read(true))?;
    // Of the opened file: another one may have taken its name meanwhile.
    let data = file.metadata()?;
    let is_plain = data.is_file();
    if !is_plain && !data.is_dir() && !names_descriptor(path) {
        return Err(no_plain_file());
    }
    Ok(Input { file, is_plain })
}

/// True for the names by which a person or a shell means a descriptor of this process. A link to one is none of them.
fn names_descriptor(path: &Path) -> bool {
    path == Path::new("/dev/stdin") || path.starts_with("/dev/fd") || path.starts_with("/proc/self/fd")
}

pub(super) fn no_plain_file() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "not a plain file")
}

impl Input {
    /// The file's kind, length and rights.
    ///
    /// # Errors
    /// Those of the system.
    pub fn metadata(&self) -> io::Result<Metadata> {
        self.file.metadata()
    }
}

impl Read for Input {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.file.read(bytes) {
                Err(error) if error.kind() != io::ErrorKind::WouldBlock => return Err(error),
                // Such as `/proc/kmsg`, which calls itself a plain file.
                Err(_) if self.is_plain => return Err(no_plain_file()),
                Err(_) => std::thread::sleep(SOON),
                read => return read,
            }
        }
    }
}
