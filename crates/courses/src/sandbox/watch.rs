//! Watches what a limit of one process does not bound: the memory of all processes of a program, and its folder.
//!
//! Memory is a process's own pages and page tables, its mappings, shared memory that no file holds, counted once and up to
//! its last mapped page (its pages stay when nobody maps them any more), and what descriptors may hold in the kernel. The
//! rest is bounded by the program's group, if it has one.
//!
//! A program that takes more is killed, all its processes at once.

use super::group::Group;
use crate::peer::proc;
use rustix::fs::{Mode, OFlags, open};
use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// Interval between two looks.
const INTERVAL: Duration = Duration::from_millis(20);
/// Interval between two looks at all else than the processes' own memory, which take longer.
const ALL_INTERVAL: Duration = Duration::from_millis(100);
/// The part of the time that looks at all of one program may take.
const ALL_PART: u32 = 5;
/// The most processes that one look counts.
const MOST: usize = 10_000;
/// The number of a program's descriptors that are not counted as memory.
const DESCRIPTORS: u64 = 256;
/// The most that a further descriptor holds in the kernel, in bytes: a pipe at its largest, and more than a socket.
const DESCRIPTOR: u64 = 1 << 20;
/// The most mappings of memory of a program, so that a look takes less than a second.
const MAPPINGS: u64 = 500_000;
/// The memory of the kernel's record of a mapping, in bytes.
const MAPPING: u64 = 256;
/// The least that a file takes from a disk, in bytes.
const FILE: u64 = 4096;

/// The bounds of a program.
#[derive(Debug, Clone)]
pub(super) struct Bounds {
    /// Memory of all processes together, in bytes.
    pub(super) memory: u64,
    /// The folder that the program may write to and its size in bytes, unless the system bounds it.
    pub(super) folder: Option<(PathBuf, u64)>,
}

/// A program that is watched until this is dropped.
#[derive(Debug)]
pub(super) struct Watched(Arc<Program>);

#[derive(Debug)]
struct Program {
    /// The process group.
    group: Pid,
    /// The process that all others descend from, if they have not lost their parents.
    program: Pid,
    /// The namespace's first process, which adopts the others. It is a copy of this program and is not counted.
    first: Option<Pid>,
    bounds: Bounds,
    /// Locked during a look.
    looked: Mutex<Looked>,
    verdict: OnceLock<String>,
}

/// What looks at a program leave for the next one.
#[derive(Debug)]
struct Looked {
    /// The memory in bytes, besides the processes' own, at the last look at it.
    apart: u64,
    /// The time of the next look at all.
    next: Instant,
    /// True if the program has ended: its processes' numbers may be another's.
    ended: bool,
    /// The control group.
    control: Option<Group>,
}

/// All programs that are watched.
struct Watcher {
    programs: Mutex<Vec<Arc<Program>>>,
    arrived: Condvar,
}

impl Watched {
    /// Begins to watch a program.
    pub(super) fn new(
        group: Pid,
        program: Pid,
        first: Option<Pid>,
        control: Option<Group>,
        bounds: Bounds,
    ) -> Self {
        let program = Arc::new(Program {
            group,
            program,
            first,
            bounds,
            looked: Mutex::new(Looked { apart: 0, next: Instant::now(), ended: false, control }),
            verdict: OnceLock::new(),
        });
        let watcher = watcher();
        locked(&watcher.programs).push(program.clone());
        watcher.arrived.notify_one();
        Self(program)
    }

    /// Returns the reason why the program was killed, if it was.
    pub(super) fn verdict(&self) -> Option<&str> {
        // The kernel may have killed it since the last look.
        self.0.look_at_group(&locked(&self.0.looked));
        self.0.verdict.get().map(String::as_str)
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        locked(&watcher().programs).retain(|program| !Arc::ptr_eq(program, &self.0));
        let control = {
            let mut looked = locked(&self.0.looked);
            looked.ended = true;
            looked.control.take()
        };
        drop(control);
    }
}

/// Returns the watcher. Its thread is started with the first program.
fn watcher() -> &'static Watcher {
    static WATCHER: OnceLock<Watcher> = OnceLock::new();
    static STARTED: OnceLock<()> = OnceLock::new();
    let watcher = WATCHER.get_or_init(|| Watcher { programs: Mutex::default(), arrived: Condvar::new() });
    STARTED.get_or_init(|| {
        // Without a thread the limits of each process still hold.
        let _ = std::thread::Builder::new().name("watch".into()).spawn(move || watcher.run());
    });
    watcher
}

impl Watcher {
    fn run(&self) {
        loop {
            let mut programs = locked(&self.programs);
            while programs.is_empty() {
                programs = self.arrived.wait(programs).unwrap_or_else(PoisonError::into_inner);
            }
            let watched = programs.clone();
            // A look may take long, and the next game begins meanwhile.
            drop(programs);
            watched.iter().for_each(|program| program.look());
            drop(watched);
            std::thread::sleep(INTERVAL);
        }
    }
}

