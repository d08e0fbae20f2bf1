//! The server side of a match: connections, turns with a time limit, the end.

use crate::protocol::event::{Event, NO_NAME, Origin};
use crate::rules::{Command, Game};
use std::fmt::Write as _;
use std::io::{self, BufReader, ErrorKind, Read};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::time::{Duration, Instant};
use wire::tcp::{Reader, Unread, send_within, unread};
use wire::{LineError, LineReader};

/// Maximum length of a client's line in bytes. The server drops a client that sends a longer one.
pub const CLIENT_LINE: usize = 1024;
/// Maximum time to send a line to a client, and more for each byte. After it the client is dropped.
const WRITE_PATIENCE: Duration = Duration::from_millis(500);
const PER_BYTE: Duration = Duration::from_micros(1);
/// A time limit is noticed within this time. If not, this program was stopped, and the limit begins again.
const STOPPED: Duration = Duration::from_millis(500);
/// Maximum number of such beginnings for one answer.
const STOPS: u32 = 2;
/// Maximum time at the end of a match for all clients to close.
const FAREWELL: Duration = Duration::from_millis(200);

/// A client that has said nothing for so long, and for at least [`SILENT_TURNS`] turns, is gone.
const SILENCE: Duration = Duration::from_secs(60);
const SILENT_TURNS: u32 = 20;

/// The pace of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pace {
    /// Minimum time between turns.
    pub delay: Duration,
    /// Time limit for an answer. After it the server plays `C`.
    pub timeout: Duration,
}

/// A connected client.
struct Peer {
    /// `None` once it is gone.
    reader: Option<LineReader<BufReader<Reader>>>,
    /// Its name, once it has been asked for it.
    name: Option<String>,
    /// When it said something last, and its turns since then.
    heard: (Instant, u32),
}

/// The result of waiting for a line.
enum Heard<T> {
    Line(T),
    Late,
    /// It has closed its connection, or the connection failed.
    Gone,
    /// It was dropped, for a line that is too long.
    Dropped,
}

impl Peer {
    fn new(stream: TcpStream) -> Self {
        let reader = LineReader::new(BufReader::with_capacity(CLIENT_LINE, Reader::new(stream)), CLIENT_LINE);
        Self { reader: Some(reader), name: None, heard: (Instant::now(), 0) }
    }

    /// True if it has closed its connection after at most its name.
    fn has_left(&mut self) -> bool {
        // What has arrived may be its name and nothing more.
        if self.name.is_none() && matches!(self.unread(), Some(Ok(Unread::Bytes))) {
            self.is_late_with_name(Duration::ZERO);
        }
        match self.unread() {
            Some(unread) => matches!(unread, Ok(Unread::End) | Err(_)),
            // One that was dropped keeps its place.
            None => self.name.is_none(),
        }
    }

    /// Looks at what it has sent and was not read, if it is there.
    fn unread(&mut self) -> Option<io::Result<Unread>> {
        let reader = self.reader.as_mut()?;
        let is_ahead = reader.is_ahead();
        Some(if is_ahead { Ok(Unread::Bytes) } else { unread(reader.get_mut().get_ref().stream()) })
    }

    /// Waits for its name. False if it left without one.
    fn is_named(&mut self, patience: Duration) -> bool {
        if self.name.is_none() && self.is_late_with_name(patience) {
            self.name = Some(NO_NAME.to_owned());
        }
        self.name.is_some()
    }

    /// Reads its name. True if that has not arrived in time.
    fn is_late_with_name(&mut self, patience: Duration) -> bool {
        match self.hear(patience, |line| (!is_request(line)).then(|| shown(line))) {
            Heard::Line(Some(name)) => self.name = Some(name),
            // It plays no match.
            Heard::Line(None) => self.reader = None,
            Heard::Dropped => self.name = Some(NO_NAME.to_owned()),
            Heard::Late => return true,
            Heard::Gone => {}
        }
        false
    }

