//! All rooms, and their record files in the data folder: a room that is not open is opened from its file.

use super::places::Places;
use super::process::own_folder;
use super::room::{Owner, Room, Save};
use super::store::{Store, is_name};
use super::summaries::{Summaries, Summary};
use crate::session::{Browser, Reader, Seat, Settings, Spec, Strength, open, own, read, record_file, reopen};
use crate::view::{Guest, Listed};
use anyhow::{Context, Result};
use courses::drawing::Language;
use courses::record::Played;
use courses::registry::{self, Game};
use std::collections::HashMap;
use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Number of open rooms above which those without visitors are closed.
const ROOMS: usize = 200;
/// Maximum number of open rooms.
const MOST_ROOMS: usize = 400;
/// Maximum memory of the games and pages of open rooms in bytes, roughly.
const MEMORY: usize = 256 << 20;
/// The time without visitors after which a room's engines end.
const REST: Duration = Duration::from_secs(60);
/// Minimum interval between two saved states of a game between engines.
const BETWEEN: Duration = Duration::from_millis(250);

/// Returns true if a browser can only watch the game: engines alone play it here, or other people.
fn is_watched(settings: &Settings, by: &Browser) -> bool {
    let is_own = settings.seats.contains(&Seat::Person) && settings.takes_part(by);
    settings.names.is_empty() && !is_own
}

/// Returns the entry of a browser's list for a saved game.
fn saved(id: String, summary: &Summary, used: SystemTime, by: &Browser, language: Language) -> Listed {
    let Summary { game, ref settings, length, ref points } = *summary;
    Listed {
        id,
        game,
        length,
        names: (0..settings.seats.len()).map(|seat| settings.occupant(seat).name(language)).collect(),
        is_own: settings.takes_part(by),
        is_watched: is_watched(settings, by),
        points: points.clone(),
        used: used.duration_since(UNIX_EPOCH).unwrap_or_default(),
    }
}

/// Open rooms by name, with the time of their last use.
type Open = HashMap<String, (Arc<Room>, Instant)>;

/// All rooms by name, and the files that keep them.
pub struct Rooms {
    rooms: Mutex<Open>,
    store: Option<Arc<Store>>,
    summaries: Summaries,
    places: Arc<Places>,
    /// Players given at the start, beside the project's own.
    pub guests: Vec<Guest>,
    secret: u64,
    count: std::sync::atomic::AtomicU64,
}

impl Rooms {
    /// Opens the rooms of a data folder, or without one. An analysis has at most this number of `threads`.
    ///
    /// # Errors
    /// If the folder cannot be created, another arena uses it, or engines could not be told from other processes.
    pub fn open(data: Option<PathBuf>, guests: Vec<Guest>, threads: usize, secret: u64) -> Result<Self> {
        courses::peer::has_own_processes()?;
        let store = data.map(Store::open).transpose()?.map(Arc::new);
        let (rooms, count, summaries) = Default::default();
        let places = Arc::new(Places::new(threads));
        Ok(Self { rooms, store, summaries, places, guests, secret, count })
    }

    fn rooms(&self) -> MutexGuard<'_, Open> {
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns a number that nobody can guess.
    pub fn secret(&self) -> u64 {
        self.secret
    }

    /// Returns a number that no other call gets.
    pub fn next(&self) -> u64 {
        self.count.fetch_add(1, std::sync::atomic::Ordering::Relaxed)
    }

    fn fresh(&self) -> String {
        let half = || courses::seed::mix(self.secret, self.next()) & 0xff_ffff;
        format!("{:06x}{:06x}", half(), half())
    }

    /// Opens a room for a game that begins with the moves of `played`.
    ///
    /// # Errors
    /// If the opening or a move is not valid.
    pub fn enter(
        &self,
        game: Game,
        opening: &str,
        played: &Played,
        settings: Settings,
        owner: IpAddr,
    ) -> Result<Arc<Room>> {
        let session = open(game, opening, played, settings)?;
        let now = UNIX_EPOCH.elapsed().unwrap_or_default();
        let room = Room::new(&self.fresh(), session, now, self.saver(), self.owner(owner));
        self.rooms().insert(room.id.clone(), (Arc::clone(&room), Instant::now()));
        self.tidy();
        Ok(room)
    }

    /// Returns an open room by its name.
    fn find_open(&self, id: &str) -> Option<Arc<Room>> {
        let mut rooms = self.rooms();
        let (room, used) = rooms.get_mut(id)?;
        *used = Instant::now();
        Some(Arc::clone(room))
    }

