//! Integration tests of rules, player and protocols.

#![allow(clippy::disallowed_methods, reason = "tests make files as they like")]

mod endgame;
mod java;
mod player;
mod protocol;
mod rules;

/// Reads a file of `test-data/othello`.
fn data(name: &str) -> String {
    let path = format!("{}/../../test-data/othello/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}
