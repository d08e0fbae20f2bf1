use crate::{EXAMPLE, perft_rows, state};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use search_core::monte_carlo::MonteCarlo;
use search_core::testing::{
    aborts_cleanly, agrees_with_negamax, random_positions, repeats_exactly, threads_agree_with_negamax,
};
use search_core::{Control, Crew, Limits, Options, Outcome, Position, Score, Stopwatch, negamax};
use std::time::{Duration, Instant};
use uttt::evaluation::network::{Path, Workspace};
use uttt::evaluation::{Evaluation, Network};
use uttt::player::{CONFIGURATION, Evaluator, Method, Player, Settings, Solver, UtttHeuristics};
use uttt::rules::{Side, State};

fn player(evaluation: Evaluation) -> Player {
    Player::new(Settings { evaluation, table_bytes: 1 << 20, ..Settings::default() })
}

#[test]
fn every_value_preserving_search_returns_plain_negamax() {
    for &evaluation in Evaluation::ALL {
        let early = random_positions(&State::start(), 11, 12, 60);
        agrees_with_negamax(&early, 1..=3, |_| UtttHeuristics { evaluation });
        let late: Vec<_> = random_positions(&State::start(), 12, 400, 70)
            .into_iter()
            .filter(|state| state.occupied() > 40)
            .take(20)
            .collect();
        agrees_with_negamax(&late, 4..=5, |_| UtttHeuristics { evaluation });
    }
}

#[test]
fn the_same_node_limit_gives_the_same_report() {
    let positions = random_positions(&State::start(), 1, 10, 60);
    repeats_exactly(&positions, 5_000, Options::STRONG, |_| UtttHeuristics { evaluation: Evaluation::Lines });
}

#[test]
fn a_stop_at_any_node_leaves_the_position_as_it_was() {
    let positions = random_positions(&State::start(), 2, 3, 60);
    aborts_cleanly(&positions, 500, Options::STRONG, |_| UtttHeuristics { evaluation: Evaluation::Lines });
}

#[test]
fn a_win_in_one_is_played_with_every_evaluation() {
    for &evaluation in Evaluation::ALL {
        let report = player(evaluation).think(&state(EXAMPLE), Limits::depth(3), &Stopwatch::start());
        assert!([54, 56].contains(&report.best.unwrap().index()));
        assert_eq!((report.score.plies_to_end(), report.proven), (Some(1), true));
    }
}

#[test]
fn an_answer_comes_within_its_time() {
    let mut player = player(Evaluation::default());
    for state in random_positions(&State::start(), 4, 5, 40) {
        let start = Instant::now();
        let report = player.think(&state, Limits::time(Duration::from_millis(60)), &Stopwatch::start());
        assert!(state.is_legal(report.best.unwrap()));
        assert!(start.elapsed() < Duration::from_millis(200), "{:?}", start.elapsed());
    }
}

#[test]
fn a_player_beats_random_moves() {
    for &evaluation in Evaluation::ALL {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(9);
        let mut points = 0;
        for game in 0..10 {
            let mut player = player(evaluation);
            let mut state = State::start();
            for ply in 0.. {
                let moves = state.move_list();
                if moves.is_empty() {
                    break;
                }
                let cell = if ply % 2 == game % 2 {
                    player.think(&state, Limits::depth(3), &Stopwatch::start()).best.unwrap()
                } else {
                    moves[random.random_range(0..moves.len())]
                };
                assert!(state.is_legal(cell));
                state.play(cell);
            }
            let side = if game % 2 == 0 { Side::X } else { Side::O };
            points += i32::from(state.winner() == Some(side));
        }
        assert!(points >= 9, "{evaluation}: {points} of 10");
    }
}

#[test]
fn the_signature_is_what_it_was() {
    let mut nodes = Vec::new();
    for &evaluation in Evaluation::ALL {
        let total: u64 = perft_rows()
            .iter()
            .map(|(integer, _)| {
                player(evaluation).think(&state(integer), Limits::depth(6), &Stopwatch::start()).nodes
            })
            .sum();
        nodes.push((evaluation.name(), total));
    }
    assert_eq!(nodes, SIGNATURE);
}

const SIGNATURE: [(&str, u64); 3] = [("boards", 26_129), ("lines", 54_327), ("network", 32_522)];

