//! Watches what a limit of one process does not bound: the memory of all processes of a program, and its folder.
//!
//! Memory is a process's own pages and page tables, its mappings, and what descriptors may hold in the kernel. The rest is
//! bounded by the program's control group. Without one, shared memory that no file holds counts once, up to its last mapped
//! page: its pages stay when nobody maps them any more.
//!
//! A program that takes more is killed, all its processes at once.

use super::group::Group;
use super::shares::{PAUSE, Shares, used};
use super::usage::{
    MAPPINGS, kernel_memory, mapped_memory, members, own_memory, page_tables, shown, size, unlinked,
};
use crate::peer::proc;
use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// Interval between two looks.
const INTERVAL: Duration = Duration::from_millis(20);
/// Interval between two looks at all else than the processes' own memory, which take longer.
const ALL_INTERVAL: Duration = Duration::from_millis(100);

/// The bounds of a program.
#[derive(Debug, Clone)]
pub(super) struct Bounds {
    /// Memory of all processes together, in bytes.
    pub(super) memory: u64,
    /// The folders that the program may write to, none if the system bounds them.
    pub(super) folders: Vec<PathBuf>,
    /// The size of all folders in bytes.
    pub(super) disk: u64,
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

/// The state of a program between two looks at it.
#[derive(Debug)]
struct Looked {
    /// The memory in bytes, besides the processes' own, at the last look at it.
    apart: u64,
    /// The time of the next look at all.
    next: Instant,
    shares: Shares,
    /// The processor time of its processes at the last look at it, and of those that had ended before.
    ran: (HashMap<Pid, Duration>, Duration),
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
            looked: Mutex::new(Looked {
                apart: 0,
                next: Instant::now(),
                shares: Shares::new(),
                ran: Default::default(),
                ended: false,
                control,
            }),
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

    /// Returns the processor time of all the program's processes at the last look.
    pub(super) fn ran(&self) -> Duration {
        let looked = locked(&self.0.looked);
        let (now, before) = &looked.ran;
        now.values().sum::<Duration>() + *before
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
            std::thread::sleep(INTERVAL);
        }
    }
}

impl Looked {
    fn count_time(&mut self, members: &[Pid]) {
        let (times, ended) = &mut self.ran;
        let now = members.iter().map(|&pid| (pid, proc::ran(pid)[0]));
        for (pid, before) in std::mem::replace(times, now.collect()) {
            // One that has just ended shows nothing any more.
            match times.get_mut(&pid) {
                Some(now) => *now = before.max(*now),
                None => *ended += before,
            }
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
        let (start, before) = (Instant::now(), used());
        let at_all = start >= looked.next;
        if at_all {
            looked.count_time(&counted);
            let Some((shared, records)) = mapped_memory(&counted) else {
                return self.kill(&members, format!("it made more than {MAPPINGS} mappings of memory"));
            };
            let shared = if looked.control.is_none() { shared } else { 0 };
            looked.apart = shared.saturating_add(records + kernel_memory(&counted));
        }
        let left = self.bounds.memory.saturating_sub(looked.apart);
        // Pages that processes share since a fork count here for each.
        if counted.iter().map(|&pid| own_memory(pid)).sum::<u64>() > left {
            let Looked { control, shares, .. } = &mut *looked;
            // These are nobody else's, and to read the shares of large ones takes seconds.
            let tables: u64 = counted.iter().map(|&pid| page_tables(pid)).sum();
            let own = || control.as_ref().and_then(Group::own_memory);
            let is_over = tables > left
                || own().map_or_else(|| shares.exceed(&counted, left), |own| own + tables > left);
            if is_over {
                self.kill(&members, self.too_much());
            }
        }
        let Bounds { folders, disk: most, .. } = &self.bounds;
        if at_all && !folders.is_empty() {
            match folders.iter().map(|folder| size(folder, *most)).sum::<Result<u64, _>>() {
                Ok(size) if size.saturating_add(unlinked(&counted)) <= *most => {}
                Ok(_) => self.kill(&members, format!("it wrote more than {} MB", most >> 20)),
                Err(hidden) => self.kill(&members, hidden.to_string()),
            }
        }
        if at_all {
            looked.next = start + ALL_INTERVAL.max((used() - before) * PAUSE);
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

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
