//! The other end of a conversation: a process or a TCP connection, read and written with a deadline, never with more
//! memory than the bounds below, whatever it does.
//!
//! - [`Command`]: what to start, and under which limits.
//! - [`Supervisor`]: starts processes and sees to their end.
//! - [`Peer`]: lines in and out.

mod command;
mod proc;
mod rest;
mod supervisor;
mod transcript;

pub use command::{Command, SplitError};
pub use supervisor::{Supervisor, guard, processors};
pub use transcript::{QUOTED, Said};

use crate::fault::{Fault, Kind, Trouble, excerpt};
use crate::thought::{Thought, Told};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process as system;
use smallvec::SmallVec;
use std::net::{SocketAddr, TcpStream};
use std::os::fd::OwnedFd;
use std::process::Child;
use std::time::{Duration, Instant};
use supervisor::pid_of;
use transcript::Transcript;

/// The longest line that any of the courses' protocols needs, with room to spare.
const LINE_LIMIT: usize = 64 * 1024;
/// The most bytes that are read at once.
const CHUNK: usize = 16 * 1024;
/// The length of the end of a player's standard error that is kept.
const ERROR_TAIL: usize = 8 * 1024;
/// The longest that a player may take to end when told to.
const FAREWELL: Duration = Duration::from_millis(500);
/// What is said beside an answer waits so long for it.
const ASIDE: Duration = Duration::from_millis(1);
/// No wait is longer than this without a look at the stop flag.
const SLICE: Duration = Duration::from_millis(50);

/// The conduct of a player, once its conversation is over.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Ended {
    /// The end of its standard error.
    pub errors: String,
    /// Processor time it used, its own and that of children it waited for.
    pub cpu: Duration,
    /// Its end, in words; `None` for a connection, or when it had to be killed.
    pub status: Option<String>,
    /// Its faults that lose nothing.
    pub notes: Vec<Fault>,
    /// The dialogue: the last lines, or all where the supervisor keeps dialogues.
    pub dialogue: Vec<Said>,
}

/// A process or a connection.
#[derive(Debug)]
pub struct Peer<'a> {
    supervisor: &'a Supervisor,
    child: Option<Child>,
    /// Readable once the process has ended; missing where the system has none.
    end: Option<OwnedFd>,
    name: String,
    input: Option<OwnedFd>,
    output: Option<OwnedFd>,
    /// Its other outputs: its standard error, and its standard output when the conversation goes elsewhere.
    asides: Vec<OwnedFd>,
    /// The end of a process's input that is kept open and never written to.
    _held: Option<OwnedFd>,
    /// Bytes read and not yet asked for; `scanned` of them hold no line feed.
    pending: Vec<u8>,
    scanned: usize,
    /// What is read goes through this.
    chunk: Vec<u8>,
    tail: Vec<u8>,
    /// Where the line of the tail begins that is not complete yet.
    unheard: usize,
    transcript: Transcript,
    /// When it was written to last.
    asked: Instant,
    /// Its report of its search since then.
    told: Option<Told>,
}

impl<'a> Peer<'a> {
    /// Starts a process.
    ///
    /// # Errors
    /// [`Trouble::Referee`] when it cannot be started.
    pub fn spawn(supervisor: &'a Supervisor, command: &Command) -> Result<Self, Trouble> {
        let mut child = supervisor.spawn(command)?;
        let input = child.stdin.take().map(OwnedFd::from);
        let output = child.stdout.take().map(OwnedFd::from);
        let errors = child.stderr.take().map(OwnedFd::from);
        let mut peer = Self::new(supervisor, command.words.join(" "), input, output);
        peer.asides.extend(errors);
        peer.end = system::pidfd_open(pid_of(&child), system::PidfdFlags::empty()).ok();
        peer.child = Some(child);
        for end in peer.input.iter().chain(&peer.output).chain(&peer.asides) {
            nonblocking(end)?;
        }
        Ok(peer)
    }

