//! Fuzzes a session of the Go Text Protocol.
#![no_main]

use libfuzzer_sys::fuzz_target;
use othello_player::player::{Player, Settings};
use othello_player::protocol::{Engine, gtp};
use search_core::Limits;

fuzz_target!(|input: &[u8]| {
    let player = Player::new(Settings { table_bytes: 1 << 12, ..Settings::default() });
    let _ = gtp::run(Engine::new(player, Limits::depth(1)), input, &mut std::io::sink());
});
