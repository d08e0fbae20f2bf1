//! A run as it is played, for a browser: one page, and server-sent events behind it.
//!
//! A game tells of a move by leaving its board where every browser's own thread can fetch it, and goes on. A browser
//! that reads slowly sees fewer boards; it never makes a game wait, and no board is kept for it.

mod http;

use crate::report::{marks_a_point, scale};
use crate::standing::Standing;
use courses::course::Event;
use courses::store::Head;
use serde_json::{Value, json};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Rows of the table of results that are sent.
const ROWS: usize = 50;
/// No browser gets boards faster than this.
const BETWEEN_BOARDS: Duration = Duration::from_millis(40);
/// A connection on which nothing happened for so long gets a word, so that a dead one is found out.
const SILENCE: Duration = Duration::from_secs(10);
/// How long the end of a run waits for browsers to hear of it.
const FAREWELL: Duration = Duration::from_millis(500);

/// `PORT`, on this machine only, or `ADDRESS:PORT`.
///
/// # Errors
/// With what was expected.
pub fn address(text: &str) -> Result<SocketAddr, String> {
    let port = text.parse().map(|port| SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port));
    port.or_else(|_| text.parse()).map_err(|_| "PORT or ADDRESS:PORT is expected".to_owned())
}

/// The page's server.
#[derive(Debug)]
pub struct Live {
    shared: Arc<Shared>,
    address: SocketAddr,
    pace: Duration,
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

/// What a browser is shown.
#[derive(Debug, Default)]
struct State {
    /// Grows with every change.
    version: u64,
    /// The run, its results and its games, each as JSON.
    run: String,
    standing: String,
    tables: Vec<String>,
    over: bool,
    /// Browsers that listen.
    listeners: usize,
}

/// A board of a game.
pub struct Scene<'a> {
    /// The game's number.
    pub game: u64,
    /// Its players' names, by seat.
    pub names: &'a [String],
    /// What it began from.
    pub opening: &'a str,
    /// Moves so far.
    pub moves: u64,
    /// What happened.
    pub event: &'a Event<'a>,
}

/// Opens the page of a run with so many games at once.
///
/// # Errors
/// When nobody may listen there.
pub fn open(address: SocketAddr, pace: u64, tables: usize, head: &Head) -> Result<Live, String> {
    let failed = |error| format!("cannot listen on {address}: {error}");
    let listener = TcpListener::bind(address).map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    let shared = Arc::new(Shared::default());
    shared.change(|state| {
        state.run = json!({
            "course": head.course,
            "setting": head.setting,
            "seats": head.seats,
            "marks": marks_a_point(&head.course),
            "scale": scale(&head.course),
        })
        .to_string();
        state.standing = Value::Null.to_string();
        state.tables = vec![Value::Null.to_string(); tables];
    });
    let serving = Arc::clone(&shared);
    std::thread::spawn(move || http::serve(&listener, &serving));
    Ok(Live { shared, address, pace: Duration::from_millis(pace) })
}

impl Live {
    /// Where the page is.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Shows a game's board at a table.
    pub fn show(&self, table: usize, scene: &Scene<'_>) {
        let Scene { game, names, opening, moves, event } = scene;
        let text = json!({
            "game": game,
            "names": names,
            "opening": opening,
            "moves": moves,
            "seat": event.seat,
            "move": event.text,
            "board": event.board.scene(),
        })
        .to_string();
        self.shared.change(|state| {
            if let Some(shown) = state.tables.get_mut(table) {
                *shown = text;
            }
        });
        std::thread::sleep(self.pace);
    }

