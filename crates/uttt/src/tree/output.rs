//! Where the tree is written before it is sent: to a pipe, pages are given instead of copied.
//!
//! A page that was given must stay as it is until the reader has read it. The pages lie in a ring much larger than the pipe,
//! so that what is written over has long left it. Small trees are written plainly, and so is the rest of a tree where the
//! system gives no pages away.

use super::digits::ROOM;
use std::io::{self, Write};
use std::os::fd::BorrowedFd;

#[cfg(target_os = "linux")]
#[allow(unsafe_code)] // Memory by the page, and three calls of the system.
mod ring;
#[cfg(target_os = "linux")]
use ring::Ring;

/// Bytes a write: large enough that system calls do not count, small enough for the second-level cache.
pub(super) const WRITE: usize = 256 * 1024;
/// What one look at a board may add to a buffer that has not reached [`WRITE`], and a line feed.
const BUFFER: usize = WRITE + 10 * ROOM;
/// So much is written plainly first: a ring takes as long to make.
#[cfg(target_os = "linux")]
const PLAIN: usize = 4 << 20;

/// Buffers of bytes on their way to `output`.
pub(super) struct Output<'a, W> {
    output: &'a mut W,
    plain: Vec<u8>,
    #[cfg(target_os = "linux")]
    ring: Option<Ring>,
    /// Where the bytes go, if a ring is worth a try there.
    #[cfg(target_os = "linux")]
    pipe: Option<BorrowedFd<'a>>,
    #[cfg(target_os = "linux")]
    sent: usize,
}

impl<'a, W: Write> Output<'a, W> {
    /// Output for `output`, which writes to `pipe` if it is given.
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

    /// The buffer to write to: [`WRITE`] bytes and room for what may go beyond.
    #[inline]
    pub fn buffer(&mut self) -> &mut [u8] {
        #[cfg(target_os = "linux")]
        if let Some(ring) = &mut self.ring {
            return ring.buffer();
        }
        &mut self.plain
    }

    /// Sends the first `used` bytes of the buffer; the next one is another.
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
