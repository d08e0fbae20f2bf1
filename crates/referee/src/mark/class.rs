//! A class of programs to mark, each with its own limits: from a players file (TOML or CSV), or from a folder of
//! students' work.

mod folder;

pub(super) use folder::FILE;

use courses::fault::shortened;
use courses::player::clean_name;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use wire::{Failure, text};

/// The column with a student's number in a Moodle assignment, in lower case.
pub const PARTICIPANT: &str = "participant";

/// A program of the class.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The name in the gradebook.
    pub name: String,
    /// The command that starts the player. Empty for a student's work that is not built yet.
    pub command: String,
    /// The student's work: a folder, an archive or a source file, from which the command is made.
    #[serde(default, skip_serializing_if = "Option::is_none", serialize_with = "as_text")]
    pub folder: Option<PathBuf>,
    /// More arguments, after the command.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub options: String,
    /// The player's own time for a move in milliseconds, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<u64>,
    /// The player's own search depth, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u16>,
    /// The player's own game clock, if it has one: `40/60`, `10+0.1`. For tournaments.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tc: Option<String>,
    /// The player's own virtual memory in MB, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<NonZeroU32>,
    /// Other columns of a CSV file (an id, an e-mail address), copied to the gradebook.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<(String, String)>,
}

/// Writes a path as text. Bytes that are no text become replacement characters.
fn as_text<S: serde::Serializer>(path: &Option<PathBuf>, serializer: S) -> Result<S::Ok, S::Error> {
    path.as_ref().map(|path| path.to_string_lossy()).serialize(serializer)
}

impl Entry {
    /// Returns true for the same program with the same limits, if one of the two was written and read.
    #[must_use]
    pub fn is(&self, other: &Self) -> bool {
        let written = |entry: &Self| serde_json::to_value(entry).ok();
        self.name == other.name && written(self) == written(other)
    }

    /// Returns true if only the place of the work differs, as after a move of the class.
    #[must_use]
    pub fn was_moved(&self, other: &Self) -> bool {
        let name = |entry: &Self| entry.folder.as_ref().and_then(|path| path.file_name().map(PathBuf::from));
        let here = |entry: &Self| Self { folder: name(entry), ..entry.clone() };
        self.folder.is_some() && here(self).is(&here(other))
    }

    /// Creates a program without limits of its own.
    #[must_use]
    pub fn new(name: &str, command: &str) -> Self {
        Self {
            name: name.to_owned(),
            command: command.to_owned(),
            folder: None,
            options: String::new(),
            time: None,
            depth: None,
            tc: None,
            memory: None,
            columns: Vec::new(),
        }
    }

    /// Sets a field by its column's name.
    fn set(&mut self, column: &str, text: &str) -> Result<(), ClassError> {
        fn number<T: std::str::FromStr>(column: &str, text: &str) -> Result<Option<T>, ClassError> {
            if text.is_empty() {
                return Ok(None);
            }
            let wrong = |_| ClassError::Number { column: column.to_owned(), text: text.to_owned() };
            text.parse().map(Some).map_err(wrong)
        }
        match column.to_ascii_lowercase().as_str() {
            "name" => text.clone_into(&mut self.name),
            "command" => text.clone_into(&mut self.command),
            "options" => text.clone_into(&mut self.options),
            "time" => self.time = number(column, text)?,
            "depth" => self.depth = number(column, text)?,
            "tc" => self.tc = Some(text.to_owned()).filter(|text| !text.is_empty()),
            "memory" => self.memory = number(column, text)?,
            // Spreadsheets write empty columns after the last one.
            "" if text.is_empty() => {}
            _ => self.columns.push((column.to_owned(), text.to_owned())),
        }
        Ok(())
    }
}

/// A players file in TOML.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    player: Vec<Table>,
}

/// A player in TOML.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    name: String,
    #[serde(default)]
    command: String,
    folder: Option<PathBuf>,
    #[serde(default)]
    options: String,
    time: Option<u64>,
    depth: Option<u16>,
    tc: Option<String>,
    memory: Option<NonZeroU32>,
    /// Other columns of the gradebook: `columns = { id = "007" }`.
    #[serde(default)]
    columns: BTreeMap<String, String>,
}

