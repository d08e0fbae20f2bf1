//! Namespaces of a process: no other processes, mounts, networks or message queues than its own.
//!
//! The process that was started makes the namespaces and starts two others in them, children of this program like itself:
//! the first is the namespace's own, which waits for the end of the lifeline and takes all others with it; the second
//! becomes the program. A socket that was opened inside stays there, and the referee holds its other end.

use super::{Network, pass, raw};
use rustix::fs::{Mode, OFlags, open};
use rustix::mount::{MountFlags, MountPropagationFlags, mount, mount_change};
use rustix::net::{AddressFamily, SocketType, bind, listen, socket};
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::Pid;
use rustix::thread::UnshareFlags;
use std::ffi::{CStr, CString};
use std::io;
use std::net::{Ipv4Addr, SocketAddrV4};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

/// The folder of shared memory.
pub(super) const SHARED: &CStr = c"/dev/shm";

/// The folder of temporary files, whose name many programs and the C library know.
const TEMPORARY: &str = "/tmp";

/// New namespaces of a process.
pub(super) struct Spaces {
    /// The root of the program's own file system: its scratch folder or the folder of all temporary files above it.
    pub(super) root: CString,
    /// The options with which that file system is mounted: its size and its owner.
    options: CString,
    maps: Option<Maps>,
    network: Network,
    lifeline: OwnedFd,
    report: OwnedFd,
}

/// The lines that give a user namespace this program's user and group. Root needs no user namespace.
struct Maps {
    user: Vec<u8>,
    group: Vec<u8>,
}

/// This program's ends of the connections to the processes of a namespace.
#[derive(Debug)]
pub(super) struct Ends {
    /// Everything in the namespace ends when this is closed.
    _lifeline: OwnedFd,
    report: OwnedFd,
}

/// The processes of a namespace.
#[derive(Debug)]
pub(super) struct Begun {
    /// The namespace's first process.
    pub(super) first: Pid,
    /// The process that becomes the program.
    pub(super) program: Pid,
    /// The referee's socket in the namespace: one that listens for a client, or one to call a server with.
    pub(super) socket: Option<OwnedFd>,
}

/// Returns where the file system of a process is mounted, whose scratch folder, working folder and readable files these are:
/// on the folder of all temporary files, or else, if one of its files is there, on the scratch folder.
pub(super) fn root<'a>(scratch: &'a Path, folder: &Path, readable: &[PathBuf]) -> &'a Path {
    let Some(temporary) = scratch.parent().filter(|parent| *parent == Path::new(TEMPORARY)) else {
        return scratch;
    };
    let is_there = |path: &Path| {
        path.starts_with(temporary) || path.canonicalize().is_ok_and(|path| path.starts_with(temporary))
    };
    let is_seen = is_there(folder) || readable.iter().any(|path| is_there(path));
    if is_seen { scratch } else { temporary }
}

impl Ends {
    /// Receives the namespace's processes and its socket.
    pub(super) fn begun(&self) -> io::Result<Begun> {
        let mut bytes = [0; 8];
        let socket = pass::receive(&self.report, &mut bytes)?;
        if let Some(socket) = &socket {
            rustix::io::ioctl_fionbio(socket, true)?;
        }
        let [first, program] = [0, 4].map(|at| {
            let number = [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]];
            Pid::from_raw(i32::from_ne_bytes(number)).ok_or(io::ErrorKind::InvalidData)
        });
        Ok(Begun { first: first?, program: program?, socket })
    }
}

impl Spaces {
    /// Prepares the namespaces of a process that becomes `user`, with a file system of `size` bytes at `root`.
    pub(super) fn new(
        network: Network,
        user: Option<u32>,
        root: &Path,
        size: u64,
    ) -> io::Result<(Self, Ends)> {
        let (lifeline, held) = pipe_with(PipeFlags::CLOEXEC)?;
        let (heard, report) = pass::pair()?;
        let owner = user.map(|user| format!(",uid={user},gid={user}")).unwrap_or_default();
        let options = format!("mode=0700,size={size},nr_inodes=16384{owner}");
        let root = CString::new(root.as_os_str().as_bytes())?;
        let options = CString::new(options)?;
        let spaces = Self { maps: Maps::own(), network, root, options, lifeline, report };
        Ok((spaces, Ends { _lifeline: held, report: heard }))
    }

