//! Fuzzes a position's integer.
#![no_main]

use libfuzzer_sys::fuzz_target;
use num_bigint::BigUint;
use search_core::Position as _;
use uttt::rules::{Integer, Picture, State};

fuzz_target!(|input: &str| {
    let Ok(integer) = input.parse::<Integer>() else { return };
    let text = integer.to_string();
    let big: BigUint = text.parse().expect("decimal digits");
    assert!(big.bits() <= 169);
    assert_eq!(Integer::try_from(&big), Ok(integer));
    let Ok(state) = State::try_from(integer) else { return };
    assert_eq!(state.integer().to_string().parse::<State>().map(|state| state.integer()), Ok(state.integer()));
    assert_eq!(Picture(&state).to_string().len(), 11 * 30);
    for mv in state.move_list() {
        let mut next = state.clone();
        next.play(mv);
        assert!(State::try_from(next.integer()).is_ok(), "{mv}");
    }
});
