//! A game with its seats, its clocks, its engines and the analysis of the position that is looked at.
//!
//! One lock a room. Engines answer from threads of their own; whoever changes something counts the version up, and
//! those who watch are told the number and fetch what they want to see. What is in a room stands in `inner`, who thinks
//! there in `engines`, what is found in `study`.

mod clock;
mod engines;
mod hint;
mod inner;
mod study;

pub use inner::{Inner, Timed};

use crate::engine::{Place, Places, Spec};
use crate::page::Eye;
use crate::words::french;
use courses::drawing::Language;
use courses::play::{Play, Press};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// The occupant of a seat.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Seat {
    /// Somebody at the page.
    Person,
    /// A process.
    Engine(Spec),
}

/// A room without its game: kept in its record file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Manner {
    /// The occupants, by seat.
    pub seats: Vec<Seat>,
    /// Milliseconds between the moves of engines, for who watches.
    pub pace: u64,
    /// The seat that resigned.
    #[serde(default)]
    pub resigned: Option<usize>,
    /// The names of a game that was played elsewhere.
    #[serde(default)]
    pub names: Vec<String>,
}

/// The reason for which no engine plays on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// There is no place for another engine.
    Busy,
    /// An engine failed.
    Failed(String),
}

/// Who answers for a room's engines.
#[derive(Debug, Clone)]
pub struct Owner {
    /// The visitor who opened the room.
    pub address: IpAddr,
    /// The places of all engines.
    pub places: Arc<Places>,
}

/// The end of a game that was given up, as records keep it.
pub const RESIGNED: &str = "resigned";

/// The most moves of a game.
pub const LONGEST: usize = 10_000;

/// A room.
pub struct Room {
    /// Its name in addresses.
    pub id: String,
    inner: Mutex<Inner>,
    changed: watch::Sender<u64>,
    keep: Keep,
    owner: Owner,
    usual: Mutex<[Option<Picture>; 2]>,
    sent: Mutex<Sent>,
}

/// A view that many share.
struct Picture {
    version: u64,
    /// The moment from which it is out of date, for a clock runs in it.
    until: Option<Instant>,
    text: String,
}

/// The latest texts that pages have, with their numbers.
struct Sent {
    count: u64,
    texts: VecDeque<(u64, Arc<str>)>,
}

impl Sent {
    /// Numbers begin at the time: a page that has a text of an earlier server is not taken for one that has ours.
    fn new() -> Self {
        let now = std::time::UNIX_EPOCH.elapsed().unwrap_or_default();
        Self { count: u64::try_from(now.as_micros()).unwrap_or_default(), texts: VecDeque::new() }
    }
}

/// The number of texts that a room remembers.
const REMEMBERED: usize = 4;

/// A picture with a clock that runs is shared for so long.
const SHARED: Duration = Duration::from_millis(200);

/// Writes a room down: its name, what is in it, whether at once; a failure is noted in the room.
pub type Keep = Box<dyn Fn(&str, &mut Inner, bool) + Send + Sync>;

/// A visitor's act.
#[derive(Debug, Clone, Deserialize)]
pub struct Act {
    /// Its name.
    #[serde(rename = "do")]
    pub what: String,
    /// The cell or word that was clicked.
    #[serde(default)]
    pub click: String,
    /// Clicks before it.
    #[serde(default)]
    pub path: Vec<String>,
    /// Ply shown; `None` means the latest.
    #[serde(default)]
    pub at: Option<usize>,
    /// A number that some acts need.
    #[serde(default)]
    pub number: Option<u64>,
}

/// The result of an act.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Clicks so far.
    pub path: Vec<String>,
    /// Ply shown now; `None` means the latest.
    pub at: Option<usize>,
    /// The reason for a refusal.
    pub refused: Option<String>,
}

