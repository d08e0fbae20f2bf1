//! Students' work of a class, built before anything is played.

use super::interrupt;
use super::progress::Progress;
use super::sandbox::SandboxOptions;
use crate::mark::build::{Builder, Built, rust_programs};
use crate::mark::class::Entry;
use courses::peer::Supervisor;
use courses::registry::Game;
use std::path::{Path, PathBuf};
use wire::Failure;

/// A program of a class, with its build if it came as work.
#[derive(Debug, Clone)]
pub struct Work {
    /// The program. It has no command if it could not be built.
    pub entry: Entry,
    /// The build.
    pub built: Option<Built>,
}

/// Builds the work of a class in a folder beside `class`, and returns the programs.
///
/// # Errors
/// The run's failure. Work that cannot be built is none.
pub fn built(
    class: &Path,
    entries: Vec<Entry>,
    game: Game,
    options: &SandboxOptions,
    supervisor: &Supervisor,
    quiet: bool,
) -> Result<Vec<Work>, Failure> {
    let works = entries.iter().filter(|entry| entry.folder.is_some()).count();
    let mut all = Vec::new();
    if works == 0 {
        return Ok(entries.into_iter().map(|entry| Work { entry, built: None }).collect());
    }
    let rust = rust_programs();
    // The programs' folder lies in the toolchain's.
    let toolchain = rust.as_deref().and_then(Path::parent).map(Path::to_owned);
    let builder =
        Builder { game, place: place_of(class)?, supervisor, sandbox: options.with(toolchain)?, rust };
    let mut progress = Progress::new(works as u64, 0, "builds", quiet);
    for mut entry in entries {
        let Some(work) = entry.folder.clone() else {
            all.push(Work { entry, built: None });
            continue;
        };
        let built = builder.build(&entry, &work).map_err(interrupt::failure)?;
        entry.command.clone_from(&built.command);
        progress.step(|| entry.name.clone());
        all.push(Work { entry, built: Some(built) });
    }
    progress.finish();
    Ok(all)
}

/// Returns the folder for unpacked and built work: `NAME-built` beside the class.
fn place_of(class: &Path) -> Result<PathBuf, Failure> {
    let wrong = |error: &dyn std::fmt::Display| Failure::input(format!("{}: {error}", class.display()));
    let class = class.canonicalize().map_err(|error| wrong(&error))?;
    let name = if class.is_dir() { class.file_name() } else { class.file_stem() };
    let name = name.ok_or_else(|| wrong(&"a folder with a name is expected"))?;
    Ok(class.with_file_name(format!("{}-built", name.to_string_lossy())))
}
