//! The rules, against the reference data and case by case.

use moules_client::rules::*;
use proptest::prelude::*;

pub fn data(name: &str) -> String {
    let path = format!("{}/../../test-data/moules/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

#[test]
fn the_generator_draws_the_originals_states_byte_for_byte() {
    let mut count = 0;
    for line in data("initial_states.tsv").lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let number = |field: usize| fields[field].parse::<usize>().unwrap();
        let settings = Settings {
            width: number(0),
            height: number(1),
            dunes: number(2) as u32,
            players: number(3),
            mussels: number(4),
            beers: number(5),
            frites: number(6),
            maze_seed: number(7) as i64,
            item_seed: number(8) as i64,
        };
        let state = settings.generate().unwrap();
        assert_eq!(state.to_string(), fields[9], "{settings:?}");
        assert_eq!(fields[9].parse(), Ok(state));
        count += 1;
    }
    assert_eq!(count, 75);
}

#[test]
fn the_wire_log_replays() {
    let log = data("wire_log_solo.txt");
    let mut lines = log.lines().skip(3);
    let settings = Settings { maze_seed: 49811, item_seed: 52567, ..Settings::default() };
    let mut game = Game::new(settings.generate().unwrap(), None);
    let mut turns = 0;
    loop {
        let line = lines.next().unwrap().strip_prefix("< ").unwrap();
        if line == "FIN" {
            break;
        }
        assert_eq!(game.end(), None);
        assert_eq!(game.state.to_string(), line, "turn {turns}");
        let command = lines.next().unwrap().strip_prefix("> ").unwrap();
        assert_eq!(command.parse::<Move>().unwrap().to_string(), command);
        game.play(Command::read(command.as_bytes()));
        turns += 1;
    }
    assert_eq!((game.end(), turns, game.purses[0].points), (Some(End::AllTaken), 57, 620));
}

/// A corridor with side cells. The player starts in the middle of the first row.
fn arena(frites: u32, beers: u32) -> Game {
    // D D D D D D D
    // D S S S S F D
    // D D B D 50 D D
    // D S S D S S D
    // D D D D D D D
    let line = "7x5/D-D-D-D-D-D-D-D-S-S-S-S-F-D-D-D-B-D-50-D-D-D-S-S-D-S-S-D-D-D-D-D-D-D-D/2-3,1-1,3";
    let mut game = Game::new(line.parse().unwrap(), None);
    game.purses[0].frites = frites;
    game.purses[0].beers = beers;
    game
}

/// Returns the first player's column, row, points, frites and beers after a command.
fn after(mut game: Game, line: &str) -> (usize, usize, u32, u32, u32) {
    game.play(Command::read(line.as_bytes()));
    let (x, y) = game.state.coordinates(game.state.players[0]);
    let Purse { points, frites, beers } = game.purses[0];
    (x, y, points, frites, beers)
}

#[test]
fn a_step_into_a_dune_uses_the_turn_and_is_no_pass() {
    assert_eq!(after(arena(0, 0), "S"), (3, 1, 0, 0, 0));
    let mut game = arena(0, 0);
    for _ in 0..4 {
        game.play(Command::read(b"N"));
    }
    assert_eq!(game.end(), None);
    game.play(Command::read(b"C"));
    assert_eq!(game.end(), None);
    game.play(Command::read(b"C"));
    assert_eq!(game.end(), Some(End::AllPassed));
}

#[test]
fn a_jump_collects_only_where_it_lands() {
    assert_eq!(after(arena(1, 0), "F-E"), (5, 1, 0, 1, 0)); // the frite there replaces the one used
    let mut game = arena(1, 0);
    game.act(0, Move::Step(Direction::East));
    game.act(0, Move::Jump(Direction::South)); // over the mussel
    assert_eq!(game.state.coordinates(game.state.players[0]), (4, 3));
    assert_eq!((game.purses[0].points, game.purses[0].frites, game.mussels_left()), (0, 0, 1));
}

#[test]
fn a_jump_whose_landing_is_a_dune_is_a_step_and_keeps_the_frite() {
    let mut game = arena(1, 0);
    game.act(0, Move::Step(Direction::East));
    game.act(0, Move::Step(Direction::South));
    assert_eq!((game.purses[0].points, game.purses[0].frites), (50, 1));
    let place = |game: &Game| game.state.coordinates(game.state.players[0]);
    game.act(0, Move::Jump(Direction::East)); // two dunes: nothing
    assert_eq!((place(&game), game.purses[0].frites), ((4, 2), 1));
    game.act(0, Move::Jump(Direction::South)); // a dune at the edge: a step
    assert_eq!((place(&game), game.purses[0].frites), ((4, 3), 1));
    game.act(0, Move::Jump(Direction::South)); // the landing is outside: nothing
    assert_eq!((place(&game), game.purses[0].frites), ((4, 3), 1));
}

#[test]
fn a_bonus_that_is_not_owned_does_nothing() {
    for line in ["F-O", "B-O-O-O", "F-S"] {
        assert_eq!(after(arena(0, 0), line), (3, 1, 0, 0, 0), "{line}");
    }
}

#[test]
fn a_beer_makes_three_steps_skips_blocked_ones_and_keeps_what_it_finds() {
    assert_eq!(after(arena(0, 1), "B-E-S-S"), (4, 3, 50, 0, 0));
    assert_eq!(after(arena(0, 1), "B-N-E-E"), (5, 1, 0, 1, 0));
    assert_eq!(after(arena(0, 1), "B-O-S-N"), (2, 1, 0, 0, 1)); // the beer on the way is kept
    assert_eq!(after(arena(0, 1), "B"), (3, 1, 0, 0, 0));
    assert_eq!(after(arena(0, 1), "B-E-x"), (4, 1, 0, 0, 0));
    assert_eq!(after(arena(0, 1), "B-EE-E-C-S-S"), (5, 1, 0, 1, 0));
}

#[test]
fn what_kills_the_original_uses_the_turn_here() {
    for line in ["", "B--E-E", "-", "F", "F-", "F-C", "F-x", "e", " E", "E ", "NE", "\0", "CX"] {
        assert_eq!(after(arena(1, 1), line), (3, 1, 0, 1, 1), "{line:?}");
    }
    assert!(Command::read(b"C").is_pass && Command::read(b"CX").is_pass && !Command::read(b"").is_pass);
    assert_eq!(Command::read(b"E-anything").action, Some(Move::Step(Direction::East)));
}

#[test]
fn two_players_share_a_cell_and_the_first_has_the_item() {
    let mut game = arena(0, 0);
    game.state.players[1] = game.state.players[0];
    for line in ["E", "E", "S", "S"] {
        game.play(Command::read(line.as_bytes()));
    }
    assert_eq!(game.state.players[0], game.state.players[1]);
    assert_eq!((game.purses[0].points, game.purses[1].points), (50, 0));
    assert_eq!(game.end(), Some(End::AllTaken));
}

#[test]
fn a_match_ends_at_the_turn_limit() {
    let mut game = Game::new(arena(0, 0).state, Some(3));
    for turn in 0..6 {
        assert_eq!((game.end(), game.turns_left(turn % 2)), (None, Some(3 - turn as u64 / 2)));
        game.play(Command::read(b"N"));
    }
    assert_eq!(game.end(), Some(End::TurnLimit));
}

#[test]
fn ties_share_the_marks_of_their_ranks() {
    let settings = Settings { players: 4, ..Settings::default() };
    let mut game = Game::new(settings.generate().unwrap(), None);
    for (player, points) in [90, 50, 50, 0].into_iter().enumerate() {
        game.purses[player].points = points;
    }
    assert_eq!(game.marks().as_slice(), [6.0, 3.0, 3.0, 0.0]);
}

#[test]
fn settings_out_of_range_are_refused() {
    let with = |change: fn(&mut Settings)| {
        let mut settings = Settings::default();
        change(&mut settings);
        settings.generate().map(|_| ())
    };
    assert_eq!(with(|s| s.width = 8), Err(GeneratorError::Size(8, 17)));
    assert_eq!(with(|s| s.height = 5), Err(GeneratorError::Size(25, 5)));
    assert_eq!(with(|s| s.width = usize::MAX), Err(GeneratorError::Size(usize::MAX, 17)));
    assert_eq!(with(|s| s.dunes = 51), Err(GeneratorError::Dunes(51)));
    assert_eq!(with(|s| s.players = 5), Err(GeneratorError::Players(5)));
    assert!(matches!(with(|s| s.mussels = usize::MAX), Err(GeneratorError::NoRoom(_))));
}

#[test]
fn a_bad_state_is_named_in_one_line() {
    let good = "3x3/D-D-D-D-S-D-D-D-D/1-1,1";
    assert!(good.parse::<State>().is_ok());
    for (line, message) in [
        ("", "expected three parts separated by slashes, found 1"),
        ("3x3/D", "expected three parts separated by slashes, found 2"),
        ("99999x99999/D/1-1,1", "\"99999x99999\" is not a size: expected WxH, from 3x3 to 1048576 cells"),
        ("-3x3/D/1-1,1", "\"-3x3\" is not a size: expected WxH, from 3x3 to 1048576 cells"),
        ("3x3/D-D/1-1,1", "expected 9 cells, found 2"),
        ("3x3/D-D-D-D-Z-D-D-D-D/1-1,1", "cell 4 is \"Z\": expected D, S, F, B or points up to 1000000"),
        (
            "3x3/D-D-D-D-99999999999-D-D-D-D/1-1,1",
            "cell 4 is \"99999999999\": expected D, S, F, B or points up to 1000000",
        ),
        ("3x3/D-D-D-D--D-D-D-D/1-1,1", "cell 4 is \"\": expected D, S, F, B or points up to 1000000"),
        ("3x3/D-D-D-S-S-D-D-D-D/1-1,1", "cell 3 at the edge is not a dune"),
        ("3x3/D-D-D-D-S-D-D-D-D/0", "\"0\" is not a list of players: expected n-x,y-…, n from 1 to 4"),
        (
            "3x3/D-D-D-D-S-D-D-D-D/9-1,1",
            "\"9-1,1\" is not a list of players: expected n-x,y-…, n from 1 to 4",
        ),
        ("3x3/D-D-D-D-S-D-D-D-D/1-0,1", "player 0 at \"0,1\" is not on sand"),
        ("3x3/D-D-D-D-S-D-D-D-D/1-7,7", "player 0 at \"7,7\" is not on sand"),
    ] {
        assert_eq!(line.parse::<State>().unwrap_err().to_string(), message);
    }
}

proptest! {
    #[test]
    fn any_text_is_a_state_or_an_error(text in "\\PC{0,60}") {
        let _ = text.parse::<State>();
        let _ = text.parse::<Move>();
    }

    #[test]
    fn any_change_of_a_state_is_a_state_or_an_error(at in 0usize..220, byte in 0u8..128) {
        let settings = Settings { width: 9, height: 9, mussels: 2, beers: 1, frites: 1, players: 4, ..Settings::default() };
        let mut line = settings.generate().unwrap().to_string().into_bytes();
        let at = at % line.len();
        line[at] = byte;
        if let Ok(state) = String::from_utf8(line).unwrap().parse::<State>() {
            prop_assert_eq!(state.to_string().parse::<State>(), Ok(state));
        }
    }

    #[test]
    fn any_bytes_are_a_command_and_play(lines in prop::collection::vec("[NSEOCFBx-]{0,9}", 0..40), seed in 0i64..50) {
        let settings = Settings { maze_seed: seed, players: 3, dunes: (seed % 51) as u32, ..Settings::default() };
        let mut game = Game::new(settings.generate().unwrap(), Some(10));
        for line in lines {
            if game.end().is_some() { break; }
            game.play(Command::read(line.as_bytes()));
            prop_assert_eq!(game.mussels_left(), game.state.mussels().count());
            for &player in &game.state.players {
                prop_assert_ne!(game.state.tile(player), Tile::Dune);
            }
        }
    }

    #[test]
    fn what_a_client_says_is_what_the_server_reads(text in "[NSEOCFB](-[NSEOC]){0,3}") {
        if let Ok(mv) = text.parse::<Move>() {
            prop_assert_eq!(Command::read(text.as_bytes()), Command::from(mv));
            prop_assert_eq!(mv.to_string(), text);
        }
    }
}
