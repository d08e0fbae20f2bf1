//! The transposition table.
//!
//! Source: R. Greenblatt, D. Eastlake, S. Crocker, "The Greenblatt chess program", 1967.
//!
//! ```
//! use search_core::testing::Take;
//! use search_core::{Bound, Entry, Score, Table};
//!
//! let table = Table::with_bytes(1 << 20);
//! let entry = Entry { best: Some(Take(2)), score: Score::win_in(9), depth: 6, bound: Bound::Exact };
//! table.store(77, 4, entry); // found at ply 4: a win five plies after that node
//! assert_eq!(table.probe(77, 4), Some(entry));
//! assert_eq!(table.probe(77, 2).unwrap().score, Score::win_in(7));
//! assert_eq!(table.probe(78, 4), None);
//! ```

use crate::memory::Lines;
use crate::position::MoveCode;
use crate::score::{Bound, Depth, Score};
use std::marker::PhantomData;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The transposition table's entry for a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry<M> {
    /// The best move or the one that cut; not checked for legality.
    pub best: Option<M>,
    /// The score, relative to the probing node.
    pub score: Score,
    /// The depth of the search below the node, in plies.
    pub depth: Depth,
    /// The relation of the score to the true one.
    pub bound: Bound,
}

/// A transposition table of buckets of four entries, one cache line each.
///
/// The shallowest entry of a bucket is replaced; entries of older searches count as shallower. An entry stores its key, but
/// for the bits that choose the bucket. These hold the generation, so entries from before [`forget`](Table::forget) count
/// as empty.
///
/// An entry is two words: the key, and from the low end score (24 bits), move (24), depth (8), bound (2) and age (6).
/// Bound 0 marks an empty entry, so the table can be zeroed memory from the system, which costs nothing until used.
///
/// Several threads may search with one table, without locks: the words are atomic, and the key is stored combined with the
/// other word by exclusive or. An entry whose words come from two writers therefore answers to no key that is searched.
///
/// Source: R. Hyatt, T. Mann, "A lockless transposition table implementation for parallel search", 2002.
#[derive(Debug)]
pub struct Table<M> {
    lines: Lines,
    /// The current generation, at most `mask`.
    generation: u64,
    age: AtomicU64,
    moves: PhantomData<fn() -> M>,
}

const ENTRIES: usize = 4;
const AGE_BITS: u64 = 6;
/// The plies by which an entry counts as shallower for each search since it was stored.
const PLIES_PER_AGE: i64 = 4;
/// The move field of an entry without a move.
const NO_MOVE: u64 = (1 << 24) - 1;

impl<M: MoveCode> Table<M> {
    /// Creates a table of at most `bytes`. The number of buckets is a power of two, at least one.
    #[must_use]
    pub fn with_bytes(bytes: usize) -> Self {
        Self::of_lines(Lines::new(bytes))
    }

    /// Creates a table of at most `bytes`, in large pages if the system has them, and smaller if it lacks the memory.
    #[must_use]
    pub fn in_large_pages(bytes: usize) -> Self {
        Self::of_lines(Lines::in_large_pages(bytes))
    }

    /// Returns the table in `table`, or an empty one of `bytes` in its place if it is smaller or missing.
    pub fn grown(table: &mut Option<Self>, bytes: usize) -> &mut Self {
        // The size of a table is a power of two.
        let bytes = 1 << bytes.max(1).ilog2();
        let table = table.get_or_insert_with(|| Self::in_large_pages(bytes));
        if table.bytes() < bytes {
            let larger = Self::in_large_pages(bytes);
            // The system may have refused the larger table; then the old one with its entries stays.
            if larger.bytes() > table.bytes() {
                *table = larger;
            }
        }
        table
    }

    /// Creates a table in zeroed memory.
    fn of_lines(lines: Lines) -> Self {
        Self { lines, generation: 0, age: AtomicU64::new(0), moves: PhantomData }
    }

    /// Starts a new search. Entries of earlier searches are replaced first.
    pub fn new_search(&self) {
        self.age.store((self.age.load(Relaxed) + 1) & ((1 << AGE_BITS) - 1), Relaxed);
    }

    /// Clears all entries.
    pub fn clear(&mut self) {
        self.lines.clear();
        self.generation = 0;
        self.age = AtomicU64::new(0);
    }

    /// Empties the table at the cost of a comparison, by starting a new generation. The memory is cleared once in as many
    /// calls as there are buckets.
    pub fn forget(&mut self) {
        if self.generation == self.lines.mask() {
            self.clear();
        } else {
            self.generation += 1;
        }
    }

