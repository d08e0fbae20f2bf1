//! Accepts TCP clients, and reads what they send with a deadline.

use crate::transfer;
use socket2::{SockRef, TcpKeepalive};
use std::cell::Cell;
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Silence after which the system sends a keep-alive probe.
const SILENCE: Duration = Duration::from_secs(60);
/// Time between two probes.
const INTERVAL: Duration = Duration::from_secs(10);
/// Number of unanswered probes after which the connection is closed.
const PROBES: u32 = 6;

/// Accepts a client and [prepares](prepare) its connection.
///
/// # Errors
/// Those of the listener.
#[allow(clippy::disallowed_methods, reason = "this function is the one that accepts")]
pub fn accept(listener: &TcpListener) -> io::Result<(TcpStream, SocketAddr)> {
    let (stream, address) = listener.accept()?;
    // A client that is gone already is noticed by the first read.
    let _ = prepare(&stream);
    Ok((stream, address))
}

/// Turns off delays and turns on keep-alive: a read fails two minutes after the client's machine is gone.
///
/// # Errors
/// Those of the system, for a connection that is closed already.
pub fn prepare<'s, S>(stream: &'s S) -> io::Result<()>
where
    SockRef<'s>: From<&'s S>,
{
    let socket = SockRef::from(stream);
    socket.set_tcp_nodelay(true)?;
    let probes = TcpKeepalive::new().with_time(SILENCE).with_interval(INTERVAL).with_retries(PROBES);
    socket.set_tcp_keepalive(&probes)
}

/// Returns the number of descriptors that this process may still open. None where the system does not tell.
#[must_use]
pub fn free_descriptors() -> Option<usize> {
    let limits = std::fs::read_to_string("/proc/self/limits").ok()?;
    let most = limits.lines().find_map(|line| line.strip_prefix("Max open files"))?;
    let most = match most.split_whitespace().next()? {
        "unlimited" => usize::MAX,
        number => number.parse().ok()?,
    };
    // One of them reads the folder.
    let open = std::fs::read_dir("/proc/self/fd").ok()?.count().saturating_sub(1);
    Some(most.saturating_sub(open))
}

/// The time of a read after the deadline, which takes what has arrived.
const MOMENT: Duration = Duration::from_millis(1);

/// The time at which a [`Reader`] gives up, and whether it has read after it.
#[derive(Debug, Clone)]
pub struct Deadline(Rc<Cell<(Instant, bool)>>);

impl Deadline {
    fn now() -> Self {
        Self(Rc::new(Cell::new((Instant::now(), false))))
    }

    /// Sets the deadline of all later reads.
    pub fn set(&self, at: Instant) {
        self.0.set((at, false));
    }

    /// The time until the deadline; zero after it.
    #[must_use]
    pub fn left(&self) -> Duration {
        self.0.get().0.saturating_duration_since(Instant::now())
    }

    /// Returns the time that the next read may wait, if there is one.
    fn wait(&self) -> Option<Duration> {
        let left = self.left();
        if !left.is_zero() {
            return Some(left);
        }
        let (at, was_last) = self.0.get();
        self.0.set((at, true));
        (!was_last).then_some(MOMENT)
    }
}

/// The reading end of a connection, with a deadline instead of a time-out: a client that sends single bytes is late too.
/// One read after the deadline takes what has arrived: this program may have been stopped, or have had no processor.
#[derive(Debug)]
pub struct Reader {
    stream: TcpStream,
    deadline: Deadline,
}

impl Reader {
    /// Reads a connection; the deadline is now.
    #[must_use]
    pub fn new(stream: TcpStream) -> Self {
        Self { stream, deadline: Deadline::now() }
    }

    /// A handle that changes the deadline, for a caller that does not own the reader.
    #[must_use]
    pub fn deadline(&self) -> Deadline {
        self.deadline.clone()
    }

    /// The connection that is read.
    #[must_use]
    pub fn stream(&self) -> &TcpStream {
        &self.stream
    }
}

impl Read for Reader {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let Self { stream, deadline } = self;
        transfer::receive(into.len(), |most| {
            stream.set_read_timeout(Some(deadline.wait().ok_or(io::ErrorKind::TimedOut)?))?;
            stream.read(&mut into[..most])
        })
    }
}

/// What the next read of a connection finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unread {
    /// Nothing yet.
    Nothing,
    /// Some bytes.
    Bytes,
    /// The end: the other side has closed its own. It may still wait for an answer.
    End,
}

