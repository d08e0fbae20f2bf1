//! Signals that a program of processes must not take over from whoever started it, nor hand on to its players.
//!
//! A signal that is ignored stays ignored in every process that is started, and a player must find its signals as they are
//! by default. So none is ignored here: it is caught and forgotten, which ends with the start of a program.

use signal_hook::consts::{SIGALRM, SIGCHLD, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};
use wire::signals::is_ignored;

/// Signals that a shell or `nohup` may have left ignored.
const SOMETIMES_IGNORED: [i32; 9] =
    [SIGALRM, SIGCHLD, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU];

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
