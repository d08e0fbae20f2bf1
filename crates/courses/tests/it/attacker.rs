//! The attacking program: this test program, started again. It reads an attack from its input and tells how it went.

use std::ffi::CString;
use std::fs;
use std::io::{self, BufRead, Read, Write};
use std::net::{SocketAddr, TcpStream, UdpSocket};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::process::Command;

/// Does nothing unless it is the only test that was asked for.
#[test]
fn act() {
    if std::env::args().nth(1).as_deref() != Some("attacker::act") {
        return;
    }
    let mut order = String::new();
    io::stdin().lock().read_line(&mut order).unwrap();
    let words: Vec<&str> = order.split_whitespace().collect();
    let answer = match attack(&words) {
        Ok(what) => format!("done: {what}"),
        Err(error) => format!("stopped: {error}"),
    };
    println!("\nanswer: {answer}");
    io::stdout().flush().unwrap();
    // The rest of the input: it stays until the game is over.
    let _ = io::stdin().lock().read_to_string(&mut order);
}

fn last() -> io::Error {
    io::Error::last_os_error()
}

fn checked(result: i64) -> io::Result<i64> {
    if result < 0 { Err(last()) } else { Ok(result) }
}

/// Succeeds if one of several ways does. Returns the first error.
fn any<T>(ways: impl IntoIterator<Item = io::Result<T>>) -> io::Result<String> {
    let mut first = None;
    for (nth, way) in ways.into_iter().enumerate() {
        match way {
            Ok(_) => return Ok(format!("way {nth}")),
            Err(error) => _ = first.get_or_insert(error),
        }
    }
    Err(first.unwrap())
}

/// Milliseconds that an attack waits to be ended, on a busy machine too.
const LONG: u64 = 20_000;

fn rest(milliseconds: u64) {
    std::thread::sleep(std::time::Duration::from_millis(milliseconds));
}

/// Allocates this many MiB and keeps them for a minute.
fn hold(size: i32) {
    let held = vec![1_u8; (size as usize) << 20];
    std::hint::black_box(&held);
    rest(60_000);
}

/// Starts a process that does this and ends.
#[allow(unsafe_code)]
fn child(deed: impl FnOnce()) {
    // SAFETY: this program has one other thread, which waits for this one and holds no lock.
    if unsafe { libc::fork() } == 0 {
        deed();
        // SAFETY: ends the process.
        unsafe { libc::_exit(0) };
    }
}

/// Maps shared memory without a file and touches all of it. Returns its start.
#[allow(unsafe_code)]
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
#[allow(unsafe_code)]
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

