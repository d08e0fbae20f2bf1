use super::{Goal, Verdict};
use crate::memory::{self, Lines};
use crate::position::Outcome;
use std::sync::atomic::Ordering::Relaxed;

/// A proof number, a disproof number and the distance to the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Numbers {
    pub proof: u32,
    pub disproof: u32,
    /// The greatest number of plies to the end, once the goal is settled.
    pub plies: u32,
}

impl Numbers {
    /// The infinite number: the goal cannot be proven (or disproven) any more.
    pub const INFINITE: u32 = (1 << 28) - 1;

    /// Returns the numbers of a goal that is reached in `plies`.
    pub const fn proved(plies: u32) -> Self {
        Self { proof: 0, disproof: Self::INFINITE, plies }
    }

    /// Returns the numbers of a goal that is missed in `plies`.
    pub const fn disproved(plies: u32) -> Self {
        Self { proof: Self::INFINITE, disproof: 0, plies }
    }

    /// Returns the numbers of a goal that the end of the game decides now.
    pub fn at_end(goal: Goal, outcome: Outcome) -> Self {
        if goal.is_reached_by(outcome) { Self::proved(0) } else { Self::disproved(0) }
    }

    /// The proof and the disproof number.
    pub const fn pair(self) -> [u32; 2] {
        [self.proof, self.disproof]
    }

    pub fn verdict(self) -> Verdict {
        if self.proof == 0 {
            Verdict::Yes
        } else if self.disproof == 0 {
            Verdict::No
        } else {
            Verdict::Unknown
        }
    }
}

/// A table of buckets of four entries, one cache line each. The entry with the least work in a bucket is replaced.
///
/// An entry holds the key, and packed from the low end: proof number (28 bits), disproof number (28), work (8: twice
/// its binary logarithm and a half-step). If one of the numbers is zero, the plies replace the other, which is
/// infinite. Work is never zero, so zeroed memory is empty. The bits of the key that choose the bucket hold the
/// generation: entries from before [`forget`](Self::forget) count as empty.
///
/// Threads share it without locks, as they do the [`Table`](crate::Table): the key is stored combined with the other word by
/// exclusive or.
#[derive(Clone)]
pub(super) struct Proofs {
    lines: Lines,
    /// The current generation, at most `mask`.
    generation: u64,
}

const ENTRIES: usize = 4;

impl Proofs {
    pub fn with_bytes(bytes: usize) -> Self {
        Self { lines: Lines::in_large_pages(bytes), generation: 0 }
    }

    /// Forgets all proofs.
    ///
    /// # Panics
    /// If a clone has the same ones: it would not know.
    pub fn forget(&mut self) {
        assert!(!self.lines.is_shared(), "another prover shares the proofs");
        if self.generation == self.lines.mask() {
            self.lines.clear();
            self.generation = 0;
        } else {
            self.generation += 1;
        }
    }

    /// Returns the key as an entry stores it.
    #[inline]
    fn tag(&self, key: u64) -> u64 {
        key & !self.lines.mask() | self.generation
    }

    /// Returns the work spent on a key, on the scale of an entry; 0 if the table lacks it.
    pub fn work(&self, key: u64) -> u64 {
        self.data(key).map_or(0, |data| data >> 56)
    }

    #[inline]
    pub fn probe(&self, key: u64) -> Option<Numbers> {
        let data = self.data(key)?;
        let [proof, disproof] = [data, data >> 28].map(|data| data as u32 & Numbers::INFINITE);
        Some(match (proof, disproof) {
            (0, plies) => Numbers::proved(plies),
            (plies, 0) => Numbers::disproved(plies),
            _ => Numbers { proof, disproof, plies: 0 },
        })
    }

    #[inline]
    fn data(&self, key: u64) -> Option<u64> {
        let (bucket, tag) = (self.lines.of(key), self.tag(key));
        (0..ENTRIES).find_map(|slot| {
            let data = bucket[2 * slot + 1].load(Relaxed);
            (bucket[2 * slot].load(Relaxed) ^ data == tag && data != 0).then_some(data)
        })
    }

    /// Prefetches the buckets of the keys.
    #[inline]
    pub fn touch(&self, keys: impl Iterator<Item = u64>) {
        for key in keys {
            memory::fetch(self.lines.of(key));
        }
    }

    #[inline]
    pub fn store(&self, key: u64, numbers: Numbers, nodes: u64) {
        let (tag, mask, generation) = (self.tag(key), self.lines.mask(), self.generation);
        let bucket = self.lines.of(key);
        let entries: [(u64, u64); ENTRIES] = std::array::from_fn(|slot| {
            let data = bucket[2 * slot + 1].load(Relaxed);
            (bucket[2 * slot].load(Relaxed) ^ data, data)
        });
        let work = |&slot: &usize| {
            let (old, data) = entries[slot];
            if old & mask == generation { data >> 56 } else { 0 }
        };
        let same = (0..ENTRIES).find(|&slot| entries[slot].0 == tag);
        // `ENTRIES` is not zero.
        let victim = same.or_else(|| (0..ENTRIES).min_by_key(work)).unwrap_or(0);
        let log = nodes.max(1).ilog2();
        let half = if log == 0 { 0 } else { nodes >> (log - 1) & 1 };
        let work = (2 * u64::from(log) + half + 1).min(255);
        let Numbers { proof, disproof, plies } = numbers;
        let plies = plies.min(Numbers::INFINITE);
        let (low, high) = match (proof, disproof) {
            (0, _) => (0, plies),
            // At least 1, so that it is not taken for a proof.
            (_, 0) => (plies.max(1), 0),
            _ => (proof, disproof),
        };
        let data = u64::from(low) | u64::from(high) << 28 | work << 56;
        bucket[2 * victim].store(tag ^ data, Relaxed);
        bucket[2 * victim + 1].store(data, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_stored_is_found_again_and_the_least_work_goes_first() {
        let proofs = Proofs::with_bytes(64);
        for key in 1..=4 {
            proofs.store(key, Numbers { proof: key as u32, disproof: 7, plies: 0 }, 10_u64.pow(key as u32));
        }
        proofs.store(5, Numbers::proved(9), 1);
        assert_eq!(proofs.probe(1), None);
        assert_eq!(proofs.probe(4), Some(Numbers { proof: 4, disproof: 7, plies: 0 }));
        assert_eq!(proofs.probe(5), Some(Numbers::proved(9)));
        proofs.store(5, Numbers::disproved(4), u64::MAX);
        assert_eq!(proofs.probe(5), Some(Numbers::disproved(4)));
        assert_eq!(proofs.probe(5).map(Numbers::verdict), Some(Verdict::No));
        assert_eq!(proofs.probe(2), Some(Numbers { proof: 2, disproof: 7, plies: 0 }));
    }
}
