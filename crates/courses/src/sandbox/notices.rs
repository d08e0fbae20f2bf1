//! Tells what a program tried, from the calls that the sandbox refuses. See seccomp_unotify(2).
//!
//! A reported call waits until it is answered here: it fails if the filters forbid it, or goes on to the other layers, which
//! decide. What is read from the program's memory is for people only, since the program may change it meanwhile.

use super::calls::{self, Write};
use super::{Network, pass, raw};
use crate::fault::{Fault, Kind};
use crate::peer::proc;
use libc::c_int;
use rustix::event::{EventfdFlags, PollFd, PollFlags, eventfd, poll};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::os::fd::OwnedFd;
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The most different faults that are kept of a process.
const KEPT: usize = 8;
/// The number of calls of a process whose memory is read. Later ones are answered at once.
const MOST: u32 = 2000;

/// The calls of a process, answered until this is dropped.
#[derive(Debug)]
pub(super) struct Told(Arc<Program>);

#[derive(Debug)]
struct Program {
    listener: OwnedFd,
    network: Network,
    /// The folders that the program may write to.
    writable: Vec<PathBuf>,
    calls: AtomicU32,
    faults: Mutex<Vec<Fault>>,
}

/// All programs whose calls are answered, by one thread.
#[derive(Debug)]
struct Desk {
    programs: Mutex<Vec<Arc<Program>>>,
    /// Readable when the programs have changed.
    changed: OwnedFd,
}

impl Told {
    /// Receives the calls of a process that has been started. `None` if it sends none.
    pub(super) fn receive(end: &OwnedFd, network: Network, writable: Vec<PathBuf>) -> Option<Self> {
        let listener = pass::receive(end, &mut [0]).ok()??;
        let program = Arc::new(Program {
            listener,
            network,
            writable,
            calls: AtomicU32::new(0),
            faults: Mutex::default(),
        });
        let desk = desk()?;
        desk.programs.lock().unwrap_or_else(PoisonError::into_inner).push(program.clone());
        desk.wake();
        Some(Self(program))
    }

    /// Returns the different faults of the process so far.
    pub(super) fn faults(&self) -> Vec<Fault> {
        self.0.faults.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for Told {
    fn drop(&mut self) {
        let Some(desk) = desk() else { return };
        let mut programs = desk.programs.lock().unwrap_or_else(PoisonError::into_inner);
        programs.retain(|program| !Arc::ptr_eq(program, &self.0));
        drop(programs);
        desk.wake();
    }
}

/// Returns the desk. Its thread is started with the first program. Without a thread no call is reported: the listeners are
/// closed, and the calls fail.
fn desk() -> Option<&'static Desk> {
    static DESK: OnceLock<Option<Desk>> = OnceLock::new();
    static STARTED: OnceLock<bool> = OnceLock::new();
    let made = || Some(Desk { programs: Mutex::default(), changed: eventfd(0, EVENTS).ok()? });
    let desk = DESK.get_or_init(made).as_ref()?;
    let start = || std::thread::Builder::new().name("notices".into()).spawn(|| desk.run()).is_ok();
    STARTED.get_or_init(start).then_some(desk)
}

const EVENTS: EventfdFlags = EventfdFlags::CLOEXEC.union(EventfdFlags::NONBLOCK);

impl Desk {
    fn wake(&self) {
        let _ = rustix::io::write(&self.changed, &1_u64.to_ne_bytes());
    }

