//! Tests the endgame solver against plain alpha-beta and published scores.

use crate::data;
use othello_player::endgame::{Goal, Solver};
use othello_player::evaluation::{Evaluation, Mobility};
use othello_player::player::{Player, Settings};
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
    let table = Table::<Move>::with_bytes(1 << 16);
    for position in late_positions(1, 300, 7) {
        let expected = oracle(&position);
        let mut solver = Solver::<Mobility>::new(&position, &table, &control);
        let report = solver.solve(&position, Goal::Score, None).unwrap();
        assert_eq!(report.score.value(), expected * Score::POINT, "{position:?}");
        let after = position.after(report.best.expect("the game goes on"));
        let reached = after.outcome().map_or_else(|| oracle(&after), |_| i32::from(after.margin()));
        assert_eq!(-reached, expected, "the move does not keep the score: {position:?}");
        let winner = solver.solve(&position, Goal::Winner, None).unwrap();
        assert_eq!(winner.score.value().signum(), expected.signum(), "{position:?}");
    }
}

/// Plain alpha-beta; negamax without cuts would take minutes.
fn value(position: &Position, mut alpha: i32, beta: i32) -> i32 {
    if position.outcome().is_some() {
        return position.margin().into();
    }
    let mut moves: Vec<_> = position.move_list().iter().map(|&mv| position.after(mv)).collect();
    moves.sort_by_key(|next| next.legal().count_ones());
    for next in moves {
        alpha = alpha.max(-value(&next, -beta, -alpha));
        if alpha >= beta {
            break;
        }
    }
    alpha
}

/// The environment variable `OTHELLO_POSITIONS` sets the number of positions.
#[test]
fn twelve_to_sixteen_empty_squares_are_solved_exactly_with_every_evaluation() {
    let count = std::env::var("OTHELLO_POSITIONS").ok().and_then(|count| count.parse().ok()).unwrap_or(30);
    let clock = Stopwatch::start();
    let positions = random_positions(&Position::START, 12, 20 * count, 49);
    let positions = positions.into_iter().filter(|position| (12..=16).contains(&position.empties()));
    for (nth, position) in positions.take(count).enumerate() {
        let expected = value(&position, -64, 64);
        let evaluation = Evaluation::ALL[nth % Evaluation::ALL.len()];
        let mut player = Player::new(Settings { evaluation, table_bytes: 1 << 20, ..Settings::default() });
        for goal in [Goal::Winner, Goal::Score] {
            let control = Control::new(Limits::default(), &clock);
            let report = player.solve(&position, goal, &control).unwrap();
            let score = report.score.value() / Score::POINT;
            let wanted = if goal == Goal::Score { expected } else { expected.signum() };
            assert_eq!(score, wanted, "{evaluation}: {position:?}");
            let reached = -value(&position.after(report.best.expect("the game goes on")), -64, 64);
            assert_eq!(if goal == Goal::Score { reached } else { reached.signum() }, wanted, "{position:?}");
        }
    }
}

#[test]
fn with_solve_a_shallow_player_plays_the_end_exactly_and_without_time_it_still_answers() {
    for position in late_positions(40, 20, 10) {
        let solver = Settings { solve_from: 10, ..Settings::default() };
        let report = Player::new(solver).think(&position, Limits::depth(1), &Stopwatch::start());
        assert_eq!(report.score.value(), value(&position, -64, 64) * Score::POINT);
        assert!(report.proven);
    }
    let problem = data("ffo40-59.obf").lines().find_map(|line| obf::parse(line).unwrap()).unwrap();
    let position = problem.board.position;
    let solver = Settings { solve_from: 60, ..Settings::default() };
    let report = Player::new(solver).think(&position, Limits::nodes(10_000), &Stopwatch::start());
    assert!(
        position.is_legal(report.best.unwrap()) && !report.proven && report.nodes <= 20_010,
        "{report:?}"
    );
}

#[test]
fn a_stopped_solver_says_so() {
    let clock = Stopwatch::start();
    let problem = data("ffo40-59.obf").lines().find_map(|line| obf::parse(line).unwrap()).unwrap();
    let control = Control::new(Limits::nodes(10_000), &clock);
    control.arm();
    let table = Table::<Move>::with_bytes(1 << 16);
    let position = problem.board.position;
    let mut solver = Solver::<Mobility>::new(&position, &table, &control);
    assert!(solver.solve(&position, Goal::Score, None).is_err());
}