    /// Connects to a TCP player.
    ///
    /// # Errors
    /// [`Kind::Crash`] when nobody answers there within five seconds.
    pub fn connect(supervisor: &'a Supervisor, address: SocketAddr) -> Result<Self, Trouble> {
        let stream = TcpStream::connect_timeout(&address, Duration::from_secs(5))
            .map_err(|error| Fault::new(Kind::Crash, format!("cannot connect to {address}: {error}")))?;
        Self::adopt(supervisor, stream)
    }

    /// Takes an open connection.
    ///
    /// # Errors
    /// [`Trouble::Referee`] when the connection cannot be set up.
    pub fn adopt(supervisor: &'a Supervisor, stream: TcpStream) -> Result<Self, Trouble> {
        let failed = |error: std::io::Error| Trouble::Referee(format!("a connection: {error}"));
        stream.set_nodelay(true).map_err(failed)?;
        let name = stream.peer_addr().map_err(failed)?.to_string();
        let output = OwnedFd::from(stream.try_clone().map_err(failed)?);
        let input = OwnedFd::from(stream);
        nonblocking(&input)?;
        Ok(Self::new(supervisor, name, Some(input), Some(output)))
    }

    fn new(
        supervisor: &'a Supervisor,
        name: String,
        input: Option<OwnedFd>,
        output: Option<OwnedFd>,
    ) -> Self {
        Self {
            supervisor,
            child: None,
            end: None,
            name,
            input,
            output,
            asides: Vec::new(),
            _held: None,
            pending: Vec::new(),
            scanned: 0,
            chunk: vec![0; CHUNK],
            tail: Vec::new(),
            unheard: 0,
            asked: Instant::now(),
            told: None,
            transcript: Transcript::new(supervisor.keeps_dialogues()),
        }
    }

    /// Carries the conversation on over a connection that the process has made; what it prints is kept like its
    /// standard error.
    ///
    /// # Errors
    /// [`Trouble::Referee`] when the connection cannot be set up.
    pub fn divert(&mut self, stream: TcpStream) -> Result<(), Trouble> {
        let mut connection = Self::adopt(self.supervisor, stream)?;
        self._held = std::mem::replace(&mut self.input, connection.input.take());
        self.asides.extend(std::mem::replace(&mut self.output, connection.output.take()));
        self.pending.clear();
        self.scanned = 0;
        Ok(())
    }