    /// Sends a line. Drops the client if that fails.
    fn say(&mut self, line: &str) {
        let Some(reader) = &mut self.reader else { return };
        let patience = WRITE_PATIENCE + PER_BYTE * u32::try_from(line.len()).unwrap_or(u32::MAX);
        if send_within(reader.get_mut().get_ref().stream(), line.as_bytes(), patience).is_err() {
            self.reader = None;
        }
    }

    fn hear<T>(&mut self, patience: Duration, read: impl FnOnce(&[u8]) -> T) -> Heard<T> {
        let Some(reader) = &mut self.reader else { return Heard::Gone };
        let mut stops = 0;
        let heard = loop {
            let deadline = Instant::now() + patience;
            reader.get_mut().get_ref().deadline().set(deadline);
            match reader.bytes() {
                Ok(Some(line)) => {
                    self.heard = (Instant::now(), 0);
                    return Heard::Line(read(line));
                }
                Err(LineError::Io(error))
                    if matches!(error.kind(), ErrorKind::TimedOut | ErrorKind::WouldBlock) =>
                {
                    if deadline.elapsed() > STOPPED && stops < STOPS {
                        stops += 1;
                        continue;
                    }
                    self.heard.1 += 1;
                    if self.heard.1 < SILENT_TURNS || self.heard.0.elapsed() < SILENCE {
                        return Heard::Late;
                    }
                    break Heard::Gone;
                }
                Err(LineError::TooLong { .. }) => break Heard::Dropped,
                Ok(None) | Err(_) => break Heard::Gone,
            }
        };
        self.reader = None;
        heard
    }

    /// Closes the connection so that the last line arrives. Closing a socket with unread input would reset it.
    fn close(self, deadline: Instant) {
        let Some(mut reader) = self.reader else { return };
        let reader = reader.get_mut().get_mut();
        reader.deadline().set(deadline);
        if reader.stream().shutdown(Shutdown::Write).is_err() {
            return;
        }
        let mut junk = [0; 4096];
        // Bounded, because a client may send without end.
        for _ in 0..64 {
            match reader.read(&mut junk) {
                Ok(1..) => {}
                Ok(0) | Err(_) => return,
            }
        }
    }
}

