//! Builds students' work: unpacked into a folder of its own, compiled in the sandbox with a time limit.
//!
//! A build may write to its scratch folder and to the work's folder. In namespaces a part of the scratch folder is
//! mounted over the work's. The files after a build are read from a tar file, within bounds.

mod choice;
mod java;
mod recipe;
mod run;
mod scripts;
mod work;

use super::class::Entry;
use crate::run::is_void;
use anyhow::{Result, ensure};
use courses::archive::{Form, Tree};
use courses::fault::Trouble;
use courses::marking::STARTED;
use courses::peer::Supervisor;
use courses::player::Player;
use courses::registry::Game;
use courses::sandbox::Sandbox;
use recipe::{Program, Recipe};
use run::LIMIT;
use rustix::fs::{Mode, OFlags};
use serde::{Deserialize, Serialize};
use std::fs;
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::time::Instant;
use wire::file::Appended;
use work::{is_of_names, of_reading, unpacked};

/// The number of changes to the recipes. Work that another recipe built is built again.
const RECIPES: u32 = 7;

/// The end of the name of the folder of all builds, after the class's.
pub const BUILDS: &str = "-built";

/// The file in the folder of all builds whose lock says who uses it.
pub(super) const LOCK: &str = ".lock";

/// A student's work after its build.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Built {
    /// The checksum of the work and of the way in which it was built.
    pub checksum: String,
    /// The command that starts the program. Empty if there is none.
    pub command: String,
    /// The folder of the work.
    pub work: PathBuf,
    /// The folder of the build, or of the script, where the program starts.
    pub folder: PathBuf,
    /// The way in which it was built: `make`, `javac`.
    pub by: String,
    /// The last lines of the build's output.
    pub log: Vec<String>,
    /// The reason why there is no program.
    pub error: Option<String>,
}

/// A student's work before its build.
struct Unbuilt {
    tree: Tree,
    checksum: String,
    folder: PathBuf,
    stamp: PathBuf,
}

/// One build of some work.
struct Attempt {
    built: Built,
    /// True if the program was handed in as it is.
    is_old: bool,
    /// The files after the build.
    after: Tree,
}

/// A choice of the way to build some work.
type Way = fn(&Tree, &Game) -> Result<Recipe>;

/// Builds the work of a class.
#[derive(Debug)]
pub struct Builder<'a> {
    /// The assignment, which tells the names of its programs.
    pub game: Game,
    /// The folder with the work of all students, unpacked and built.
    pub place: PathBuf,
    /// The supervisor of the builds.
    pub supervisor: &'a Supervisor,
    /// The sandbox of the builds.
    pub sandbox: Option<Sandbox>,
    /// The programs of the Rust toolchain, for builds with cargo.
    pub rust: Option<PathBuf>,
}

