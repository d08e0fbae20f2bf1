//! The signals that end a program.

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use std::sync::OnceLock;

/// The signals that this program was started with as ignored, by their bits.
fn ignored_at_start() -> u64 {
    static IGNORED: OnceLock<u64> = OnceLock::new();
    *IGNORED.get_or_init(|| {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
    })
}

/// True if whoever started this program wants it to go on at a signal, as `nohup` does. The first call must come before
/// any signal is caught.
#[must_use]
pub fn is_ignored(signal: i32) -> bool {
    ignored_at_start() >> (signal - 1) & 1 == 1
}

/// SIGINT, SIGTERM and SIGHUP, which closes with the terminal, less those that are [ignored](is_ignored).
#[must_use]
pub fn that_end() -> Vec<i32> {
    [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|&signal| !is_ignored(signal)).collect()
}
