//! A game with its seats, its clocks, its engines and the analysis of the position that is looked at.
//!
//! One lock a room. Engines answer from threads of their own; whoever changes something counts the version up, and
//! those who watch are told the number and fetch what they want to see.

use crate::analysis::{Analysis, Study};
use crate::engine::{Answered, Engine, Spec};
use crate::page::Eye;
use crate::play::games;
use crate::play::{Ending, Play, Press};
use courses::drawing::Language;
use serde::{Deserialize, Serialize};
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

/// Variations that are remembered.
const VARIATIONS: usize = 20;
/// The most moves of a game.
pub const LONGEST: usize = 10_000;

/// Everything in a room.
pub struct Inner {
    /// The game.
    pub play: Box<dyn Play>,
    /// Its seats and pace.
    pub manner: Manner,
    /// Moves taken back, the next one last.
    pub undone: Vec<String>,
    /// Lines that were left for others.
    pub variations: Vec<Vec<String>>,
    /// The time each seat has used, and each move took, in microseconds.
    pub clocks: Vec<Duration>,
    /// Microseconds of each move.
    pub micros: Vec<u64>,
    /// An engine's fault.
    pub fault: Option<String>,
    /// The move that was asked for.
    pub hint: Option<(usize, String)>,
    /// True while engines wait.
    pub paused: bool,
    /// The analysis, if one looks.
    pub study: Option<Study>,
    /// The last thing to be said aloud.
    pub said: String,
    engines: Vec<Option<Engine>>,
    hinting: Option<Engine>,
    /// The seat that thinks.
    thinking: Option<usize>,
    turn_began: Instant,
    question: u64,
    last_look: Instant,
}

/// A room.
pub struct Room {
    /// Its name in addresses.
    pub id: String,
    inner: Mutex<Inner>,
    changed: watch::Sender<u64>,
    keep: Keep,
    usual: Mutex<[Option<(u64, String)>; 2]>,
}

/// Writes a room down: its name, what is in it, whether at once.
pub type Keep = Box<dyn Fn(&str, &Inner, bool) + Send + Sync>;

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
    /// Behind how many moves one looks; without: behind the last.
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
    /// Behind how many moves one looks now; without: behind the last.
    pub at: Option<usize>,
    /// The reason for a refusal.
    pub refused: Option<String>,
}

