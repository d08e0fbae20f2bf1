//! A session that visitors share: one lock, a version that counts its changes, and engines that are processes.

use super::analysis::Analyst;
use super::places::{Place, Places};
use super::process::Process;
use crate::session::{
    Action, Analysis, Answered, Asker, Browser, Conversation, Engine, Finding, Host, News, Outcome, Refusal,
    Seat, Session, Spec, Viewpoint,
};
use crate::view;
use courses::drawing::Language;
use courses::peer::RunningTime;
use courses::registry::Game;
use std::collections::VecDeque;
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, UNIX_EPOCH};
use tokio::sync::watch;

/// The visitor who opens a room.
#[derive(Debug, Clone)]
pub struct Owner {
    /// The visitor's address.
    pub address: IpAddr,
    /// The places of all engines.
    pub places: Arc<Places>,
}

/// Saves a session under a name; false as the last argument allows to skip it. A failure is stored in the session.
pub type Save = Box<dyn Fn(&str, &mut Session, bool) + Send + Sync>;

/// A shared session.
pub struct Room {
    /// The name in addresses.
    pub id: String,
    session: Mutex<Session>,
    /// The number of changes that everybody sees.
    version: AtomicU64,
    /// Counts all changes, those that one browser sees included.
    changed: watch::Sender<u64>,
    save: Save,
    /// The time of the latest saved change, in milliseconds since 1970.
    kept: AtomicU64,
    /// True once a change was saved.
    is_kept: AtomicBool,
    /// The visitor who answers for its engines: the last one who came to a seat, or else the one who opened it.
    owner: Mutex<IpAddr>,
    places: Arc<Places>,
    shared: Mutex<[Option<SharedView>; 2]>,
    sent: Mutex<Sent>,
    time: RunningTime,
    /// Shared by the listeners who play.
    players: Arc<()>,
}

/// A view of the latest position, shared by all who watch.
struct SharedView {
    version: u64,
    /// The moment at which it becomes outdated, if a clock runs.
    until: Option<Instant>,
    text: String,
}

/// The latest texts that pages have, with their numbers.
struct Sent {
    count: u64,
    texts: VecDeque<(u64, Arc<str>)>,
}

impl Sent {
    /// Numbers begin at the time, so that a text of an earlier server is not mistaken for one of this server.
    fn new() -> Self {
        let now = std::time::UNIX_EPOCH.elapsed().unwrap_or_default();
        Self { count: u64::try_from(now.as_micros()).unwrap_or_default(), texts: VecDeque::new() }
    }
}

/// Maximum number of texts in [`Sent`].
const REMEMBERED: usize = 6;

/// A view with a running clock is shared for this long.
const SHARED: Duration = Duration::from_millis(200);

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts engines for a room, and its analyses for the visitor who asks for them.
struct Processes<'a>(&'a Arc<Room>, IpAddr);

impl<'a> Processes<'a> {
    fn of(room: &'a Arc<Room>) -> Self {
        Self(room, room.owner())
    }
}

impl Host for Processes<'_> {
    fn now(&self) -> Duration {
        self.0.now()
    }

    fn engine(
        &self,
        conversation: Conversation,
        _: &Spec,
        seat: usize,
        question: u64,
    ) -> Option<Box<dyn Engine>> {
        let room = Arc::downgrade(self.0);
        let told = move |answered: Answered| {
            if let Some(room) = room.upgrade() {
                room.answered(seat, question, answered);
            }
        };
        let process = Process::begin(conversation, self.0.place(self.0.owner(), true)?, Box::new(told))?;
        Some(Box::new(process))
    }

    fn analysis(&self, game: Game, asker: Asker, number: u64) -> Option<Box<dyn Analysis>> {
        let room = Arc::downgrade(self.0);
        let told = move |finding: Finding, question: u64| {
            let Some(room) = room.upgrade() else { return };
            let mut session = room.lock();
            let was_reviewed = session.is_reviewed();
            let news = session.found(asker, number, question, finding, &Processes::of(&room));
            // The game itself has not changed: its date stays while the room is open.
            if session.is_reviewed() && !was_reviewed {
                (room.save)(&room.id, &mut session, true);
            }
            drop(session);
            match news {
                News::ForAll => room.bump(),
                News::ForOne => room.changed.send_modify(|count| *count += 1),
                News::Nothing => {}
            }
        };
        let analyst = Analyst::begin(game, self.0.place(self.1, false)?, Box::new(told))?;
        Some(Box::new(analyst))
    }
}

