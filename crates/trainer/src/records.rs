//! Files of fixed-size records: self-play positions with the search's value and the game's result.

use anyhow::{Context, Result, ensure};
use std::fs;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use wire::file::Replacement;

/// A record of a fixed size.
pub trait Record: Sized {
    /// Size of a record in bytes.
    const BYTES: usize;

    /// Appends the record's bytes.
    fn append_to(&self, bytes: &mut Vec<u8>);

    /// Parses a record of [`BYTES`](Self::BYTES) bytes.
    ///
    /// # Errors
    /// If the bytes are not a valid record.
    fn parse(bytes: &[u8]) -> Result<Self>;
}

/// A buffered writer of records.
#[derive(Debug)]
pub struct Writer {
    path: PathBuf,
    file: BufWriter<Replacement>,
    bytes: Vec<u8>,
}

impl Writer {
    /// Creates the file. What stands there stays until [`finish`](Self::finish).
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn create(path: &Path) -> Result<Self> {
        let file = Replacement::create(path).with_context(|| unwritable(path))?;
        Ok(Self { path: path.to_owned(), file: BufWriter::new(file), bytes: Vec::new() })
    }

    /// Appends records.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn append<R: Record>(&mut self, records: &[R]) -> Result<()> {
        self.bytes.clear();
        for record in records {
            record.append_to(&mut self.bytes);
        }
        self.file.write_all(&self.bytes).with_context(|| unwritable(&self.path))
    }

    /// Flushes the file.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn finish(mut self) -> Result<()> {
        self.file.flush().with_context(|| unwritable(&self.path))?;
        let file = self.file.into_inner().map_err(std::io::IntoInnerError::into_error);
        file.and_then(Replacement::finish).with_context(|| unwritable(&self.path))
    }
}

fn unwritable(path: &Path) -> String {
    format!("cannot write {}", path.display())
}

/// Reads a whole file of at most 1 GiB: a device may have no end.
///
/// # Errors
/// If the file cannot be read or is larger.
pub fn bytes(path: &Path) -> Result<Vec<u8>> {
    const LARGEST: u64 = 1 << 30;
    let cannot = || format!("cannot read {}", path.display());
    let length = fs::metadata(path).with_context(cannot)?.len();
    ensure!(length <= LARGEST, "{}: larger than {} MB", path.display(), LARGEST >> 20);
    wire::text::read_bytes(path, LARGEST).with_context(cannot)
}

/// Reads all records of a file.
///
/// # Errors
/// If the file cannot be read or a record is not valid.
pub fn read<R: Record>(path: &Path) -> Result<Vec<R>> {
    let bytes = bytes(path)?;
    ensure!(bytes.len() % R::BYTES == 0, "{}: not a whole number of records", path.display());
    bytes
        .chunks_exact(R::BYTES)
        .map(|chunk| R::parse(chunk).with_context(|| path.display().to_string()))
        .collect()
}

/// Reads a value from −1 to 1, a little-endian float at offset `at`.
pub(crate) fn value(bytes: &[u8], at: usize) -> Result<f32> {
    let value = f32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
    ensure!((-1.0..=1.0).contains(&value), "a record of a value beyond certainty");
    Ok(value)
}
