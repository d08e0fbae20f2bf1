//! Fuzzes a record file of the referee, read and counted as by `referee report`.
#![no_main]

use courses::store;
use libfuzzer_sys::fuzz_target;
use referee::standing::Standing;

fuzz_target!(|input: &[u8]| {
    let path = std::env::temp_dir().join(format!("fuzz-records-{}", std::process::id()));
    std::fs::write(&path, input).expect("a temporary file");
    if let Ok((head, records)) = store::load(&path) {
        let _ = Standing::of(head.names.len(), &records);
    }
});