impl From<Table> for Entry {
    fn from(table: Table) -> Self {
        let Table { name, command, folder, options, time, depth, tc, memory, columns } = table;
        let columns = columns.into_iter().collect();
        Self { name, command, folder, options, time, depth, tc, memory, columns }
    }
}

/// An error in a players file.
#[derive(Debug, thiserror::Error)]
pub enum ClassError {
    /// A value is not a number in its column's range.
    #[error("{column}: expected a number, found \"{text}\"")]
    Number {
        /// The name of the column.
        column: String,
        /// The text instead of a number.
        text: String,
    },
    /// A row of CSV is not valid.
    #[error("line {line}: {error}")]
    Line {
        /// The line's number, from 1.
        line: u64,
        /// The error in its columns.
        error: Box<ClassError>,
    },
    /// The text is not TOML, or has other keys.
    #[error("line {line}: {message}")]
    Toml {
        /// The line's number, from 1.
        line: usize,
        /// The parser's message.
        message: String,
    },
    /// The text is not CSV.
    #[error(transparent)]
    Csv(#[from] csv::Error),
    /// The first line of CSV lacks a column.
    #[error("line {line}: no column \"{column}\"")]
    NoColumn {
        /// The line's number, from 1.
        line: u64,
        /// The name of the column.
        column: &'static str,
    },
    /// A program has no name, or not one of a command and a folder.
    #[error("\"{name}\": expected a name, and a command or a folder")]
    Incomplete {
        /// The name, which may be empty.
        name: String,
    },
    /// Two programs have the same name.
    #[error("the name \"{name}\" occurs twice")]
    Twice {
        /// The name of both.
        name: String,
    },
    /// There is no program.
    #[error("the file has no players")]
    Empty,
    /// A folder holds no student's work.
    #[error("expected a folder or an archive (.zip, .tar, .tar.gz, .tgz) of each student")]
    NoWork,
}

/// The longest class file in bytes. Parsed, TOML takes twenty times as much memory.
const LARGEST: u64 = 8 << 20;

/// Reads the class of a file, or finds that of a folder.
///
/// # Errors
/// The file, the line, and what is wrong in it.
pub fn load(path: &Path) -> Result<Vec<Entry>, Failure> {
    let wrong = |error: &dyn Display| Failure::input(format!("{}: {error}", path.display()));
    if path.is_dir() {
        let entries = folder::entries(path).map_err(|error| wrong(&error))?;
        return if entries.is_empty() { Err(wrong(&ClassError::NoWork)) } else { Ok(entries) };
    }
    let text = text::read_file(path, LARGEST).map_err(|error| wrong(&error))?;
    let mut entries = read(path, &text).map_err(|error| wrong(&error))?;
    // A folder is written as seen from the file.
    let base = path.parent().unwrap_or(Path::new(""));
    entries.iter_mut().for_each(|entry| entry.folder = entry.folder.take().map(|own| base.join(own)));
    Ok(entries)
}

/// Parses a class: CSV with column names in its first line, or TOML with one `[[player]]` each. The file's name tells
/// which, or its text where the name does not. CSV is separated by commas, semicolons or tabs. Its unknown columns are
/// kept for the gradebook. Unknown keys of TOML are refused: other columns stand in `columns`, a table.
///
/// # Errors
/// The line, and what is wrong in it.
pub fn read(path: &Path, text: &str) -> Result<Vec<Entry>, ClassError> {
    let mut entries = if is_csv(path, text) {
        read_csv(text)?
    } else {
        let file: File = toml::from_str(text).map_err(|error| {
            let before = error.span().map_or(0, |span| span.start.min(text.len()));
            let line = text[..before].matches('\n').count() + 1;
            ClassError::Toml { line, message: shortened(error.message()) }
        })?;
        file.player.into_iter().map(Entry::from).collect()
    };
    for entry in &mut entries {
        entry.name = clean_name(&entry.name);
    }
    let mut names = BTreeSet::new();
    for entry in &entries {
        if entry.name.trim().is_empty() || entry.command.trim().is_empty() == entry.folder.is_none() {
            return Err(ClassError::Incomplete { name: entry.name.clone() });
        }
        if !names.insert(&entry.name) {
            return Err(ClassError::Twice { name: entry.name.clone() });
        }
    }
    if entries.is_empty() { Err(ClassError::Empty) } else { Ok(entries) }
}

/// Tells CSV from TOML, which has a line that begins with a bracket.
fn is_csv(path: &Path, text: &str) -> bool {
    let ends_with = |ending: &str| path.extension().is_some_and(|own| own.eq_ignore_ascii_case(ending));
    ends_with("csv")
        || ends_with("tsv")
        || !ends_with("toml") && !text.lines().any(|line| line.trim_start().starts_with('['))
}

/// Parses CSV. Empty rows are ignored.
fn read_csv(text: &str) -> Result<Vec<Entry>, ClassError> {
    // The `sep=` line of some spreadsheets.
    let told = |first: &str| {
        let is_told = first.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("sep="));
        first.as_bytes().get(4).copied().filter(|byte| is_told && byte.is_ascii())
    };
    let (text, skipped, told) = match text.split_once('\n') {
        Some((first, rest)) if told(first).is_some() => (rest, 1, told(first)),
        _ => (text, 0, None),
    };
    let heads = text.lines().next().unwrap_or_default();
    let count = |separator: &u8| heads.bytes().filter(|byte| byte == separator).count();
    // The last of the most frequent ones is taken.
    let separator = told.or_else(|| b"\t;,".iter().copied().max_by_key(count)).unwrap_or(b',');
    let mut reader =
        csv::ReaderBuilder::new().delimiter(separator).trim(csv::Trim::All).from_reader(text.as_bytes());
    let heads = reader.headers()?.clone();
    let has = |wanted: &str| heads.iter().any(|head| head.eq_ignore_ascii_case(wanted));
    let has_folders = has("folder") && !has("command");
    for wanted in ["name", if has_folders { "folder" } else { "command" }] {
        if !has(wanted) {
            return Err(ClassError::NoColumn { line: 1 + skipped, column: wanted });
        }
    }
    let mut entries = Vec::new();
    for row in reader.records() {
        let row = row?;
        if row.iter().all(str::is_empty) {
            continue;
        }
        let line = row.position().map_or(0, csv::Position::line) + skipped;
        let mut entry = Entry::new("", "");
        for (head, text) in heads.iter().zip(&row) {
            if has_folders && head.eq_ignore_ascii_case("folder") {
                entry.folder = Some(PathBuf::from(text)).filter(|_| !text.is_empty());
                continue;
            }
            let set = entry.set(head, text);
            set.map_err(|error| ClassError::Line { line, error: Box::new(error) })?;
        }
        entries.push(entry);
    }
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_columns_and_separators_of_spreadsheets_are_taken() {
        let expected = [("Ana", "a b.py", Some(50), "ana@x.org"), ("12", "./c, d", None, "")];
        for text in [
            "id,Name,command,time,E-mail\n007,Ana,a b.py,50,ana@x.org\n008,12,\"./c, d\",,\n",
            "sep=;\r\nid;name;Command;Time;E-mail\r\n007;Ana;a b.py;50;ana@x.org\r\n008; 12 ;./c, d;;\r\n;;;;\r\n",
            "Sep=|\nid|name|command|time|E-mail|\n007|Ana|a b.py|50|ana@x.org|\n008|12|./c, d|||\n",
            "id\tname\tcommand\ttime\tE-mail\n007\tAna\ta b.py\t50\tana@x.org\n008\t12\t./c, d\t\t\n",
        ] {
            let class = read(Path::new("class.CSV"), text).unwrap();
            assert_eq!(class.len(), 2, "{text:?}");
            for (entry, (name, command, time, mail)) in class.iter().zip(expected) {
                assert_eq!((entry.name.as_str(), entry.command.as_str(), entry.time), (name, command, time));
                assert_eq!(entry.columns[1], ("E-mail".to_owned(), mail.to_owned()));
            }
            assert_eq!(class[0].columns[0], ("id".to_owned(), "007".to_owned()));
        }
        // A column may be called like an option of the command line.
        let class = read(Path::new("a.csv"), "name,command,view,total\nx,./x,white,7\n").unwrap();
        let carried =
            [("view", "white"), ("total", "7")].map(|(name, text)| (name.to_owned(), text.to_owned()));
        assert_eq!(class[0].columns, carried);
        let error = |text: &str| read(Path::new("a.csv"), text).unwrap_err().to_string();
        assert_eq!(error("name;programme\nx;y\n"), "line 1: no column \"command\"");
        assert_eq!(error("name,command,time\nx,y,soon\n"), "line 2: time: expected a number, found \"soon\"");
    }