/// Plays whole games of the player against itself from random openings; every move must be legal.
fn self_play(games: u64) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(games);
    for game in 0..games {
        let evaluation = Evaluation::ALL[game as usize % Evaluation::ALL.len()];
        let mut player = player(evaluation);
        let mut state = State::start();
        for ply in 0.. {
            let moves = state.move_list();
            if moves.is_empty() {
                assert!(state.outcome().is_some() && ply <= 81);
                break;
            }
            let cell = if ply < 4 {
                moves[random.random_range(0..moves.len())]
            } else {
                player.think(&state, Limits::nodes(300), &Stopwatch::start()).best.expect("the game goes on")
            };
            assert!(state.is_legal(cell), "{cell} in {state}");
            state.play(cell);
            assert_eq!(state.to_string().parse(), Ok(state));
        }
    }
}

#[test]
fn self_play_is_legal_to_the_end() {
    self_play(30);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "a thousand games: cargo test --release")]
fn a_thousand_games_of_self_play_are_legal_to_the_end() {
    self_play(1000);
}

#[test]
fn a_solved_end_of_a_game_is_what_plain_negamax_says_move_by_move() {
    let clock = Stopwatch::start();
    let late = random_positions(&State::start(), 21, 400, 75);
    let mut checked = 0;
    for state in late.into_iter().filter(|state| cells_left(state) <= 11).take(60) {
        let control = Control::new(Limits::default(), &clock);
        let (value, _) = negamax(&mut state.clone(), 81, 0, &control, &mut |_| Score::DRAW).unwrap();
        let mut solver = Solver::new(1 << 20);
        let solution = solver.outcome(&state, u64::MAX, &control);
        let solved = solver.line(&state, solution, &control);
        assert_eq!(solution.outcome(), Some(outcome_of(value)), "{state}");
        assert_eq!(solved.plies, value.plies_to_end().map(|plies| plies as i32), "{state}");
        // The whole line must keep the proven outcome and have the stated length.
        let mut next = state;
        let mut expected = value;
        for &cell in &solved.line {
            assert!(next.is_legal(cell));
            next.play(cell);
            let (after, _) = negamax(&mut next.clone(), 81, 0, &control, &mut |_| Score::DRAW).unwrap();
            assert_eq!(outcome_of(after), outcome_of(expected).reversed(), "{state} {cell}");
            assert_eq!(
                after.plies_to_end(),
                expected.plies_to_end().map(|plies| plies - 1),
                "{state} {cell}"
            );
            expected = after;
        }
        assert!(next.outcome().is_some(), "{state}");
        checked += 1;
    }
    assert!(checked >= 25, "{checked}");
}

#[test]
fn a_proof_whose_moves_are_forgotten_has_a_move() {
    let clock = Stopwatch::start();
    let states = random_positions(&State::start(), 23, 200, 60);
    let mut proven = 0;
    for state in states.into_iter().filter(|state| (10..=24).contains(&cells_left(state))).take(60) {
        // This memory holds only a few tens of proofs.
        let mut player = Player::new(Settings { table_bytes: 1 << 12, ..Settings::default() });
        let report = player.think(&state, Limits::nodes(20_000), &clock);
        assert!(report.best.is_some_and(|cell| state.is_legal(cell)), "{state}");
        proven += usize::from(report.proven);
    }
    assert!(proven > 10, "{proven}");
}

#[test]
fn threads_prove_what_one_proves() {
    let clock = Stopwatch::start();
    let states = random_positions(&State::start(), 22, 400, 60);
    let mut outcomes = [0; 3];
    for state in states.into_iter().filter(|state| (12..=24).contains(&cells_left(state))).take(60) {
        let [one, two, five] = [1, 2, 5].map(|threads| {
            let mut solver = Solver::with_threads(1 << 22, threads);
            let (solution, _) = solver.prove(&state, Limits::default(), &clock);
            let rest = Control::new(Limits::default(), &clock);
            let solved = solver.line(&state, solution, &rest);
            assert!(!solved.line.is_empty(), "{state}");
            (solution.outcome(), solved.plies)
        });
        assert_eq!([two, five], [one; 2], "{state}");
        match one.0 {
            Some(Outcome::Win) => outcomes[0] += 1,
            Some(Outcome::Draw) => outcomes[1] += 1,
            Some(Outcome::Loss) => outcomes[2] += 1,
            other => panic!("{other:?} {state}"),
        }
    }
    assert!(outcomes.iter().all(|&count| count > 2), "{outcomes:?}");
}

#[test]
fn threads_return_plain_negamax_at_a_fixed_depth() {
    let late = random_positions(&State::start(), 31, 400, 60);
    let late: Vec<_> = late.into_iter().filter(|state| cells_left(state) <= 24).take(4).collect();
    let heuristics = |_: &State| UtttHeuristics { evaluation: Evaluation::Lines };
    threads_agree_with_negamax(&Crew::new(2), &late, 5..=5, heuristics);
}

