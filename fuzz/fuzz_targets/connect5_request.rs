//! Fuzzes the requests of the course's tool.
#![no_main]

use connect5_joueur::protocol::request::{Incoming, RequestReader};
use connect5_joueur::rules::Grid;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let mut reader = RequestReader::new(input);
    while let Ok(Incoming::Request(request)) = reader.next(|| ()) {
        let again: Grid = request.grid.to_string().parse().expect("its own text");
        assert_eq!(again, request.grid);
    }
});
