//! Fuzzes the files of option `-c`.
#![no_main]

use gounki::protocol::file;
use gounki::rules::{Configuration, Notation};
use libfuzzer_sys::fuzz_target;
use search_core::Position as _;

fuzz_target!(|input: &[u8]| {
    let Ok(loaded) = file::read(input) else { return };
    let position = loaded.game.position();
    let configuration = Configuration::of(position);
    let again: Configuration = configuration.to_string().parse().expect("its own text");
    assert_eq!(again, configuration);
    for mv in position.move_list() {
        let notation: Notation = mv.to_string().parse().expect("its own text");
        assert!(position.find(&notation).is_ok(), "{mv}");
    }
});