impl Program {
    fn look(&self) {
        let mut looked = locked(&self.looked);
        if looked.ended {
            return;
        }
        self.look_at_group(&looked);
        if self.verdict.get().is_some() {
            return;
        }
        let members = self.members();
        let counted = members.iter().filter(|&&pid| Some(pid) != self.first);
        let counted: Vec<Pid> = counted.map(|&pid| shown(pid)).collect();
        let start = Instant::now();
        let at_all = start >= looked.next;
        if at_all {
            let Some(mapped) = mapped_memory(&counted) else {
                return self.kill(&members, format!("it made more than {MAPPINGS} mappings of memory"));
            };
            looked.apart = mapped.saturating_add(kernel_memory(&counted));
        }
        let is_over = |own_memory: fn(Pid) -> u64| {
            let used: u64 = counted.iter().map(|&pid| own_memory(pid)).sum();
            used.saturating_add(looked.apart) > self.bounds.memory
        };
        // What takes longer is asked for only where it decides.
        if is_over(own_memory) && is_over(own_share) {
            self.kill(&members, self.too_much());
        }
        if let Some((folder, most)) = self.bounds.folder.as_ref().filter(|_| at_all)
            && size(folder, *most).saturating_add(unlinked(&counted)) > *most
        {
            self.kill(&members, format!("it wrote more than {} MB", most >> 20));
        }
        if at_all {
            looked.next = start + ALL_INTERVAL.max(start.elapsed() * ALL_PART);
        }
    }

    /// Ends a program in whose group the kernel has killed.
    fn look_at_group(&self, looked: &Looked) {
        if let Some(control) = &looked.control
            && self.verdict.get().is_none()
            && control.has_killed()
        {
            self.kill(&[self.members(), control.processes()].concat(), self.too_much());
        }
    }

    fn members(&self) -> Vec<Pid> {
        members(self.first.into_iter().chain([self.program]).collect())
    }

    fn too_much(&self) -> String {
        format!("it used more than {} MB of memory", self.bounds.memory >> 20)
    }

    fn kill(&self, members: &[Pid], verdict: String) {
        let _ = self.verdict.set(verdict);
        let _ = kill_process_group(self.group, Signal::KILL);
        for &pid in members {
            let _ = kill_process(pid, Signal::KILL);
        }
    }
}

/// Returns these processes and all that descend from them.
fn members(mut all: Vec<Pid>) -> Vec<Pid> {
    let mut next = 0;
    while next < all.len() && all.len() < MOST {
        let process = all[next].as_raw_pid();
        next += 1;
        for thread in proc::tasks(&process.to_string()) {
            let children = proc::read(&format!("/proc/{process}/task/{thread}/children"));
            let children = children.split_whitespace().filter_map(|number| number.parse().ok());
            all.extend(children.filter_map(Pid::from_raw));
        }
    }
    all
}

/// Returns the thread whose files in `/proc` show the memory and descriptors of a process: its first, unless that has ended.
fn shown(process: Pid) -> Pid {
    let shows = |&thread: &Pid| of_status(thread, ["VmPTE"]) != [0];
    if shows(&process) {
        return process;
    }
    let others = proc::tasks(&process.as_raw_pid().to_string());
    let mut others = others.iter().filter_map(|number| Pid::from_raw(number.parse().ok()?));
    others.find(shows).unwrap_or(process)
}

/// Returns the numbers in these lines of a process's status: kilobytes, or a count.
fn of_status<const N: usize>(pid: Pid, names: [&str; N]) -> [u64; N] {
    of_lines(&format!("/proc/{}/status", pid.as_raw_pid()), names)
}

fn of_lines<const N: usize>(path: &str, names: [&str; N]) -> [u64; N] {
    let text = proc::read(path);
    names.map(|name| {
        let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
        let number = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
        number.unwrap_or(0)
    })
}

/// Returns the [memory](own_memory) of a process, of which pages that `fork` left to several are divided among them.
fn own_share(pid: Pid) -> u64 {
    let [anonymous, swapped] =
        of_lines(&format!("/proc/{}/smaps_rollup", pid.as_raw_pid()), ["Pss_Anon", "SwapPss"]);
    // A kernel before 5.14 does not tell it, and a process that ends has none.
    if anonymous == 0 {
        return own_memory(pid);
    }
    (anonymous + swapped + of_status(pid, ["VmPTE"])[0]) << 10
}

/// Returns the memory of a process that it shares with nobody, and its page tables, in bytes.
fn own_memory(pid: Pid) -> u64 {
    let kilobytes: u64 = of_status(pid, ["RssAnon", "VmSwap", "VmPTE"]).iter().sum();
    kilobytes << 10
}

