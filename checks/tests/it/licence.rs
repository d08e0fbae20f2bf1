use crate::{packages, top};
use serde_json::Value;
use std::fs;
use std::process::Command;
use toml_edit::DocumentMut;

fn manifest(path: &std::path::Path) -> DocumentMut {
    fs::read_to_string(path).unwrap().parse().unwrap()
}

#[test]
fn every_package_has_the_licence_of_the_project() {
    let text = fs::read_to_string(top().join("LICENSE")).unwrap();
    assert!(text.starts_with("MIT License\n"));
    assert_eq!(manifest(&top().join("Cargo.toml"))["workspace"]["package"]["license"].as_str(), Some("MIT"));
    for package in packages() {
        let manifest = manifest(&package.join("Cargo.toml"));
        let inherited = manifest["package"]["license"]["workspace"].as_bool();
        assert_eq!(inherited, Some(true), "{}", package.display());
    }
    for name in ["search-core", "wire"] {
        let own = fs::read_to_string(top().join("crates").join(name).join("LICENSE")).unwrap();
        assert_eq!(own, text, "{name} travels alone, with the same text");
    }
    assert_eq!(manifest(&top().join("fuzz/Cargo.toml"))["package"]["license"].as_str(), Some("MIT"));
}

/// The licences that `deny.toml` allows.
fn allowed() -> Vec<String> {
    let deny = manifest(&top().join("deny.toml"));
    let list = deny["licenses"]["allow"].as_array().unwrap();
    list.iter().map(|licence| licence.as_str().unwrap().to_owned()).collect()
}

/// Returns true if the allowed licences satisfy an SPDX expression: any alternative of an OR, all parts of an AND.
fn is_met(expression: &str, allowed: &[String]) -> bool {
    let plain = expression.replace(['(', ')'], "").replace('/', " OR ");
    // Without its brackets, `(A OR B) AND C` is `A OR B AND C`: every part of an AND must be allowed.
    plain
        .split(" AND ")
        .all(|part| part.split(" OR ").any(|licence| allowed.iter().any(|one| one == licence.trim())))
}

#[test]
fn every_library_has_a_licence_that_is_allowed() {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--offline"])
        .current_dir(top())
        .output()
        .unwrap();
    if !output.status.success() {
        println!("skipped: the libraries' licences: not all libraries are on this machine");
        return;
    }
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let allowed = allowed();
    for package in metadata["packages"].as_array().unwrap() {
        let licence = package["license"].as_str().unwrap_or("none");
        assert!(is_met(licence, &allowed), "{}: {licence}", package["name"]);
    }
}

#[test]
fn an_expression_is_met_by_one_of_its_alternatives() {
    let allowed = ["MIT".to_owned(), "Unicode-3.0".to_owned()];
    assert!(is_met("MIT OR Apache-2.0", &allowed) && is_met("Apache-2.0/MIT", &allowed));
    assert!(is_met("(MIT OR Apache-2.0) AND Unicode-3.0", &allowed));
    assert!(
        !is_met("MIT AND GPL-3.0", &allowed) && !is_met("GPL-3.0", &allowed) && !is_met("none", &allowed)
    );
}