    fn run(&self) {
        loop {
            let mut programs = self.programs.lock().unwrap_or_else(PoisonError::into_inner).clone();
            let mut polled = vec![PollFd::new(&self.changed, PollFlags::IN)];
            polled.extend(programs.iter().map(|program| PollFd::new(&program.listener, PollFlags::IN)));
            let _ = poll(&mut polled, None);
            let ready: Vec<PollFlags> = polled.iter().map(PollFd::revents).collect();
            drop(polled);
            if !ready[0].is_empty() {
                let _ = rustix::io::read(&self.changed, &mut [0; 8]);
            }
            for (program, ready) in programs.drain(..).zip(&ready[1..]) {
                if ready.contains(PollFlags::IN) {
                    program.answer();
                } else if ready.intersects(PollFlags::HUP | PollFlags::ERR) {
                    // All its processes have ended.
                    let mut programs = self.programs.lock().unwrap_or_else(PoisonError::into_inner);
                    programs.retain(|other| !Arc::ptr_eq(other, &program));
                }
            }
        }
    }
}

impl Program {
    /// Answers one call.
    fn answer(&self) {
        // A call that was broken off in the meantime is gone.
        let Ok(notice) = raw::receive_notice(&self.listener) else { return };
        if self.calls.fetch_add(1, Ordering::Relaxed) < MOST
            && let Some(fault) = self.fault(&notice)
            && raw::is_waiting(&self.listener, notice.id)
        {
            let mut faults = self.faults.lock().unwrap_or_else(PoisonError::into_inner);
            if faults.len() < KEPT && !faults.contains(&fault) {
                faults.push(fault);
            }
        }
        let error = if calls::goes_on(notice.data.nr, self.network) { None } else { Some(libc::EACCES) };
        let _ = raw::answer_notice(&self.listener, notice.id, error);
    }

    /// Returns the fault that a call is, if it is one.
    fn fault(&self, notice: &libc::seccomp_notif) -> Option<Fault> {
        let call = calls::number(notice.data.nr);
        if let Some(write) = calls::WRITES.iter().find(|write| write.call == call) {
            let path = path_of(notice, write)?;
            let name = write.name;
            return is_outside(&path, &self.writable)
                .then(|| Fault::new(Kind::WroteOutside, format_args!("{name} {}", path.display())));
        }
        let tried = match call {
            libc::SYS_socket => socket(notice.data.args)?,
            libc::SYS_connect => {
                let (address, port) = address_of(notice)?;
                if matches!(self.network, Network::Client(own) if own == port && address.is_loopback()) {
                    return None;
                }
                format!("connect to {address} port {port}")
            }
            libc::SYS_listen => "listen for connections".to_owned(),
            _ => "connect with the first message".to_owned(),
        };
        Some(Fault::new(Kind::OpenedNetwork, tried))
    }
}

/// Describes a socket. `None` for those that reach no network: the C library opens Unix sockets to ask for names of users.
fn socket(arguments: [u64; 6]) -> Option<String> {
    let family = match arguments[0] as c_int {
        libc::AF_UNIX | libc::AF_NETLINK => return None,
        libc::AF_INET => "IPv4".to_owned(),
        libc::AF_INET6 => "IPv6".to_owned(),
        other => format!("address family {other}"),
    };
    let kind = match arguments[1] as c_int & 0xf {
        libc::SOCK_STREAM => "TCP",
        libc::SOCK_DGRAM => "UDP",
        _ => "raw",
    };
    Some(format!("a {kind} socket ({family})"))
}

/// Reads up to `count` bytes of the memory of a process.
fn memory(process: u32, at: u64, count: usize) -> Option<Vec<u8>> {
    use rustix::fs::{Mode, OFlags, open};
    let mut bytes = vec![0; count];
    let flags = OFlags::RDONLY | OFlags::CLOEXEC;
    let file = open(format!("/proc/{process}/mem"), flags, Mode::empty()).ok()?;
    let read = rustix::io::pread(&file, &mut bytes[..], at).ok()?;
    bytes.truncate(read);
    Some(bytes)
}

/// Returns the address that a call connects to.
fn address_of(notice: &libc::seccomp_notif) -> Option<(IpAddr, u16)> {
    let bytes = memory(notice.pid, notice.data.args[1], 28)?;
    let family = c_int::from(u16::from_ne_bytes(*bytes.first_chunk()?));
    let port = u16::from_be_bytes(*bytes.get(2..)?.first_chunk()?);
    match family {
        libc::AF_INET => Some((Ipv4Addr::from(*bytes.get(4..)?.first_chunk::<4>()?).into(), port)),
        libc::AF_INET6 => Some((Ipv6Addr::from(*bytes.get(8..)?.first_chunk::<16>()?).to_canonical(), port)),
        _ => None,
    }
}

/// Returns the absolute path that a call names. `None` if this program may not read the program's memory.
fn path_of(notice: &libc::seccomp_notif, write: &Write) -> Option<PathBuf> {
    use std::ffi::OsString;
    use std::os::unix::ffi::OsStringExt as _;
    let process = notice.pid;
    let mut bytes = memory(process, notice.data.args[write.path], libc::PATH_MAX as usize)?;
    let end = bytes.iter().position(|&byte| byte == 0)?;
    bytes.truncate(end);
    let path = PathBuf::from(OsString::from_vec(bytes));
    if path.is_absolute() {
        return Some(plain(&path));
    }
    let folder = write.folder.map(|nth| notice.data.args[nth] as c_int).filter(|&fd| fd != libc::AT_FDCWD);
    let folder = folder.map_or("cwd".to_owned(), |fd| format!("fd/{fd}"));
    let base = std::fs::read_link(format!("/proc/{process}/{folder}")).ok()?;
    Some(plain(&base.join(path)))
}

/// Removes `.` and `..` from an absolute path by its text alone: the files belong to the program's mounts.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => _ = plain.pop(),
            Component::CurDir => {}
            part => plain.push(part),
        }
    }
    plain
}

