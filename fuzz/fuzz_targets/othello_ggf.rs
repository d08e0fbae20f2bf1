//! Fuzzes a game record in GGF.
#![no_main]

use libfuzzer_sys::fuzz_target;
use othello_player::rules::ggf;

fuzz_target!(|input: &str| {
    if let Ok(record) = ggf::parse(input) {
        let again = ggf::parse(&record.to_string()).expect("its own text");
        assert_eq!(again.game.board(), record.game.board());
    }
});
