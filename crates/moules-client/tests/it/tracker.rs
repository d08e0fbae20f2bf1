//! The tracker infers what the server does not send.

use moules_client::rules::*;
use moules_client::tracker::{Reading, Tracker};
use proptest::prelude::*;
use rand::SeedableRng;
use rand::rand_core::Rng;
use rand_xoshiro::Xoshiro256PlusPlus;

fn map(seed: i64, players: usize) -> State {
    let settings =
        Settings { players, maze_seed: seed, item_seed: seed + 1, dunes: 15, ..Settings::default() };
    settings.generate().unwrap()
}

/// Returns a random command of a sensible player: it uses every bonus that it names.
fn sensible(game: &Game, random: &mut Xoshiro256PlusPlus) -> Move {
    let direction = |random: &mut Xoshiro256PlusPlus| Direction::ALL[random.next_u32() as usize % 4];
    let purse = game.purses[game.to_move()];
    match random.next_u32() % 4 {
        0 if purse.frites > 0 => Move::Jump(direction(random)),
        1 if purse.beers > 0 => Move::Beer([0; 3].map(|_| Some(direction(random)))),
        _ => Move::Step(direction(random)),
    }
}

#[test]
fn everybodys_points_are_known_at_every_turn() {
    let (mut turns, mut bonuses_right) = (0, 0);
    for seed in 0..40 {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut game = Game::new(map(seed as i64, 4), Some(150));
        let mut trackers: Vec<Tracker> = (0..4).map(|me| Tracker::new(me, Some(150))).collect();
        while game.end().is_none() {
            let me = game.to_move();
            let Some(Reading::Answer(known)) = trackers[me].observe(game.state.clone()) else {
                panic!("an answer in time was taken for a late one: seed {seed}, turn {}", game.turns());
            };
            assert_eq!((&known.state, known.to_move(), known.turns()), (&game.state, me, game.turns()));
            let points = |game: &Game| game.purses.iter().map(|purse| purse.points).collect::<Vec<_>>();
            assert_eq!(points(&known), points(&game), "seed {seed}, turn {}", game.turns());
            assert_eq!(known.purses[me], game.purses[me], "one's own purse is never in doubt");
            turns += 1;
            bonuses_right += u64::from(known.purses == game.purses);
            let mv = sensible(&game, &mut random);
            trackers[me].said(mv);
            game.play(Command::from(mv));
        }
    }
    // A beer used in a circle looks like no move, so bonuses are only known almost always.
    assert!(bonuses_right * 10 >= turns * 6, "{bonuses_right} of {turns}");
}

#[test]
fn an_answer_too_late_is_noticed_and_not_doubled() {
    let mut game = Game::new(map(7, 1), None);
    game.play(Command::from(Move::Step(Direction::South)));
    game.play(Command::from(Move::Step(Direction::North)));
    let free = Direction::ALL.into_iter().find(|&direction| {
        game.state
            .neighbour(game.state.players[0], direction, 1)
            .is_some_and(|cell| game.state.tile(cell) != Tile::Dune)
    });
    let step = Move::Step(free.unwrap());
    let mut tracker = Tracker::new(0, None);
    assert!(matches!(tracker.observe(game.state.clone()), Some(Reading::Answer(_))));
    tracker.said(step);
    // The server played C. Our step is still in the socket and is taken for the next turn.
    assert!(matches!(tracker.observe(game.state.clone()), Some(Reading::Silent(_))));
    game.play(Command::from(step));
    assert!(matches!(tracker.observe(game.state.clone()), Some(Reading::Answer(_))));
}

#[test]
fn silence_for_nothing_lasts_one_turn() {
    let game = Game::new(map(7, 1), None);
    let free = Direction::ALL.into_iter().find(|&direction| {
        game.state
            .neighbour(game.state.players[0], direction, 1)
            .is_some_and(|cell| game.state.tile(cell) != Tile::Dune)
    });
    let mut tracker = Tracker::new(0, None);
    tracker.observe(game.state.clone());
    tracker.said(Move::Step(free.unwrap()));
    assert!(matches!(tracker.observe(game.state.clone()), Some(Reading::Silent(_))));
    // We have not moved: the answer was lost, not late.
    assert!(matches!(tracker.observe(game.state.clone()), Some(Reading::Answer(_))));
}

/// Returns a state of one player in a corridor of nine cells.
fn corridor(tiles: &str, x: usize) -> State {
    format!("11x3/D-D-D-D-D-D-D-D-D-D-D-D-{tiles}-D-D-D-D-D-D-D-D-D-D-D-D/1-{x},1").parse().unwrap()
}

