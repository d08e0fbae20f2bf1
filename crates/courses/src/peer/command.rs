//! A player's command line: split like a shell, with placeholders and without expansion.

use crate::sandbox::{Network, Sandbox};
use std::path::PathBuf;

/// A program to start, with its limits.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Command {
    /// The program and its arguments.
    pub words: Vec<String>,
    /// The name of the player that it belongs to, for reports. Empty if it is none's.
    pub player: String,
    /// The words with the player's name. They name no file that the sandbox may open.
    pub named: Vec<String>,
    /// The working folder, by default the referee's.
    pub folder: Option<PathBuf>,
    /// Variables added to the environment.
    pub environment: Vec<(String, String)>,
    /// Virtual memory in bytes (`RLIMIT_AS`).
    pub memory: Option<u64>,
    /// The processor to bind to.
    pub processor: Option<usize>,
    /// True to use a terminal as standard output, because most programs buffer their output to a pipe.
    pub terminal: bool,
    /// The sandbox to start in, if any.
    pub sandbox: Option<Sandbox>,
    /// The part of the network that its course gives it. Without a sandbox it has all of it.
    pub network: Network,
}

/// An error in a command line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SplitError {
    /// A quote is not closed.
    #[error("an unclosed quote in \"{0}\"")]
    Unclosed(String),
    /// The command line is empty.
    #[error("an empty command line")]
    Empty,
}

impl Command {
    /// Splits a command line like a shell, with quotes and backslashes and without expansion.
    ///
    /// # Errors
    /// [`SplitError`].
    pub fn split(text: &str) -> Result<Self, SplitError> {
        let words = shell_words::split(text).map_err(|_| SplitError::Unclosed(text.to_owned()))?;
        if words.is_empty() {
            return Err(SplitError::Empty);
        }
        Ok(Self { words, ..Self::default() })
    }

    /// Replaces every `{name}` of `values`.
    #[must_use]
    pub fn filled(&self, values: &[(&str, String)]) -> Self {
        let fill = |word: &String| {
            values
                .iter()
                .fold(word.clone(), |word, (name, value)| word.replace(&format!("{{{name}}}"), value))
        };
        Self { words: self.words.iter().map(fill).collect(), ..self.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_separate_words_and_quotes_keep_them() {
        let command = Command::split(r#"a  b'c d'"e f" g\ h '' "#).unwrap();
        assert_eq!(command.words, ["a", "bc de f", "g h", ""]);
    }

    #[test]
    fn what_is_never_closed_is_named() {
        assert_eq!(Command::split("a 'b").unwrap_err().to_string(), "an unclosed quote in \"a 'b\"");
        assert_eq!(Command::split(" ").unwrap_err(), SplitError::Empty);
    }

    #[test]
    fn placeholders_are_filled_in() {
        let command = Command::split("play --seed {seed}").unwrap().filled(&[("seed", "7".into())]);
        assert_eq!(command.words, ["play", "--seed", "7"]);
    }
}