    /// Returns a room by its name. One that is only a file is opened, and `owner` answers for it.
    pub fn find(&self, id: &str, owner: IpAddr) -> Option<Arc<Room>> {
        if !is_name(id) {
            return None;
        }
        if let Some(room) = self.find_open(id) {
            return Some(room);
        }
        let text = self.store.as_ref()?.read(id)?;
        let (saved, records) = read(&text).ok()?;
        let record = records.into_iter().next()?;
        let mut saved = saved?;
        let game = registry::find(&record.course)?;
        for seat in &mut saved.settings.seats {
            if let Seat::Engine(spec) = seat {
                self.invite(game, spec);
            }
        }
        let session = reopen(saved, &record).ok()?;
        let kept = self.store.as_ref()?.written(id)?.duration_since(UNIX_EPOCH).unwrap_or_default();
        let room = Room::new(id, session, kept, self.saver(), self.owner(owner));
        // Two visitors who come at the same time get the same room.
        let room = Arc::clone(&self.rooms().entry(id.to_owned()).or_insert((room, Instant::now())).0);
        self.tidy();
        Some(room)
    }

    /// Prepares an engine of a record. Only a player given at this start is started, never a command of the record.
    fn invite(&self, game: Game, spec: &mut Spec) {
        spec.folder = own_folder();
        if spec.player.is_some() {
            let given = self.guests_of(game).find(|guest| guest.name == spec.name);
            spec.player = given.map(|guest| guest.text.clone());
            spec.sandbox = given.and_then(|guest| guest.sandbox.clone());
            spec.is_missing = given.is_none();
        }
    }

    /// Returns a seat: `person`, `own` or the name of a given player.
    ///
    /// # Errors
    /// If no player has that name.
    pub fn seat(&self, game: Game, who: &str, strength: Strength, seed: u64) -> Result<Seat> {
        let own = || Spec { folder: own_folder(), ..own(game, strength, seed) };
        match who {
            "person" => Ok(Seat::Person),
            "own" => Ok(Seat::Engine(own())),
            name => self
                .guests_of(game)
                .find(|guest| guest.name == name)
                .map(|guest| {
                    let player = Some(guest.text.clone());
                    let (name, sandbox) = (guest.name.clone(), guest.sandbox.clone());
                    Seat::Engine(Spec { name, player, sandbox, ..own() })
                })
                .with_context(|| format!("no player is named \"{}\"", courses::fault::excerpt(name))),
        }
    }

    /// The players given for a game.
    fn guests_of(&self, game: Game) -> impl Iterator<Item = &Guest> {
        self.guests.iter().filter(move |guest| guest.game.is_none_or(|of| of == game))
    }

    /// Returns the open rooms.
    fn open_rooms(&self) -> Vec<(Instant, Arc<Room>)> {
        self.rooms().values().map(|(room, used)| (*used, Arc::clone(room))).collect()
    }

    /// Returns the games in progress that a browser can only watch, between engines or of other people, as a list.
    pub fn watchable(&self, most: usize, by: &Browser, language: Language) -> Vec<Listed> {
        // Among the games changed last, because each is read from its file once.
        let latest = self.latest(4 * most, by, language).into_iter();
        latest.filter(|listed| listed.is_watched && listed.points.is_none()).take(most).collect()
    }

    /// Returns the number of pages that show a room.
    pub fn listeners(&self) -> usize {
        self.open_rooms().iter().map(|(_, room)| room.listeners()).sum()
    }

    /// Returns the games changed last, open or saved, the latest first, as a browser's list. A game that nobody has begun
    /// and nobody looks at is left out.
    pub fn latest(&self, most: usize, by: &Browser, language: Language) -> Vec<Listed> {
        let store_has = |id: &str| self.store.as_ref().is_some_and(|store| store.written(id).is_some());
        let rooms = self.open_rooms().into_iter().filter(|(_, room)| room.is_begun() || store_has(&room.id));
        let open = rooms.map(|(_, room)| {
            let session = room.lock();
            let Settings { seats, .. } = &session.settings;
            Listed {
                id: room.id.clone(),
                game: session.play.game(),
                length: session.play.moves().len(),
                names: (0..seats.len()).map(|seat| session.settings.occupant(seat).name(language)).collect(),
                is_own: session.settings.takes_part(by),
                is_watched: is_watched(&session.settings, by),
                points: session.over().map(|ending| ending.points),
                used: room.kept(),
            }
        });
        let mut all: Vec<Listed> = open.collect();
        if let Some(store) = &self.store {
            let is_open = |id: &String| all.iter().any(|listed| listed.id == *id);
            let names = store.names();
            self.summaries.keep(&names);
            let names = names.into_iter().filter(|(id, _)| !is_open(id)).take(most);
            let saved: Vec<Listed> = names
                .filter_map(|(id, used)| {
                    let summary = self.summaries.of(store, &id, used)?;
                    Some(saved(id, &summary, used, by, language))
                })
                .collect();
            all.extend(saved);
        }
        all.sort_by_key(|listed| std::cmp::Reverse(listed.used));
        all.truncate(most);
        all
    }

