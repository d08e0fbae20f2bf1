//! Detects that this program was stopped (`SIGSTOP`, a frozen container), because its clock must then not decide a game.
//!
//! A thread sleeps repeatedly for a short time. A sleep that takes much longer counts as a stop, except for the time that
//! the thread waited for a processor: a player that keeps all processors busy does not stop this program. Nor does reading
//! a page of memory count, unless an outsider resumed this program: a player can fill the memory.
//!
//! A stop that a player may have ended has a [`meddler`](Stopped::meddler).

use super::orphans::{self, Sender};
use super::proc;
use rustix::process::{Signal, getpid, kill_process};
use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// The interval between two checks of the clock.
const BEAT: Duration = Duration::from_millis(20);
/// The shortest stop that counts, less than the grace of any player.
const LEAST: Duration = Duration::from_millis(40);
/// The longest wait for the next check of the clock.
const PATIENCE: Duration = Duration::from_secs(2);
/// The number of stops and signals that are kept; earlier ones are dropped.
const MOST: usize = 1000;

#[derive(Debug)]
struct Heart {
    /// The time of the thread's last check.
    beat: Instant,
    stops: VecDeque<Stop>,
    /// The times at which this program was resumed, and the senders of the signal.
    resumed: VecDeque<(Instant, Sender)>,
    /// Number of signals that this program has sent to itself and heard.
    echoes: u64,
}

/// An interval in which the thread neither ran nor waited for a processor.
#[derive(Debug)]
struct Stop {
    end: Instant,
    length: Duration,
    /// True if the thread waited for memory to be read from the disk.
    has_faults: bool,
}

impl Heart {
    fn new() -> Self {
        Self { beat: Instant::now(), stops: VecDeque::new(), resumed: VecDeque::new(), echoes: 0 }
    }

    /// The stops since a moment. A player that sent a signal meanwhile may have ended one of them.
    fn stopped_since(&self, since: Instant) -> Option<Stopped> {
        let resumed = || self.resumed.iter().filter(|(at, _)| *at >= since).map(|(_, sender)| sender);
        let is_resumed = resumed().any(|sender| *sender == Sender::Outside);
        let stops = self.stops.iter().filter(|stop| stop.end > since && (is_resumed || !stop.has_faults));
        let time: Duration = stops.map(|stop| stop.length).sum();
        let meddler = resumed().find_map(|sender| match sender {
            Sender::Outside => None,
            Sender::Player(who) => Some(who.clone()),
            Sender::Gone => Some("a process that has ended since, perhaps of a player,".to_owned()),
        });
        (!time.is_zero()).then_some(Stopped { time, meddler })
    }
}

/// Adds an entry; drops the oldest one if there are [`MOST`].
fn push<T>(all: &mut VecDeque<T>, one: T) {
    if all.len() >= MOST {
        all.pop_front();
    }
    all.push_back(one);
}

