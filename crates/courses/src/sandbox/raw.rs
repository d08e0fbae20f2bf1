//! System calls that no library wraps. All unsafe code of the sandbox is here.
//!
//! After `fork` in a program of several threads, only calls that take no lock and no memory are safe. Everything here that
//! runs in a new process is a system call with numbers and memory that was prepared before.
#![allow(unsafe_code)]

use rustix::fs::{Mode, OFlags, RawDir, open};
use rustix::process::{Pid, WaitOptions, waitpid};
use rustix::thread::{UnshareFlags, unshare_unsafe};
use std::ffi::CStr;
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::os::unix::process::CommandExt;

/// Has a process take these steps before its program starts. They must be system calls alone.
pub(super) fn before_start(
    builder: &mut std::process::Command,
    steps: impl Fn() -> io::Result<()> + Send + Sync + 'static,
) {
    let told = move || {
        let failed =
            |error: io::Error| io::Error::from_raw_os_error(STEP | error.raw_os_error().unwrap_or(libc::EIO));
        steps().map_err(failed)
    };
    // SAFETY: the only caller's steps make system calls alone; they take neither memory nor locks.
    unsafe {
        builder.pre_exec(told);
    }
}

/// Added to the number of a step's error: the standard library tells it just as one of the program's start.
const STEP: i32 = 1 << 16;

/// Returns the error of a step before the program's start, if this error of a start is one.
pub(crate) fn error_of_step(error: &io::Error) -> Option<io::Error> {
    let code = error.raw_os_error()?;
    (code & STEP != 0).then(|| io::Error::from_raw_os_error(code & !STEP))
}

/// Standard input, output and error of a process before its program starts.
pub(super) fn streams() -> [BorrowedFd<'static>; 3] {
    // SAFETY: the standard library opened them for the process, and nothing closes them before its program starts.
    [0, 1, 2].map(|number| unsafe { BorrowedFd::borrow_raw(number) })
}

/// Marks all descriptors but standard input, output and error to be closed when the program starts.
pub(super) fn close_descriptors_at_start() -> io::Result<()> {
    // SAFETY: marks descriptors by number; nothing is closed while this program still uses it.
    let done = unsafe { libc::syscall(libc::SYS_close_range, 3, u32::MAX, libc::CLOSE_RANGE_CLOEXEC) };
    if done == 0 {
        return Ok(());
    }
    // Linux before 5.11. SAFETY: as above.
    each_descriptor(|number| _ = unsafe { libc::fcntl(number, libc::F_SETFD, libc::FD_CLOEXEC) })
}

