//! The limits of a search, and the control that applies them.
//!
//! ```
//! use search_core::{Control, Limits, Stop, Stopwatch};
//! use std::time::Duration;
//!
//! let clock = Stopwatch::start();
//! let limits = Limits { nodes: Some(2), ..Limits::time(Duration::from_secs(5)) };
//! let control = Control::new(limits, &clock);
//! control.arm(); // there is an answer: the limits apply from here on
//! assert_eq!([control.tick(), control.tick(), control.tick()], [Ok(()), Ok(()), Err(Stop)]);
//! ```

use crate::score::Depth;
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The error of a stopped search. Callers pass it up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stop;

/// The result of a search that can be stopped.
pub type Searched<T = crate::score::Score> = Result<T, Stop>;

/// The time since the caller's start. Injected, so that tests can control it.
pub trait Clock {
    /// Time used so far.
    fn elapsed(&self) -> Duration;
}

/// A function that returns the time used so far is a clock.
impl<F: Fn() -> Duration> Clock for F {
    fn elapsed(&self) -> Duration {
        self()
    }
}

/// The real clock. Start it when the request arrives, not when the search begins.
#[derive(Debug, Clone, Copy)]
pub struct Stopwatch(Instant);

impl Stopwatch {
    /// Starts a clock now.
    #[must_use]
    pub fn start() -> Self {
        Self(Instant::now())
    }

    /// Creates a clock that has already run for `elapsed`, for a limit that began before the program could read the time.
    #[must_use]
    pub fn running_since(elapsed: Duration) -> Self {
        let now = Instant::now();
        Self(now.checked_sub(elapsed).unwrap_or(now))
    }
}

impl Clock for Stopwatch {
    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

/// The limits of a search; `None` for no limit of that kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Limits {
    /// The largest number of plies.
    pub depth: Option<Depth>,
    /// The largest number of positions visited.
    pub nodes: Option<u64>,
    /// The soft time limit: no iteration starts after it.
    pub soft: Option<Duration>,
    /// The hard time limit: the search stops within an iteration.
    pub hard: Option<Duration>,
}

impl Limits {
    /// Returns a depth limit alone.
    #[must_use]
    pub fn depth(depth: Depth) -> Self {
        Self { depth: Some(depth), ..Self::default() }
    }

    /// Returns a node limit alone.
    #[must_use]
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }

    /// Returns the time limits of a move. The hard limit reserves `clamp(allowance / 20, 2 ms, 50 ms)` for sending the
    /// answer; the soft limit prevents iterations that would hardly finish.
    #[must_use]
    pub fn time(allowance: Duration) -> Self {
        let reserve = (allowance / 20).clamp(Duration::from_millis(2), Duration::from_millis(50));
        let hard = allowance.saturating_sub(reserve);
        Self { soft: Some(hard.mul_f64(0.6)), hard: Some(hard), ..Self::default() }
    }
}

/// Applies [`Limits`] to a running search. Shared by reference, so that hooks and private recursions count nodes too.
///
/// `think` arms it as soon as there is a move to play. Searches that answer only at their end leave that to the caller:
/// [`negamax`](crate::negamax), [`max_n`](crate::rivals::max_n), [`expectimax`](crate::chance::expectimax),
/// [`Search::value`](crate::Search::value), [`Prover`](crate::proof::Prover) and [`Beam`](crate::beam::Beam) know no limit
/// before [`arm`](Self::arm).
pub struct Control<'a> {
    limits: Limits,
    clock: &'a dyn Clock,
    stop: Option<&'a AtomicBool>,
    /// A second flag that stops the search: another thread has its result.
    #[cfg(feature = "threads")]
    settled: Option<&'a AtomicBool>,
    nodes: Cell<u64>,
    next_look: Cell<u64>,
    stride: Cell<u64>,
    last_look: Cell<Duration>,
    has_looked: Cell<bool>,
    /// The longest observed gap between clock checks that the search does not explain (preemption).
    longest_wait: Cell<Duration>,
    armed: Cell<bool>,
    stopped: Cell<bool>,
}

impl<'a> Control<'a> {
    /// The approximate interval between clock checks.
    const LOOK_EVERY: Duration = Duration::from_micros(50);
    /// The least gap between clock checks that counts as preemption.
    const WAITED: Duration = Duration::from_millis(1);

    /// Creates a control. Nothing stops the search until [`arm`](Self::arm) is called.
    pub fn new(limits: Limits, clock: &'a dyn Clock) -> Self {
        Self {
            limits,
            clock,
            stop: None,
            #[cfg(feature = "threads")]
            settled: None,
            nodes: Cell::new(0),
            next_look: Cell::new(0),
            // The first positions may each touch a page of fresh memory: the clock is checked at each until they are
            // fast.
            stride: Cell::new(1),
            last_look: Cell::new(clock.elapsed()),
            has_looked: Cell::new(false),
            longest_wait: Cell::new(Duration::ZERO),
            armed: Cell::new(false),
            stopped: Cell::new(false),
        }
    }