    /// Deletes a game that is over. Returns false if it is in progress.
    ///
    /// # Errors
    /// Those of the disk.
    pub fn delete(&self, room: &Room) -> std::io::Result<bool> {
        if room.lock().over().is_none() {
            return Ok(false);
        }
        self.rooms().remove(&room.id);
        self.store.as_ref().map_or(Ok(()), |store| store.remove(&room.id))?;
        Ok(true)
    }

    fn saver(&self) -> Save {
        let Some(store) = self.store.clone() else { return Box::new(|_, _, _| {}) };
        let last = Mutex::new(None::<Instant>);
        Box::new(move |id, session, now| {
            let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
            if !now && last.is_some_and(|last| last.elapsed() < BETWEEN) {
                return;
            }
            *last = Some(Instant::now());
            let text = record_file(session, Reader::Arena);
            let failed = store.write(id, &text, session.over().is_some()).err();
            if let Some(error) = failed.as_ref().filter(|_| session.unkept.is_none()) {
                wire::note(format_args!("arena: game {id} is not saved: {error}"));
            }
            session.unkept = failed.map(|error| error.to_string());
        })
    }

    fn owner(&self, address: IpAddr) -> Owner {
        Owner { address, places: Arc::clone(&self.places) }
    }

    /// Ends the engines of rooms without visitors, and closes the rooms that were not used for the longest time: those
    /// without visitors, then those of the visitor with the most.
    pub fn tidy(&self) {
        let rooms = self.open_rooms();
        for (_, room) in &rooms {
            room.rest(REST);
        }
        // Asked before the rooms are locked, because it locks their sessions.
        let sizes: HashMap<String, usize> =
            rooms.iter().map(|(_, room)| (room.id.clone(), room.memory())).collect();
        let mut memory: usize = sizes.values().sum();
        let is_full = rooms.len() > ROOMS;
        if !is_full && memory <= MEMORY {
            return;
        }
        let mut idle: Vec<_> = rooms.into_iter().filter(|(_, room)| room.listeners() == 0).collect();
        idle.sort_by_key(|(used, _)| *used);
        // The newest was opened just now, by somebody on the way to it.
        idle.pop();
        let most = if is_full { (idle.len() + 1).saturating_sub(ROOMS / 2) } else { 0 };
        let mut rooms = self.rooms();
        let close = |rooms: &mut Open, id: &str, memory: &mut usize| {
            rooms.remove(id);
            *memory = memory.saturating_sub(sizes.get(id).copied().unwrap_or_default());
        };
        for (nth, (_, room)) in idle.iter().enumerate() {
            if nth < most || memory > MEMORY {
                close(&mut rooms, &room.id, &mut memory);
            }
        }
        while rooms.len() > MOST_ROOMS || memory > MEMORY && rooms.len() > 1 {
            let share = |id: &str| {
                if rooms.len() > MOST_ROOMS { 1 } else { sizes.get(id).copied().unwrap_or_default() }
            };
            let Some(id) = oldest_of_the_most(&rooms, share) else { break };
            close(&mut rooms, &id, &mut memory);
        }
    }
}

/// Returns the room that was not used for the longest time, of the visitor whose rooms have the largest share.
fn oldest_of_the_most(rooms: &Open, share: impl Fn(&str) -> usize) -> Option<String> {
    let mut shares = HashMap::new();
    rooms.values().for_each(|(room, _)| *shares.entry(room.owner()).or_insert(0) += share(&room.id));
    let (most, _) = shares.into_iter().max_by_key(|(_, share)| *share)?;
    let theirs = rooms.iter().filter(|(_, (room, _))| room.owner() == most);
    theirs.min_by_key(|(_, (_, used))| *used).map(|(id, _)| id.clone())
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "a test may panic")]
mod tests {
    use super::*;
    use crate::session::{Action, Browser, games_of, replayed};
    use crate::web::streams::Source;
    use courses::drawing::Language;