    #[test]
    fn both_forms_say_the_same() {
        let toml = "[[player]]\nname = \"Ana\"\ncommand = \"python3 ana/play.py\"\ntime = 50\n\n[[player]]\nname = \"Bo\"\ncommand = \"bo/play\"\n";
        let toml = toml.replace("50\n", "50\ncolumns = { id = \"007\" }\n") + "columns = { id = \"8\" }\n";
        let csv = "name,command,options,time,depth,memory,id\nAna,python3 ana/play.py,,50,,,007\nBo,bo/play,,,,,8\n";
        let class = read(Path::new("class.toml"), &toml).unwrap();
        assert_eq!(class, read(Path::new("class.csv"), csv).unwrap());
        assert_eq!((class[0].time, class[1].command.as_str()), (Some(50), "bo/play"));
    }

    #[test]
    fn a_folder_stands_in_place_of_a_command() {
        let class = read(Path::new("a.csv"), "name,folder,id\nAna,work/ana.zip,7\n").unwrap();
        assert_eq!(
            (class[0].folder.as_deref(), class[0].columns.len()),
            (Some(Path::new("work/ana.zip")), 1)
        );
        let toml = "[[player]]\nname = \"Ana\"\nfolder = \"work/ana.zip\"\ncolumns = { id = \"7\" }\n";
        assert_eq!(read(Path::new("a.toml"), toml).unwrap(), class);
        // Beside commands it is a column like others.
        let class = read(Path::new("a.csv"), "name,command,folder\nAna,./a,x\n").unwrap();
        assert_eq!((&class[0].folder, class[0].columns.len()), (&None, 1));
        let both = "[[player]]\nname = \"Ana\"\ncommand = \"./a\"\nfolder = \"b\"\n";
        for (name, text) in [("a.toml", both), ("a.csv", "name,folder\nAna,\n")] {
            let error = read(Path::new(name), text).unwrap_err().to_string();
            assert_eq!(error, "\"Ana\": expected a name, and a command or a folder");
        }
    }

