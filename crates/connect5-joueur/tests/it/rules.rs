//! Tests of the rules through their public interface.

use connect5_joueur::evaluation::{Evaluation, judge};
use connect5_joueur::patterns::Patterns;
use connect5_joueur::rules::{Cell, Color, Grid, Position};
use search_core::testing::{agrees_with_negamax, conforms, random_positions};
use search_core::{Heuristics, Outcome, Position as _, Score, perft};

fn position(rows: &str, mover: Color) -> Position {
    Position::new(&rows.replace('/', "\n").parse().unwrap(), mover)
}

fn empty(rows: usize, columns: usize) -> Position {
    Position::from_grid(&Grid::new(rows, columns).unwrap())
}

fn after(rows: &str, mover: Color, row: usize, column: usize) -> Option<Outcome> {
    let mut position = position(rows, mover);
    let cell = Cell::at(row, column, position.geometry().columns());
    position.play(cell);
    position.outcome()
}

#[test]
fn black_begins_and_the_colour_that_is_due_moves() {
    for (rows, mover) in
        [("000", Color::Black), ("N00", Color::White), ("NB0", Color::Black), ("B00", Color::Black)]
    {
        assert_eq!(rows.parse::<Grid>().unwrap().mover(), mover, "{rows}");
    }
}

#[test]
fn exactly_five_wins_in_every_direction() {
    assert_eq!(after("NNNN00", Color::Black, 0, 4), Some(Outcome::Loss));
    assert_eq!(after("B/B/0/B/B", Color::White, 2, 0), Some(Outcome::Loss));
    assert_eq!(after("N0000/0N000/00N00/000N0/00000", Color::Black, 4, 4), Some(Outcome::Loss));
    assert_eq!(after("00000/000N0/00N00/0N000/N0000", Color::Black, 0, 4), Some(Outcome::Loss));
}

#[test]
fn six_in_a_row_are_no_win_and_another_line_may_still_win() {
    assert_eq!(after("NNN0NN0", Color::Black, 0, 3), None);
    assert_eq!(after("NNNN0N0", Color::Black, 0, 4), None);
    assert_eq!(position("NNNNNN0", Color::White).outcome(), None);
    assert_eq!(position("NNNNN00", Color::White).outcome(), Some(Outcome::Loss));
    assert_eq!(position("NNNNN00", Color::Black).outcome(), Some(Outcome::Win));
    assert_eq!(after("NNN0NN/000N00/000N00/000N00/000N00", Color::Black, 0, 3), Some(Outcome::Loss));
}

#[test]
fn a_row_does_not_go_on_at_the_other_side_of_the_grid() {
    assert_eq!(after("000NN/NN000/00000", Color::Black, 1, 2), None);
    assert_eq!(after("0NNNN/00000", Color::Black, 1, 0), None);
}

#[test]
fn a_full_grid_without_a_five_is_a_draw() {
    assert_eq!(after("NB/B0", Color::Black, 1, 1), Some(Outcome::Draw));
    assert_eq!(empty(1, 1).move_list().len(), 1);
}

#[test]
fn the_laws_of_a_position_hold_on_every_shape_of_grid() {
    for (rows, columns, games) in
        [(1, 1, 1), (1, 7, 20), (7, 1, 20), (5, 5, 20), (6, 9, 5), (9, 6, 5), (15, 15, 1)]
    {
        conforms(&empty(rows, columns), 1, games, rows * columns + 1);
    }
    conforms(&position("NN0NN/B0B0B/00000", Color::Black), 1, 20, 16);
}

#[test]
fn paths_are_counted_up_to_the_first_five() {
    // With no five within reach every order of moves counts.
    assert_eq!(perft(&empty(2, 3), 6), 720);
    // On a row of six, black makes five with the first or the last five cells only.
    assert_eq!(perft(&position("NNNN0/0BBB0", Color::Black), 2), 2 * 2);
}

#[test]
fn the_largest_grid_is_played_on() {
    let mut position = empty(1023, 1023);
    for column in 0..5 {
        for row in [0, 1022] {
            let cell = Cell::at(row, 1018 + column, 1023);
            assert!(position.is_legal(cell));
            position.play(cell);
            assert_eq!(position.outcome(), (row == 0 && column == 4).then_some(Outcome::Loss));
            if position.outcome().is_some() {
                return;
            }
        }
    }
}

/// An evaluation by patterns, updated by the moves of search-core's search.
struct Follower(Patterns);

impl Follower {
    fn at(evaluation: Evaluation, position: &Position) -> Self {
        Self(Patterns::new(position, evaluation.weights()))
    }
}

impl Heuristics for Follower {
    type Position = Position;
    type Frame = ();

    fn played(&mut self, cell: Cell, (): &(), now: &Position) {
        self.0.played(cell, now);
    }

    fn undone(&mut self) {
        self.0.undone();
    }

    fn evaluate(&mut self, position: &Position) -> Score {
        judge(&self.0, position)
    }
}

#[test]
fn every_value_preserving_search_returns_plain_negamax() {
    let mut positions = Vec::new();
    for (rows, columns, count, plies) in [(3, 3, 20, 6), (1, 8, 20, 6), (5, 4, 10, 19), (6, 5, 10, 29)] {
        positions.extend(random_positions(&empty(rows, columns), 7, count, plies));
    }
    // Near the end of a game, where wins are near.
    let near = position("NNN0N0/BBB0B0/0000NN/B0NBNB/NB0BNN/BNB0BB", Color::Black);
    positions.extend(random_positions(&near, 8, 20, 6));
    for &evaluation in Evaluation::ALL {
        for depth in 1..=5 {
            let few: Vec<_> = positions
                .iter()
                .filter(|position| position.free() <= 14 - 2 * depth as usize)
                .cloned()
                .collect();
            agrees_with_negamax(&few, depth..=depth, |position| Follower::at(evaluation, position));
        }
    }
}
