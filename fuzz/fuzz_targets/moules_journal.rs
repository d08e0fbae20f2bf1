//! Fuzzes the journal of matches that `moules-serveur --journal` writes.
#![no_main]

use libfuzzer_sys::fuzz_target;
use moules_client::protocol::journal;

fuzz_target!(|input: &[u8]| {
    let mut scenes = 0_u64;
    let _ = journal::replay(input, |_| scenes += 1);
    assert!(scenes <= 2 * input.len() as u64 + 2);
});
