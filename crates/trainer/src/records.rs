//! Files of records of one size: positions of self-play with what the search thought of them and how the game ended.

use anyhow::{Context, Result, ensure};
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// What a file holds one of after another.
pub trait Record: Sized {
    /// Bytes of each.
    const BYTES: usize;

    /// Adds the record's bytes.
    fn append_to(&self, bytes: &mut Vec<u8>);

    /// The record of [`BYTES`](Self::BYTES) bytes.
    ///
    /// # Errors
    /// Bytes that no record has.
    fn parse(bytes: &[u8]) -> Result<Self>;
}

/// A file that is being written.
#[derive(Debug)]
pub struct Writer {
    path: PathBuf,
    file: BufWriter<File>,
    bytes: Vec<u8>,
}

impl Writer {
    /// Makes the file anew.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn create(path: &Path) -> Result<Self> {
        let file = File::create(path).with_context(|| unwritable(path))?;
        Ok(Self { path: path.to_owned(), file: BufWriter::new(file), bytes: Vec::new() })
    }

    /// Adds records.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn append<R: Record>(&mut self, records: &[R]) -> Result<()> {
        self.bytes.clear();
        for record in records {
            record.append_to(&mut self.bytes);
        }
        self.file.write_all(&self.bytes).with_context(|| unwritable(&self.path))
    }

    /// Writes what is left.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn finish(mut self) -> Result<()> {
        self.file.flush().with_context(|| unwritable(&self.path))
    }
}

fn unwritable(path: &Path) -> String {
    format!("cannot write {}", path.display())
}

/// The records of a file.
///
/// # Errors
/// A file that cannot be read or is no file of such records.
pub fn read<R: Record>(path: &Path) -> Result<Vec<R>> {
    let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    ensure!(bytes.len() % R::BYTES == 0, "{}: not a whole number of records", path.display());
    bytes
        .chunks_exact(R::BYTES)
        .map(|chunk| R::parse(chunk).with_context(|| path.display().to_string()))
        .collect()
}

/// The float of four bytes, little-endian, from `at` on.
pub(crate) fn float(bytes: &[u8], at: usize) -> f32 {
    f32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"))
}