/// The state of the checking thread, which the first call starts. `None` if no thread can be started, or the system does
/// not report waiting times.
fn heart() -> Option<&'static Mutex<Heart>> {
    static HEART: OnceLock<Option<Mutex<Heart>>> = OnceLock::new();
    static BEATING: OnceLock<bool> = OnceLock::new();
    let heart = HEART.get_or_init(|| {
        let waits = !proc::read("/proc/thread-self/schedstat").is_empty();
        waits.then(|| Mutex::new(Heart::new()))
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

/// Number of times that this thread waited for memory to be read from the disk.
fn faults(own: &proc::File) -> u64 {
    let stat = own.read();
    let fields = stat.rsplit_once(") ").map_or("", |(_, fields)| fields);
    fields.split(' ').nth(9).and_then(|count| count.parse().ok()).unwrap_or(0)
}

fn beat(heart: &Mutex<Heart>) {
    let Some(waits) = proc::File::open("/proc/thread-self/schedstat") else { return };
    let Some(stat) = proc::File::open("/proc/thread-self/stat") else { return };
    let look = || (Instant::now(), waited(&waits).unwrap_or_default(), faults(&stat));
    let mut before = look();
    loop {
        std::thread::sleep(BEAT);
        let now = look();
        let late = (now.0 - before.0).saturating_sub(BEAT);
        let length = late.saturating_sub(now.1.saturating_sub(before.1));
        let mut heart = lock(heart);
        heart.beat = now.0;
        if length >= LEAST {
            push(&mut heart.stops, Stop { end: now.0, length, has_faults: now.2 > before.2 });
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
    /// The process that ended one of them, in words, if it may be a player's.
    pub meddler: Option<String>,
}

/// Returns the stops of this program after `since`, if they were long enough to make an answer late.
#[must_use]
pub fn stopped_since(since: Instant) -> Option<Stopped> {
    let heart = heart()?;
    let deadline = Instant::now() + PATIENCE;
    wait_for_beat(heart, deadline);
    lock(heart).stopped_since(since)?;
    hear_all_signals(heart, deadline);
    lock(heart).stopped_since(since)
}

/// A clock that stands while this program is stopped, whoever let it go on.
#[derive(Debug)]
pub struct RunningTime {
    began: Instant,
    /// The last check of the clock whose stops are counted, and the time of all stops so far.
    counted: Mutex<(Instant, Duration)>,
}

impl RunningTime {
    /// Starts at zero.
    #[must_use]
    pub fn start() -> Self {
        begin();
        let began = Instant::now();
        Self { began, counted: Mutex::new((began, Duration::ZERO)) }
    }

    /// Returns the time since its start, without the stops of this program.
    #[must_use]
    pub fn now(&self) -> Duration {
        let Some(heart) = heart() else { return self.began.elapsed() };
        if lock(heart).beat.elapsed() >= LEAST {
            wait_for_beat(heart, Instant::now() + PATIENCE);
        }
        let mut counted = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
        let heart = lock(heart);
        let since = counted.0;
        counted.1 += heart.stopped_since(since).map_or(Duration::ZERO, |stopped| stopped.time);
        counted.0 = counted.0.max(heart.beat);
        self.began.elapsed().saturating_sub(counted.1)
    }
}

/// Waits for the next beat: the thread that beats may go on a moment later than the one that asks.
fn wait_for_beat(heart: &Mutex<Heart>, deadline: Instant) {
    let asked = Instant::now();
    while lock(heart).beat < asked && Instant::now() < deadline {
        std::thread::sleep(BEAT / 4);
    }
}

/// Waits until all signals sent so far are noted: sends one to this program and waits for it.
fn hear_all_signals(heart: &Mutex<Heart>, deadline: Instant) {
    let heard = lock(heart).echoes;
    while lock(heart).echoes == heard && Instant::now() < deadline {
        // Sent again, because a signal is lost while another one is pending.
        let _ = kill_process(getpid(), Signal::CONT);
        std::thread::sleep(BEAT / 4);
    }
}

/// Notes that a process resumed this program (`SIGCONT`). `None` means that the system does not guarantee the sender: a
/// player may have sent the signal under another's number.
pub fn resumed_by(process: Option<i32>) {
    let Some(heart) = heart() else { return };
    let at = Instant::now();
    if process == Some(std::process::id() as i32) {
        lock(heart).echoes += 1;
        return;
    }
    let sender = process.map_or(Sender::Gone, orphans::sender);
    push(&mut lock(heart).resumed, (at, sender));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stopped(has_faults: bool, senders: &[Sender]) -> Option<Stopped> {
        let since = Instant::now();
        let mut heart = Heart::new();
        let end = since + Duration::from_millis(1);
        push(&mut heart.stops, Stop { end, length: Duration::from_secs(3), has_faults });
        senders.iter().for_each(|sender| push(&mut heart.resumed, (Instant::now(), sender.clone())));
        heart.stopped_since(since)
    }

    #[test]
    fn a_stop_that_a_player_may_have_ended_has_a_meddler() {
        let player = Sender::Player("process 7 (sh) of a player".into());
        let meddler = |senders: &[Sender]| stopped(false, senders).expect("it was stopped").meddler;
        assert_eq!(meddler(&[]), None);
        assert_eq!(meddler(&[Sender::Outside]), None);
        assert_eq!(meddler(&[Sender::Outside, player.clone()]), Some("process 7 (sh) of a player".into()));
        assert!(meddler(&[Sender::Gone]).is_some_and(|who| who.starts_with("a process that has ended")));
    }

    #[test]
    fn a_wait_for_memory_is_a_stop_only_if_somebody_ended_it() {
        assert_eq!(stopped(true, &[]), None);
        assert!(stopped(true, &[Sender::Outside]).is_some());
    }

    #[test]
    fn a_flood_of_signals_takes_no_memory() {
        let mut heart = Heart::new();
        (0..10 * MOST).for_each(|_| push(&mut heart.resumed, (Instant::now(), Sender::Gone)));
        assert_eq!(heart.resumed.len(), MOST);
    }
}
