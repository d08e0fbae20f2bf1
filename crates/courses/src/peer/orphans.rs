//! Orphans: processes that players started, that left their player's group and lost their parent. They become children of
//! this program, as do orphans of whoever ran before this program in the same process: those are left alone.

use super::proc;
use rustix::process::{self as system, Pid, Signal};
use std::collections::BTreeSet;
use std::sync::OnceLock;

/// The environment variable that marks a run's processes, and their children.
pub(super) const MARK: &str = "REFEREE_RUN";

/// This program's mark, and the children that it had before it started a player.
#[derive(Debug)]
pub(super) struct Program {
    /// The beginning of every mark that this program gives.
    pub(super) mark: String,
    /// The children that it had before it started a player: a shell that becomes this program leaves it its own.
    inherited: BTreeSet<i32>,
}

/// This program, as it was when it was first asked.
pub(super) fn program() -> &'static Program {
    static PROGRAM: OnceLock<Program> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        // Distinct between programs that live at the same time: the process number and the time of its start.
        let mark = format!("{}-{}-", std::process::id(), now.as_nanos());
        Program { mark, inherited: children().iter().map(|pid| pid.as_raw_pid()).collect() }
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
/// that ended meanwhile, cannot be read; zombies read as empty.
fn carries(pid: Pid, is_sought: impl Fn(&[u8]) -> bool) -> bool {
    let environment = std::fs::read(format!("/proc/{}/environ", pid.as_raw_pid())).unwrap_or_default();
    environment.split(|&byte| byte == 0).any(is_sought)
}

/// True if an orphan is a player's: it carries this program's mark. One that has shed its mark is known only where this
/// program began without children, for then every orphan is a player's.
fn is_of_a_player(pid: Pid) -> bool {
    let program = program();
    let needle = format!("{MARK}={}", program.mark);
    program.inherited.is_empty() || carries(pid, |variable| variable.starts_with(needle.as_bytes()))
}

/// Kills players' orphans among this program's children, those outside the groups that still play. An orphan's own
/// children become orphans in their turn.
pub(super) fn kill(playing: &[Pid]) {
    let own = system::getpgrp();
    for _ in 0..20 {
        let mut found = false;
        for pid in children() {
            if program().inherited.contains(&pid.as_raw_pid()) {
                continue;
            }
            // What this program starts otherwise shares its group.
            let Ok(group) = system::getpgid(Some(pid)) else { continue };
            if group == own || playing.contains(&group) || !is_of_a_player(pid) {
                continue;
            }
            found = true;
            let _ = system::kill_process(pid, Signal::KILL);
            let _ = system::waitpid(Some(pid), system::WaitOptions::NOHANG);
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

/// Describes the player that a process descends from, for messages. `None` if it descends from no player, or has ended.
pub(super) fn player_above(process: i32) -> Option<String> {
    let own = std::process::id() as i32;
    let mut process = process;
    // No process has a thousand ancestors. The bound ends a cycle of numbers that change while they are read.
    for _ in 0..1000 {
        let stat = proc::read(&format!("/proc/{process}/stat"));
        // The program's name is in parentheses and may contain some; the state and the parent follow it.
        let (front, fields) = stat.rsplit_once(") ")?;
        let parent: i32 = fields.split(' ').nth(1)?.parse().ok()?;
        if parent == own {
            let group = system::getpgid(Pid::from_raw(process)).ok();
            let is_other = program().inherited.contains(&process) || group == Some(system::getpgrp());
            let name = front.split_once('(').map_or("", |(_, name)| name);
            return (!is_other).then(|| format!("process {process} ({name})"));
        }
        process = parent;
    }
    None
}
