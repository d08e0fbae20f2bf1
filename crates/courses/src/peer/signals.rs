//! Signals that a program of processes must not take over from whoever started it, nor hand on to its players.
//!
//! A signal that is ignored stays ignored in every process that is started, and a player must find its signals as they are
//! by default. So none is ignored here: it is caught and forgotten, which ends with the start of a program.

use signal_hook::consts::{SIGALRM, SIGCHLD, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

/// Signals that a shell or `nohup` may have left ignored.
const SOMETIMES_IGNORED: [i32; 9] =
    [SIGALRM, SIGCHLD, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU];

/// The signals that this program was started with as ignored, by their bits.
fn ignored_at_start() -> u64 {
    static IGNORED: OnceLock<u64> = OnceLock::new();
    *IGNORED.get_or_init(|| {
        let status = super::proc::read("/proc/self/status");
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
    })
}

/// True if whoever started this program wants it to go on at a signal, as `nohup` does.
#[must_use]
pub fn is_ignored(signal: i32) -> bool {
    ignored_at_start() >> (signal - 1) & 1 == 1
}

/// Catches the signals that this program was started to ignore.
pub fn catch_signals() {
    static CAUGHT: OnceLock<()> = OnceLock::new();
    CAUGHT.get_or_init(|| {
        let ignored = SOMETIMES_IGNORED.into_iter().filter(|&signal| is_ignored(signal));
        for signal in ignored {
            // One that cannot be caught stays as it is.
            let _ = signal_hook::flag::register(signal, Arc::new(AtomicBool::new(false)));
        }
    });
}
