//! Workflows, and the template of one, pin their actions to commits and keep no credentials.

use crate::top;
use std::fs;

/// The lines of every workflow, each with its file's name and its number.
fn lines() -> Vec<(String, usize, String)> {
    let mut lines = Vec::new();
    let folders = [".github/workflows", "crates/referee/templates"].map(|folder| top().join(folder));
    for entry in folders.iter().flat_map(|folder| fs::read_dir(folder).unwrap()) {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let text = fs::read_to_string(&path).unwrap();
        lines.extend((1..).zip(text.lines()).map(|(number, line)| (name.clone(), number, line.to_owned())));
    }
    lines
}

/// Returns true if an action is pinned to the full hash of a commit, with its version in a comment.
fn is_pinned(action: &str) -> bool {
    let Some((version, comment)) = action.split_once(" # v") else { return false };
    let Some((_, hash)) = version.split_once('@') else { return false };
    hash.len() == 40 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()) && !comment.is_empty()
}

#[test]
fn every_action_is_pinned_by_the_hash_of_a_commit() {
    let lines = lines();
    let mut seen = 0;
    for (name, number, line) in &lines {
        if let Some((_, action)) = line.split_once("uses: ") {
            seen += 1;
            assert!(is_pinned(action), "{name}:{number}: {action} is not pinned");
        }
    }
    assert!(seen > 5, "{seen} actions were found");
}

#[test]
fn no_checkout_leaves_its_credentials() {
    let lines = lines();
    for (at, (name, number, line)) in lines.iter().enumerate() {
        if line.contains("uses: actions/checkout@") {
            let next: Vec<_> = lines[at + 1..].iter().take(2).map(|(_, _, line)| line.trim()).collect();
            assert_eq!(next, ["with:", "persist-credentials: false"], "{name}:{number}");
        }
    }
}
