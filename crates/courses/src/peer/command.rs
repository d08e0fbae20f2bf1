//! A player's command line: split like a shell, with placeholders and without expansion.

use crate::sandbox::{Network, Sandbox};
use std::path::{Path, PathBuf};

/// The names of shells.
pub const SHELLS: [&str; 5] = ["sh", "bash", "dash", "ksh", "zsh"];

/// A program to start, with its limits.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Command {
    /// The program and its arguments.
    pub words: Vec<String>,
    /// The name of the player that it belongs to, for reports. Empty if it is none's.
    pub player: String,
    /// The words with the player's name. They name no file that the sandbox may open.
    pub named: Vec<String>,
    /// A student's work that it belongs to, which it may read. In the sandbox it starts in a copy of it: its folders are made
    /// with copies of small files and links to large ones, in namespaces with the same paths.
    pub work: Option<PathBuf>,
    /// Files and folders of the project's own that it reads.
    pub reads: Vec<PathBuf>,
    /// The working folder, by default the referee's.
    pub folder: Option<PathBuf>,
    /// True if it changes its working folder. In namespaces it starts in the folder itself, and by the folder's path it has
    /// an empty one of its scratch folder.
    pub changes: bool,
    /// Variables added to the environment.
    pub environment: Vec<(String, String)>,
    /// Virtual memory in bytes (`RLIMIT_AS`); in the sandbox the heap of a Java machine.
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

/// The limit of a program's memory in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Limit {
    /// Its virtual memory.
    Space(u64),
    /// The heap of a Java machine, which reserves far more virtual memory than it uses.
    Heap(u64),
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

    /// Returns the way in which its memory is limited. Reads a script.
    pub(crate) fn limit(&self) -> Option<Limit> {
        self.memory.map(|bytes| if self.is_java() { Limit::Heap(bytes) } else { Limit::Space(bytes) })
    }

    /// Returns true for `java` and for a shell's script that names it outside its comments.
    fn is_java(&self) -> bool {
        /// The longest script that is read, in bytes.
        const LONGEST: u64 = 1 << 16;
        let names_java = |text: &str| {
            text.split(|sign: char| !sign.is_ascii_alphanumeric() && sign != '_' && sign != '-')
                .any(|word| word == "java")
        };
        let starts_java = |script: &str| {
            script.lines().any(|line| {
                let mut last = ' ';
                let is_comment = |sign| {
                    let before = std::mem::replace(&mut last, sign);
                    sign == '#' && before.is_whitespace()
                };
                names_java(line.split(is_comment).next().unwrap_or_default())
            })
        };
        let Some(program) = self.words.first() else { return false };
        let name = Path::new(program).file_name().unwrap_or_default();
        let is_shell = name == "env" || SHELLS.iter().any(|shell| name == *shell);
        let is_of_shell = |script: &str| {
            let first = script.strip_prefix("#!").and_then(|rest| rest.lines().next());
            let mut words = first.unwrap_or_default().split_whitespace();
            let name = |word: &str| word.rsplit('/').next().unwrap_or_default().to_owned();
            let interpreter = words.by_ref().map(name).find(|word| word != "env" && !word.starts_with('-'));
            interpreter.is_some_and(|word| SHELLS.contains(&&*word))
        };
        let script = |word: &String| {
            let path = self.folder.as_ref().map_or_else(|| word.into(), |folder| folder.join(word));
            let text = wire::text::read_bytes(&path, LONGEST).ok();
            text.filter(|text| !text.starts_with(b"\x7fELF")).is_some_and(|text| {
                let text = String::from_utf8_lossy(&text);
                // Without an interpreter's line the shell that is given it reads it.
                let is_read = if text.starts_with("#!") { is_of_shell(&text) } else { is_shell };
                is_read && starts_java(&text)
            })
        };
        let of_shell = if is_shell { &self.words[1..] } else { &[] };
        name == "java"
            || of_shell.iter().any(|word| names_java(word))
            || self.words.first().into_iter().chain(of_shell).any(script)
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
#[allow(clippy::disallowed_methods, reason = "tests make files as they like")]
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
    fn a_script_that_starts_a_java_machine_is_one() {
        let folder = tempfile::tempdir().unwrap();
        let is_java = |text: &str| {
            Command { folder: Some(folder.path().into()), ..Command::split(text).unwrap() }.is_java()
        };
        std::fs::write(folder.path().join("joueur"), "#!/bin/sh\nexec \"$JAVA_HOME/bin/java\" -cp . Bot\n")
            .unwrap();
        std::fs::write(folder.path().join("bot.sh"), "java Bot").unwrap();
        std::fs::write(folder.path().join("bot"), "\x7fELF java ").unwrap();
        std::fs::write(folder.path().join("bot.py"), "#!/usr/bin/python3\n# as in java\n").unwrap();
        std::fs::write(folder.path().join("told"), "#!/bin/sh\n# no java\nexec python3 x.py # java\n")
            .unwrap();
        std::fs::write(folder.path().join("env"), "#!/usr/bin/env -S bash -e\njava Bot\n").unwrap();
        for text in [
            "java Bot",
            "/opt/jdk/bin/java Bot",
            "./joueur",
            "./env",
            "sh bot.sh",
            "sh -c 'exec java Bot'",
            "env java Bot",
        ] {
            assert!(is_java(text), "{text}");
        }
        for text in
            ["./bot", "./bot.py", "./told", "sh ./told", "python3 bot.sh", "./bot java", "sh -c ./bot"]
        {
            assert!(!is_java(text), "{text}");
        }
    }

    #[test]
    fn placeholders_are_filled_in() {
        let command = Command::split("play --seed {seed}").unwrap().filled(&[("seed", "7".into())]);
        assert_eq!(command.words, ["play", "--seed", "7"]);
    }
}