impl Builder<'_> {
    /// Makes the folder of all builds, and opens the file whose lock says who uses it.
    ///
    /// # Errors
    /// The system's error, or a folder with other files has this name: builds would replace them.
    pub fn lock(&self) -> Result<Appended> {
        let is_open = self.sandbox.as_ref().is_some_and(Sandbox::needs_open_folders);
        let mode = if is_open { 0o711 } else { 0o700 };
        if !self.place.is_dir() {
            fs::DirBuilder::new().recursive(true).mode(mode).create(&self.place)?;
        }
        // No student's folder has this name.
        let lock = self.place.join(LOCK);
        let is_own = lock.exists() || fs::read_dir(&self.place)?.next().is_none();
        ensure!(is_own, "the class is built in this folder, which holds other files: rename it or the class");
        let rights = fs::metadata(&self.place)?.permissions().mode();
        if rights & mode != mode {
            fs::set_permissions(&self.place, fs::Permissions::from_mode(rights | mode))?;
        }
        Ok(Appended::open_plain(&lock)?)
    }

    /// Returns the build of a student's work if it is there unchanged, or if the work is none. A build that failed
    /// counts only `with_failed`: what was missing may be there now.
    ///
    /// # Errors
    /// The referee's own trouble.
    pub fn kept(&self, entry: &Entry, work: &Path, with_failed: bool) -> Result<Option<Built>, Trouble> {
        Ok(self.look(entry, work, with_failed)?.ok())
    }

    fn look(&self, entry: &Entry, work: &Path, with_failed: bool) -> Result<Result<Built, Unbuilt>, Trouble> {
        let name = folder_name(entry, work);
        let (folder, stamp) = (self.place.join(&name), self.place.join(format!("{name}.json")));
        let tree = match unpacked(work) {
            Ok(tree) => tree,
            Err(error) => return Ok(Ok(Built::failed(String::new(), of_reading(work, error)?))),
        };
        let checksum = checksum(&tree, self.game.name()).map_err(Trouble::referee)?;
        let kept = fs::read(&stamp).ok().and_then(|bytes| serde_json::from_slice::<Built>(&bytes).ok());
        // The class may have been moved.
        let is_there = |kept: &Built| kept.work == folder && folder.is_dir();
        let kept = kept.filter(|kept| kept.checksum == checksum && is_there(kept));
        let kept = kept.filter(|kept| with_failed || kept.error.is_none());
        Ok(kept.ok_or(Unbuilt { tree, checksum, folder, stamp }))
    }

    /// Unpacks and builds a student's work, unless its build is there unchanged and did not fail. Trouble with the work is
    /// in the result. The folder must be locked.
    ///
    /// # Errors
    /// [`Trouble::Interrupted`], or the referee's own trouble.
    pub fn build(&self, entry: &Entry, work: &Path) -> Result<Built, Trouble> {
        let Unbuilt { tree, checksum, folder, stamp } = match self.look(entry, work, false)? {
            Ok(kept) => return Ok(kept),
            Err(unbuilt) => unbuilt,
        };
        let failed = |path: &Path| {
            let path = path.display().to_string();
            move |error: anyhow::Error| Trouble::Referee(format!("{path}: {error:#}"))
        };
        // The folder no longer holds the work of an older build.
        if stamp.exists() {
            fs::remove_file(&stamp).map_err(|error| failed(&stamp)(error.into()))?;
        }
        let mut replays = 0;
        let built = loop {
            if folder.exists() {
                wire::file::remove_folder(&folder).map_err(|error| failed(&folder)(error.into()))?;
            }
            let began = Instant::now();
            let built = match self.built(&tree, &folder, checksum.clone()) {
                Ok(built) => built,
                Err(error) => {
                    Built { work: folder.clone(), ..Built::failed(checksum.clone(), of_work(error)?) }
                }
            };
            let (what, is_late) = (format!("the build of {}", entry.name), began.elapsed() >= LIMIT);
            if built.error.is_none() || !is_void(&what, began, is_late, &mut replays)? {
                break built;
            }
        };
        if built.error.is_none() {
            // After a power cut, the work is there if its stamp is.
            let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
            let on_disk = rustix::fs::open(&folder, flags, Mode::empty()).and_then(rustix::fs::syncfs);
            on_disk.map_err(|error| failed(&folder)(error.into()))?;
        }
        let text = serde_json::to_vec(&built).map_err(Trouble::referee)?;
        wire::file::write(&stamp, text).map_err(|error| failed(&stamp)(error.into()))?;
        Ok(built)
    }

    /// Writes the work to its folder and builds it there, in other ways if the usual one makes no new program.
    fn built(&self, tree: &Tree, folder: &Path, checksum: String) -> Result<Built> {
        let build = |choose: Way, tree: &Tree| self.built_by(choose, tree, folder, checksum.clone());
        let Attempt { built: first, is_old, after } = build(Recipe::of, tree)?;
        let others: &[Way] = match first.error {
            None if !is_old => return Ok(first),
            None => &[Recipe::anew],
            Some(_) => &[Recipe::anew, Recipe::instead],
        };
        // The script of a work may need the library that `make` has made.
        let is_one = |choose: &&Way| choose(&after, &self.game).is_ok();
        let others: Vec<&Way> = others.iter().filter(is_one).collect();
        let mut log = first.log.clone();
        if !others.is_empty() {
            log.extend(first.error.clone());
        }
        for &&choose in &others {
            wire::file::remove_folder(folder)?;
            let next = build(choose, &after)?;
            log.extend(next.built.log.iter().cloned());
            if next.built.error.is_none() && !next.is_old {
                return Ok(Built { log, ..next.built });
            }
            log.extend(next.built.error);
        }
        if others.is_empty() || first.error.is_some() {
            return Ok(Built { log, ..first });
        }
        wire::file::remove_folder(folder)?;
        Ok(build(Recipe::of, tree)?.built)
    }

    /// Builds the work in the way that is chosen for its files.
    fn built_by(&self, choose: Way, tree: &Tree, folder: &Path, checksum: String) -> Result<Attempt> {
        let mut recipe = choose(tree, &self.game);
        let prepared;
        let mut tree = tree;
        if recipe.as_ref().is_ok_and(Recipe::is_java) {
            let places = [std::env::temp_dir(), self.place.clone()];
            if let Some(place) = places.iter().find(|place| place.to_str().is_none()) {
                let why = "javac finds nothing in a folder whose name is not UTF-8";
                return Err(Trouble::Referee(format!("{}: {why}", place.display())).into());
            }
            let mut text = java::prepared(tree);
            recipe = choose(&text, &self.game);
            recipe.iter().for_each(|recipe| recipe.add_framework(&mut text));
            prepared = text;
            tree = &prepared;
        }
        // Work without a program can be looked at, too.
        tree.write(folder)?;
        let recipe = recipe?;
        if let Some(tool) = recipe.tool().filter(|tool| !self.finds(tool)) {
            return Err(Trouble::Referee(format!("{tool} is not installed, and the work needs it")).into());
        }
        let (work, place) = (folder.to_owned(), folder.join(&recipe.folder));
        let mut built = Built { checksum, by: recipe.by.to_owned(), work, folder: place, ..Built::default() };
        let (mut after, mut failed) = (tree.clone(), None);
        if let Some(script) = &recipe.script {
            let (made, log) = self.run(folder, script, &recipe.folder)?;
            built.log = log;
            match made {
                Ok((files, status)) => {
                    after = files;
                    failed = status.map(|status| format!("{}: {status}", recipe.by));
                }
                Err(error) => built.error = Some(format!("{}: {error}", recipe.by)),
            }
            // Without namespaces the build has changed it.
            wire::file::remove_folder(folder)?;
            after.write(folder)?;
            if built.error.is_some() {
                return Ok(Attempt { built, is_old: false, after });
            }
        }
        let is_old = match recipe.program(tree, &after) {
            // What a build made before it failed counts if it is the program.
            Ok(program) if failed.is_some() && (program.is_old || !program.is_named) => {
                built.error = failed;
                false
            }
            Ok(Program { command, is_old, .. }) => {
                built.log.extend(failed);
                let is_file = command.starts_with(['.', '\'']);
                // Without namespaces the copy that plays has no file system of its own.
                let has_own = self.sandbox.as_ref().is_none_or(|sandbox| sandbox.layers().namespaces.is_ok());
                let places = [Some(self.place.clone()), (!has_own).then(std::env::temp_dir)];
                let closed = places.iter().flatten().find(|place| is_file && run::is_without_programs(place));
                if let Some(place) = closed {
                    let why = "no program can be started there: its file system is mounted noexec";
                    return Err(Trouble::Referee(format!("{}: {why}", place.display())).into());
                }
                if is_file && run::loses_rights(&after, folder) {
                    let why = "no program can be started there: its file system keeps no right to execute";
                    return Err(Trouble::Referee(format!("{}: {why}", self.place.display())).into());
                }
                built.command = command;
                is_old
            }
            Err(error) => {
                built.error = Some(failed.unwrap_or_else(|| error.to_string()));
                false
            }
        };
        Ok(Attempt { built, is_old, after })
    }
}

