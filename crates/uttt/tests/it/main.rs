//! The course's requirements, checked from outside: rules, protocol, trees and player.

#![allow(clippy::disallowed_methods, reason = "tests make files as they like")]

mod player;
mod protocol;
mod rules;
mod tree;

use uttt::rules::State;

/// The assignment's example: o to move in board 6, where cells 54 and 56 both win.
const EXAMPLE: &str = "459329034283597291728327479273734123420780266358036";

fn state(integer: &str) -> State {
    integer.parse().expect("a position")
}

/// The positions of `perft.txt` with their counts, starting at depth 1.
fn perft_rows() -> Vec<(String, Vec<u64>)> {
    let text = include_str!("../../../../test-data/uttt/perft.txt");
    let mut rows: Vec<(String, Vec<u64>)> = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        match line.strip_prefix("position ") {
            Some(integer) => rows.push((integer.to_owned(), Vec::new())),
            None => {
                let (depth, nodes) = line.split_once(' ').expect("depth nodes");
                let counts = &mut rows.last_mut().expect("a position first").1;
                counts.push(nodes.parse().expect("a count"));
                assert_eq!(depth.parse(), Ok(counts.len()));
            }
        }
    }
    assert_eq!(rows.len(), 8);
    rows
}
