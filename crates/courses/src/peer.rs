//! Players' processes and TCP connections, read and written with deadlines and bounded memory.
//!
//! - [`Command`]: a program to start, with its limits.
//! - [`Supervisor`]: starts and ends processes.
//! - [`Peer`]: reads and writes lines.
//! - [`children`]: the programs that an archive's check starts, which are no players.
//! - [`stopped_since`]: tells whether this program itself was stopped.

mod answer;
pub mod children;
mod command;
mod end;
mod ended;
mod guard;
mod heartbeat;
mod lines;
mod orphans;
pub(crate) mod proc;
mod rest;
mod signals;
mod supervisor;
#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "a test may panic")]
mod tests;
mod transcript;

pub use answer::{Heard, declines};
pub(crate) use command::Limit;
pub use command::{Command, SHELLS, SplitError};
pub use ended::Ended;
pub(crate) use ended::FAREWELL;
pub use guard::guard;
pub use heartbeat::{RunningTime, Stopped, resumed_by, stopped_since};
pub use proc::{is_busy, is_own as has_own_processes};
pub use signals::catch_signals;
pub use supervisor::{Supervisor, processors};
pub(crate) use transcript::Transcript;
pub use transcript::{QUOTED, Said};
pub use wire::tcp::accept;

use crate::fault::{Fault, Kind, Trouble};
use crate::sandbox;
use crate::thought::{SearchInfo, Thought};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::net::{AddressFamily, SocketFlags, SocketType, connect, socket_with};
use rustix::process as system;
use smallvec::SmallVec;
use std::io::ErrorKind;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};
use supervisor::Process;
use wire::text::StreamDecoder;

/// Maximum length of a line in bytes, more than any of the protocols needs.
const LINE_LIMIT: usize = 64 * 1024;
/// Maximum number of bytes in one read.
const CHUNK: usize = 16 * 1024;
/// Number of bytes kept of the end of a player's standard error.
const ERROR_TAIL: usize = 8 * 1024;
/// The time for which output that precedes an answer may be pending.
const ASIDE: Duration = Duration::from_millis(1);
/// Maximum time of a wait before the stop flag is checked again.
const SLICE: Duration = Duration::from_millis(50);

/// A process or a connection.
#[derive(Debug)]
pub struct Peer<'a> {
    supervisor: &'a Supervisor,
    process: Option<Process>,
    /// A descriptor that is readable once the process has ended, if the system supports it.
    end: Option<OwnedFd>,
    name: String,
    /// The player whose process it is.
    player: String,
    input: Option<OwnedFd>,
    output: Option<OwnedFd>,
    /// Its other outputs: standard error, and standard output if the dialogue is over TCP.
    asides: Vec<OwnedFd>,
    /// The end of the process's input, kept open and never written to.
    _held: Option<OwnedFd>,
    /// Bytes read and not consumed yet. The first `scanned` of them contain no line feed.
    pending: Vec<u8>,
    scanned: usize,
    /// Drops a byte order mark at the start of the output.
    decoder: StreamDecoder,
    /// The read buffer.
    chunk: Vec<u8>,
    tail: Vec<u8>,
    /// The start of the incomplete last line in the tail.
    unheard: usize,
    transcript: Transcript,
    /// True after its first line.
    has_spoken: bool,
    /// The time of the last write.
    asked: Instant,
    /// Its search report since then.
    told: Option<SearchInfo>,
}

impl<'a> Peer<'a> {
    /// Starts a process.
    ///
    /// # Errors
    /// [`Trouble::Referee`] if it cannot be started.
    pub fn spawn(supervisor: &'a Supervisor, command: &Command) -> Result<Self, Trouble> {
        let (screen, stdout) = if command.terminal {
            let (screen, stdout) = terminal()?;
            (Some(screen), Some(stdout))
        } else {
            (None, None)
        };
        let mut process = supervisor.spawn(command, stdout.as_ref())?;
        drop(stdout);
        let input = process.child.stdin.take().map(OwnedFd::from);
        let output = screen.or_else(|| process.child.stdout.take().map(OwnedFd::from));
        let errors = process.child.stderr.take().map(OwnedFd::from);
        let mut peer = Self::new(supervisor, command.words.join(" "), input, output);
        peer.player.clone_from(&command.player);
        peer.asides.extend(errors);
        peer.end = system::pidfd_open(process.pid, system::PidfdFlags::empty()).ok();
        peer.process = Some(process);
        for end in peer.input.iter().chain(&peer.output).chain(&peer.asides) {
            nonblocking(end)?;
        }
        Ok(peer)
    }

    /// Connects to a player over TCP.
    ///
    /// # Errors
    /// [`Kind::Crash`] if there is no connection within five seconds.
    pub fn connect(supervisor: &'a Supervisor, address: SocketAddr) -> Result<Self, Trouble> {
        let stream = TcpStream::connect_timeout(&address, Duration::from_secs(5))
            .map_err(|error| Fault::new(Kind::Crash, format!("cannot connect to {address}: {error}")))?;
        Self::adopt(supervisor, stream)
    }

