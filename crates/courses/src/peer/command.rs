//! A player's command line: split like a shell would, placeholders filled in, nothing expanded.

use std::path::PathBuf;

/// What to start, and under which limits.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Command {
    /// The program and its arguments.
    pub words: Vec<String>,
    /// Where to start it; the referee's own folder without.
    pub folder: Option<PathBuf>,
    /// Added to the environment.
    pub environment: Vec<(String, String)>,
    /// Virtual memory in bytes (`RLIMIT_AS`).
    pub memory: Option<u64>,
    /// The processor that it runs on.
    pub processor: Option<usize>,
}

/// Why a command line cannot be split.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SplitError {
    /// A quote that is never closed.
    #[error("unclosed {quote} in \"{text}\"")]
    Unclosed {
        /// The quote.
        quote: char,
        /// The whole text.
        text: String,
    },
    /// Nothing in it.
    #[error("an empty command line")]
    Empty,
}

impl Command {
    /// Splits a command line at blanks; quotes `'…'` and `"…"` keep blanks, a backslash keeps the next character.
    ///
    /// # Errors
    /// [`SplitError`].
    pub fn split(text: &str) -> Result<Self, SplitError> {
        let words = split(text)?;
        if words.is_empty() {
            return Err(SplitError::Empty);
        }
        Ok(Self { words, ..Self::default() })
    }

    /// The same with every `{name}` of `values` filled in.
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

/// The words of a line, quotes and backslashes as in a shell.
///
/// # Errors
/// [`SplitError::Unclosed`].
pub fn split(text: &str) -> Result<Vec<String>, SplitError> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    let mut characters = text.chars();
    while let Some(c) = characters.next() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some('\''), c) => word.get_or_insert_default().push(c),
            (_, '\\') => {
                let next = characters
                    .next()
                    .ok_or_else(|| SplitError::Unclosed { quote: '\\', text: text.to_owned() })?;
                word.get_or_insert_default().push(next);
            }
            (Some(_), c) => word.get_or_insert_default().push(c),
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (None, c) => word.get_or_insert_default().push(c),
        }
    }
    if let Some(quote) = quote {
        return Err(SplitError::Unclosed { quote, text: text.to_owned() });
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_separate_words_and_quotes_keep_them() {
        assert_eq!(split(r#"a  b'c d'"e f" g\ h '' "#).unwrap(), ["a", "bc de f", "g h", ""]);
        assert_eq!(split("  ").unwrap(), Vec::<String>::new());
    }

    #[test]
    fn what_is_never_closed_is_named() {
        assert_eq!(split("a 'b").unwrap_err().to_string(), "unclosed ' in \"a 'b\"");
        assert_eq!(split("a\\").unwrap_err().to_string(), "unclosed \\ in \"a\\\"");
        assert_eq!(Command::split(" ").unwrap_err(), SplitError::Empty);
    }

    #[test]
    fn placeholders_are_filled_in() {
        let command = Command::split("play --seed {seed}").unwrap().filled(&[("seed", "7".into())]);
        assert_eq!(command.words, ["play", "--seed", "7"]);
    }
}
