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
use courses::peer::Supervisor;
use courses::player::Player;
use courses::registry::Game;
use courses::sandbox::Sandbox;
use recipe::Recipe;
use run::LIMIT;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;
use wire::file::Appended;
use work::{is_of_names, of_reading, unpacked};

/// The number of changes to the recipes. Work that another recipe built is built again.
const RECIPES: u32 = 6;

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
        let is_open = self.sandbox.as_ref().is_some_and(Sandbox::needs_open_folders);
        make_private(&self.place, if is_open { 0o711 } else { 0o700 })?;
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
        let text = serde_json::to_vec(&built).map_err(Trouble::referee)?;
        wire::file::write(&stamp, text).map_err(|error| failed(&stamp)(error.into()))?;
        Ok(built)
    }

    /// Writes the work to its folder and builds it there.
    fn built(&self, tree: &Tree, folder: &Path, checksum: String) -> Result<Built> {
        let first = self.built_by(Recipe::of, tree, folder, checksum.clone())?;
        let has_other = || first.by != "javac" && Recipe::instead(tree, &self.game).is_ok();
        let Some(error) = first.error.clone().filter(|_| has_other()) else { return Ok(first) };
        wire::file::remove_folder(folder)?;
        let second = self.built_by(Recipe::instead, tree, folder, checksum)?;
        if second.error.is_some() {
            return Ok(Built { log: first.log.into_iter().chain(second.log).collect(), ..first });
        }
        Ok(Built { log: first.log.into_iter().chain([error]).chain(second.log).collect(), ..second })
    }

    /// Builds the work in the way that is chosen for its files.
    fn built_by(
        &self,
        choose: fn(&Tree, &Game) -> Result<Recipe>,
        tree: &Tree,
        folder: &Path,
        checksum: String,
    ) -> Result<Built> {
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
            recipe.iter().for_each(|recipe| recipe.add_framework(&mut text, &self.game));
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
        let mut after = tree.clone();
        if let Some(script) = &recipe.script {
            let (made, log) = self.run(folder, script, &recipe.folder)?;
            built.log = log;
            match made {
                Ok(made) => after = made,
                Err(error) => built.error = Some(format!("{}: {error}", recipe.by)),
            }
            // Without namespaces the build has changed it.
            wire::file::remove_folder(folder)?;
            after.write(folder)?;
            if built.error.is_some() {
                return Ok(built);
            }
        }
        match recipe.command(tree, &after) {
            Ok(command) => {
                let is_file = command.starts_with(['.', '\'']);
                // Without namespaces the copy that plays has no file system of its own.
                let has_own = self.sandbox.as_ref().is_none_or(|sandbox| sandbox.layers().namespaces.is_ok());
                let places = [Some(self.place.clone()), (!has_own).then(std::env::temp_dir)];
                let closed = places.iter().flatten().find(|place| is_file && run::is_without_programs(place));
                if let Some(place) = closed {
                    let why = "no program can be started there: its file system is mounted noexec";
                    return Err(Trouble::Referee(format!("{}: {why}", place.display())).into());
                }
                built.command = command;
            }
            Err(error) => {
                built.error = Some(error.to_string());
                return Ok(built);
            }
        }
        Ok(built)
    }
}

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
            player.belongs_to(&self.work, &self.folder);
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

