//! Fuzzes a session of the NBoard protocol, at depth 1 whatever depth it asks for.
#![no_main]

use libfuzzer_sys::fuzz_target;
use othello_player::player::{Player, Settings};
use othello_player::protocol::{Engine, nboard};
use search_core::Limits;
use std::io::Cursor;

fuzz_target!(|input: &[u8]| {
    let player = Player::new(Settings { table_bytes: 1 << 12, ..Settings::default() });
    let left_out = |line: &[u8]| line.windows(5).any(|word| word == b"depth");
    let lines: Vec<&[u8]> = input.split(|&byte| byte == b'\n').filter(|line| !left_out(line)).collect();
    let _ = nboard::run(
        Engine::new(player, Limits::depth(1)),
        Cursor::new(lines.join(&b'\n')),
        &mut std::io::sink(),
    );
});
