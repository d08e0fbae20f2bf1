//! Attacks on the memory of the machine: a program's own, and the kernel's.
#![allow(unsafe_code)]

use super::{LONG, any, checked, rest};
use std::fs;
use std::io::{self, Write};
use std::os::fd::{AsRawFd, FromRawFd};
use std::os::unix::net::UnixStream;

/// Allocates this many MiB and keeps them for a minute.
fn hold(size: i32) {
    let held = vec![1_u8; (size as usize) << 20];
    std::hint::black_box(&held);
    rest(60_000);
}

/// Starts a process that does this and ends.
fn child(deed: impl FnOnce()) {
    // SAFETY: this program has one other thread, which waits for this one and holds no lock.
    if unsafe { libc::fork() } == 0 {
        deed();
        // SAFETY: ends the process.
        unsafe { libc::_exit(0) };
    }
}

/// Maps shared memory without a file and touches all of it. Returns its start.
fn shared(bytes: usize) -> io::Result<*mut libc::c_void> {
    // SAFETY: maps a new range, and writes to it alone.
    unsafe {
        let rights = libc::PROT_READ | libc::PROT_WRITE;
        let start =
            libc::mmap(std::ptr::null_mut(), bytes, rights, libc::MAP_SHARED | libc::MAP_ANONYMOUS, -1, 0);
        checked(if start == libc::MAP_FAILED { -1 } else { 0 })?;
        start.cast::<u8>().write_bytes(1, bytes);
        Ok(start)
    }
}

/// Makes mappings without pages: the rights of every second page are others.
fn mappings(count: usize) -> io::Result<()> {
    let kind = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    // SAFETY: maps a new range that nobody reads.
    let start = unsafe { libc::mmap(std::ptr::null_mut(), count * 4096, libc::PROT_NONE, kind, -1, 0) };
    checked(if start == libc::MAP_FAILED { -1 } else { 0 })?;
    for nth in (0..count).step_by(2) {
        // SAFETY: within the range.
        checked(unsafe { libc::mprotect(start.byte_add(nth * 4096), 4096, libc::PROT_READ) }.into())?;
    }
    Ok(())
}

