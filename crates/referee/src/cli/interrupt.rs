//! What an interrupt does to a run.

use courses::peer::Supervisor;
use wire::Failure;

/// A guarded supervisor that an interrupt stops: the first asks the run to end, the second ends it at once.
///
/// # Errors
/// When the guard cannot be started.
pub fn supervisor() -> Result<&'static Supervisor, Failure> {
    let supervisor =
        Supervisor::guarded().map_err(|error| Failure::run(format!("cannot start the guard: {error}")))?;
    // It lives as long as the process: the handler of interrupts needs it until the end.
    let supervisor: &'static Supervisor = Box::leak(Box::new(supervisor));
    ctrlc::set_handler(move || {
        if supervisor.is_stopped() {
            std::process::exit(1);
        }
        supervisor.stop();
    })
    .map_err(Failure::run)?;
    Ok(supervisor)
}
