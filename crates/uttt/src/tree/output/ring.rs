use super::BUFFER;
use std::alloc::{Layout, alloc};
use std::io::{self, IoSlice};
use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd};
use std::ptr::NonNull;

/// Size of the ring in bytes; it lies in huge pages.
const BYTES: usize = 12 << 20;
const LAYOUT: Layout = match Layout::from_size_align(BYTES, 2 << 20) {
    Ok(layout) => layout,
    Err(_) => unreachable!(),
};
/// The requested size of the pipe in bytes. If readers pass the pages on through further pipes, they stay intact for up
/// to eleven pipes of this size.
const PIPE: i32 = 1 << 20;

const F_SETPIPE_SZ: i32 = 1031;
const F_GETPIPE_SZ: i32 = 1032;
const MADV_HUGEPAGE: i32 = 14;

unsafe extern "C" {
    fn fcntl(fd: i32, command: i32, ...) -> i32;
    fn madvise(address: *mut u8, length: usize, advice: i32) -> i32;
    fn vmsplice(fd: i32, pieces: *const IoSlice<'_>, count: usize, flags: u32) -> isize;
}

/// A ring of pages given to a pipe in turn. The pages are never freed: the pipe may still hold some after the last
/// write.
pub(super) struct Ring {
    memory: NonNull<u8>,
    pipe: OwnedFd,
    start: usize,
}

impl Ring {
    /// A ring for `pipe`; `None` if it is not a pipe, or is too large for the ring.
    pub fn to(pipe: BorrowedFd<'_>) -> io::Result<Option<Self>> {
        let pipe = pipe.try_clone_to_owned()?;
        // SAFETY: both commands take a number or nothing, and the descriptor is open.
        let size = unsafe {
            fcntl(pipe.as_raw_fd(), F_SETPIPE_SZ, PIPE);
            fcntl(pipe.as_raw_fd(), F_GETPIPE_SZ)
        };
        if !(1..=PIPE).contains(&size) {
            return Ok(None);
        }
        // SAFETY: the layout is not empty.
        let Some(memory) = NonNull::new(unsafe { alloc(LAYOUT) }) else { return Ok(None) };
        // SAFETY: the whole range was just allocated. The advice comes before the first byte is written, because the
        // system chooses the page size then.
        unsafe {
            madvise(memory.as_ptr(), BYTES, MADV_HUGEPAGE);
            memory.as_ptr().write_bytes(0, BYTES);
        }
        Ok(Some(Self { memory, pipe, start: 0 }))
    }

    /// The buffer to fill next.
    #[inline]
    pub fn buffer(&mut self) -> &mut [u8] {
        debug_assert!(self.start + BUFFER <= BYTES);
        // SAFETY: the range lies within the allocation (see `turn`), which is initialised and belongs to this ring
        // alone. The pipe may still hold pages of it, which the kernel reads and never writes.
        unsafe { std::slice::from_raw_parts_mut(self.memory.as_ptr().add(self.start), BUFFER) }
    }

    /// Gives the first `used` bytes of the buffer to the pipe; returns the bytes given before the system refused more.
    pub fn give(&mut self, used: usize) -> io::Result<usize> {
        let mut given = 0;
        while given < used {
            let fd = self.pipe.as_raw_fd();
            let piece = IoSlice::new(&self.buffer()[given..used]);
            // SAFETY: one slice that is alive, in the layout that the system expects.
            match unsafe { vmsplice(fd, &piece, 1, 0) } {
                taken @ 1.. => given += taken as usize,
                0 => return Ok(given),
                _ => match io::Error::last_os_error() {
                    error if error.kind() == io::ErrorKind::Interrupted => {}
                    error if error.kind() == io::ErrorKind::BrokenPipe => return Err(error),
                    _ => return Ok(given),
                },
            }
        }
        Ok(given)
    }

    /// Moves to the next buffer: after the `used` bytes of this one, or at the start of the ring.
    pub fn turn(&mut self, used: usize) {
        self.start += used;
        if self.start + BUFFER > BYTES {
            self.start = 0;
        }
    }
}
