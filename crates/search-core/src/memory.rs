//! Memory for tables: large pages and prefetching.
//!
//! A probe of a large table misses the processor's caches and, with small pages, the TLB as well. A table that is used for
//! seconds only also pays for the first access to each page.

#![allow(unsafe_code)]

use crate::limits::Limits;
use std::alloc::Layout;
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Cache lines of zeroed memory, a power of two of them: the buckets of a table. A clone is the same memory.
#[derive(Debug, Clone)]
pub(crate) struct Lines {
    words: Arc<Vec<AtomicU64>>,
    /// The first whole cache line in `words`.
    first: NonNull<Line>,
    /// The number of lines less one.
    mask: u64,
}

/// The eight words of a cache line.
pub(crate) type Line = [AtomicU64; WORDS];

const WORDS: usize = 8;

// SAFETY: `first` points into `words`, which any thread may read and write.
unsafe impl Send for Lines {}
// SAFETY: as above.
unsafe impl Sync for Lines {}

impl Lines {
    /// At most `bytes`, and at least one line. If the system refuses, the program ends as on any failed allocation.
    pub fn new(bytes: usize) -> Self {
        Self::try_new(bytes).unwrap_or_else(|| {
            std::alloc::handle_alloc_error(Layout::from_size_align(bytes, 1).unwrap_or(Layout::new::<Line>()))
        })
    }

    /// At most `bytes`, in large pages if the system has them. If it refuses, half as many, and so on.
    pub fn in_large_pages(bytes: usize) -> Self {
        /// The least size to try.
        const LEAST: usize = 1 << 20;
        let lines = match Self::try_new(bytes) {
            Some(lines) => lines,
            None if bytes > LEAST => return Self::in_large_pages(bytes / 2),
            None => Self::new(bytes),
        };
        advise(&lines.words);
        lines
    }

    /// `None` if the system refuses.
    fn try_new(bytes: usize) -> Option<Self> {
        let lines = 1_usize << (bytes / size_of::<Line>()).max(1).ilog2();
        let words: Vec<AtomicU64> = try_zeroed(WORDS * lines + WORDS - 1)?;
        let start = words.as_ptr().align_offset(size_of::<Line>()).min(WORDS - 1);
        // SAFETY: `words` holds all lines from `start` on.
        let first = NonNull::new(unsafe { words.as_ptr().add(start) }.cast_mut().cast())?;
        Some(Self { words: Arc::new(words), first, mask: lines as u64 - 1 })
    }

    /// The number of lines less one, a power of two less one.
    #[inline]
    pub fn mask(&self) -> u64 {
        self.mask
    }

    /// The line of a key, chosen by its lowest bits.
    #[inline]
    pub fn of(&self, key: u64) -> &Line {
        // SAFETY: `words` holds `mask + 1` lines from `first` on, and never changes its length.
        unsafe { self.first.add((key & self.mask) as usize).as_ref() }
    }

    /// Sets all words to zero.
    pub fn clear(&mut self) {
        match Arc::get_mut(&mut self.words) {
            Some(words) => words.iter_mut().for_each(|word| *word.get_mut() = 0),
            None => self.words.iter().for_each(|word| word.store(0, Relaxed)),
        }
    }

    /// Returns true if a clone has the same memory.
    pub fn is_shared(&self) -> bool {
        Arc::strong_count(&self.words) > 1
    }

    /// The size in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.words[..])
    }
}

/// A type that is valid if all its bytes are zero.
///
/// # Safety
/// Zero is a valid value of each field.
pub(crate) unsafe trait Zero {}

// SAFETY: a number.
unsafe impl Zero for AtomicU64 {}
#[cfg(feature = "threads")]
// SAFETY: atomic numbers only.
unsafe impl Zero for crate::monte_carlo::Place {}

/// Allocates values that are zero, in memory that the system provides as it is touched; `None` if it refuses.
pub(crate) fn try_zeroed<T: Zero>(count: usize) -> Option<Vec<T>> {
    use std::alloc::alloc_zeroed;
    let layout = Layout::array::<T>(count).ok().filter(|layout| layout.size() > 0)?;
    // SAFETY: the layout has a size.
    let start = unsafe { alloc_zeroed(layout) }.cast::<T>();
    // SAFETY: the global allocator returned it for a layout of `count` values, and zero is valid.
    (!start.is_null()).then(|| unsafe { Vec::from_raw_parts(start, count, count) })
}

/// Returns the size in bytes of a table that a search with these limits can fill: a power of two, at least 1 MiB, at most
/// `most`.
///
/// The first access to a page costs as much as many nodes, so a search by time gets no more memory than it fills.
#[must_use]
pub fn bytes_for(limits: Limits, most: usize) -> usize {
    /// The bytes that a search fills in a second, with a margin.
    const A_SECOND: u128 = 32 << 20;
    const LEAST: usize = 1 << 20;
    let Some(time) = limits.hard else { return most };
    let filled = usize::try_from(A_SECOND * time.as_millis() / 1000).unwrap_or(most).min(most);
    filled.checked_next_power_of_two().unwrap_or(most).max(LEAST).min(most)
}

/// Prefetches this memory into the processor's cache.
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

/// Requests large pages. An allocation of this size is fresh from the system and not yet touched.
#[cfg(target_os = "linux")]
fn advise(memory: &[AtomicU64]) {
    use std::ffi::{c_int, c_void};
    /// The size of a large page; smaller allocations get none.
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
fn advise(_: &[AtomicU64]) {}

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
    #[cfg(unix)]
    fn a_table_that_the_system_refuses_ends_the_program_like_any_allocation() {
        const CHILD: &str = "SEARCH_CORE_MEMORY_CHILD";
        if std::env::var_os(CHILD).is_some() {
            drop(Lines::new(1 << 62));
        }
        let test = "memory::tests::a_table_that_the_system_refuses_ends_the_program_like_any_allocation";
        let mut child = std::process::Command::new(std::env::current_exe().unwrap());
        let output = child.args([test, "--nocapture"]).env(CHILD, "1").output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(errors.contains("memory allocation of 4611686018427387904 bytes failed"), "{errors}");
        assert!(!errors.contains("panicked") && output.status.code().is_none(), "{output:?}");
    }
}
