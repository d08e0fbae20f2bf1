//! Searches on several threads: the same values as on one, and an end when the leader ends.

use crate::games::{DagGame, DagHeuristics};
use search_core::testing::{random_positions, threads_agree_with_negamax};
use search_core::{
    Control, Crew, Depth, Heuristics, Limits, Options, Position, Score, Search, Stopwatch, Table,
};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The heuristics of the random graph, with every node shared.
struct Shared;

impl Heuristics for Shared {
    type Position = DagGame;
    type Frame = ();
    const SHARED_FROM: Depth = 1;

    fn evaluate(&mut self, position: &DagGame) -> Score {
        DagHeuristics.evaluate(position)
    }
}

#[test]
fn threads_return_plain_negamax_on_a_random_graph() {
    for (seed, threads) in (0..12).zip([2, 3, 4].into_iter().cycle()) {
        let crew = Crew::new(threads);
        let positions = random_positions(&DagGame::new(seed), seed, 3, 4);
        threads_agree_with_negamax(&crew, &positions, 1..=6, |_| Shared);
    }
}

#[test]
fn one_thread_reports_what_a_plain_search_does() {
    let clock = Stopwatch::start();
    for position in random_positions(&DagGame::new(4), 4, 5, 4) {
        let report = |crew: Option<&Crew>| {
            let control = Control::new(Limits::depth(7), &clock);
            let table = Table::with_bytes(1 << 14);
            let mut search = Search::new(Shared, position, &table, &control, Options::STRONG);
            match crew {
                None => search.think(&mut |_| {}),
                Some(crew) => search.think_with(crew, || Shared, &mut |_| {}),
            }
        };
        assert!(report(None).agrees_with(&report(Some(&Crew::new(1)))));
    }
}

#[test]
fn all_threads_stop_with_the_first() {
    let clock = Stopwatch::start();
    let crew = Crew::new(3);
    let position = random_positions(&DagGame::new(9), 9, 1, 2).remove(0);
    let stop = AtomicBool::new(true);
    for limits in [Limits::nodes(50), Limits::time(Duration::ZERO), Limits::default()] {
        let control = Control::new(limits, &clock).with_stop_flag(&stop);
        let table = Table::with_bytes(1 << 14);
        let mut search = Search::new(Shared, position, &table, &control, Options::STRONG);
        let mut told = 0;
        let report = search.think_with(&crew, || Shared, &mut |report| told = report.nodes);
        assert_eq!(search.position, position);
        assert!(position.is_legal(report.best.expect("depth 1 completes")) && report.depth >= 1);
        assert!(told > 0 && report.nodes >= control.nodes());
        stop.store(false, Ordering::Relaxed);
    }
}

#[test]
fn excluded_root_moves_are_excluded_on_all_threads() {
    let clock = Stopwatch::start();
    let crew = Crew::new(2);
    for position in random_positions(&DagGame::new(2), 2, 10, 3) {
        let moves = position.move_list();
        let (Some(&left), true) = (moves.last(), moves.len() > 1) else { continue };
        let control = Control::new(Limits::depth(5), &clock);
        let table = Table::with_bytes(1 << 14);
        let mut search = Search::new(Shared, position, &table, &control, Options::EXACT);
        search.root_excluded.extend(moves.iter().copied().filter(|&mv| mv != left));
        assert_eq!(search.think_with(&crew, || Shared, &mut |_| {}).best, Some(left));
    }
}
