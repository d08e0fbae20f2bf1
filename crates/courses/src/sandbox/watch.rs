//! Watches what a limit of one process does not bound: the memory of all processes of a program, and its folder.
//!
//! A program that takes more is killed, all its processes at once.

use crate::peer::proc;
use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};
use std::time::Duration;

/// Interval between two looks.
const INTERVAL: Duration = Duration::from_millis(20);
/// Number of looks at the memory for each look at a folder, which takes longer.
const FOLDER_EVERY: u32 = 5;
/// The most processes and files that one look counts.
const MOST: usize = 10_000;

/// The bounds of a program.
#[derive(Debug, Clone)]
pub(super) struct Bounds {
    /// Private memory of all processes together, in bytes.
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
    verdict: OnceLock<String>,
}

/// All programs that are watched.
struct Watcher {
    programs: Mutex<Vec<Arc<Program>>>,
    arrived: Condvar,
}

impl Watched {
    /// Begins to watch a program.
    pub(super) fn new(group: Pid, program: Pid, first: Option<Pid>, bounds: Bounds) -> Self {
        let program = Arc::new(Program { group, program, first, bounds, verdict: OnceLock::new() });
        let watcher = watcher();
        watcher.programs.lock().unwrap_or_else(PoisonError::into_inner).push(program.clone());
        watcher.arrived.notify_one();
        Self(program)
    }

    /// Returns the reason why the program was killed, if it was.
    pub(super) fn verdict(&self) -> Option<&str> {
        self.0.verdict.get().map(String::as_str)
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        let mut programs = watcher().programs.lock().unwrap_or_else(PoisonError::into_inner);
        programs.retain(|program| !Arc::ptr_eq(program, &self.0));
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
        for look in 0_u32.. {
            let mut programs = self.programs.lock().unwrap_or_else(PoisonError::into_inner);
            while programs.is_empty() {
                programs = self.arrived.wait(programs).unwrap_or_else(PoisonError::into_inner);
            }
            // Under the lock: a program that is no longer watched has ended, and its numbers may be another's.
            programs.iter().for_each(|program| program.look(look.is_multiple_of(FOLDER_EVERY)));
            drop(programs);
            std::thread::sleep(INTERVAL);
        }
    }
}

impl Program {
    fn look(&self, at_folder: bool) {
        if self.verdict.get().is_some() {
            return;
        }
        let members = members(self.first.into_iter().chain([self.program]).collect());
        let counted = members.iter().filter(|&&pid| Some(pid) != self.first);
        let used: u64 = counted.map(|&pid| private_memory(pid)).sum();
        if used > self.bounds.memory {
            self.kill(&members, format!("it used more than {} MB of memory", self.bounds.memory >> 20));
        }
        if let Some((folder, most)) = self.bounds.folder.as_ref().filter(|_| at_folder)
            && size(folder) > *most
        {
            self.kill(&members, format!("it wrote more than {} MB", most >> 20));
        }
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

/// Returns the memory of a process that it shares with no file, in bytes.
fn private_memory(pid: Pid) -> u64 {
    // Pages: in all, resident, shared with files.
    let pages = proc::read(&format!("/proc/{}/statm", pid.as_raw_pid()));
    let mut pages = pages.split_whitespace().skip(1).map(|number| number.parse::<u64>().unwrap_or(0));
    let (resident, shared) = (pages.next().unwrap_or(0), pages.next().unwrap_or(0));
    resident.saturating_sub(shared) * rustix::param::page_size() as u64
}

/// Returns the size of a folder's files on the disk, in bytes.
fn size(folder: &Path) -> u64 {
    use std::os::unix::fs::MetadataExt as _;
    let (mut sum, mut folders, mut seen) = (0, vec![folder.to_owned()], 0);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            seen += 1;
            let Ok(data) = entry.metadata() else { continue };
            sum += 512 * data.blocks();
            if data.is_dir() && seen < MOST {
                folders.push(entry.path());
            }
        }
    }
    sum
}
