//! Tables in large pages, and lines of them fetched ahead.
//!
//! A probe of a table of hundreds of megabytes misses the processor's caches, and on small pages the cache of page
//! addresses, too; and a table that lives for seconds pays for every page that is first touched.

#![allow(unsafe_code)]

use crate::limits::Limits;
use crate::position::MoveCode;
use crate::table::Table;

/// A table of at most `bytes`, in large pages where the system gives them; a smaller one where it has not so much.
#[must_use]
pub fn table<M: MoveCode>(bytes: usize) -> Table<M> {
    let (bytes, words) = zeroed(bytes, Table::<M>::words);
    Table::in_memory(bytes, |_| words)
}

/// Zeroed words for a table of `bytes`, in large pages where the system gives them; of half as many bytes, and so on,
/// where it refuses. `words` is what a table of so many bytes needs.
pub(crate) fn zeroed(bytes: usize, words: impl Fn(usize) -> usize) -> (usize, Vec<u64>) {
    /// A system that has not so much has nothing.
    const LEAST: usize = 1 << 20;
    let mut bytes = bytes;
    loop {
        match try_zeroed(words(bytes)) {
            Some(memory) => {
                advise(&memory);
                return (bytes, memory);
            }
            None if bytes > LEAST => bytes /= 2,
            // Ends as any allocation without memory does.
            None => return (bytes, vec![0; words(bytes)]),
        }
    }
}

/// So many zeroed words, unless the system refuses them.
fn try_zeroed(words: usize) -> Option<Vec<u64>> {
    use std::alloc::{Layout, alloc_zeroed};
    let layout = Layout::array::<u64>(words).ok().filter(|layout| layout.size() > 0)?;
    // SAFETY: the layout has a size.
    let start = unsafe { alloc_zeroed(layout) }.cast::<u64>();
    // SAFETY: the global allocator gave it with the layout of so many words, and zero is a word.
    (!start.is_null()).then(|| unsafe { Vec::from_raw_parts(start, words, words) })
}

/// Bytes of a table that a search with these limits can fill, a power of two of 1 MiB or more; at most `most`.
///
/// Memory that is touched for the first time costs as much as many nodes, and the first move has no more time than the
/// others: a search by time is not given more than it fills.
#[must_use]
pub fn bytes_for(limits: Limits, most: usize) -> usize {
    /// What a second fills, and room to spare.
    const A_SECOND: u128 = 32 << 20;
    const LEAST: usize = 1 << 20;
    let Some(time) = limits.hard else { return most };
    let filled = usize::try_from(A_SECOND * time.as_millis() / 1000).unwrap_or(most).min(most);
    filled.checked_next_power_of_two().unwrap_or(most).max(LEAST).min(most)
}

/// The table, replaced by an empty one of `bytes` where it is smaller.
pub fn grown<M: MoveCode>(table: &mut Option<Table<M>>, bytes: usize) -> &mut Table<M> {
    // Tables come in powers of two.
    let bytes = 1 << bytes.max(1).ilog2();
    let table = table.get_or_insert_with(|| self::table(bytes));
    if table.bytes() < bytes {
        let larger = self::table(bytes);
        // The system may have refused it: what is known stays.
        if larger.bytes() > table.bytes() {
            *table = larger;
        }
    }
    table
}

/// Has the processor bring this into its cache while it does other things.
#[inline]
pub fn fetch<T>(what: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: the instruction belongs to every such processor, reads nothing and never faults.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(what).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = what;
}

/// Asks for large pages. Memory this size is fresh from the system, and not touched yet.
#[cfg(target_os = "linux")]
fn advise(memory: &[u64]) {
    use std::ffi::{c_int, c_void};
    /// With less there is no large page to be had.
    const LARGE_PAGE: usize = 2 << 20;
    const PAGE: usize = 1 << 12;
    const MADV_HUGEPAGE: c_int = 14;
    // SAFETY: the signature of madvise(2).
    unsafe extern "C" {
        fn madvise(address: *mut c_void, length: usize, advice: c_int) -> c_int;
    }
    let bytes = size_of_val(memory);
    let start = memory.as_ptr().cast::<u8>();
    let skipped = start.align_offset(PAGE);
    if bytes < 2 * LARGE_PAGE || skipped > bytes {
        return;
    }
    // SAFETY: the range lies within `memory`; this advice changes no content, and may be refused without harm.
    unsafe { madvise(start.add(skipped).cast_mut().cast(), (bytes - skipped) / PAGE * PAGE, MADV_HUGEPAGE) };
}

#[cfg(not(target_os = "linux"))]
fn advise(_: &[u64]) {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_short_search_touches_little_memory() {
        let bytes = |millis| bytes_for(Limits::time(Duration::from_millis(millis)), 64 << 20) >> 20;
        assert_eq!([0, 2, 20, 200, 1_000, 100_000, u64::MAX].map(bytes), [1, 1, 1, 8, 32, 64, 64]);
        assert_eq!(bytes_for(Limits::nodes(9), 64 << 20), 64 << 20);
        assert_eq!(bytes_for(Limits::time(Duration::from_millis(9)), 1000), 1000);
    }

    #[test]
    #[cfg_attr(miri, ignore = "an allocation that is refused ends it")]
    fn a_table_that_the_system_refuses_is_smaller() {
        let table = table::<u16>(1 << 60);
        assert!((1 << 20..1 << 60).contains(&table.bytes()), "{}", table.bytes());
    }

    #[test]
    fn a_table_grows_and_never_shrinks() {
        let mut table = None::<Table<u16>>;
        // A few words more put the first line where a cache line begins.
        let mut mebibytes = |wanted: usize| grown(&mut table, wanted << 20).bytes() >> 20;
        assert_eq!([1, 5, 1].map(&mut mebibytes), [1, 4, 4]);
    }
}
