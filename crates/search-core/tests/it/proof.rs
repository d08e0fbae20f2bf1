//! Proofs against the values of games small enough to be known whole.

use crate::games::{Corner, DagExpert, DagGame};
use search_core::proof::{Goal, Prover, Verdict};
use search_core::testing::random_positions;
use search_core::{Control, Limits, Options, Outcome, Position, Search, Stopwatch, Table};

fn value(position: &DagGame) -> i32 {
    let clock = Stopwatch::start();
    let control = Control::new(Limits::depth(20), &clock);
    let mut table = Table::with_bytes(1 << 20);
    Search::new(DagExpert, *position, &mut table, &control, Options::EXACT)
        .think(&mut |_| {})
        .score
        .value()
        .signum()
}

#[test]
fn a_solved_position_has_the_games_value_in_any_table() {
    let clock = Stopwatch::start();
    for seed in 0..25 {
        for position in random_positions(&DagGame::new(seed), seed, 4, 12) {
            // One bucket: almost everything is forgotten and found again.
            for bytes in [1 << 20, 1 << 12, 64] {
                let control = Control::new(Limits::default(), &clock);
                let mut prover = Prover::new(bytes);
                let outcome = prover.solve(&position, 1 << 20, &control).outcome();
                let expected = match value(&position) {
                    1 => Outcome::Win,
                    0 => Outcome::Draw,
                    _ => Outcome::Loss,
                };
                assert_eq!(outcome, Some(expected), "{bytes} bytes: {position:?}");
            }
        }
    }
}

#[test]
fn a_proven_goal_has_a_move_that_keeps_it() {
    let clock = Stopwatch::start();
    for squares in 1..30 {
        let control = Control::new(Limits::default(), &clock);
        let mut prover = Prover::new(1 << 16);
        let position = Corner { squares };
        let verdict = prover.prove(&position, Goal::Win, u64::MAX, &control);
        assert_eq!(verdict == Verdict::Yes, squares % 3 != 0);
        let kept = prover.winning_move(&position, Goal::Win);
        assert_eq!(kept.map(|mv| mv.0 % 3), (squares % 3 != 0).then_some(squares % 3));
    }
}

#[test]
fn what_is_stopped_is_unknown_and_can_be_gone_on_with() {
    let clock = Stopwatch::start();
    let position = DagGame::new(1);
    let mut prover = Prover::new(1 << 20);
    let stopped = Control::new(Limits::nodes(2), &clock);
    stopped.arm();
    assert_eq!(prover.prove(&position, Goal::Win, u64::MAX, &stopped), Verdict::Unknown);
    let control = Control::new(Limits::default(), &clock);
    let mut slices = 0;
    while prover.prove(&position, Goal::Win, 200, &control) == Verdict::Unknown {
        slices += 1;
        assert!(slices < 10_000);
    }
    assert_eq!(prover.known(&position, Goal::Win) == Verdict::Yes, value(&position) == 1);
}

#[test]
fn a_finished_game_needs_no_search() {
    let clock = Stopwatch::start();
    let control = Control::new(Limits::default(), &clock);
    let over = Corner { squares: 0 };
    assert_eq!(over.outcome(), Some(Outcome::Loss));
    assert_eq!(Prover::new(64).prove(&over, Goal::Draw, 1, &control), Verdict::No);
}
