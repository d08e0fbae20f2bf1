//! Students' work of a class, built before anything is played.

use super::interrupt;
use super::language;
use super::progress::Progress;
use super::sandbox::SandboxOptions;
use crate::mark::build::{BUILDS, Builder, Built, rust_programs};
use crate::mark::class::Entry;
use courses::fault::Trouble;
use courses::peer::Supervisor;
use courses::registry::Game;
use courses::sandbox;
use std::fs::TryLockError;
use std::path::{Path, PathBuf};
use std::time::Duration;
use wire::Failure;
use wire::file::Appended;

/// The programs by which work is built. They may be installed anywhere.
const TOOLS: [&str; 9] = ["c++", "cc", "clang", "cmake", "g++", "gcc", "javac", "make", "python3"];

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
    if works == 0 {
        return Ok(entries.into_iter().map(|entry| Work { entry, built: None }).collect());
    }
    let rust = rust_programs();
    // The programs' folder lies in the toolchain's.
    let toolchain = rust.as_deref().and_then(Path::parent).map(Path::to_owned);
    let installations = sandbox::installations_of(&TOOLS).into_iter().chain(toolchain).collect();
    let builder =
        Builder { game, place: place_of(class)?, supervisor, sandbox: options.with(installations)?, rust };
    let failed = |error: anyhow::Error| Failure::run(format!("{}: {error:#}", builder.place.display()));
    let mut lock = builder.lock().map_err(failed)?;
    builder.check_place().map_err(interrupt::failure)?;
    let mut was_busy = false;
    let all = loop {
        share(&lock, supervisor).map_err(interrupt::failure)?;
        // While another referee uses the folder, no build that failed can be tried again.
        let kept = |entry: &Entry, work: &Path| builder.kept(entry, work, was_busy);
        if let Some(all) = each(&entries, kept)? {
            break all;
        }
        // A system without locks knows of no other referee.
        let _ = lock.file().unlock();
        if lock.lock().is_ok() {
            wire::file::remove_left(&builder.place);
            let mut progress = Progress::new(works as u64, 0, "builds", quiet);
            let build = |entry: &Entry, work: &Path| {
                let built = builder.build(entry, work)?;
                progress.step(|| entry.name.clone());
                Ok(Some(built))
            };
            let all = each(&entries, build)?;
            progress.finish();
            match (all, lock.file().try_lock_shared()) {
                (Some(all), Ok(()) | Err(TryLockError::Error(_))) => break all,
                // Another referee was faster, and may have built other work.
                _ => continue,
            }
        }
        // The other referee has built something meanwhile, perhaps all of it.
        if std::mem::replace(&mut was_busy, true) {
            let place = builder.place.display();
            return Err(Failure::run(format!(
                "{place} is in use by another referee, which plays with other work"
            )));
        }
    };
    // Held until this process ends, for players are started from the folder.
    std::mem::forget(lock);
    Ok(all)
}

/// Returns all programs, each work with what `built` returns for it. `None` if that is `None` for one of them.
fn each(
    entries: &[Entry],
    mut built: impl FnMut(&Entry, &Path) -> Result<Option<Built>, Trouble>,
) -> Result<Option<Vec<Work>>, Failure> {
    let mut all = Vec::new();
    for entry in entries {
        let mut entry = entry.clone();
        let mut work = None;
        if let Some(folder) = entry.folder.clone() {
            let Some(built) = built(&entry, &folder).map_err(interrupt::failure)? else { return Ok(None) };
            entry.command.clone_from(&built.command);
            work = Some(built);
        }
        all.push(Work { entry, built: work });
    }
    Ok(Some(all))
}

/// Locks the folder of the builds against changes. Waits while another referee builds there.
fn share(lock: &Appended, supervisor: &Supervisor) -> Result<(), Trouble> {
    let mut is_told = false;
    while let Err(TryLockError::WouldBlock) = lock.file().try_lock_shared() {
        if supervisor.is_stopped() {
            return Err(Trouble::Interrupted);
        }
        if !std::mem::replace(&mut is_told, true) {
            language::note("referee: another referee builds the work of this class: waiting for it");
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    Ok(())
}

/// Returns the folder for unpacked and built work: `NAME-built` beside the class.
pub(super) fn place_of(class: &Path) -> Result<PathBuf, Failure> {
    let wrong = |error: &dyn std::fmt::Display| Failure::input(format!("{}: {error}", class.display()));
    let class = class.canonicalize().map_err(|error| wrong(&error))?;
    let name = if class.is_dir() { class.file_name() } else { class.file_stem() };
    let name = name.ok_or_else(|| wrong(&"a folder with a name is expected"))?;
    let place = class.with_file_name(format!("{}{BUILDS}", name.to_string_lossy()));
    // It stands in the commands of the programs, where `{time}` is a word of the referee.
    match place.to_str() {
        Some(text) if !text.contains(['{', '}']) => Ok(place),
        _ => {
            Err(wrong(&"a path of UTF-8 without braces is expected, for programs are started from beside it"))
        }
    }
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "tests make files as they like")]
mod tests {
    use super::*;
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;

    #[test]
    fn a_class_lies_where_a_command_can_name_its_programs() {
        let folder = tempfile::tempdir().unwrap();
        let place = |path: &[u8]| {
            let class = folder.path().join(OsStr::from_bytes(path));
            std::fs::create_dir_all(&class).unwrap();
            place_of(&class).map(|place| place.file_name().unwrap().to_owned())
        };
        for name in ["a b", "new\nline", "-dash", "L2 (été) 🦀", "q'uo\"te"] {
            assert_eq!(place(name.as_bytes()).unwrap(), *format!("{name}-built"));
        }
        assert_eq!(place(b"caf\xe9").unwrap(), "caf\u{fffd}-built");
        for name in [&b"{time}"[..], b"{time}/class", b"caf\xe9/class"] {
            let error = place(name).unwrap_err().to_string();
            assert!(error.contains("a path of UTF-8 without braces is expected"), "{error}");
        }
    }
}
