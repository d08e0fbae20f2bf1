//! The watch room of a run that is played elsewhere: its tables side by side, and its standing.
//!
//! A player leaves a drawing and goes on; every browser fetches the newest when it can. One that reads slowly sees
//! fewer boards and makes no game wait.

use crate::cli::run;
use crate::web::{self, Hosts, Tables};
use anyhow::anyhow;
use courses::drawing::Language;
use courses::play::watched::Scoreboard;
use maud::{Markup, PreEscaped, html};
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// Browsers get a moment to fetch the end; those that have it hang up.
const FAREWELL: Duration = Duration::from_secs(5);

/// A text in both languages.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Text {
    french: String,
    english: String,
}

impl Text {
    /// Words, in French and in English.
    pub fn new(french: impl Into<String>, english: impl Into<String>) -> Self {
        Self { french: french.into(), english: english.into() }
    }

    /// The words of a run, a course or a judge, which say them in English.
    pub fn told(english: impl Into<String>) -> Self {
        let english = english.into();
        Self { french: crate::words::french(&english), english }
    }

    /// A name, a number: the same in both.
    pub fn same(text: impl Into<String>) -> Self {
        let text = text.into();
        Self { french: text.clone(), english: text }
    }

    fn say(&self, language: Language) -> &str {
        language.choose(&self.french, &self.english)
    }
}

/// A table.
#[derive(Debug, Clone, Default)]
pub struct Table {
    /// The players' names.
    pub title: String,
    /// The board, as SVG of [`courses::drawing`].
    pub drawing: String,
    /// The table beside the board, if the game has one.
    pub scoreboard: Option<Arc<dyn Scoreboard>>,
    /// Lines below the board: the last move, the number of moves.
    pub foot: Vec<Text>,
}

/// A standing: the heads of its columns, its rows, and what stands below.
#[derive(Debug, Clone, Default)]
pub struct Standing {
    /// The columns' heads.
    pub heads: Vec<Text>,
    /// The rows.
    pub rows: Vec<Vec<String>>,
    /// Score, Elo and how far the run is, in words.
    pub summary: Text,
}

/// The table beside a board: the players' signs, and what they have.
fn scores(scores: &dyn Scoreboard, language: Language) -> Markup {
    html! {
        p.foot { (scores.summary(language)) }
        div.scores tabindex="0" role="region" aria-label=(language.choose("joueurs", "players")) {
            table {
                thead { tr { th { "#" } @for head in scores.heads(language) { th { (head) } } } }
                tbody { @for (sign, cells) in scores.rows(language) {
                    tr { td { (PreEscaped(sign)) } @for cell in cells { td { (cell) } } }
                } }
            }
        }
    }
}

#[derive(Default)]
struct Shown {
    title: Text,
    tables: Vec<Table>,
    standing: Standing,
    over: bool,
}

impl Shown {
    /// The news that are said aloud: a few a game, for boards change faster than anybody listens.
    fn aloud(&self, language: Language) -> String {
        let boards = self.tables.iter().filter_map(|table| table.scoreboard.as_ref());
        let (left, names): (Vec<String>, Vec<&str>) =
            boards.map(|board| board.left(language)).map(|(count, name)| (count.to_string(), name)).unzip();
        let items = format!("{} {}", left.join(", "), names.first().copied().unwrap_or_default());
        let over = self.over.then(|| language.choose("terminé", "over").to_owned());
        let summary = self.standing.summary.say(language).to_owned();
        let parts = over.into_iter().chain((!left.is_empty()).then_some(items)).chain([summary]);
        parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · ")
    }
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
            main #view data-over=[shown.over.then_some("1")] data-say=(shown.aloud(language)) {
                h1 { (shown.title.say(language)) @if shown.over { " · " (say("terminé", "over")) } }
                @if shown.tables.iter().all(|table| table.drawing.is_empty()) {
                    p { (say("Personne ne joue encore.", "Nobody plays yet.")) }
                }
                div.tables {
                    @for table in shown.tables.iter().filter(|table| !table.drawing.is_empty()) {
                        section.table {
                            h2 { (table.title) }
                            (PreEscaped(&table.drawing))
                            @if let Some(board) = &table.scoreboard { (scores(board.as_ref(), language)) }
                            @for line in &table.foot { p.foot { (line.say(language)) } }
                        }
                    }
                }
                @if !shown.standing.rows.is_empty() {
                    section.standing tabindex="0" aria-label=(say("classement", "standing")) {
                        h2 { (say("Classement", "Standing")) }
                        table {
                            thead { tr { @for head in &shown.standing.heads { th { (head.say(language)) } } } }
                            tbody { @for row in &shown.standing.rows { tr { @for cell in row { td { (cell) } } } } }
                        }
                        p.foot { (shown.standing.summary.say(language)) }
                    }
                }
            }
        }
        .into_string()
    }

    fn listen(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    fn watchers(&self) -> usize {
        self.changed.receiver_count()
    }
}

/// The room, and the server around it.
pub struct Watch {
    shared: Arc<Shared>,
    address: SocketAddr,
    links: String,
}

/// Opens the room of a run with this many games at once.
///
/// # Errors
/// When nobody may listen there.
pub fn open(address: SocketAddr, title: Text, tables: usize) -> anyhow::Result<Watch> {
    open_as(address, &[], title, tables)
}

/// As [`open`], under other names, too.
///
/// # Errors
/// When nobody may listen there.
pub fn open_as(address: SocketAddr, names: &[String], title: Text, tables: usize) -> anyhow::Result<Watch> {
    let failed = |error: io::Error| anyhow!("cannot listen on {address}: {error}");
    let listener = TcpListener::bind(address).map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    let (changed, _) = watch::channel(0);
    let shown = Shown { title, tables: vec![Table::default(); tables], ..Shown::default() };
    let shared = Arc::new(Shared { shown: Mutex::new(shown), changed });
    let hosts = Hosts::new(address, names);
    let links = hosts.links();
    let tables: Arc<dyn Tables> = shared.clone();
    let serve = move || {
        if let Err(error) = run(web::show(listener, tables, hosts)) {
            wire::note(format_args!("arena: {error}"));
        }
    };
    std::thread::Builder::new().name("page".into()).spawn(serve)?;
    Ok(Watch { shared, address, links })
}

impl Watch {
    /// The address of the page.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The addresses of the page: its own, and under the names that were given.
    #[must_use]
    pub fn links(&self) -> &str {
        &self.links
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

    /// The number of visitors who listen.
    #[must_use]
    pub fn watchers(&self) -> usize {
        self.shared.watchers()
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
                title: "<b>".into(),
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
