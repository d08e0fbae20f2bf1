//! The players make legal, sensible and reproducible moves in time.

use moules_client::evaluation::Evaluation;
use moules_client::player::{Ai, Player, Settings};
use moules_client::rules::{Command, End, Game, Move, Settings as Map};
use proptest::prelude::*;
use search_core::{Clock, Limits, Stopwatch};
use std::time::Duration;

fn map(seed: i64, players: usize, dunes: u32) -> Map {
    Map { players, dunes, maze_seed: seed, item_seed: seed * 7 + 1, ..Map::default() }
}

fn player(ai: Ai, width: usize) -> Player {
    Player::new(Settings { ai, width, ..Settings::default() })
}

/// Plays a match and returns it. Checks that no bonus is wasted.
fn play(map: Map, players: &mut [Player], turn_limit: u64) -> Game {
    let mut game = Game::new(map.generate().unwrap(), Some(turn_limit));
    while game.end().is_none() {
        let me = game.to_move();
        let report = players[me].think(&game, Limits::default(), &Stopwatch::start());
        let mv = report.best.expect("a match that goes on has a move");
        let purse = game.purses[me];
        match mv {
            Move::Jump(direction) => {
                assert!(purse.frites > 0);
                let landing = game.state.neighbour(game.state.players[me], direction, 2);
                assert!(
                    landing.is_some_and(|cell| game.state.tile(cell) != moules_client::rules::Tile::Dune)
                );
            }
            Move::Beer(_) => assert!(purse.beers > 0),
            Move::Stay => panic!("a pass in the middle of a match"),
            Move::Step(_) => {}
        }
        assert_eq!(mv.to_string().parse(), Ok(mv));
        game.play(Command::from(mv));
    }
    game
}

#[test]
fn a_player_alone_takes_everything() {
    for ai in [Ai::Nearest, Ai::Greedy, Ai::Thirsty, Ai::Stubborn, Ai::Careful, Ai::Planner, Ai::Full] {
        for seed in 0..3 {
            let game = play(map(seed, 1, 50), &mut [player(ai, 32)], 500);
            assert_eq!(game.end(), Some(End::AllTaken), "{ai}, map {seed}");
        }
    }
}

#[test]
fn a_player_takes_everything_where_it_looks_at_a_part_of_the_items() {
    let walkers = [Ai::Nearest, Ai::Greedy, Ai::Thirsty, Ai::Stubborn, Ai::Careful, Ai::Planner, Ai::Full];
    for (seed, mussels, frites, beers) in [(2, 1, 85, 5), (3, 20, 45, 15), (3, 10, 50, 30)] {
        for ai in walkers {
            let map = Map { mussels, frites, beers, ..map(seed, 1, 50) };
            let game = play(map, &mut [player(ai, 2)], 500);
            assert_eq!(game.end(), Some(End::AllTaken), "{ai}, {mussels} mussels");
        }
    }
}

#[test]
fn four_players_of_every_kind_play_to_the_end() {
    for seed in 0..4 {
        let mut players = [Ai::Full, Ai::Finale, Ai::Greedy, Ai::Planner].map(|ai| player(ai, 32));
        let game = play(map(seed, 4, 16 * seed as u32), &mut players, 200);
        assert!(game.purses.iter().map(|purse| purse.points).sum::<u32>() > 0);
        let marks: f64 = game.marks().iter().sum();
        assert!((marks - 12.0).abs() < 1e-9);
    }
}

#[test]
fn full_players_among_themselves_do_not_wait_for_one_another() {
    for seed in 0..3 {
        let game = play(map(seed, 4, 50), &mut [Ai::Full; 4].map(|ai| player(ai, 16)), 500);
        assert_eq!(game.end(), Some(End::AllTaken), "map {seed}");
        assert!(game.turns() < 400, "map {seed}: {} turns", game.turns());
    }
}

#[test]
fn the_tour_beats_the_plainest_evaluation_alone() {
    let turns = |seed| play(map(seed, 1, 50), &mut [player(Ai::Full, 64)], 500).turns();
    let greedy = |seed| play(map(seed, 1, 50), &mut [player(Ai::Greedy, 1)], 500).turns();
    let sum = |f: &dyn Fn(i64) -> u64| (10..16).map(f).sum::<u64>();
    assert!(sum(&turns) * 4 < sum(&greedy) * 3);
}

#[test]
fn the_same_state_gives_the_same_report() {
    for evaluation in Evaluation::ALL {
        let settings = Settings { evaluation: *evaluation, width: 64, ..Settings::default() };
        let game = Game::new(map(5, 4, 50).generate().unwrap(), Some(500));
        let think = || Player::new(settings).think(&game, Limits::default(), &Stopwatch::start());
        assert!(think().agrees_with(&think()), "{evaluation}");
    }
}

#[test]
fn an_answer_comes_in_time_on_a_large_maze() {
    let large = Map { width: 201, height: 201, mussels: 60, beers: 20, frites: 40, ..map(3, 4, 50) };
    let game = Game::new(large.generate().unwrap(), Some(500));
    // The first turn computes the distances, which is slow in debug builds. The assignment leaves 500 ms after the
    // client's default time.
    let grace = if cfg!(debug_assertions) { 8_000 } else { 500 };
    let late = || {
        let mut player = player(Ai::Full, 20_000);
        [1_500, 400].into_iter().find_map(|allowance| {
            let clock = Stopwatch::start();
            let report = player.think(&game, Limits::time(Duration::from_millis(allowance)), &clock);
            assert!(report.best.is_some());
            let taken = clock.elapsed();
            (taken > Duration::from_millis(allowance + grace)).then_some((allowance, taken))
        })
    };
    // Tests run in parallel. A player that is late by itself is late three times.
    let times: Vec<_> = std::iter::from_fn(late).take(3).collect();
    assert!(times.len() < 3, "{times:?}");
}

