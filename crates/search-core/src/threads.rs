//! Several threads that search together (feature "threads").
//!
//! A [`Crew`] starts the threads and tells each which moves the others search at the moment. They share one table; a move
//! that another thread searches is put off, and by then the table often has its value.
//!
//! ```
//! use search_core::testing::{Heap, Take};
//! use search_core::{Control, Crew, Evaluation, Limits, Options, Score, Search, Stopwatch, Table};
//!
//! let clock = Stopwatch::start();
//! let control = Control::new(Limits::depth(12), &clock);
//! let table = Table::with_bytes(1 << 20);
//! let crew = Crew::new(2);
//! let heuristics = || Evaluation::new(|_: &Heap| Score::DRAW);
//! let mut search = Search::new(heuristics(), Heap(11), &table, &control, Options::EXACT);
//! let report = search.think_with(&crew, heuristics, &mut |_| {});
//! assert_eq!((report.best, report.score), (Some(Take(3)), Score::win_in(5)));
//! ```
//!
//! Source: J.-C. Weill, "The ABDADA distributed minimax search algorithm", 1996; T. Kerrigan, "Simplified ABDADA", 2017.

use crate::position::MoveCode;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;

/// A value in cache lines of its own, so that reading it costs nothing while a thread writes to values near it. Processors
/// fetch lines in pairs.
#[derive(Debug)]
#[repr(align(128))]
pub(crate) struct Apart<T>(pub T);

/// The threads of a search, and the moves that each of them searches.
#[derive(Debug)]
#[repr(align(128))] // As `Apart`: every thread reads it.
pub struct Crew {
    threads: usize,
    /// Hashes of positions with a move; 0 in an empty slot.
    busy: Vec<AtomicU64>,
}

/// The number of slots for moves. Two moves that share one are at worst searched twice.
const SLOTS: usize = 1 << 12;
/// The stack of a helper in bytes, as large as a main thread's.
const STACK: usize = 8 << 20;

impl Crew {
    /// A crew of `threads`, the caller's included; at least one.
    #[must_use]
    pub fn new(threads: usize) -> Self {
        let slots = if threads > 1 { SLOTS } else { 1 };
        Self { threads: threads.max(1), busy: (0..slots).map(|_| AtomicU64::new(0)).collect() }
    }

    /// The number of threads, the caller's included.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Calls `lead` in this thread and `help` in each of the others. `help` gets a flag that is set once `lead` has
    /// returned, and must then return too. Helpers that the system refuses are missing in the result.
    ///
    /// # Panics
    /// If a thread does.
    pub fn run<T, H: Send>(
        &self,
        help: impl Fn(&AtomicBool) -> H + Sync,
        lead: impl FnOnce() -> T,
    ) -> (T, Vec<H>) {
        let Apart(done) = &Apart(AtomicBool::new(false));
        thread::scope(|scope| {
            let help = || help(done);
            let start = |_| thread::Builder::new().stack_size(STACK).spawn_scoped(scope, help).ok();
            let helpers: Vec<_> = (1..self.threads).filter_map(start).collect();
            let led = {
                let _when_left = SetWhenDropped(done);
                lead()
            };
            let join = |helper: thread::ScopedJoinHandle<'_, H>| {
                helper.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            (led, helpers.into_iter().map(join).collect())
        })
    }

    /// The turn of a move in the position of a key.
    #[inline]
    #[must_use]
    pub fn turn(&self, key: u64, mv: impl MoveCode) -> Turn<'_> {
        let hash = key ^ u64::from(mv.to_code() + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let hash = (hash ^ hash >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        // The number of slots is a power of two.
        Turn { slot: &self.busy[(hash >> 32) as usize & (self.busy.len() - 1)], hash: hash | 1 }
    }
}

/// A move of a position, as one of the moves that threads search.
#[derive(Debug, Clone, Copy)]
pub struct Turn<'a> {
    slot: &'a AtomicU64,
    hash: u64,
}

impl Turn<'_> {
    /// Returns true while another thread searches this move.
    #[inline]
    #[must_use]
    pub fn is_taken(self) -> bool {
        self.slot.load(Relaxed) == self.hash
    }

    /// Calls `search`, and tells the other threads of it meanwhile.
    #[inline]
    pub fn take<T>(self, search: impl FnOnce() -> T) -> T {
        self.slot.store(self.hash, Relaxed);
        let result = search();
        self.slot.store(0, Relaxed);
        result
    }
}

/// Sets a flag when it is dropped: also if a panic leaves the scope.
struct SetWhenDropped<'a>(&'a AtomicBool);

impl Drop for SetWhenDropped<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread::yield_now;

    #[test]
    fn a_move_is_taken_while_it_is_searched() {
        let crew = Crew::new(1);
        let turn = crew.turn(7, 3_u8);
        assert!(!turn.is_taken());
        turn.take(|| {
            assert!(crew.turn(7, 3_u8).is_taken());
            assert!(!crew.turn(7, 4_u8).is_taken() && !crew.turn(8, 3_u8).is_taken());
        });
        assert!(!turn.is_taken());
    }

    #[test]
    fn helpers_stop_when_the_leader_has_ended() {
        let crew = Crew::new(3);
        let help = |done: &AtomicBool| {
            while !done.load(Relaxed) {
                yield_now();
            }
            1
        };
        assert_eq!(crew.run(help, || 9), (9, vec![1, 1]));
        let ended = std::panic::catch_unwind(|| crew.run(help, || panic!("the leader")));
        assert!(ended.is_err());
    }
}
