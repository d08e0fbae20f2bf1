//! The conformance suite on two small games, and the laws of the search.

mod assembly;
mod examples;
mod games;
mod monte_carlo;
mod observers;
mod proof;
mod repetition;
mod side_by_side;
mod signatures;
mod suite;
mod threads;
mod turns;

use games::{Corner, DagGame, DagHeuristics};
use search_core::testing::{
    aborts_cleanly, agrees_with_negamax, conforms, random_positions, repeats_exactly,
};
use search_core::{
    Control, Limits, Options, Outcome, Position, Score, Search, Stopwatch, Table, negamax, perft,
};

#[test]
fn the_laws_of_a_position_hold_for_a_random_graph() {
    for seed in 0..20 {
        conforms(&DagGame::new(seed), seed, 5, 64);
    }
}

#[test]
fn every_value_preserving_option_set_returns_plain_negamax_on_a_random_graph() {
    for seed in 0..25 {
        let positions = random_positions(&DagGame::new(seed), seed, 4, 4);
        agrees_with_negamax(&positions, 1..=5, |_| DagHeuristics);
    }
}

#[test]
fn the_same_node_limit_gives_the_same_report() {
    let positions = random_positions(&DagGame::new(3), 1, 10, 6);
    repeats_exactly(&positions, 5_000, Options::STRONG, |_| DagHeuristics);
}

#[test]
fn a_stop_at_any_node_leaves_the_position_as_it_was() {
    let positions = random_positions(&DagGame::new(5), 1, 3, 6);
    aborts_cleanly(&positions, 2_000, Options::STRONG, |_| DagHeuristics);
}

#[test]
fn a_finished_game_has_a_score_and_no_move() {
    let lost = Corner { squares: 0 };
    assert_eq!(lost.outcome(), Some(Outcome::Loss));
    let clock = Stopwatch::start();
    let control = Control::new(Limits::depth(3), &clock);
    let table = Table::with_bytes(1 << 10);
    let report =
        Search::new(games::CornerHeuristics, lost, &table, &control, Options::EXACT).think(&mut |_| {});
    assert_eq!((report.best, report.score, report.proven), (None, Score::loss_in(0), true));
}

#[test]
fn a_search_ends_by_itself_when_the_result_is_proven() {
    // Players take one or two squares; whoever takes the last one wins. Seven squares are won by taking one.
    let clock = Stopwatch::start();
    let control = Control::new(Limits::default(), &clock);
    let table = Table::with_bytes(1 << 16);
    let start = Corner { squares: 7 };
    let report =
        Search::new(games::CornerHeuristics, start, &table, &control, Options::EXACT).think(&mut |_| {});
    assert_eq!(report.best, Some(games::Take(1)));
    assert!(report.score.is_win() && report.proven);
    let (score, _) = negamax(&mut { start }, 20, 0, &control, &mut |_| Score::DRAW).unwrap();
    assert_eq!(report.score, score);
}

#[test]
fn perft_counts_paths() {
    // Each step takes one or two squares, so the number of paths doubles with each ply.
    let paths: Vec<u64> = (0..6).map(|depth| perft(&Corner { squares: 40 }, depth)).collect();
    assert_eq!(paths, [1, 2, 4, 8, 16, 32]);
    assert_eq!(perft(&Corner { squares: 3 }, 3), 1);
}

#[test]
fn of_equal_moves_plain_negamax_takes_the_first() {
    let clock = Stopwatch::start();
    let control = Control::new(Limits::default(), &clock);
    let searched = negamax(&mut Corner { squares: 9 }, 2, 0, &control, &mut |_| Score::DRAW).unwrap();
    assert_eq!(searched, (Score::DRAW, Some(games::Take(1))));
}

#[test]
fn perft_does_not_play_the_last_ply() {
    /// A row whose squares may be counted but not taken.
    #[derive(Clone)]
    struct Untouched(u32);
    impl Position for Untouched {
        type Move = games::Take;
        type Undo = ();
        fn moves<S: search_core::Sink<games::Take>>(&self, sink: &mut S) {
            Corner { squares: self.0 }.moves(sink);
        }
        fn is_legal(&self, mv: games::Take) -> bool {
            Corner { squares: self.0 }.is_legal(mv)
        }
        fn play(&mut self, _: games::Take) {
            panic!("the last ply is counted in bulk");
        }
        fn undo(&mut self, _: games::Take, (): ()) {}
        fn outcome(&self) -> Option<Outcome> {
            None
        }
        fn key(&self) -> u64 {
            0
        }
    }
    assert_eq!((perft(&Untouched(9), 1), perft(&Untouched(9), 0)), (2, 1));
}
