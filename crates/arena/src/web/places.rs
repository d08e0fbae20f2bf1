//! Places for engines: a few for each visitor, and a limit for all.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Maximum number of engines at a time, in all and for one visitor.
const MOST: (usize, usize) = (24, 8);

/// The number of running engines of each visitor.
#[derive(Debug, Default)]
pub struct Places(Mutex<HashMap<IpAddr, usize>>);

impl Places {
    fn lock(&self) -> MutexGuard<'_, HashMap<IpAddr, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a place for an engine; `None` if the visitor, or all of them together, have the maximum.
    pub fn take(self: &Arc<Self>, owner: IpAddr) -> Option<Place> {
        let mut taken = self.lock();
        let own = taken.get(&owner).copied().unwrap_or_default();
        if own >= MOST.1 || taken.values().sum::<usize>() >= MOST.0 {
            return None;
        }
        taken.insert(owner, own + 1);
        Some(Place { places: Arc::clone(self), owner })
    }
}

/// A place of an engine. Dropping it gives it back.
#[derive(Debug)]
pub struct Place {
    places: Arc<Places>,
    owner: IpAddr,
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = self.places.lock();
        if let Some(own) = taken.get_mut(&self.owner) {
            *own -= 1;
            if *own == 0 {
                taken.remove(&self.owner);
            }
        }
    }
}
