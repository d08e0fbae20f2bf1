//! The rules against the reference positions, and one rule at a time.

use gounki::rules::{Cell, Colour, Configuration, Move, Notation, Position};
use proptest::prelude::*;
use search_core::testing::{conforms, random_positions};
use search_core::{Position as _, perft};

macro_rules! data {
    ($file:literal) => {
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../test-data/gounki/", $file))
    };
}

/// A position from a line of the data files: who moves, then 64 codes.
fn position(line: &str) -> Position {
    let (to_move, codes) = line.split_once(' ').unwrap();
    let to_move = if to_move == "b" { Colour::White } else { Colour::Black };
    Configuration::from_codes(codes.split(' ')).unwrap().position(to_move)
}

fn moves(position: &Position) -> Vec<String> {
    let mut moves: Vec<_> = position.move_list().iter().map(Move::to_string).collect();
    moves.sort();
    moves
}

fn lists_exactly(positions: &str, lists: &str) {
    assert_eq!(positions.lines().count(), lists.lines().count());
    for (line, list) in positions.lines().zip(lists.lines()) {
        let mut expected: Vec<_> = list.split_whitespace().collect();
        expected.sort_unstable();
        assert_eq!(moves(&position(line)), expected, "{line}");
    }
}

#[test]
fn every_reference_position_has_exactly_its_moves() {
    lists_exactly(data!("positions.txt"), data!("positions.moves.txt"));
}

#[test]
fn every_rule_probe_has_exactly_its_moves() {
    lists_exactly(data!("rule_probes.txt"), data!("rule_probes.moves.txt"));
}

#[test]
fn perft_counts_are_exact() {
    let counts: Vec<_> = (1..=4).map(|depth| perft(&Position::initial(), depth)).collect();
    assert_eq!(counts, [36, 1_296, 53_892, 2_241_009]);
}

#[test]
#[ignore = "a second in release, ten in debug: scripts run it with --ignored"]
fn perft_5_is_exact() {
    assert_eq!(perft(&Position::initial(), 5), 100_248_353);
}
