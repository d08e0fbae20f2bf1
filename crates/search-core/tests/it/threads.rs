//! Searches on several threads: the same values as on one, and an end when the leader ends.

use crate::games::{DagGame, DagHeuristics};
use search_core::proof::{Goal, Prover, Verdict};
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
fn threads_prove_what_one_proves() {
    let clock = Stopwatch::start();
    let mut settled = [0; 2];
    for (seed, threads) in (0..30).zip([2, 3, 4].into_iter().cycle()) {
        let crew = Crew::new(threads);
        for position in random_positions(&DagGame::new(seed), seed, 3, 5) {
            for goal in [Goal::Win, Goal::Draw] {
                let control = Control::new(Limits::default(), &clock);
                let (mut one, mut several) = (Prover::new(1 << 16), Prover::new(1 << 16));
                let verdict = one.prove(&mut position.clone(), goal, u64::MAX, &control);
                let mut start = position;
                assert_eq!(several.prove_with(&crew, &mut start, goal, u64::MAX, &control), verdict);
                assert_eq!(start, position, "taken back");
                if verdict == Verdict::Yes {
                    let mv = several.winning_move(&mut start, goal).expect("a proof has a move");
                    let mut next = position;
                    next.play(mv);
                    let denied = if goal == Goal::Win { Goal::Draw } else { Goal::Win };
                    assert_eq!(one.prove(&mut next, denied, u64::MAX, &control), Verdict::No);
                }
                settled[usize::from(verdict == Verdict::Yes)] += 1;
            }
        }
    }
    assert!(settled.iter().all(|&count| count > 10), "{settled:?}");
}

#[test]
fn a_proof_on_threads_stops_at_its_limits() {
    let clock = Stopwatch::start();
    let crew = Crew::new(3);
    let start = DagGame::new(1);
    let free = Control::new(Limits::default(), &clock);
    let truth = Prover::new(1 << 16).prove(&mut start.clone(), Goal::Win, u64::MAX, &free);
    for most in [0, 1, 5, 50] {
        for limits in [Limits::nodes(most), Limits::default()] {
            let control = Control::new(limits, &clock);
            control.arm();
            let (mut position, mut prover) = (start, Prover::new(1 << 12));
            let verdict = prover.prove_with(&crew, &mut position, Goal::Win, most, &control);
            // The helpers may have settled it before the leader came to its limit.
            assert!(verdict == truth || verdict == Verdict::Unknown, "{verdict:?}");
            assert!(position == start && control.nodes() <= most + 1, "{} of {most}", control.nodes());
        }
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

/// Heuristics that count their evaluations, and wait at each.
struct Waiting {
    wait: Duration,
    evaluations: usize,
}

impl Waiting {
    fn new(wait: Duration) -> Self {
        Self { wait, evaluations: 0 }
    }
}

impl Heuristics for Waiting {
    type Position = DagGame;
    type Frame = ();
    const SHARED_FROM: Depth = 1;

    fn evaluate(&mut self, position: &DagGame) -> Score {
        self.evaluations += 1;
        std::thread::sleep(self.wait);
        DagHeuristics.evaluate(position)
    }
}

#[test]
fn the_first_thread_to_finish_ends_the_search_and_its_report_is_told() {
    let clock = Stopwatch::start();
    let position = random_positions(&DagGame::new(9), 9, 1, 2).remove(0);
    // Without the table, a thread that is not ended evaluates as much as one alone.
    let evaluations = |wait, crew: &Crew| {
        let control = Control::new(Limits::depth(6), &clock);
        let table = Table::with_bytes(1 << 14);
        let mut search = Search::new(Waiting::new(wait), position, &table, &control, Options::PLAIN);
        let mut told = 0;
        let report =
            search.think_with(crew, || Waiting::new(Duration::ZERO), &mut |report| told = report.depth);
        assert_eq!([told, report.depth], [6; 2]);
        search.heuristics.evaluations
    };
    let alone = evaluations(Duration::ZERO, &Crew::new(1));
    let slow = evaluations(Duration::from_millis(2), &Crew::new(2));
    assert!(slow < alone / 2, "{slow} of {alone}");
}
