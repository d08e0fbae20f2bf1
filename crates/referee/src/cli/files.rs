//! The files of one command, compared before any of them is opened.

use clap::ArgMatches;
use std::path::Path;
use wire::Failure;
use wire::file::Files;

/// Options that name a file to be written.
const OUTPUTS: [&str; 10] =
    ["autograder", "csv", "gradescope", "html", "json", "junit", "log", "moodle", "notation", "record"];
/// Options that name a file or folder to be read.
const INPUTS: [&str; 6] = ["allow", "class", "file", "files", "folder", "openings"];
/// Options that name a player: every file in its command is read.
const PLAYERS: [&str; 5] = ["a", "b", "others", "player", "players"];

/// Refuses a command that would overwrite one of its own files.
///
/// # Errors
/// The first output that is another file of the command, too.
pub fn check(matches: &ArgMatches) -> Result<(), Failure> {
    let Some((name, task)) = matches.subcommand() else { return Ok(()) };
    let mut files = Files::new();
    let texts = |id: &str| -> Vec<String> {
        let raw = task.try_get_raw(id).ok().flatten();
        raw.into_iter().flatten().map(|text| text.to_string_lossy().into_owned()).collect()
    };
    for id in INPUTS {
        texts(id).iter().for_each(|path| files.input(called(name, id), Path::new(path)));
    }
    for id in PLAYERS {
        for player in texts(id) {
            let words = player.split([' ', '"', '\'', '=', ':']).filter(|word| !word.is_empty());
            words.for_each(|word| files.input(format!("a file of --{}", option(name, id)), Path::new(word)));
        }
    }
    for id in OUTPUTS {
        texts(id).iter().for_each(|path| files.output(called(name, id), Path::new(path)));
    }
    // The joined file may be a part itself; what is written beside it may not.
    if name == "merge" {
        let mut joined = Files::new();
        OUTPUTS.iter().for_each(|id| {
            texts(id).iter().for_each(|path| joined.output(called(name, id), Path::new(path)));
        });
        texts("output").iter().for_each(|path| joined.output("--output", Path::new(path)));
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
