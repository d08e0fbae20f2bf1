//! Orphans: processes that players started, that left their player's group and lost their parent. They become children of
//! this program, as do orphans of whoever ran before this program in the same process: those are left alone.

use super::children::has_group;
use super::proc;
use super::supervisor::Running;
use crate::sandbox::FILTERS;
use rustix::process::{self as system, Pid, Signal};
use std::collections::BTreeSet;
use std::sync::{Mutex, OnceLock, PoisonError};

/// The environment variable that marks a run's processes, and their children.
pub(super) const MARK: &str = "REFEREE_RUN";

/// This program's mark, and the children that it had before it started a player.
#[derive(Debug)]
pub(super) struct Program {
    /// The beginning of every mark that this program gives.
    pub(super) mark: String,
    /// The children that it had before it started a player: a shell that becomes this program leaves it its own.
    inherited: BTreeSet<i32>,
    /// True for the first process of a container: every orphan of the container becomes its child.
    is_first: bool,
}

impl Program {
    /// True if a child of this program may be nobody's whom it started.
    fn has_strangers(&self) -> bool {
        self.is_first || !self.inherited.is_empty()
    }
}

/// This program, as it was when it was first asked.
pub(super) fn program() -> &'static Program {
    static PROGRAM: OnceLock<Program> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        // Distinct between programs that live at the same time: the process number and the time of its start.
        let mark = format!("{}-{}-", std::process::id(), now.as_nanos());
        let inherited = children().iter().map(|pid| pid.as_raw_pid()).collect();
        Program { mark, inherited, is_first: std::process::id() == 1 }
    })
}

/// The children of this program.
fn children() -> Vec<Pid> {
    let mut all = Vec::new();
    for thread in proc::tasks("self") {
        let numbers = proc::read(&format!("/proc/self/task/{thread}/children"));
        all.extend(
            numbers.split_whitespace().filter_map(|number| number.parse().ok()).filter_map(Pid::from_raw),
        );
    }
    all
}

/// True if a variable of a process's environment, as `NAME=value`, is one that is sought. Other users' processes, and those
/// that ended meanwhile, cannot be read; zombies read as empty, and so do threads that ended before others.
fn carries(pid: Pid, is_sought: impl Fn(&[u8]) -> bool) -> bool {
    let process = pid.as_raw_pid().to_string();
    let of_thread = |thread| std::fs::read(format!("/proc/{process}/task/{thread}/environ")).ok();
    let environment = proc::tasks(&process).into_iter().filter_map(of_thread).find(|text| !text.is_empty());
    environment.unwrap_or_default().split(|&byte| byte == 0).any(is_sought)
}

/// True if an orphan is a player's: it carries this program's mark, or is in a sandbox. One that has shed its mark outside a
/// sandbox is known only where this program began without children and is not the first process of its container, for then
/// every orphan is a player's.
fn is_of_a_player(pid: Pid) -> bool {
    !program().has_strangers() || is_marked(pid) || is_confined(pid)
}

/// True if a process has more filters of system calls than this program, by all those of a sandbox. No process can shed one.
fn is_confined(pid: Pid) -> bool {
    let filters = |process: &str| {
        let status = proc::read(&format!("/proc/{process}/status"));
        let line = status.lines().find_map(|line| line.strip_prefix("Seccomp_filters:"));
        line.and_then(|number| number.trim().parse::<u32>().ok())
    };
    // Read again each time: a filter may be added to this program from outside.
    match (filters(&pid.as_raw_pid().to_string()), filters("self")) {
        (Some(found), Some(own)) => found >= own + FILTERS,
        _ => false,
    }
}

/// True if a process carries this program's mark.
fn is_marked(pid: Pid) -> bool {
    let needle = format!("{MARK}={}", program().mark);
    carries(pid, |variable| variable.starts_with(needle.as_bytes()))
}

