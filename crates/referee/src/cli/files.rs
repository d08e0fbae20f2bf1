//! The files of one command, compared before any of them is opened.

use crate::cli::works::place_of;
use crate::mark::class;
use clap::ArgMatches;
use courses::player::{Player, Reach};
use std::path::{Path, PathBuf};
use wire::Failure;
use wire::file::Files;

/// Options that name a file to be written.
const OUTPUTS: [&str; 10] =
    ["autograder", "csv", "gradescope", "html", "json", "junit", "log", "moodle", "notation", "record"];
/// Options that name a file or folder to be read or linked to.
const INPUTS: [&str; 7] = ["allow", "class", "file", "files", "folder", "openings", "tournament"];
/// Options that name a player: every file in its command is read.
const PLAYERS: [&str; 5] = ["a", "b", "others", "player", "players"];

/// Options that name a players file, a class or one student's work.
const CLASSES: [&str; 3] = ["class", "file", "folder"];
/// The extensions of results, which may be kept beside a student's work and written again.
const RESULTS: [&str; 10] = ["csv", "ggf", "html", "json", "jsonl", "log", "pgn", "sgf", "xml", "zip"];

/// Adds the files that a player's command names.
fn add_words(files: &mut Files, called: &str, command: &str) {
    let split = command.split([' ', '"', '\'', '=', ':']).filter(|word| !word.is_empty());
    split.for_each(|word| files.input(called, Path::new(word)));
    // A name may contain spaces.
    if let Ok(command) = command.parse::<Player>()
        && let Reach::Process { command, .. } = command.reach
    {
        command.words.iter().for_each(|word| files.input(called, Path::new(word)));
    }
}

/// Adds the files of a class, and returns its students' folders. What is wrong in a class is told where it is used.
fn of_class(files: &mut Files, path: &Path) -> Vec<PathBuf> {
    // A pipe can be read only once.
    if !path.is_file() && !path.is_dir() {
        return Vec::new();
    }
    let mut works = Vec::new();
    for entry in class::load(path).unwrap_or_default() {
        add_words(files, "a file of the class", &entry.command);
        let work = entry.folder.into_iter();
        works.extend(work.inspect(|work| files.input("a file of the class", work)));
    }
    works
}

/// True for an existing file of a student of the class, or one of the class's folder or of one's own work that is no result
/// of an earlier run.
fn is_source(path: &Path, folders: &[PathBuf], students: &[PathBuf]) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    let may_be_result = RESULTS.contains(&extension.to_ascii_lowercase().as_str());
    is_file_in(path, if may_be_result { students } else { folders })
}

/// True for an existing file in one of these folders.
fn is_file_in(path: &Path, folders: &[PathBuf]) -> bool {
    let Ok(path) = path.canonicalize() else { return false };
    let is_in = |folder: &PathBuf| folder.canonicalize().is_ok_and(|folder| path.starts_with(folder));
    path.is_file() && folders.iter().any(is_in)
}

/// Refuses a command that would overwrite one of its own files.
///
/// # Errors
/// The first output that is another file of the command, too.
pub fn check(matches: &ArgMatches) -> Result<(), Failure> {
    let Some((name, task)) = matches.subcommand() else { return Ok(()) };
    let mut files = Files::new();
    let paths = |id: &str| -> Vec<PathBuf> {
        let raw = task.try_get_raw(id).ok().flatten();
        raw.into_iter().flatten().map(PathBuf::from).collect()
    };
    for id in INPUTS {
        paths(id).iter().for_each(|path| files.input(called(name, id), path));
    }
    for id in PLAYERS {
        let called = format!("a file of --{}", option(name, id));
        paths(id).iter().for_each(|player| add_words(&mut files, &called, &player.to_string_lossy()));
    }
    let (mut folders, mut students, mut builds) = (Vec::new(), Vec::new(), Vec::new());
    for id in CLASSES {
        for class in paths(id) {
            let works = of_class(&mut files, &class);
            folders.extend(works.iter().cloned());
            // Whoever marks one work may keep its card there.
            if id != "folder" {
                students.extend(works);
            }
            builds.extend(place_of(&class));
            folders.push(class);
        }
    }
    for id in OUTPUTS {
        for path in paths(id) {
            if is_source(&path, &folders, &students) {
                files.input("a file of the work to be marked", &path);
            }
            if is_file_in(&path, &builds) {
                files.input("a file of the built work", &path);
            }
            files.output(called(name, id), &path);
        }
    }
    // The joined file may be a part itself; what is written beside it may not.
    if name == "merge" {
        let mut joined = Files::new();
        OUTPUTS.iter().for_each(|id| {
            paths(id).iter().for_each(|path| joined.output(called(name, id), path));
        });
        paths("output").iter().for_each(|path| joined.output("--output", path));
        joined.check().map_err(Failure::input)?;
    }
    files.check().map_err(Failure::input)
}

/// The option as a person writes it.
fn option<'a>(task: &str, id: &'a str) -> &'a str {
    match (task, id) {
        ("tournament" | "suite", "players") => "player",
        ("tournament", "file") => "players",
        (_, "others") => "against",
        _ => id,
    }
}

fn called(task: &str, id: &str) -> String {
    match id {
        // Given without an option's name.
        "files" => "a record file".to_owned(),
        "file" if task != "tournament" => "the file to read".to_owned(),
        _ => format!("--{}", option(task, id)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_of_an_earlier_run_beside_the_work_is_no_source() {
        let work = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let works = [work.clone()];
        assert!(is_source(&work.join("cli.rs"), &works, &[]));
        assert!(!is_source(&work.join("missing.rs"), &works, &works));
        assert!(!is_source(&work.join("../Cargo.toml"), &works, &works));
        assert!(!is_source(&work.join("report/page.css"), &[], &[]));
        let folder = tempfile::tempdir().unwrap();
        let card = folder.path().join("card.HTML");
        wire::file::write(&card, "").unwrap();
        assert!(!is_source(&card, &[folder.path().to_owned()], &[]));
        assert!(is_source(&card, &[], &[folder.path().to_owned()]), "a student of the class handed it in");
        let builds = [folder.path().to_owned()];
        assert!(is_file_in(&card, &builds) && !is_file_in(&folder.path().join("new.html"), &builds));
        assert!(!is_file_in(&work.join("cli.rs"), &builds));
    }

    /// An option for a file that nobody compares would overwrite another one.
    #[test]
    fn every_option_that_names_a_file_is_known() {
        for task in crate::cli::command().get_subcommands() {
            for argument in task.get_arguments().filter(|argument| !argument.is_hide_set()) {
                let id = argument.get_id().as_str();
                let values = argument.get_value_names().unwrap_or_default();
                let is_file = values.iter().any(|value| value.contains("FILE"))
                    || argument.get_value_parser().type_id()
                        == clap::builder::ValueParser::path_buf().type_id();
                let is_known = OUTPUTS.contains(&id)
                    || INPUTS.contains(&id)
                    || ["output", "bin_dir", "games"].contains(&id);
                assert!(!is_file || is_known, "{} {id}", task.get_name());
            }
        }
    }
}
