//! Shows a run in progress in a browser, in the arena's watch page.

use crate::report::{marks_a_point, scale};
use crate::standing::Standing;
use crate::stats::rating::Rating;
use anyhow::anyhow;
use arena::watch::{self, Chair, Table, Text, Watch};
use courses::course::Event;
use courses::drawing::Language;
use courses::peer::Supervisor;
use courses::play::{self, Play};
use courses::record::Record;
use courses::registry::{self, Game};
use courses::store::Head;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Maximum number of rows in the table of results.
const ROWS: usize = 50;
/// Shown for a rating whose interval is too wide.
const UNKNOWN: &str = "–";
/// Interval between looks for a signal while a board is shown.
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);
/// Minimum interval between ratings.
const BETWEEN_RATINGS: Duration = Duration::from_secs(5);

/// Parses `PORT`, for this machine only, or `ADDRESS:PORT`.
///
/// # Errors
/// The expected form.
pub fn address(text: &str) -> anyhow::Result<SocketAddr> {
    let port = text.parse().map(|port| SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port));
    port.or_else(|_| text.parse()).map_err(|_| anyhow!("expected PORT or ADDRESS:PORT"))
}

/// The page of a run.
pub struct Live {
    room: Watch,
    pace: Duration,
    course: String,
    /// The games at the tables, for those whose board has no table of its own.
    games: Vec<Mutex<Option<Seen>>>,
    /// The players' last rating, and its time.
    rated: Mutex<(Option<Instant>, Vec<String>)>,
}

/// A game in progress, with the time of each player.
struct Seen {
    play: Box<dyn Play>,
    used: Vec<Duration>,
    since: Instant,
}

impl Seen {
    /// Opens the game of a scene; `None` if the project does not know it.
    fn of(course: &str, scene: &Scene<'_>) -> Option<Self> {
        let play = play::open(registry::find(course)?, scene.opening, scene.names.len()).ok()?;
        Some(Self { play, used: vec![Duration::ZERO; scene.names.len()], since: Instant::now() })
    }

    /// Plays the move of a scene. The time since the last one was its player's.
    fn go_on(&mut self, scene: &Scene<'_>) -> Option<()> {
        if let Some(seat) = scene.event.seat {
            *self.used.get_mut(seat)? += self.since.elapsed();
            self.play.play(scene.event.text).ok()?;
        }
        Some(())
    }

    /// Returns the players with their colours, discs and clocks.
    fn chairs(&self, names: &[String]) -> Vec<Chair> {
        let at = self.play.moves().len();
        let [french, english] =
            [Language::French, Language::English].map(|language| self.play.tally(at, language));
        // Programs that answer at once have no clock to show.
        let is_timed = self.used.iter().any(|used| used.as_secs() > 0);
        let chair = |(seat, name): (usize, &String)| Chair {
            name: name.clone(),
            seat: Some((self.play.game(), seat)),
            tally: Text::new(french[seat].clone(), english[seat].clone()),
            clock: Some(self.used[seat]).filter(|_| is_timed),
            is_mover: self.play.mover(at) == Some(seat),
        };
        names.iter().enumerate().map(chair).collect()
    }
}

/// A board of a game in progress.
pub struct Scene<'a> {
    /// The game's number.
    pub game: u64,
    /// Its players' names, by seat.
    pub names: &'a [String],
    /// The game's opening, in its notation.
    pub opening: &'a str,
    /// Moves so far.
    pub moves: u64,
    /// The move played and the position reached.
    pub event: &'a Event<'a>,
}

/// Opens the page of a run with `tables` concurrent games.
///
/// # Errors
/// If the address is not available.
pub fn open(address: SocketAddr, pace: u64, tables: usize, head: &Head) -> anyhow::Result<Live> {
    let title = title(head);
    let room = watch::open(address, title, tables)?;
    let games = (0..tables).map(|_| Mutex::default()).collect();
    let (pace, course) = (Duration::from_millis(pace), head.course.clone());
    Ok(Live { room, pace, course, games, rated: Mutex::default() })
}

/// Returns the title of a run: the game's name in each language, and its setting.
fn title(head: &Head) -> Text {
    let own = format!("openings {}", head.course);
    let setting = Text::told(head.setting.replace(&own, "the game's openings"));
    let name = registry::find(&head.course).map_or_else(
        || Text::same(head.course.clone() + " · "),
        |game| {
            let [french, english] =
                [Language::French, Language::English].map(|language| game.title(language));
            Text::new(format!("{french} · "), format!("{english} · "))
        },
    );
    setting.after(&name)
}

