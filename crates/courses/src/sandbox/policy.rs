//! The folders that a program may read, and its environment.

use super::usage::of_lines;
use crate::peer::Command;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// Folders with programs and libraries.
const FOLDERS: [&str; 10] =
    ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix/store", "/gnu/store"];

/// Settings that interpreters, loaders and C libraries read, and the machine's description.
const FILES: &[&str] = &[
    "/etc/alternatives",
    "/etc/fonts",
    "/etc/gai.conf",
    "/etc/group",
    "/etc/host.conf",
    "/etc/hosts",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/ld.so.preload",
    "/etc/locale.alias",
    "/etc/localtime",
    "/etc/mime.types",
    "/etc/nsswitch.conf",
    "/etc/os-release",
    "/etc/passwd",
    "/etc/ssl/certs",
    "/etc/ssl/openssl.cnf",
    "/etc/timezone",
    "/proc/cpuinfo",
    "/proc/filesystems",
    "/proc/loadavg",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/sys/kernel/cap_last_cap",
    "/proc/sys/kernel/ngroups_max",
    "/proc/sys/kernel/osrelease",
    "/proc/sys/kernel/pid_max",
    "/proc/sys/vm",
    "/proc/uptime",
    "/proc/version",
    "/sys/devices/system/cpu",
    "/sys/devices/system/node",
    "/sys/kernel/mm/transparent_hugepage",
];

/// The start of the names of folders in `/etc` with settings of language runtimes.
const RUNTIMES: [&str; 5] = ["java", "jvm", "mono", "python", "perl"];

/// Devices that any program may open.
const DEVICES: [&str; 5] = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

/// Variables that a program keeps, besides those that begin with `LC_`.
const VARIABLES: &[&str] = &[
    "CLASSPATH",
    "CONDA_PREFIX",
    "DOTNET_ROOT",
    "JAVA_HOME",
    "LANG",
    "LANGUAGE",
    "LD_LIBRARY_PATH",
    "MONO_PATH",
    "NODE_PATH",
    "PATH",
    "PYENV_ROOT",
    "PYENV_VERSION",
    "PYTHONPATH",
    "RUBYLIB",
    "TZ",
    "VIRTUAL_ENV",
];

pub(super) fn system_folders() -> Vec<PathBuf> {
    FOLDERS.iter().map(PathBuf::from).collect()
}

pub(super) fn system_files() -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = FILES.iter().map(PathBuf::from).collect();
    let entries = std::fs::read_dir("/etc").into_iter().flatten().flatten();
    let of_runtimes = entries.filter(|entry| {
        let name = entry.file_name();
        RUNTIMES.iter().any(|runtime| name.to_string_lossy().starts_with(runtime))
    });
    files.extend(of_runtimes.map(|entry| entry.path()));
    files
}

pub(super) fn devices() -> Vec<PathBuf> {
    DEVICES.iter().map(PathBuf::from).collect()
}

/// Returns the variables of a program: few of this program's, and the scratch folder as home and for temporary files.
/// With `readable`, `PATH` has only folders that are open.
pub(super) fn environment(scratch: &Path, readable: Option<&[PathBuf]>) -> Vec<(OsString, OsString)> {
    let mut all = environment_of(std::env::vars_os().collect(), scratch);
    let paths = all.iter_mut().find(|(name, _)| name == "PATH");
    if let (Some((_, paths)), Some(readable)) = (paths, readable) {
        *paths = open_paths(paths, readable);
    }
    all
}

/// The variable by which a Java machine takes options.
const JAVA_OPTIONS: &str = "JAVA_TOOL_OPTIONS";
/// The beginning of its value. Java before 2018 knows no bound on the heap.
const JAVA_BEGINNING: &str = "-XX:+IgnoreUnrecognizedVMOptions";

/// Returns an option that bounds the heap of a Java machine, which keeps its garbage until a quarter of the machine's memory
/// is full. Empty where that is within a program's `memory`. A program's own `-Xmx` and `-Xms` come before it.
pub(super) fn java_heap(memory: u64) -> String {
    let [kilobytes] = of_lines("/proc/meminfo", ["MemTotal"]);
    let all = kilobytes << 10;
    let heap = memory / 4 * 3;
    let percent = 100.0 * heap as f64 / all as f64;
    if all / 4 > heap { format!(" -XX:MaxRAMPercentage={percent:.3}") } else { String::new() }
}

/// Returns the variable for a Java machine: the bound on its heap, and its folders, which it does not take from `HOME` and
/// `TMPDIR`.
pub(super) fn java(heap: &str, scratch: &Path) -> (&'static str, OsString) {
    let mut value = OsString::from(format!("{JAVA_BEGINNING}{heap}"));
    for name in ["java.io.tmpdir", "user.home"] {
        // Spaces separate options.
        value.push(format!(" -D{name}=\""));
        value.push(scratch);
        value.push("\"");
    }
    (JAVA_OPTIONS, value)
}

