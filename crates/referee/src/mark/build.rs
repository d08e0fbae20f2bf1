//! Builds students' work: unpacked into a folder of its own, compiled in the sandbox with a time limit.
//!
//! A build writes nothing but its scratch folder: the work is copied there, and comes back as a tar file that is read
//! within the same bounds as the student's own archive.

mod java;
mod recipe;

use super::class::Entry;
use crate::run::is_void;
use anyhow::{Context, Result, bail, ensure};
use courses::archive::{Bounds, Form, Tree};
use courses::fault::{Trouble, excerpt};
use courses::peer::{Command, Ended, Peer, Supervisor};
use courses::player::Player;
use courses::registry::Game;
use courses::sandbox::Sandbox;
use recipe::Recipe;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use wire::file::Appended;

/// The time limit of a build.
const LIMIT: Duration = Duration::from_secs(60);
/// The number of lines of a build's output on a card.
const LINES: usize = 20;

/// The number of changes to the recipes. Work that another recipe built is built again.
const RECIPES: u32 = 2;

/// A student's work after its build.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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
        make_private(&self.place)?;
        // No student's folder has this name.
        let lock = self.place.join(".lock");
        let is_empty = fs::read_dir(&self.place)?.next().is_none();
        ensure!(
            is_empty || lock.exists(),
            "the class is built in this folder, which holds other files: rename it or the class"
        );
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
            Err(error) => return Ok(Ok(Built::failed(String::new(), of_reading(error)?))),
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
        let text = serde_json::to_vec(&built).map_err(Trouble::referee)?;
        wire::file::write(&stamp, text).map_err(|error| failed(&stamp)(error.into()))?;
        Ok(built)
    }

    /// Writes the work to its folder and builds it there.
    fn built(&self, tree: &Tree, folder: &Path, checksum: String) -> Result<Built> {
        let recipe = Recipe::of(tree, &self.game);
        let prepared = recipe.as_ref().map_or_else(|_| Cow::Borrowed(tree), |recipe| recipe.prepared(tree));
        let tree = &*prepared;
        // Work without a program can be looked at, too.
        tree.write(folder)?;
        let recipe = recipe?;
        let (work, place) = (folder.to_owned(), folder.join(&recipe.folder));
        let mut built = Built { checksum, by: recipe.by.to_owned(), work, folder: place, ..Built::default() };
        let mut after = tree.clone();
        if let Some(script) = &recipe.script {
            let (made, log) = self.run(folder, script, &recipe.folder)?;
            built.log = log;
            match made {
                Ok(made) => after = made,
                Err(error) => {
                    built.error = Some(format!("{}: {error}", recipe.by));
                    return Ok(built);
                }
            }
            wire::file::remove_folder(folder)?;
            after.write(folder)?;
        }
        match recipe.command(tree, &after, folder) {
            Ok(command) => built.command = command,
            Err(error) => built.error = Some(error.to_string()),
        }
        Ok(built)
    }

    /// Runs a build. Returns all files after it or the reason why it failed, and the last lines of its output.
    fn run(&self, folder: &Path, script: &str, below: &str) -> Result<(Result<Tree, String>, Vec<String>)> {
        let mut command = Command {
            // The script is no argument, for the sandbox opens the folder of each file that a command names.
            words: ["sh", "-c", "eval \"$REFEREE_BUILD\""].map(str::to_owned).to_vec(),
            folder: Some(folder.to_owned()),
            environment: vec![
                ("REFEREE_BUILD".to_owned(), format!("{BEFORE}\n{script}\n{AFTER}")),
                ("REFEREE_BELOW".to_owned(), format!("./{below}")),
            ],
            sandbox: self.sandbox.clone(),
            ..Command::default()
        };
        if let Some(rust) = &self.rust {
            let path = std::env::var("PATH").unwrap_or_default();
            command.environment.push(("PATH".to_owned(), format!("{}:{path}", rust.display())));
        }
        let began = Instant::now();
        let mut peer = Peer::spawn(self.supervisor, &command)?;
        let output = peer.whole_output(began + LIMIT)?;
        let is_late = began.elapsed() >= LIMIT;
        let Ended { status, errors, remarks, .. } = peer.close(b"");
        let lines: Vec<&str> = errors.lines().filter(|line| !line.trim().is_empty()).collect();
        let last = &lines[lines.len().saturating_sub(LINES)..];
        let log = last.iter().map(|line| excerpt(line)).chain(remarks).collect();
        let made = match status.as_deref() {
            _ if is_late => Err(format!("it did not end in {} s", LIMIT.as_secs())),
            Some("exit code 0") => Form::Tar.unpack(&output, BUILT).map_err(|error| format!("{error:#}")),
            Some(status) => Err(status.to_owned()),
            None => Err("it did not end".to_owned()),
        };
        Ok((made, log))
    }
}

