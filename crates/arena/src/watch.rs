//! A page that shows a run: its tables side by side, and its standing.
//!
//! A game leaves its drawing here and continues. Every browser fetches the latest drawing when it can, so that a slow
//! browser sees fewer boards and no game waits.

pub use crate::view::tables::{Chair, Finished, Run, Standing, Table, Text};

use crate::view::Visitor;
use crate::web::{self, Budget, Gate, Hosts, Rooms, Site, Tables, secret, token};
use anyhow::anyhow;
use courses::drawing::Language;
use courses::record::Record;
use std::collections::VecDeque;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// Time without listeners after which nobody watches any more. A viewer who turns to another page is back before.
const GONE: Duration = Duration::from_secs(8);
/// The time for which a fault is news.
const NEWS: Duration = Duration::from_secs(8);
/// Maximum number of finished games that can be seen, and of their bytes in memory. With a search told for each move,
/// 2,000 games of 60 moves took 32 MB and 2,000 of 400 moves 177 MB before there was a limit of bytes.
const MOST: (usize, usize) = (2000, 50 << 20);

struct Shared {
    shown: Mutex<Run>,
    changed: watch::Sender<u64>,
    /// The finished games that can be seen, each with its bytes in memory, the latest first.
    games: Mutex<VecDeque<(usize, Record)>>,
    /// The time of the latest fault.
    failed: Mutex<Option<Instant>>,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Run> {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut Run)) {
        change(&mut self.lock());
        self.changed.send_modify(|version| *version += 1);
    }
}

impl Tables for Shared {
    fn view(&self, language: Language) -> String {
        let mut shown = self.lock();
        let failed = *self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        if failed.is_none_or(|failed| failed.elapsed() > NEWS) {
            shown.fault = None;
        }
        shown.view(language)
    }

    fn games(&self, visitor: &Visitor) -> String {
        self.lock().games(visitor)
    }

    fn game(&self, number: u64) -> Option<Record> {
        let games = self.games.lock().unwrap_or_else(PoisonError::into_inner);
        games.iter().find(|(_, record)| record.game == number).map(|(_, record)| record.clone())
    }

    fn is_over(&self) -> bool {
        self.lock().over
    }

    fn listen(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    fn version(&self) -> u64 {
        *self.changed.borrow()
    }

    fn watchers(&self) -> usize {
        self.changed.receiver_count()
    }
}

/// Returns players and result of a finished game.
fn title(record: &Record) -> Text {
    let points = |points: &f64| if *points == 0.5 { "½".to_owned() } else { format!("{points}") };
    let points: Vec<String> = record.played.points.iter().map(points).collect();
    let (names, points) = (record.names.join(" – "), points.join(" – "));
    // The fault says more than the name of its kind.
    let end = record
        .played
        .faults
        .first()
        .map_or_else(|| record.played.end.to_string(), |(_, fault)| fault.to_string());
    Text::told(end).after(&Text::same(format!("{names} · {points} · ")))
}

/// The page of a run, with its server.
pub struct Watch {
    shared: Arc<Shared>,
    /// The rooms in which games are studied after the run.
    studies: Arc<Site>,
    address: SocketAddr,
    links: String,
}

/// Opens the page of a run with this many games at a time.
///
/// # Errors
/// If the address is not available.
pub fn open(address: SocketAddr, title: Text, tables: usize) -> anyhow::Result<Watch> {
    open_as(address, &[], title, tables)
}

/// Opens a page like [`open`], which also answers to other names.
///
/// # Errors
/// If the address is not available.
pub fn open_as(address: SocketAddr, names: &[String], title: Text, tables: usize) -> anyhow::Result<Watch> {
    let failed = |error: io::Error| anyhow!("cannot listen on {address}: {error}");
    let listener = TcpListener::bind(address).map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    let (changed, _) = watch::channel(0);
    let shown = Run { title, tables: vec![Table::default(); tables], ..Run::default() };
    let (games, failed) = Default::default();
    let shared = Arc::new(Shared { shown: Mutex::new(shown), changed, games, failed });
    let hosts = Hosts::new(address, names);
    let links = hosts.links();
    let tables: Arc<dyn Tables> = shared.clone();
    let rooms = Rooms::open(None, Vec::new(), 1, secret())?;
    let gate = Arc::new(Gate { hosts: hosts.clone(), token: Some(token()) });
    let studies = Arc::new(Site { rooms, gate, budget: Budget::default(), is_run: true });
    let site = Arc::clone(&studies);
    let threads = web::start_threads()?;
    let serve = move || {
        if let Err(error) = threads.run(web::show(listener, tables, hosts, site)) {
            wire::note(format_args!("arena: {error}"));
        }
    };
    std::thread::Builder::new().name("page".into()).spawn(serve)?;
    Ok(Watch { shared, studies, address, links })
}

impl Watch {
    /// Returns the address of the page.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the links to the page, under all its names.
    #[must_use]
    pub fn links(&self) -> &str {
        &self.links
    }

