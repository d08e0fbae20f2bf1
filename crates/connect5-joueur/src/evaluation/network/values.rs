//! A cache of position values.

use search_core::{Score, memory};

/// Number of cached values: 256 KiB.
const KEPT: usize = 1 << 15;
/// The low bits of an entry, which hold the value plus an offset. The other bits are the key's.
const VALUE: u64 = (1 << 24) - 1;
/// The offset, which stands for a value of zero.
const ZERO: i32 = 1 << 23;

/// Cached values by position key. A new value replaces the one in its slot.
#[derive(Debug, Clone)]
pub(super) struct Values(Vec<u64>);

impl Values {
    /// Creates a cache without memory.
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Prefetches the entry for `key`.
    #[inline]
    pub fn fetch(&self, key: u64) {
        if let Some(entry) = self.0.get(place(key)) {
            memory::fetch(entry);
        }
    }

    /// Returns the value cached for `key`.
    #[inline]
    pub fn get(&self, key: u64) -> Option<Score> {
        let entry = *self.0.get(place(key))?;
        ((entry ^ key) & !VALUE == 0 && entry != 0).then(|| Score::new((entry & VALUE) as i32 - ZERO))
    }

    /// Caches the value for `key`.
    #[inline]
    pub fn keep(&mut self, key: u64, value: Score) {
        if self.0.is_empty() {
            self.0 = vec![0; KEPT];
        }
        self.0[place(key)] = key & !VALUE | (value.value() + ZERO) as u64 & VALUE;
    }
}

/// Returns the slot of a key, from bits that the entry does not store.
#[inline]
fn place(key: u64) -> usize {
    key as usize % KEPT
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_found_by_its_own_key_alone() {
        let mut values = Values::new();
        assert_eq!(values.get(0), None);
        let keys = [0, 1, 0xffff_ffff_ffff_ffff, 0x1234_5678_9abc_def0];
        for (key, value) in keys.into_iter().zip([-31_000, 31_000, 0, -1]) {
            values.keep(key, Score::new(value));
            assert_eq!(values.get(key), Some(Score::new(value)));
            assert_eq!(values.get(key ^ 1 << 63), None);
            assert_eq!(values.get(key ^ 1 << 24), None);
        }
        assert_eq!(values.get(keys[1]), Some(Score::new(31_000)));
    }
}
