//! The guard: a second process of this program, which ends the remaining programs when this one is killed.

use super::children::{ASKED_TO_END, kill_the_last};
use super::orphans::sweep;
use super::proc;
use super::supervisor::pid_of;
use crate::sandbox;
use rustix::process::{self as system, Pid, Signal};
use std::io::{self, BufRead, Write as _};
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Mutex, PoisonError};

/// A guard that runs.
#[derive(Debug)]
pub(super) struct Guard {
    process: Child,
    /// Its input, by which it hears of programs and folders.
    pipe: Mutex<Option<ChildStdin>>,
}

impl Guard {
    /// Starts this executable with these arguments as a guard, out of this program's group.
    pub(super) fn start(arguments: &[&str]) -> io::Result<Self> {
        proc::is_own()?;
        let mut process = Command::new(std::env::current_exe()?)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()?;
        let pipe = process.stdin.take();
        pipe.iter().try_for_each(|pipe| rustix::io::ioctl_fionbio(pipe, true))?;
        Ok(Self { process, pipe: Mutex::new(pipe) })
    }

    pub(super) fn pid(&self) -> Pid {
        pid_of(&self.process)
    }

    /// Tells the guard a line, in one write, so that it wakes once. Returns true if it is there to hear it.
    pub(super) fn tell(&self, line: &str) -> bool {
        let mut pipe = self.pipe.lock().unwrap_or_else(PoisonError::into_inner);
        let written = pipe.as_mut().map(|pipe| pipe.write_all(format!("{line}\n").as_bytes()));
        if let Some(Err(_)) = written {
            // It is gone, or somebody has stopped it and the pipe is full: without this line it might end another program.
            let _ = system::kill_process(self.pid(), Signal::KILL);
            *pipe = None;
        }
        pipe.is_some()
    }

    /// Waits for the guard's end.
    pub(super) fn end(self) {
        let Self { mut process, pipe } = self;
        drop(pipe);
        // Somebody may have stopped it.
        let _ = system::kill_process(pid_of(&process), Signal::CONT);
        let _ = process.wait();
    }
}

/// Runs the guard: records the groups and folders named in its input. When the input ends, kills the remaining processes,
/// those that were [asked to end](super::children::end) after a while, and removes the remaining folders, those of the
/// run's programs as well.
pub fn guard(mark: &str, input: impl BufRead) {
    let mut groups: Vec<Pid> = Vec::new();
    let mut folders: Vec<PathBuf> = Vec::new();
    let mut were_asked = false;
    for line in input.lines() {
        let Ok(line) = line else { break };
        if line.starts_with('/') {
            folders.push(line.into());
            continue;
        }
        were_asked |= line == ASKED_TO_END;
        let Some(pid) = line.get(1..).and_then(|number| number.parse().ok()).and_then(Pid::from_raw) else {
            continue;
        };
        if line.starts_with('+') {
            groups.push(pid);
        } else {
            groups.retain(|&group| group != pid);
        }
    }
    if were_asked {
        kill_the_last(groups);
    } else {
        for group in groups {
            let _ = system::kill_process_group(group, Signal::KILL);
        }
    }
    sweep(mark);
    for folder in folders.into_iter().chain(sandbox::scratch_folders(mark)) {
        wire::file::remove_scratch(&folder);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guard_that_does_not_listen_stops_nobody() {
        let mut process = Command::new("sleep").arg("60").stdin(Stdio::piped()).spawn().unwrap();
        let pipe = process.stdin.take();
        rustix::io::ioctl_fionbio(pipe.as_ref().unwrap(), true).unwrap();
        let guard = Guard { process, pipe: Mutex::new(pipe) };
        for number in 0..20_000 {
            guard.tell(&format!("+{number}"));
        }
        guard.end();
    }
}