#[test]
fn threads_answer_with_a_legal_move() {
    for method in [Method::AlphaBeta, Method::MonteCarlo] {
        let mut player =
            Player::new(Settings { method, table_bytes: 1 << 22, threads: 3, ..Settings::default() });
        for state in random_positions(&State::start(), 19, 8, 60) {
            let report = player.think(&state, Limits::nodes(1_000), &Stopwatch::start());
            assert!(state.is_legal(report.best.unwrap()), "{method} {state}");
        }
    }
}

fn cells_left(state: &State) -> u32 {
    (0..9).filter(|board| state.closed() >> board & 1 == 0).map(|board| state.empty(board).count_ones()).sum()
}

fn outcome_of(score: Score) -> Outcome {
    match score.value().signum() {
        1 => Outcome::Win,
        0 => Outcome::Draw,
        _ => Outcome::Loss,
    }
}

#[test]
fn every_search_answers_with_a_legal_move_and_the_same_one_again() {
    for &method in Method::ALL {
        for &evaluation in Evaluation::ALL {
            let settings = Settings { method, evaluation, table_bytes: 1 << 22, seed: 3, threads: 1 };
            for state in random_positions(&State::start(), 17, 6, 60) {
                let think = || Player::new(settings).think(&state, Limits::nodes(2_000), &Stopwatch::start());
                let (once, twice) = (think(), think());
                assert!(once.agrees_with(&twice), "{method} {evaluation} {state}: {once:?} {twice:?}");
                assert!(state.is_legal(once.best.unwrap()));
            }
        }
    }
}

#[test]
fn the_tree_search_beats_alpha_beta_and_random_games() {
    let play = |x: Settings, o: Settings, opening: usize| {
        let mut players = [Player::new(x), Player::new(o)];
        let mut state = random_positions(&State::start(), opening as u64, 1, 4).remove(0);
        while state.outcome().is_none() {
            let player = &mut players[state.mover().index()];
            let cell = player.think(&state, Limits::nodes(1_000), &Stopwatch::start()).best.unwrap();
            state.play(cell);
        }
        state.winner()
    };
    let best = Settings { table_bytes: 1 << 22, ..Settings::default() };
    for method in [Method::AlphaBeta, Method::Playouts] {
        let other = Settings { method, evaluation: Evaluation::Lines, ..best };
        let mut balance = 0;
        for opening in 0..6 {
            balance += match play(best, other, opening) {
                Some(Side::X) => 1,
                Some(Side::O) => -1,
                None => 0,
            };
            balance -= match play(other, best, opening) {
                Some(Side::X) => 1,
                Some(Side::O) => -1,
                None => 0,
            };
        }
        assert!(balance >= 4, "{method}: {balance} of 12");
    }
}

#[test]
fn every_path_of_the_network_finds_the_same_numbers() {
    for &path in Path::ALL {
        if !path.is_available() {
            println!("skipped: this processor has no {path:?}");
            continue;
        }
        let (network, portable) = (Network::embedded_on(path), Network::embedded_on(Path::Portable));
        for state in random_positions(&State::start(), 31, 300, 75) {
            assert_eq!(network.value(&state), portable.value(&state), "{path:?}");
        }
    }
}

#[test]
fn the_value_after_a_move_is_that_of_the_position_after_it() {
    let network = Network::embedded();
    let mut workspace = Workspace::default();
    for state in random_positions(&State::start(), 32, 500, 75) {
        let moves: Vec<_> = state
            .move_list()
            .into_iter()
            .filter(|&cell| {
                let mut next = state;
                next.play(cell);
                next.outcome().is_none()
            })
            .collect();
        network.values_after(&state, &moves, &mut workspace);
        assert_eq!(workspace.values.len(), moves.len());
        for (&cell, &value) in moves.iter().zip(&workspace.values) {
            let mut next = state;
            next.play(cell);
            assert_eq!(value, -network.value(&next), "{state} {cell}");
        }
    }
}

#[test]
fn the_tree_that_was_kept_is_the_one_that_had_grown_there() {
    let mut tree = MonteCarlo::new(Evaluator::new(Evaluation::Network), CONFIGURATION, 1 << 24);
    let clock = Stopwatch::start();
    let visits = |tree: &MonteCarlo<Evaluator>| tree.root_moves().map(|(_, visits, ..)| visits).sum::<u32>();
    for mut state in random_positions(&State::start(), 41, 8, 30) {
        tree.think(&state, &Control::new(Limits::nodes(3_000), &clock));
        for _ in 0..3 {
            let Some((cell, of_child, ..)) = tree.root_moves().max_by_key(|&(_, visits, ..)| visits) else {
                break;
            };
            let before = tree.len();
            state.play(cell);
            if !tree.advance(cell) {
                break;
            }
            assert!(tree.len() < before);
            // The first visit of a position expands it; each later visit goes to one of its moves.
            assert_eq!(visits(&tree) + 1, of_child, "{state}");
            let report = tree.go_on(&state, &Control::new(Limits::nodes(50), &clock));
            assert!(report.proven || visits(&tree) + 1 == of_child + 50, "{state}");
        }
    }
}

