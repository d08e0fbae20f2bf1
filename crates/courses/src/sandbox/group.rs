//! A control group for each program, where the system offers one: the kernel's bound on all that its processes hold.
//!
//! See cgroups(7), and "cgroup-v2" and "cgroup-v1/memory" in the kernel's documentation.

use super::raw;
use crate::peer::proc;
use rustix::fs::{Mode, OFlags, open};
use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// Bytes for what the looks do not count: files in `/dev/shm`, the first descriptors, and the kernel's records of processes.
const REST: u64 = 256 << 20;
/// The number of tries to remove a group whose processes are ending, a millisecond apart.
const TRIES: u32 = 200;

/// The version of a hierarchy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Version {
    One,
    Two,
}

/// The folder in which a run makes its groups.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Groups(PathBuf, Version);

/// The group of a program. Its processes end and it is removed when this is dropped.
#[derive(Debug)]
pub(super) struct Group(PathBuf, Version);

impl Groups {
    /// Finds a folder by trying it, and removes the groups of runs that have ended. `None` if the system offers none.
    pub(super) fn found() -> Option<Self> {
        let places = places(&proc::read("/proc/self/cgroup"), &proc::read("/proc/self/mountinfo"));
        let found = places.into_iter().find(|place| place.try_it().is_ok())?;
        found.tidy();
        Some(found)
    }

    fn try_it(&self) -> io::Result<()> {
        let controllers = || read(&self.0, "cgroup.subtree_control");
        if self.1 == Version::Two && !controllers().split_whitespace().any(|name| name == "memory") {
            return Err(io::ErrorKind::Unsupported.into());
        }
        let group = self.group(0)?;
        let door = group.door()?;
        raw::try_apart(|| join(&door))
    }

    /// Makes a group for a program that may hold `bytes` of memory and files.
    pub(super) fn group(&self, bytes: u64) -> io::Result<Group> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let prefix = prefix();
        let folder = loop {
            let nth = COUNT.fetch_add(1, Ordering::Relaxed);
            let folder = self.0.join(format!("{prefix}{}-{nth}", std::process::id()));
            match std::fs::create_dir(&folder) {
                Ok(()) => break folder,
                // A killed run of the same number left it.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        };
        let group = Group(folder, self.1);
        let most = bytes.saturating_add(REST);
        // 64 KB more, so that the first bound is met first: only that is counted in memory.failcnt.
        let with_swap = most.saturating_add(1 << 16).to_string();
        let most = most.to_string();
        let (needed, wished) = match self.1 {
            Version::One => {
                ("memory.limit_in_bytes", [("memory.memsw.limit_in_bytes", &*with_swap)].to_vec())
            }
            Version::Two => ("memory.max", [("memory.swap.max", "0"), ("memory.oom.group", "1")].to_vec()),
        };
        group.set(needed, &most)?;
        // Older systems, and those without swap, lack them.
        wished.into_iter().for_each(|(file, text)| _ = group.set(file, text));
        Ok(group)
    }

    fn tidy(&self) {
        let prefix = prefix();
        for entry in std::fs::read_dir(&self.0).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let run =
                name.to_str().and_then(|name| name.strip_prefix(&*prefix)?.split_once('-')?.0.parse().ok());
            let has_ended = |run| test_kill_process(run) == Err(rustix::io::Errno::SRCH);
            if run.and_then(Pid::from_raw).is_some_and(has_ended) {
                // One with processes stays.
                let _ = std::fs::remove_dir(entry.path());
            }
        }
    }
}

/// Returns the start of the names of this namespace's groups: the same numbers stand for other processes in another one.
fn prefix() -> String {
    let namespace = std::fs::metadata("/proc/self/ns/pid").map_or(0, |data| data.ino());
    format!("referee-{namespace}-")
}

impl Group {
    fn set(&self, file: &str, text: &str) -> io::Result<()> {
        rustix::io::write(self.open(file)?, text.as_bytes())?;
        Ok(())
    }

    fn open(&self, file: &str) -> io::Result<OwnedFd> {
        Ok(open(self.0.join(file), OFlags::WRONLY | OFlags::CLOEXEC, Mode::empty())?)
    }

