//! Checks an archive as the course does: unpacks it in an empty folder, builds it offline by the course's own command,
//! starts it in the course's way, and plays.

pub(crate) mod mark;
pub(crate) mod process;

use super::pack::Form;
use super::submission;
use crate::registry::Game;
use anyhow::{Context, Result, ensure};
use std::fs;
use std::path::{Path, PathBuf};

/// The conditions of a check.
#[derive(Debug, Clone, Default)]
pub struct Conditions {
    /// The listener to progress messages.
    pub show: Option<fn(&str)>,
    /// Environment variables for every command, for example for a faster build than the course's.
    pub environment: Vec<(String, String)>,
    /// The project's referee, which marks the build. Without it there is no marking.
    pub referee: Option<PathBuf>,
}

/// Checks an archive. Returns one line for each thing that worked or could not be checked.
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

/// An unpacked archive, and the results of its checks so far.
pub struct Place<'a> {
    /// The folder with the unpacked archive.
    pub folder: PathBuf,
    conditions: &'a Conditions,
    seen: Vec<String>,
}

impl Place<'_> {
    /// Reports progress.
    pub(crate) fn show(&self, line: &str) {
        if let Some(show) = self.conditions.show {
            show(line);
        }
    }

    pub(crate) fn saw(&mut self, what: impl Into<String>) {
        self.seen.push(what.into());
    }
}
