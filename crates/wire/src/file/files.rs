//! The files of one command: an output must be none of its inputs, and no other output.

use super::place::{Identity, Place, identity};
use std::path::Path;

/// Two files of one command that are the same one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{output} \"{path}\" would write over {other}")]
pub struct Clash {
    /// The output, as the command names it.
    pub output: String,
    /// Its path.
    pub path: String,
    /// The other file, as the command names it.
    pub other: String,
}

/// The files that one command reads and writes. They are compared by what they are, not by how they are spelt: links and
/// hard links lead to the same file.
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
    /// No file yet but the standard output, where that is a file.
    #[must_use]
    pub fn new() -> Self {
        let mut files = Self::default();
        files.add("the standard output".to_owned(), Path::new("/dev/stdout"), true);
        files
    }

    /// Adds a file that is read.
    pub fn input(&mut self, name: impl Into<String>, path: &Path) {
        self.add(name.into(), path, false);
    }

    /// Adds a file that is written.
    pub fn output(&mut self, name: impl Into<String>, path: &Path) {
        // A descriptor's own name is written in place: nothing is replaced.
        if Place::of(path).is_ok_and(|place| place != Place::Special) {
            self.add(name.into(), path, true);
        }
    }

    fn add(&mut self, name: String, path: &Path, is_output: bool) {
        if let Some(identity) = identity(path) {
            self.known.push(Known { name, path: path.display().to_string(), identity, is_output });
        }
    }

    /// Checks that every output is a file of its own.
    ///
    /// # Errors
    /// The first output that is not.
    pub fn check(&self) -> Result<(), Clash> {
        for (nth, output) in self.known.iter().enumerate().filter(|(_, file)| file.is_output) {
            let same = |(other, file): &(usize, &Known)| {
                // Of two outputs the later one is told.
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
