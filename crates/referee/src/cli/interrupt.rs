//! Interrupts of a run by a signal.

use super::language;
use courses::french::say;
use courses::peer::{Supervisor, resumed_by};
use signal_hook::consts::SIGCONT;
use signal_hook::iterator::SignalsInfo;
use signal_hook::iterator::exfiltrator::WithOrigin;
use signal_hook::low_level::siginfo::{Cause, Origin, Sent};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::time::Duration;
use wire::Failure;

/// The signal that stopped the run, 0 if none.
static STOPPED_BY: AtomicI32 = AtomicI32::new(0);
/// True before the first game and after the last one. Then an interrupt ends the process at once.
static IS_IDLE: AtomicBool = AtomicBool::new(false);
/// True while a call is made that may never return.
static WAITS: AtomicBool = AtomicBool::new(false);

/// True if an interrupted run has no results to print.
static IS_WITHOUT_RESULTS: AtomicBool = AtomicBool::new(false);
/// Time in which an interrupted run without results may end by itself.
const LAST_MOMENT: Duration = Duration::from_millis(100);
/// The same once it has begun to end.
const ENDING: Duration = Duration::from_secs(1);

/// A part of the program that ends an interrupted run without results, and says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ender {
    /// The thread that listens to signals.
    Listener,
    /// The run itself.
    Run,
}

/// The first one, so that the end is told once.
static ENDER: OnceLock<Ender> = OnceLock::new();

/// Returns a guarded supervisor that handles interrupts. The first one asks the games to end. The second one, or one
/// after the games, ends the process at once. A signal that this program was started to ignore, as by `nohup`, stays
/// ignored.
///
/// # Errors
/// If the guard or the listening thread cannot be started.
pub fn supervisor() -> Result<&'static Supervisor, Failure> {
    static SUPERVISOR: OnceLock<&Supervisor> = OnceLock::new();
    if let Some(supervisor) = SUPERVISOR.get() {
        return Ok(supervisor);
    }
    let supervisor =
        Supervisor::guarded().map_err(|error| Failure::run(format!("cannot start the guard: {error}")))?;
    // Leaked, because the signal handler uses it until the process ends.
    let supervisor: &'static Supervisor = SUPERVISOR.get_or_init(|| Box::leak(Box::new(supervisor)));
    let mut signals = SignalsInfo::<WithOrigin>::new(wire::signals::that_end().into_iter().chain([SIGCONT]))
        .map_err(Failure::run)?;
    let listen = move || {
        for info in signals.forever() {
            if info.signal == SIGCONT {
                resumed_by(sender_of(&info));
                continue;
            }
            let is_idle = IS_IDLE.load(Ordering::Relaxed) || WAITS.load(Ordering::Relaxed);
            if supervisor.is_stopped() || is_idle {
                wire::file::remove_unfinished();
                std::process::exit(128 + info.signal);
            }
            STOPPED_BY.store(info.signal, Ordering::Relaxed);
            supervisor.stop();
            if IS_WITHOUT_RESULTS.load(Ordering::Relaxed) {
                std::thread::sleep(LAST_MOMENT);
                if *ENDER.get_or_init(|| Ender::Listener) == Ender::Run {
                    std::thread::sleep(ENDING);
                }
                supervisor.sweep();
                wire::file::remove_unfinished();
                tell("referee: interrupted");
                std::process::exit(128 + info.signal);
            }
        }
    };
    let listening = std::thread::Builder::new().name("signals".into()).spawn(listen);
    listening.map_err(|error| Failure::run(format!("cannot listen to signals: {error}")))?;
    Ok(supervisor)
}

/// Prints a note, unless standard error is a pipe that nobody reads.
fn tell(text: &'static str) {
    let (done, is_done) = std::sync::mpsc::channel();
    let write = move || {
        language::note(text);
        let _ = done.send(());
    };
    if std::thread::Builder::new().spawn(write).is_ok() {
        let _ = is_done.recv_timeout(LAST_MOMENT);
    }
}

/// The process that sent a signal, if the system vouches for its number. `sigqueue` takes any number, and the system itself
/// sends signals that a process has asked for.
fn sender_of(signal: &Origin) -> Option<i32> {
    match signal.cause {
        Cause::Sent(Sent::User | Sent::TKill) => signal.process.map(|process| process.pid),
        _ => None,
    }
}

/// Lets a signal end a program without a [`supervisor`], which leaves no temporary file.
///
/// # Errors
/// If the listening thread cannot be started.
pub fn ends_at_once() -> Result<(), Failure> {
    wire::file::remove_unfinished_on_signals(|| ()).map_err(Failure::run)
}

/// Marks a run as one without a game yet. An interrupt ends the process at once, even while a long record is read.
pub fn prepares() {
    IS_IDLE.store(true, Ordering::Relaxed);
}

/// Marks a run as one with games, whose results an interrupt lets be printed.
pub fn plays() {
    IS_IDLE.store(false, Ordering::Relaxed);
}

/// Marks all games as over, so that an interrupt ends the process at once.
pub fn conclude() {
    IS_IDLE.store(true, Ordering::Relaxed);
}

/// Marks a run as one without results if it is interrupted: it then ends at once, even in a long calculation.
pub fn has_no_results() {
    IS_WITHOUT_RESULTS.store(true, Ordering::Relaxed);
}

/// Makes a call that may block for ever, as on a pipe without a reader. A signal ends the program at once meanwhile.
pub fn at_once<T>(call: impl FnOnce() -> T) -> T {
    WAITS.store(true, Ordering::Relaxed);
    let value = call();
    WAITS.store(false, Ordering::Relaxed);
    value
}

/// Returns the failure of an interrupted run, with exit code 128 plus the signal's number.
pub fn interrupted(what: &str) -> Failure {
    let is_told_here = IS_WITHOUT_RESULTS.load(Ordering::Relaxed);
    while is_told_here && *ENDER.get_or_init(|| Ender::Run) == Ender::Listener {
        // The listener is about to end the process.
        std::thread::park();
    }
    let signal = STOPPED_BY.load(Ordering::Relaxed);
    let told = say(&format!("interrupted{what}"), language::of_notes());
    Failure::signal(told, u8::try_from(signal).unwrap_or(0))
}

/// Converts trouble in a part of a run to a failure.
pub fn failure(trouble: courses::fault::Trouble) -> Failure {
    match trouble {
        courses::fault::Trouble::Interrupted => interrupted(""),
        courses::fault::Trouble::Argument(text) => Failure::input(text),
        trouble => Failure::run(trouble),
    }
}
