//! Compares CREDITS.md with the source: the modules that it names exist, and every `Source:` line has a row.

use crate::top;
use std::fs;
use std::path::{Path, PathBuf};

/// The folder to which the paths in each section of CREDITS.md are relative.
const SECTIONS: [(&str, &str); 7] = [
    ("### Searching", "crates/search-core/src"),
    ("### Othello", "crates/othello-player/src"),
    ("### Connect5", "crates/connect5-joueur/src"),
    ("### Gounki", "crates/gounki/src"),
    ("### Ultimate tic-tac-toe", "crates/uttt/src"),
    ("### The maze", "crates/moules-client/src"),
    ("### Refereeing", "crates/referee/src"),
];

/// A row of a table with a column `where`.
struct Row {
    line: usize,
    /// The row's text, with single spaces.
    text: String,
    /// The paths in the column `where`, as written and as a file or folder.
    places: Vec<(String, Option<PathBuf>)>,
}

/// The module or file that `name` means, relative to the project or to the section's folder, with or without `.rs`.
fn place(name: &str, section: &Path) -> Option<PathBuf> {
    [top().join(name), section.join(name), section.join(format!("{name}.rs"))]
        .into_iter()
        .chain([top().join(format!("{name}.rs"))])
        // A folder `x` and a file `x.rs` next to it form one module: the file stands for both.
        .map(|path| if path.with_extension("rs").is_file() { path.with_extension("rs") } else { path })
        .find(|path| path.exists())
}

fn rows() -> Vec<Row> {
    let text = fs::read_to_string(top().join("CREDITS.md")).unwrap();
    let mut section = top();
    let mut column = None;
    let mut rows = Vec::new();
    for (line, text) in (1..).zip(text.lines()) {
        if text.starts_with('#') {
            let folder = SECTIONS.iter().find(|(title, _)| text.starts_with(title));
            section = top().join(folder.map_or("", |(_, folder)| folder));
        }
        if !text.starts_with('|') {
            column = None;
            continue;
        }
        let cells: Vec<&str> = text.trim_matches('|').split('|').map(str::trim).collect();
        match column {
            None => column = Some(cells.iter().position(|cell| *cell == "where")),
            Some(Some(_)) if cells.iter().all(|cell| cell.starts_with("--")) => {}
            Some(Some(column)) => {
                let names = cells[column].split('`').skip(1).step_by(2);
                let places = names.map(|name| (name.to_owned(), place(name, &section))).collect();
                rows.push(Row { line, text: words(text), places });
            }
            Some(None) => {}
        }
    }
    rows
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Adds the modules below `folder`.
fn modules(folder: &Path, all: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            modules(&path, all);
        } else if path.extension().is_some_and(|end| end == "rs") {
            all.push(path);
        }
    }
}

/// The comments of a module that begin with `Source:` or `Sources:`, each up to an empty line or the end of the comment.
fn sources(text: &str) -> Vec<String> {
    let mut sources: Vec<String> = Vec::new();
    let mut open = false;
    for line in text.lines().map(str::trim_start) {
        let comment = line.strip_prefix("//").map(|rest| rest.trim_start_matches(['/', '!']).trim());
        match comment {
            None | Some("") => open = false,
            Some(comment) if comment.starts_with("Source:") || comment.starts_with("Sources:") => {
                sources.push(comment.to_owned());
                open = true;
            }
            Some(comment) if open => {
                let source = sources.last_mut().unwrap();
                source.push(' ');
                source.push_str(comment);
            }
            Some(_) => {}
        }
    }
    sources
}

#[test]
fn every_module_and_file_that_is_credited_exists() {
    let rows = rows();
    assert!(rows.len() > 50, "{} rows with a place were found", rows.len());
    let mut missing = Vec::new();
    for row in &rows {
        for (name, _) in row.places.iter().filter(|(_, place)| place.is_none()) {
            missing.push(format!("CREDITS.md:{}: {name} does not exist", row.line));
        }
        if row.places.is_empty() {
            missing.push(format!("CREDITS.md:{}: the row names no module or file", row.line));
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

#[test]
fn every_source_line_has_its_row() {
    let rows = rows();
    let mut files = Vec::new();
    for entry in fs::read_dir(top().join("crates")).unwrap() {
        modules(&entry.unwrap().path().join("src"), &mut files);
    }
    let (mut wrong, mut seen) = (Vec::new(), 0);
    for file in files {
        let name = file.strip_prefix(top()).unwrap().display().to_string();
        for source in sources(&fs::read_to_string(&file).unwrap()) {
            seen += 1;
            let own: Vec<&Row> = rows
                .iter()
                .filter(|row| row.places.iter().any(|(_, place)| place.as_ref() == Some(&file)))
                .collect();
            if own.is_empty() {
                wrong.push(format!("{name}: no row of CREDITS.md names this module: {source}"));
            }
            for title in source.split('"').skip(1).step_by(2).map(words) {
                if !own.iter().any(|row| row.text.to_lowercase().contains(&title.to_lowercase())) {
                    wrong.push(format!("{name}: no row for this module has \"{title}\""));
                }
            }
        }
    }
    assert!(seen > 40, "{seen} source lines were found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
