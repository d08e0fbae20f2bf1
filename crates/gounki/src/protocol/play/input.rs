//! Where a person's entries come from.

use std::io::{BufRead, Write};
use wire::{Failure, LineReader};

/// Asks a person for a line.
pub trait Input {
    /// Shows the prompt and reads a line; `None` at the end of input.
    ///
    /// # Errors
    /// When the input cannot be read.
    fn ask(&mut self, prompt: &str, output: &mut dyn Write) -> Result<Option<String>, Failure>;
}

/// Plain lines, where no terminal can be edited on.
#[derive(Debug)]
pub struct Plain<R>(LineReader<R>);

impl<R: BufRead> Plain<R> {
    /// Reads from here.
    pub fn new(reader: R) -> Self {
        Self(LineReader::new(reader, 4096))
    }
}

impl<R: BufRead> Input for Plain<R> {
    fn ask(&mut self, prompt: &str, output: &mut dyn Write) -> Result<Option<String>, Failure> {
        output.write_all(prompt.as_bytes())?;
        output.flush()?;
        match self.0.text() {
            Ok(line) => {
                // Nobody has pressed return on this side of the pipe.
                output.write_all(b"\n")?;
                Ok(line.map(str::to_owned))
            }
            Err(error) => Err(Failure::input(format!("entrée : {error}"))),
        }
    }
}
