//! Fuzzes a session of the Gomocup protocol, at a thousand positions a move.
#![no_main]

use connect5_joueur::player::Settings;
use connect5_joueur::protocol::piskvork;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let settings = Settings { table_bytes: 1 << 14, nodes_per_milli: Some(1), ..Settings::default() };
    // Lines that set the time are dropped: a manager may ask for hours.
    let timed = |line: &[u8]| line.to_ascii_uppercase().windows(4).any(|word| word == b"TIME");
    let lines: Vec<&[u8]> = input.split(|&byte| byte == b'\n').filter(|line| !timed(line)).collect();
    let session = [b"INFO timeout_turn 1000", lines.join(&b'\n').as_slice()].join(&b'\n');
    let _ = piskvork::play(session.as_slice(), &mut std::io::sink(), settings);
});
