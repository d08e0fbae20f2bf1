//! Fault injection: makes the n-th call on this thread that changes a file, or carries bytes of a pipe or a connection,
//! fail in each way a system can fail.
//!
//! For tests only (feature `faults`). Nothing fails outside [`with`].

pub use super::call::Call;
use std::cell::RefCell;
use std::fs::File;
use std::io;
use std::path::Path;

/// A way in which calls fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The disk is full from this call on.
    Full,
    /// The device fails from this call on.
    Broken,
    /// A signal interrupts this call.
    Interrupted,
    /// A call that carries bytes takes one of them; other calls are unaffected.
    Short,
    /// A write accepts one byte, then the disk is full.
    ShortThenFull,
    /// The other side resets the connection: this call and all later ones fail.
    Reset,
    /// The other side closes the connection: this call and all later ones fail.
    Closed,
    /// No bytes can be carried now: this call of a connection that does not block is to be made again later.
    Later,
    /// The power is cut: later calls do nothing, and whatever was not synced is lost.
    PowerCut,
}

impl Fault {
    /// Every fault of connections that block.
    pub const OF_CONNECTIONS: [Self; 5] =
        [Self::Broken, Self::Interrupted, Self::Short, Self::Reset, Self::Closed];

    /// Every fault of files.
    pub const ALL: [Self; 6] =
        [Self::Full, Self::Broken, Self::Interrupted, Self::Short, Self::ShortThenFull, Self::PowerCut];

    /// True if the work must succeed despite the fault.
    #[must_use]
    pub fn is_harmless(self) -> bool {
        matches!(self, Self::Interrupted | Self::Short | Self::Later)
    }
}

#[derive(Debug)]
struct Plan {
    fault: Fault,
    /// The number of calls before the fault.
    left: u64,
    /// Opened files with their lengths on the disk.
    files: Vec<(File, u64)>,
    is_short: bool,
}

thread_local! {
    static PLAN: RefCell<Option<Plan>> = const { RefCell::new(None) };
}

/// Runs `work` with a fault at its `nth` call (from 0) on this thread. The flag tells whether the call was reached.
/// After a power cut, the files are truncated to their synced content.
///
/// Prints a line for each case, which `scripts/soak.sh faults` counts.
#[allow(clippy::print_stdout, reason = "a test's own output")]
pub fn with<T>(fault: Fault, nth: u64, work: impl FnOnce() -> T) -> (T, bool) {
    PLAN.set(Some(Plan { fault, left: nth, files: Vec::new(), is_short: false }));
    let done = work();
    let Some(plan) = PLAN.take() else { return (done, false) };
    let struck = plan.left == u64::MAX;
    if struck {
        println!("fault: {fault:?} at call {nth}");
    }
    if struck && fault == Fault::PowerCut {
        for (file, length) in plan.files {
            // Bytes after the synced ones never reached the disk.
            if file.metadata().is_ok_and(|data| data.len() > length) {
                file.set_len(length).expect("a file that was written can be cut");
            }
        }
    }
    (done, struck)
}

/// Ends the fault within [`with`]: later calls succeed, as on a new connection.
pub fn heal() {
    PLAN.with_borrow_mut(|plan| {
        if let Some(plan) = plan.as_mut().filter(|plan| plan.left == u64::MAX) {
            // It has no effect on any call but the first.
            plan.fault = Fault::Later;
        }
    });
}

fn full() -> io::Error {
    io::ErrorKind::StorageFull.into()
}

/// Applies the fault, if it is due, before a call.
pub(super) fn before(what: Call) -> io::Result<()> {
    PLAN.with_borrow_mut(|plan| {
        let Some(plan) = plan else { return Ok(()) };
        let struck = plan.left == u64::MAX;
        if !struck {
            if plan.left > 0 {
                plan.left -= 1;
                return Ok(());
            }
            plan.left = u64::MAX;
        }
        let uses_room = matches!(what, Call::Open | Call::Write | Call::Sync);
        match plan.fault {
            Fault::Full if uses_room || !struck => Err(full()),
            Fault::Broken | Fault::PowerCut => Err(io::Error::from_raw_os_error(5)),
            Fault::Reset => Err(io::ErrorKind::ConnectionReset.into()),
            Fault::Closed => Err(io::ErrorKind::BrokenPipe.into()),
            Fault::Later if !struck => Err(io::ErrorKind::WouldBlock.into()),
            Fault::Interrupted if !struck => Err(io::ErrorKind::Interrupted.into()),
            Fault::Short | Fault::ShortThenFull if !struck => {
                plan.is_short = matches!(what, Call::Write | Call::Receive | Call::Send);
                Ok(())
            }
            Fault::ShortThenFull if uses_room => Err(full()),
            _ => Ok(()),
        }
    })
}

/// The number of bytes, of `whole`, that a call may take.
pub(crate) fn length(whole: usize) -> usize {
    PLAN.with_borrow_mut(|plan| match plan {
        Some(plan) => {
            if std::mem::take(&mut plan.is_short) {
                whole.min(1)
            } else {
                whole
            }
        }
        None => whole,
    })
}

/// Records an opened file; its present content counts as synced.
pub(super) fn opened(_: &Path, file: &File) {
    PLAN.with_borrow_mut(|plan| {
        if let (Some(plan), Ok(data), Ok(file)) = (plan, file.metadata(), file.try_clone()) {
            plan.files.push((file, data.len()));
        }
    });
}

/// Records that all of a file is synced.
pub(super) fn synced(file: &File) {
    PLAN.with_borrow_mut(|plan| {
        let Some(plan) = plan else { return };
        let Ok(now) = file.metadata() else { return };
        for (other, length) in &mut plan.files {
            if other.metadata().is_ok_and(|data| is_same(&data, &now)) {
                *length = now.len();
            }
        }
    });
}

#[cfg(unix)]
fn is_same(one: &std::fs::Metadata, other: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

#[cfg(not(unix))]
fn is_same(one: &std::fs::Metadata, other: &std::fs::Metadata) -> bool {
    one.created().ok() == other.created().ok()
}