/// True for the line by which a Java machine tells of the variable.
fn is_java_note(line: &[u8]) -> bool {
    let options = line.strip_prefix(b"Picked up JAVA_TOOL_OPTIONS: ");
    options.is_some_and(|options| options.starts_with(JAVA_BEGINNING.as_bytes()))
}

/// Removes that line from the start of a program's output, which may be joined with its standard error. Returns true if it
/// was there.
pub(crate) fn drop_java_note(output: &mut Vec<u8>) -> bool {
    if !is_java_note(output) {
        return false;
    }
    let end = output.iter().position(|&byte| byte == b'\n');
    end.map(|end| output.drain(..=end)).is_some()
}

/// Removes that line from standard error.
pub(crate) fn without_java_note(errors: &str) -> String {
    errors.split_inclusive('\n').filter(|line| !is_java_note(line.as_bytes())).collect()
}

/// Returns the folders of a `PATH` that are open. Python takes the first one that has an interpreter for its own, by
/// access(2), which knows nothing of Landlock, and then cannot read its library.
fn open_paths(paths: &OsStr, readable: &[PathBuf]) -> OsString {
    let is_open = |path: &PathBuf| {
        let whole = path.canonicalize().unwrap_or_else(|_| path.clone());
        let is_within = |folder: &PathBuf| whole.starts_with(folder) || path.starts_with(folder);
        is_of_the_system(&whole) || readable.iter().any(is_within)
    };
    std::env::join_paths(std::env::split_paths(paths).filter(is_open)).unwrap_or_else(|_| paths.to_owned())
}

fn environment_of(mut all: Vec<(OsString, OsString)>, scratch: &Path) -> Vec<(OsString, OsString)> {
    all.retain(|(name, _)| {
        let name = name.to_string_lossy();
        VARIABLES.contains(&&*name) || name.starts_with("LC_")
    });
    let value = |wanted: &&str| all.iter().find(|(name, value)| name == wanted && !value.is_empty());
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].iter().find_map(value).map(|(_, value)| value);
    // Without letters beyond ASCII, Java finds no file with an accent in its name.
    if locale.is_none_or(|locale| locale == "C" || locale == "POSIX") {
        all.retain(|(name, _)| name != "LC_ALL" && name != "LC_CTYPE");
        all.push(("LC_CTYPE".into(), "C.UTF-8".into()));
    }
    for name in ["HOME", "TMPDIR", "TMP", "TEMP"] {
        all.push((name.into(), scratch.into()));
    }
    // Its user may have no name in the system.
    for name in ["LOGNAME", "USER"] {
        all.push((name.into(), "player".into()));
    }
    all
}

/// Returns the folder where a program starts.
pub(super) fn base_of(command: &Command) -> PathBuf {
    command.folder.clone().or_else(|| std::env::current_dir().ok()).unwrap_or_default()
}

/// Returns the folders with a program's files: those of every file that its command names, and of its interpreter. Of
/// work that is a stranger's, the command names its own files alone.
pub(super) fn folders_of(command: &Command) -> Vec<PathBuf> {
    let base = base_of(command);
    let mut folders = command.reads.clone();
    for (nth, word) in command.words.iter().enumerate() {
        if nth == 0 && !word.contains('/') {
            folders.extend(toolchain(word));
            continue;
        }
        // Players choose their names, and the paths of their files: what follows "=" there is no path.
        if command.work.is_some() || command.named.contains(word) {
            continue;
        }
        if nth == 0 {
            folders.extend(installations(&base.join(word)).into_iter().flatten());
        }
        if base.join(word).exists() {
            folders.extend(folders_of_file(&base, word));
            continue;
        }
        named_in(&base, word, &[':', '=', ',', ';', '\'', '"', ' '], &mut folders);
    }
    folders.extend(command.work.clone());
    folders.extend(command.folder.clone().filter(|folder| !is_broad(folder)));
    // A class path may be the working folder by default.
    if folders.is_empty() && !is_broad(&base) {
        folders.push(base);
    }
    folders.sort();
    folders.dedup();
    folders
}

/// Adds the folders of the files named in a part of a word: one may follow an option's name (`--net=FILE`), stand in a list
/// (a class path) or in a shell's script. A name may hold the signs that come later.
fn named_in(base: &Path, part: &str, signs: &[char], folders: &mut Vec<PathBuf>) {
    if part.is_empty() {
        return;
    }
    if base.join(part).exists() {
        folders.extend(folders_of_file(base, part));
    } else if let [sign, later @ ..] = signs {
        part.split(*sign).for_each(|part| named_in(base, part, later, folders));
    }
}