    /// Takes over a connection. One that the other side has reset already ends with the first read.
    ///
    /// # Errors
    /// [`Trouble::Referee`] if the system has no descriptor left.
    pub fn adopt(supervisor: &'a Supervisor, stream: TcpStream) -> Result<Self, Trouble> {
        let failed = |error: std::io::Error| Trouble::Referee(format!("a connection: {error}"));
        let _ = stream.set_nodelay(true);
        let name = stream.peer_addr().map_or_else(|_| "a client".to_owned(), |address| address.to_string());
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
            process: None,
            end: None,
            name,
            player: String::new(),
            input,
            output,
            asides: Vec::new(),
            _held: None,
            pending: Vec::new(),
            scanned: 0,
            decoder: StreamDecoder::default(),
            chunk: vec![0; CHUNK],
            tail: Vec::new(),
            unheard: 0,
            has_spoken: false,
            asked: Instant::now(),
            told: None,
            transcript: Transcript::new(supervisor.keeps_dialogues()),
        }
    }

    /// Continues the dialogue over a connection that the process has made. Its standard output is then treated like its
    /// standard error.
    ///
    /// # Errors
    /// [`Trouble::Referee`] if the connection cannot be set up.
    pub fn divert(&mut self, stream: TcpStream) -> Result<(), Trouble> {
        let mut connection = Self::adopt(self.supervisor, stream)?;
        self._held = std::mem::replace(&mut self.input, connection.input.take());
        self.asides.extend(std::mem::replace(&mut self.output, connection.output.take()));
        self.pending.clear();
        self.scanned = 0;
        self.decoder = std::mem::take(&mut connection.decoder);
        Ok(())
    }

    /// Connects to the server that the process is, on a port of the loopback interface of its own network, if its sandbox
    /// gives it one, or else of this machine.
    ///
    /// # Errors
    /// [`Kind::Crash`] if the process ends first, [`Kind::SlowStart`] at the deadline, [`Trouble::Interrupted`].
    pub fn call(&mut self, port: u16, deadline: Instant) -> Result<(), Trouble> {
        let failed = |error: Errno| Trouble::Referee(format!("a connection to port {port}: {error}"));
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        let line = self.process.as_mut().and_then(|process| process.kept.as_mut()?.line.take());
        let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
        let line = match line {
            Some(line) => line,
            None => socket_with(AddressFamily::INET, SocketType::STREAM, flags, None).map_err(failed)?,
        };
        loop {
            match connect(&line, &address) {
                Ok(()) | Err(Errno::ISCONN) => return self.divert(line.into()),
                // It does not listen yet, or has ended the connection.
                Err(
                    Errno::CONNREFUSED
                    | Errno::CONNABORTED
                    | Errno::CONNRESET
                    | Errno::NOTCONN
                    | Errno::PIPE
                    | Errno::TIMEDOUT
                    | Errno::INPROGRESS
                    | Errno::ALREADY
                    | Errno::INTR,
                ) => {}
                Err(error) => return Err(failed(error)),
            }
            if self.supervisor.is_stopped() {
                return Err(Trouble::Interrupted);
            }
            if self.is_gone() {
                return Err(
                    Fault::new(Kind::Crash, format!("it ended before it listened on port {port}")).into()
                );
            }
            if Instant::now() >= deadline {
                return Err(Fault::new(Kind::SlowStart, format!("it did not listen on port {port}")).into());
            }
            std::thread::sleep(Duration::from_micros(500));
        }
    }

    /// Returns the referee's socket in the network of a client whose sandbox gives it one of its own.
    #[must_use]
    pub fn door(&self) -> Option<&TcpListener> {
        self.process.as_ref()?.kept.as_ref()?.door.as_ref()
    }

    /// Returns the number of the process, `None` for a connection.
    #[must_use]
    pub fn id(&self) -> Option<u32> {
        self.process.as_ref().map(|process| process.pid.as_raw_pid() as u32)
    }

    /// Returns true if more input may come from the player.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.output.is_some()
    }

    /// Returns true if the process has ended, or the connection is closed.
    #[must_use]
    pub fn is_gone(&self) -> bool {
        if self.process.is_some() { self.ended_by(Instant::now()).is_some() } else { self.output.is_none() }
    }

    /// Writes `bytes`. Output of the player in the meantime is kept.
    ///
    /// # Errors
    /// [`Kind::Crash`] if the player is gone, [`Kind::Hang`] if it does not read by the deadline.
    pub fn send(&mut self, bytes: &[u8], deadline: Instant) -> Result<(), Trouble> {
        (self.told, self.asked) = (None, Instant::now());
        let at = self.supervisor.elapsed();
        for line in bytes.split(|&byte| byte == b'\n').filter(|line| !line.is_empty()) {
            self.transcript.add(at, false, &String::from_utf8_lossy(line));
        }
        let mut rest = bytes;
        while !rest.is_empty() {
            let Some(input) = &self.input else { return Err(self.gone("its input is closed").into()) };
            match wire::transfer::send(rest.len(), |most| Ok(rustix::io::write(input, &rest[..most])?)) {
                Ok(written) => rest = &rest[written..],
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    if !self.wait(true, deadline)? {
                        return Err(Fault::new(Kind::Hang, "it does not read its input").into());
                    }
                }
                Err(error) => return Err(self.gone(&format!("writing to it failed: {error}")).into()),
            }
        }
        Ok(())
    }

    /// Takes the player's search report since the last write.
    pub fn told(&mut self) -> Option<SearchInfo> {
        self.listen_aside();
        self.told.take()
    }

    /// Reads pending output besides the dialogue. Most answers arrive before it is checked.
    fn listen_aside(&mut self) {
        self.drain_asides(|_| true);
    }

    /// Waits for input, or with `write` until writing is possible, and drains standard error. Returns false after the
    /// deadline.
    fn wait(&mut self, write: bool, deadline: Instant) -> Result<bool, Trouble> {
        // A player that logs its search and answers at once then wakes the referee once instead of twice.
        let aside_from = Instant::now() + if write || self.output.is_none() { Duration::ZERO } else { ASIDE };
        loop {
            if self.supervisor.is_stopped() {
                return Err(Trouble::Interrupted);
            }
            let now = Instant::now();
            let left = deadline.saturating_duration_since(now);
            let hears_asides = now >= aside_from || left.is_zero();
            // The buffer is bounded. Input beyond it is read later.
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

    fn is_confined(&self) -> bool {
        self.process.as_ref().is_some_and(|process| process.kept.is_some())
    }

    fn read_output(&mut self) {
        let Some(output) = &self.output else { return };
        match read(output, &mut self.chunk) {
            Ok(count) if count > 0 => {
                self.decoder.decode(&self.chunk[..count], &mut self.pending);
                if !self.has_spoken && self.is_confined() && sandbox::drop_java_note(&mut self.pending) {
                    self.scanned = 0;
                }
            }
            Err(error) if error.kind() == ErrorKind::WouldBlock => {}
            // Also a reset connection or a closed terminal: there is no more input.
            Ok(_) | Err(_) => {
                self.output = None;
                self.decoder.finish(&mut self.pending);
            }
        }
    }

    /// Reads once from each other output, so that a flood there does not delay the clock.
    fn drain_asides(&mut self, is_ready: impl Fn(usize) -> bool) {
        let mut nth = 0;
        let Self { tail, chunk, .. } = self;
        self.asides.retain(|end| {
            nth += 1;
            if !is_ready(nth - 1) {
                return true;
            }
            match read(end, chunk) {
                Ok(0) => return false,
                Ok(count) => tail.extend_from_slice(&chunk[..count]),
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(_) => return false,
            }
            true
        });
        while let Some(length) = tail[self.unheard..].iter().position(|&byte| byte == b'\n') {
            let end = self.unheard + length;
            // Search reports go to the record. The tail is for error messages.
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
}

/// Reads what an end has now.
fn read(end: &OwnedFd, into: &mut [u8]) -> std::io::Result<usize> {
    wire::transfer::receive(into.len(), |most| Ok(rustix::io::read(end, &mut into[..most])?))
}

/// Adds a line's search report. Returns false if the line has none.
fn hear(told: &mut Option<SearchInfo>, asked: Instant, line: &str) -> bool {
    let heard = Thought::read(line);
    let tells = heard.is_some();
    if let Some(heard) = heard {
        told.get_or_insert_default().add(heard, asked.elapsed());
    }
    tells
}

/// Opens a pseudo-terminal: our end, and the end for a process's output. It is not a controlling terminal.
fn terminal() -> Result<(OwnedFd, OwnedFd), Trouble> {
    use rustix::pty::{OpenptFlags, grantpt, ioctl_tiocgptpeer, openpt, unlockpt};
    let failed = |error: Errno| Trouble::Referee(format!("a pseudo-terminal: {error}"));
    let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
    let screen = openpt(flags).map_err(failed)?;
    grantpt(&screen).and_then(|()| unlockpt(&screen)).map_err(failed)?;
    let printed = ioctl_tiocgptpeer(&screen, flags).map_err(failed)?;
    Ok((screen, printed))
}

fn nonblocking(end: &OwnedFd) -> Result<(), Trouble> {
    rustix::io::ioctl_fionbio(end, true).map_err(|error| Trouble::Referee(format!("a pipe: {error}")))
}
