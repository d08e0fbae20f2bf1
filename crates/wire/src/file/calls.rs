//! The system calls that change files or carry bytes of connections. Interrupted calls are repeated, and tests can make the n-th call fail.

use super::call::Call;
use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, Instant};

/// Makes a call, and repeats it if a signal interrupts it.
pub(crate) fn call<T>(what: Call, make: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    super::wait_if_ending();
    repeated(what, make)
}

fn repeated<T>(what: Call, mut make: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    loop {
        let made = before(what).and_then(|()| make());
        match made {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            made => return made,
        }
    }
}

#[cfg(any(test, feature = "faults"))]
pub(crate) use super::faults::length;
#[cfg(any(test, feature = "faults"))]
use super::faults::{before, opened, synced};

#[cfg(not(any(test, feature = "faults")))]
mod no_faults {
    use super::{Call, File, Path, io};

    pub(super) fn before(_: Call) -> io::Result<()> {
        Ok(())
    }

    pub(crate) fn length(whole: usize) -> usize {
        whole
    }

    pub(super) fn opened(_: &Path, _: &File) {}

    pub(super) fn synced(_: &File) {}
}
#[cfg(not(any(test, feature = "faults")))]
pub(crate) use no_faults::length;
#[cfg(not(any(test, feature = "faults")))]
use no_faults::{before, opened, synced};

/// Opens a file without waiting for whoever may stand at the other end of a pipe or a device.
pub(super) fn open(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    super::wait_if_ending();
    open_at_once(path, options)
}

/// As [`open`], for a caller with a lock for which the end of the program waits.
pub(super) fn open_at_once(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(options, O_NONBLOCK);
    let file = repeated(Call::Open, || options.open(path))?;
    opened(path, &file);
    Ok(file)
}

/// The flag of most systems of each kind. On others it has another value, and a call may wait.
#[cfg(unix)]
const O_NONBLOCK: i32 = if cfg!(any(target_os = "linux", target_os = "android")) { 0o4000 } else { 4 };
/// Interval between two tries of a call that would have to wait.
pub(super) const SOON: Duration = Duration::from_millis(1);
/// Time in which somebody must begin to read a pipe.
const NO_READER: Duration = Duration::from_secs(if cfg!(test) { 1 } else { 10 });

/// Opens a pipe, a device or a descriptor of this process for writing in place.
pub(super) fn open_special(path: &Path) -> io::Result<File> {
    let deadline = Instant::now() + NO_READER;
    loop {
        match open(path, OpenOptions::new().append(true)) {
            Err(_) if super::is_pipe(path) && Instant::now() < deadline => std::thread::sleep(SOON),
            Err(error) if super::is_pipe(path) => {
                return Err(io::Error::new(error.kind(), format!("nobody reads this pipe ({error})")));
            }
            opened => return opened,
        }
    }
}

pub(super) fn write(file: &mut File, bytes: &[u8]) -> io::Result<usize> {
    loop {
        match call(Call::Write, || file.write(&bytes[..length(bytes.len())])) {
            // A pipe that is full, opened not to block.
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => std::thread::sleep(SOON),
            written => return written,
        }
    }
}

pub(super) fn sync(file: &File) -> io::Result<()> {
    call(Call::Sync, || file.sync_all())?;
    synced(file);
    Ok(())
}

/// Syncs the folder of a file, if the system can: the file's name is then on the disk.
pub(super) fn sync_folder(path: &Path) {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // The error is ignored: if the sync is lost, the old file is still there under its name.
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
}

/// True for a file that is mounted by itself: nothing can be renamed over it. A system may not say so before.
#[cfg(all(target_os = "linux", feature = "attributes"))]
pub(super) fn is_mount_point(path: &Path) -> bool {
    use rustix::fs::{AtFlags, CWD, StatxAttributes, StatxFlags, statx};
    statx(CWD, path, AtFlags::empty(), StatxFlags::empty())
        .is_ok_and(|data| data.stx_attributes.contains(StatxAttributes::MOUNT_ROOT))
}

#[cfg(not(all(target_os = "linux", feature = "attributes")))]
pub(super) fn is_mount_point(_: &Path) -> bool {
    false
}

/// Gives a new file the owner of the old one.
#[cfg(unix)]
pub(super) fn own(file: &File, before: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, fchown};
    let now = file.metadata()?;
    if (now.uid(), now.gid()) == (before.uid(), before.gid()) {
        return Ok(());
    }
    call(Call::Owner, || fchown(file, Some(before.uid()), Some(before.gid())))
        .map_err(|error| io::Error::new(error.kind(), format!("its owner cannot be kept: {error}")))
}

#[cfg(not(unix))]
pub(super) fn own(_: &File, _: &Metadata) -> io::Result<()> {
    Ok(())
}

/// The name under which Linux keeps an access list.
#[cfg(all(target_os = "linux", feature = "attributes"))]
pub(super) const ACCESS_LIST: &[u8] = b"system.posix_acl_access";

/// Gives a new file the extended attributes of the old one, the access list among them. One that the system keeps for
/// itself is left out.
#[cfg(all(target_os = "linux", feature = "attributes"))]
pub(super) fn attributes(file: &File, before: &Path) -> io::Result<()> {
    use rustix::fs::{XattrFlags, flistxattr, fremovexattr, fsetxattr, getxattr, listxattr};
    /// The greatest size of an attribute, and of a list of names, that Linux allows.
    const MOST: usize = 65_536;
    // A file system without attributes has none to keep.
    let names = |list: &dyn Fn(&mut [u8]) -> rustix::io::Result<usize>| {
        let mut names = vec![0; MOST];
        let length = list(&mut names).unwrap_or(0);
        names.truncate(length);
        names
    };
    let old = names(&|bytes| listxattr(before, bytes));
    let new = names(&|bytes| flistxattr(file, bytes));
    let each = |names| <[u8]>::split(names, |byte| *byte == 0).filter(|name| !name.is_empty());
    for name in each(&new).filter(|name| !each(&old).any(|kept| kept == *name)) {
        let _ = fremovexattr(file, name);
    }
    let mut value = vec![0; if old.is_empty() { 0 } else { MOST }];
    for name in each(&old) {
        let Ok(length) = getxattr(before, name, &mut value[..]) else { continue };
        let set = call(Call::Attribute, || Ok(fsetxattr(file, name, &value[..length], XattrFlags::empty())?));
        if name == ACCESS_LIST {
            set.map_err(|error| {
                io::Error::new(error.kind(), format!("its access list cannot be kept: {error}"))
            })?;
        }
    }
    Ok(())
}

#[cfg(not(all(target_os = "linux", feature = "attributes")))]
pub(super) fn attributes(_: &File, _: &Path) -> io::Result<()> {
    Ok(())
}
