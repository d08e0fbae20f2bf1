//! Fuzzes the lines between the course's Java class and the executable, in both directions, at depth 1.
#![no_main]

use libfuzzer_sys::fuzz_target;
use othello_player::player::{Player, Settings};
use othello_player::protocol::{Engine, tournoi};
use othello_player::rules::Side;
use search_core::Limits;

fuzz_target!(|input: &[u8]| {
    for side in [Side::Black, Side::White] {
        let player = Player::new(Settings { table_bytes: 1 << 12, ..Settings::default() });
        let mut output = Vec::new();
        let done = tournoi::run(Engine::new(player, Limits::depth(1)), side, input, &mut output);
        let asked = input.split(|&byte| byte == b'\n').count();
        let answers = output.iter().filter(|&&byte| byte == b'\n').count();
        assert!(answers <= asked, "one line out for one in");
        assert!(done.is_err() || answers + 1 >= asked || input.is_empty());
    }
});
