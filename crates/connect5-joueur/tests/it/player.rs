//! Tests of the player through its public interface.

use crate::data::{self, Known};
use connect5_joueur::evaluation::Evaluation;
use connect5_joueur::patterns::{Patterns, Shape};
use connect5_joueur::player::{Player, Settings, VcfSearch};
use connect5_joueur::rules::{Cell, Color, Grid, Position};
use search_core::{Control, Limits, Outcome, Position as _, Report, Score, Stopwatch};
use std::collections::HashSet;

fn think(position: &Position, nodes: u64) -> Report<Cell> {
    let settings = Settings { table_bytes: 1 << 22, ..Settings::default() };
    Player::new(settings).think(position, Limits::nodes(nodes), &Stopwatch::start())
}

#[test]
fn threads_answer_right_and_leave_nothing_behind() {
    let settings = Settings { table_bytes: 1 << 22, threads: 3, ..Settings::default() };
    let mut player = Player::new(settings);
    for known in data::demo() {
        let limits = Limits::nodes(20_000);
        let best = player.think(&known.position(), limits, &Stopwatch::start()).best.unwrap();
        assert!(known.is_good(best), "{}: {}", known.name, best.coordinates(known.grid.columns()));
    }
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
        // 600 positions take about a millisecond, far below 100 ms even on a busy core.
        assert!(report.nodes <= 600, "{}: {} positions", known.name, report.nodes);
        let best = report.best.unwrap();
        assert!(known.is_good(best), "{}: {}", known.name, best.coordinates(known.grid.columns()));
        // If a five must be stopped, the forced move is the answer, without a search.
        if report.nodes > 0 {
            assert!(report.score.is_win() && report.proven, "{}: {report:?}", known.name);
            assert_eq!(report.score.plies_to_end(), Some(2 * known.fours - 1), "{}", known.name);
        }
    }
}

#[test]
fn six_in_a_row_are_neither_a_win_nor_a_threat() {
    for known in data::overlines() {
        // As given, and in one of its symmetries.
        for known in [&known, &known.symmetries()[5]] {
            assert_eq!(attackers_moves_to_win(known), known.fours, "{}", known.name);
        }
        let report = think(&known.position(), 20_000);
        let best = report.best.unwrap();
        if known.fours > 0 {
            assert!(report.nodes <= 600, "{}: {} positions", known.name, report.nodes);
            assert!(known.is_good(best), "{}", known.name);
        } else if known.freestyle_fours == 1 {
            // In these positions six in a row would win at once.
            let at = best.coordinates(known.grid.columns());
            assert!(!known.freestyle.contains(&(at.row, at.column)), "{}: {at}", known.name);
        }
    }
}

/// Returns the number of attacker's moves in the shortest win by continuous fours, the five included, or 0.
fn attackers_moves_to_win(known: &Known) -> usize {
    let clock = Stopwatch::start();
    let control = Control::new(Limits::default(), &clock);
    let mut position = known.position();
    let mut patterns = Patterns::new(&position, Evaluation::default().weights());
    let win = VcfSearch::new().prove(&mut position, &mut patterns, &control, u64::MAX >> 1);
    win.map_or(0, |win| win.plies.div_ceil(2))
}

#[test]
fn a_chained_search_for_fours_leaves_out_what_prepares_nothing() {
    let (mut wins, mut searched) = (0, [0; 2]);
    for known in data::won_by_fours() {
        let [all, chained] = [VcfSearch::new(), VcfSearch::chained(Shape::Two)].map(|mut search| {
            let clock = Stopwatch::start();
            let control = Control::new(Limits::default(), &clock);
            let mut position = known.position();
            let mut patterns = Patterns::new(&position, Evaluation::default().weights());
            let win = search.prove(&mut position, &mut patterns, &control, 1_000_000);
            (win.map(|win| win.plies), control.nodes())
        });
        assert!(chained.0.is_none_or(|plies| plies >= all.0.unwrap()), "{}", known.name);
        if chained.0.is_some() {
            wins += 1;
            searched = [searched[0] + all.1, searched[1] + chained.1];
        }
    }
    assert!(wins >= 80 && searched[1] < searched[0], "{wins} {searched:?}");
}