/// Makes a folder with these rights, by which nobody else may list it.
fn make_private(folder: &Path, mode: u32) -> Result<()> {
    use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
    if !folder.is_dir() {
        fs::DirBuilder::new().recursive(true).mode(mode).create(folder)?;
    }
    if fs::metadata(folder)?.permissions().mode() & mode != mode {
        fs::set_permissions(folder, fs::Permissions::from_mode(mode))?;
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
    use std::time::Duration;

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

    /// Builds the work of a folder and returns the output of its program.
    fn output_of(work: &Path) -> String {
        output_within(None, work)
    }

    fn output_within(sandbox: Option<Sandbox>, work: &Path) -> String {
        let place = tempfile::tempdir().unwrap();
        let builder = Builder { sandbox, ..builder(place.path().join("built")) };
        let _lock = builder.lock().unwrap();
        let built = builder.build(&Entry::new("Ana", ""), work).unwrap();
        assert_eq!(built.error, None, "{built:?}");
        let mut shell = std::process::Command::new("sh");
        let output = shell.args(["-c", &built.command]).current_dir(&built.folder).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    }

    #[test]
    fn make_finds_the_times_and_the_empty_folders_of_the_work() {
        let folder = tempfile::tempdir().unwrap();
        let work = folder.path().join("ana");
        let makefile = "joueur: obj/a\n\tcp obj/a joueur\nobj/a: a.sh\n\tcp a.sh obj/a\n";
        let made = |name: &str, text: &str, seconds: u64| {
            fs::write(work.join(name), text).unwrap();
            fs::set_permissions(work.join(name), std::os::unix::fs::PermissionsExt::from_mode(0o755))
                .unwrap();
            let time = std::time::SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000 + seconds);
            fs::File::open(work.join(name)).unwrap().set_modified(time).unwrap();
        };
        fs::create_dir_all(work.join("obj")).unwrap();
        made("Makefile", makefile, 0);
        made("a.sh", "#!/bin/sh\necho new\n", 30);
        assert_eq!(output_of(&work), "new\n", "an empty folder");
        // What was handed in is older than its source.
        made("obj/a", "#!/bin/sh\necho old\n", 10);
        made("joueur", "#!/bin/sh\necho old\n", 20);
        assert_eq!(output_of(&work), "new\n");
        for (end, words) in [("zip", ["zip", "-qr"]), ("tar", ["tar", "-cf"])] {
            let archive = folder.path().join(format!("ana.{end}"));
            let mut pack = std::process::Command::new(words[0]);
            let packed = pack.arg(words[1]).arg(&archive).arg(".").current_dir(&work).status();
            match packed {
                Ok(status) if status.success() => assert_eq!(output_of(&archive), "new\n", "{end}"),
                _ => println!("skipped: {} is missing", words[0]),
            }
        }
    }

    #[test]
    fn absolute_paths_of_a_build_lead_to_the_work() {
        use courses::sandbox::{Mode, Options};
        let work = tempfile::tempdir().unwrap();
        let make = "joueur: base\n\tprintf '#!/bin/sh\\ncat $(CURDIR)/data/w\\n' >joueur\n\tchmod +x joueur\n\
                    base:\n\trm data/old\n\tmkdir obj\n\techo made >>data/w\n";
        let mut tree = Tree::default();
        tree.put("src/Makefile", make);
        tree.put("src/data/w", "own\n");
        tree.put("src/data/old", "");
        tree.write(work.path()).unwrap();
        let auto = Options::new(Mode::Auto);
        let plain = Options { namespaces: false, ..auto.clone() };
        for options in [Options::new(Mode::Off), plain, auto] {
            let sandbox = Sandbox::new(&options).unwrap();
            assert_eq!(output_within(sandbox, work.path()), "own\nmade\n", "{options:?}");
        }
    }

    #[test]
    fn a_link_to_a_makefile_is_one() {
        let work = tempfile::tempdir().unwrap();
        fs::create_dir(work.path().join("src")).unwrap();
        let makefile = "joueur: src/a.sh\n\tcp src/a.sh joueur\n\tchmod +x joueur\n";
        fs::write(work.path().join("src/Makefile"), makefile).unwrap();
        fs::write(work.path().join("src/a.sh"), "#!/bin/sh\necho own\n").unwrap();
        std::os::unix::fs::symlink("src/Makefile", work.path().join("Makefile")).unwrap();
        assert_eq!(output_of(work.path()), "own\n");
    }

    #[test]
    fn a_makefile_that_makes_no_program_leaves_the_script() {
        let work = tempfile::tempdir().unwrap();
        let name = courses::registry::all()[0].assignment().programs()[0];
        for makefile in ["test:\n\ttrue\n", "test:\n\tfalse\n"] {
            fs::write(work.path().join("Makefile"), makefile).unwrap();
            fs::write(work.path().join(format!("{name}.py")), "print('own')\n").unwrap();
            assert_eq!(output_of(work.path()), "own\n", "{makefile}");
        }
        let other = work.path().join("main.py");
        fs::rename(work.path().join(format!("{name}.py")), other).unwrap();
        assert_eq!(output_of(work.path()), "own\n", "of another name");
    }

    #[test]
    fn cargo_looks_for_nothing_above_the_work() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("Cargo.toml"), "[workspace]\n").unwrap();
        fs::create_dir(folder.path().join(".cargo")).unwrap();
        fs::write(folder.path().join(".cargo/config.toml"), "of the teacher").unwrap();
        let work = folder.path().join("ana");
        let mut tree = Tree::default();
        tree.put("Cargo.toml", "[package]\nname = \"joueur\"\nversion = \"0.1.0\"\n");
        tree.put("src/main.rs", "fn main() {}");
        tree.write(&work).unwrap();
        let builder = builder(folder.path().join("built"));
        let _lock = builder.lock().unwrap();
        assert_eq!(builder.build(&Entry::new("Ana", ""), &work).unwrap().error, None);
    }

    #[test]
    fn cargos_programs_are_found_wherever_it_puts_them() {
        let main = "fn main() { println!(\"new\"); }";
        let package = "[package]\nname = \"joueur\"\nversion = \"0.1.0\"\n";
        let works: [&[(&str, &str)]; 3] = [
            // A member with the program's name.
            &[
                ("Cargo.toml", "[workspace]\nmembers = [\"joueur\"]\n"),
                ("joueur/Cargo.toml", package),
                ("joueur/src/main.rs", main),
            ],
            // A library for other languages, and a program of an earlier build.
            &[
                (
                    "Cargo.toml",
                    &format!("{package}[lib]\ncrate-type = [\"cdylib\", \"rlib\"]\n[workspace]\n"),
                ),
                ("src/lib.rs", ""),
                ("src/main.rs", main),
                ("target/release/joueur", "#!/bin/sh\necho old\n"),
                ("joueur", "#!/bin/sh\necho old\n"),
            ],
            // The student's processor.
            &[
                ("Cargo.toml", &format!("{package}[workspace]\n")),
                (".cargo/config.toml", &format!("[build]\ntarget = \"{}\"\n", host())),
                ("src/main.rs", main),
            ],
        ];
        for files in works {
            let work = tempfile::tempdir().unwrap();
            let mut tree = Tree::default();
            for (path, text) in files {
                match text.starts_with("#!") {
                    true => tree.put_executable(*path, *text),
                    false => tree.put(*path, *text),
                }
            }
            tree.write(work.path()).unwrap();
            assert_eq!(output_of(work.path()), "new\n", "{files:?}");
        }
    }

    /// The kind of this machine, as cargo names it.
    fn host() -> String {
        let output = std::process::Command::new("rustc").arg("-vV").output().unwrap();
        let told = String::from_utf8(output.stdout).unwrap();
        told.lines().find_map(|line| line.strip_prefix("host: ")).unwrap().to_owned()
    }

    #[test]
    fn a_shortage_of_the_machine_is_no_fault_of_the_work() {
        let folder = tempfile::tempdir().unwrap();
        let work = folder.path().join("ana");
        fs::create_dir(&work).unwrap();
        fs::write(work.join("Bot.java"), "class Bot { static void main(String[] a) {} }").unwrap();
        let mut tool = Recipe::of(&unpacked(&work).unwrap(), &courses::registry::all()[0]).unwrap();
        assert_eq!(tool.tool(), Some("javac"));
        tool.script = None;
        assert_eq!(tool.tool(), None);
        assert!(!builder(folder.path().join("built")).finds("a tool that nobody has"));
        assert!(run::has_space(Path::new("/proc/self/no/folder")).is_err());
        let mounts = fs::read_to_string("/proc/mounts").unwrap();
        let is_noexec = |mount: &str| mount.contains(" /proc proc ") && mount.contains("noexec");
        assert_eq!(run::is_without_programs(Path::new("/proc")), mounts.lines().any(is_noexec));
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
}
