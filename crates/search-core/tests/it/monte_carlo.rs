//! Tree search and playouts on games small enough for an exhaustive search.

use crate::games::{Corner, DagGame, DagHeuristics, Take};
use search_core::monte_carlo::{Candidate, Configuration, Evaluator, MonteCarlo, Playouts, flat};
use search_core::testing::random_positions;
use search_core::{Control, Crew, Limits, Options, Position, Report, Score, Search, Stopwatch, Table};

const CONFIGURATION: Configuration = Configuration { exploration: 1.0, best_line: 0.0 };

fn grown<P: Position>(position: &P, nodes: u64, bytes: usize) -> (Report<P::Move>, usize) {
    let clock = Stopwatch::start();
    let control = Control::new(Limits::nodes(nodes), &clock);
    let mut tree = MonteCarlo::new(Playouts::new(5), CONFIGURATION, bytes);
    let report = tree.think(position, &control);
    (report, tree.len())
}

/// As [`grown`], on several threads.
fn grown_by<P: Position + Sync>(
    threads: usize,
    position: &P,
    limits: Limits,
    bytes: usize,
) -> (Report<P::Move>, usize) {
    let clock = Stopwatch::start();
    let control = Control::new(limits, &clock);
    let mut tree = MonteCarlo::new(Playouts::new(5), CONFIGURATION, bytes);
    let evaluator = |number| Playouts::new(5 + number as u64);
    let report = tree.go_on_with(position, &control, &Crew::new(threads), evaluator, &mut |_| {});
    (report, tree.len())
}

#[test]
fn a_proof_on_threads_is_the_value_of_the_game() {
    for (squares, threads) in (1..20).zip([2, 3, 4].into_iter().cycle()) {
        let (report, _) = grown_by(threads, &Corner { squares }, Limits::default(), 1 << 24);
        assert!(report.proven, "{squares}");
        assert_eq!(report.score.is_win(), squares % 3 != 0, "{squares}");
        if squares % 3 != 0 {
            assert_eq!(report.best, Some(Take(squares % 3)), "{squares}");
        }
    }
    let mut proven = 0;
    for seed in 0..20 {
        for position in random_positions(&DagGame::new(seed), seed, 3, 10) {
            let (report, _) = grown_by(2, &position, Limits::nodes(5_000), 1 << 24);
            assert!(report.nodes > 0 && position.is_legal(report.best.unwrap()));
            if report.proven {
                proven += 1;
                assert_eq!(report.score.value().signum(), value(&position), "{position:?}");
            }
        }
    }
    assert!(proven > 30, "{proven}");
}

#[test]
fn one_thread_grows_the_tree_that_it_grows_alone() {
    for position in random_positions(&DagGame::new(2), 2, 5, 5) {
        let (alone, crew) =
            (grown(&position, 500, 1 << 20), grown_by(1, &position, Limits::nodes(500), 1 << 20));
        assert!(alone.0.agrees_with(&crew.0) && alone.1 == crew.1, "{alone:?}\n{crew:?}");
    }
}

#[test]
fn threads_stay_within_the_memory_and_stop_when_it_is_full() {
    let start = Corner { squares: 120 };
    for bytes in [0, 100, 1000, 10_000, 1 << 18] {
        let (report, nodes) = grown_by(3, &start, Limits::nodes(1_000_000), bytes);
        assert!(nodes <= (bytes / 32).max(3), "{bytes} bytes, {nodes} nodes");
        assert!(start.is_legal(report.best.unwrap()));
    }
}

#[test]
fn threads_keep_the_tree_from_move_to_move() {
    let clock = Stopwatch::start();
    let crew = Crew::new(2);
    let mut position = Corner { squares: 90 };
    let mut tree = MonteCarlo::new(Playouts::new(5), CONFIGURATION, 1 << 22);
    for _ in 0..20 {
        let control = Control::new(Limits::nodes(400), &clock);
        let report = tree.go_on_with(&position, &control, &crew, |n| Playouts::new(n as u64), &mut |_| {});
        assert!(control.nodes() <= 401, "a tree that goes on keeps to its limits: {}", control.nodes());
        let mv = report.best.expect("a game that is not over has a move");
        position.play(mv);
        tree.advance(mv);
    }
}

/// Fails at an evaluation of one of its threads.
struct Failing(Playouts<Corner>, u32);

impl Evaluator for Failing {
    type Position = Corner;

    fn evaluate(&mut self, position: &Corner, candidates: &mut Vec<Candidate<Take>>) -> f32 {
        self.1 -= 1;
        assert!(self.1 > 0, "it fails");
        self.0.evaluate(position, candidates)
    }
}

#[test]
fn a_panic_in_one_thread_ends_the_search_of_all() {
    let clock = Stopwatch::start();
    for [leader, helper] in [[40, 1_000_000], [1_000_000, 20]] {
        let control = Control::new(Limits::nodes(100_000), &clock);
        let mut tree = MonteCarlo::new(Failing(Playouts::new(1), leader), CONFIGURATION, 1 << 24);
        let evaluator = |_| Failing(Playouts::new(2), helper);
        let mut search =
            || tree.go_on_with(&Corner { squares: 90 }, &control, &Crew::new(2), evaluator, &mut |_| {});
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(&mut search)).is_err());
    }
}