/// Returns an opening after its word, with its moves as pages name them; empty where there is none.
fn opening(game: Game, opening: &str, seats: usize, language: Language) -> String {
    if opening.is_empty() {
        return String::new();
    }
    let named = || {
        let (before, moves) = play::moves_of(game, opening, seats)?;
        let moves = game.open(&before, seats).ok()?.worded(&moves.join(" "), language);
        Some(format!("{before} {moves}").trim().to_owned())
    };
    let named = named().unwrap_or_else(|| opening.to_owned());
    format!(" · {}{}{named}", language.choose("ouverture", "opening"), language.colon())
}

impl Live {
    /// Returns the page's address.
    pub fn address(&self) -> SocketAddr {
        self.room.address()
    }

    /// Shows a game's board at a table, for the time of the pace or until the run is stopped.
    pub fn show(&self, table: usize, scene: &Scene<'_>, supervisor: &Supervisor) {
        let Scene { game, names, opening, moves, event } = scene;
        let (game, drawing) = (game + 1, event.board.drawing());
        let scoreboard = event.board.scoreboard();
        let named = || names.iter().map(|name| Chair { name: name.clone(), ..Chair::default() }).collect();
        let chairs = self.chairs(table, scene).filter(|_| scoreboard.is_none()).unwrap_or_else(named);
        let foot = |language: Language| {
            let last = event
                .seat
                .map(|seat| (&names[seat], language.colon(), self.worded(table, event.text, language)))
                .map(|(name, colon, mv)| format!(" · {name}{colon}{mv}"));
            let count = play::counted(*moves as u32, language, ["coup", "coups"], ["move", "moves"]);
            let name = language.choose("partie", "game");
            let opening = match registry::find(&self.course) {
                Some(game) => self::opening(game, opening, names.len(), language),
                None => format!(" · {opening}"),
            };
            format!("{name} {game}{opening} · {count}{}", last.unwrap_or_default())
        };
        let foot = vec![Text::new(foot(Language::French), foot(Language::English))];
        self.room.show(table, Table { chairs, drawing, scoreboard, foot });
        let shown = Instant::now();
        while let Some(left) = self.pace.checked_sub(shown.elapsed())
            && !supervisor.is_stopped()
        {
            std::thread::sleep(left.min(BETWEEN_LOOKS));
        }
        // The pace is nobody's time.
        if let Some(seen) = self.game(table).as_mut().and_then(|game| game.as_mut()) {
            seen.since = Instant::now();
        }
    }