#[test]
fn a_signature_of_the_search() {
    let mut nodes = Vec::new();
    for &evaluation in Evaluation::ALL {
        let settings = Settings { evaluation, table_bytes: 1 << 22, ..Settings::default() };
        let sum: u64 = [8, 12, 15]
            .into_iter()
            .flat_map(|side| data::openings(side).into_iter().take(2))
            .map(|position| {
                Player::new(settings).think(&position, Limits::depth(8), &Stopwatch::start()).nodes
            })
            .sum();
        nodes.push((evaluation.name(), sum));
    }
    assert_eq!(nodes, [("lines", 63_357), ("shapes", 61_290), ("learned", 31_352), ("network", 29_830)]);
}

#[test]
fn the_same_node_limit_gives_the_same_report() {
    for position in data::openings(12).into_iter().take(4) {
        let (once, twice) = (think(&position, 5_000), think(&position, 5_000));
        assert!(once.agrees_with(&twice), "{once:?}\n{twice:?}");
    }
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
fn a_hundred_rows_and_columns_do_not_make_it_play_worse() {
    // Stones near each other in the middle, so that the edges do not matter on either grid.
    for stones in ["N0B/0N0/00B", "N00B/0NB0/00N0", "0N0/NBB/0N0/0B0", "B0N/0N0/BN0/00B"] {
        let [small, large] = [29, 100].map(|side| {
            let mut grid = Grid::new(side, side).unwrap();
            let first = side / 2 - 1;
            for (row, line) in stones.split('/').enumerate() {
                for (column, stone) in line.chars().enumerate() {
                    let stone = Color::ALL.into_iter().find(|color| color.letter() == stone);
                    grid.set(Cell::at(first + row, first + column, side), stone);
                }
            }
            let at = think(&Position::from_grid(&grid), 2_000).best.unwrap().coordinates(side);
            (at.row as isize - first as isize, at.column as isize - first as isize)
        });
        assert_eq!(small, large, "{stones}");
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
fn the_last_stone_wins_where_it_makes_exactly_five() {
    for (rows, score) in [
        ("NNNN0/BNBNB/BNBBB", Score::win_in(1)),
        ("NNNN0N/BNBNBB/BNBBNB", Score::DRAW),
        ("BBBB0/NBNBN/NBNNB", Score::DRAW),
    ] {
        let grid: Grid = rows.replace('/', "\n").parse().unwrap();
        let report = think(&Position::new(&grid, Color::Black), 1_000);
        assert_eq!((report.score, report.proven), (score, true), "{rows}");
        assert_eq!(report.best.unwrap().coordinates(grid.columns()).column, 4);
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
            let settings = Settings { evaluation, table_bytes: 1 << 16, ..Settings::default() };
            let report = Player::new(settings).think(&position, Limits::nodes(300), &Stopwatch::start());
            let best = report.best.expect("the game goes on");
            assert!(position.is_legal(best), "{best:?} on\n{}", position.to_grid());
            position.play(best);
        }
        assert_ne!(position.outcome(), Some(Outcome::Win), "only the side that has just moved can have won");
    }
}

/// Plays a claimed win against every legal move. `seen` holds the positions already won.
fn play_out(position: &Position, plies: usize, seen: &mut HashSet<u64>) {
    if !seen.insert(position.key()) {
        return;
    }
    let report = think(position, 50_000);
    let won = report.score.is_win() && report.score.plies_to_end().is_some_and(|left| left <= plies);
    // The reply to a five is forced, and its report has no score.
    let forced = report.nodes == 0 && !report.proven;
    assert!(won || forced, "a win in {plies} was claimed: {report:?}\n{}", position.to_grid());
    let mut after = position.clone();
    after.play(report.best.unwrap());
    if after.outcome() == Some(Outcome::Loss) {
        return;
    }
    assert!(plies > 2 && after.outcome().is_none(), "a five was due\n{}", position.to_grid());
    for reply in after.move_list() {
        after.play(reply);
        assert_eq!(after.outcome(), None, "{reply:?} ends the game\n{}", after.to_grid());
        play_out(&after, plies - 2, seen);
        after.undo(reply, ());
    }
}

#[test]
fn a_win_that_the_search_claims_holds_against_every_defence() {
    let mut wins = 0;
    for opening in data::openings(10) {
        let mut position = opening;
        while position.outcome().is_none() {
            let report = think(&position, 400);
            if report.proven && report.score.is_win() {
                let plies = report.score.plies_to_end().unwrap();
                // Two plies more are allowed, because another win may be found.
                if (5..=7).contains(&plies) && report.nodes > 100 {
                    play_out(&position, plies + 2, &mut HashSet::new());
                    wins += 1;
                }
                break;
            }
            position.play(report.best.unwrap());
        }
        if wins == 2 {
            return;
        }
    }
    panic!("only {wins} wins were claimed");
}