/// Returns the tracker's reading of the last state after `turns`, each a state and the answer to it.
fn known(turns: &[(&str, usize, &str)], tiles: &str, x: usize) -> Reading {
    let mut tracker = Tracker::new(0, None);
    for &(tiles, x, said) in turns {
        if let Some(Reading::Answer(_)) = tracker.observe(corridor(tiles, x)) {
            tracker.said(said.parse().unwrap());
        }
    }
    tracker.observe(corridor(tiles, x)).unwrap()
}

fn purse(reading: &Reading) -> Purse {
    let (Reading::Answer(game) | Reading::Silent(game)) = reading;
    game.purses[0]
}

#[test]
fn what_our_jump_goes_over_is_ours_where_the_server_collects_it() {
    let turns = [("S-F-50-S-S-S-S-B-S", 1, "E"), ("S-S-50-S-S-S-S-B-S", 2, "F-E")];
    let taken = purse(&known(&turns, "S-S-S-S-S-S-S-B-S", 4));
    assert_eq!(taken, Purse { points: 50, frites: 0, beers: 0 });
    // The beer also stays where it was, as on the original server.
    let left = purse(&known(&turns, "S-S-50-S-S-S-S-B-S", 4));
    assert_eq!(left, Purse { points: 0, frites: 0, beers: 0 });
}

#[test]
fn our_bonus_is_used_in_a_turn_that_nothing_explains() {
    // A distant beer is gone, and nobody can have taken it.
    let turns = [("S-F-B-S-S-S-S-B-S", 1, "E"), ("S-S-B-S-S-S-S-B-S", 2, "E")];
    let jump = [&turns[..], &[("S-S-S-S-S-S-S-B-S", 3, "F-E")]].concat();
    assert_eq!(purse(&known(&jump, "S-S-S-S-S-S-S-S-S", 5)).frites, 0);
    let beer = [&turns[..], &[("S-S-S-S-S-S-S-B-S", 3, "B-O-O-C")]].concat();
    assert_eq!(purse(&known(&beer, "S-S-S-S-S-S-S-S-S", 1)), Purse { points: 0, frites: 1, beers: 1 });
}

#[test]
fn a_bonus_whose_turn_did_nothing_is_not_there() {
    for (item, said, before, after) in [("F", "F-E", (1, 0), (0, 0)), ("B", "B-E-E-E", (0, 1), (0, 0))] {
        let tiles = format!("S-{item}-S-S-S-S-S-S-50");
        let bonuses = |purse: Purse| (purse.frites, purse.beers);
        let mut turns = vec![(tiles.as_str(), 1, "E"), ("S-S-S-S-S-S-S-S-50", 2, said)];
        let reading = known(&turns, "S-S-S-S-S-S-S-S-50", 2);
        assert!(matches!(reading, Reading::Silent(_)), "it may have come too late");
        assert_eq!(bonuses(purse(&reading)), before);
        turns.push(("S-S-S-S-S-S-S-S-50", 2, said));
        let reading = known(&turns, "S-S-S-S-S-S-S-S-50", 2);
        assert!(matches!(reading, Reading::Answer(_)));
        assert_eq!(bonuses(purse(&reading)), after);
    }
}

#[test]
fn a_turn_beyond_the_limit_proves_that_there_is_none() {
    for (me, players) in [(0, 1), (1, 2)] {
        let mut tracker = Tracker::new(me, Some(2));
        let state = map(7, players);
        let mut limit = || match tracker.observe(state.clone()) {
            Some(Reading::Answer(game)) => (game.turn_limit(), game.end()),
            other => panic!("{other:?}"),
        };
        assert_eq!([limit(), limit()], [(Some(2), None); 2]);
        assert_eq!([limit(), limit()], [(None, None); 2]);
    }
}

#[test]
fn a_state_of_another_match_is_refused() {
    let mut tracker = Tracker::new(1, None);
    assert!(tracker.observe(map(1, 1)).is_none(), "player 1 of 1");
    let mut tracker = Tracker::new(0, None);
    tracker.observe(map(1, 2));
    assert!(tracker.observe(map(1, 3)).is_none());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]
    /// States that the rules do not explain are accepted without panic.
    #[test]
    fn any_sequence_of_states_is_taken_in(seeds in prop::collection::vec(0i64..6, 1..8), me in 0usize..4) {
        let mut tracker = Tracker::new(me, Some(500));
        for seed in seeds {
            let reading = tracker.observe(map(seed, 4));
            prop_assert!(reading.is_some());
            tracker.said(Move::Jump(Direction::South));
        }
    }
}