/// Calls `each` with the descriptors of this process but standard input, output and error.
fn each_descriptor(each: impl Fn(i32)) -> io::Result<()> {
    let folder = open(c"/proc/self/fd", OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?;
    let mut buffer = [MaybeUninit::uninit(); 2048];
    let mut entries = RawDir::new(&folder, &mut buffer);
    while let Some(entry) = entries.next() {
        let number = entry?.file_name().to_str().ok().and_then(|name| name.parse().ok());
        if let Some(number) = number.filter(|&number| number > 2 && number != folder.as_raw_fd()) {
            each(number);
        }
    }
    Ok(())
}

/// Moves this process of one thread to new namespaces.
pub(super) fn unshare(flags: UnshareFlags) -> io::Result<()> {
    // SAFETY: no flag here unshares descriptors, so that none is lost.
    unsafe { unshare_unsafe(flags) }.map_err(io::Error::from)
}

/// Starts a copy of this process as a child of its parent. Returns 0 in the copy.
pub(super) fn fork_sibling() -> io::Result<i32> {
    fork(libc::CLONE_PARENT)
}

fn fork(flags: i32) -> io::Result<i32> {
    let flags = libc::c_long::from(flags | libc::SIGCHLD);
    // SAFETY: without shared memory this is a `fork`; both processes go on with system calls alone.
    let pid = unsafe { libc::syscall(libc::SYS_clone, flags, 0_usize, 0_usize, 0_usize, 0_usize) };
    Ok(checked(pid)? as i32)
}

/// Ends this process without running anything of the program that it was started from.
pub(super) fn exit(code: i32) -> ! {
    // SAFETY: takes a number and does not return.
    unsafe { libc::_exit(code) }
}

/// Takes steps in a process of its own. Returns the error of the one that failed.
pub(super) fn try_apart(steps: impl Fn() -> io::Result<()>) -> io::Result<()> {
    let pid = fork(0)?;
    if pid == 0 {
        exit(steps().err().map_or(0, |error| error.raw_os_error().unwrap_or(libc::EIO)));
    }
    let ended = waitpid(Pid::from_raw(pid), WaitOptions::empty())?;
    match ended.and_then(|(_, status)| status.exit_status()) {
        Some(0) => Ok(()),
        Some(code) => Err(io::Error::from_raw_os_error(code)),
        None => Err(io::Error::other("the process that tried it was killed")),
    }
}

/// Waits until the other end of a pipe is closed, then ends. This process keeps no other descriptor and hears no signal.
pub(super) fn wait_for_the_end(pipe: &OwnedFd) -> ! {
    let kept = pipe.as_raw_fd();
    // SAFETY: this process runs nothing else of the program that it was started from, so that it needs none of its
    // descriptors and handlers. The set is filled before it is used.
    unsafe {
        let mut all = std::mem::zeroed();
        libc::sigfillset(&mut all);
        libc::sigprocmask(libc::SIG_SETMASK, &all, std::ptr::null_mut());
        // Its children are reaped by the system.
        libc::signal(libc::SIGCHLD, libc::SIG_IGN);
        libc::prctl(libc::PR_SET_DUMPABLE, 0, 0, 0, 0);
        for number in (0..3).filter(|&number| number != kept) {
            libc::close(number);
        }
        let closed = |first: i32, last: u32| libc::syscall(libc::SYS_close_range, first, last, 0) == 0;
        if !((kept <= 3 || closed(3, kept as u32 - 1)) && closed(kept + 1, u32::MAX)) {
            // Linux before 5.9.
            let _ = each_descriptor(|number| _ = (number == kept) || libc::close(number) == 0);
        }
        let mut byte = 0_u8;
        while libc::read(kept, std::ptr::from_mut(&mut byte).cast(), 1) != 0
            && io::Error::last_os_error().raw_os_error() == Some(libc::EINTR)
        {}
    }
    exit(0)
}

/// Switches on the loopback interface of this network namespace.
pub(super) fn switch_loopback_on(socket: impl AsFd) -> io::Result<()> {
    // SAFETY: the request names an interface by a short text that ends with zero, and outlives the call.
    let done = unsafe {
        let mut request: libc::ifreq = std::mem::zeroed();
        request.ifr_name[0] = b'l' as libc::c_char;
        request.ifr_name[1] = b'o' as libc::c_char;
        request.ifr_ifru.ifru_flags = (libc::IFF_UP | libc::IFF_RUNNING) as libc::c_short;
        libc::ioctl(socket.as_fd().as_raw_fd(), libc::SIOCSIFFLAGS as _, &request)
    };
    checked(done.into()).map(drop)
}

/// Makes all mounts of this namespace read-only.
pub(super) fn make_mounts_read_only() -> io::Result<()> {
    // SAFETY: the settings are numbers, which the kernel wants to be zero, and outlive the call.
    let done = unsafe {
        let mut settings: libc::mount_attr = std::mem::zeroed();
        settings.attr_set = libc::MOUNT_ATTR_RDONLY;
        libc::syscall(
            libc::SYS_mount_setattr,
            libc::AT_FDCWD,
            c"/".as_ptr(),
            libc::AT_RECURSIVE,
            std::ptr::from_ref(&settings),
            size_of::<libc::mount_attr>(),
        )
    };
    checked(done).map(drop)
}

/// A Landlock rule for a folder, as the kernel reads it.
#[repr(C, packed)]
struct PathBeneath {
    allowed_access: u64,
    parent_fd: i32,
}

/// Adds rights in a folder to Landlock rules. A folder that does not exist needs none.
pub(super) fn allow(ruleset: &OwnedFd, folder: &CStr, allowed_access: u64) -> io::Result<()> {
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
    open(folder, flags, Mode::empty()).map_or(Ok(()), |folder| allow_opened(ruleset, &folder, allowed_access))
}

/// Adds rights in a folder or to a file that is open.
pub(super) fn allow_opened(ruleset: &OwnedFd, place: impl AsFd, allowed_access: u64) -> io::Result<()> {
    const FOLDER: i32 = 1;
    let rule = PathBeneath { allowed_access, parent_fd: place.as_fd().as_raw_fd() };
    // SAFETY: the descriptors are open, and the rule is read before the call returns.
    let done = unsafe {
        libc::syscall(
            libc::SYS_landlock_add_rule,
            ruleset.as_raw_fd(),
            FOLDER,
            std::ptr::from_ref(&rule),
            0_u32,
        )
    };
    checked(done).map(drop)
}

/// Binds this process to Landlock rules.
pub(super) fn restrict(ruleset: &OwnedFd) -> io::Result<()> {
    // SAFETY: takes a descriptor and no memory.
    let done = unsafe { libc::syscall(libc::SYS_landlock_restrict_self, ruleset.as_raw_fd(), 0_u32) };
    checked(done).map(drop)
}

/// Returns the system's Landlock ABI, 0 without Landlock.
pub(super) fn landlock_abi() -> i32 {
    const VERSION: u32 = 1;
    // SAFETY: with this flag, the call takes no memory and returns a number.
    let found =
        unsafe { libc::syscall(libc::SYS_landlock_create_ruleset, std::ptr::null::<u8>(), 0_usize, VERSION) };
    i32::try_from(found).unwrap_or(0).max(0)
}

/// Adds a filter that reports calls. Returns the descriptor that they are heard from, closed when a program starts.
pub(super) fn filter_and_listen(filter: &[seccompiler::sock_filter]) -> io::Result<OwnedFd> {
    let length = filter.len().try_into().map_err(|_| io::ErrorKind::InvalidInput)?;
    let program = libc::sock_fprog { len: length, filter: filter.as_ptr().cast_mut().cast() };
    let add = |flags: libc::c_ulong| {
        // SAFETY: the program's instructions have the kernel's layout, and are read before the call returns.
        let listener = unsafe {
            libc::syscall(
                libc::SYS_seccomp,
                libc::SECCOMP_SET_MODE_FILTER,
                flags | libc::SECCOMP_FILTER_FLAG_NEW_LISTENER,
                std::ptr::from_ref(&program),
            )
        };
        checked(listener)
    };
    // No signal interrupts a call once its report is heard. Linux before 5.19 has no such flag.
    let listener = add(libc::SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV).or_else(|_| add(0))? as i32;
    // SAFETY: the call has just returned this descriptor, and nobody else has it.
    Ok(unsafe { OwnedFd::from_raw_fd(listener) })
}

/// Receives a reported call.
pub(super) fn receive_notice(listener: &OwnedFd) -> io::Result<libc::seccomp_notif> {
    // SAFETY: a notice is made of numbers, which the kernel wants to be zero, and it outlives the call.
    unsafe {
        let mut notice: libc::seccomp_notif = std::mem::zeroed();
        let done = libc::ioctl(listener.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_RECV as _, &mut notice);
        checked(done.into()).map(|_| notice)
    }
}

/// True if a reported call still waits, so that what was read of its process was its own.
pub(super) fn is_waiting(listener: &OwnedFd, id: u64) -> bool {
    // SAFETY: reads a number that outlives the call.
    unsafe { libc::ioctl(listener.as_raw_fd(), libc::SECCOMP_IOCTL_NOTIF_ID_VALID as _, &id) == 0 }
}

/// Answers a reported call: it fails with `error`, or goes on.
pub(super) fn answer_notice(listener: &OwnedFd, id: u64, error: Option<i32>) -> io::Result<()> {
    let flags = if error.is_none() { libc::SECCOMP_USER_NOTIF_FLAG_CONTINUE as u32 } else { 0 };
    let mut answer = libc::seccomp_notif_resp { id, val: 0, error: -error.unwrap_or(0), flags };
    // SAFETY: the answer outlives the call.
    let done = unsafe {
        libc::ioctl(
            listener.as_raw_fd(),
            libc::SECCOMP_IOCTL_NOTIF_SEND as _,
            std::ptr::from_mut(&mut answer),
        )
    };
    checked(done.into()).map(drop)
}

/// True if the system filters calls.
pub(super) fn has_filters() -> bool {
    let action: u32 = libc::SECCOMP_RET_ERRNO;
    // SAFETY: reads the action, which outlives the call.
    let found = unsafe {
        libc::syscall(libc::SYS_seccomp, libc::SECCOMP_GET_ACTION_AVAIL, 0_u32, std::ptr::from_ref(&action))
    };
    found == 0
}

fn checked(result: libc::c_long) -> io::Result<libc::c_long> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(result) }
}