    /// A game on a large grid that fills it without five in a row.
    fn long_game() -> courses::record::Record {
        const SIDE: usize = 50;
        let letter = |nth: usize| char::from(if nth < 26 { b'a' } else { b'A' - 26 } + nth as u8);
        let cells = |of: usize| {
            let all = (0..SIDE * SIDE).map(|nth| (nth / SIDE, nth % SIDE));
            all.filter(move |(row, column)| (column / 2 + row) % 2 == of)
        };
        let stone = |color, (row, column)| format!(";{color}[{}{}]", letter(column), letter(row));
        let moves: String =
            cells(0).zip(cells(1)).map(|(black, white)| stone('B', black) + &stone('W', white)).collect();
        games_of(&format!("(;GM[4]SZ[{SIDE}]{moves})")).unwrap().remove(0)
    }

    /// A game of Othello between two people on the seats of one browser, opened from this address.
    fn game_of(player: &Browser, address: IpAddr) -> Arc<Room> {
        let rooms = Rooms::open(None, Vec::new(), 1, 7).unwrap();
        let game = registry::find("othello").unwrap();
        let mut settings = Settings { seats: vec![Seat::Person; 2], ..Settings::default() };
        settings.give(player, "");
        let opening = courses::play::start(game, "", 2).unwrap();
        rooms.enter(game, &opening, &Played::default(), settings, address).unwrap()
    }

    #[test]
    fn who_holds_a_seat_answers_for_the_engines_whoever_opened_the_game() {
        let [first, second, third] = [1, 2, 3].map(|visitor| IpAddr::from([127, 0, 0, visitor]));
        let [player, other] = ["player", "other"].map(|name| Browser(name.to_owned()));
        let room = game_of(&player, second);
        room.wake(&other, second);
        assert_eq!(room.owner(), second);
        room.wake(&player, first);
        assert_eq!(room.owner(), first);
        let act = |by, address| room.act(&Action::Resign, by, address, Language::English);
        assert!(act(&other, third).is_err());
        assert_eq!(room.owner(), first, "it holds no seat");
        act(&player, third).unwrap();
        assert_eq!(room.owner(), third);
    }

    #[test]
    fn a_clock_runs_while_a_player_looks_whoever_else_does() {
        let address = IpAddr::from([127, 0, 0, 1]);
        let [player, other] = ["player", "other"].map(|name| Browser(name.to_owned()));
        let room = game_of(&player, address);
        let press = Action::Press { click: "d3".into(), path: Vec::new(), at: None };
        room.act(&press, &player, address, Language::English).unwrap();
        let runs = |room: &Room| room.lock().is_ticking();
        let spectator = Source::of_room(&room, &other);
        assert!(runs(&room));
        room.rest(Duration::ZERO);
        assert!(!runs(&room));
        room.wake(&other, address);
        assert!(!runs(&room), "a spectator came");
        room.wake(&player, address);
        assert!(runs(&room));
        let page = Source::of_room(&room, &player);
        room.rest(Duration::ZERO);
        assert!(runs(&room));
        let waits_for = |source: &Source| (source.tell)().map(|(_, listeners)| listeners);
        assert_eq!([&spectator, &page].map(waits_for), [Some(2), Some(0)], "who plays waits for nobody");
        drop((spectator, page));
        room.rest(Duration::ZERO);
        assert!(!runs(&room));
    }

    /// Forty files of 14 kB kept 446 MB of boards.
    #[test]
    fn the_memory_of_open_games_is_bounded_and_the_oldest_make_room() {
        let record = long_game();
        for is_watched in [false, true] {
            let rooms = Rooms::open(None, Vec::new(), 1, 7).unwrap();
            let mut watchers = Vec::new();
            let mut enter = |visitor: u8| {
                let (game, settings) = replayed(&record).unwrap();
                let owner = IpAddr::from([127, 0, 0, visitor]);
                let room = rooms.enter(game, &record.opening, &record.played, settings, owner).unwrap();
                watchers.extend(is_watched.then(|| room.listen()));
                room.id.clone()
            };
            let other = enter(2);
            let ids: Vec<String> = (0..24).map(|_| enter(1)).collect();
            let open: Vec<_> = rooms.open_rooms().into_iter().map(|(_, room)| room).collect();
            let memory: usize = open.iter().map(|room| room.memory()).sum();
            assert!((MEMORY / 2..=MEMORY).contains(&memory), "{memory} bytes");
            let is_open = |id: &String| open.iter().any(|room| room.id == *id);
            assert!(is_open(&ids[23]) && !is_open(&ids[0]));
            // A page that is open keeps its game while another visitor has more.
            assert_eq!(is_open(&other), is_watched);
        }
    }
}
