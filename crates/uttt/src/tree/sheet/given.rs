//! Pages given to a pipe (`vmsplice`): their reader copies them, and nobody before it.
//!
//! A reader may keep a page as long as it likes, and may hand it on without looking (`splice`, `tee`). So no page is
//! ever written again: each sheet is a fresh mapping, and is unmapped once the pipe has it.

use super::{SHEET, Sheets};
use rustix::io::Errno;
use rustix::mm::{MapFlags, ProtFlags, mmap_anonymous, munmap};
use rustix::pipe::{IoSliceRaw, SpliceFlags, fcntl_setpipe_size, vmsplice};
use std::ffi::c_void;
use std::fs::File;
use std::io::{self, Write};
use std::ptr::{NonNull, null_mut};

/// What a pipe may hold, where the system allows so much.
const PIPE: usize = 1 << 20;

/// Sheets that a pipe takes over; written to it as bytes once it has refused that.
pub(in crate::tree) struct Given<'a> {
    output: &'a File,
    sheet: Mapping,
    takes_pages: bool,
}

impl<'a> Given<'a> {
    /// For the write end of a pipe.
    ///
    /// # Errors
    /// No memory.
    pub fn new(output: &'a File) -> io::Result<Self> {
        // A small pipe works, too.
        let _ = fcntl_setpipe_size(output, PIPE);
        Ok(Self { output, sheet: Mapping::new()?, takes_pages: true })
    }
}

impl Sheets for Given<'_> {
    #[inline]
    fn sheet(&mut self) -> &mut [u8] {
        self.sheet.bytes()
    }

    fn send(&mut self, used: usize) -> io::Result<()> {
        let mut sheet = std::mem::replace(&mut self.sheet, Mapping::new()?);
        let mut rest = &mut sheet.bytes()[..used];
        while self.takes_pages && !rest.is_empty() {
            // SAFETY: the slice is readable, and `sheet` is unmapped at the end of this call without being written again.
            let taken =
                unsafe { vmsplice(self.output, &[IoSliceRaw::from_slice(rest)], SpliceFlags::empty()) };
            match taken {
                Ok(taken) => rest = &mut rest[taken..],
                Err(Errno::INTR) => {}
                Err(Errno::PIPE) => return Err(Errno::PIPE.into()),
                Err(_) => self.takes_pages = false,
            }
        }
        let mut output = self.output;
        output.write_all(rest)
    }
}

/// Zeroed pages of our own.
struct Mapping(NonNull<c_void>);

impl Mapping {
    fn new() -> io::Result<Self> {
        let (access, flags) = (ProtFlags::READ | ProtFlags::WRITE, MapFlags::PRIVATE | MapFlags::POPULATE);
        // SAFETY: the system chooses an address where nothing is mapped.
        let start = unsafe { mmap_anonymous(null_mut(), SHEET, access, flags) }?;
        Ok(Self(NonNull::new(start).ok_or(Errno::NOMEM)?))
    }

    #[inline]
    fn bytes(&mut self) -> &mut [u8] {
        // SAFETY: SHEET bytes are mapped for reading and writing while `self` lives, they began as zeros, and the
        // borrow of `self` is the only way to them.
        unsafe { std::slice::from_raw_parts_mut(self.0.as_ptr().cast(), SHEET) }
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: the pages were mapped by `new`, and no borrow of them is left. A failure leaves them mapped, unused.
        let _ = unsafe { munmap(self.0.as_ptr(), SHEET) };
    }
}