impl Room {
    /// A room around a game; `keep` writes it down.
    #[must_use]
    pub fn new(id: &str, play: Box<dyn Play>, manner: Manner, keep: Keep) -> Arc<Self> {
        let seats = play.seats();
        let micros = vec![0; play.moves().len()];
        let inner = Inner {
            play,
            manner,
            undone: Vec::new(),
            variations: Vec::new(),
            clocks: vec![Duration::ZERO; seats],
            micros,
            fault: None,
            hint: None,
            paused: false,
            study: None,
            said: String::new(),
            engines: (0..seats).map(|_| None).collect(),
            hinting: None,
            thinking: None,
            turn_began: Instant::now(),
            question: 0,
            last_look: Instant::now(),
        };
        let (changed, _) = watch::channel(0);
        Arc::new(Self { id: id.to_owned(), inner: Mutex::new(inner), changed, keep, usual: Mutex::default() })
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
            if let Some((_, text)) = kept[nth].as_ref().filter(|(of, _)| *of == version) {
                return text.clone();
            }
        }
        let text = crate::page::view(&self.lock(), version, eye);
        if usual {
            self.usual.lock().unwrap_or_else(PoisonError::into_inner)[nth] = Some((version, text.clone()));
        }
        text
    }

    fn bump(&self) {
        self.changed.send_modify(|version| *version += 1);
    }

    /// Lets engines think, if it is their turn; called when somebody comes in.
    pub fn wake(self: &Arc<Self>) {
        let mut inner = self.lock();
        inner.last_look = Instant::now();
        self.advance(&mut inner);
    }

    /// Ends the engines where nobody has looked for so long.
    pub fn rest(&self, after: Duration) {
        let mut inner = self.lock();
        if self.listeners() == 0 && inner.last_look.elapsed() >= after {
            inner.stop_engines();
            inner.study = None;
            inner.turn_began = Instant::now();
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
            if !matches!(act.what.as_str(), "look" | "study" | "press") || inner.play.moves().len() != before
            {
                (self.keep)(&self.id, &inner, true);
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
            "forward" => match inner.undone.pop() {
                Some(text) => inner.put(&text),
                None => return refused("rien à rejouer", "nothing to play again"),
            },
            "hint" => {
                if inner.over().is_some() {
                    return refused("la partie est finie", "the game is over");
                }
                self.ask_for_hint(inner, act.number);
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
                inner.turn_began = Instant::now();
            }
            "pause" => inner.paused = !inner.paused,
            "step" => {
                inner.paused = true;
                self.think(inner);
            }
            "pace" => inner.manner.pace = act.number.unwrap_or(0).min(10_000),
            "line" => {
                let nth = act.number.unwrap_or(0) as usize;
                if nth >= inner.variations.len() {
                    return refused("cette variante n'est plus là", "that variation is gone");
                }
                let line = inner.variations.remove(nth);
                inner.leave_line();
                inner.replace(&line);
            }
            "study" => {
                let on = act.number != Some(0);
                inner.study = None;
                if on {
                    self.begin_study(inner, at);
                }
                return Outcome { at: act.at, ..Outcome::default() };
            }
            "look" => {
                self.look(inner, at);
                return Outcome { at: act.at, ..Outcome::default() };
            }
            "graph" => {
                if inner.study.is_none() {
                    self.begin_study(inner, at);
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
                inner.undone.clear();
                inner.put(&text);
                self.look(inner, inner.play.moves().len());
                Outcome::default()
            }
        }
    }

    /// Lets the engine whose turn it is think.
    fn advance(self: &Arc<Self>, inner: &mut Inner) {
        if !inner.paused {
            self.think(inner);
        }
    }

    fn think(self: &Arc<Self>, inner: &mut Inner) {
        let length = inner.play.moves().len();
        if inner.thinking.is_some() || inner.fault.is_some() || inner.over().is_some() || length >= LONGEST {
            return;
        }
        let Some(seat) = inner.play.mover(length) else { return };
        let Seat::Engine(spec) = &inner.manner.seats[seat] else { return };
        if inner.engines[seat].is_none() {
            let room = Arc::downgrade(self);
            let question = inner.question;
            let told = move |answered: Answered| {
                if let Some(room) = room.upgrade() {
                    room.answered(seat, question, answered);
                }
            };
            inner.engines[seat] = Some(inner.play.engine(&spec.clone(), seat, Box::new(told)));
        }
        inner.thinking = Some(seat);
        inner.turn_began = Instant::now();
        let Inner { engines, play, .. } = inner;
        if let Some(engine) = &engines[seat] {
            engine.ask(play.moves());
        }
    }

    /// An engine has answered, on its own thread.
    fn answered(self: &Arc<Self>, seat: usize, question: u64, answered: Answered) {
        let wait = {
            let inner = self.lock();
            Duration::from_millis(inner.manner.pace).saturating_sub(inner.turn_began.elapsed())
        };
        std::thread::sleep(wait);
        let mut inner = self.lock();
        // The game has gone elsewhere: an answer to an old question.
        if inner.question != question || inner.thinking != Some(seat) {
            return;
        }
        inner.thinking = None;
        match answered {
            Ok((text, _)) => match inner.try_put(&text) {
                Ok(()) => inner.undone.clear(),
                Err(error) => inner.fault = Some(error),
            },
            Err(error) => {
                inner.fault = Some(error);
                inner.engines[seat] = None;
            }
        }
        let length = inner.play.moves().len();
        self.look(&mut inner, length);
        self.advance(&mut inner);
        let over = inner.over().is_some();
        (self.keep)(&self.id, &inner, over || inner.has_person());
        drop(inner);
        self.bump();
    }

    fn ask_for_hint(self: &Arc<Self>, inner: &mut Inner, level: Option<u64>) {
        let length = inner.play.moves().len();
        let Some(seat) = inner.play.mover(length) else { return };
        let other = inner.manner.seats.iter().find_map(|seat| match seat {
            Seat::Engine(spec) => Some(spec.folder.clone()),
            Seat::Person => None,
        });
        let spec = Spec {
            name: "hint".into(),
            player: None,
            strength: crate::engine::Strength::Level(level.unwrap_or(7).clamp(1, 10) as u8),
            seed: 1,
            folder: other.unwrap_or_else(crate::engine::own_folder),
        };
        let room = Arc::downgrade(self);
        let told = move |answered: Answered| {
            let Some(room) = room.upgrade() else { return };
            let mut inner = room.lock();
            if inner.play.moves().len() == length {
                match answered {
                    Ok((text, _)) => inner.hint = Some((length, text)),
                    Err(error) => inner.fault = Some(error),
                }
                inner.hinting = None;
                drop(inner);
                room.bump();
            }
        };
        let engine = inner.play.engine(&spec, seat, Box::new(told));
        engine.ask(inner.play.moves());
        inner.hinting = Some(engine);
    }

    fn begin_study(self: &Arc<Self>, inner: &mut Inner, at: usize) {
        let room = Arc::downgrade(self);
        let told = move |found: Result<Option<wire::analysis::Info>, String>, at: usize| {
            if let Some(room) = room.upgrade() {
                room.found(found, at);
            }
        };
        let analysis = Analysis::begin(inner.play.game(), crate::engine::own_folder(), Box::new(told));
        inner.study = Some(Study::new(analysis));
        self.look(inner, at);
    }

    /// The analysis turns to the position behind `at` moves.
    fn look(&self, inner: &mut Inner, at: usize) {
        let Inner { study: Some(study), play, .. } = inner else { return };
        study.whole = false;
        study.focus = at;
        study.turn_to(at, play.analysed(at));
    }

    /// The analysis has something to tell, on its own thread.
    fn found(self: &Arc<Self>, found: Result<Option<wire::analysis::Info>, String>, at: usize) {
        let mut inner = self.lock();
        let Some(study) = &mut inner.study else { return };
        let news = match found {
            Ok(info) => study.note(at, info),
            Err(error) => {
                inner.study = None;
                inner.fault = Some(error);
                true
            }
        };
        self.study_next(&mut inner);
        drop(inner);
        if news {
            self.bump();
        }
    }

    /// The whole game is looked through: the next position without a value, once this one has been looked at enough.
    fn study_next(self: &Arc<Self>, inner: &mut Inner) {
        let Inner { study: Some(study), play, .. } = inner else { return };
        if !study.whole || !study.is_enough() {
            return;
        }
        let next = (0..=play.moves().len())
            .find(|at| !study.values.contains_key(at) && play.analysed(*at).is_some());
        match next {
            Some(at) => {
                let text = play.analysed(at);
                study.turn_to(at, text);
            }
            None => {
                study.whole = false;
                let at = study.focus.min(play.moves().len());
                study.turn_to(at, play.analysed(at));
            }
        }
    }
}

impl Inner {
    /// Returns whether a visitor may move behind `at` moves.
    #[must_use]
    pub fn may_press(&self, at: usize) -> bool {
        let length = self.play.moves().len();
        let alone = self.manner.seats.iter().all(|seat| *seat == Seat::Person);
        let Some(mover) = self.play.mover(at) else { return false };
        let resigned = self.manner.resigned.is_some() && at == length;
        (alone || (at == length && self.manner.seats[mover] == Seat::Person)) && !resigned
    }

    /// Returns whether a person sits here.
    #[must_use]
    pub fn has_person(&self) -> bool {
        self.manner.seats.contains(&Seat::Person)
    }

    /// The end of the game, resignations included.
    #[must_use]
    pub fn over(&self) -> Option<Ending> {
        let length = self.play.moves().len();
        if let Some(loser) = self.manner.resigned {
            let share = 1.0 / (self.play.seats().max(2) - 1) as f64;
            let points: Vec<f64> =
                (0..self.play.seats()).map(|seat| if seat == loser { 0.0 } else { share }).collect();
            return Some(Ending { text: "resigned".into(), score: points.clone(), points });
        }
        self.play.ending(length)
    }

    /// The seat that thinks.
    #[must_use]
    pub fn thinking(&self) -> Option<usize> {
        self.thinking
    }

    /// Returns whether a hint is being looked for.
    #[must_use]
    pub fn is_hinting(&self) -> bool {
        self.hinting.is_some()
    }

    /// The time that a seat has used, this turn included.
    #[must_use]
    pub fn used(&self, seat: usize) -> Duration {
        let length = self.play.moves().len();
        let running =
            self.over().is_none() && self.play.mover(length) == Some(seat) && length > 0 && !self.paused;
        let now = if running { self.turn_began.elapsed() } else { Duration::ZERO };
        self.clocks[seat] + now
    }

    /// The name of who sits on a seat.
    #[must_use]
    pub fn name(&self, seat: usize, language: Language) -> String {
        if let Some(name) = self.manner.names.get(seat) {
            return name.clone();
        }
        match &self.manner.seats[seat] {
            Seat::Person => language.choose("une personne", "a person").to_owned(),
            Seat::Engine(spec) => match spec.strength {
                crate::engine::Strength::Level(level) => {
                    format!("{} · {} {level}", spec.name, language.choose("niveau", "level"))
                }
                crate::engine::Strength::Millis(millis) => {
                    format!("{} · {} s", spec.name, millis as f64 / 1000.0)
                }
            },
        }
    }

    /// The title of its game.
    #[must_use]
    pub fn title(&self, language: Language) -> &'static str {
        games::title(self.play.game(), language)
    }

    fn try_put(&mut self, text: &str) -> Result<(), String> {
        let seat = self.play.mover(self.play.moves().len());
        self.play.play(text)?;
        let spent = self.turn_began.elapsed();
        self.micros.push(spent.as_micros() as u64);
        if let Some(seat) = seat {
            self.clocks[seat] += spent;
        }
        self.turn_began = Instant::now();
        self.hint = None;
        self.hinting = None;
        Ok(())
    }

    fn put(&mut self, text: &str) {
        if let Err(error) = self.try_put(text) {
            self.fault = Some(error);
        }
    }

    fn cut(&mut self, at: usize) {
        self.play.cut(at);
        self.micros.truncate(at);
        self.manner.resigned = None;
        self.fault = None;
        self.hint = None;
        self.turn_began = Instant::now();
        if let Some(study) = &mut self.study {
            study.values.retain(|&behind, _| behind <= at);
        }
        self.stop_engines();
    }

    fn replace(&mut self, line: &[String]) {
        self.cut(0);
        for text in line {
            self.put(text);
        }
        self.undone.clear();
    }

    /// Remembers the line that is about to be left.
    fn leave_line(&mut self) {
        self.variations.push(self.play.moves().to_vec());
        if self.variations.len() > VARIATIONS {
            self.variations.remove(0);
        }
    }

    /// Takes moves back until it is a person's turn; false: there is none.
    fn take_back(&mut self) -> bool {
        if self.manner.resigned.take().is_some() {
            return true;
        }
        let length = self.play.moves().len();
        let is_person = |at: &usize| {
            self.play.mover(*at).is_some_and(|seat| self.manner.seats[seat] == Seat::Person)
                || !self.has_person()
        };
        let Some(at) = (0..length).rev().find(is_person) else { return false };
        let undone: Vec<String> = self.play.moves()[at..].iter().rev().cloned().collect();
        self.cut(at);
        self.undone.extend(undone);
        true
    }

    /// Ends everybody who thinks.
    pub fn stop_engines(&mut self) {
        self.engines.iter_mut().for_each(|engine| *engine = None);
        self.hinting = None;
        self.thinking = None;
        self.question += 1;
    }
}
