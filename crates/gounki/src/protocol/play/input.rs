//! Where a person's entries come from.

use rustyline::error::ReadlineError;
use rustyline::history::MemHistory;
use rustyline::{Config, Editor};
use std::io::{BufRead, Write};
use wire::{Failure, LineReader};

/// The longest entry; a file's name may stand in it.
const LONGEST_ENTRY: usize = 4096;

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
        Self(LineReader::new(reader, LONGEST_ENTRY))
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

/// A terminal: lines can be edited, and earlier ones called back with the arrow keys.
pub struct Terminal(Editor<(), MemHistory>);

impl Terminal {
    /// The terminal that standard input and output are.
    ///
    /// # Errors
    /// When it cannot be set up.
    pub fn new() -> Result<Self, Failure> {
        let config = Config::builder().auto_add_history(true).build();
        let editor = Editor::with_history(config, MemHistory::new());
        Ok(Self(editor.map_err(|error| Failure::run(format!("terminal : {error}")))?))
    }
}

impl Input for Terminal {
    fn ask(&mut self, prompt: &str, output: &mut dyn Write) -> Result<Option<String>, Failure> {
        output.flush()?;
        match self.0.readline(prompt) {
            Ok(line) => Ok(Some(line)),
            // Both keys that end an entry for good: Ctrl-D and Ctrl-C.
            Err(ReadlineError::Eof | ReadlineError::Interrupted) => Ok(None),
            Err(error) => Err(Failure::run(format!("terminal : {error}"))),
        }
    }
}
