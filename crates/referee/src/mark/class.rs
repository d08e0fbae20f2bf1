//! A class: many programs to be marked, each with its own bounds, from a players file (TOML or CSV).

use courses::options;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::Path;
use wire::Failure;

/// A program of the class.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Whose it is: the name in the gradebook.
    pub name: String,
    /// Its command line.
    pub command: String,
    /// More arguments, behind the command.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub options: String,
    /// Milliseconds a move, where they are its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<u64>,
    /// Depth of its search, where it is its own (othello).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u16>,
    /// A clock for the whole game, where it is its own: `40/60`, `10+0.1`; for tournaments.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tc: Option<String>,
    /// Virtual memory in MB, where it is its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<u64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    player: Vec<Entry>,
}

/// The class of a file.
///
/// # Errors
/// The file, the line and what is wrong in it.
pub fn load(path: &Path) -> Result<Vec<Entry>, Failure> {
    let wrong = |error: String| Failure::input(format!("{}: {error}", path.display()));
    let text = options::read(&path.to_string_lossy()).map_err(|error| wrong(error.to_string()))?;
    read(path, &text).map_err(wrong)
}

/// The class of a file's text: CSV with a line of column names where the file's name ends with `.csv`, else TOML with a
/// `[[player]]` each.
///
/// # Errors
/// The line and what is wrong in it.
pub fn read(path: &Path, text: &str) -> Result<Vec<Entry>, String> {
    let entries = if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("csv")) {
        csv::Reader::from_reader(text.as_bytes())
            .deserialize()
            .collect::<Result<Vec<Entry>, _>>()
            .map_err(|error| error.to_string())?
    } else {
        let file: File = toml::from_str(text).map_err(|error| {
            let before = error.span().map_or(0, |span| span.start.min(text.len()));
            let line = text[..before].matches('\n').count() + 1;
            format!("line {line}: {}", error.message())
        })?;
        file.player
    };
    let mut names = BTreeSet::new();
    for entry in &entries {
        if entry.name.trim().is_empty() || entry.command.trim().is_empty() {
            return Err(format!("\"{}\": a name and a command are expected", entry.name));
        }
        if !names.insert(&entry.name) {
            return Err(format!("the name \"{}\" is there twice", entry.name));
        }
    }
    if entries.is_empty() { Err("no player in it".into()) } else { Ok(entries) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_say_the_same() {
        let toml = "[[player]]\nname = \"Ana\"\ncommand = \"python3 ana/uttt.py\"\ntime = 50\n\n[[player]]\nname = \"Bo\"\ncommand = \"bo/uttt\"\n";
        let csv = "name,command,options,time,depth,memory\nAna,python3 ana/uttt.py,,50,,\nBo,bo/uttt,,,,\n";
        let class = read(Path::new("class.toml"), toml).unwrap();
        assert_eq!(class, read(Path::new("class.csv"), csv).unwrap());
        assert_eq!((class[0].time, class[1].command.as_str()), (Some(50), "bo/uttt"));
    }

    #[test]
    fn what_is_no_class_is_refused_with_the_place() {
        let error = |name: &str, text: &str| read(Path::new(name), text).unwrap_err();
        assert!(error("a.toml", "[[player]]\nname = \"x\"\ncommand = \"y\"\nclock = 3\n").contains("line 4"));
        assert!(error("a.csv", "name,command\nx,y\nx,z\n").contains("twice"));
        assert!(error("a.csv", "name,command\n").contains("no player"));
        assert!(error("a.csv", "name,command\nx\n").contains("line: 2"));
    }
}