    /// Locks the game at a table.
    fn game(&self, table: usize) -> Option<MutexGuard<'_, Option<Seen>>> {
        Some(self.games.get(table)?.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns a move of the game at a table in words of a language.
    fn worded(&self, table: usize, text: &str, language: Language) -> String {
        let game = self.game(table);
        let seen = game.as_ref().and_then(|game| game.as_ref());
        seen.map_or_else(|| text.to_owned(), |seen| seen.play.worded(text, language))
    }

    /// Returns the players of a scene at a table.
    fn chairs(&self, table: usize, scene: &Scene<'_>) -> Option<Vec<Chair>> {
        let mut game = self.game(table)?;
        if scene.event.seat.is_none() {
            *game = Seen::of(&self.course, scene);
        }
        let seen = game.as_mut()?;
        seen.go_on(scene)?;
        Some(seen.chairs(scene.names))
    }

    /// Adds a finished game.
    pub fn finish(&self, record: &Record) {
        self.room.finish(record.clone());
    }

    /// Shows that the last game is not kept.
    pub fn unkept(&self, why: &str) {
        let before = Text::new("la dernière partie n'est pas gardée : ", "the last game is not kept: ");
        self.room.unkept(Text::told(why).after(&before));
    }

    /// Serves the page as long as somebody watches.
    pub fn stay(&self) {
        self.room.stay();
    }

    /// Shows the results so far, of `total` games. `last` is true if no more will follow.
    pub fn tell(&self, names: &[String], standing: &Standing, total: u64, score: &str, last: bool) {
        let ratings = self.ratings(standing, last);
        let scale = scale(&self.course);
        let marks = if scale.is_some() { Text::new("barème", "marks") } else { Text::same("points") };
        let (player, games) = (Text::new("joueur", "player"), Text::new("parties", "games"));
        let mut heads = vec![Text::same("#"), player, games, marks, Text::new("fautes", "faults")];
        // No column before one of them says something.
        let is_rated = ratings.iter().any(|rating| rating != UNKNOWN);
        heads.extend(is_rated.then(|| Text::same("Elo")));
        let row = |(place, player): (usize, usize)| {
            let line = &standing.lines[player];
            let faults: u64 = line.faults.values().sum();
            let mut row = vec![
                place.to_string(),
                names[player].clone(),
                line.games.to_string(),
                format!("{:.1}", line.points * marks_a_point(&self.course)),
                faults.to_string(),
            ];
            row.extend(ratings.get(player).filter(|_| is_rated).cloned());
            row
        };
        let rows = standing.places().into_iter().zip(standing.order()).take(ROWS).map(row).collect();
        let games = format!("{} of {total} games", standing.games);
        let remark = standing.evidence.remark().unwrap_or_default();
        let told = [games.as_str(), score, &remark, scale.unwrap_or_default()];
        // Each is said by itself: one that has no French does not keep the others from it.
        let mut told = told.into_iter().filter(|text| !text.is_empty()).map(Text::told);
        let first = told.next().unwrap_or_default();
        let summary = told.fold(first, |summary, text| text.after(&Text::same(", ")).after(&summary));
        self.room.tell(watch::Standing { heads, rows, summary });
    }

    /// Returns every player's Elo as text, computed at intervals, or anew if `last`; a dash where games are too few.
    fn ratings(&self, standing: &Standing, last: bool) -> Vec<String> {
        if standing.is_of_many() {
            return Vec::new();
        }
        let mut rated = self.rated.lock().unwrap_or_else(PoisonError::into_inner);
        if last || rated.0.is_none_or(|before| before.elapsed() >= BETWEEN_RATINGS) {
            let ratings = standing.ratings().iter().map(elo).collect();
            *rated = (Some(Instant::now()), ratings);
        }
        rated.1.clone()
    }

    /// Shows that the run is over.
    pub fn close(&self) {
        self.room.close();
    }
}

/// Returns a rating as text, or a dash if its interval is too wide to say anything.
fn elo(rating: &Rating) -> String {
    /// The widest interval that is shown.
    const WIDEST: f64 = 800.0;
    if rating.high - rating.low < WIDEST { rating.text() } else { UNKNOWN.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rating_is_shown_once_it_is_known_to_four_hundred_points() {
        let rating = |low, high| elo(&Rating { elo: 20.0, low, high });
        assert_eq!(rating(-379.0, 420.0), "+20 [-379, +420]");
        for (low, high) in [(-400.0, 400.0), (-50.0, f64::INFINITY), (f64::NEG_INFINITY, f64::INFINITY)] {
            assert_eq!(rating(low, high), UNKNOWN);
        }
    }

    #[test]
    fn clocks_are_shown_once_one_has_counted_a_second() {
        let game = registry::find("othello").unwrap();
        let play = play::open(game, &play::start(game, "", 2).unwrap(), 2).unwrap();
        let mut seen = Seen { play, used: vec![Duration::from_millis(900); 2], since: Instant::now() };
        let names = ["one".to_owned(), "two".to_owned()];
        assert!(seen.chairs(&names).iter().all(|chair| chair.clock.is_none()));
        seen.used[1] = Duration::from_secs(1);
        assert!(seen.chairs(&names).iter().all(|chair| chair.clock.is_some()));
    }

    #[test]
    fn an_opening_is_named_as_one_with_the_names_of_the_page() {
        let opening = |course: &str, text: &str, language| {
            let game = registry::find(course).unwrap();
            super::opening(game, text, 2, language)
        };
        assert_eq!(opening("othello", "", Language::French), "");
        assert_eq!(opening("othello", "f5d6", Language::French), " · ouverture : f5 d6");
        assert_eq!(opening("uttt", "40 36", Language::English), " · opening: E5 E1");
        assert_eq!(opening("connect5", "15x15 h8 h9", Language::English), " · opening: 15x15 h8 h9");
        assert_eq!(opening("moules", "maze 1", Language::English), " · opening: maze 1");
    }

    #[test]
    fn a_port_alone_is_on_this_machine() {
        assert_eq!(address("8080").unwrap().to_string(), "127.0.0.1:8080");
        assert_eq!(address("0.0.0.0:80").unwrap().to_string(), "0.0.0.0:80");
        assert!(address("http").is_err() && address("70000").is_err());
    }
}
