//! Proofs against the values of games small enough for an exhaustive search.

use crate::games::{Corner, DagGame, DagHeuristics, Take};
use search_core::proof::{Estimate, Goal, Prover, Verdict};
use search_core::testing::random_positions;
use search_core::{Control, Limits, Options, Outcome, Position, Search, Sink, Stopwatch, Table};

fn value(position: &DagGame) -> i32 {
    let clock = Stopwatch::start();
    let control = Control::new(Limits::depth(20), &clock);
    let table = Table::with_bytes(1 << 20);
    Search::new(DagHeuristics, *position, &table, &control, Options::EXACT)
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
            // With one bucket, almost everything is forgotten and proven again.
            for bytes in [1 << 20, 1 << 12, 64] {
                let control = Control::new(Limits::default(), &clock);
                let mut prover = Prover::new(bytes);
                let outcome = prover.solve(&mut { position }, 1 << 20, &control).outcome();
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
        let verdict = prover.prove(&mut { position }, Goal::Win, u64::MAX, &control);
        assert_eq!(verdict == Verdict::Yes, squares % 3 != 0);
        let kept = prover.winning_move(&mut { position }, Goal::Win);
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
    assert_eq!(prover.prove(&mut { position }, Goal::Win, u64::MAX, &stopped), Verdict::Unknown);
    let control = Control::new(Limits::default(), &clock);
    let mut slices = 0;
    while prover.prove(&mut { position }, Goal::Win, 200, &control) == Verdict::Unknown {
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
    assert_eq!(Prover::new(64).prove(&mut { over }, Goal::Draw, 1, &control), Verdict::No);
}

#[test]
fn the_line_of_a_proof_is_played_to_its_end() {
    let clock = Stopwatch::start();
    for squares in (1..40).filter(|squares| squares % 3 != 0) {
        let control = Control::new(Limits::default(), &clock);
        let mut prover = Prover::new(1 << 16);
        let mut position = Corner { squares };
        assert_eq!(prover.prove(&mut position, Goal::Win, u64::MAX, &control), Verdict::Yes);
        let line = prover.line(&mut position, Goal::Win);
        assert_eq!(position, Corner { squares }, "looking changes nothing");
        for (ply, &mv) in line.iter().enumerate() {
            assert!(position.is_legal(mv));
            let keeps = squares % 3 != 0 && (ply % 2 == 1 || mv.0 == position.squares % 3);
            assert!(keeps, "{mv:?} at {position:?}");
            position.play(mv);
        }
        assert_eq!((position.squares, line.len() % 2), (0, 1), "the last one is taken by the winner");
        assert!(prover.line(&mut Corner { squares: 3 }, Goal::Win).is_empty());
    }
}

/// The side that tries to win takes one square at a time. Follows the moves on the board.
#[derive(Debug)]
struct OneByOne {
    start: u32,
    path: Vec<Take>,
}

impl Estimate<Corner> for OneByOne {
    fn played(&mut self, mv: Take, (): &(), _: &Corner) {
        self.path.push(mv);
    }
    fn undone(&mut self) {
        self.path.pop();
    }
    fn candidates<S: Sink<Take>>(&self, position: &Corner, goal: Goal, sink: &mut S) {
        (1..=position.squares.min(if goal == Goal::Win { 1 } else { 2 })).for_each(|n| sink.push(Take(n)));
    }
    fn estimate(&self, position: &Corner, _: Goal) -> (u32, u32) {
        let taken: u32 = self.path.iter().map(|take| take.0).sum();
        assert_eq!(taken + position.squares, self.start);
        (1 + position.squares, 1)
    }
}

#[test]
fn a_proof_looks_only_at_a_games_candidates() {
    let clock = Stopwatch::start();
    let control = Control::new(Limits::default(), &clock);
    let proves = |squares| {
        let mut prover = Prover::with_estimate(OneByOne { start: squares, path: Vec::new() }, 1 << 12);
        let verdict = prover.prove(&mut Corner { squares }, Goal::Win, u64::MAX, &control);
        (verdict, prover.winning_move(&mut Corner { squares }, Goal::Win))
    };
    assert_eq!(proves(1), (Verdict::Yes, Some(Take(1))));
    assert_eq!(proves(4), (Verdict::No, None), "one, one, one: the last is the opponent's");
    assert_eq!(proves(2), (Verdict::No, None), "taking two is no candidate");
}

#[test]
fn a_prover_that_forgot_works_as_a_fresh_one_does() {
    let clock = Stopwatch::start();
    let nodes = |prover: &mut Prover, seed| {
        let control = Control::new(Limits::default(), &clock);
        prover.solve(&mut DagGame::new(seed), 1 << 20, &control);
        control.nodes()
    };
    for bytes in [64, 1 << 10, 1 << 16] {
        let mut used = Prover::new(bytes);
        for seed in 0..20 {
            used.forget();
            let forgotten = nodes(&mut used, seed);
            assert_eq!(forgotten, nodes(&mut Prover::new(bytes), seed), "{bytes} bytes, seed {seed}");
        }
        assert!(nodes(&mut used, 19) < nodes(&mut Prover::new(bytes), 19), "what is proven is kept");
    }
}

/// Gives the numbers of positions after moves without playing them, and settles the last moves statically.
struct Ahead;

impl Estimate<Corner> for Ahead {
    const FORESEES: bool = true;

    fn estimate(&self, position: &Corner, _: Goal) -> (u32, u32) {
        (u32::from(position.squares > 2), 1)
    }
    fn foresee(&self, position: &Corner, _: Goal, mv: Take) -> (u64, (u32, u32)) {
        (Corner { squares: position.squares - mv.0 }.key(), (1, 2))
    }
    fn plies(&self, _: &Corner, _: Goal) -> u32 {
        1
    }
}

#[test]
fn a_proof_tells_how_soon_whether_moves_are_played_or_foreseen() {
    let clock = Stopwatch::start();
    for squares in (1..40).filter(|squares| squares % 3 != 0) {
        let control = Control::new(Limits::default(), &clock);
        let (mut played, mut foreseen) = (Prover::new(1 << 16), Prover::with_estimate(Ahead, 1 << 16));
        let position = &mut Corner { squares };
        assert_eq!(played.prove(position, Goal::Win, u64::MAX, &control), Verdict::Yes);
        assert_eq!(foreseen.prove(position, Goal::Win, u64::MAX, &control), Verdict::Yes);
        // Whatever the defender takes, two moves take three squares.
        let plies = [played.plies(position, Goal::Win), foreseen.plies(position, Goal::Win)];
        assert_eq!(plies, [1 + 2 * (squares / 3); 2], "{squares}");
        assert_eq!(played.line(position, Goal::Win).len(), foreseen.line(position, Goal::Win).len());
    }
}

#[test]
fn the_move_of_a_proof_outlives_a_table_that_lost_it() {
    let clock = Stopwatch::start();
    for squares in (1..30).filter(|squares| squares % 3 != 0) {
        let control = Control::new(Limits::default(), &clock);
        let mut prover = Prover::new(64);
        let position = &mut Corner { squares };
        assert_eq!(prover.prove(position, Goal::Win, u64::MAX, &control), Verdict::Yes);
        assert_eq!(prover.winning_move(position, Goal::Win), Some(Take(squares % 3)), "{squares}");
    }
}

#[test]
fn a_solution_that_costs_more_than_it_may_is_given_up() {
    let clock = Stopwatch::start();
    for most in [0, 1, 5] {
        let control = Control::new(Limits::default(), &clock);
        let solution = Prover::new(1 << 12).solve(&mut DagGame::new(1), most, &control);
        assert_eq!(solution.outcome(), None);
        // Both goals are searched; the node beyond the limit is counted but not searched.
        assert!(control.nodes() <= 2 * (most + 1), "{} of {most}", control.nodes());
    }
}

#[test]
fn what_is_not_proven_has_no_line() {
    // Taking both squares wins statically, but that has not been proven.
    assert!(Prover::new(1 << 10).line(&mut Corner { squares: 2 }, Goal::Win).is_empty());
}
