//! Places for engines: a few for each visitor, and a limit for all.

use std::cmp::Reverse;
use std::fmt::Debug;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

/// Maximum number of engines at a time, in all and for one visitor.
const MOST: (usize, usize) = (24, 8);

/// The running engines.
#[derive(Debug)]
pub struct Places {
    taken: Mutex<Taken>,
    /// Maximum number of threads of an analysis.
    threads: usize,
}

/// Returns the number of threads that this machine offers an analysis. The programs take at most 64.
#[must_use]
pub fn offered() -> usize {
    std::thread::available_parallelism().map_or(1, |cores| cores.get().min(64))
}

#[derive(Debug, Default)]
struct Taken {
    /// The engines, the oldest first.
    all: Vec<Entry>,
    /// The number of engines so far.
    count: u64,
}

#[derive(Debug)]
struct Entry {
    number: u64,
    owner: IpAddr,
    /// False for an analysis.
    plays: bool,
    guest: Option<Weak<dyn Guest>>,
}

/// An engine that can make room for others.
pub trait Guest: Debug + Send + Sync {
    /// Ends the engine, with `if_idle` only while it does not think. Returns true if it has ended.
    fn end(&self, if_idle: bool) -> bool;
}

impl Taken {
    fn of(&self, owner: IpAddr) -> usize {
        self.all.iter().filter(|entry| entry.owner == owner).count()
    }

    /// Ends an idle engine of `owner`, the oldest.
    fn make_own_room(&mut self, owner: IpAddr) -> bool {
        self.end_first(|_, entry| entry.owner == owner, true)
    }

    /// Ends an idle engine, the oldest of those visitors that have the most, or else one that thinks of a visitor that will
    /// still have as many as `owner`.
    fn make_room(&mut self, owner: IpAddr) -> bool {
        let most = self.of(owner) + 2;
        self.end_first(|_, _| true, true) || self.end_first(|all, entry| all.of(entry.owner) >= most, false)
    }

    fn end_first(&mut self, may_go: impl Fn(&Self, &Entry) -> bool, if_idle: bool) -> bool {
        let mut entries: Vec<&Entry> = self.all.iter().filter(|entry| may_go(self, entry)).collect();
        entries.sort_by_cached_key(|entry| Reverse(self.of(entry.owner)));
        let has_ended = |entry: &&Entry| {
            let guest = entry.guest.as_ref().and_then(Weak::upgrade);
            guest.is_some_and(|guest| guest.end(if_idle))
        };
        let ended = entries.into_iter().find(has_ended).map(|entry| entry.number);
        self.all.retain(|entry| Some(entry.number) != ended);
        ended.is_some()
    }
}

impl Places {
    /// Creates the places. An analysis has at most this number of threads.
    pub fn new(threads: usize) -> Self {
        Self { taken: Mutex::default(), threads }
    }

    /// The largest number of threads of an analysis.
    pub fn most_threads(&self) -> usize {
        self.threads
    }

    fn lock(&self) -> MutexGuard<'_, Taken> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a place for an engine, which plays or analyses. Where the visitor has the maximum, an idle engine of its own makes
    /// room; where all of them together have it, one of the visitor with the most. `None` if none can.
    pub fn take(self: &Arc<Self>, owner: IpAddr, plays: bool) -> Option<Place> {
        let mut taken = self.lock();
        if taken.of(owner) >= MOST.1 && !taken.make_own_room(owner) {
            return None;
        }
        if taken.all.len() >= MOST.0 && !taken.make_room(owner) {
            return None;
        }
        taken.count += 1;
        let number = taken.count;
        taken.all.push(Entry { number, owner, plays, guest: None });
        Some(Place { places: Arc::clone(self), number })
    }

    /// The threads that an analysis may use: one while an engine plays, which needs the time that it has, else those
    /// `wanted`.
    pub fn threads(&self, wanted: usize) -> usize {
        let plays = self.lock().all.iter().any(|entry| entry.plays);
        if plays { 1 } else { wanted.min(self.threads) }
    }
}

/// A place of an engine. Dropping it gives it back.
#[derive(Debug)]
pub struct Place {
    places: Arc<Places>,
    number: u64,
}

impl Place {
    /// The places of all engines.
    pub fn places(&self) -> Arc<Places> {
        Arc::clone(&self.places)
    }

    /// Tells which engine has the place.
    pub fn is_of(&self, guest: Weak<dyn Guest>) {
        if let Some(entry) = self.places.lock().all.iter_mut().find(|entry| entry.number == self.number) {
            entry.guest = Some(guest);
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.places.lock().all.retain(|entry| entry.number != self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, Ordering};

    #[test]
    fn an_analysis_has_one_thread_while_an_engine_plays() {
        let places = Arc::new(Places::new(4));
        let take = |plays| places.take(IpAddr::from([127, 0, 0, 1]), plays).expect("a free place");
        let _analysis = take(false);
        assert_eq!((places.threads(4), places.threads(3), places.threads(9)), (4, 3, 4));
        let players = [take(true), take(true)];
        assert_eq!(places.threads(4), 1);
        drop(players);
        assert_eq!(places.threads(4), 4);
    }

    /// An engine that is idle or thinks.
    #[derive(Debug)]
    struct Fake(AtomicBool);

    impl Guest for Fake {
        fn end(&self, if_idle: bool) -> bool {
            !if_idle || self.0.load(Ordering::Relaxed)
        }
    }

    #[test]
    fn an_idle_engine_of_the_visitor_with_the_most_makes_room() {
        let places = Arc::new(Places::new(1));
        let engine = |visitor: u8, is_idle: bool| {
            let place = places.take(IpAddr::from([127, 0, 0, visitor]), true)?;
            let guest = Arc::new(Fake(AtomicBool::new(is_idle)));
            let known: Arc<dyn Guest> = guest.clone();
            place.is_of(Arc::downgrade(&known));
            Some((place, guest))
        };
        let of = |visitor: u8| places.lock().of(IpAddr::from([127, 0, 0, visitor]));
        let mut all: Vec<_> = (0..MOST.0).map(|nth| engine(1 + nth as u8 / 8, nth > 0).unwrap()).collect();
        all.push(engine(9, true).expect("an idle one of the first visitor ends"));
        assert_eq!([1, 2, 3, 9].map(of), [7, 8, 8, 1]);
        assert!(all.remove(1).1.end(true) && of(1) == 7, "its place is given back once");
        for (_, guest) in &all {
            guest.0.store(false, Ordering::Relaxed);
        }
        assert!(engine(2, true).is_none(), "all of its own think");
        all[9].1.0.store(true, Ordering::Relaxed);
        assert!(engine(2, true).is_some() && of(2) == 7, "a visitor with the maximum ends its own");
        all.push(engine(2, false).expect("a free place"));
        // A visitor with fewer ends one of another that thinks.
        let _few: Vec<_> = (0..5).map(|_| engine(4, false).expect("one that thinks ends")).collect();
        assert_eq!([1, 2, 3, 9, 4].map(of), [6, 6, 6, 1, 5]);
        assert!(engine(4, false).is_none(), "it would have more than the others");
    }
}