/// Returns the folders of an existing file: the one that it is named in, and the one that a link leads to.
fn folders_of_file(base: &Path, word: &str) -> impl Iterator<Item = PathBuf> {
    let path = base.join(word);
    let target = path.canonicalize().ok();
    let named = || Some(path.parent()?.canonicalize().ok()?.join(path.file_name()?));
    let named = target.is_some().then(named).flatten();
    [named, target].into_iter().flatten().filter_map(folder_of)
}

/// Returns the folder of an existing file, or the file alone where its folder holds other people's files too.
fn folder_of(path: PathBuf) -> Option<PathBuf> {
    if is_of_the_system(&path) || path == Path::new("/") {
        return None;
    }
    let folder = if path.is_dir() { path.clone() } else { path.parent()?.to_owned() };
    if !is_broad(&folder) {
        return Some(folder);
    }
    path.is_file().then_some(path)
}

/// Returns the installations of a program named by its path, `venv` for `venv/bin/python` and that of the link's target: those
/// that have libraries.
pub(super) fn installations(program: &Path) -> [Option<PathBuf>; 2] {
    let has_libraries = |root: &PathBuf| root.join("lib").is_dir() || root.join("pyvenv.cfg").is_file();
    let parent = program.parent().and_then(|folder| folder.canonicalize().ok());
    let named = parent.zip(program.file_name()).map(|(folder, name)| folder.join(name));
    [named, program.canonicalize().ok()].map(|path| installation(&path?).filter(has_libraries))
}

/// Returns the folder above a program's `bin`, or the program's own.
fn installation(program: &Path) -> Option<PathBuf> {
    let folder = program.parent()?;
    let is_of_programs = folder.file_name().is_some_and(|name| name == "bin" || name == "shims");
    let root = folder.parent().filter(|root| is_of_programs && !is_broad(root));
    let place = root.map(Path::to_owned).or_else(|| (!is_broad(folder)).then(|| folder.to_owned()));
    place.filter(|place| !is_of_the_system(place))
}

/// Returns the installation of a program found by `PATH` outside the system's folders: `~/.pyenv` for
/// `~/.pyenv/shims/python3`. Links to it are followed too.
pub(super) fn toolchain(program: &str) -> Vec<PathBuf> {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&paths).map(|folder| folder.join(program)).find(|path| path.is_file());
    let Some(found) = found else { return Vec::new() };
    let target = found.canonicalize().unwrap_or_else(|_| found.clone());
    [installation(&found), installation(&target)].into_iter().flatten().collect()
}

fn is_of_the_system(path: &Path) -> bool {
    FOLDERS.iter().any(|folder| path.starts_with(folder))
}

/// True for a folder that holds more than one program: the home folder, the folder of temporary files, and all above.
fn is_broad(folder: &Path) -> bool {
    let home = std::env::home_dir();
    let local = home.as_ref().map(|home| home.join(".local"));
    [home, local, Some(std::env::temp_dir()), Some("/etc/ssh".into()), Some("/var/lib".into())]
        .into_iter()
        .flatten()
        .any(|place| place.starts_with(folder) || place.canonicalize().is_ok_and(|of| of.starts_with(folder)))
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "tests make files as they like")]
mod tests {
    use super::*;

