use crate::{packages, top};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;
use toml_edit::{DocumentMut, Item, Table};

/// The packages of the games: each is named after its folder in `courses`.
fn games() -> Vec<String> {
    let folders =
        fs::read_dir(top().join("crates/courses/src/games")).unwrap().map(|entry| entry.unwrap().path());
    let names: Vec<String> = folders
        .filter(|path| path.is_dir())
        .map(|path| path.file_name().unwrap().to_str().unwrap().into())
        .collect();
    let packages = packages().into_iter().map(|path| path.file_name().unwrap().to_str().unwrap().to_owned());
    let of_a_game = |package: &String| names.iter().any(|name| package.starts_with(name.as_str()));
    let games: Vec<String> = packages.filter(of_a_game).collect();
    assert_eq!(games.len(), names.len(), "{names:?}: {games:?}");
    games
}

/// The dependencies of each of the project's packages on the others, except those for tests.
fn arrows() -> BTreeMap<String, BTreeSet<String>> {
    let names: BTreeSet<String> =
        packages().iter().map(|path| path.file_name().unwrap().to_str().unwrap().to_owned()).collect();
    let mut arrows = BTreeMap::new();
    for package in packages() {
        let manifest: DocumentMut = fs::read_to_string(package.join("Cargo.toml")).unwrap().parse().unwrap();
        let dependencies = manifest.get("dependencies").and_then(Item::as_table);
        let own = dependencies.into_iter().flat_map(Table::iter).map(|(name, _)| name.to_owned());
        let own = own.filter(|name| names.contains(name)).collect();
        arrows.insert(package.file_name().unwrap().to_str().unwrap().to_owned(), own);
    }
    arrows
}

#[test]
fn search_core_and_wire_know_nobody() {
    for name in ["search-core", "wire"] {
        assert!(arrows()[name].is_empty(), "{name} knows {:?}", arrows()[name]);
    }
}

#[test]
fn network_knows_wire_alone() {
    assert_eq!(arrows()["network"], BTreeSet::from(["wire".to_owned()]));
}

#[test]
fn games_know_search_core_network_and_wire_alone() {
    for name in &games() {
        let known = &arrows()[name];
        assert!(
            known.iter().all(|other| ["network", "search-core", "wire"].contains(&other.as_str())),
            "{name}: {known:?}"
        );
    }
}

/// The source of a package's first module: `lib.rs`, or `main.rs` if there is no library.
fn root_of(package: &Path) -> String {
    let files = ["src/lib.rs", "src/main.rs"].map(|file| package.join(file));
    fs::read_to_string(files.into_iter().find(|path| path.is_file()).unwrap()).unwrap()
}

#[test]
fn unsafe_code_is_forbidden_where_nothing_needs_it() {
    for package in packages() {
        let text = root_of(&package);
        let name = package.strip_prefix(top()).unwrap().display().to_string();
        let said = text.contains("#![forbid(unsafe_code)]") || text.contains("#![deny(unsafe_code)]");
        assert!(said, "{name} says nothing of unsafe code");
    }
}

/// Programs that print by themselves panic when a write fails.
#[test]
fn programs_print_by_wire_alone() {
    let lint = "#![deny(clippy::print_stdout, clippy::print_stderr)]";
    for package in packages().into_iter().filter(|package| package.starts_with(top().join("crates"))) {
        let text = root_of(&package);
        assert!(text.contains(lint), "{} may print by itself", package.display());
    }
}

#[test]
fn a_player_needs_at_most_thirty_packages() {
    for name in &games() {
        let output = Command::new(env!("CARGO"))
            .args(["tree", "--offline", "--edges", "normal", "--prefix", "none", "--package", name])
            .current_dir(top())
            .output()
            .unwrap();
        if !output.status.success() {
            println!("skipped: the packages that {name} needs: not all of them are on this machine");
            continue;
        }
        let text = String::from_utf8(output.stdout).unwrap();
        let needed: BTreeSet<&str> = text.lines().map(|line| line.trim_end_matches(" (*)")).collect();
        assert!(!needed.is_empty() && needed.len() <= 30, "{name}: {needed:?}");
    }
}
