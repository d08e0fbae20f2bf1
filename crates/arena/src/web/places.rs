//! Places for engines: a few for each visitor, and a limit for all.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

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
    /// Engines of each visitor, analyses included.
    of: HashMap<IpAddr, usize>,
    /// Engines that play.
    playing: usize,
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

    /// Takes a place for an engine, which plays or analyses; `None` if the visitor, or all of them together, have the maximum.
    pub fn take(self: &Arc<Self>, owner: IpAddr, plays: bool) -> Option<Place> {
        let mut taken = self.lock();
        let own = taken.of.get(&owner).copied().unwrap_or_default();
        if own >= MOST.1 || taken.of.values().sum::<usize>() >= MOST.0 {
            return None;
        }
        taken.of.insert(owner, own + 1);
        taken.playing += usize::from(plays);
        Some(Place { places: Arc::clone(self), owner, plays })
    }

    /// The threads that an analysis may use: one while an engine plays, which needs the time that it has, else those
    /// `wanted`.
    pub fn threads(&self, wanted: usize) -> usize {
        if self.lock().playing > 0 { 1 } else { wanted.min(self.threads) }
    }
}

/// A place of an engine. Dropping it gives it back.
#[derive(Debug)]
pub struct Place {
    places: Arc<Places>,
    owner: IpAddr,
    plays: bool,
}

impl Place {
    /// The places of all engines.
    pub fn places(&self) -> Arc<Places> {
        Arc::clone(&self.places)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = self.places.lock();
        taken.playing -= usize::from(self.plays);
        if let Some(own) = taken.of.get_mut(&self.owner) {
            *own -= 1;
            if *own == 0 {
                taken.of.remove(&self.owner);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