    /// Shows the state of a table.
    pub fn show(&self, nth: usize, table: Table) {
        self.shared.change(|shown| {
            if let Some(place) = shown.tables.get_mut(nth) {
                *place = table;
            }
        });
    }

    /// Shows the standing.
    pub fn tell(&self, standing: Standing) {
        self.shared.change(|shown| shown.standing = standing);
    }

    /// Shows a line while nobody plays.
    pub fn wait(&self, line: Text) {
        self.shared.change(|shown| shown.waits = Some(line));
    }

    /// Shows to the end that games are not kept.
    pub fn unkept(&self, told: Text) {
        self.shared.change(|shown| shown.unkept = Some(told));
    }

    /// Adds a finished game. Its faults are news for a moment.
    pub fn finish(&self, record: Record) {
        let (number, title) = (record.game, title(&record));
        let fault = record.played.faults.first().map(|(seat, fault)| {
            let (game, name) = (record.game + 1, &record.names[*seat]);
            let before = format!("{game} · {name}");
            Text::told(fault.to_string()).after(&Text::new(format!("{before} : "), format!("{before}: ")))
        });
        if fault.is_some() {
            *self.shared.failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
        }
        let mut games = self.shared.games.lock().unwrap_or_else(PoisonError::into_inner);
        games.push_front((record.bytes(), record));
        let mut sum = 0;
        // The latest one stays, whatever its length.
        let fits = |nth: usize, bytes: usize| nth == 0 || (nth < MOST.0 && bytes <= MOST.1);
        let sums = games.iter().map(|(bytes, _)| {
            sum += bytes;
            sum
        });
        let kept = sums.enumerate().take_while(|&(nth, bytes)| fits(nth, bytes)).count();
        games.truncate(kept);
        drop(games);
        self.shared.change(|shown| {
            let ended = shown.finished.iter().map(|game| game.ended + 1).max().unwrap_or(0);
            let place = shown.finished.partition_point(|game| game.number < number);
            shown.finished.insert(place, Finished { number, ended, title });
            shown.finished.retain(|game| game.ended + kept as u64 > ended);
            shown.fault = fault.or(shown.fault.take());
        });
    }

    /// Returns the number of listeners.
    #[must_use]
    pub fn watchers(&self) -> usize {
        self.shared.watchers() + self.studies.rooms.listeners()
    }

    /// Shows that the run is over.
    pub fn close(&self) {
        self.shared.change(|shown| shown.over = true);
    }

    /// Serves the page as long as somebody watches.
    pub fn stay(&self) {
        if self.watchers() == 0 {
            return;
        }
        wire::note(format_args!("arena: the page stays as long as somebody watches; Ctrl-C ends it"));
        let mut seen = Instant::now();
        while seen.elapsed() < GONE {
            if self.watchers() > 0 {
                seen = Instant::now();
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use courses::record::Played;
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
    fn finished_games_are_dropped_by_their_number_and_by_their_bytes() {
        let long = |game, moves| Record {
            game,
            group: 0,
            course: "uttt".into(),
            seats: vec![0, 1],
            names: vec!["a".into(), "b".into()],
            opening: String::new(),
            seed: 1,
            played: Played {
                moves: vec!["x".repeat(1000); moves],
                points: vec![0.5; 2],
                ..Played::default()
            },
        };
        let seen = |most: u64, moves: usize| {
            let room = open("127.0.0.1:0".parse().unwrap(), Text::same("run"), 1).unwrap();
            (0..most).for_each(|game| room.finish(long(game, moves)));
            let listed: Vec<u64> = room.shared.lock().finished.iter().map(|game| game.number).collect();
            assert!(listed.iter().all(|&game| room.shared.game(game).is_some()));
            assert_eq!(room.shared.games.lock().unwrap().len(), listed.len());
            listed
        };
        assert_eq!(seen(2010, 0), (10..2010).collect::<Vec<_>>());
        // 11 MB each.
        let four = seen(12, 11_000);
        assert_eq!(four, (8..12).collect::<Vec<_>>());
        assert_eq!(seen(2, 60_000), [1], "the latest one is always there");
    }

    #[test]
    fn a_browser_that_does_not_read_makes_no_game_wait_and_others_see_the_last_board() {
        let room = open("127.0.0.1:0".parse().unwrap(), Text::same("<run>"), 2).unwrap();
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
                chairs: vec![Chair { name: "<b>".into(), ..Chair::default() }],
                drawing: "<svg></svg>".repeat(100_000),
                foot: vec![Text::same(nth.to_string())],
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