pub(super) fn attack(words: &[&str]) -> io::Result<String> {
    let number = |nth: usize| words[nth].parse::<i32>().unwrap();
    match words[0] {
        "memory" => {
            let mut held: Vec<Vec<u8>> = Vec::new();
            for _ in 0..number(1) {
                let mut piece = Vec::new();
                piece.try_reserve_exact(16 << 20).map_err(io::Error::other)?;
                piece.resize(16 << 20, 1);
                held.push(piece);
            }
            Ok(format!("{} MiB", 16 * held.len()))
        }
        "memory-of-many" => {
            for _ in 0..number(1) {
                child(|| hold(number(2)));
            }
            rest(LONG);
            Ok(format!("{} processes of {} MiB", words[1], words[2]))
        }
        "memory-forked" => {
            let held = vec![1_u8; (number(1) as usize) << 20];
            (0..number(2)).for_each(|_| child(|| rest(60_000)));
            rest(1_000);
            Ok(format!("{} MiB, {} processes", held.len() >> 20, words[2]))
        }
        "memory-of-orphans" => {
            for _ in 0..number(1) {
                child(|| child(|| hold(number(2))));
            }
            rest(LONG);
            Ok(format!("{} orphans of {} MiB", words[1], words[2]))
        }
        // A process whose first thread has ended shows no memory by its own number.
        "memory-of-threads" => {
            let size = number(2);
            for _ in 0..number(1) {
                child(|| {
                    std::thread::spawn(move || hold(size));
                    // SAFETY: ends this thread alone.
                    unsafe { libc::syscall(libc::SYS_exit, 0) };
                });
            }
            rest(LONG);
            Ok(format!("{} processes of {} MiB", words[1], words[2]))
        }
        "memory-by-name" => {
            for _ in 0..number(1) {
                // SAFETY: makes a descriptor from a constant name.
                let made = checked(unsafe { libc::memfd_create(c"x".as_ptr(), 0) }.into())?;
                // SAFETY: the descriptor was just made.
                let mut file = unsafe { fs::File::from_raw_fd(made as i32) };
                file.write_all(&vec![1_u8; 16 << 20])?;
                std::mem::forget(file);
            }
            Ok(format!("{} MiB", 16 * number(1)))
        }
        "memory-shared" => {
            for _ in 0..number(1) {
                shared(16 << 20)?;
                rest(20);
            }
            rest(LONG);
            Ok(format!("{} MiB", 16 * number(1)))
        }
        // The pages stay with the child, which has touched none.
        "memory-left" => {
            for _ in 0..number(1) {
                let start = shared(64 << 20)?;
                child(|| rest(60_000));
                // SAFETY: the range was mapped just now and is not used any more.
                unsafe { libc::munmap(start, 64 << 20) };
            }
            rest(LONG);
            Ok(format!("{} MiB", 64 * number(1)))
        }
        "page-tables" => {
            // SAFETY: maps a new range.
            let start = unsafe {
                libc::mmap(
                    std::ptr::null_mut(),
                    1 << 40,
                    libc::PROT_READ,
                    libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
                    -1,
                    0,
                )
            };
            checked(if start == libc::MAP_FAILED { -1 } else { 0 })?;
            for nth in 0..1 << 19 {
                // SAFETY: within the range.
                unsafe { start.cast::<u8>().add(nth << 21).read_volatile() };
            }
            rest(LONG);
            Ok("2 GiB".to_owned())
        }
        "descriptors-of-many" => {
            for _ in 0..number(1) {
                child(|| {
                    let held: Vec<_> = (0..number(2)).map(|_| UnixStream::pair()).collect();
                    rest(60_000);
                    drop(held);
                });
            }
            rest(LONG);
            Ok(format!("{} pairs", number(1) * number(2)))
        }
        "buffer" => {
            let (mut own, _other) = UnixStream::pair()?;
            let wish = 1 << 24;
            // SAFETY: the option's value is a number that outlives the call.
            let set = unsafe {
                libc::setsockopt(
                    own.as_raw_fd(),
                    libc::SOL_SOCKET,
                    libc::SO_SNDBUF,
                    (&raw const wish).cast(),
                    size_of::<i32>() as u32,
                )
            };
            assert_eq!(set, 0, "a wish is no error");
            own.set_nonblocking(true)?;
            let mut held = 0;
            while let Ok(count) = own.write(&[0; 1 << 16]) {
                held += count;
            }
            if held > 1 << 18 { Ok(format!("{held} bytes")) } else { Err(io::Error::other("little")) }
        }
        "pages-given" => {
            let piece = [0_u8; 4096];
            let piece = libc::iovec { iov_base: piece.as_ptr().cast_mut().cast(), iov_len: piece.len() };
            // SAFETY: the piece outlives the call.
            checked(unsafe { libc::vmsplice(1, &piece, 1, 0) } as i64).map(|_| "given".to_owned())
        }
        "thread-apart" => {
            let flags = libc::CLONE_THREAD | libc::CLONE_SIGHAND | libc::CLONE_VM;
            // SAFETY: in the sandbox the call fails. The answer of the new thread would come from the same stack.
            let made = unsafe { libc::syscall(libc::SYS_clone, flags, 0, 0, 0, 0) };
            checked(made).map(|_| "a thread".to_owned())
        }
        // Descriptors that no folder in /proc shows.
        "table-apart" => {
            // SAFETY: closes a number that is no descriptor.
            let made =
                unsafe { libc::syscall(libc::SYS_close_range, 1 << 20, 1 << 20, libc::CLOSE_RANGE_UNSHARE) };
            checked(made).map(|_| "a table".to_owned())
        }
        "rulesets" => {
            let rights = 1_u64;
            // SAFETY: reads a number that outlives the call.
            let made = checked(unsafe {
                libc::syscall(libc::SYS_landlock_create_ruleset, &raw const rights, size_of::<u64>(), 0)
            });
            let [added, held] = [libc::SYS_landlock_add_rule, libc::SYS_landlock_restrict_self].map(|call| {
                // SAFETY: takes a number that is no descriptor, and no memory.
                match checked(unsafe { libc::syscall(call, -1, 0, 0, 0) }) {
                    Err(error) if error.raw_os_error() == Some(libc::ENOSYS) => Err(error),
                    _ => Ok(0),
                }
            });
            any([made, added, held])
        }
        "mappings" => {
            for _ in 0..number(1) {
                child(|| {
                    let _ = mappings(60_000);
                    rest(60_000);
                });
            }
            rest(LONG);
            Ok(format!("{} processes of 60000", number(1)))
        }
        // The pages stay as long as the first is mapped.
        "memory-kept" => {
            for _ in 0..number(1) {
                let start = shared(64 << 20)?;
                // SAFETY: the range was mapped just now, and this part of it is not used any more.
                unsafe { libc::munmap(start.byte_add(4096), (64 << 20) - 4096) };
            }
            rest(LONG);
            Ok(format!("{} MiB", 64 * number(1)))
        }
        other => panic!("\"{other}\" is no attack"),
    }
}
