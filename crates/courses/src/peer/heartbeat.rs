//! Detects that this program was stopped (`SIGSTOP`, a frozen container), because its clock must then not decide a game.
//!
//! A thread sleeps repeatedly for a short time. A sleep that takes much longer counts as a stop, except for the time that
//! the thread waited for a processor: a player that keeps all processors busy does not stop this program.

use super::proc;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// The interval between two checks of the clock.
const BEAT: Duration = Duration::from_millis(20);
/// The shortest stop that counts, less than the grace of any player.
const LEAST: Duration = Duration::from_millis(40);
/// The longest wait for the next check of the clock.
const PATIENCE: Duration = Duration::from_secs(2);
/// The number of stops that are kept; earlier ones are dropped.
const MOST: usize = 1000;

#[derive(Debug)]
struct Heart {
    /// The time of the thread's last check.
    beat: Instant,
    /// The end and the length of each stop.
    stops: Vec<(Instant, Duration)>,
    /// The players' processes that ended a stop, in words, each with its time.
    meddlers: Vec<(Instant, String)>,
}

/// The state of the checking thread, which the first call starts. `None` if no thread can be started, or the system does
/// not report waiting times.
fn heart() -> Option<&'static Mutex<Heart>> {
    static HEART: OnceLock<Option<Mutex<Heart>>> = OnceLock::new();
    static BEATING: OnceLock<bool> = OnceLock::new();
    let heart = HEART.get_or_init(|| {
        let waits = !proc::read("/proc/thread-self/schedstat").is_empty();
        waits.then(|| Mutex::new(Heart { beat: Instant::now(), stops: Vec::new(), meddlers: Vec::new() }))
    });
    let heart = heart.as_ref()?;
    let is_beating = *BEATING.get_or_init(|| {
        std::thread::Builder::new().name("heartbeat".into()).spawn(move || beat(heart)).is_ok()
    });
    is_beating.then_some(heart)
}

fn lock(heart: &Mutex<Heart>) -> MutexGuard<'_, Heart> {
    heart.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The time that this thread has waited for a processor; `None` if the system does not report it.
fn waited(own: &proc::File) -> Option<Duration> {
    Some(Duration::from_nanos(own.read().split_whitespace().nth(1)?.parse().ok()?))
}

fn beat(heart: &Mutex<Heart>) {
    let Some(own) = proc::File::open("/proc/thread-self/schedstat") else { return };
    let mut before = (Instant::now(), waited(&own).unwrap_or_default());
    loop {
        std::thread::sleep(BEAT);
        let now = (Instant::now(), waited(&own).unwrap_or_default());
        let late = (now.0 - before.0).saturating_sub(BEAT);
        let stopped = late.saturating_sub(now.1.saturating_sub(before.1));
        let mut heart = lock(heart);
        heart.beat = now.0;
        if stopped >= LEAST {
            let count = heart.stops.len();
            if count >= MOST {
                heart.stops.remove(0);
            }
            heart.stops.push((now.0, stopped));
        }
        before = now;
    }
}

/// Starts the detection. Earlier stops are not noticed.
pub(super) fn begin() {
    let _ = heart();
}

/// The stops of this program in some period.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stopped {
    /// The total length of the stops.
    pub time: Duration,
    /// The process of a player that ended one of the stops, in words.
    pub meddler: Option<String>,
}

/// Returns the stops of this program after `since`, if they were long enough to make an answer late.
#[must_use]
pub fn stopped_since(since: Instant) -> Option<Stopped> {
    let heart = heart()?;
    let (asked, deadline) = (Instant::now(), Instant::now() + PATIENCE);
    // The thread that beats may go on a moment later than the one that asks.
    while lock(heart).beat < asked && Instant::now() < deadline {
        std::thread::sleep(BEAT / 4);
    }
    let heart = lock(heart);
    let time: Duration = heart.stops.iter().filter(|(end, _)| *end >= since).map(|(_, length)| *length).sum();
    let meddler = heart.meddlers.iter().find(|(at, _)| *at >= since).map(|(_, who)| who.clone());
    (!time.is_zero()).then_some(Stopped { time, meddler })
}

/// Notes who let this program go on (`SIGCONT`): a stop that a player ended is the player's.
pub fn resumed_by(process: i32) {
    let Some(who) = super::orphans::player_above(process) else { return };
    if let Some(heart) = heart() {
        lock(heart).meddlers.push((Instant::now(), who));
    }
}
