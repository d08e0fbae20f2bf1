//! Interruptions of a run.

use courses::peer::Supervisor;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use wire::Failure;

/// The signal that stopped the run; 0 before.
static STOPPED_BY: AtomicI32 = AtomicI32::new(0);
/// True once the games are over: results are reckoned and written, and an interrupt ends the process at once.
static CONCLUDED: AtomicBool = AtomicBool::new(false);

/// A guarded supervisor that an interrupt stops: the first asks the games to end, the second ends the process at once, as
/// does one after the games.
///
/// # Errors
/// When the guard cannot be started.
pub fn supervisor() -> Result<&'static Supervisor, Failure> {
    let supervisor =
        Supervisor::guarded().map_err(|error| Failure::run(format!("cannot start the guard: {error}")))?;
    // It lives as long as the process: the handler of interrupts needs it until the end.
    let supervisor: &'static Supervisor = Box::leak(Box::new(supervisor));
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP]).map_err(Failure::run)?;
    std::thread::spawn(move || {
        for signal in signals.forever() {
            if supervisor.is_stopped() || CONCLUDED.load(Ordering::Relaxed) {
                std::process::exit(128 + signal);
            }
            STOPPED_BY.store(signal, Ordering::Relaxed);
            supervisor.stop();
        }
    });
    Ok(supervisor)
}

/// The games are over and their processes are gone: from here on an interrupt ends the process at once.
pub fn conclude() {
    CONCLUDED.store(true, Ordering::Relaxed);
}

/// The end of a run that was interrupted: exit code 128 and the signal's number.
pub fn interrupted(what: &str) -> Failure {
    let signal = STOPPED_BY.load(Ordering::Relaxed);
    Failure::signal(format!("interrupted{what}"), u8::try_from(signal).unwrap_or(0))
}

/// The failure of something that a run consists of.
pub fn failure(trouble: courses::fault::Trouble) -> Failure {
    match trouble {
        courses::fault::Trouble::Interrupted => interrupted(""),
        trouble => Failure::run(trouble),
    }
}
