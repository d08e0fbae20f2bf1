//! Compares `test-data/weights.tsv` with the files of weights: each has a row with its checksum.

use crate::top;
use md5::{Digest, Md5};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

const COLUMNS: [&str; 7] = ["file", "md5", "command", "seeds", "data", "commit", "again"];

/// The rows after the heading, split into cells.
fn rows() -> Vec<Vec<String>> {
    let text = fs::read_to_string(top().join("test-data/weights.tsv")).unwrap();
    let mut rows = text.lines().map(|line| line.split('\t').map(str::to_owned).collect::<Vec<_>>());
    assert_eq!(rows.next().unwrap(), COLUMNS);
    rows.collect()
}

/// Returns true for generated numbers: a binary file, or source written by the trainer.
fn has_weights(path: &Path) -> bool {
    let bytes = fs::read(path).unwrap();
    bytes.contains(&0) || bytes.starts_with(b"//! Written by `trainer")
}

/// Adds the files of weights below `folder`, relative to the project's root.
fn find(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            find(&path, found);
        } else if has_weights(&path) {
            found.insert(path.strip_prefix(top()).unwrap().to_str().unwrap().to_owned());
        }
    }
}

#[test]
fn every_file_of_weights_is_the_one_that_its_row_tells_of() {
    for row in rows() {
        assert_eq!(row.len(), COLUMNS.len(), "{row:?}");
        assert!(row.iter().all(|cell| !cell.trim().is_empty()), "a cell is empty: {row:?}");
        let bytes = fs::read(top().join(&row[0])).unwrap_or_else(|error| panic!("{}: {error}", row[0]));
        let sum: String = Md5::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(sum, row[1], "{} has changed: its row in test-data/weights.tsv tells of another", row[0]);
    }
}

#[test]
fn every_file_of_weights_has_its_row() {
    let listed: BTreeSet<String> = rows().into_iter().map(|row| row[0].clone()).collect();
    let mut found = BTreeSet::new();
    for package in fs::read_dir(top().join("crates")).unwrap() {
        find(&package.unwrap().path().join("src"), &mut found);
    }
    assert_eq!(found, listed);
}
