//! The end of a dialogue: farewell, last output, exit status.

use super::{ERROR_TAIL, Ended, FAREWELL, Peer, SLICE, proc};
use crate::fault::{Fault, Kind, Trouble};
use crate::sandbox::{self, Kept};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{self as system, Pid};
use std::time::{Duration, Instant};

impl Peer<'_> {
    /// Returns the fault of a player that can no longer be reached.
    pub(super) fn gone(&mut self, seen: &str) -> Fault {
        if self.process.is_none() {
            return Fault::new(Kind::Crash, format!("the connection to {} is closed ({seen})", self.name));
        }
        let status = self.ended_by(Instant::now() + FAREWELL);
        let verdict = self.process.as_ref().and_then(|process| process.kept.as_ref()?.verdict());
        match (verdict, status) {
            (Some(verdict), Some(status)) => {
                Fault::new(Kind::Crash, format!("{verdict}, and was ended ({status})"))
            }
            // Its memory may take a while to be freed.
            (Some(verdict), None) => Fault::new(Kind::Crash, format!("{verdict}, and was ended")),
            (None, Some(status)) => Fault::new(Kind::Crash, format!("it ended with {status}")),
            (None, None) => Fault::protocol(format!("{seen}, but it still runs")),
        }
    }

    /// Returns the process's exit status in words, if it ends by the deadline. The process is not reaped, so its group
    /// still exists.
    pub(super) fn ended_by(&self, deadline: Instant) -> Option<String> {
        let pid = self.process.as_ref()?.pid;
        let end = self.end.as_ref()?;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let timeout = Timespec { tv_sec: 0, tv_nsec: left.min(SLICE).subsec_nanos().into() };
            match poll(&mut [PollFd::new(end, PollFlags::IN)], Some(&timeout)) {
                // An interrupted run waits for nobody.
                Ok(0) if left <= SLICE || self.supervisor.is_stopped() => return None,
                Ok(0) | Err(Errno::INTR) => {}
                Err(_) => return None,
                Ok(_) => break,
            }
        }
        use system::WaitIdOptions as Options;
        let options = Options::EXITED | Options::NOWAIT | Options::NOHANG;
        let status = system::waitid(system::WaitId::Pid(pid), options).ok()??;
        Some(match (status.exit_status(), status.terminating_signal()) {
            (Some(code), _) => format!("exit code {code}"),
            (None, Some(signal)) => format!("signal {signal}{}", signal_name(signal)),
            (None, None) => "an unknown status".to_owned(),
        })
    }

    /// Ends the dialogue: sends `farewell`, closes the player's input, gives it half a second to end, and kills the
    /// rest of its process group.
    pub fn close(mut self, farewell: &[u8]) -> Ended {
        let deadline = Instant::now() + FAREWELL;
        let polite = !self.supervisor.is_stopped();
        if polite && !farewell.is_empty() {
            let _ = self.send(farewell, deadline);
        }
        // Closing a connection with unread input resets it, and the farewell may be lost.
        if let Some(input) = self.input.take() {
            let _ = rustix::net::shutdown(input, rustix::net::Shutdown::Write);
        }
        // The last output is read, so that the player is not blocked in writing it. A flood is not read.
        let mut spent = 0;
        while polite && (self.output.is_some() || !self.asides.is_empty()) && spent < 64 {
            self.pending.clear();
            self.scanned = 0;
            if !matches!(self.wait_any(deadline), Ok(true)) {
                break;
            }
            spent += 1;
        }
        self.output = None;
        let mut ended = Ended::default();
        let verdict = self.process.as_ref().and_then(|process| process.kept.as_ref()?.verdict());
        ended.remarks.extend(verdict.map(str::to_owned));
        ended.refusals = self.refusals();
        let is_confined = self.is_confined();
        if let Some(process) = &self.process {
            let pid = process.pid;
            ended.status = if polite { self.ended_by(deadline) } else { None };
            (ended.cpu, ended.waited) = times(pid);
            ended.cpu = ended.cpu.max(process.kept.as_ref().map_or(Duration::ZERO, Kept::ran));
        }
        self.reap();
        let start = self.tail.len().saturating_sub(ERROR_TAIL);
        ended.errors = String::from_utf8_lossy(&self.tail[start..]).into_owned();
        if is_confined {
            ended.errors = sandbox::without_java_note(&ended.errors);
            if let Some(hint) = sandbox::refused(&ended.errors) {
                // As the last line it is quoted with a fault.
                ended.errors.push_str(&format!("\n[{hint}]\n"));
                ended.remarks.push(hint);
            }
        }
        ended.dialogue = self.transcript.finish();
        ended
    }

    /// Waits for anything on output or error. Returns false at the deadline.
    fn wait_any(&mut self, deadline: Instant) -> Result<bool, Trouble> {
        if self.output.is_some() {
            return self.wait(false, deadline);
        }
        let before = self.tail.len();
        // Only standard error is open: one interval at a time.
        let _ = self.wait(false, deadline.min(Instant::now() + Duration::from_millis(5)))?;
        Ok(self.asides.is_empty() || self.tail.len() != before || Instant::now() < deadline)
    }

    /// Returns the calls that the sandbox refused to the process.
    fn refusals(&self) -> Vec<Fault> {
        let kept = self.process.as_ref().and_then(|process| process.kept.as_ref());
        kept.map(Kept::faults).unwrap_or_default()
    }

    fn reap(&mut self) {
        for fault in self.refusals() {
            self.supervisor.report(&self.player, fault);
        }
        if let Some(process) = self.process.take() {
            self.supervisor.end(process);
        }
    }
}