#[allow(unsafe_code)]
fn attack(words: &[&str]) -> io::Result<String> {
    let number = |nth: usize| words[nth].parse::<i32>().unwrap();
    match words[0] {
        "read" => {
            let path = Path::new(words[1]);
            if path.is_dir() { fs::read_dir(path).map(|_| ()) } else { fs::read(path).map(|_| ()) }
                .map(|()| "read".to_owned())
        }
        // A program without rights to a file may be its owner.
        "watch" => {
            let path = std::ffi::CString::new(words[1])?;
            // SAFETY: numbers, and a text that outlives the call.
            let watched = unsafe {
                libc::inotify_add_watch(
                    libc::inotify_init1(libc::IN_CLOEXEC),
                    path.as_ptr(),
                    libc::IN_ALL_EVENTS,
                )
            };
            checked(watched.into()).map(|_| "watched".to_owned())
        }
        "rights" => {
            let file = Path::new(words[1]);
            let mode = fs::Permissions::from_mode(0o644);
            let (path, times) =
                (CString::new(words[1]).unwrap(), [libc::timespec { tv_sec: 1, tv_nsec: 0 }; 2]);
            // SAFETY: the path and the times outlive the calls.
            let (timed, marked) = unsafe {
                let marked = libc::setxattr(path.as_ptr(), c"user.x".as_ptr(), c"x".as_ptr().cast(), 1, 0);
                (libc::utimensat(libc::AT_FDCWD, path.as_ptr(), times.as_ptr(), 0), marked)
            };
            let set = fs::set_permissions(file, mode).map(|()| 0);
            any([set, checked(timed.into()), checked(marked.into())])
        }
        "write" => fs::write(words[1], "here").map(|()| "written".to_owned()),
        "memory-of" => {
            let mut byte = [0_u8; 8];
            let here = libc::iovec { iov_base: byte.as_mut_ptr().cast(), iov_len: 8 };
            let there = libc::iovec { iov_base: 0x1000 as *mut _, iov_len: 8 };
            // SAFETY: both vectors outlive the call. EFAULT would mean that the right was there.
            let read = unsafe { libc::process_vm_readv(number(1), &here, 1, &there, 1, 0) };
            let vm = match checked(read as i64) {
                Err(error) if error.raw_os_error() == Some(libc::EFAULT) => Ok(0),
                result => result,
            };
            any([vm, fs::File::open(format!("/proc/{}/mem", words[1])).map(|_| 0)])
        }
        "command-of" => {
            let read = |file: &str| match fs::read(format!("/proc/{}/{file}", words[1]))? {
                bytes if bytes.is_empty() => Err(io::Error::other("empty")),
                bytes => Ok(bytes),
            };
            any([read("cmdline"), read("environ")])
        }
        "links" => {
            let folder = std::env::temp_dir();
            let (soft, hard) = (folder.join("soft"), folder.join("hard"));
            std::os::unix::fs::symlink(words[1], &soft)?;
            any([
                fs::read(&soft).map(|_| ()),
                fs::hard_link(words[1], &hard).and_then(|()| fs::read(&hard).map(|_| ())),
                fs::rename(words[1], &hard).and_then(|()| fs::read(&hard).map(|_| ())),
            ])
        }
        "tcp" => TcpStream::connect(words[1]).map(|_| "connected".to_owned()),
        "tcp-from" => {
            // SAFETY: makes a socket from numbers.
            let made = checked(unsafe { libc::socket(libc::AF_INET, libc::SOCK_STREAM, 0) }.into())?;
            // SAFETY: the descriptor was just made.
            let client = unsafe { OwnedFd::from_raw_fd(made as i32) };
            rustix::net::bind(&client, &words[1].parse::<SocketAddr>().unwrap())?;
            rustix::net::connect(&client, &words[2].parse::<SocketAddr>().unwrap())?;
            Ok("connected".to_owned())
        }
        "udp" => UdpSocket::bind("127.0.0.1:0")
            .and_then(|socket| socket.send_to(b"x", words[1]))
            .map(|_| "sent".to_owned()),
        "unix" => UnixStream::connect(words[1]).map(|_| "connected".to_owned()),
        "dns" => {
            // SAFETY: makes a socket from numbers.
            let netlink = unsafe { libc::socket(libc::AF_NETLINK, libc::SOCK_RAW, 0) };
            any([
                UdpSocket::bind("0.0.0.0:0").and_then(|socket| socket.connect("192.0.2.1:53")).map(|()| 0),
                checked(netlink.into()),
            ])
        }
        "forks" => {
            let mut count = 0;
            while count < number(1) {
                // SAFETY: the child only waits.
                match unsafe { libc::fork() } {
                    0 => loop {
                        // SAFETY: waits for a signal.
                        unsafe { libc::pause() };
                    },
                    pid if pid < 0 => return Err(io::Error::other(format!("after {count}: {}", last()))),
                    _ => count += 1,
                }
            }
            Ok(format!("{count} processes"))
        }
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
        "disk" => {
            let block = vec![1_u8; 16 << 20];
            for nth in 0..number(1) {
                fs::write(std::env::temp_dir().join(nth.to_string()), &block)?;
                std::thread::sleep(std::time::Duration::from_millis(5));
            }
            Ok(format!("{} MiB", 16 * number(1)))
        }
        // So many levels down, in folders with names of this length.
        "disk-below" => {
            std::env::set_current_dir(std::env::temp_dir())?;
            for _ in 0..number(1) {
                let name = "a".repeat(number(2) as usize);
                fs::create_dir(&name)?;
                std::env::set_current_dir(&name)?;
            }
            let block = vec![1_u8; 16 << 20];
            for nth in 0..64 {
                fs::write(nth.to_string(), &block)?;
                rest(5);
            }
            Ok("1024 MiB".to_owned())
        }
        "disk-closed" => {
            let folder = std::env::temp_dir().join("closed");
            fs::create_dir(&folder)?;
            std::env::set_current_dir(&folder)?;
            let files: Vec<_> = (0..64).map(|nth: u32| fs::File::create(nth.to_string())).collect();
            fs::set_permissions(&folder, std::os::unix::fs::PermissionsExt::from_mode(0o0))?;
            for file in files {
                file?.write_all(&vec![1_u8; 16 << 20])?;
                rest(5);
            }
            Ok("1024 MiB".to_owned())
        }
        "disk-unlinked" => {
            let (block, mut held) = (vec![1_u8; 16 << 20], Vec::new());
            for _ in 0..number(1) {
                let mut file = tempfile::tempfile()?;
                file.write_all(&block)?;
                held.push(file);
                rest(5);
            }
            Ok(format!("{} MiB", 16 * held.len()))
        }
        "many-files" => {
            for nth in 0..number(1) {
                fs::File::create(std::env::temp_dir().join(nth.to_string()))?;
            }
            rest(LONG);
            Ok(format!("{} files", words[1]))
        }
        "sparse" => {
            // SAFETY: a signal's default action would end this program without an answer.
            unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
            let file = fs::File::create(std::env::temp_dir().join("sparse"))?;
            file.set_len(1 << 40).map(|()| "1 TiB".to_owned())
        }
        "descriptors" => {
            for fd in 3..200 {
                // SAFETY: a number that is no descriptor fails to be read.
                let mut file = std::mem::ManuallyDrop::new(unsafe { fs::File::from_raw_fd(fd) });
                let mut text = [0_u8; 64];
                if file.read(&mut text).is_ok_and(|count| text[..count].starts_with(words[1].as_bytes())) {
                    return Ok(format!("descriptor {fd}"));
                }
            }
            Err(io::Error::other("no such descriptor"))
        }
        "ptrace" => {
            // SAFETY: attaches by number.
            let attached = unsafe { libc::ptrace(libc::PTRACE_ATTACH, number(1), 0, 0) };
            checked(attached).map(|_| "attached".to_owned())
        }
        "signal" => {
            // SAFETY: sends a signal that does nothing by default.
            let sent = unsafe { libc::kill(number(1), libc::SIGURG) };
            checked(sent.into()).map(|_| "sent".to_owned())
        }
        "daemon" => {
            // SAFETY: each child starts a program or ends.
            unsafe {
                if libc::fork() == 0 {
                    libc::setsid();
                    if libc::fork() == 0 {
                        let mut sleep = Command::new("/bin/sleep");
                        let _ = std::os::unix::process::CommandExt::exec(sleep.arg(words[1]));
                    }
                    libc::_exit(0);
                }
            }
            std::thread::sleep(std::time::Duration::from_millis(200));
            Ok("left".to_owned())
        }
        "sibling" => {
            let flags = libc::c_long::from(libc::CLONE_PARENT | libc::SIGCHLD);
            // SAFETY: the copy ends at once.
            let made = unsafe { libc::syscall(libc::SYS_clone, flags, 0_usize, 0_usize, 0_usize, 0_usize) };
            if made == 0 {
                // SAFETY: ends the process.
                unsafe { libc::_exit(0) };
            }
            checked(made).map(|_| "a sibling".to_owned())
        }
        "namespaces" => {
            // SAFETY: calls with numbers and constant texts.
            let (unshared, mounted) = unsafe {
                let none = c"none".as_ptr();
                (
                    libc::unshare(libc::CLONE_NEWUSER | libc::CLONE_NEWNS),
                    libc::mount(none, c"/tmp".as_ptr(), c"tmpfs".as_ptr(), 0, none.cast()),
                )
            };
            any([checked(unshared.into()), checked(mounted.into())])
        }
        "limits" => {
            let most = libc::rlimit { rlim_cur: 1 << 40, rlim_max: 1 << 40 };
            // SAFETY: reads a limit that outlives the call.
            let raise = |of| unsafe { libc::setrlimit(of, &most) };
            // SAFETY: the same, for another process.
            let others = unsafe { libc::prlimit(number(1), libc::RLIMIT_CORE, &most, std::ptr::null_mut()) };
            any([raise(libc::RLIMIT_FSIZE), raise(libc::RLIMIT_NOFILE), raise(libc::RLIMIT_CORE), others]
                .map(|done| checked(done.into())))
        }
        "scheduling" => {
            // SAFETY: numbers, and memory that outlives the calls.
            let (others, own) = unsafe {
                let (pid, priority) = (number(1), std::mem::zeroed());
                let others = [
                    libc::sched_setscheduler(pid, libc::SCHED_BATCH, &priority),
                    libc::setpriority(libc::PRIO_PROCESS, pid as _, 5),
                    libc::syscall(libc::SYS_ioprio_set, 1, pid, 3 << 13) as i32,
                ];
                let (mut before, mut after, mut one) =
                    (std::mem::zeroed(), std::mem::zeroed(), std::mem::zeroed());
                libc::sched_getaffinity(0, size_of_val(&before), &mut before);
                let first = (0..1024).find(|&cpu| libc::CPU_ISSET(cpu, &before)).unwrap_or(0);
                libc::CPU_SET(first, &mut one);
                libc::sched_setaffinity(0, size_of_val(&one), &one);
                libc::sched_getaffinity(0, size_of_val(&after), &mut after);
                (others, libc::CPU_EQUAL(&before, &after))
            };
            let own = if own { Err(io::Error::other("the same processors")) } else { Ok(0) };
            any(others.map(|done| checked(done.into())).into_iter().chain([own]))
        }
        "inject" => {
            let letter = b'x';
            let ways = [0, 1, 2].map(|fd| {
                // SAFETY: reads one byte that outlives the call.
                checked(unsafe { libc::ioctl(fd, libc::TIOCSTI, &letter) }.into())
            });
            any(ways)
        }
        "files" => {
            for nth in 0..number(1) {
                let _ = fs::create_dir(format!("{}/{nth}", words[2]));
            }
            Ok("tried".to_owned())
        }
        "serve" => {
            let listener = std::net::TcpListener::bind(("127.0.0.1", number(1) as u16))?;
            let (mut client, _) = listener.accept()?;
            // The attacks of a server: everything but its own client.
            let reached = any(words[2..].iter().map(TcpStream::connect));
            let answer =
                reached.map_or_else(|error| format!("stopped: {error}"), |way| format!("done: {way}"));
            writeln!(client, "{answer}")?;
            Ok("served".to_owned())
        }
        "wait" => Ok("waiting".to_owned()),
        other => panic!("\"{other}\" is no attack"),
    }
}
