//! Tables in large pages, and lines of them fetched ahead.
//!
//! A probe of a table of hundreds of megabytes misses the processor's caches, and on small pages the cache of page
//! addresses, too; and a table that lives for seconds pays for every page that is first touched.

#![allow(unsafe_code)]

use crate::position::MoveCode;
use crate::table::Table;

/// A table of at most `bytes`, in large pages where the system gives them.
#[must_use]
pub fn table<M: MoveCode>(bytes: usize) -> Table<M> {
    Table::in_memory(bytes, |words| {
        let memory = vec![0; words];
        advise(&memory);
        memory
    })
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
