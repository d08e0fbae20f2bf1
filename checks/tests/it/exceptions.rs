//! Exceptions to the methods that `clippy.toml` forbids.

use crate::{packages, top};
use std::fs;
use std::path::{Path, PathBuf};

/// The modules for which the forbidden methods are meant to be the only way: they wrap them.
const WRAPPERS: [&str; 2] = ["crates/wire/src/file.rs", "crates/wire/src/tcp.rs"];

fn sources(folder: &Path, all: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, all);
        } else if path.extension().is_some_and(|end| end == "rs") {
            all.push(path);
        }
    }
}

/// Tests may open files and start threads as they like; a program may not, and each exception says why.
#[test]
fn only_wrappers_and_tests_use_forbidden_methods() {
    let mut exceptions = 0;
    for package in packages() {
        let mut all = Vec::new();
        sources(&package.join("src"), &mut all);
        for path in all {
            let text = fs::read_to_string(&path).unwrap();
            let name = path.strip_prefix(top()).unwrap();
            let lines: Vec<&str> = text.lines().collect();
            for (at, line) in
                lines.iter().enumerate().filter(|(_, line)| line.contains("clippy::disallowed_methods"))
            {
                exceptions += 1;
                assert!(line.contains("reason = "), "{}:{}: no reason", name.display(), at + 1);
                let is_test = lines[at..].iter().take(3).any(|line| line.starts_with("mod tests"));
                let is_wrapper = WRAPPERS.iter().any(|wrapper| name == Path::new(wrapper));
                assert!(is_test || is_wrapper, "{}:{}: neither a wrapper nor a test", name.display(), at + 1);
            }
        }
    }
    assert!(exceptions >= WRAPPERS.len());
}
