//! The endgame solver against plain negamax, and against the published scores.

use crate::data;
use othello_player::endgame::{Goal, Solver};
use othello_player::rules::{Move, Position, obf};
use search_core::testing::random_positions;
use search_core::{Control, Limits, Position as _, Score, Stopwatch, Table, negamax};

/// Random positions with at most `most` empty squares.
fn late_positions(seed: u64, count: usize, most: u32) -> Vec<Position> {
    let mut positions = Vec::new();
    for seed in seed.. {
        positions.extend(
            random_positions(&Position::START, seed, count, 60)
                .into_iter()
                .filter(|position| position.empties() <= most),
        );
        if positions.len() >= count {
            positions.truncate(count);
            break;
        }
    }
    positions
}

fn oracle(position: &Position) -> i32 {
    let clock = Stopwatch::start();
    let control = Control::new(Limits::default(), &clock);
    let mut never = |_: &Position| unreachable!("the search ends with the game");
    let (score, _) = negamax(&mut { *position }, 99, 0, &control, &mut never).expect("nothing stops it");
    score.value() / Score::POINT
}

#[test]
fn the_last_squares_are_worth_what_plain_negamax_finds() {
    let clock = Stopwatch::start();
    let control = Control::new(Limits::default(), &clock);
    let mut table = Table::<Move>::with_bytes(1 << 16);
    for position in late_positions(1, 300, 7) {
        let expected = oracle(&position);
        let mut solver = Solver::new(&mut table, &control);
        assert_eq!(solver.difference(&position), Ok(expected), "{position:?}");
        let report = solver.solve(&position, Goal::Score).unwrap();
        assert_eq!(report.score.value(), expected * Score::POINT, "{position:?}");
        let after = position.after(report.best.expect("the game goes on"));
        let reached = after.outcome().map_or_else(|| oracle(&after), |_| i32::from(after.margin()));
        assert_eq!(-reached, expected, "the move does not keep the score: {position:?}");
        let winner = solver.solve(&position, Goal::Winner).unwrap();
        assert_eq!(winner.score.value().signum(), expected.signum(), "{position:?}");
    }
}

#[test]
fn a_stopped_solver_says_so() {
    let clock = Stopwatch::start();
    let problem = data("ffo40-59.obf").lines().find_map(|line| obf::parse(line).unwrap()).unwrap();
    let control = Control::new(Limits::nodes(10_000), &clock);
    control.arm();
    let mut table = Table::<Move>::with_bytes(1 << 16);
    assert!(Solver::new(&mut table, &control).difference(&problem.board.position).is_err());
}