/// Returns the size of the memory that processes share without a file and of the records of their mappings, in bytes. `None`
/// if they have too many.
fn mapped_memory(processes: &[Pid]) -> Option<u64> {
    let mut sizes = HashMap::new();
    let (mut unseen, mut left, mut line) = (0, MAPPINGS, Vec::new());
    for &pid in processes {
        let path = format!("/proc/{}/maps", pid.as_raw_pid());
        let file = open(path, OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty());
        let mut maps = file.ok().map(|file| BufReader::new(File::from(file)));
        let before = left;
        while let Some(maps) = &mut maps
            && maps.read_until(b'\n', &mut line).is_ok_and(|count| count > 0)
        {
            left = left.checked_sub(1)?;
            if let Some((object, size)) =
                str::from_utf8(&line).ok().map(str::trim_end).and_then(shared_object)
            {
                let known: &mut u64 = sizes.entry(object.to_owned()).or_default();
                *known = size.max(*known);
            }
            line.clear();
        }
        if left == before {
            // Another user's, or it has ended.
            unseen += of_status(pid, ["RssShmem"])[0] << 10;
        }
    }
    let records = (MAPPINGS - left) * MAPPING;
    Some(sizes.values().fold(unseen + records, |sum: u64, &size| sum.saturating_add(size)))
}

/// Returns the device and number of the shared memory without a file that a line of `maps` shows, and its least size in
/// bytes. `None` for other lines.
fn shared_object(line: &str) -> Option<(&str, u64)> {
    let (start, end) = line.strip_suffix("/dev/zero (deleted)")?.split_once('-')?;
    let mut fields = end.splitn(4, ' ');
    let (end, rights, offset) = (fields.next()?, fields.next()?, fields.next()?);
    let [start, end, offset] = [start, end, offset].map(|number| u64::from_str_radix(number, 16).ok());
    rights.ends_with('s').then_some((fields.next()?, offset? + (end? - start?)))
}

/// Returns the most that the descriptors of processes may hold in the kernel, in bytes: in pipes and sockets.
fn kernel_memory(processes: &[Pid]) -> u64 {
    let descriptors: u64 = processes.iter().map(|&pid| descriptors(pid)).sum();
    descriptors.saturating_sub(DESCRIPTORS) * DESCRIPTOR
}

/// Returns the number of a process's descriptors.
fn descriptors(pid: Pid) -> u64 {
    let folder = format!("/proc/{}/fd", pid.as_raw_pid());
    match std::fs::metadata(&folder).map_or(0, |data| data.len()) {
        // A kernel before 6.2 does not tell it.
        0 => std::fs::read_dir(&folder)
            .map_or_else(|_| of_status(pid, ["FDSize"])[0], |entries| entries.count() as u64),
        count => count,
    }
}

/// Returns the size of a folder's files on the disk in bytes, or a number above `most` as soon as it is reached.
fn size(folder: &Path, most: u64) -> u64 {
    let (mut sum, mut folders) = (0, vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let Ok(data) = entry.metadata() else { continue };
            sum += FILE.max(512 * data.blocks());
            if sum > most {
                return sum;
            }
            if data.is_dir() {
                folders.push(entry.path());
            }
        }
    }
    sum
}

/// Returns the size of the files on the disk that processes have open and no folder holds any more, in bytes.
fn unlinked(processes: &[Pid]) -> u64 {
    let mut sizes = HashSet::new();
    for &pid in processes {
        let opened = std::fs::read_dir(format!("/proc/{}/fd", pid.as_raw_pid()));
        for entry in opened.into_iter().flatten().flatten() {
            if let Ok(data) = std::fs::metadata(entry.path())
                && data.is_file()
                && data.nlink() == 0
            {
                sizes.insert((data.dev(), data.ino(), 512 * data.blocks()));
            }
        }
    }
    sizes.iter().map(|(_, _, size)| size).sum()
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_memory_without_a_file_is_told_from_all_else() {
        let object =
            shared_object("7f00-9f00 rw-s 00001000 00:01 1040                       /dev/zero (deleted)");
        let (name, size) = object.unwrap();
        assert_eq!((name.trim_end(), size), ("00:01 1040", 0x3000));
        for other in [
            "7f00-9f00 rw-p 00001000 00:01 1040                       /dev/zero (deleted)",
            "7f00-9f00 rw-s 00001000 00:01 1040                       /tmp/file (deleted)",
            "7f00-9f00 rw-s 00001000 00:01 1040                       /dev/zero",
            "7f00-9f00 rw-p 00000000 00:00 0",
            "",
        ] {
            assert_eq!(shared_object(other), None, "{other}");
        }
    }

    #[test]
    fn this_process_has_memory_and_descriptors() {
        let own = rustix::process::getpid();
        let pipes: Vec<_> = (0..100).map(|_| rustix::pipe::pipe().unwrap()).collect();
        let pages = std::hint::black_box(vec![1_u8; 8 << 20]);
        assert!((200..1_000).contains(&descriptors(own)), "{}", descriptors(own));
        assert!(own_memory(own) > pages.len() as u64, "{}", own_memory(own));
        drop(pipes);
    }
}
