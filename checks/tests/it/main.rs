//! Checks of the whole project: documents, tables, credits, licences, dependencies and workflows.

mod arrows;
mod credits;
mod documents;
mod exceptions;
mod licence;
mod tables;
mod weights;
mod wording;
mod workflows;

use std::fs;
use std::path::{Path, PathBuf};

/// The root folder of the project.
fn top() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// The folders of all packages except this one.
fn packages() -> Vec<PathBuf> {
    let crates = fs::read_dir(top().join("crates")).unwrap().map(|entry| entry.unwrap().path());
    let mut all: Vec<_> =
        crates.chain([top().join("benches")]).filter(|path| path.join("Cargo.toml").is_file()).collect();
    all.sort();
    all
}

/// The Markdown files of the project's root, of each package, of `docs`, `fuzz` and `.github`.
fn documents() -> Vec<PathBuf> {
    let folders =
        packages().into_iter().chain([top(), top().join("docs"), top().join("fuzz"), top().join(".github")]);
    let files =
        folders.filter_map(|folder| fs::read_dir(folder).ok()).flatten().map(|entry| entry.unwrap().path());
    let mut all: Vec<_> = files.filter(|path| path.extension().is_some_and(|end| end == "md")).collect();
    all.sort();
    all
}
