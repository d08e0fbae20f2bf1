//! Fuzzes a line of a problem file in OBF.
#![no_main]

use libfuzzer_sys::fuzz_target;
use othello_player::rules::obf;

fuzz_target!(|input: &str| {
    if let Ok(Some(problem)) = obf::parse(input) {
        assert!(problem.best_score().is_none_or(|score| (-64..=64).contains(&score)));
    }
});
