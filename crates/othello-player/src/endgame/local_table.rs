//! The local hash table: bounds of positions near the end, one word a position, small enough for the processor's cache.
//!
//! A word holds the position's key without its low 16 bits, and in their place a lower and an upper bound of the value.
//! The low bits choose the word, so that the whole key is checked.
//!
//! Source: T. Okuhara, documentation of Edax-AVX; R. Delorme, Edax.

use search_core::memory;

/// Words, a power of two: little to clear where the end is near, and as many as still pay where it is far.
const WORDS_NEAR: usize = 1 << 16;
const WORDS_FAR: usize = 1 << 15;
/// From this many empty squares on it is far.
const FAR: u32 = 18;
/// Bounds are kept from 0 to 128.
const SHIFT: i32 = 64;

/// Lower and upper bounds of positions searched lately.
#[derive(Debug)]
pub(super) struct LocalTable {
    words: Vec<u64>,
}

impl LocalTable {
    /// For positions with so many empty squares.
    pub(super) fn new(empties: u32) -> Self {
        let words = if empties < FAR { WORDS_NEAR } else { WORDS_FAR };
        // An empty word matches no key but one, and then says "from −64 to −64": so say "from −64 to 64".
        Self { words: vec![(2 * SHIFT) as u64; words] }
    }

    /// Says that this key will be asked for soon.
    #[inline]
    pub(super) fn fetch(&self, key: u64) {
        memory::fetch(&self.words[self.place(key)]);
    }

    #[inline]
    fn place(&self, key: u64) -> usize {
        key as usize & (self.words.len() - 1)
    }

    /// The bounds of this key's value.
    #[inline]
    pub(super) fn bounds(&self, key: u64) -> (i32, i32) {
        let word = self.words[self.place(key)];
        if (word ^ key) >> 16 != 0 {
            return (-SHIFT, SHIFT);
        }
        ((word >> 8 & 0xff) as i32 - SHIFT, (word & 0xff) as i32 - SHIFT)
    }

    /// Keeps what a null-window search above `alpha` found.
    #[inline]
    pub(super) fn keep(&mut self, key: u64, alpha: i32, score: i32) {
        let (mut lower, mut upper) = self.bounds(key);
        if score > alpha {
            lower = lower.max(score);
        } else {
            upper = upper.min(score);
        }
        let bounds = ((lower + SHIFT) << 8 | (upper + SHIFT)) as u64;
        let place = self.place(key);
        self.words[place] = key & !0xffff | bounds;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_close_in_and_another_key_has_none() {
        let mut table = LocalTable::new(20);
        let key = 0x1234_5678_9abc_def0;
        assert_eq!(table.bounds(key), (-64, 64));
        table.keep(key, 4, 10);
        table.keep(key, 20, 12);
        assert_eq!(table.bounds(key), (10, 12));
        assert_eq!(table.bounds(key ^ 1 << 16), (-64, 64));
        table.keep(key ^ 1 << 63, -64, -64);
        assert_eq!(table.bounds(key), (-64, 64));
        assert_eq!(table.bounds(key ^ 1 << 63), (-64, -64));
    }
}
