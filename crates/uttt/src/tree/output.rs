//! The buffers of the tree on its way to the output; pages are given to a pipe instead of copied.
//!
//! A page given to a pipe must not change until the reader has read it. The pages therefore form a ring much larger
//! than the pipe, so that a page has left the pipe long before it is overwritten. Small trees are written plainly, and
//! so is the rest of a tree if the system refuses to take pages.

use super::digits::ROOM;
use std::io::{self, Write};
use std::os::fd::BorrowedFd;

#[cfg(target_os = "linux")]
#[allow(unsafe_code)] // Memory by the page, and three calls of the system.
mod ring;
#[cfg(target_os = "linux")]
use ring::Ring;

/// Bytes a write: large enough that system calls cost little, small enough for the second-level cache.
pub(super) const WRITE: usize = 256 * 1024;
/// Size of a buffer: [`WRITE`] bytes, one board's children more, and a line feed.
const BUFFER: usize = WRITE + 10 * ROOM;
/// The number of bytes written plainly first, as setting up a ring takes about as long.
#[cfg(target_os = "linux")]
const PLAIN: usize = 4 << 20;

/// The output's buffers, plain or a ring of pages.
pub(super) struct Output<'a, W> {
    output: &'a mut W,
    plain: Vec<u8>,
    #[cfg(target_os = "linux")]
    ring: Option<Ring>,
    /// The pipe, if a ring is worth trying.
    #[cfg(target_os = "linux")]
    pipe: Option<BorrowedFd<'a>>,
    #[cfg(target_os = "linux")]
    sent: usize,
}

impl<'a, W: Write> Output<'a, W> {
    /// A buffered writer for `output`; `pipe` is the same file if it may be a pipe.
    pub fn new(output: &'a mut W, pipe: Option<BorrowedFd<'a>>) -> Self {
        #[cfg(not(target_os = "linux"))]
        let _ = pipe;
        Self {
            output,
            plain: vec![0; BUFFER],
            #[cfg(target_os = "linux")]
            ring: None,
            #[cfg(target_os = "linux")]
            pipe,
            #[cfg(target_os = "linux")]
            sent: 0,
        }
    }

    /// The buffer to fill: [`WRITE`] bytes, and room for one board's children.
    #[inline]
    pub fn buffer(&mut self) -> &mut [u8] {
        #[cfg(target_os = "linux")]
        if let Some(ring) = &mut self.ring {
            return ring.buffer();
        }
        &mut self.plain
    }

    /// Sends the first `used` bytes of the buffer and switches to the next one.
    pub fn send(&mut self, used: usize) -> io::Result<()> {
        #[cfg(target_os = "linux")]
        {
            if let Some(ring) = &mut self.ring {
                let given = ring.give(used)?;
                if given < used {
                    self.output.write_all(&ring.buffer()[given..used])?;
                    self.ring = None;
                } else {
                    ring.turn(used);
                }
                return Ok(());
            }
            self.sent += used;
            if self.sent >= PLAIN
                && let Some(pipe) = self.pipe.take()
            {
                self.output.write_all(&self.plain[..used])?;
                self.ring = Ring::to(pipe)?;
                return Ok(());
            }
        }
        self.output.write_all(&self.plain[..used])
    }
}
