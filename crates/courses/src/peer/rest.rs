//! Detects that a process is ready, for protocols in which the player sends nothing at the start.
//!
//! A program that reads its first question before it writes anything sleeps once it is ready. A program that is still
//! starting runs, waits for the disk, or has a thread or a child that does.

use super::{Peer, proc};
use crate::fault::Trouble;
use std::time::{Duration, Instant};

/// Time without work after which a process counts as ready.
const REST: Duration = Duration::from_millis(15);
/// Time without output between two checks of a process.
const SILENCE: Duration = Duration::from_millis(100);

impl Peer<'_> {
    /// Returns true once the process has been at rest for `time` without output, false as soon as it prints anything,
    /// ends, or reaches the deadline. Returns false at once for a player that was not started here.
    ///
    /// # Errors
    /// [`Trouble::Interrupted`].
    pub fn is_silent(&mut self, time: Duration, deadline: Instant) -> Result<bool, Trouble> {
        let Some(process) = self.id() else { return Ok(false) };
        let (mut before, mut rested) = (Vec::new(), Duration::ZERO);
        while self.is_open() && Instant::now() < deadline {
            // Any output ends the wait.
            if self.has_output() || self.wait(false, deadline.min(Instant::now() + SILENCE))? {
                return Ok(false);
            }
            let now = threads(process);
            let rests = !now.is_empty() && now == before && now.iter().all(Thread::is_asleep);
            before = now;
            rested = if rests { rested + SILENCE } else { Duration::ZERO };
            if rested >= time {
                return Ok(!self.is_gone());
            }
        }
        Ok(false)
    }

    /// Waits until the process, just started, is at rest, or until `deadline`. Returns at once if the system has no
    /// `/proc`, and for a player that was not started here.
    ///
    /// # Errors
    /// [`Trouble::Interrupted`].
    pub fn settle(&mut self, deadline: Instant) -> Result<(), Trouble> {
        let Some(process) = self.id() else {
            return Ok(());
        };
        let (mut since, mut before) = (Instant::now(), Vec::new());
        // The first thread's run time comes from one open file. The other threads are checked once it rests.
        let ran = proc::File::open(&format!("/proc/{process}/schedstat"));
        let mut first = String::new();
        // No process rests at its very start, so the first check is after a while.
        while Instant::now() < deadline && self.ended_by(deadline.min(Instant::now() + REST)).is_none() {
            if self.end.is_none() {
                std::thread::sleep(REST);
            }
            if self.supervisor.is_stopped() {
                return Err(Trouble::Interrupted);
            }
            let now = ran.as_ref().map(proc::File::read).unwrap_or_default();
            if now != first {
                first = now;
                continue;
            }
            if !first.is_empty() && sleeps_alone(process) {
                break;
            }
            let now = threads(process);
            if now.is_empty() {
                break;
            }
            if now != before {
                (since, before) = (Instant::now(), now);
            } else if since.elapsed() >= REST && now.iter().all(Thread::is_asleep) {
                break;
            }
        }
        Ok(())
    }
}

/// Returns true if a process of one thread and no child sleeps.
fn sleeps_alone(process: u32) -> bool {
    let stat = proc::read(&format!("/proc/{process}/stat"));
    // The program's name is in parentheses and may contain some. After it are fields 3 (state) to 20 (threads).
    let mut fields = stat.rsplit_once(") ").map_or("", |(_, rest)| rest).split(' ');
    fields.next() == Some("S")
        && fields.nth(16) == Some("1")
        && proc::read(&format!("/proc/{process}/task/{process}/children")).trim().is_empty()
}

/// The state of a thread.
#[derive(Debug, PartialEq)]
struct Thread {
    folder: String,
    /// Its run time in nanoseconds and its number of waits, if the system reports them.
    ran: String,
}

impl Thread {
    /// Returns true if the thread waits for something other than a processor or a disk, or has ended: not every program asks
    /// for the end of its children.
    fn is_asleep(&self) -> bool {
        let text = proc::read(&format!("{}/stat", self.folder));
        // The program's name is in parentheses and may contain some.
        text.rsplit_once(") ").is_some_and(|(_, rest)| rest.starts_with(['S', 'Z', 'X']))
    }
}

/// Returns the threads of a process and of all its descendants.
fn threads(process: u32) -> Vec<Thread> {
    let (mut all, mut processes) = (Vec::new(), vec![process.to_string()]);
    while let Some(process) = processes.pop() {
        for thread in proc::tasks(&process) {
            let folder = format!("/proc/{process}/task/{thread}");
            let read = |file: &str| proc::read(&format!("{folder}/{file}"));
            processes.extend(read("children").split_whitespace().map(str::to_owned));
            all.push(Thread { ran: read("schedstat"), folder });
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::super::{Command, Supervisor, lines::REFUSED};
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
        // The child works while the shell sleeps. Then the child prints what it read.
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
    fn a_process_is_silent_when_it_rests_without_a_word() {
        let supervisor = Supervisor::new();
        for (script, silent) in [
            ("read x", true),
            // Its child has ended and is not asked for.
            ("true & exec sleep 60", true),
            ("echo board; read x", false),
            ("exit 1", false),
            ("while :; do :; done", false),
        ] {
            let command = Command::split(&format!("sh -c '{script}'")).unwrap();
            let mut peer = Peer::spawn(&supervisor, &command).unwrap();
            let three = Instant::now() + Duration::from_secs(3);
            assert_eq!(peer.is_silent(REFUSED, three).unwrap(), silent, "{script}");
            peer.close(b"");
        }
        // A shell writes at once, so the command asks whether its output is a terminal.
        let mut command = Command::split("sh -c 'test -t 1 && echo yes'").unwrap();
        let minute = Instant::now() + Duration::from_secs(60);
        for (terminal, said) in [(false, None), (true, Some("yes".to_owned()))] {
            command.terminal = terminal;
            let mut peer = Peer::spawn(&supervisor, &command).unwrap();
            assert_eq!(peer.line(minute).ok(), said);
            peer.close(b"");
        }
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