    /// Returns the entry for `key`, its score relative to a node at `ply`.
    #[inline]
    #[must_use]
    pub fn probe(&self, key: u64, ply: usize) -> Option<Entry<M>> {
        let bucket = self.lines.of(key);
        let tag = self.tag(key);
        for slot in 0..ENTRIES {
            let data = bucket[2 * slot + 1].load(Relaxed);
            if bucket[2 * slot].load(Relaxed) ^ data == tag && Packed(data).bound().is_some() {
                return Packed(data).open(ply);
            }
        }
        None
    }

    /// Stores the result of a search of `key` at `ply`.
    #[inline]
    pub fn store(&self, key: u64, ply: usize, entry: Entry<M>) {
        let (age, mask, tag) = (self.age.load(Relaxed), self.lines.mask(), self.tag(key));
        let bucket = self.lines.of(key);
        let mut victim = 0;
        let mut least = i64::MAX;
        let mut kept_move = NO_MOVE;
        for slot in 0..ENTRIES {
            let old = Packed(bucket[2 * slot + 1].load(Relaxed));
            // Where the old key differs; in the bits of `mask`, if it is of another generation.
            let differs = bucket[2 * slot].load(Relaxed) ^ old.0 ^ tag;
            if old.bound().is_none() || differs & mask != 0 {
                victim = slot;
                least = i64::MIN;
                continue;
            }
            if differs == 0 {
                victim = slot;
                kept_move = old.mv();
                break;
            }
            let worth = old.worth(age);
            if worth < least {
                (victim, least) = (slot, worth);
            }
        }
        // A bound without a move does not erase the move that an earlier search left.
        let mv = entry.best.map_or(kept_move, |mv| u64::from(mv.to_code()));
        let data = Packed::new(mv, &entry, ply, age).0;
        bucket[2 * victim].store(tag ^ data, Relaxed);
        bucket[2 * victim + 1].store(data, Relaxed);
    }

    /// Returns the key as an entry stores it: the bits that choose the bucket are replaced by the generation.
    #[inline]
    fn tag(&self, key: u64) -> u64 {
        key & !self.lines.mask() | self.generation
    }

    /// Returns the cache line of the bucket for `key`, for callers that prefetch it.
    #[inline]
    #[must_use]
    pub fn line(&self, key: u64) -> &[AtomicU64; 8] {
        self.lines.of(key)
    }

    /// Returns the size of the table in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.lines.bytes()
    }
}

/// The second word of an entry.
#[derive(Clone, Copy)]
struct Packed(u64);

impl Packed {
    const MOVE: u32 = 24;
    const DEPTH: u32 = 48;
    const BOUND: u32 = 56;
    const AGE: u32 = 58;

    #[inline]
    fn new<M>(mv: u64, entry: &Entry<M>, ply: usize, age: u64) -> Self {
        debug_assert!(mv <= NO_MOVE, "a move's word has 24 bits");
        let score = entry.score.to_table(ply).value() as u64 & 0xff_ffff;
        let depth = u64::from(entry.depth.clamp(-128, 127) as i8 as u8);
        let bound = entry.bound as u64 + 1;
        Self(score | mv << Self::MOVE | depth << Self::DEPTH | bound << Self::BOUND | age << Self::AGE)
    }

    #[inline]
    fn bound(self) -> Option<Bound> {
        match self.0 >> Self::BOUND & 3 {
            0 => None,
            1 => Some(Bound::Upper),
            2 => Some(Bound::Lower),
            _ => Some(Bound::Exact),
        }
    }

    #[inline]
    fn mv(self) -> u64 {
        self.0 >> Self::MOVE & NO_MOVE
    }

    #[inline]
    fn depth(self) -> i8 {
        (self.0 >> Self::DEPTH) as u8 as i8
    }

    #[inline]
    fn worth(self, age: u64) -> i64 {
        let ages = age.wrapping_sub(self.0 >> Self::AGE) & ((1 << AGE_BITS) - 1);
        i64::from(self.depth()) - PLIES_PER_AGE * ages as i64
    }