impl Room {
    /// Creates the room of a session that was changed at the time `kept`, since 1970; `save` saves it.
    #[must_use]
    pub fn new(id: &str, session: Session, kept: Duration, save: Save, owner: Owner) -> Arc<Self> {
        let (changed, _) = watch::channel(0);
        Arc::new(Self {
            id: id.to_owned(),
            session: Mutex::new(session),
            version: AtomicU64::new(0),
            changed,
            save,
            kept: AtomicU64::new(kept.as_millis() as u64),
            is_kept: AtomicBool::new(false),
            owner: Mutex::new(owner.address),
            places: owner.places,
            shared: Mutex::default(),
            sent: Mutex::new(Sent::new()),
            time: RunningTime::start(),
            players: Arc::default(),
        })
    }

    /// Locks the session.
    pub fn lock(&self) -> MutexGuard<'_, Session> {
        locked(&self.session)
    }

    /// Returns the visitor who answers for the room.
    pub fn owner(&self) -> IpAddr {
        *locked(&self.owner)
    }

    /// Returns the session's time, which stands while this program is stopped.
    pub fn now(&self) -> Duration {
        self.time.now()
    }

    /// Returns a receiver of the version after every change.
    pub fn listen(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    /// Returns the number of changes that a browser sees.
    pub fn version(&self, by: &Browser) -> u64 {
        self.version.load(Ordering::Relaxed) + self.lock().news(by)
    }

    /// Returns the memory of the game and of its pages in bytes, roughly.
    pub fn memory(&self) -> usize {
        let texts: usize = locked(&self.sent).texts.iter().map(|(_, text)| text.len()).sum();
        let views: usize = locked(&self.shared).iter().flatten().map(|view| view.text.len()).sum();
        self.lock().memory() + texts + views
    }

    /// Returns the number of listeners.
    pub fn listeners(&self) -> usize {
        self.changed.receiver_count()
    }

    /// Returns the changing part of its page. Those who only watch share the view of the latest position, which is drawn
    /// once a change.
    pub fn view(
        self: &Arc<Self>,
        seen: &Viewpoint,
        refused: Option<&str>,
        by: &Browser,
        language: Language,
    ) -> String {
        let version = self.version(by);
        let is_shared = *seen == Viewpoint::default() && refused.is_none() && !self.lock().is_special(by);
        let nth = usize::from(language == Language::English);
        if is_shared {
            let kept = locked(&self.shared);
            let is_new = |of: &&SharedView| {
                of.version == version && of.until.is_none_or(|until| Instant::now() < until)
            };
            if let Some(view) = kept[nth].as_ref().filter(is_new) {
                return view.text.clone();
            }
        }
        let (text, until) = {
            let mut session = self.lock();
            if self.expire(&mut session) {
                drop(session);
                self.bump();
                return self.view(seen, refused, by, language);
            }
            let until = session.is_ticking().then(|| Instant::now() + SHARED);
            (view::session(&session.view(seen, by, self.now()), version, refused, language), until)
        };
        if is_shared {
            let mut kept = locked(&self.shared);
            kept[nth] = Some(SharedView { version, until, text: text.clone() });
        }
        text
    }

    /// Notes a text that a page gets. Returns the text with number `had`, if it is remembered, and the number of this
    /// one.
    pub fn sent(&self, had: Option<u64>, text: &str) -> (Option<Arc<str>>, u64) {
        let mut sent = locked(&self.sent);
        let before =
            sent.texts.iter().find(|(number, _)| Some(*number) == had).map(|(_, text)| Arc::clone(text));
        if let Some((number, _)) = sent.texts.iter().find(|(_, known)| **known == *text) {
            return (before, *number);
        }
        sent.count += 1;
        let number = sent.count;
        sent.texts.push_back((number, text.into()));
        if sent.texts.len() > REMEMBERED {
            sent.texts.pop_front();
        }
        (before, number)
    }

    /// Takes a place for an engine of this room, for which a visitor answers and which plays or analyses.
    fn place(&self, address: IpAddr, plays: bool) -> Option<Place> {
        self.places.take(address, plays)
    }

    /// Changes the seats of the session, which is saved.
    ///
    /// # Errors
    /// Those of `change`; the session is unchanged.
    pub fn seat(&self, change: impl FnOnce(&mut Session) -> Result<(), Refusal>) -> Result<(), Refusal> {
        let mut session = self.lock();
        change(&mut session)?;
        self.save(&mut session, true);
        drop(session);
        self.bump();
        Ok(())
    }

    fn bump(&self) {
        self.version.fetch_add(1, Ordering::Relaxed);
        self.changed.send_modify(|version| *version += 1);
    }

    /// Returns a mark of a listener who plays, to be kept as long as it listens.
    pub fn player(&self, by: &Browser) -> Option<Arc<()>> {
        self.lock().settings.takes_part(by).then(|| Arc::clone(&self.players))
    }

    /// Lets the game continue when a visitor comes who plays, and answers for the engines if it holds a seat. One who only
    /// watches lets go on what no person plays.
    pub fn wake(self: &Arc<Self>, by: &Browser, address: IpAddr) {
        let mut session = self.lock();
        let plays = session.settings.takes_part(by);
        if plays && !session.settings.holders.is_empty() {
            *locked(&self.owner) = address;
        }
        let host = Processes::of(self);
        if plays || !session.has_person() { session.wake(&host) } else { session.review(&host) }
    }

    /// Lets the analysis of a browser follow the page that it opens, at a ply.
    pub fn turn_to(&self, at: Option<usize>, by: &Browser) {
        let mut session = self.lock();
        let at = session.ply(at);
        session.turn_to(at, by, self.now());
    }

    /// Ends the engines if no visitor has looked for this long, and stops the clock if nobody has who plays.
    pub fn rest(&self, after: Duration) {
        let mut session = self.lock();
        let now = self.now();
        if now.saturating_sub(session.last_look) < after {
            return;
        }
        if self.listeners() == 0 {
            session.rest(now);
        } else if session.has_person() && Arc::strong_count(&self.players) == 1 {
            session.stop_clock(now);
        }
    }

    /// Ends a turn whose time is up. Returns true if there was one.
    fn expire(self: &Arc<Self>, session: &mut Session) -> bool {
        let is_late = session.expire(self.now());
        if is_late {
            session.wake(&Processes::of(self));
            self.save(session, true);
        }
        is_late
    }

    /// Performs an action of a visitor.
    ///
    /// # Errors
    /// The reason for a refusal.
    pub fn act(
        self: &Arc<Self>,
        action: &Action,
        by: &Browser,
        address: IpAddr,
        language: Language,
    ) -> Result<Outcome, Refusal> {
        let mut session = self.lock();
        if session.settings.takes_part(by) {
            session.last_look = self.now();
            *locked(&self.owner) = address;
        }
        if self.expire(&mut session) {
            drop(session);
            self.bump();
            return Err(Refusal::TimeUp);
        }
        let outcome = session.act(action, by, language, &Processes(self, address))?;
        if outcome.is_kept {
            self.save(&mut session, true);
        }
        if outcome.seen.path.is_empty() {
            drop(session);
            self.bump();
        }
        Ok(outcome)
    }

    /// Saves the session as it is.
    pub fn keep(&self) {
        self.save(&mut self.lock(), true);
    }

    /// Saves the session, at once or at an interval.
    fn save(&self, session: &mut Session, now: bool) {
        let time = UNIX_EPOCH.elapsed().unwrap_or_default();
        self.kept.store(time.as_millis() as u64, Ordering::Relaxed);
        self.is_kept.store(true, Ordering::Relaxed);
        (self.save)(&self.id, session, now);
    }

    /// Returns true if somebody looks at the game, anything was done in it, or engines play it among themselves.
    pub fn is_begun(&self) -> bool {
        let is_played = || {
            let session = self.lock();
            !session.play.moves().is_empty() || !session.settings.seats.contains(&Seat::Person)
        };
        self.listeners() > 0 || self.is_kept.load(Ordering::Relaxed) || is_played()
    }

    /// Returns the time of the latest saved change, since 1970. Where nothing was changed it is the time of opening.
    pub fn kept(&self) -> Duration {
        Duration::from_millis(self.kept.load(Ordering::Relaxed))
    }

    /// Handles an engine's answer, on the engine's thread.
    fn answered(self: &Arc<Self>, seat: usize, question: u64, answered: Answered) {
        let wait = self.lock().arrived(seat, question, self.now());
        std::thread::sleep(wait);
        let mut session = self.lock();
        if !session.answered(seat, question, answered, &Processes::of(self)) {
            return;
        }
        let now = session.over().is_some() || session.has_person();
        self.save(&mut session, now);
        drop(session);
        self.bump();
    }
}