    #[test]
    fn the_text_tells_the_form_where_the_name_does_not() {
        let tabs = "name\tcommand\nAna\t[ a ]\n";
        for name in ["class.tsv", "class.TSV", "class.txt", "class"] {
            assert_eq!(read(Path::new(name), tabs).unwrap()[0].command, "[ a ]", "{name}");
        }
        let toml = "# Ours\n\n[[player]]\nname = \"Ana\"\ncommand = \"a\"\n";
        for name in ["class.toml", "class.txt", "class"] {
            assert_eq!(read(Path::new(name), toml).unwrap()[0].command, "a", "{name}");
        }
    }

    #[test]
    fn a_file_longer_than_any_class_is_refused() {
        let file = tempfile::NamedTempFile::new().unwrap();
        file.as_file().set_len(LARGEST + 1).unwrap();
        let told = load(file.path()).unwrap_err().to_string();
        assert!(told.ends_with(": longer than 8388608 bytes"), "{told}");
    }

    #[test]
    fn what_is_no_class_is_refused_with_the_place() {
        let error = |name: &str, text: &str| read(Path::new(name), text).unwrap_err().to_string();
        let unknown = error("a.toml", "[[player]]\nname = \"x\"\ncommand = \"y\"\nclock = 3\n");
        let known = "`name`, `command`, `folder`, `options`, `time`, `depth`, `tc`, `memory`, `columns`";
        assert_eq!(unknown, format!("line 4: unknown field `clock`, expected one of {known}"));
        assert!(
            error("a.toml", "[[players]]\nname = \"x\"\n")
                .contains("unknown field `players`, expected `player`")
        );
        assert!(error("a.csv", "name,command\nx,y\nx,z\n").contains("twice"));
        assert!(error("a.csv", "name,command\nAndre\u{301},y\nAndr\u{e9},z\n").contains("twice"), "one name");
        assert!(error("a.csv", "name,command\n").contains("no player"));
        assert!(error("a.csv", "name,command\nx\n").contains("line: 2"));
    }
}
