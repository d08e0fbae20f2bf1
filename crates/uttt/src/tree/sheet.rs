//! Where the walk writes: a buffer that is copied to its reader, or pages that a pipe takes over.

#[cfg(target_os = "linux")]
#[allow(unsafe_code)] // Pages of our own that the kernel takes over.
mod given;

#[cfg(target_os = "linux")]
pub(super) use given::Given;

use super::digits::ROOM;
use std::io::{self, Write};

/// Bytes a write: large enough that system calls do not count, small enough for the second-level cache.
pub(super) const WRITE: usize = 256 * 1024;
/// Bytes of a sheet: behind [`WRITE`] there is room for the children of one board.
const SHEET: usize = WRITE + 9 * ROOM;

/// A sheet of bytes to fill, another one after each.
pub(super) trait Sheets {
    /// The whole sheet.
    fn sheet(&mut self) -> &mut [u8];

    /// Sends the first bytes of the sheet; what the sheet holds after that is not defined.
    fn send(&mut self, used: usize) -> io::Result<()>;
}

/// One sheet, copied to any writer.
pub(super) struct Copied<'a, W> {
    buffer: Vec<u8>,
    output: &'a mut W,
}

impl<'a, W> Copied<'a, W> {
    pub fn new(output: &'a mut W) -> Self {
        Self { buffer: vec![0; SHEET], output }
    }
}

impl<W: Write> Sheets for Copied<'_, W> {
    #[inline]
    fn sheet(&mut self) -> &mut [u8] {
        &mut self.buffer
    }

    fn send(&mut self, used: usize) -> io::Result<()> {
        self.output.write_all(&self.buffer[..used])
    }
}
