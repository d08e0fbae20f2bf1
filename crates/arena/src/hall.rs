//! All rooms, and their records: a file a room under the data folder, a record file of the referee's with what else the
//! room is beside it. What is there when the arena starts goes on from there.

mod records;
mod store;

pub use records::{Reader, games_of, record, record_file, resigned};

use crate::engine::{Places, Spec, own_folder};
use crate::room::{Keep, LONGEST, Manner, Owner, Room, Seat};
use anyhow::{Context, Result, anyhow, bail, ensure};
use courses::play;
use courses::record::Played;
use courses::registry::{self, Game};
use records::{Kept, read};
use std::collections::HashMap;
use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use store::{Store, is_name};

/// Rooms that are held at the same time.
const ROOMS: usize = 200;
/// The longest file that is opened.
pub const UPLOAD: usize = 4 << 20;
/// Games of a file that are offered.
pub const GAMES: usize = 200;
/// The engines of a room where nobody looks end after so long.
const REST: Duration = Duration::from_secs(60);
/// A game between engines is written down no more often.
const BETWEEN: Duration = Duration::from_millis(250);

/// A player that was given at the start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Guest {
    /// The game it plays; any, where none is said.
    pub game: Option<Game>,
    /// Its name.
    pub name: String,
    /// As it was written.
    pub text: String,
}

/// The rooms.
pub struct Hall {
    rooms: Mutex<HashMap<String, (Arc<Room>, Instant)>>,
    store: Option<Arc<Store>>,
    places: Arc<Places>,
    /// Players beside the project's own.
    pub guests: Vec<Guest>,
    secret: u64,
    count: std::sync::atomic::AtomicU64,
}

impl Hall {
    /// A hall that keeps its records in a folder, or nowhere.
    ///
    /// # Errors
    /// When the folder cannot be made, or is another arena's: each would overwrite what the other keeps.
    pub fn open(data: Option<PathBuf>, guests: Vec<Guest>, secret: u64) -> Result<Self> {
        let store = data.map(Store::open).transpose()?.map(Arc::new);
        let (rooms, places, count) = Default::default();
        Ok(Self { rooms, store, places, guests, secret, count })
    }

    fn rooms(&self) -> MutexGuard<'_, HashMap<String, (Arc<Room>, Instant)>> {
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A number that nobody can guess.
    pub fn secret(&self) -> u64 {
        self.secret
    }

    /// A number that no other call gets.
    pub fn next(&self) -> u64 {
        self.count.fetch_add(1, std::sync::atomic::Ordering::Relaxed)
    }

    fn fresh(&self) -> String {
        let half = || courses::seed::mix(self.secret, self.next()) & 0xff_ffff;
        format!("{:06x}{:06x}", half(), half())
    }

    /// Opens a room that continues after the moves `played` elsewhere.
    ///
    /// # Errors
    /// When the start is none, or there is no place left.
    pub fn enter(
        &self,
        game: Game,
        opening: &str,
        played: &Played,
        manner: Manner,
        owner: IpAddr,
    ) -> Result<Arc<Room>> {
        let moves = &played.moves;
        ensure!(moves.len() <= LONGEST, "{} moves: a game has at most {LONGEST} here", moves.len());
        let mut play = play::open(game, opening, manner.seats.len())?;
        for (nth, text) in moves.iter().enumerate() {
            play.play(text).map_err(|error| anyhow!("move {}: {error}", nth + 1))?;
        }
        play.miss(&played.missed);
        if manner.seats.len() != play.seats() {
            bail!("{} seats for a game of {}", manner.seats.len(), play.seats());
        }
        let room = Room::new(&self.fresh(), play, manner, self.keeper(), self.owner(owner));
        room.lock().time(&played.micros);
        self.rooms().insert(room.id.clone(), (Arc::clone(&room), Instant::now()));
        self.tidy();
        Ok(room)
    }

    /// An open room by its name.
    fn find_open(&self, id: &str) -> Option<Arc<Room>> {
        let mut rooms = self.rooms();
        let (room, used) = rooms.get_mut(id)?;
        *used = Instant::now();
        Some(Arc::clone(room))
    }

    /// A room by its name: an open one, or one whose record is there, which is then the visitor's who asks.
    pub fn find(&self, id: &str, owner: IpAddr) -> Option<Arc<Room>> {
        if !is_name(id) {
            return None;
        }
        if let Some(room) = self.find_open(id) {
            return Some(room);
        }
        let text = self.store.as_ref()?.read(id)?;
        let (first, records) = read(&text).ok()?;
        let record = records.into_iter().next()?;
        let Kept { mut manner, undone, variations, paused } = first.arena?;
        let game = registry::find(&record.course)?;
        for seat in &mut manner.seats {
            if let Seat::Engine(spec) = seat {
                self.invite(game, spec);
            }
        }
        let mut play = play::open(game, &record.opening, record.names.len()).ok()?;
        for text in &record.played.moves {
            play.play(text).ok()?;
        }
        play.miss(&record.played.missed);
        if manner.seats.len() != play.seats() {
            return None;
        }
        let room = Room::new(id, play, manner, self.keeper(), self.owner(owner));
        {
            let mut inner = room.lock();
            inner.time(&record.played.micros);
            (inner.undone, inner.variations, inner.paused) = (undone, variations, paused);
        }
        // Of two who come at the same time both get the same room.
        let room = Arc::clone(&self.rooms().entry(id.to_owned()).or_insert((room, Instant::now())).0);
        self.tidy();
        Some(room)
    }

