//! When a process has come to rest: how a start-up is told from a first answer where a protocol begins without a word.
//!
//! A program that reads its first question before it writes anything sleeps once it is ready. One that is still starting
//! runs, waits for the disk, or has a thread or a child that does.

use super::Peer;
use super::supervisor::pid_of;
use crate::fault::Trouble;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

/// How long nothing of a process has run before it counts as ready.
const REST: Duration = Duration::from_millis(15);
/// How often it is looked at.
const LOOK: Duration = Duration::from_millis(3);

impl Peer<'_> {
    /// Waits until the process, just started, has come to rest, or until `deadline`; returns at once where the system does
    /// not tell (no `/proc`) and for a player that was not started here.
    ///
    /// # Errors
    /// [`Trouble::Interrupted`].
    pub fn settle(&mut self, deadline: Instant) -> Result<(), Trouble> {
        let Some(group) = self.child.as_ref().map(|child| pid_of(child).as_raw_nonzero().get()) else {
            return Ok(());
        };
        let mut rest: Option<(Instant, Vec<Thread>)> = None;
        while Instant::now() < deadline && !self.is_gone() {
            if self.supervisor.is_stopped() {
                return Err(Trouble::Interrupted);
            }
            let now = threads(group);
            let asleep = now.iter().all(|thread| thread.asleep);
            match &rest {
                _ if now.is_empty() => break,
                Some((since, before)) if asleep && *before == now => {
                    if since.elapsed() >= REST {
                        break;
                    }
                }
                _ => rest = asleep.then(|| (Instant::now(), now)),
            }
            std::thread::sleep(LOOK);
        }
        Ok(())
    }
}

/// A thread as it is seen.
#[derive(Debug, PartialEq)]
struct Thread {
    id: OsString,
    asleep: bool,
    /// How long it has run, in nanoseconds, and how often it had to wait, where the system tells.
    ran: String,
}

/// The threads of every process of the group.
fn threads(group: i32) -> Vec<Thread> {
    let mut all = Vec::new();
    for process in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let is_process = process.file_name().to_string_lossy().bytes().all(|byte| byte.is_ascii_digit());
        if !is_process || state(&process.path()).is_none_or(|(_, of)| of != group) {
            continue;
        }
        for thread in fs::read_dir(process.path().join("task")).into_iter().flatten().flatten() {
            // One that ends meanwhile has run.
            let asleep = state(&thread.path()).is_some_and(|(state, _)| state == 'S');
            let ran = fs::read_to_string(thread.path().join("schedstat")).unwrap_or_default();
            all.push(Thread { id: thread.file_name(), asleep, ran });
        }
    }
    all
}

/// The state of a process or a thread, and its group.
fn state(folder: &Path) -> Option<(char, i32)> {
    let text = fs::read_to_string(folder.join("stat")).ok()?;
    // The program's name stands in parentheses, and may hold some.
    let mut words = text.rsplit_once(") ")?.1.split_whitespace();
    let state = words.next()?.chars().next()?;
    Some((state, words.nth(1)?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::super::{Command, Supervisor};
    use super::*;

    fn settled(script: &str, most: Duration) -> (Duration, Peer<'static>) {
        let supervisor = Box::leak(Box::new(Supervisor::new()));
        let command = Command::split(&format!("sh -c '{script}'")).unwrap();
        let began = Instant::now();
        let mut peer = Peer::spawn(supervisor, &command).unwrap();
        peer.settle(began + most).unwrap();
        (began.elapsed(), peer)
    }

    #[test]
    fn a_start_up_ends_when_all_of_the_process_sleeps() {
        let minute = Duration::from_secs(60);
        // Its child works, while the shell itself sleeps; then it says what it read.
        let work =
            "sh -c \"i=0; while [ \\$i -lt 100000 ]; do i=\\$((i+1)); done; echo done\"; read x; echo $x";
        let (_, mut peer) = settled(work, minute);
        let now = Instant::now();
        assert_eq!(peer.line(now).unwrap(), "done", "the work was over before it counted as ready");
        peer.send(b"hello\n", now + minute).unwrap();
        assert_eq!(peer.line(now + minute).unwrap(), "hello");
        peer.close(b"");
    }

    #[test]
    fn a_process_that_never_rests_or_ends_keeps_nobody_waiting() {
        let (time, peer) = settled("while :; do :; done", Duration::from_millis(200));
        assert!(time >= Duration::from_millis(200));
        peer.close(b"");
        let (time, peer) = settled("exit 1", Duration::from_secs(60));
        assert!(time < Duration::from_secs(30), "{time:?}");
        peer.close(b"");
    }
}
