//! Students' work in a folder: as Moodle exports it, a folder a student, or an archive a student.

use super::{Entry, PARTICIPANT};
use crate::mark::build::{BUILDS, LOCK};
use crate::mark::paths::is_whole_program;
use courses::archive::{Form, is_unread};
use courses::player::clean_name;
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

/// The part after the student's number in the names of Moodle's export.
const SUBMISSION: &str = "assignsubmission_";

/// The part of a file's name in Moodle's export between the student's number and the name of the student's file.
pub(in crate::mark) const FILE: &str = "_assignsubmission_file_";

/// Returns the students in the order of their names. Hidden files, and those that are neither archives nor sources, are
/// ignored.
pub(super) fn entries(folder: &Path) -> io::Result<Vec<Entry>> {
    let (mut entries, mut prefixes) = (Vec::new(), BTreeSet::new());
    let mut listed = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    listed.sort_by_key(fs::DirEntry::file_name);
    for listed in listed {
        let name = listed.file_name().to_string_lossy().into_owned();
        let path = listed.path();
        // A link leads to a student's work like any other.
        let is_folder = path.is_dir();
        // The builds of a single folder stand beside it.
        if name.ends_with(BUILDS) && path.join(LOCK).exists() {
            continue;
        }
        let moodle = of_moodle(&name);
        // A student with an archive that is not read has a row that says so.
        let is_archive = Form::of(&path).is_ok() || is_unread(&path);
        let is_source = is_whole_program(&name);
        let is_file = (is_source || moodle.is_some()) && path.is_file();
        let is_work = is_folder || is_archive || is_file;
        if !is_work || name.starts_with(['.', '_']) || name.contains("_assignsubmission_onlinetext") {
            continue;
        }
        // Moodle's files of one student are one work, which the first stands for.
        let prefix =
            if is_folder { None } else { name.split_once(FILE).map(|(prefix, _)| prefix.to_owned()) };
        if prefix.is_some_and(|prefix| !prefixes.insert(prefix)) {
            continue;
        }
        let (name, number) = match moodle {
            Some((name, number)) => (name, Some(number.to_owned())),
            None => (if is_folder { &*name } else { stem(&name) }, None),
        };
        let columns = number.map(|number| (PARTICIPANT.to_owned(), number)).into_iter().collect();
        entries.push(Entry { folder: Some(path), columns, ..Entry::new(&clean_name(name), "") });
    }
    tell_apart(&mut entries);
    Ok(entries)
}

/// Splits a name of Moodle's export into the student's name and number: `Ana B_12345_assignsubmission_file_`.
fn of_moodle(name: &str) -> Option<(&str, &str)> {
    let (before, _) = name.split_once(&format!("_{SUBMISSION}"))?;
    before.rsplit_once('_').filter(|(_, number)| number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Returns an archive's name without its extension.
fn stem(name: &str) -> &str {
    let name = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let at = name.len().saturating_sub(".tar".len());
    let is_tar = name.is_char_boundary(at) && name[at..].eq_ignore_ascii_case(".tar");
    if is_tar { &name[..at] } else { name }
}

/// Adds a number to names that occur twice: Moodle's own, or the place among equal names.
fn tell_apart(entries: &mut [Entry]) {
    let mut names = BTreeSet::new();
    for entry in entries {
        if let Some((_, number)) = entry.columns.first().filter(|_| names.contains(&entry.name)) {
            entry.name = format!("{} ({number})", entry.name);
        }
        let base = entry.name.clone();
        let mut count = 1;
        while !names.insert(entry.name.clone()) {
            count += 1;
            entry.name = format!("{base} ({count})");
        }
    }
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "tests make files as they like")]
mod tests {
    use super::*;

    #[test]
    fn the_three_kinds_of_folder_name_their_students() {
        let folder = tempfile::tempdir().unwrap();
        for name in [
            "Ana B_12345_assignsubmission_file_",
            "Ana B_777_assignsubmission_file_",
            "Cy d'E_8_assignsubmission_file",
            "Cy d'E_8_assignsubmission_onlinetext_",
            "dan",
            "dan-built",
            ".git",
            "__MACOSX",
        ] {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        fs::write(folder.path().join("dan-built").join(LOCK), "").unwrap();
        for name in [
            "Eve_9_assignsubmission_file_a.py",
            "Eve_9_assignsubmission_file_tp 1.tar.gz",
            "Zoé.ZIP",
            "dan.tgz",
            "notes.txt",
            "tp1_123_456.py",
            "J. Éa.tar.XZ",
        ] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        std::os::unix::fs::symlink("dan", folder.path().join("fay")).unwrap();
        let entries = entries(folder.path()).unwrap();
        let told = |entry: &Entry| {
            (entry.name.clone(), entry.columns.first().map_or(String::new(), |(_, number)| number.clone()))
        };
        let expected = [
            ("Ana B", "12345"),
            ("Ana B (777)", "777"),
            ("Cy d'E", "8"),
            ("Eve", "9"),
            ("J. Éa", ""),
            ("Zoé", ""),
            ("dan", ""),
            ("dan (2)", ""),
            ("fay", ""),
            ("tp1_123_456", ""),
        ];
        let expected = expected.map(|(name, number)| (name.to_owned(), number.to_owned()));
        assert_eq!(entries.iter().map(told).collect::<Vec<_>>(), expected);
        assert!(entries.iter().all(|entry| entry.command.is_empty() && entry.folder.is_some()));
    }
}
