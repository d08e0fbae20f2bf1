//! The example games conform, and their players play as well as the documentation says.

#[allow(dead_code)]
#[path = "../../examples/connect_four.rs"]
mod connect_four;
#[allow(dead_code)]
#[path = "../../examples/four_steps.rs"]
mod four_steps;
#[allow(dead_code)]
#[path = "../../examples/tic_tac_toe.rs"]
mod tic_tac_toe;

use four_steps::breakthrough;
use search_core::testing::{agrees_with_negamax, conforms, random_positions};
use search_core::{
    Control, Evaluation, Limits, Options, Outcome, Position, Score, Search, Stopwatch, Table, perft,
};

#[test]
fn tic_tac_toe_has_255168_games_and_is_drawn() {
    let start = tic_tac_toe::Board::default();
    conforms(&start, 1, 100, 9);
    assert_eq!(tic_tac_toe::games(start), 255_168);
    assert_eq!(tic_tac_toe::play().outcome(), Some(Outcome::Draw));
    agrees_with_negamax(&random_positions(&start, 1, 30, 6), 1..=5, |_| {
        Evaluation::new(|_: &tic_tac_toe::Board| Score::DRAW)
    });
}

#[test]
fn breakthrough_is_a_game_whose_moves_are_a_type_of_their_own() {
    let start = breakthrough::Board::START;
    conforms(&start, 1, 100, 60);
    // Counted by an independent program.
    assert_eq!([1, 2, 3, 4, 5].map(|depth| perft(&start, depth)), [13, 156, 1924, 23_084, 289_828]);
    // The first man breaks through at the fifth ply, which ends that game.
    assert_eq!(perft(&start, 6), 3_538_840);
    agrees_with_negamax(&random_positions(&start, 1, 30, 30), 1..=4, |_| {
        Evaluation::new(breakthrough::evaluate)
    });
}

#[test]
fn connect_four_is_a_game_whose_player_sees_a_win() {
    let start = connect_four::Board::default();
    conforms(&start, 1, 100, 42);
    // No column is full and nobody has won before the seventh move.
    assert_eq!([1, 2, 6].map(|depth| perft(&start, depth)), [7, 49, 117_649]);
    agrees_with_negamax(&random_positions(&start, 1, 30, 30), 1..=5, |_| {
        Evaluation::new(connect_four::evaluate)
    });
    let clock = Stopwatch::start();
    let control = Control::new(Limits::depth(5), &clock);
    let table = Table::with_bytes(1 << 20);
    let mut board = start;
    for column in [3, 0, 3, 0] {
        board.play(column);
    }
    let heuristics = Evaluation::new(connect_four::evaluate);
    let report = Search::new(heuristics, board, &table, &control, Options::STRONG).think(&mut |_| {});
    assert_eq!(report.best, Some(3), "a third in the column, before the opponent has one");
}

#[test]
fn the_readme_writes_the_game_of_the_landing_page() {
    let game = include_str!("../../examples/games/domineering.rs");
    assert!(include_str!("../../README.md").contains(game));
}

#[test]
fn each_of_the_four_steps_visits_fewer_positions_than_the_one_before() {
    let steps = four_steps::STEPS.map(|(_, search)| search(four_steps::START, 7));
    let nodes: Vec<u64> = steps.iter().map(|report| report.nodes).collect();
    // Threads visit the same positions together, or a few more.
    assert!(nodes[0] > nodes[1] * 3 / 2 && nodes[1] > 3 * nodes[2], "{nodes:?}");
    assert!(steps.iter().all(|report| report.best.is_some() && report.depth == 7));
    assert_eq!(steps[0].score, steps[1].score);
}
