use crate::{EXAMPLE, perft_rows, state};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use search_core::testing::{aborts_cleanly, agrees_with_negamax, random_positions, repeats_exactly};
use search_core::{Limits, Options, Position, Stopwatch};
use std::time::{Duration, Instant};
use uttt::evaluation::Evaluation;
use uttt::player::{Judge, Player, Settings};
use uttt::rules::State;

fn player(evaluation: Evaluation) -> Player {
    Player::new(Settings { evaluation, table_bytes: 1 << 20, ..Settings::default() })
}

#[test]
fn every_value_preserving_search_returns_plain_negamax() {
    for &evaluation in Evaluation::ALL {
        let early = random_positions(&State::start(), 11, 12, 60);
        agrees_with_negamax(&early, 1..=3, |_| Judge { evaluation });
        let late: Vec<_> = random_positions(&State::start(), 12, 400, 70)
            .into_iter()
            .filter(|state| state.occupied() > 40)
            .take(20)
            .collect();
        agrees_with_negamax(&late, 4..=5, |_| Judge { evaluation });
    }
}

#[test]
fn the_same_node_limit_gives_the_same_report() {
    let positions = random_positions(&State::start(), 1, 10, 60);
    repeats_exactly(&positions, 5_000, Options::STRONG, |_| Judge { evaluation: Evaluation::Lines });
}

#[test]
fn a_stop_at_any_node_leaves_the_position_as_it_was() {
    let positions = random_positions(&State::start(), 2, 3, 60);
    aborts_cleanly(&positions, 500, Options::STRONG, |_| Judge { evaluation: Evaluation::Lines });
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
            let side = if game % 2 == 0 { uttt::rules::Side::X } else { uttt::rules::Side::O };
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

const SIGNATURE: [(&str, u64); 2] = [("boards", 26_129), ("lines", 54_327)];

/// Plays whole games of the player against itself, from random openings so that they differ; every move legal.
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
#[ignore = "a thousand games: cargo test -p uttt a_thousand_games -- --ignored"]
fn a_thousand_games_of_self_play_are_legal_to_the_end() {
    self_play(1000);
}
