//! Fuzzes a state of the maze as the server sends it.
#![no_main]

use libfuzzer_sys::fuzz_target;
use moules_client::rules::{Command, Game, State};

fuzz_target!(|input: &str| {
    let Ok(state) = input.parse::<State>() else { return };
    let again: State = state.to_string().parse().expect("its own text");
    assert_eq!(again, state);
    let mut game = Game::new(state, Some(20));
    for command in [&b"N"[..], b"F-S", b"B-E-E-O", b"B-S", b"F-N", b"E", b"C", b"O"].into_iter().cycle() {
        if game.end().is_some() {
            break;
        }
        game.play(Command::read(command));
    }
});