    /// Opens the file by which a process [joins](join).
    pub(super) fn door(&self) -> io::Result<OwnedFd> {
        self.open("cgroup.procs")
    }

    /// True if the kernel has killed a process because the group was full. The machine's own bound kills too.
    pub(super) fn has_killed(&self) -> bool {
        match self.1 {
            Version::One => {
                let [killed, full] = ["memory.oom_control", "memory.failcnt"].map(|file| read(&self.0, file));
                counted(&killed, "oom_kill") > 0 && full.trim() != "0"
            }
            Version::Two => {
                let events = read(&self.0, "memory.events");
                counted(&events, "oom_kill") > 0 && counted(&events, "oom") > 0
            }
        }
    }

    /// Returns the memory that its processes hold without a file, in bytes. `None` if the system does not tell it.
    pub(super) fn own_memory(&self) -> Option<u64> {
        let stat = read(&self.0, "memory.stat");
        let (resident, swapped) = match self.1 {
            Version::One => ("rss", counted(&stat, "swap")),
            Version::Two => ("anon", read(&self.0, "memory.swap.current").trim().parse().unwrap_or(0)),
        };
        let has_it = stat.lines().any(|line| line.starts_with(resident));
        has_it.then(|| counted(&stat, resident) + swapped)
    }

    /// Returns the processes in the group.
    pub(super) fn processes(&self) -> Vec<Pid> {
        read(&self.0, "cgroup.procs").lines().filter_map(|line| Pid::from_raw(line.parse().ok()?)).collect()
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        for _ in 0..TRIES {
            match std::fs::remove_dir(&self.0) {
                Err(error) if error.kind() == io::ErrorKind::ResourceBusy => {}
                _ => return,
            }
            self.processes().into_iter().for_each(|pid| _ = kill_process(pid, Signal::KILL));
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

/// Moves this process into a group. It makes one system call.
pub(super) fn join(door: &OwnedFd) -> io::Result<()> {
    rustix::io::write(door, b"0")?;
    Ok(())
}

/// Returns the folders that may offer groups, from the texts of a process's own groups and mounts.
fn places(own: &str, mounts: &str) -> Vec<Groups> {
    let mut places = Vec::new();
    for (version, root, point) in mounts.lines().filter_map(mount) {
        let Some(folder) = own.lines().find_map(|line| path_in(line, version)) else { continue };
        let Ok(below) = Path::new(folder).strip_prefix(root) else { continue };
        let folder = Path::new(point).join(below);
        // In version 2 a group with processes hands no controllers down: the new one stands beside it.
        let has_beside = version == Version::Two && !below.as_os_str().is_empty();
        places
            .extend(folder.parent().filter(|_| has_beside).map(|beside| Groups(beside.to_owned(), version)));
        places.push(Groups(folder, version));
    }
    places
}

/// Returns the version, root and mount point of a hierarchy that a line of `mountinfo` shows.
fn mount(line: &str) -> Option<(Version, &str, &str)> {
    let (front, back) = line.split_once(" - ")?;
    let mut front = front.split(' ').skip(3);
    let mut back = back.split(' ');
    let (kind, options) = (back.next()?, back.nth(1)?);
    let has_memory = || options.split(',').any(|option| option == "memory");
    let version = match kind {
        "cgroup2" => Version::Two,
        "cgroup" if has_memory() => Version::One,
        _ => return None,
    };
    Some((version, front.next()?, front.next()?))
}

/// Returns the path that a line of a process's groups shows, if it is that of the hierarchy and not outside its namespace.
fn path_in(line: &str, version: Version) -> Option<&str> {
    let (controllers, path) = line.split_once(':')?.1.split_once(':')?;
    let is_it = match version {
        Version::One => controllers.split(',').any(|controller| controller == "memory"),
        Version::Two => controllers.is_empty(),
    };
    (is_it && !path.starts_with("/..")).then_some(path)
}

fn read(folder: &Path, file: &str) -> String {
    proc::read(&folder.join(file).to_string_lossy())
}

/// Returns the number after a name.
fn counted(text: &str, name: &str) -> u64 {
    let number = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')?.parse().ok());
    number.unwrap_or(0)
}

#[cfg(test)]
mod tests;