    /// Shows the results so far, of `total` games in all.
    pub fn tell(&self, names: &[String], standing: &Standing, total: u64, score: &str) {
        let rows: Vec<Value> = standing
            .order()
            .into_iter()
            .take(ROWS)
            .map(|player| {
                let line = &standing.lines[player];
                json!({
                    "name": names[player],
                    "games": line.games,
                    "points": line.points,
                    "ranks": line.ranks,
                    "score": line.score_for,
                    "faults": line.faults.values().sum::<u64>(),
                })
            })
            .collect();
        let text =
            json!({ "games": standing.games, "total": total, "score": score, "rows": rows }).to_string();
        self.shared.change(|state| state.standing = text);
    }

    /// The run is over; browsers get a moment to hear of it.
    pub fn close(&self) {
        self.shared.change(|state| state.over = true);
        let deadline = Instant::now() + FAREWELL;
        let mut state = self.shared.lock();
        while state.listeners > 0 {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            let waited = self.shared.changed.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        let mut state = self.lock();
        change(&mut state);
        state.version += 1;
        drop(state);
        self.changed.notify_all();
    }

    /// Waits for something newer than `seen`; its version, the message, and whether it is the last. Without a message:
    /// nothing happened for a while.
    fn newer(&self, seen: u64) -> (u64, Option<String>, bool) {
        let state = self.lock();
        let waited = self.changed.wait_timeout_while(state, SILENCE, |state| state.version <= seen);
        let state = waited.unwrap_or_else(PoisonError::into_inner).0;
        let message = (state.version > seen).then(|| state.message());
        (state.version, message, state.over)
    }
}

impl State {
    fn message(&self) -> String {
        let Self { run, standing, tables, over, .. } = self;
        format!(r#"{{"run":{run},"standing":{standing},"tables":[{}],"over":{over}}}"#, tables.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use courses::course::Board;
    use courses::store::Format;
    use std::io::{BufRead, BufReader, Write};
    use std::net::TcpStream;

    /// A board larger than any buffer between two sockets.
    struct Wide;

    impl Board for Wide {
        fn drawing(&self) -> String {
            String::new()
        }

        fn picture(&self) -> String {
            "x".repeat(8 << 20)
        }
    }

    fn listener(live: &Live) -> BufReader<TcpStream> {
        let mut stream = TcpStream::connect(live.address()).unwrap();
        stream.write_all(b"GET /events HTTP/1.1\r\n\r\n").unwrap();
        let mut reader = BufReader::new(stream);
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        assert!(line.contains("200 OK"), "{line}");
        reader
    }

    #[test]
    fn a_browser_that_does_not_read_makes_no_game_wait_and_others_see_the_last_board() {
        let head = Head {
            course: "test".into(),
            setting: String::new(),
            players: vec![],
            names: vec![],
            seats: 2,
            format: Format::RoundRobin,
            seed: 1,
            time: None,
        };
        let live = open("127.0.0.1:0".parse().unwrap(), 0, 1, &head).unwrap();
        let _silent: Vec<_> = (0..3).map(|_| listener(&live)).collect();
        let reading = listener(&live);
        let names = ["a".to_owned(), "b".to_owned()];
        let began = Instant::now();
        for moves in 0..20 {
            let event = Event { seat: None, text: "", board: &Wide };
            live.show(0, &Scene { game: 0, names: &names, opening: "", moves, event: &event });
        }
        // A write that waits for a reader would wait five seconds.
        assert!(began.elapsed() < Duration::from_secs(4), "{:?}", began.elapsed());
        let last = std::thread::spawn(move || {
            let is_message = |line: &String| line.starts_with("data: ");
            reading.lines().map_while(Result::ok).filter(is_message).last().unwrap_or_default()
        });
        live.close();
        let last = last.join().unwrap();
        assert!(last.contains(r#""moves":19"#) && last.contains(r#""over":true"#), "{} bytes", last.len());
    }

    #[test]
    fn a_port_alone_is_on_this_machine() {
        assert_eq!(address("8080").unwrap().to_string(), "127.0.0.1:8080");
        assert_eq!(address("0.0.0.0:80").unwrap().to_string(), "0.0.0.0:80");
        assert!(address("http").is_err() && address("70000").is_err());
    }
}