    /// Prepares an engine of a record: what is started is never the record's word, only a player given at this start.
    fn invite(&self, game: Game, spec: &mut Spec) {
        spec.folder = own_folder();
        if spec.player.is_some() {
            let given = self.guests_of(game).find(|guest| guest.name == spec.name);
            spec.player = given.map(|guest| guest.text.clone());
            spec.is_missing = given.is_none();
        }
    }

    /// The seats of a game: `person`, `own` or a guest's name, each with its strength.
    ///
    /// # Errors
    /// When nobody has that name.
    pub fn seat(&self, game: Game, who: &str, strength: crate::engine::Strength, seed: u64) -> Result<Seat> {
        let own = game.executables().first().copied().unwrap_or_default();
        let spec = |name: &str, player: Option<String>| {
            Seat::Engine(Spec {
                name: name.to_owned(),
                player,
                strength,
                seed,
                folder: own_folder(),
                is_missing: false,
            })
        };
        match who {
            "person" => Ok(Seat::Person),
            "own" => Ok(spec(own, None)),
            name => self
                .guests_of(game)
                .find(|guest| guest.name == name)
                .map(|guest| spec(&guest.name, Some(guest.text.clone())))
                .with_context(|| format!("no player is named \"{}\"", courses::fault::excerpt(name))),
        }
    }

    /// The players given for a game.
    fn guests_of(&self, game: Game) -> impl Iterator<Item = &Guest> {
        self.guests.iter().filter(move |guest| guest.game.is_none_or(|of| of == game))
    }

    /// Rooms and records, the latest first: their names, games and lengths.
    pub fn recent(&self, most: usize) -> Vec<(String, Game, usize)> {
        let mut recent: Vec<_> =
            self.rooms().values().map(|(room, used)| (*used, Arc::clone(room))).collect();
        recent.sort_by_key(|(used, _)| std::cmp::Reverse(*used));
        recent.truncate(most);
        recent
            .into_iter()
            .map(|(_, room)| {
                let inner = room.lock();
                (room.id.clone(), inner.play.game(), inner.play.moves().len())
            })
            .collect()
    }

    /// Names of records that are kept and not open.
    pub fn kept(&self, most: usize) -> Vec<String> {
        let Some(store) = &self.store else { return Vec::new() };
        let names = store.names();
        let open = self.rooms();
        names.into_iter().filter(|id| !open.contains_key(id)).take(most).collect()
    }

    fn keeper(&self) -> Keep {
        let Some(store) = self.store.clone() else { return Box::new(|_, _, _| {}) };
        let last = Mutex::new(None::<Instant>);
        Box::new(move |id, inner, now| {
            let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
            if !now && last.is_some_and(|last| last.elapsed() < BETWEEN) {
                return;
            }
            *last = Some(Instant::now());
            let text = record_file(inner, Reader::Arena);
            let failed = store.write(id, &text, inner.over().is_some()).err();
            if let Some(error) = failed.as_ref().filter(|_| inner.unkept.is_none()) {
                wire::note(format_args!("arena: game {id} is not kept: {error}"));
            }
            inner.unkept = failed.map(|error| error.to_string());
        })
    }

    fn owner(&self, address: IpAddr) -> Owner {
        Owner { address, places: Arc::clone(&self.places) }
    }

    /// Ends the engines where nobody looks, and lets go of the rooms used longest ago.
    pub fn tidy(&self) {
        let rooms: Vec<_> = self.rooms().values().map(|(room, used)| (*used, Arc::clone(room))).collect();
        for (_, room) in &rooms {
            room.rest(REST);
        }
        if rooms.len() > ROOMS {
            let mut idle: Vec<_> = rooms.into_iter().filter(|(_, room)| room.listeners() == 0).collect();
            idle.sort_by_key(|(used, _)| *used);
            let most = idle.len().saturating_sub(ROOMS / 2);
            let mut rooms = self.rooms();
            for (_, room) in idle.into_iter().take(most) {
                rooms.remove(&room.id);
            }
        }
    }

    /// Ends everything.
    pub fn close(&self) {
        for (room, _) in self.rooms().values() {
            let mut inner = room.lock();
            inner.stop_engines();
            inner.study = None;
        }
    }
}
