//! The local hash table: bounds of positions near the end, one word each, small enough for the processor's caches.
//!
//! A word holds a position's key; its low 16 bits are replaced by the lower and the upper bound of the value. Those
//! bits select the word, so the whole key is verified.
//!
//! Source: T. Okuhara, documentation of Edax-AVX; R. Delorme, Edax.

use search_core::memory;

/// The number of words, a power of two, for solves from fewer than [`FAR`] empty squares and from more.
const WORDS_NEAR: usize = 1 << 16;
const WORDS_FAR: usize = 1 << 15;
/// The smallest number of empty squares at the root for `WORDS_FAR`.
const FAR: u32 = 18;
/// Added to a bound, so that −64 … 64 is stored as 0 … 128.
const SHIFT: i32 = 64;

/// Lower and upper bounds of recently searched positions.
#[derive(Debug)]
pub(super) struct LocalTable {
    words: Vec<u64>,
}

impl LocalTable {
    /// An empty table for a root with this many empty squares.
    pub(super) fn new(empties: u32) -> Self {
        let words = if empties < FAR { WORDS_NEAR } else { WORDS_FAR };
        // A word of zeros would match the key 0 with the bounds −64 and −64. This word says "from −64 to 64".
        Self { words: vec![(2 * SHIFT) as u64; words] }
    }

    /// Prefetches the word of a key.
    #[inline]
    pub(super) fn fetch(&self, key: u64) {
        memory::fetch(&self.words[self.place(key)]);
    }

    #[inline]
    fn place(&self, key: u64) -> usize {
        key as usize & (self.words.len() - 1)
    }

    /// The lower and the upper bound of a key's value; −64 and 64 if it is not in the table.
    #[inline]
    pub(super) fn bounds(&self, key: u64) -> (i32, i32) {
        let word = self.words[self.place(key)];
        if (word ^ key) >> 16 != 0 {
            return (-SHIFT, SHIFT);
        }
        ((word >> 8 & 0xff) as i32 - SHIFT, (word & 0xff) as i32 - SHIFT)
    }

    /// Stores the result of a null-window search above `alpha`.
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
