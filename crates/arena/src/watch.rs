//! The watch room of a run that is played elsewhere: its tables side by side, and its standing.
//!
//! Who plays leaves a drawing and goes on; every browser fetches the newest when it can. One that reads slowly sees
//! fewer boards and makes no game wait.

use crate::cli::{run, secret, token};
use crate::hall::Hall;
use crate::web::{Site, Tables, hosts};
use courses::drawing::{Language, moules::badge};
use maud::{PreEscaped, html};
use std::net::{SocketAddr, TcpListener};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// Browsers get a moment to fetch the end; those that have it hang up.
const FAREWELL: Duration = Duration::from_secs(2);

/// A table.
#[derive(Debug, Clone, Default)]
pub struct Table {
    /// Who plays.
    pub title: String,
    /// The board, as SVG of [`courses::drawing`].
    pub drawing: String,
    /// Who is who on the board: a drawing and a name each.
    pub legend: Vec<(String, String)>,
    /// What was played last, how many moves there were: lines below the board.
    pub foot: Vec<String>,
}

/// A standing: the heads of its columns, its rows, and what stands below.
#[derive(Debug, Clone, Default)]
pub struct Standing {
    /// The columns' heads.
    pub heads: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<String>>,
    /// Score, Elo and how far the run is, in words.
    pub summary: String,
}

/// Who is who in a maze: the players' signs and names, by seat.
pub fn legend(names: impl Iterator<Item = String>) -> Vec<(String, String)> {
    names.enumerate().map(|(seat, name)| (badge(seat), name)).collect()
}

#[derive(Default)]
struct Shown {
    title: String,
    tables: Vec<Table>,
    standing: Standing,
    over: bool,
}

struct Shared {
    shown: Mutex<Shown>,
    changed: watch::Sender<u64>,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Shown> {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut Shown)) {
        change(&mut self.lock());
        self.changed.send_modify(|version| *version += 1);
    }
}

impl Tables for Shared {
    fn view(&self, language: Language) -> String {
        let shown = self.lock();
        let say = |french: &'static str, english: &'static str| language.choose(french, english);
        html! {
            main #view data-over=[shown.over.then_some("1")] {
                h1 { (shown.title) @if shown.over { " · " (say("terminé", "over")) } }
                div.tables {
                    @for table in shown.tables.iter().filter(|table| !table.drawing.is_empty()) {
                        section.table {
                            h2 { (table.title) }
                            (PreEscaped(&table.drawing))
                            @if !table.legend.is_empty() {
                                ul.legend { @for (sign, name) in &table.legend { li { (PreEscaped(sign)) (name) } } }
                            }
                            @for line in &table.foot { p.foot { (line) } }
                        }
                    }
                }
                @if !shown.standing.rows.is_empty() {
                    section.standing aria-label=(say("classement", "standing")) {
                        h2 { (say("Classement", "Standing")) }
                        table {
                            thead { tr { @for head in &shown.standing.heads { th { (head) } } } }
                            tbody { @for row in &shown.standing.rows { tr { @for cell in row { td { (cell) } } } } }
                        }
                        p.foot { (shown.standing.summary) }
                    }
                }
            }
        }
        .into_string()
    }

    fn listen(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }
}

/// The room, and the server around it.
pub struct Watch {
    shared: Arc<Shared>,
    address: SocketAddr,
}

/// Opens the room of a run with so many games at once.
///
/// # Errors
/// When nobody may listen there.
pub fn open(address: SocketAddr, title: &str, tables: usize) -> Result<Watch, String> {
    let failed = |error| format!("cannot listen on {address}: {error}");
    let listener = TcpListener::bind(address).map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    let (changed, _) = watch::channel(0);
    let shown = Shown { title: title.to_owned(), tables: vec![Table::default(); tables], ..Shown::default() };
    let shared = Arc::new(Shared { shown: Mutex::new(shown), changed });
    let hall = Hall::open(None, Vec::new(), secret())?;
    let hosts = hosts(address, &[]);
    let site = Site { hall, tables: Some(shared.clone()), token: token(), hosts };
    let serve = move || {
        if let Err(error) = run(listener, Arc::new(site)) {
            eprintln!("arena: {error}");
        }
    };
    std::thread::Builder::new().name("page".into()).spawn(serve).map_err(|error| error.to_string())?;
    Ok(Watch { shared, address })
}

impl Watch {
    /// Where the page is.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Shows a table as it is now.
    pub fn show(&self, nth: usize, table: Table) {
        self.shared.change(|shown| {
            if let Some(place) = shown.tables.get_mut(nth) {
                *place = table;
            }
        });
    }

    /// Shows the standing as it is now.
    pub fn tell(&self, standing: Standing) {
        self.shared.change(|shown| shown.standing = standing);
    }

    /// How many look.
    pub fn watchers(&self) -> usize {
        self.shared.changed.receiver_count()
    }

    /// The run is over; browsers get a moment to hear of it.
    pub fn close(&self) {
        self.shared.change(|shown| shown.over = true);
        let deadline = Instant::now() + FAREWELL;
        while self.watchers() > 0 && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};
    use std::net::TcpStream;

    fn get(address: SocketAddr, path: &str) -> String {
        let mut stream = TcpStream::connect(address).unwrap();
        let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        text
    }

    #[test]
    fn a_browser_that_does_not_read_makes_no_game_wait_and_others_see_the_last_board() {
        let room = open("127.0.0.1:0".parse().unwrap(), "<run>", 2).unwrap();
        let _silent: Vec<_> = (0..3)
            .map(|_| {
                let mut stream = TcpStream::connect(room.address()).unwrap();
                let request = format!("GET /watch/events HTTP/1.1\r\nHost: {}\r\n\r\n", room.address());
                stream.write_all(request.as_bytes()).unwrap();
                stream
            })
            .collect();
        let began = Instant::now();
        for nth in 0..20 {
            let table = Table {
                title: "<b>".into(),
                drawing: "<svg></svg>".repeat(100_000),
                foot: vec![nth.to_string()],
                ..Table::default()
            };
            room.show(0, table);
        }
        assert!(began.elapsed() < Duration::from_secs(4), "{:?}", began.elapsed());
        let view = get(room.address(), "/watch/view");
        assert!(
            view.contains("<p class=\"foot\">19</p>") && view.contains("&lt;b&gt;"),
            "{} bytes",
            view.len()
        );
        assert!(view.contains("&lt;run&gt;"));
    }
}