    /// True if something may still come from it.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.output.is_some()
    }

    /// True if the process has ended, or the connection is closed.
    #[must_use]
    pub fn is_gone(&self) -> bool {
        if self.child.is_some() { self.ended_by(Instant::now()).is_some() } else { self.output.is_none() }
    }

    /// Writes all of `bytes`; what the player prints meanwhile is kept.
    ///
    /// # Errors
    /// [`Kind::Crash`] when it is gone, [`Kind::Hang`] when it does not read until the deadline.
    pub fn send(&mut self, bytes: &[u8], deadline: Instant) -> Result<(), Trouble> {
        (self.told, self.asked) = (None, Instant::now());
        let at = self.supervisor.elapsed();
        for line in bytes.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
            self.transcript.add(at, false, &String::from_utf8_lossy(line));
        }
        let mut rest = bytes;
        while !rest.is_empty() {
            let Some(input) = &self.input else { return Err(self.gone("its input is closed").into()) };
            match rustix::io::write(input, rest) {
                Ok(written) => rest = &rest[written..],
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => {
                    if !self.wait(true, deadline)? {
                        return Err(Fault::new(Kind::Hang, "it does not read its input").into());
                    }
                }
                Err(error) => return Err(self.gone(&format!("writing to it failed: {error}")).into()),
            }
        }
        Ok(())
    }

    /// The next line, without its ending; the bytes of an unfinished last line count as one.
    ///
    /// # Errors
    /// [`Kind::Hang`] when none is complete by the deadline, [`Kind::Crash`] or [`Kind::ProtocolError`] when none can
    /// come any more, [`Kind::OutputFlood`] when it is longer than any protocol needs, [`Kind::ProtocolError`] when
    /// it is not UTF-8.
    pub fn line(&mut self, deadline: Instant) -> Result<String, Trouble> {
        loop {
            if let Some(line) = self.buffered()? {
                return Ok(line);
            }
            if self.output.is_none() {
                if !self.pending.is_empty() {
                    let end = self.pending.len();
                    return Ok(self.take(end, end)?);
                }
                return Err(self.gone("its output ended").into());
            }
            if !self.wait(false, deadline)? {
                return Err(Fault::new(Kind::Hang, "no answer").into());
            }
        }
    }

    /// A line that is here already.
    ///
    /// # Errors
    /// As [`line`](Self::line).
    fn buffered(&mut self) -> Result<Option<String>, Trouble> {
        if let Some(at) = self.pending[self.scanned..].iter().position(|&byte| byte == b'\n') {
            let end = self.scanned + at;
            return Ok(Some(self.take(end, end + 1)?));
        }
        self.scanned = self.pending.len();
        if self.scanned > LINE_LIMIT {
            let start = String::from_utf8_lossy(&self.pending[..60]).into_owned();
            self.pending = Vec::new();
            self.scanned = 0;
            return Err(Fault::new(
                Kind::OutputFlood,
                format!(
                    "more than {LINE_LIMIT} bytes without a line feed, beginning \"{}\"",
                    excerpt(&start)
                ),
            )
            .into());
        }
        Ok(None)
    }

    /// Reads what it has said since its last answer, without waiting: nobody asked it for another.
    ///
    /// # Errors
    /// [`Kind::ProtocolError`] for a line that `is_answer`; [`Kind::OutputFlood`] when there is no end of lines.
    pub fn refuse_unasked(&mut self, is_answer: impl Fn(&str) -> bool) -> Result<(), Trouble> {
        const MOST: usize = 10_000;
        for _ in 0..MOST {
            match self.buffered() {
                Ok(Some(line)) if is_answer(&line) => {
                    let detail = format!("\"{}\" before the next question: a second answer", excerpt(&line));
                    return Err(Fault::protocol(detail).into());
                }
                // A line that is no text is no answer.
                Ok(Some(_)) | Err(Trouble::Fault(Fault { kind: Kind::ProtocolError, .. })) => {}
                Ok(None) if !self.reads_more()? => return Ok(()),
                Ok(None) => {}
                Err(trouble) => return Err(trouble),
            }
        }
        Err(Fault::new(Kind::OutputFlood, format!("more than {MOST} lines that nobody asked for")).into())
    }

    /// Reads what is there of its output, without waiting; false: nothing is.
    fn reads_more(&mut self) -> Result<bool, Trouble> {
        if self.supervisor.is_stopped() {
            return Err(Trouble::Interrupted);
        }
        let before = self.pending.len();
        self.read_output();
        Ok(self.pending.len() > before)
    }

    /// Its report of its search since it was written to last.
    pub fn told(&mut self) -> Option<Told> {
        self.listen_aside();
        self.told.take()
    }

    /// Reads what waits beside the conversation: most answers come before anybody looks there.
    fn listen_aside(&mut self) {
        self.drain_asides(|_| true);
    }

    /// Everything it prints until its output ends or the deadline passes; its input is closed. At most 64 MiB.
    ///
    /// # Errors
    /// Only [`Trouble::Interrupted`].
    pub fn whole_output(&mut self, deadline: Instant) -> Result<Vec<u8>, Trouble> {
        const MOST: usize = 64 << 20;
        self.input = None;
        let mut whole = Vec::new();
        loop {
            whole.append(&mut self.pending);
            self.scanned = 0;
            if self.output.is_none() || whole.len() > MOST || !self.wait(false, deadline)? {
                whole.append(&mut self.pending);
                return Ok(whole);
            }
        }
    }

    fn take(&mut self, end: usize, next: usize) -> Result<String, Fault> {
        let mut line: Vec<u8> = self.pending.drain(..next).collect();
        self.scanned = 0;
        line.truncate(end);
        if line.last() == Some(&b'\r') {
            line.pop();
        }
        let text = String::from_utf8_lossy(&line);
        self.transcript.add(self.supervisor.elapsed(), true, &text);
        hear(&mut self.told, self.asked, &text);
        String::from_utf8(line).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
            Fault::protocol(format!("not UTF-8 at byte {at} of \"{}\"", excerpt(&text)))
        })
    }

    /// Waits until there is something to read, or, with `write`, room to write; drains standard error meanwhile.
    /// False: the deadline has passed.
    fn wait(&mut self, write: bool, deadline: Instant) -> Result<bool, Trouble> {
        // A player that tells of its search and answers at once wakes the referee once, not twice.
        let aside_from = Instant::now() + if write || self.output.is_none() { Duration::ZERO } else { ASIDE };
        loop {
            if self.supervisor.is_stopped() {
                return Err(Trouble::Interrupted);
            }
            let now = Instant::now();
            let left = deadline.saturating_duration_since(now);
            let hears_asides = now >= aside_from || left.is_zero();
            // The buffer is bounded: a player that prints while it is written to is read again later.
            let listen = self.pending.len() <= LINE_LIMIT;
            let listening = self.output.as_ref().filter(|_| listen);
            let writing = self.input.as_ref().filter(|_| write);
            let mut polled: SmallVec<[PollFd<'_>; 4]> = SmallVec::new();
            let asides = if hears_asides { &self.asides[..] } else { &[] };
            polled.extend(asides.iter().map(|end| PollFd::new(end, PollFlags::IN)));
            polled.extend(listening.map(|end| PollFd::new(end, PollFlags::IN)));
            polled.extend(writing.map(|end| PollFd::new(end, PollFlags::OUT)));
            let slice = left.min(if hears_asides { SLICE } else { aside_from - now });
            let timeout = Timespec { tv_sec: 0, tv_nsec: slice.subsec_nanos().into() };
            match poll(&mut polled, Some(&timeout)) {
                Ok(_) | Err(Errno::INTR) => {}
                Err(error) => return Err(Trouble::Referee(format!("poll: {error}"))),
            }
            let ready: SmallVec<[bool; 4]> = polled.iter().map(|end| !end.revents().is_empty()).collect();
            drop(polled);
            let (asides, spoken) = ready.split_at(asides.len());
            let heard = listening.is_some() && spoken.first() == Some(&true);
            let answered = spoken.contains(&true);
            if asides.contains(&true) {
                self.drain_asides(|nth| asides[nth]);
            }
            if heard {
                self.read_output();
            }
            if answered {
                return Ok(true);
            }
            if left.is_zero() {
                return Ok(false);
            }
        }
    }

    fn read_output(&mut self) {
        let Some(output) = &self.output else { return };
        match rustix::io::read(output, &mut self.chunk[..]) {
            Ok(0) => self.output = None,
            Ok(count) => self.pending.extend_from_slice(&self.chunk[..count]),
            Err(Errno::AGAIN | Errno::INTR) => {}
            // A connection that was reset, a terminal that is gone: nothing more comes.
            Err(_) => self.output = None,
        }
    }

    /// One read of each aside: a player that floods one cannot keep the referee from its clock.
    fn drain_asides(&mut self, is_ready: impl Fn(usize) -> bool) {
        let mut nth = 0;
        let Self { tail, chunk, .. } = self;
        self.asides.retain(|end| {
            nth += 1;
            if !is_ready(nth - 1) {
                return true;
            }
            match rustix::io::read(end, &mut chunk[..]) {
                Ok(0) => return false,
                Ok(count) => tail.extend_from_slice(&chunk[..count]),
                Err(Errno::AGAIN | Errno::INTR) => {}
                Err(_) => return false,
            }
            true
        });
        while let Some(length) = tail[self.unheard..].iter().position(|&byte| byte == b'\n') {
            let end = self.unheard + length;
            // What is told of searches stands with the moves; the tail is for complaints.
            if hear(&mut self.told, self.asked, &String::from_utf8_lossy(&tail[self.unheard..end])) {
                tail.drain(self.unheard..=end);
            } else {
                self.unheard = end + 1;
            }
        }
        if tail.len() > 4 * ERROR_TAIL {
            let cut = tail.len() - ERROR_TAIL;
            tail.drain(..cut);
            self.unheard = self.unheard.saturating_sub(cut);
        }
    }

    /// The fault of a player that can no longer be talked to.
    fn gone(&mut self, seen: &str) -> Fault {
        if self.child.is_none() {
            return Fault::new(Kind::Crash, format!("the connection to {} is closed ({seen})", self.name));
        }
        match self.ended_by(Instant::now() + FAREWELL) {
            Some(status) => Fault::new(Kind::Crash, format!("it ended with {status}")),
            None => Fault::protocol(format!("{seen}, but it still runs")),
        }
    }

    /// The end of the process, in words, if it comes by the deadline. It is not waited for: its group still stands.
    fn ended_by(&self, deadline: Instant) -> Option<String> {
        let pid = pid_of(self.child.as_ref()?);
        let end = self.end.as_ref()?;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let timeout = Timespec { tv_sec: left.as_secs() as i64, tv_nsec: left.subsec_nanos().into() };
            match poll(&mut [PollFd::new(end, PollFlags::IN)], Some(&timeout)) {
                Ok(0) => return None,
                Err(Errno::INTR) => {}
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

    /// Ends the conversation: says `farewell`, closes the player's input, gives it half a second to go, and kills
    /// what is left of its process group.
    pub fn close(mut self, farewell: &[u8]) -> Ended {
        let deadline = Instant::now() + FAREWELL;
        let polite = !self.supervisor.is_stopped();
        if polite && !farewell.is_empty() {
            let _ = self.send(farewell, deadline);
        }
        // A connection closed over words that nobody read is reset, and its farewell may be lost.
        if let Some(input) = self.input.take() {
            let _ = rustix::net::shutdown(input, rustix::net::Shutdown::Write);
        }
        // Its last words are read, or it could wait for ever to say them; a flood is not.
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
        if self.child.is_some() {
            ended.status = if polite { self.ended_by(deadline) } else { None };
            ended.cpu = self.child.as_ref().map(cpu_time).unwrap_or_default();
        }
        self.reap();
        let start = self.tail.len().saturating_sub(ERROR_TAIL);
        ended.errors = String::from_utf8_lossy(&self.tail[start..]).into_owned();
        ended.dialogue = self.transcript.finish();
        ended
    }

    /// Waits for anything on output or error; false at the deadline.
    fn wait_any(&mut self, deadline: Instant) -> Result<bool, Trouble> {
        if self.output.is_some() {
            return self.wait(false, deadline);
        }
        let before = self.tail.len();
        // Only standard error is open: one slice at a time.
        let _ = self.wait(false, deadline.min(Instant::now() + Duration::from_millis(5)))?;
        Ok(self.asides.is_empty() || self.tail.len() != before || Instant::now() < deadline)
    }

    fn reap(&mut self) {
        if let Some(child) = self.child.take() {
            self.supervisor.end(child);
        }
    }
}

impl Drop for Peer<'_> {
    fn drop(&mut self) {
        self.reap();
    }
}

/// Adds what a line tells of a search; false where it tells nothing.
fn hear(told: &mut Option<Told>, asked: Instant, line: &str) -> bool {
    let heard = Thought::read(line);
    let tells = heard.is_some();
    if let Some(heard) = heard {
        told.get_or_insert_default().add(heard, asked.elapsed());
    }
    tells
}

fn nonblocking(end: &OwnedFd) -> Result<(), Trouble> {
    rustix::io::ioctl_fionbio(end, true).map_err(|error| Trouble::Referee(format!("a pipe: {error}")))
}

/// Processor time of a process that has not been waited for: exact for one thread, in steps of 10 ms for several.
fn cpu_time(child: &Child) -> Duration {
    let read = |file: &str| proc::read(&format!("/proc/{}/{file}", child.id()));
    let exact = read("schedstat").split_whitespace().next().and_then(|nanos| nanos.parse().ok()).unwrap_or(0);
    // Fields 14 to 17 of proc_pid_stat(5), counted after the name's closing parenthesis, in hundredths of a second.
    let stat = read("stat");
    let ticks: u64 = stat
        .rsplit_once(')')
        .map(|(_, fields)| {
            fields.split_whitespace().skip(11).take(4).filter_map(|t| t.parse::<u64>().ok()).sum()
        })
        .unwrap_or(0);
    Duration::from_nanos(exact).max(Duration::from_millis(10 * ticks))
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
mod tests {
    use super::{Peer, Supervisor};
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
}