impl Drop for Peer<'_> {
    fn drop(&mut self) {
        self.reap();
    }
}

/// Returns the processor time of a process that has not been reaped, exact for one thread, in steps of 10 ms for several,
/// and the time that its first thread waited for a processor.
fn times(pid: Pid) -> (Duration, Duration) {
    let of_thread = proc::read(&format!("/proc/{}/schedstat", pid.as_raw_pid()));
    let mut of_thread = of_thread.split_whitespace().map(|nanos| nanos.parse().unwrap_or(0));
    let mut next = || Duration::from_nanos(of_thread.next().unwrap_or(0));
    let (exact, waited) = (next(), next());
    (exact.max(proc::ran(pid).iter().sum()), waited)
}

fn signal_name(signal: i32) -> &'static str {
    match signal {
        2 => " (interrupt)",
        4 => " (illegal instruction)",
        6 => " (abort)",
        8 => " (arithmetic)",
        9 => " (kill)",
        11 => " (segmentation fault)",
        13 => " (broken pipe)",
        15 => " (terminate)",
        _ => "",
    }
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "a test may panic")]
mod tests {
    use super::super::{Command, FAREWELL, Peer, Supervisor};
    use std::io::{Read, Write};
    use std::net::{TcpListener, TcpStream};

    #[test]
    fn a_farewell_arrives_where_words_were_left_unread() {
        let supervisor = Supervisor::new();
        let door = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut client = TcpStream::connect(door.local_addr().unwrap()).unwrap();
        client.write_all(b"too late\n").unwrap();
        let peer = Peer::adopt(&supervisor, door.accept().unwrap().0).unwrap();
        let hearing = std::thread::spawn(move || {
            std::thread::sleep(std::time::Duration::from_millis(100));
            let mut said = String::new();
            client.read_to_string(&mut said).map(|_| said)
        });
        peer.close(b"FIN\n");
        assert_eq!(hearing.join().unwrap().unwrap(), "FIN\n");
    }

    #[test]
    fn an_interrupt_ends_the_wait_for_a_player_that_does_not_end() {
        let command = Command::split("sh -c 'exec >&- 2>&-; sleep 60'").unwrap();
        // On a busy machine the interrupt may come late, but not each time.
        let is_quick = || {
            let supervisor = Supervisor::new();
            let peer = Peer::spawn(&supervisor, &command).unwrap();
            std::thread::scope(|scope| {
                scope.spawn(|| {
                    std::thread::sleep(std::time::Duration::from_millis(50));
                    supervisor.stop();
                });
                let start = std::time::Instant::now();
                peer.close(b"");
                start.elapsed() < FAREWELL
            })
        };
        assert!((0..5).any(|_| is_quick()));
    }
}
