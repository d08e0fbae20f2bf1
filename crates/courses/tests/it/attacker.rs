//! The attacking program: this test program, started again. It reads an attack from its input and tells how it went.

mod memory;

use std::ffi::CString;
use std::fs;
use std::io::{self, BufRead, Read, Write};
use std::net::{SocketAddr, TcpStream, UdpSocket};
use std::os::fd::{FromRawFd, OwnedFd};
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
            // SAFETY: the path and the times outlive the call.
            let timed = unsafe { libc::utimensat(libc::AT_FDCWD, path.as_ptr(), times.as_ptr(), 0) };
            let set = fs::set_permissions(file, mode).map(|()| 0);
            any([set, checked(timed.into())])
        }
        // They can be written to files that may not be opened. This one's are free to it but for the sandbox.
        "attributes" => {
            let file = std::env::temp_dir().join("file");
            fs::write(&file, "")?;
            let path = CString::new(file.into_os_string().into_encoded_bytes()).unwrap();
            let (name, value) = (c"user.x".as_ptr(), c"x".as_ptr().cast());
            // SAFETY: the path, the name and the value outlive the calls.
            let [marked, late] = unsafe {
                let at = [value as u64, 1];
                [
                    libc::setxattr(path.as_ptr(), name, value, 1, 0).into(),
                    libc::syscall(463, libc::AT_FDCWD, path.as_ptr(), 0, name, &at, size_of_val(&at)),
                ]
            };
            any([checked(marked), checked(late)])
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
        _ => memory::attack(words),
    }
}