impl Room {
    /// A room around a game; `keep` writes it down.
    #[must_use]
    pub fn new(id: &str, play: Box<dyn Play>, manner: Manner, keep: Keep, owner: Owner) -> Arc<Self> {
        let (changed, _) = watch::channel(0);
        Arc::new(Self {
            id: id.to_owned(),
            inner: Mutex::new(Inner::new(play, manner)),
            changed,
            keep,
            owner,
            usual: Mutex::default(),
            sent: Mutex::new(Sent::new()),
        })
    }

    /// Locks the contents.
    pub fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Its version, and to be told of the next ones.
    pub fn listen(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    /// Its version.
    pub fn version(&self) -> u64 {
        *self.changed.borrow()
    }

    /// The number of listeners.
    pub fn listeners(&self) -> usize {
        self.changed.receiver_count()
    }

    /// Returns the part of its page that changes, for one view; the view that most share is drawn once a change.
    pub fn view(&self, eye: &Eye) -> String {
        let version = self.version();
        let usual = eye.at.is_none() && eye.path.is_empty() && eye.refused.is_none();
        let nth = usize::from(eye.language == Language::English);
        if usual {
            let kept = self.usual.lock().unwrap_or_else(PoisonError::into_inner);
            let is_new =
                |of: &&Picture| of.version == version && of.until.is_none_or(|until| Instant::now() < until);
            if let Some(picture) = kept[nth].as_ref().filter(is_new) {
                return picture.text.clone();
            }
        }
        let (text, until) = {
            let inner = self.lock();
            let until = inner.clock.runs().then(|| Instant::now() + SHARED);
            (crate::page::view(&inner, version, eye), until)
        };
        if usual {
            let mut kept = self.usual.lock().unwrap_or_else(PoisonError::into_inner);
            kept[nth] = Some(Picture { version, until, text: text.clone() });
        }
        text
    }

    /// Notes a text that a page gets: the text of number `had`, if it is remembered, and the number of this one.
    pub fn sent(&self, had: Option<u64>, text: &str) -> (Option<Arc<str>>, u64) {
        let mut sent = self.sent.lock().unwrap_or_else(PoisonError::into_inner);
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

    /// A place for an engine of this room.
    fn place(&self) -> Option<Place> {
        self.owner.places.take(self.owner.address)
    }

    fn bump(&self) {
        self.changed.send_modify(|version| *version += 1);
    }

    /// Lets engines think, if it is their turn; called when somebody comes in.
    pub fn wake(self: &Arc<Self>) {
        let mut inner = self.lock();
        inner.last_look = Instant::now();
        self.advance(&mut inner);
        inner.tick();
    }

    /// Ends the engines where nobody has looked for so long.
    pub fn rest(&self, after: Duration) {
        let mut inner = self.lock();
        if self.listeners() == 0 && inner.last_look.elapsed() >= after {
            inner.stop_engines();
            inner.study = None;
            inner.clock.turn(false);
        }
    }

    /// Does what somebody asks for.
    pub fn act(self: &Arc<Self>, act: &Act, language: Language) -> Outcome {
        let mut inner = self.lock();
        inner.last_look = Instant::now();
        let before = inner.play.moves().len();
        let outcome = self.perform(&mut inner, act, language);
        if outcome.refused.is_none() {
            self.advance(&mut inner);
            inner.tick();
            if !matches!(act.what.as_str(), "look" | "study" | "press") || inner.play.moves().len() != before
            {
                (self.keep)(&self.id, &mut inner, true);
            }
            if outcome.path.is_empty() {
                drop(inner);
                self.bump();
            }
        }
        outcome
    }

    fn perform(self: &Arc<Self>, inner: &mut Inner, act: &Act, language: Language) -> Outcome {
        let length = inner.play.moves().len();
        let at = act.at.unwrap_or(length).min(length);
        let refused = |french: &str, english: &str| Outcome {
            refused: Some(language.choose(french, english).to_owned()),
            at: act.at,
            ..Outcome::default()
        };
        match act.what.as_str() {
            "press" => return self.press(inner, at, act, language),
            "back" => {
                if !inner.take_back() {
                    return refused("rien à reprendre", "nothing to take back");
                }
            }
            "forward" => {
                if !inner.play_again() {
                    return refused("rien à rejouer", "nothing to play again");
                }
            }
            "hint" => {
                if inner.over().is_some() {
                    return refused("la partie est finie", "the game is over");
                }
                if let Err(why) = self.ask_for_hint(inner) {
                    return refused(&french(why), why);
                }
            }
            "resign" => {
                let Some(mover) = inner.play.mover(length).filter(|_| inner.over().is_none()) else {
                    return refused("la partie est finie", "the game is over");
                };
                let person = |seat: &usize| inner.manner.seats[*seat] == Seat::Person;
                inner.manner.resigned = [mover].into_iter().chain(0..inner.manner.seats.len()).find(person);
                inner.stop_engines();
            }
            "swap" => {
                inner.stop_engines();
                inner.manner.seats.rotate_right(1);
            }
            // The fault is forgotten below.
            "retry" if inner.paused => inner.paused = false,
            "retry" => {}
            "pause" => inner.paused = !inner.paused,
            "step" => {
                inner.paused = true;
                self.think(inner);
            }
            "pace" => {
                inner.manner.pace = act.number.unwrap_or(0).min(10_000);
                return Outcome { at: act.at, ..Outcome::default() };
            }
            "line" => {
                let nth = act.number.unwrap_or(0) as usize;
                if nth >= inner.variations.len() {
                    return refused("cette variante n'existe plus", "that variation is gone");
                }
                let line = inner.variations.remove(nth);
                inner.leave_line();
                inner.replace(&line);
            }
            "study" => {
                let on = act.number != Some(0);
                inner.study = None;
                if on && let Err(why) = self.begin_study(inner, at) {
                    return refused(&french(why), why);
                }
                return Outcome { at: act.at, ..Outcome::default() };
            }
            "look" => {
                self.look(inner, at);
                return Outcome { at: act.at, ..Outcome::default() };
            }
            "graph" => {
                if inner.study.is_none()
                    && let Err(why) = self.begin_study(inner, at)
                {
                    return refused(&french(why), why);
                }
                if let Some(study) = &mut inner.study {
                    study.whole = true;
                }
                self.study_next(inner);
                return Outcome { at: act.at, ..Outcome::default() };
            }
            _ => return refused("demande inconnue", "unknown request"),
        }
        inner.fault = None;
        self.look(inner, inner.play.moves().len());
        Outcome::default()
    }

    fn press(self: &Arc<Self>, inner: &mut Inner, at: usize, act: &Act, language: Language) -> Outcome {
        let refused = |why: String| Outcome { path: act.path.clone(), at: act.at, refused: Some(why) };
        if act.path.len() > 8 || act.click.len() > 16 {
            return refused(language.choose("trop long", "too long").to_owned());
        }
        if !inner.may_press(at) {
            let why = if at == inner.play.moves().len() && inner.over().is_some() {
                language.choose("la partie est finie", "the game is over")
            } else {
                language.choose("ce n'est pas à vous de jouer", "it is not your turn")
            };
            return refused(why.to_owned());
        }
        match inner.play.press(at, &act.path, &act.click, language) {
            Press::Refused(why) => refused(why),
            Press::Chosen(path) => Outcome { path, at: act.at, refused: None },
            Press::Move(text) => {
                if at >= LONGEST {
                    return refused(language.choose("partie trop longue", "the game is too long").to_owned());
                }
                if at < inner.play.moves().len() {
                    if inner.play.moves()[at] == text {
                        self.look(inner, at + 1);
                        return Outcome { at: Some(at + 1), ..Outcome::default() };
                    }
                    inner.leave_line();
                    inner.cut(at);
                }
                inner.go_on(&text);
                // An engine that failed is asked again.
                inner.fault = None;
                inner.put(&text);
                self.look(inner, inner.play.moves().len());
                Outcome::default()
            }
        }
    }
}