impl Built {
    fn failed(checksum: String, error: String) -> Self {
        Self { checksum, error: Some(error), ..Self::default() }
    }

    /// Has a player start as the program of this work.
    pub fn place(&self, player: &mut Player) {
        if self.error.is_none() {
            player.belongs_to(&self.work, &self.folder);
        }
    }

    /// Returns the lines for a card: the way of the build, its output, and the program.
    #[must_use]
    pub fn notes(&self) -> Vec<String> {
        let by = Some(self.by.clone()).filter(|by| !by.is_empty());
        let below = self.folder.strip_prefix(&self.work).unwrap_or(&self.folder).display().to_string();
        let below = if below.is_empty() { below } else { format!(", in {}", below.trim_end_matches('/')) };
        let start = (!self.command.is_empty()).then(|| format!("{STARTED}{}{below}", self.command));
        by.into_iter().chain(self.log.iter().cloned()).chain(start).collect()
    }
}

/// Returns the text of an error that the work causes: names that no folder can hold, output without end.
///
/// # Errors
/// The others are the referee's, such as a full disk. They must not stand on a student's card.
fn of_work(error: anyhow::Error) -> Result<String, Trouble> {
    let error = match error.downcast::<Trouble>() {
        Ok(trouble) if trouble.ends_a_run() => return Err(trouble),
        Ok(trouble) => return Ok(trouble.to_string()),
        Err(error) => error,
    };
    let system = error.chain().find_map(|cause| cause.downcast_ref::<std::io::Error>());
    match system {
        Some(system) if !is_of_names(system) => Err(Trouble::Referee(format!("{error:#}"))),
        _ => Ok(format!("{error:#}")),
    }
}

/// Returns the name of a student's folder: letters of ASCII, figures and hyphens. Java finds no classes in a folder whose
/// name the locale cannot write.
fn folder_name(entry: &Entry, work: &Path) -> String {
    let plain = entry.name.chars().map(|sign| if sign.is_ascii_alphanumeric() { sign } else { '-' });
    let mut plain: String = plain.take(60).collect();
    let is_numbered = plain
        .rsplit_once('-')
        .is_some_and(|(_, sum)| sum.len() == 8 && sum.bytes().all(|byte| byte.is_ascii_hexdigit()));
    if is_numbered || plain.trim_matches('-') != entry.name {
        // Two names may differ in other signs alone.
        let sum = wire::checksum(format!("{} {}", entry.name, work.display()).as_bytes());
        plain = format!("{}-{:08x}", plain.trim_matches('-'), sum as u32);
    }
    plain
}

fn checksum(tree: &Tree, game: &str) -> Result<String> {
    let bytes = Form::Tar.pack(tree)?;
    let version = env!("CARGO_PKG_VERSION");
    Ok(format!("{:016x}-{game}-{version}-{RECIPES}", wire::checksum(&bytes)))
}

/// Returns the folder with the programs of the Rust toolchain where they lie outside the system's folders.
#[must_use]
pub fn rust_programs() -> Option<PathBuf> {
    let output = std::process::Command::new("rustc").args(["--print", "sysroot"]).output().ok()?;
    let root = String::from_utf8(output.stdout).ok()?;
    let programs = Path::new(root.trim()).join("bin");
    programs.is_dir().then_some(programs)
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "tests make files as they like")]
mod tests;
