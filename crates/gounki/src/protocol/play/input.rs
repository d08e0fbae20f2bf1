//! The sources of a person's entries.

use crate::protocol::french;
use rustyline::error::ReadlineError;
use rustyline::history::MemHistory;
use rustyline::{Config, Editor};
use std::io::{BufRead, Write};
use wire::{Failure, LineReader};

/// The longest entry in bytes; it may contain a file name.
const LONGEST_ENTRY: usize = 4096;

/// A person's answer to the prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Entry {
    /// A line of text.
    Line(String),
    /// The input has ended.
    End,
    /// Ctrl-C was pressed.
    Interrupted,
}

/// The size of a screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// The number of lines.
    pub rows: usize,
    /// The number of columns.
    pub columns: usize,
}

/// A source of lines from a person.
pub trait Input {
    /// Shows the prompt and reads a line.
    ///
    /// # Errors
    /// The input cannot be read.
    fn ask(&mut self, prompt: &str, output: &mut dyn Write) -> Result<Entry, Failure>;

    /// The size of the screen; `None` if it cannot be redrawn.
    fn screen(&mut self) -> Option<Size> {
        None
    }

    /// Called before a long search: until the next [`ask`](Self::ask), Ctrl-C acts as usual.
    fn pause(&mut self) {}
}

/// Plain lines, without editing.
#[derive(Debug)]
pub struct Plain<R>(LineReader<R>);

impl<R: BufRead> Plain<R> {
    /// Reads lines from `reader`.
    pub fn new(reader: R) -> Self {
        Self(LineReader::new(reader, LONGEST_ENTRY))
    }
}

impl<R: BufRead> Input for Plain<R> {
    fn ask(&mut self, prompt: &str, output: &mut dyn Write) -> Result<Entry, Failure> {
        output.write_all(prompt.as_bytes())?;
        output.flush()?;
        match self.0.text() {
            Ok(line) => {
                // The prompt's line is not ended by a return key.
                output.write_all(b"\n")?;
                Ok(line.map_or(Entry::End, |line| Entry::Line(line.to_owned())))
            }
            Err(error) => Err(Failure::input(format!("entrée : {}", french::line(&error)))),
        }
    }
}

/// A terminal with line editing and a history.
pub struct Terminal {
    /// While an editor exists, Ctrl-C is only seen by its next prompt.
    editor: Option<Editor<(), MemHistory>>,
    /// The history, while there is no editor.
    entered: MemHistory,
}

impl Terminal {
    /// The terminal of standard input and output.
    ///
    /// # Errors
    /// The terminal cannot be set up.
    pub fn new() -> Result<Self, Failure> {
        let mut terminal = Self { editor: None, entered: MemHistory::new() };
        terminal.editor()?;
        Ok(terminal)
    }

    fn editor(&mut self) -> Result<&mut Editor<(), MemHistory>, Failure> {
        if self.editor.is_none() {
            let config = Config::builder().auto_add_history(true).build();
            let editor = Editor::with_history(config, std::mem::take(&mut self.entered));
            self.editor = Some(editor.map_err(|error| Failure::run(format!("terminal : {error}")))?);
        }
        Ok(self.editor.as_mut().expect("made above"))
    }
}

impl Input for Terminal {
    fn ask(&mut self, prompt: &str, output: &mut dyn Write) -> Result<Entry, Failure> {
        output.flush()?;
        match self.editor()?.readline(prompt) {
            Ok(line) => Ok(Entry::Line(line)),
            Err(ReadlineError::Eof) => Ok(Entry::End),
            Err(ReadlineError::Interrupted) => Ok(Entry::Interrupted),
            Err(ReadlineError::Io(error)) => {
                Err(Failure::run(format!("terminal : {}", french::system(&error))))
            }
            Err(error) => Err(Failure::run(format!("terminal : {error}"))),
        }
    }

    fn screen(&mut self) -> Option<Size> {
        let dumb = std::env::var("TERM").map_or(true, |term| matches!(term.as_str(), "" | "dumb"));
        let (columns, rows) = self.editor().ok()?.dimensions().filter(|_| !dumb)?;
        Some(Size { rows: rows.into(), columns: columns.into() })
    }

    fn pause(&mut self) {
        if let Some(mut editor) = self.editor.take() {
            self.entered = std::mem::take(editor.history_mut());
        }
    }
}