#[test]
fn a_mussel_that_cannot_be_reached_is_waited_for_without_passing() {
    // A walled-in mussel, and no frite anywhere.
    let line = "7x5/D-D-D-D-D-D-D-D-S-D-S-S-S-D-D-S-D-D-D-S-D-D-S-D-50-D-S-D-D-D-D-D-D-D-D/1-1,1";
    for ai in Ai::ALL {
        let game = Game::new(line.parse().unwrap(), Some(500));
        let mut player = player(*ai, 32);
        let report = player.think(&game, Limits::default(), &Stopwatch::start());
        assert!(matches!(report.best, Some(Move::Step(_))), "{ai}: {:?}", report.best);
    }
}

#[test]
fn names_are_read_back() {
    for ai in Ai::ALL {
        assert_eq!(ai.name().parse(), Ok(*ai));
    }
    for evaluation in Evaluation::ALL {
        assert_eq!(evaluation.name().parse(), Ok(*evaluation));
    }
    assert_eq!(
        "x".parse::<Evaluation>().unwrap_err().to_string(),
        "unknown evaluation \"x\"; expected one of: points, nearest, rollout, tour"
    );
    assert_eq!(
        "x".parse::<Ai>().unwrap_err().to_string(),
        "unknown player \"x\"; expected one of: est, proche, gourmand, assoiffe, tetu, prudent, planificateur, complet, finale"
    );
}

#[test]
fn the_finale_goes_for_the_mussel_that_decides_the_rank() {
    // The player is between two mussels: 10 points adjacent, 90 points three steps away. The opponent, 50 points ahead,
    // is as near to the 90.
    let line = "11x3/D-D-D-D-D-D-D-D-D-D-D-D-10-S-S-S-S-90-S-S-S-D-D-D-D-D-D-D-D-D-D-D-D/2-3,1-9,1";
    let mut game = Game::new(line.parse().unwrap(), Some(500));
    game.purses[1].points = 50;
    let mut player = player(Ai::Finale, 64);
    let report = player.think(&game, Limits::default(), &Stopwatch::start());
    assert_eq!(report.best, Some("E".parse().unwrap()));
}

#[test]
fn the_signature_of_the_planner_stands() {
    let nodes = |ai, seed, players, dunes| {
        let game = Game::new(map(seed, players, dunes).generate().unwrap(), Some(500));
        player(ai, 96).think(&game, Limits::default(), &Stopwatch::start()).nodes
    };
    let signature = [nodes(Ai::Full, 1, 1, 50), nodes(Ai::Planner, 2, 4, 50), nodes(Ai::Full, 3, 4, 15)];
    assert_eq!(signature, [57_757, 55_632, 48_203], "the search has changed: say so in the commit");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    #[test]
    fn no_answer_leaves_that_the_game_does_not_allow(seed in 0i64..100_000, dunes in 0u32..=50, seat in 0usize..4) {
        // Opponents who take the bonuses that the planner counts on.
        let mut players = [Ai::Full, Ai::Careful, Ai::Greedy, Ai::Planner].map(|ai| player(ai, 6));
        players.rotate_left(seat);
        let Ok(state) = map(seed, 4, dunes).generate() else { return Ok(()) };
        let mut game = Game::new(state, Some(60));
        while game.end().is_none() {
            let report = players[game.to_move()].think(&game, Limits::default(), &Stopwatch::start());
            let mv = report.best.unwrap();
            prop_assert!(game.allows(mv) || mv == game.idle(), "turn {}: {mv}", game.turns());
            game.play(Command::from(mv));
        }
    }
}

#[test]
fn a_plan_whose_bonus_another_took_is_not_gone_on_with() {
    // Two frites: the planner means to take the near one and to jump with it. Then both are gone.
    let line = |place: &str, frite: &str| {
        format!(
            "9x5/D-D-D-D-D-D-D-D-D-D-S-{frite}-D-90-S-S-S-D-D-S-D-D-D-D-D-S-D-D-S-S-S-S-S-S-S-D-D-D-D-D-D-D-D-D-D/2-{place}-7,3"
        )
    };
    let mut player = player(Ai::Full, 32);
    let game = Game::new(line("1,1", "F").parse().unwrap(), Some(500));
    let first = player.think(&game, Limits::default(), &Stopwatch::start());
    starts_with_the_jump(&first.principal_variation);
    let after = Game::resume(line("2,1", "S").parse().unwrap(), game.purses.clone(), 0, 2, Some(500));
    let second = player.think(&after, Limits::default(), &Stopwatch::start());
    assert!(second.best.is_some_and(|mv| after.allows(mv)), "{:?}", second.best);
}

/// Checks that the plan takes the frite and jumps.
fn starts_with_the_jump(plan: &[Move]) {
    assert_eq!(plan[..2].iter().map(Move::to_string).collect::<Vec<_>>(), ["E", "F-E"], "{plan:?}");
}