/// Accepts the players of a match, plays it to the end, and closes the connections.
///
/// # Errors
/// Those of the listener. A client never causes one.
pub fn host(
    listener: &TcpListener,
    mut game: Game,
    pace: Pace,
    mut tell: impl FnMut(Event<'_>),
) -> io::Result<Game> {
    let mut peers = accept(listener, game.player_count(), pace.timeout, &mut tell)?;
    let names: Vec<String> = peers.iter_mut().filter_map(|peer| peer.name.take()).collect();
    for (player, peer) in peers.iter_mut().enumerate() {
        peer.say(&format!("{player}\n"));
    }
    tell(Event::Started(&game, &names));
    let mut line = String::new();
    let mut last = Instant::now();
    while game.end().is_none() {
        if !pace.delay.is_zero() {
            std::thread::sleep(pace.delay.saturating_sub(last.elapsed()));
            last = Instant::now();
        }
        let player = game.to_move();
        let peer = &mut peers[player];
        if peer.reader.is_some() {
            line.clear();
            writeln!(line, "{}", game.state).expect("a String takes everything");
            peer.say(&line);
        }
        let (command, origin) = match peer.hear(pace.timeout, Command::read) {
            Heard::Line(command) => (command, Origin::Player),
            Heard::Late => (Command::PASS, Origin::Late),
            Heard::Gone | Heard::Dropped => (Command::PASS, Origin::Gone),
        };
        game.play(command);
        tell(Event::Turn(&game, &names, player, command, origin));
    }
    for peer in &mut peers {
        peer.say("FIN\n");
    }
    tell(Event::Ended(&game, &names));
    let deadline = Instant::now() + FAREWELL;
    peers.into_iter().for_each(|peer| peer.close(deadline));
    Ok(game)
}

/// Accepts the players and waits for their names. A client that leaves before the match gives its place to the next.
fn accept(
    listener: &TcpListener,
    count: usize,
    patience: Duration,
    tell: &mut impl FnMut(Event<'_>),
) -> io::Result<Vec<Peer>> {
    let mut peers: Vec<Peer> = Vec::with_capacity(count);
    let is_there = |peer: &mut Peer| peer.is_named(patience) && !peer.has_left();
    while peers.len() < count || !peers.iter_mut().all(is_there) {
        let (stream, address) = match wire::tcp::accept(listener) {
            Ok(connection) => connection,
            // The client was gone before it was accepted.
            Err(error) if matches!(error.kind(), ErrorKind::ConnectionAborted | ErrorKind::Interrupted) => {
                continue;
            }
            Err(error) => return Err(error),
        };
        let place = peers.iter_mut().position(Peer::has_left).unwrap_or(peers.len());
        tell(Event::Connected(place, &address.to_string()));
        peers.splice(place..peers.len().min(place + 1), [Peer::new(stream)]);
    }
    Ok(peers)
}

/// True for the first line that a browser sends.
fn is_request(line: &[u8]) -> bool {
    let line = line.trim_ascii_end();
    line.ends_with(b" HTTP/1.1") || line.ends_with(b" HTTP/1.0")
}

/// Returns the name in a client's first line, which may be Latin-1. A terminal can show it.
fn shown(line: &[u8]) -> String {
    let printable = |c| if wire::is_unprintable(c) { '\u{fffd}' } else { c };
    wire::text::line(line).chars().map(printable).take(64).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Settings;
    use std::io::Write as _;
    use wire::file::faults::{self, Fault};

    /// Plays a match of two turns. Two clients say everything at first, and the second one waits for the first one's place.
    fn play(fault: Fault, nth: u64) -> (String, bool) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut clients = [(); 2].map(|()| {
            let mut client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
            client.write_all(b"un\nC\nC\n").unwrap();
            client.shutdown(Shutdown::Write).unwrap();
            client
        });
        let game = Game::new(Settings::default().generate().unwrap(), Some(2));
        let pace = Pace { delay: Duration::ZERO, timeout: Duration::from_millis(200) };
        let mut connections = 0;
        let tell = |event: Event<'_>| {
            connections += u32::from(matches!(event, Event::Connected(..)));
            if connections == 2 {
                faults::heal();
            }
        };
        let (played, struck) = faults::with(fault, nth, || host(&listener, game, pace, tell));
        assert!(played.unwrap().end().is_some(), "{fault:?} at call {nth}: the match is played to its end");
        drop(listener);
        let mut heard = String::new();
        for client in &mut clients {
            let _ = client.read_to_string(&mut heard);
        }
        (heard, struck)
    }

    #[test]
    fn a_name_may_be_latin_1_and_turns_no_text_around() {
        assert_eq!(shown(b"Zo\xe9"), "Zoé");
        assert_eq!(shown("Zoé\u{202e}A\x1b[m\u{2067}".as_bytes()), "Zoé\u{fffd}A\u{fffd}[m\u{fffd}");
        assert_eq!(shown(&[b'x'; 99]).len(), 64);
    }

    #[test]
    fn whichever_call_fails_a_match_is_played_to_its_end() {
        let (whole, _) = play(Fault::Short, u64::MAX - 1);
        assert!(whole.lines().count() >= 3 && whole.ends_with("\nFIN\n"), "{whole}");
        for fault in Fault::OF_CONNECTIONS {
            for nth in 0.. {
                let (heard, struck) = play(fault, nth);
                assert!(whole.starts_with(&heard), "{fault:?} at call {nth}: {heard}");
                assert!(struck && !fault.is_harmless() || heard == whole, "{fault:?} at call {nth}: {heard}");
                if !struck {
                    assert!(nth >= 5);
                    break;
                }
            }
        }
    }
}