/// Kills players' orphans among this program's children: all but the running programs and their groups. An orphan's own
/// children become orphans in their turn.
pub(super) fn kill(running: &[Running]) {
    /// Killed and not reaped yet: nothing tells any more whose they were.
    static KILLED: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());
    let mut killed = KILLED.lock().unwrap_or_else(PoisonError::into_inner);
    let own = proc::kin("self").map_or(0, |kin| kin.group);
    for _ in 0..20 {
        let lives =
            |pid| matches!(system::waitpid(Pid::from_raw(pid), system::WaitOptions::NOHANG), Ok(None));
        killed.retain(|&pid| lives(pid));
        let mut found = !killed.is_empty();
        for pid in children() {
            if program().inherited.contains(&pid.as_raw_pid()) || killed.contains(&pid.as_raw_pid()) {
                continue;
            }
            let Some(proc::Kin { group, .. }) = proc::kin(&pid.as_raw_pid().to_string()) else { continue };
            // Other children of this program share its group and have no mark.
            let is_players =
                if group == own { is_marked(pid) || is_confined(pid) } else { is_of_a_player(pid) };
            if !is_players || has_group(group) || running.iter().any(|one| one.has(pid, group)) {
                continue;
            }
            found = true;
            let _ = system::kill_process(pid, Signal::KILL);
            killed.insert(pid.as_raw_pid());
        }
        if !found {
            return;
        }
        std::thread::sleep(std::time::Duration::from_micros(200));
    }
}

/// Kills the processes whose environment carries `mark`, until none is found: children may be born meanwhile.
pub(super) fn sweep(mark: &str) -> usize {
    let needle = format!("{MARK}={mark}");
    let mut killed = 0;
    for _ in 0..20 {
        let mut found = 0;
        for entry in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
            let Some(pid) =
                entry.file_name().to_str().and_then(|name| name.parse().ok()).and_then(Pid::from_raw)
            else {
                continue;
            };
            if carries(pid, |variable| variable == needle.as_bytes())
                && system::kill_process(pid, Signal::KILL).is_ok()
            {
                found += 1;
            }
        }
        if found == 0 {
            break;
        }
        killed += found;
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    killed
}

/// The origin of a signal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Sender {
    /// Neither a player nor a process that a player started.
    Outside,
    /// A player or a process that it started, in words.
    Player(String),
    /// A process that has ended, so that its parents are unknown.
    Gone,
}

/// The origin of a signal that `process` sent. Orphans of players are children of this program, so a player's processes are
/// all below it.
pub(super) fn sender(process: i32) -> Sender {
    // Tried again, because an ancestor may end meanwhile, and its children then have another parent.
    (0..3).map(|_| trace(process)).find(|sender| *sender != Sender::Gone).unwrap_or(Sender::Gone)
}

fn trace(process: i32) -> Sender {
    /// No process has a thousand ancestors. The bound ends a cycle of numbers that change while they are read.
    const MOST: usize = 1000;
    let own = std::process::id() as i32;
    let mut at = process;
    for _ in 0..MOST {
        // Number 0 is the system, or a process outside the container.
        if at == 0 {
            return Sender::Outside;
        }
        let Some(proc::Kin { name, parent, .. }) = proc::kin(&at.to_string()) else { return Sender::Gone };
        if parent == own {
            return match program().inherited.contains(&at) {
                true => Sender::Outside,
                false => Sender::Player(format!("process {at} ({name}) of a player")),
            };
        }
        at = parent;
    }
    Sender::Gone
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `docker exec` starts processes in a container, and what they leave becomes a child of the container's first one.
    #[test]
    fn the_first_process_of_a_container_may_have_children_that_are_no_players() {
        let program = |is_first, inherited: &[i32]| Program {
            mark: String::new(),
            inherited: inherited.iter().copied().collect(),
            is_first,
        };
        assert!(!program(false, &[]).has_strangers());
        assert!(program(false, &[7]).has_strangers());
        assert!(program(true, &[]).has_strangers());
    }
}