#[test]
fn a_player_goes_on_with_its_tree_after_the_opponents_move_and_forgets_it_in_another_game() {
    let settings = Settings { table_bytes: 1 << 24, ..Settings::default() };
    let nodes = Limits::nodes(2_000);
    let think = |player: &mut Player, state: &State| player.think(state, nodes, &Stopwatch::start());
    let mut player = Player::new(settings);
    let mut state = State::start();
    let report = think(&mut player, &state);
    state.play(report.best.unwrap());
    state.play(report.principal_variation[1]);
    let kept = think(&mut player, &state);

    let clock = Stopwatch::start();
    let mut tree = MonteCarlo::new(Evaluator::new(Evaluation::Network), CONFIGURATION, 1 << 23);
    tree.think(&State::start(), &Control::new(nodes, &clock));
    for &cell in &report.principal_variation[..2] {
        assert!(tree.advance(cell));
    }
    assert!(kept.agrees_with(&tree.go_on(&state, &Control::new(nodes, &clock))));
    assert!(!kept.agrees_with(&think(&mut Player::new(settings), &state)), "the tree counts for something");

    let other = random_positions(&State::start(), 5, 1, 12).remove(0);
    assert!(think(&mut player, &other).agrees_with(&think(&mut Player::new(settings), &other)));
}

/// Grows a tree, then plays its best move and the best reply.
fn grow_and_play(tree: &mut MonteCarlo<Evaluator>, state: &mut State, nodes: u64) -> Option<Duration> {
    let clock = Stopwatch::start();
    let report = tree.go_on(state, &Control::new(Limits::nodes(nodes), &clock));
    let start = Instant::now();
    let played = report.principal_variation.iter().take(2).all(|&cell| {
        state.play(cell);
        tree.advance(cell)
    });
    played.then(|| start.elapsed())
}

#[test]
fn a_large_tree_follows_a_move_at_once() {
    let growth = Instant::now();
    let soonest = random_positions(&State::start(), 44, 3, 10).into_iter().filter_map(|mut state| {
        let mut tree = MonteCarlo::new(Evaluator::new(Evaluation::Network), CONFIGURATION, 1 << 28);
        grow_and_play(&mut tree, &mut state, 40_000)
    });
    // The minimum of three, as any of them may be interrupted on a busy processor.
    let soonest = soonest.min().expect("a tree goes on");
    assert!(soonest < growth.elapsed() / 2_000, "{soonest:?} after {:?}", growth.elapsed());
}

#[test]
fn a_full_tree_grows_on_in_the_room_that_moves_free() {
    const ROOM: usize = 60_000;
    let mut short = 0;
    for mut state in random_positions(&State::start(), 45, 2, 10) {
        let mut tree = MonteCarlo::new(Evaluator::new(Evaluation::Network), CONFIGURATION, 32 * ROOM);
        let (mut visits, mut children) = (0, 0);
        while state.outcome().is_none() {
            let clock = Stopwatch::start();
            let before = tree.len();
            let report = tree.go_on(&state, &Control::new(Limits::nodes(1_000), &clock));
            assert!(tree.len() <= ROOM);
            children += tree.len().saturating_sub(before);
            visits += report.nodes;
            short += usize::from(!report.proven && report.nodes <= 1_000);
            let cell = report.best.unwrap();
            state.play(cell);
            tree.advance(cell);
        }
        // A visit expands about seven moves: more nodes than the memory holds.
        assert!(visits > 20_000, "{visits} visits, {children} nodes");
    }
    assert!(short < 10, "{short} searches ended early");
}

/// The position is a draw. A tree of 150,000 visits alone plays a move that loses, because it does not see the loss.
#[test]
fn a_move_that_the_solver_refutes_is_not_played() {
    let state = state("219226675728171959621846154029826274876120393320512");
    let clock = Stopwatch::start();
    let report = Player::new(Settings::default()).think(&state, Limits::nodes(150_000), &clock);
    let control = Control::new(Limits::nodes(400_000), &clock);
    control.arm();
    assert!(!Solver::new(16 << 20).refutes(&state, report.best.unwrap(), &control), "{report:?}");
}