/// Limits of the files after a build.
const BUILT: Bounds = Bounds { bytes: 60 << 20, ..Bounds::STUDENT };

/// Copies the work to the scratch folder. All output but the archive goes to standard error.
const BEFORE: &str = "set -e
work=$(mktemp -d)
trap 'rm -rf \"$work\"' EXIT
cp -R . \"$work\"
cd \"$work/$REFEREE_BELOW\"
{";
/// Writes the archive of all files.
const AFTER: &str = "} </dev/null >&2
cd \"$work\"
tar -cf - .";

impl Default for Built {
    fn default() -> Self {
        Self::failed(String::new(), String::new()).without_error()
    }
}

impl Built {
    fn failed(checksum: String, error: String) -> Self {
        let (work, folder) = (PathBuf::new(), PathBuf::new());
        let (command, by, log) = (String::new(), String::new(), Vec::new());
        Self { checksum, command, work, folder, by, log, error: Some(error) }
    }

    /// Has a player start as the program of this work.
    pub fn place(&self, player: &mut Player) {
        if self.error.is_none() {
            player.belongs_to(&self.work, &self.folder, &self.command);
        }
    }

    fn without_error(self) -> Self {
        Self { error: None, ..self }
    }

    /// Returns the lines for a card: the way of the build, and its output.
    #[must_use]
    pub fn notes(&self) -> Vec<String> {
        let by = Some(self.by.clone()).filter(|by| !by.is_empty());
        by.into_iter().chain(self.log.iter().cloned()).collect()
    }
}

/// Returns the text of an error that the work causes while it is read: it is no archive, or may not be opened.
///
/// # Errors
/// The system's other errors, such as too many open files.
fn of_reading(error: anyhow::Error) -> Result<String, Trouble> {
    use std::io::ErrorKind;
    let system = error.chain().find_map(|cause| cause.downcast_ref::<std::io::Error>());
    let is_of_work =
        |kind| matches!(kind, ErrorKind::NotFound | ErrorKind::PermissionDenied) || OF_NAMES.contains(&kind);
    match system {
        Some(system) if system.raw_os_error().is_some() && !is_of_work(system.kind()) => {
            Err(Trouble::Referee(format!("{error:#}")))
        }
        _ => Ok(format!("{error:#}")),
    }
}

/// The system's errors that names in the work cause.
const OF_NAMES: [std::io::ErrorKind; 5] = {
    use std::io::ErrorKind;
    [
        ErrorKind::AlreadyExists,
        ErrorKind::InvalidFilename,
        ErrorKind::InvalidInput,
        ErrorKind::IsADirectory,
        ErrorKind::NotADirectory,
    ]
};

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
        Some(system) if !OF_NAMES.contains(&system.kind()) => Err(Trouble::Referee(format!("{error:#}"))),
        _ => Ok(format!("{error:#}")),
    }
}

/// Returns the files of a student's work: of a folder, of an archive, or of an archive in a folder.
fn unpacked(work: &Path) -> Result<Tree> {
    let mut tree = if work.is_dir() {
        Tree::read_within(work, Bounds::STUDENT)?
    } else if let Ok(form) = Form::of(work) {
        form.unpack(&bounded(work)?, Bounds::STUDENT)?
    } else {
        let name = work.file_name().context("no file")?.to_string_lossy();
        let name = name.split_once("_assignsubmission_file_").map_or(&*name, |(_, name)| name);
        let mut tree = Tree::default();
        tree.put(name, bounded(work)?);
        tree
    };
    tree.retain(is_work);
    // Moodle puts what a student has uploaded into a folder: an archive, or several files.
    let archives =
        || tree.iter().filter(|(path, _)| !path.contains('/') && Form::of(Path::new(path)).is_ok());
    let sources = tree.iter().filter(|(path, _)| recipe::is_source(path)).count();
    if sources == 0 && archives().count() == 1 {
        let path = archives().next().map(|(path, _)| path.to_owned()).context("an archive")?;
        let file = tree.take(&path).context("an archive")?;
        let inner = Form::of(Path::new(&path))?.unpack(&file.bytes, Bounds::STUDENT);
        let mut inner = inner.with_context(|| path.clone())?;
        inner.retain(is_work);
        tree.put_tree("", inner);
    }
    ensure!(!tree.is_empty(), "it holds no files");
    Ok(tree)
}

