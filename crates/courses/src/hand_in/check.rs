//! An archive tried as its course will: unpacked in an empty folder, built without network by the course's own command,
//! started the course's own way, and played.

pub(crate) mod mark;
pub(crate) mod process;

use super::pack::Form;
use super::submission;
use crate::registry::Game;
use anyhow::{Context, Result, ensure};
use std::fs;
use std::path::{Path, PathBuf};

/// The way the archive is built.
#[derive(Debug, Clone, Default)]
pub struct Conditions {
    /// Told what is being done.
    pub show: Option<fn(&str)>,
    /// Variables for every command, for example to build faster than the course will.
    pub environment: Vec<(String, String)>,
    /// The project's referee, which marks what was built; without it nothing is marked.
    pub referee: Option<PathBuf>,
}

/// Tries an archive; a line for each thing that was seen to work, or that could not be tried.
///
/// # Errors
/// The first thing that does not work.
pub fn check(game: Game, archive: &Path, conditions: &Conditions) -> Result<Vec<String>> {
    let bytes = fs::read(archive).with_context(|| archive.display().to_string())?;
    let folder = tempfile::Builder::new().prefix("remise-essai-").tempdir()?;
    let tree = Form::of(archive)?.unpack(&bytes)?;
    tree.write(folder.path())?;
    let mut place = Place { folder: folder.path().to_owned(), conditions, seen: Vec::new() };
    submission(game)?.check(&mut place)?;
    if let Some(referee) = &conditions.referee {
        place.show("referee mark");
        mark::card(&mut place, game, referee)?;
    }
    ensure!(!place.seen.is_empty(), "nothing was tried");
    Ok(place.seen)
}

/// An unpacked archive, and what was seen there.
pub struct Place<'a> {
    /// Where the archive was unpacked.
    pub folder: PathBuf,
    conditions: &'a Conditions,
    seen: Vec<String>,
}

impl Place<'_> {
    /// Tells what is being done.
    pub(crate) fn show(&self, line: &str) {
        if let Some(show) = self.conditions.show {
            show(line);
        }
    }

    pub(crate) fn saw(&mut self, what: impl Into<String>) {
        self.seen.push(what.into());
    }
}