/// Looks at what the next read of a connection finds, without waiting.
///
/// # Errors
/// Those of the connection, such as a reset.
pub fn unread(stream: &TcpStream) -> io::Result<Unread> {
    stream.set_nonblocking(true)?;
    let seen = stream.peek(&mut [0]);
    stream.set_nonblocking(false)?;
    match seen {
        Ok(0) => Ok(Unread::End),
        Ok(_) => Ok(Unread::Bytes),
        Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {
            Ok(Unread::Nothing)
        }
        Err(error) => Err(error),
    }
}

/// Sends all bytes within this time: a client that reads single bytes is late too.
///
/// # Errors
/// [`TimedOut`](io::ErrorKind::TimedOut) or [`WouldBlock`](io::ErrorKind::WouldBlock) after the time; those of the
/// connection.
pub fn send_within(stream: &TcpStream, mut bytes: &[u8], time: Duration) -> io::Result<()> {
    let deadline = Instant::now() + time;
    while !bytes.is_empty() {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        stream.set_write_timeout(Some(left))?;
        match Writer(stream).write(bytes) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(count) => bytes = &bytes[count..],
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// The writing end of a connection.
#[derive(Debug)]
pub struct Writer<'a>(pub &'a TcpStream);

impl Write for Writer<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        transfer::send(bytes.len(), |most| self.0.write(&bytes[..most]))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "a test may panic")]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn an_accepted_connection_has_keep_alive() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let _client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (stream, address) = accept(&listener).unwrap();
        assert_eq!(stream.peer_addr().unwrap(), address);
        assert!(stream.nodelay().unwrap() && SockRef::from(&stream).keepalive().unwrap());
        let socket = SockRef::from(&stream);
        let (silence, interval) =
            (socket.tcp_keepalive_time().unwrap(), socket.tcp_keepalive_interval().unwrap());
        let probes = socket.tcp_keepalive_retries().unwrap();
        assert!(silence + interval * probes <= Duration::from_secs(120));
    }

    #[test]
    fn an_end_is_seen_once_all_before_it_is_read() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let mut stream = accept(&listener).unwrap().0;
        assert_eq!(unread(&stream).unwrap(), Unread::Nothing);
        client.write_all(b"x").unwrap();
        client.shutdown(std::net::Shutdown::Write).unwrap();
        stream.peek(&mut [0]).unwrap();
        assert_eq!(unread(&stream).unwrap(), Unread::Bytes);
        // A read that waits, as before.
        assert_eq!(io::copy(&mut stream, &mut io::sink()).unwrap(), 1);
        assert_eq!(unread(&stream).unwrap(), Unread::End);
        stream.write_all(b"y").unwrap();
    }

    #[test]
    fn a_client_that_sends_single_bytes_is_late() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let mut reader = Reader::new(accept(&listener).unwrap().0);
        let drip = std::thread::spawn(move || {
            while client.write_all(b"x").is_ok() {
                std::thread::sleep(Duration::from_millis(20));
            }
        });
        let began = Instant::now();
        reader.deadline().set(began + Duration::from_millis(300));
        let error = io::copy(&mut reader, &mut io::sink()).unwrap_err();
        assert!(matches!(error.kind(), io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock), "{error}");
        assert!(began.elapsed() < Duration::from_secs(5));
        drop(reader);
        drip.join().unwrap();
    }

    #[test]
    fn what_arrives_before_the_deadline_counts_though_nobody_looks_before_it() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let mut reader = Reader::new(accept(&listener).unwrap().0);
        reader.deadline().set(Instant::now());
        client.write_all(b"E\n").unwrap();
        reader.stream().peek(&mut [0]).unwrap();
        assert_eq!(reader.read(&mut [0; 10]).unwrap(), 2);
        client.write_all(b"N\n").unwrap();
        reader.stream().peek(&mut [0]).unwrap();
        assert_eq!(reader.read(&mut [0; 10]).unwrap_err().kind(), io::ErrorKind::TimedOut);
    }

    #[test]
    fn a_client_that_reads_single_bytes_is_late() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let stream = accept(&listener).unwrap().0;
        let sip = std::thread::spawn(move || {
            let mut piece = [0; 40_000];
            while client.read(&mut piece).is_ok_and(|count| count > 0) {
                std::thread::sleep(Duration::from_millis(50));
            }
        });
        let began = Instant::now();
        send_within(&stream, &[b'x'; 100], Duration::from_millis(300)).unwrap();
        let error = send_within(&stream, &vec![b'x'; 64 << 20], Duration::from_millis(300)).unwrap_err();
        assert!(matches!(error.kind(), io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock), "{error}");
        assert!(began.elapsed() < Duration::from_secs(5));
        // Only what is sent is read.
        stream.shutdown(std::net::Shutdown::Both).unwrap();
        drop(stream);
        sip.join().unwrap();
    }
}
