//! The search equals plain negamax, and can be stopped at any moment.

use super::*;
use crate::evaluation::Evaluation;
use crate::player::{OPTIONS, VctSearch};
use crate::rules::{Color, Grid};
use search_core::testing::{
    aborts_cleanly, agrees_with_negamax, random_positions, repeats_exactly, threads_agree_with_one,
};
use search_core::{Control, Crew, Heuristics as _, Limits, Stopwatch, Table};

fn empty(rows: usize, columns: usize) -> Position {
    Position::from_grid(&Grid::new(rows, columns).unwrap())
}

/// Returns positions of small grids, and positions near the end of a game, where wins are near.
fn positions() -> Vec<Position> {
    let mut positions = Vec::new();
    for (rows, columns, count, plies) in [(3, 3, 20, 6), (1, 8, 20, 6), (5, 4, 10, 19), (6, 5, 10, 29)] {
        positions.extend(random_positions(&empty(rows, columns), 7, count, plies));
    }
    let near = "NNN0N0/BBB0B0/0000NN/B0NBNB/NB0BNN/BNB0BB".replace('/', "\n");
    positions.extend(random_positions(&Position::from_grid(&near.parse().unwrap()), 8, 20, 6));
    positions
}

/// The evaluation with the most incremental state.
const EVALUATION: Evaluation = Evaluation::Network;

fn plain(position: &Position) -> Heuristics<'static> {
    let patterns = Patterns::new(position, EVALUATION.weights());
    Heuristics::new(patterns, EVALUATION.network(position), None)
}

fn selective(position: &Position) -> Heuristics<'static> {
    let patterns = Patterns::new(position, EVALUATION.weights());
    let threats = Box::leak(Box::new(VctSearch::new(patterns.clone(), 1 << 10)));
    Heuristics::new(patterns, EVALUATION.network(position), Some(VctProbe::new(threats, position.clone())))
}

#[test]
fn without_selectivity_it_returns_plain_negamax() {
    for depth in 1..=4 {
        let few: Vec<_> =
            positions().into_iter().filter(|position| position.free() <= 14 - 2 * depth as usize).collect();
        agrees_with_negamax(&few, depth..=depth, plain);
    }
}

#[test]
fn threads_return_the_value_of_one_at_a_fixed_depth() {
    let few: Vec<_> =
        positions().into_iter().filter(|position| (7..=10).contains(&position.free())).collect();
    assert!(few.len() > 4, "{}", few.len());
    for threads in [2, 3] {
        threads_agree_with_one(&Crew::new(threads), &few, 7, plain);
    }
}

#[test]
fn stopped_at_any_position_it_leaves_everything_as_it_was() {
    let middle = "00000000/00N00000/000BN000/00NNB000/000BNB00/0000B000/00000000/00000000".replace('/', "\n");
    let mut positions = random_positions(&empty(6, 6), 3, 3, 20);
    positions.push(Position::from_grid(&middle.parse().unwrap()));
    aborts_cleanly(&positions, 300, OPTIONS, selective);
    repeats_exactly(&positions, 3_000, OPTIONS, selective);
}

/// Returns a position with threes of both colours in five rows, and the first stone of a chain. Black's threes lie
/// along rows and white's along columns, each between walls or stones of the other colour, so that every four has one
/// reply, which makes a four in its turn.
fn chain(plies: usize) -> Position {
    let columns = 2 * plies + 4;
    let mut grid = Grid::new(5, columns).unwrap();
    let mut put = |row, column, color| grid.set(Cell::at(row, column, columns), Some(color));
    for link in 0..plies {
        let (row, column) = (link.div_ceil(2) % 2 * 4, 1 + 4 * link.div_ceil(2));
        if link % 2 == 0 {
            put(row, column - 1, Color::White);
            (1..=3).for_each(|step| put(row, column + step, Color::Black));
        } else {
            (1..=3).for_each(|row| put(row, column, Color::White));
        }
    }
    put(0, 1, Color::Black);
    Position::new(&grid, Color::White)
}

#[test]
fn a_leaf_follows_a_chain_of_fours_no_farther_than_the_search_goes() {
    let position = chain(2 * MAX_PLY);
    let clock = Stopwatch::start();
    let control = Control::new(Limits::default(), &clock);
    let table = Table::with_bytes(1 << 10);
    let mut search = Search::new(selective(&position), position, &table, &control, OPTIONS);
    Heuristics::leaf(&mut search, Window::FULL).unwrap();
    // Every reply is one node.
    assert_eq!(control.nodes(), MAX_PLY as u64);
}