    #[test]
    fn the_folder_of_each_named_file_is_readable_and_no_broader_one() {
        let class = tempfile::tempdir().unwrap();
        let ana = class.path().canonicalize().unwrap().join("ana");
        std::fs::create_dir(&ana).unwrap();
        std::fs::write(ana.join("bot.py"), "").unwrap();
        let alone = tempfile::NamedTempFile::new().unwrap();
        let folders = |text: &str| folders_of(&Command::split(text).unwrap());
        for words in
            ["sh ANA/bot.py", "sh --net=ANA/bot.py", "java -cp /usr/share:ANA Bot", "sh -c 'cat ANA/bot.py'"]
        {
            let words = words.replace("ANA", &ana.to_string_lossy());
            assert_eq!(folders(&words), std::slice::from_ref(&ana), "{words}");
        }
        let blank = ana.with_file_name("TP 1");
        std::fs::create_dir(&blank).unwrap();
        let path = format!("java -cp '{}:{}' Bot", ana.display(), blank.display());
        assert_eq!(folders(&path), [blank, ana.clone()]);
        let file = alone.path().canonicalize().unwrap();
        assert_eq!(folders(&format!("sh {}", file.display())), [file], "not all temporary files");
        let mut within = Command::split("java Bot").unwrap();
        within.folder = Some(ana.clone());
        assert_eq!(folders_of(&within), std::slice::from_ref(&ana));
        // A program may have any name.
        let (odd, other) = (ana.join(format!("x={}", class.path().display())), class.path().join("bo"));
        std::fs::create_dir_all(&odd).unwrap();
        std::fs::create_dir(&other).unwrap();
        std::fs::write(odd.join("bot"), "").unwrap();
        assert_eq!(folders(&odd.join("bot").to_string_lossy()), [odd]);
        let mut named = Command::split(&format!("{}/bot.py x={}", ana.display(), other.display())).unwrap();
        assert_eq!(folders_of(&named), [ana.clone(), other.canonicalize().unwrap()]);
        named.named = named.words.last().cloned().into_iter().collect();
        assert_eq!(folders_of(&named), std::slice::from_ref(&ana));
        // A student named "bin" beside one named "lib" is no installation.
        let (work, lib) = (class.path().canonicalize().unwrap().join("bin"), class.path().join("lib"));
        std::fs::create_dir(&work).unwrap();
        std::fs::create_dir(lib).unwrap();
        std::fs::write(work.join("joueur"), "").unwrap();
        let mut built = Command::split(&work.join("joueur").to_string_lossy()).unwrap();
        built.work = Some(work.clone());
        assert_eq!(folders_of(&built), std::slice::from_ref(&work));
        // It chooses the names of its libraries.
        let split = format!("q:{}:z.jar", ana.display());
        built.words = ["java", "-cp", &split, &ana.to_string_lossy(), "Bot"].map(str::to_owned).to_vec();
        built.reads = vec![class.path().to_owned()];
        let java = toolchain("java");
        let own: Vec<_> = folders_of(&built).into_iter().filter(|folder| !java.contains(folder)).collect();
        let mut wanted = [work, class.path().to_owned()];
        wanted.sort();
        assert_eq!(own, wanted);
        let home = std::env::home_dir().unwrap();
        assert!(is_broad(&home) && is_broad(Path::new("/")) && is_broad(&std::env::temp_dir()));
    }

    /// A system service has no variable for it.
    #[test]
    fn the_home_folder_is_found_without_its_variable() {
        let mut alone = std::process::Command::new(std::env::current_exe().unwrap());
        alone.args(["named_file_is_readable_and_no_broader_one", "--nocapture"]).env_remove("HOME");
        let output = alone.output().unwrap();
        let told = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && told.contains("1 passed"), "{output:?}");
    }

    #[test]
    fn letters_with_accents_are_those_of_every_locale() {
        let shown = |set: &[(&str, &str)]| {
            let set = set.iter().map(|(name, value)| (name.into(), value.into())).collect();
            let all = environment_of(set, Path::new("/scratch"));
            let all = all.iter().map(|(name, value)| format!("{}={}", name.display(), value.display()));
            all.take_while(|text| !text.starts_with("HOME")).collect::<Vec<_>>()
        };
        assert_eq!(shown(&[("HOME", "/x")]), ["LC_CTYPE=C.UTF-8"]);
        assert_eq!(
            shown(&[("LANG", "fr_FR.UTF-8"), ("LC_ALL", "C")]),
            ["LANG=fr_FR.UTF-8", "LC_CTYPE=C.UTF-8"]
        );
        assert_eq!(shown(&[("LANG", "C"), ("LC_CTYPE", "fr_FR")]), ["LANG=C", "LC_CTYPE=fr_FR"]);
    }

    #[test]
    fn a_path_has_no_folder_that_is_closed() {
        let folder = tempfile::tempdir().unwrap();
        let (open, closed) = (folder.path().join("open"), folder.path().join("closed/bin"));
        std::fs::create_dir_all(open.join("bin")).unwrap();
        std::fs::create_dir_all(&closed).unwrap();
        let [own, system] = [open.join("bin"), PathBuf::from("/usr/bin")];
        let paths = std::env::join_paths([&closed, &own, &system]).unwrap();
        let left = open_paths(&paths, &[open.canonicalize().unwrap()]);
        assert_eq!(std::env::split_paths(&left).collect::<Vec<_>>(), [own, system]);
    }

    #[test]
    fn a_program_sees_few_variables() {
        let names: Vec<String> = environment(Path::new("/scratch"), None)
            .into_iter()
            .map(|(name, _)| name.to_string_lossy().into_owned())
            .collect();
        assert!(names.contains(&"PATH".to_owned()) && names.contains(&"HOME".to_owned()), "{names:?}");
        assert!(!names.iter().any(|name| name.starts_with("CARGO")), "{names:?}");
    }
}
