//! The programs that the making and the check of an archive start. Each leads a process group, so that [`end`] also ends
//! the programs that it has started.

use super::guard::Guard;
use rustix::process::{Pid, Signal, kill_process_group, test_kill_process_group};
use std::io;
use std::ops::{Deref, DerefMut};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use wire::file::Scratch;

/// The groups of the running programs, and whether no more may start.
#[derive(Debug)]
struct Groups {
    leaders: Vec<Pid>,
    are_ended: bool,
}

static GROUPS: Mutex<Groups> = Mutex::new(Groups { leaders: Vec::new(), are_ended: false });

fn groups() -> MutexGuard<'static, Groups> {
    GROUPS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The line that tells the guard that the groups were asked to end.
pub(super) const ASKED_TO_END: &str = "asked";

/// The guard, once there is one.
static GUARD: OnceLock<Guard> = OnceLock::new();

/// Starts a guard, which ends the running programs and removes the [kept](keep) folders when this program is killed.
/// The guard is this executable, started as `<executable> guard`, which must call [`guard`](super::guard).
///
/// # Errors
/// If it cannot be started.
pub fn guarded() -> io::Result<()> {
    // A second one would guard nothing.
    let _ = GUARD.set(Guard::start(&["guard"])?);
    Ok(())
}

/// Lets the guard, if there is one, remove a folder after this program.
pub fn keep(folder: &Scratch) {
    // A line break would end the guard's line.
    let path = folder.path().to_str().filter(|path| path.starts_with('/') && !path.contains('\n'));
    if path.is_some_and(tell) {
        folder.guarded();
    }
}

/// Returns true if there is a guard, which heard the line.
fn tell(line: &str) -> bool {
    GUARD.get().is_some_and(|guard| guard.tell(line))
}

/// A running program.
#[derive(Debug)]
pub struct Running {
    child: Child,
    leader: Pid,
}

/// Starts a program. After [`end`], the call waits for this program's exit.
///
/// # Errors
/// Those of the system.
pub fn start(command: &mut Command) -> io::Result<Running> {
    // Locked until the group is recorded, so that a signal does not miss it.
    let mut groups = groups();
    while groups.are_ended {
        drop(groups);
        thread::park();
        groups = self::groups();
    }
    let child = command.process_group(0).spawn()?;
    let leader = Pid::from_child(&child);
    groups.leaders.push(leader);
    tell(&format!("+{}", leader.as_raw_pid()));
    Ok(Running { child, leader })
}

impl Deref for Running {
    type Target = Child;

    fn deref(&self) -> &Child {
        &self.child
    }
}

impl DerefMut for Running {
    fn deref_mut(&mut self) -> &mut Child {
        &mut self.child
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        groups().leaders.retain(|&leader| leader != self.leader);
        tell(&format!("-{}", self.leader.as_raw_pid()));
    }
}

/// Returns true if a process group is that of one of these programs, and no player's.
#[must_use]
pub fn has_group(group: i32) -> bool {
    groups().leaders.iter().any(|leader| leader.as_raw_pid() == group)
}

/// Ends all running programs, for a program that is about to exit. They have two seconds to remove their own temporary
/// files. The guard, if there is one, waits for them instead of this program.
pub fn end() {
    let mut groups = groups();
    groups.are_ended = true;
    for &leader in &groups.leaders {
        let _ = kill_process_group(leader, Signal::TERM);
    }
    if !tell(ASKED_TO_END) {
        kill_the_last(groups.leaders.clone());
    }
}

/// Kills the groups that were asked to end and still run after two seconds.
pub(super) fn kill_the_last(mut leaders: Vec<Pid>) {
    const PATIENCE: Duration = Duration::from_secs(2);
    let deadline = Instant::now() + PATIENCE;
    while !leaders.is_empty() && Instant::now() < deadline {
        thread::sleep(Duration::from_millis(5));
        // Another group may get the number of one that is gone.
        leaders.retain(|&leader| test_kill_process_group(leader).is_ok());
    }
    for leader in leaders {
        let _ = kill_process_group(leader, Signal::KILL);
    }
}
