//! Progress on standard output.

use std::fmt::Display;
use wire::Failure;

/// Lines on standard output. They stop at the first that cannot be written, whose error waits for the result: a fit of
/// hours is not lost with its output.
#[derive(Debug, Default)]
pub(crate) struct Progress(Option<Failure>);

impl Progress {
    /// Prints a line.
    pub(crate) fn line(&mut self, line: impl Display) {
        if self.0.is_none() {
            self.0 = wire::print_line(line).err();
        }
    }

    /// Returns the first error, after the result is written.
    ///
    /// # Errors
    /// A line could not be written.
    pub(crate) fn end(self) -> Result<(), Failure> {
        self.0.map_or(Ok(()), Err)
    }
}
