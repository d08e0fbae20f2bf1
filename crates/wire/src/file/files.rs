//! The files of one command: no output may be an input or another output.

use super::place::{Identity, Place, identity};
use std::path::Path;

/// Two arguments of one command name the same file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{output} \"{path}\" would overwrite {other}")]
pub struct Clash {
    /// The option or role of the output in the command.
    pub output: String,
    /// The output's path.
    pub path: String,
    /// The option or role of the other file in the command.
    pub other: String,
}

/// The files that a command reads and writes. They are compared by identity, not by spelling: symbolic and hard links
/// lead to the same file.
#[derive(Debug, Default)]
pub struct Files {
    known: Vec<Known>,
}

#[derive(Debug)]
struct Known {
    name: String,
    path: String,
    identity: Identity,
    is_output: bool,
}

impl Files {
    /// An empty set, but for standard output if that is a file.
    #[must_use]
    pub fn new() -> Self {
        let mut files = Self::default();
        files.add("the standard output".to_owned(), Path::new("/dev/stdout"), true);
        files
    }

    /// Adds a file to be read.
    pub fn input(&mut self, name: impl Into<String>, path: &Path) {
        self.add(name.into(), path, false);
    }

    /// Adds a file to be written.
    pub fn output(&mut self, name: impl Into<String>, path: &Path) {
        // A descriptor such as `/dev/stdout` is written in place: nothing is replaced.
        if Place::of(path).is_ok_and(|place| place != Place::Special) {
            self.add(name.into(), path, true);
        }
    }

    fn add(&mut self, name: String, path: &Path, is_output: bool) {
        if let Some(identity) = identity(path) {
            self.known.push(Known { name, path: path.display().to_string(), identity, is_output });
        }
    }

    /// Checks that every output is distinct from every other file.
    ///
    /// # Errors
    /// The first output that is not.
    pub fn check(&self) -> Result<(), Clash> {
        for (nth, output) in self.known.iter().enumerate().filter(|(_, file)| file.is_output) {
            let same = |(other, file): &(usize, &Known)| {
                // Of two equal outputs, the later one is reported.
                file.identity == output.identity && if file.is_output { *other < nth } else { true }
            };
            if let Some((_, other)) = self.known.iter().enumerate().find(same) {
                let (output, path, other) = (output.name.clone(), output.path.clone(), other.name.clone());
                return Err(Clash { output, path, other });
            }
        }
        Ok(())
    }
}
