//! Fuzzes a client's lines, one command each.
#![no_main]

use libfuzzer_sys::fuzz_target;
use moules_client::rules::{Command, Game, Move, State};

const MAZE: &str = include_str!("../../test-data/moules/initial_states.tsv");

fuzz_target!(|input: &[u8]| {
    let state: State = MAZE
        .lines()
        .flat_map(|line| line.split('\t'))
        .find_map(|field| field.trim().parse().ok())
        .expect("a reference state");
    let mut game = Game::new(state, Some(100));
    for line in input.split(|&byte| byte == b'\n') {
        if game.end().is_some() {
            break;
        }
        let command = Command::read(line);
        if let Some(action) = command.action {
            assert_eq!(Command::read(action.to_string().as_bytes()).action, Some(action));
        }
        if let Ok(Ok(action)) = std::str::from_utf8(line).map(str::parse::<Move>) {
            assert_eq!(command.action, Some(action), "the server understands what a client may send");
        }
        game.play(command);
    }
});
