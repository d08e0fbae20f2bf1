//! Where a person's entries come from.

use crate::protocol::french;
use rustyline::error::ReadlineError;
use rustyline::history::MemHistory;
use rustyline::{Config, Editor};
use std::io::{BufRead, Write};
use wire::{Failure, LineReader};

/// The longest entry; a file's name may stand in it.
const LONGEST_ENTRY: usize = 4096;

/// A person's answer to the prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Entry {
    /// A line.
    Line(String),
    /// Nothing more will come.
    End,
    /// Ctrl-C was pressed.
    Interrupted,
}

/// Lines and columns of a screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// Lines.
    pub rows: usize,
    /// Columns.
    pub columns: usize,
}

/// Asks a person for a line.
pub trait Input {
    /// Shows the prompt and reads a line.
    ///
    /// # Errors
    /// When the input cannot be read.
    fn ask(&mut self, prompt: &str, output: &mut dyn Write) -> Result<Entry, Failure>;

    /// The size of the screen, where there is one that can be drawn anew.
    fn screen(&mut self) -> Option<Size> {
        None
    }

    /// Nobody is asked for a while: Ctrl-C means what it means to any program.
    fn pause(&mut self) {}
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
    fn ask(&mut self, prompt: &str, output: &mut dyn Write) -> Result<Entry, Failure> {
        output.write_all(prompt.as_bytes())?;
        output.flush()?;
        match self.0.text() {
            Ok(line) => {
                // Nobody has pressed return on this side of the pipe.
                output.write_all(b"\n")?;
                Ok(line.map_or(Entry::End, |line| Entry::Line(line.to_owned())))
            }
            Err(error) => Err(Failure::input(format!("entrée : {}", french::line(&error)))),
        }
    }
}

/// A terminal: lines can be edited, and earlier ones called back with the arrow keys.
pub struct Terminal {
    /// While one lives, Ctrl-C only reaches its next prompt.
    editor: Option<Editor<(), MemHistory>>,
    /// The lines entered so far, while there is no editor.
    entered: MemHistory,
}

impl Terminal {
    /// The terminal that standard input and output are.
    ///
    /// # Errors
    /// When it cannot be set up.
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