/// Reads a file of a bounded size.
fn bounded(path: &Path) -> Result<Vec<u8>> {
    use std::io::Read as _;
    let data = fs::metadata(path)?;
    ensure!(data.is_file(), "it is no file");
    if data.len() > Bounds::STUDENT.bytes {
        bail!("a file of {} MB", data.len() >> 20);
    }
    let mut bytes = Vec::new();
    wire::file::open(path)?.take(Bounds::STUDENT.bytes).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// False for files that systems and tools leave in archives.
fn is_work(path: &str) -> bool {
    !path.split('/').any(|part| ["__MACOSX", ".git", ".DS_Store", "__pycache__"].contains(&part))
}

/// Returns the name of a student's folder: letters of ASCII, figures and hyphens. Java finds no classes in a folder whose
/// name the locale cannot write.
fn folder_name(entry: &Entry, work: &Path) -> String {
    let plain = entry.name.chars().map(|sign| if sign.is_ascii_alphanumeric() { sign } else { '-' });
    let mut plain: String = plain.take(60).collect();
    if plain.trim_matches('-') != entry.name {
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

/// Makes a folder that nobody else may open.
fn make_private(folder: &Path) -> Result<()> {
    use std::os::unix::fs::DirBuilderExt as _;
    if !folder.is_dir() {
        fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    }
    Ok(())
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
mod tests {
    use super::*;

    #[test]
    fn folders_have_plain_names_and_no_two_the_same() {
        let name = |name: &str| folder_name(&Entry::new(name, ""), Path::new("x"));
        assert_eq!(name("Ana"), "Ana");
        let names =
            ["Ana B", "Ana-B", "Ana/B", "../Ana B", "..", "Cléa", "Clèa", "王", &"x".repeat(300)].map(name);
        for (nth, name) in names.iter().enumerate() {
            assert!(
                name.chars().all(|sign| sign.is_ascii_alphanumeric() || sign == '-') && name.len() < 80,
                "{name}"
            );
            assert!(!name.is_empty() && !names[..nth].contains(name), "{names:?}");
        }
    }

    fn builder(place: PathBuf) -> Builder<'static> {
        let supervisor = Box::leak(Box::new(Supervisor::new()));
        let game = courses::registry::all()[0];
        Builder { game, place, supervisor, sandbox: None, rust: None }
    }

    #[test]
    fn nothing_is_built_in_a_folder_of_other_files() {
        let folder = tempfile::tempdir().unwrap();
        let builder = builder(folder.path().to_owned());
        fs::write(folder.path().join("thesis.txt"), "mine").unwrap();
        let refused = builder.lock().unwrap_err().to_string();
        assert!(refused.contains("holds other files"), "{refused}");
        fs::remove_file(folder.path().join("thesis.txt")).unwrap();
        drop(builder.lock().unwrap());
        fs::create_dir(folder.path().join("Ana")).unwrap();
        drop(builder.lock().unwrap());
    }

    #[test]
    fn a_build_that_failed_is_tried_again() {
        let folder = tempfile::tempdir().unwrap();
        let (work, tool) = (folder.path().join("ana"), folder.path().join("tool"));
        fs::create_dir(&work).unwrap();
        let made = "printf '#!/bin/sh\\n' >joueur && chmod +x joueur";
        fs::write(work.join("Makefile"), format!("all:\n\ttest -e {} && {made}\n", tool.display())).unwrap();
        let (builder, entry) = (builder(folder.path().join("built")), Entry::new("Ana", ""));
        let _lock = builder.lock().unwrap();
        let failed = builder.build(&entry, &work).unwrap();
        assert!(failed.error.is_some());
        assert_eq!(builder.kept(&entry, &work, true).unwrap(), Some(failed));
        assert_eq!(builder.kept(&entry, &work, false).unwrap(), None);
        fs::write(&tool, "").unwrap();
        let built = builder.build(&entry, &work).unwrap();
        assert_eq!(built.error, None);
        assert_eq!(builder.kept(&entry, &work, false).unwrap(), Some(built));
    }

    #[test]
    fn an_archive_in_a_folder_is_the_work() {
        let folder = tempfile::tempdir().unwrap();
        let mut tree = Tree::default();
        tree.put("tp1/bot.py", "print(1)");
        tree.put("__MACOSX/tp1/._bot.py", "x");
        fs::write(folder.path().join("tp1.tar.gz"), Form::TarGz.pack(&tree).unwrap()).unwrap();
        fs::write(folder.path().join("rapport.pdf"), "%PDF").unwrap();
        let paths = |tree: &Tree| tree.iter().map(|(path, _)| path.to_owned()).collect::<Vec<_>>();
        assert_eq!(paths(&unpacked(folder.path()).unwrap()), ["rapport.pdf", "tp1/bot.py"]);
        // Beside sources an archive is a file like others.
        fs::write(folder.path().join("main.py"), "").unwrap();
        assert_eq!(paths(&unpacked(folder.path()).unwrap()), ["main.py", "rapport.pdf", "tp1.tar.gz"]);
        let single = folder.path().join("Ana_1_assignsubmission_file_bot.py");
        fs::write(&single, "print(1)").unwrap();
        assert_eq!(paths(&unpacked(&single).unwrap()), ["bot.py"]);
    }
}
