//! The player, seen from outside.

use crate::data::{self, Known};
use connect5_joueur::evaluation::Evaluation;
use connect5_joueur::player::{Player, Selective, Settings, Tactician};
use connect5_joueur::rules::{Cell, Color, Grid, Position};
use search_core::testing::{aborts_cleanly, repeats_exactly};
use search_core::{Limits, Options, Outcome, Position as _, Report, Stopwatch};

fn think(position: &Position, nodes: u64) -> Report<Cell> {
    let settings = Settings { table_bytes: 1 << 22, ..Settings::default() };
    Player::new(settings).think(position, Limits::nodes(nodes), &Stopwatch::start())
}

fn assert_good(known: &Known) {
    let report = think(&known.position(), 20_000);
    let best = report.best.unwrap();
    assert!(
        known.is_good(best),
        "{}: {}\n{}",
        known.name,
        best.coordinates(known.grid.columns()),
        known.grid
    );
}

#[test]
fn the_published_positions_are_answered_right_however_they_are_laid() {
    for known in data::demo() {
        known.symmetries().iter().for_each(assert_good);
    }
}

#[test]
fn every_win_by_continuous_fours_is_found() {
    for known in data::won_by_fours() {
        let report = think(&known.position(), 400_000);
        let best = report.best.unwrap();
        assert!(known.is_good(best), "{}: {}", known.name, best.coordinates(known.grid.columns()));
        // Where a five must be stopped there is nothing to search: the first move is enough.
        if report.nodes > 0 {
            assert!(report.score.is_win() && report.proven, "{}: {report:?}", known.name);
            assert_eq!(report.score.plies_to_end(), Some(2 * known.fours - 1), "{}", known.name);
        }
    }
}

#[test]
fn six_in_a_row_are_neither_a_win_nor_a_threat() {
    for known in data::overlines() {
        let report = think(&known.position(), 20_000);
        if known.fours > 0 {
            assert!(known.is_good(report.best.unwrap()), "{}", known.name);
        } else {
            // A win by fours alone would be found at once and reported with its few plies.
            let win_by_fours = report.nodes < 20_000 && report.depth == 0 && report.score.is_win();
            assert!(!win_by_fours, "{}: {report:?}", known.name);
        }
    }
}

#[test]
fn a_signature_of_the_search() {
    let mut nodes = Vec::new();
    for &evaluation in Evaluation::ALL {
        let settings = Settings { evaluation, table_bytes: 1 << 22 };
        let sum: u64 = [8, 12, 15]
            .into_iter()
            .flat_map(|side| data::openings(side).into_iter().take(2))
            .map(|position| {
                Player::new(settings).think(&position, Limits::depth(5), &Stopwatch::start()).nodes
            })
            .sum();
        nodes.push((evaluation.name(), sum));
    }
    assert_eq!(nodes, [("lines", 21_872), ("shapes", 20_610), ("learned", 19_322)]);
}

#[test]
fn the_same_node_limit_gives_the_same_report() {
    let positions: Vec<_> = data::openings(12).into_iter().take(4).collect();
    repeats_exactly(&positions, 5_000, Options::STRONG, |position| {
        Tactician::<Selective>::at(Evaluation::default(), position)
    });
}

#[test]
fn a_stop_at_any_node_leaves_the_position_as_it_was() {
    let positions: Vec<_> = data::openings(8).into_iter().take(1).collect();
    aborts_cleanly(&positions, 1_500, Options::STRONG, |position| {
        Tactician::<Selective>::at(Evaluation::default(), position)
    });
}

#[test]
fn the_same_stones_are_answered_alike_wherever_they_stand_on_a_large_grid() {
    for opening in data::openings(15).iter().take(4) {
        let mut answers = Vec::new();
        for (rows, columns, row, column) in [(60, 60, 20, 20), (100, 100, 20, 20), (100, 80, 61, 33)] {
            let mut grid = Grid::new(rows, columns).unwrap();
            for cell in opening.cells() {
                let at = cell.coordinates(15);
                grid.set(Cell::at(at.row + row, at.column + column, columns), opening.stone(cell));
            }
            let at = think(&Position::from_grid(&grid), 3_000).best.unwrap().coordinates(columns);
            answers.push((at.row - row, at.column - column));
        }
        assert_eq!(answers[0], answers[1]);
        assert_eq!(answers[0], answers[2]);
    }
}

#[test]
fn a_grid_that_is_decided_is_answered_at_once() {
    for rows in ["NNNNN0/BBBB00", "0NB/BN0", "N", "0", "00000000/NNNN0000/BBB0B000", "NBN/BNB/NB0"] {
        let grid: Grid = rows.replace('/', "\n").parse().unwrap();
        let position = Position::from_grid(&grid);
        let report = think(&position, 1_000_000);
        assert!(report.nodes < 100, "{rows}: {report:?}");
        assert_eq!(report.best.is_some(), position.free() > 0);
        assert!(report.best.is_none_or(|cell| position.is_free(cell)));
    }
}

#[test]
fn no_time_at_all_still_gives_a_sensible_move() {
    let grid: Grid = "0000000\n0NNN000\n0B00000\n000B000\n0000000\n".parse().unwrap();
    let position = Position::new(&grid, Color::White);
    let limits = Limits::time(std::time::Duration::ZERO);
    let report = Player::default().think(&position, limits, &Stopwatch::start());
    let at = report.best.unwrap().coordinates(7);
    assert!([(1, 0), (1, 4), (1, 5)].contains(&(at.row, at.column)), "{at}");
}

#[test]
fn games_against_itself_are_legal_to_the_end() {
    for (game, opening) in
        data::openings(8).into_iter().take(12).chain(data::openings(10).into_iter().take(6)).enumerate()
    {
        let mut position = opening;
        while position.outcome().is_none() {
            let evaluation = Evaluation::ALL[(game + position.free()) % Evaluation::ALL.len()];
            let settings = Settings { evaluation, table_bytes: 1 << 16 };
            let report = Player::new(settings).think(&position, Limits::nodes(300), &Stopwatch::start());
            let best = report.best.expect("the game goes on");
            assert!(position.is_legal(best), "{best:?} on\n{}", position.to_grid());
            position.play(best);
        }
        assert_ne!(position.outcome(), Some(Outcome::Win), "only the side that has just moved can have won");
    }
}
