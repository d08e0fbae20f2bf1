//! Interrupts of a run by a signal.

use courses::peer::Supervisor;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use wire::Failure;

/// The signal that stopped the run, 0 if none.
static STOPPED_BY: AtomicI32 = AtomicI32::new(0);
/// True once all games are over. Then results are computed and written, and an interrupt ends the process at once.
static CONCLUDED: AtomicBool = AtomicBool::new(false);

/// Returns a guarded supervisor that handles interrupts. The first one asks the games to end. The second one, or one
/// after the games, ends the process at once.
///
/// # Errors
/// If the guard cannot be started.
pub fn supervisor() -> Result<&'static Supervisor, Failure> {
    let supervisor =
        Supervisor::guarded().map_err(|error| Failure::run(format!("cannot start the guard: {error}")))?;
    // Leaked, because the signal handler uses it until the process ends.
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

/// Marks all games as over, so that an interrupt ends the process at once.
pub fn conclude() {
    CONCLUDED.store(true, Ordering::Relaxed);
}

/// Returns the failure of an interrupted run, with exit code 128 plus the signal's number.
pub fn interrupted(what: &str) -> Failure {
    let signal = STOPPED_BY.load(Ordering::Relaxed);
    Failure::signal(format!("interrupted{what}"), u8::try_from(signal).unwrap_or(0))
}

/// Converts trouble in a part of a run to a failure.
pub fn failure(trouble: courses::fault::Trouble) -> Failure {
    match trouble {
        courses::fault::Trouble::Interrupted => interrupted(""),
        trouble => Failure::run(trouble),
    }
}
