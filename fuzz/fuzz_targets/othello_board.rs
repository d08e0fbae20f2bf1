//! Fuzzes a board in one line.
#![no_main]

use libfuzzer_sys::fuzz_target;
use othello_player::rules::Board;

fuzz_target!(|input: &str| {
    if let Ok(board) = input.parse::<Board>() {
        assert_eq!(board.to_string().parse(), Ok(board));
    }
});