    /// Enters the namespaces. Returns only in the process that becomes the program.
    pub(super) fn enter(&self) -> io::Result<()> {
        unshare(self.maps.as_ref())?;
        let socket = match self.network {
            Network::Client(port) => Some(tcp(Some(port))?),
            Network::Server(_) => Some(tcp(None)?),
            Network::None => None,
        };
        let first = raw::fork_sibling()?;
        if first == 0 {
            raw::wait_for_the_end(&self.lifeline);
        }
        let program = raw::fork_sibling()?;
        if program == 0 {
            return Ok(());
        }
        raw::exit(i32::from(self.tell(first, program, socket.as_ref()).is_err()))
    }

    /// Sends the processes and the socket to the referee.
    fn tell(&self, first: i32, program: i32, socket: Option<&OwnedFd>) -> rustix::io::Result<()> {
        let mut numbers = [0; 8];
        numbers[..4].copy_from_slice(&first.to_ne_bytes());
        numbers[4..].copy_from_slice(&program.to_ne_bytes());
        pass::send(&self.report, &numbers, socket)
    }

    /// Makes all files read-only, and mounts a file system of its own for the scratch folder, on the folder of shared memory
    /// and, if the system lets it, on `/proc`. Returns true if `/proc` shows the namespace's processes alone.
    pub(super) fn mount(&self) -> io::Result<bool> {
        mount_change(c"/", MountPropagationFlags::REC | MountPropagationFlags::PRIVATE)?;
        // Landlock does not bound calls that change rights and times of files. Linux before 5.12 has no such call.
        let _ = raw::make_mounts_read_only();
        let flags = MountFlags::NOSUID | MountFlags::NODEV;
        mount(c"tmpfs", &self.root, c"tmpfs", flags, self.options.as_c_str())?;
        // A system without this folder needs none in it.
        let _ = mount(c"tmpfs", SHARED, c"tmpfs", flags, c"mode=1777,size=64m,nr_inodes=4096");
        Ok(mount(c"proc", c"/proc", c"proc", flags | MountFlags::NOEXEC, c"hidepid=2").is_ok())
    }
}

impl Maps {
    fn own() -> Option<Self> {
        let (user, group) = (rustix::process::geteuid(), rustix::process::getegid());
        let line = |number: u32| format!("{number} {number} 1\n").into_bytes();
        (!user.is_root()).then(|| Self { user: line(user.as_raw()), group: line(group.as_raw()) })
    }
}

/// Makes the namespaces. The one of processes holds for children.
fn unshare(maps: Option<&Maps>) -> io::Result<()> {
    let mut flags = UnshareFlags::NEWPID | UnshareFlags::NEWNS | UnshareFlags::NEWIPC | UnshareFlags::NEWNET;
    flags.set(UnshareFlags::NEWUSER, maps.is_some());
    raw::unshare(flags)?;
    if let Some(Maps { user, group }) = maps {
        write(c"/proc/self/setgroups", b"deny")?;
        write(c"/proc/self/uid_map", user)?;
        write(c"/proc/self/gid_map", group)?;
    }
    Ok(())
}

fn write(path: &CStr, bytes: &[u8]) -> io::Result<()> {
    let file = open(path, OFlags::WRONLY | OFlags::CLOEXEC, Mode::empty())?;
    rustix::io::write(&file, bytes)?;
    Ok(())
}

/// Makes a socket of this network namespace and switches its loopback interface on. It listens if it has a port.
fn tcp(port: Option<u16>) -> io::Result<OwnedFd> {
    let made = socket(AddressFamily::INET, SocketType::STREAM, None)?;
    rustix::io::fcntl_setfd(&made, rustix::io::FdFlags::CLOEXEC)?;
    raw::switch_loopback_on(&made)?;
    if let Some(port) = port {
        bind(&made, &SocketAddrV4::new(Ipv4Addr::LOCALHOST, port))?;
        listen(&made, 16)?;
    }
    Ok(made)
}

/// Tries the namespaces. Returns the error of the step that failed.
pub(super) fn try_them() -> io::Result<()> {
    let maps = Maps::own();
    raw::try_apart(|| {
        unshare(maps.as_ref())?;
        mount_change(c"/", MountPropagationFlags::REC | MountPropagationFlags::PRIVATE)?;
        mount(c"tmpfs", c"/tmp", c"tmpfs", MountFlags::empty(), c"size=4k")?;
        Ok(())
    })
}
