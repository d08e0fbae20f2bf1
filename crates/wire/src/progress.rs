//! Progress on standard output.

use crate::Failure;
use std::fmt::Display;

/// Lines on standard output. They stop at the first that cannot be written, whose error waits for the result: a fit of
/// hours is not lost with its output.
#[derive(Debug, Default)]
pub struct Progress(Option<Failure>);

impl Progress {
    /// Prints a line.
    pub fn line(&mut self, line: impl Display) {
        if self.0.is_none() {
            self.0 = crate::print_line(line).err();
        }
    }

    /// Returns the first error, for the time after the result is written.
    ///
    /// # Errors
    /// A line could not be written.
    pub fn end(self) -> Result<(), Failure> {
        self.0.map_or(Ok(()), Err)
    }
}