/// Returns true for a place that the program may not write to. Devices, settings of processes and the files that runtimes
/// of languages try to leave are not counted.
fn is_outside(path: &Path, writable: &[PathBuf]) -> bool {
    const SYSTEM: [&str; 3] = ["/proc", "/dev", "/sys"];
    let is_habit = |part: Component<'_>| {
        let name = part.as_os_str().to_string_lossy();
        name == "__pycache__" || name.starts_with("hsperfdata_") || name.starts_with(".java_pid")
    };
    !writable.iter().any(|folder| path.starts_with(folder))
        && !SYSTEM.iter().any(|folder| path.starts_with(folder))
        && !path.components().any(is_habit)
}

/// True if this program's own filters let it hear of others' calls.
pub(super) fn are_possible() -> bool {
    // An earlier kernel than 5.5 cannot let a reported call go on.
    let release = proc::read("/proc/sys/kernel/osrelease");
    let mut numbers = release.split(['.', '-']).map_while(|number| number.parse::<u32>().ok());
    (numbers.next(), numbers.next()) >= (Some(5), Some(5)) && calls::can_report()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_write_is_outside_unless_it_is_in_a_scratch_folder_or_a_runtimes_habit() {
        let writable = [PathBuf::from("/tmp/scratch-1")];
        for (path, outside) in [
            ("/home/ana/log.txt", true),
            ("/tmp/scratch-1/log.txt", false),
            ("/tmp/scratch-1/../scratch-2/log.txt", true),
            ("/tmp/scratch-10/log.txt", true),
            ("/class/ana/./log.txt", true),
            ("/class/ana/__pycache__/bot.cpython-312.pyc", false),
            ("/tmp/hsperfdata_ana/17", false),
            ("/dev/tty", false),
            ("/proc/self/oom_score_adj", false),
        ] {
            assert_eq!(is_outside(&plain(Path::new(path)), &writable), outside, "{path}");
        }
    }

    #[test]
    fn sockets_that_reach_a_network_are_named() {
        let of = |family: c_int, kind: c_int| socket([family as u64, kind as u64, 0, 0, 0, 0]);
        let flags = libc::SOCK_CLOEXEC;
        assert_eq!(of(libc::AF_INET, libc::SOCK_STREAM | flags).unwrap(), "a TCP socket (IPv4)");
        assert_eq!(of(libc::AF_INET6, libc::SOCK_DGRAM).unwrap(), "a UDP socket (IPv6)");
        assert_eq!(of(libc::AF_PACKET, libc::SOCK_RAW).unwrap(), "a raw socket (address family 17)");
        assert_eq!(of(libc::AF_UNIX, libc::SOCK_STREAM), None);
    }
}
