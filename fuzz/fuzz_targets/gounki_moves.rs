//! Fuzzes the moves of test mode.
#![no_main]

use gounki::protocol::test;
use gounki::rules::{Game, Notation, Position};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    if let Ok(text) = std::str::from_utf8(input) {
        for line in text.lines() {
            if let Ok(notation) = line.parse::<Notation>() {
                assert_eq!(notation.to_string().parse(), Ok(notation));
            }
        }
    }
    let _ = test::run(Game::new(Position::initial()), input, std::io::sink());
});