    /// Also stops once another thread sets `flag`.
    ///
    /// ```
    /// use search_core::{Control, Limits, Stop, Stopwatch};
    /// use std::sync::atomic::{AtomicBool, Ordering};
    ///
    /// let (clock, stop) = (Stopwatch::start(), AtomicBool::new(false));
    /// let control = Control::new(Limits::default(), &clock).with_stop_flag(&stop);
    /// control.arm();
    /// assert_eq!(control.tick(), Ok(()));
    /// stop.store(true, Ordering::Relaxed); // the search sees it within some thousand nodes
    /// assert!((0..10_000).any(|_| control.tick() == Err(Stop)));
    /// ```
    #[must_use]
    pub fn with_stop_flag(mut self, flag: &'a AtomicBool) -> Self {
        self.stop = Some(flag);
        self
    }

    /// Calls `work` with a control of the same limits, which also stops once another thread sets `settled`, armed or not.
    /// Its nodes count here.
    #[cfg(feature = "threads")]
    pub(crate) fn until<T>(&self, settled: &AtomicBool, work: impl FnOnce(&Control<'_>) -> T) -> T {
        let (limits, stop) =
            if self.armed.get() { (self.limits, self.stop) } else { (Limits::default(), None) };
        let inner = Control {
            limits,
            stop,
            settled: Some(settled),
            nodes: self.nodes.clone(),
            next_look: Cell::new(self.nodes.get()),
            stride: self.stride.clone(),
            last_look: self.last_look.clone(),
            has_looked: self.has_looked.clone(),
            longest_wait: self.longest_wait.clone(),
            armed: Cell::new(true),
            stopped: self.stopped.clone(),
            ..*self
        };
        let result = work(&inner);
        self.nodes.set(inner.nodes.get());
        self.next_look.set(inner.nodes.get());
        self.longest_wait.set(inner.longest_wait.get());
        self.stopped.set(inner.is_stopped() && !settled.load(Ordering::Relaxed));
        result
    }

    /// Lets the limits stop the search from now on. Called once there is a move to play.
    pub fn arm(&self) {
        if !self.armed.replace(true) {
            self.next_look.set(self.nodes.get());
        }
    }

    /// The limits that the control applies.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// The number of positions visited.
    #[inline]
    pub fn nodes(&self) -> u64 {
        self.nodes.get()
    }

    /// The time used.
    pub fn elapsed(&self) -> Duration {
        self.clock.elapsed()
    }

    /// Returns true if the search has been stopped.
    pub fn is_stopped(&self) -> bool {
        self.stopped.get()
    }

    /// Returns true if another iteration may start.
    pub fn may_deepen(&self) -> bool {
        !self.stopped.get()
            && self.limits.soft.is_none_or(|soft| self.elapsed() < soft)
            && self.limits.nodes.is_none_or(|nodes| self.nodes() < nodes)
            && !self.flag_is_set()
    }

    /// Counts a node. Private recursions must call it too.
    ///
    /// # Errors
    /// [`Stop`] once a limit is reached, and on every later call.
    #[inline]
    pub fn tick(&self) -> Searched<()> {
        let nodes = self.nodes.get() + 1;
        self.nodes.set(nodes);
        if nodes < self.next_look.get() { Ok(()) } else { self.look(nodes) }
    }

    #[cold]
    fn look(&self, nodes: u64) -> Searched<()> {
        if !self.armed.get() {
            self.next_look.set(u64::MAX);
            return Ok(());
        }
        if self.stopped.get() {
            return Err(Stop);
        }
        let mut next = u64::MAX;
        let mut stop = self.flag_is_set();
        if let Some(limit) = self.limits.nodes {
            // The node that exceeds the limit is not searched.
            stop |= nodes > limit;
            next = next.min(limit.saturating_add(1));
        }
        if self.limits.hard.is_some() || self.has_flag() {
            let now = self.clock.elapsed();
            let since = now.saturating_sub(self.last_look.replace(now));
            self.note_wait(since);
            stop |= self.limits.hard.is_some_and(|hard| now + self.longest_wait.get().min(hard / 5) >= hard);
            next = next.min(nodes + self.calibrate(since));
        }
        self.stopped.set(stop);
        self.next_look.set(if stop { 0 } else { next });
        if stop { Err(Stop) } else { Ok(()) }
    }

    /// Notes a gap that looks like preemption. On a busy machine the next gap may be as long as the longest so far and
    /// begin just before the limit. The time before the first clock check may have other causes, so it does not count.
    fn note_wait(&self, since: Duration) {
        if self.has_looked.replace(true) && since >= Self::WAITED {
            self.longest_wait.set(self.longest_wait.get().max(since));
        }
    }

    /// Returns the number of nodes until the next clock check. A node takes between 5 ns and 100 µs, depending on the game
    /// and the leaf search.
    fn calibrate(&self, since: Duration) -> u64 {
        let stride = self.stride.get();
        let stride = if since > Self::LOOK_EVERY { (stride / 2).max(1) } else { (stride * 2).min(4096) };
        self.stride.set(stride);
        stride
    }

    fn flags(&self) -> impl Iterator<Item = &'a AtomicBool> {
        #[cfg(feature = "threads")]
        return self.stop.into_iter().chain(self.settled);
        #[cfg(not(feature = "threads"))]
        self.stop.into_iter()
    }

    fn has_flag(&self) -> bool {
        self.flags().next().is_some()
    }

    fn flag_is_set(&self) -> bool {
        self.flags().any(|flag| flag.load(Ordering::Relaxed))
    }
}

impl std::fmt::Debug for Control<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Control")
            .field("limits", &self.limits)
            .field("nodes", &self.nodes)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