#[test]
fn a_proof_is_the_value_of_the_game() {
    for squares in 1..20 {
        let start = Corner { squares };
        let (report, _) = grown(&start, 100_000, 1 << 24);
        assert!(report.proven, "{squares}");
        assert_eq!(report.score.is_win(), squares % 3 != 0, "{squares}");
        if squares % 3 != 0 {
            assert_eq!(report.best, Some(Take(squares % 3)), "{squares}");
        }
    }
}

/// The value with best play to the end by alpha-beta, which other tests compare with plain negamax.
fn value(position: &DagGame) -> i32 {
    let clock = Stopwatch::start();
    let control = Control::new(Limits::depth(20), &clock);
    let table = Table::with_bytes(1 << 20);
    let report = Search::new(DagHeuristics, *position, &table, &control, Options::EXACT).think(&mut |_| {});
    // No game is longer than the search depth.
    report.score.value().signum()
}

#[test]
fn a_proof_on_a_random_graph_has_the_sign_of_the_games_value() {
    let mut proven = 0;
    for seed in 0..40 {
        for position in random_positions(&DagGame::new(seed), seed, 3, 10) {
            let (report, _) = grown(&position, 5_000, 1 << 24);
            if report.proven {
                proven += 1;
                assert_eq!(report.score.value().signum(), value(&position), "{position:?}");
                let mut next = position;
                next.play(report.best.unwrap());
                assert_eq!(-value(&next), value(&position), "{position:?}");
            }
        }
    }
    assert!(proven > 60, "{proven}");
}

#[test]
fn the_same_seed_grows_the_same_tree() {
    for position in random_positions(&DagGame::new(2), 2, 5, 5) {
        let (once, twice) = (grown(&position, 500, 1 << 20), grown(&position, 500, 1 << 20));
        assert!(once.0.agrees_with(&twice.0) && once.1 == twice.1, "{once:?}\n{twice:?}");
        assert!(position.is_legal(once.0.best.unwrap()));
    }
}

#[test]
fn the_arena_is_never_larger_than_it_may_be() {
    let start = Corner { squares: 60 };
    for bytes in [0, 32, 100, 1000, 10_000] {
        let (report, nodes) = grown(&start, 1_000_000, bytes);
        // The root and its children are always stored: without them there is no answer.
        assert!(nodes <= (bytes / 32).max(3), "{bytes} bytes, {nodes} nodes");
        assert!(start.is_legal(report.best.unwrap()));
    }
}

#[test]
fn a_limit_of_nothing_still_gives_a_move() {
    let position = DagGame::new(1);
    assert!(position.is_legal(grown(&position, 0, 1 << 10).0.best.unwrap()));
}

#[test]
fn flat_sampling_plays_a_win_at_once_and_else_the_best_mean() {
    let clock = Stopwatch::start();
    let control = Control::new(Limits::default(), &clock);
    let report = flat(&Corner { squares: 2 }, 10, 1, &control);
    assert_eq!((report.best, report.score, report.proven), (Some(Take(2)), Score::win_in(1), true));
    // With four squares, taking one leaves three: the opponent then loses with best play, and more often with random
    // play.
    let report = flat(&Corner { squares: 4 }, 1000, 1, &control);
    assert_eq!(report.best, Some(Take(1)));
    let limited = Control::new(Limits::nodes(1), &clock);
    assert!(flat(&Corner { squares: 9 }, 1000, 1, &limited).best.is_some());
    let over = flat(&Corner { squares: 0 }, 5, 1, &control);
    assert_eq!((over.best, over.score), (None, Score::loss_in(0)));
}

#[test]
fn a_move_settled_as_lost_is_not_played_and_one_settled_as_won_is() {
    let clock = Stopwatch::start();
    let start = Corner { squares: 90 };
    let mut tree = MonteCarlo::new(Playouts::new(5), CONFIGURATION, 1 << 20);
    let control = Control::new(Limits::nodes(200), &clock);
    let first = tree.think(&start, &control).best.unwrap();
    tree.settle(&start, first, Score::loss_in(40));
    let second = tree.report(&control).best.unwrap();
    assert_ne!(second, first);
    let visits = |tree: &MonteCarlo<_>, mv| tree.root_moves().find(|row| row.0 == mv).unwrap().1;
    let before = visits(&tree, first);
    tree.go_on(&start, &Control::new(Limits::nodes(200), &clock));
    assert_eq!(visits(&tree, first), before, "it is not searched any more");
    tree.settle(&start, first, Score::win_in(7));
    let report = tree.report(&control);
    assert_eq!((report.best, report.score, report.proven), (Some(first), Score::win_in(8), true));

    let mut empty = MonteCarlo::new(Playouts::new(5), CONFIGURATION, 1 << 20);
    start.move_list().into_iter().for_each(|mv| empty.settle(&start, mv, Score::loss_in(8)));
    let report = empty.report(&control);
    assert!(report.proven && report.score.is_loss() && report.best.is_some(), "{report:?}");
}