    #[inline]
    fn open<M: MoveCode>(self, ply: usize) -> Option<Entry<M>> {
        let mv = self.mv();
        // Sign-extended from its 24 bits.
        let score = (self.0 as i32) << 8 >> 8;
        Some(Entry {
            best: (mv != NO_MOVE).then(|| M::from_code(mv as u32)),
            score: Score::from_table(Score::from_value(score), ply),
            depth: Depth::from(self.depth()),
            bound: self.bound()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread::Builder;

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    struct Move(u32);
    impl MoveCode for Move {
        fn to_code(self) -> u32 {
            self.0
        }
        fn from_code(word: u32) -> Self {
            Self(word)
        }
    }

    fn entry(best: Option<u32>, score: Score, depth: Depth, bound: Bound) -> Entry<Move> {
        Entry { best: best.map(Move), score, depth, bound }
    }

    #[test]
    fn what_is_stored_is_found_again() {
        let table = Table::with_bytes(1 << 12);
        for (key, entry) in [
            (0, entry(None, Score::new(0), 0, Bound::Exact)),
            (u64::MAX, entry(Some(0), -Score::LIMIT, 127, Bound::Lower)),
            (77, entry(Some(NO_MOVE as u32 - 1), Score::LIMIT, -128, Bound::Upper)),
            (78, entry(Some(9), Score::win_in(12), 3, Bound::Lower)),
            (79, entry(Some(9), Score::loss_in(12), 3, Bound::Exact)),
        ] {
            table.store(key, 5, entry);
            assert_eq!(table.probe(key, 5), Some(entry));
        }
        assert_eq!(table.probe(78, 4).unwrap().score, Score::win_in(11));
        assert_eq!(table.probe(80, 5), None);
    }

    #[test]
    fn another_key_of_the_same_bucket_is_never_mistaken() {
        let table: Table<Move> = Table::with_bytes(64);
        table.store(1 << 40, 0, entry(Some(1), Score::new(1), 1, Bound::Exact));
        assert!((0..64).filter(|&bit| bit != 40).all(|bit| table.probe(1 << bit, 0).is_none()));
        assert!(table.probe(1 << 40 | 1, 0).is_none());
    }

    #[test]
    fn a_full_bucket_gives_up_its_shallowest_and_old_entries_first() {
        let table: Table<Move> = Table::with_bytes(64);
        for key in 1..=4 {
            table.store(key, 0, entry(None, Score::new(0), key as Depth, Bound::Exact));
        }
        table.store(5, 0, entry(None, Score::new(0), 1, Bound::Exact));
        assert!(table.probe(1, 0).is_none() && table.probe(5, 0).is_some());
        for _ in 0..3 {
            table.new_search();
        }
        for key in 6..=9 {
            table.store(key, 0, entry(None, Score::new(0), 0, Bound::Exact));
        }
        assert!((2..=5).all(|key| table.probe(key, 0).is_none()));
    }

    #[test]
    fn a_bound_without_a_move_keeps_the_move_of_before() {
        let table: Table<Move> = Table::with_bytes(64);
        table.store(1, 0, entry(Some(7), Score::new(0), 3, Bound::Lower));
        table.store(1, 0, entry(None, Score::new(0), 4, Bound::Upper));
        assert_eq!(table.probe(1, 0).unwrap().best, Some(Move(7)));
    }

    #[test]
    fn what_was_forgotten_is_neither_found_nor_in_the_way() {
        for bytes in [64, 256, 1 << 12] {
            let mut worn: Table<Move> = Table::with_bytes(bytes);
            for generation in 0..100_u64 {
                let fresh: Table<Move> = Table::with_bytes(bytes);
                for number in 0..40_u64 {
                    let key = (generation << 32 | number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                    let depth = (number * 7 % 11) as Depth;
                    for table in [&worn, &fresh] {
                        table.store(key, 0, entry(None, Score::new(number as i32), depth, Bound::Exact));
                    }
                }
                for number in 0..40_u64 {
                    for earlier in [generation, generation.saturating_sub(1)] {
                        let key = (earlier << 32 | number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                        assert_eq!(worn.probe(key, 0), fresh.probe(key, 0));
                    }
                }
                worn.forget();
            }
        }
    }

    #[test]
    fn it_stays_within_its_memory_and_its_buckets_are_cache_lines() {
        for bytes in [1, 64, 100, 1 << 20, (1 << 20) - 1] {
            let table: Table<Move> = Table::with_bytes(bytes);
            assert!(table.bytes() <= bytes.max(64) + 64);
            assert_eq!(table.line(0).as_ptr() as usize % 64, 0);
        }
    }

    #[test]
    fn an_age_counts_four_plies_and_goes_round() {
        let survivors = |searches: usize, depth: Depth| {
            let table: Table<Move> = Table::with_bytes(64);
            table.store(1, 0, entry(None, Score::new(0), depth, Bound::Exact));
            (0..searches).for_each(|_| table.new_search());
            for key in 2..=4 {
                table.store(key, 0, entry(None, Score::new(0), 5, Bound::Exact));
            }
            table.store(5, 0, entry(None, Score::new(0), 5, Bound::Exact));
            (1..=5).filter(|&key| table.probe(key, 0).is_some()).collect::<Vec<_>>()
        };
        assert_eq!(survivors(0, 6), [1, 2, 3, 5], "of equals the first in its bucket");
        assert_eq!(survivors(1, 10), [1, 2, 3, 5]);
        assert_eq!(survivors(1, 8), [2, 3, 4, 5]);
        assert_eq!(survivors(63, 100), [2, 3, 4, 5]);
        assert_eq!(survivors(64, 6), [1, 2, 3, 5], "after 64 searches it is new again");
    }

    #[test]
    fn a_keys_line_is_the_one_in_which_it_stands() {
        let table: Table<Move> = Table::with_bytes(1 << 12);
        let key = 0x1234_5678_9abc_def0;
        let used = |key| table.line(key).iter().filter(|word| word.load(Relaxed) != 0).count();
        assert_eq!(used(key), 0);
        table.store(key, 0, entry(Some(3), Score::new(1), 1, Bound::Exact));
        assert_eq!([used(key), used(key + 1)], [2, 0]);
    }

    #[test]
    fn an_entry_of_two_writers_answers_to_no_key() {
        let written = |key, entry| {
            let table: Table<Move> = Table::with_bytes(64);
            table.store(key, 0, entry);
            let words: Vec<u64> = table.line(0).iter().map(|word| word.load(Relaxed)).collect();
            let at = words.iter().position(|&word| word != 0).expect("an entry is stored");
            (words[at], words[at + 1])
        };
        let (one, other) = (0x1234_0000, 0x5678_0000);
        let ours = written(one, entry(Some(1), Score::new(1), 1, Bound::Exact));
        let theirs = written(other, entry(Some(2), Score::new(2), 2, Bound::Lower));
        let table: Table<Move> = Table::with_bytes(64);
        for (key, data, found) in [
            (ours.0, ours.1, [true, false]),
            (theirs.0, theirs.1, [false, true]),
            (ours.0, theirs.1, [false, false]),
            (theirs.0, ours.1, [false, false]),
        ] {
            table.line(0)[0].store(key, Relaxed);
            table.line(0)[1].store(data, Relaxed);
            assert_eq!([one, other].map(|key| table.probe(key, 0).is_some()), found);
        }
    }

    #[test]
    fn threads_find_what_belongs_to_the_key_or_nothing() {
        // Four buckets for 64 keys: threads write to the same entries all the time.
        let table: Table<Move> = Table::with_bytes(256);
        let of = |key: u64| {
            let bound = [Bound::Upper, Bound::Lower, Bound::Exact][(key % 3) as usize];
            entry(Some(key as u32), Score::new(7 * key as i32), key as Depth, bound)
        };
        let rounds = if cfg!(miri) { 100 } else { 20_000 };
        let work = |number: u64| {
            let mut found = 0;
            for round in 0..rounds {
                let key = (round * 37 + number * 11) % 64;
                let hash = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
                match table.probe(hash, 0) {
                    Some(entry) => {
                        assert_eq!(entry, of(key));
                        found += 1;
                    }
                    None => table.store(hash, 0, of(key)),
                }
            }
            found
        };
        let found: u64 = std::thread::scope(|scope| {
            let work = &work;
            let start = |number| Builder::new().spawn_scoped(scope, move || work(number)).expect("a thread");
            let threads: Vec<_> = (0..4).map(start).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).sum()
        });
        assert!(found > 0);
    }

    #[test]
    #[cfg_attr(miri, ignore = "an allocation that is refused ends it")]
    fn a_table_that_the_system_refuses_is_smaller() {
        let table = Table::<u16>::in_large_pages(1 << 60);
        assert!((1 << 20..1 << 60).contains(&table.bytes()), "{}", table.bytes());
    }

    #[test]
    fn a_table_grows_and_never_shrinks() {
        let mut table = None::<Table<u16>>;
        // A few words of padding align the first bucket to a cache line.
        let mut mebibytes = |wanted: usize| Table::grown(&mut table, wanted << 20).bytes() >> 20;
        assert_eq!([1, 5, 1].map(&mut mebibytes), [1, 4, 4]);
    }
}
