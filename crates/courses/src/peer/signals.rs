//! Signals that a program of processes must not take over from whoever started it, nor hand on to its players.
//!
//! A signal that is ignored stays ignored in every process that is started, and a player must find its signals as they are
//! by default. So none is ignored here: it is caught and forgotten, which ends with the start of a program.

use signal_hook::consts::{FORBIDDEN, SIGPIPE};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};
use wire::signals::is_ignored;

/// The greatest number of a signal.
const LAST: i32 = 64;

/// Catches the signals that this program was started to ignore. The standard library gives players SIGPIPE back itself.
pub fn catch_signals() {
    static CAUGHT: OnceLock<()> = OnceLock::new();
    CAUGHT.get_or_init(|| {
        let can_be_caught = |signal: &i32| *signal != SIGPIPE && !FORBIDDEN.contains(signal);
        let ignored = (1..=LAST).filter(can_be_caught).filter(|&signal| is_ignored(signal));
        for signal in ignored {
            // One that the C library keeps for itself stays as it is.
            let _ = signal_hook::flag::register(signal, Arc::new(AtomicBool::new(false)));
        }
    });
}
