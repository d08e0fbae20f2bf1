//! A game with its seats, moves, variations, clocks and engines.
//!
//! An [`Action`] comes in, a [`View`] goes out. A session knows no pages, connections, threads or files: time and
//! engines come from its [`Host`], and whoever holds it saves it.
//!
//! - [`begin`]: new and saved games; [`action`]: what a visitor can do; [`view`]: what a visitor can see.
//! - [`engines`]: the engines on the seats; [`study`]: the analysis; [`hint`]: the best move.
//! - [`review`]: the costliest moves of a game that is over.
//! - [`line`]: moves taken back; [`variations`]: other lines; [`notes`]: notes on all; [`clock`]: the time of a turn.
//! - [`memory`]: its size; [`people`]: who holds a seat; [`record`]: record files; [`files`]: games of other programs.

mod action;
mod begin;
mod clock;
mod engines;
pub mod files;
mod hint;
mod line;
mod memory;
mod notes;
mod people;
mod record;
mod review;
mod study;
mod variations;
mod view;

pub use action::{Action, Outcome, Refusal, Viewpoint};
pub use begin::{New, Unable, listed, open, own, reopen, replayed};
pub use clock::TimeControl;
pub use courses::play::engine::{Answered, Conversation, Spec};
pub use courses::strength::Strength;
pub use engines::{Analysis, Asker, Engine, Finding, Host, News, Question, Threads};
pub use line::Timed;
pub use notes::Noted;
pub use people::{Asked, Browser, Holder};
pub use record::{Reader, Saved, games_of, late, read, record, record_file, resigned};
pub use review::Review;
pub use study::Study;
pub use variations::VariationView;
pub use view::{Controls, Hint, Occupant, SeatView, Status, StudyView, View};

use clock::Clock;
use courses::play::{Ending, Play};
use courses::record::About;
use courses::seated::Seated;
use people::{Offer, Own};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Duration;

/// The occupant of a seat.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Seat {
    /// A person at the page.
    Person,
    /// An engine.
    Engine(Spec),
}

/// The settings of a session, kept in its record file.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// The occupants, by seat.
    pub seats: Vec<Seat>,
    /// Milliseconds between the moves of engines.
    pub pace: u64,
    /// The seat that resigned.
    pub resigned: Option<usize>,
    /// The seat that lost on time.
    pub late: Option<usize>,
    /// The time of each player; `None` means no limit.
    pub time: Option<TimeControl>,
    /// True if the game is studied: no clock runs.
    pub is_study: bool,
    /// The players, if the game was played elsewhere.
    pub names: Vec<Seated>,
    /// The browsers that hold the seats, by seat; empty if the seats are everybody's.
    pub holders: Vec<Holder>,
}

impl Settings {
    /// Returns the seat that lost before the rules ended the game, with the reason for records.
    #[must_use]
    pub fn loser(&self) -> Option<(usize, &'static str)> {
        self.resigned.map(|seat| (seat, RESIGNED)).or(self.late.map(|seat| (seat, LATE)))
    }
}

/// The reason why the engines stopped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// No further engine can be started.
    Busy,
    /// An engine failed, with its fault in English.
    Failed(String),
}

/// The reason of a resigned game in records.
pub const RESIGNED: &str = "resigned";

/// The reason of a game lost on time in records.
pub const LATE: &str = "time loss";

/// Maximum number of moves of a game.
pub const LONGEST: usize = 10_000;

/// A game in progress.
pub struct Session {
    /// The game.
    pub play: Box<dyn Play>,
    /// The seats and the pace.
    pub settings: Settings,
    /// Moves taken back, the next one last.
    pub undone: Vec<Timed>,
    /// Lines that were left for others.
    pub variations: Vec<Vec<Timed>>,
    /// Notes on the moves of all lines.
    pub notes: Vec<Noted>,
    /// Facts from the file of another program.
    pub about: About,
    /// The reason why the engines stopped.
    pub fault: Option<Fault>,
    /// The reason why the latest state is not saved.
    pub unkept: Option<String>,
    /// True while the engines wait.
    pub paused: bool,
    /// The review of the game, once it is over.
    pub review: Option<Review>,
    /// Complete reviews of other lines of the game.
    reviews: Vec<Review>,
    /// The name of the next game of the same people.
    pub rematch: Option<String>,
    /// The latest time at which a visitor looked who plays, or any where no person does.
    pub last_look: Duration,
    /// Microseconds of each move.
    micros: Vec<u64>,
    /// The analyses and hints, each seen by one browser.
    own: BTreeMap<Browser, Own>,
    /// A wish to take moves back that was not answered yet.
    offer: Option<Offer>,
    /// True while the line shown was made by a line of the analysis.
    is_aside: bool,
    /// The engines, by seat.
    engines: Vec<Option<Box<dyn Engine>>>,
    /// The number of analyses begun so far. A finding of an earlier one is dropped.
    analyses: u64,
    /// The seat whose engine thinks.
    thinking: Option<usize>,
    /// The mover's clock.
    clock: Clock,
    /// The time of the latest request to an engine.
    asked: Duration,
    /// The number of the current question to the engines. An answer to an earlier one is dropped.
    question: u64,
}

impl Session {
    /// Creates the session of a game, without engines.
    #[must_use]
    pub fn new(play: Box<dyn Play>, settings: Settings) -> Self {
        let (seats, length) = (play.seats(), play.moves().len());
        Self {
            play,
            settings,
            undone: Vec::new(),
            variations: Vec::new(),
            notes: Vec::new(),
            about: About::default(),
            fault: None,
            unkept: None,
            paused: false,
            review: None,
            reviews: Vec::new(),
            rematch: None,
            last_look: Duration::ZERO,
            micros: vec![0; length],
            own: BTreeMap::new(),
            offer: None,
            is_aside: false,
            engines: (0..seats).map(|_| None).collect(),
            analyses: 0,
            thinking: None,
            clock: Clock::default(),
            asked: Duration::ZERO,
            question: 0,
        }
    }

    /// Returns true if a browser may move after `at` moves.
    #[must_use]
    pub fn may_press(&self, at: usize, by: &Browser) -> bool {
        let is_last = at == self.play.moves().len();
        let Some(mover) = self.play.mover(at) else { return false };
        let resigned = self.settings.loser().is_some() && is_last;
        let is_free = self.is_alone() && self.settings.others(by).is_empty();
        let is_turn = is_last && self.settings.seats[mover] == Seat::Person;
        (is_free || is_turn) && self.settings.holds(by, mover) && !resigned
    }

    /// Returns true if no seat has an engine.
    #[must_use]
    pub fn is_alone(&self) -> bool {
        self.settings.seats.iter().all(|seat| *seat == Seat::Person)
    }

    /// Returns true if the game was played elsewhere.
    #[must_use]
    pub fn is_replay(&self) -> bool {
        !self.settings.names.is_empty()
    }

    /// Returns true if a seat has a person.
    #[must_use]
    pub fn has_person(&self) -> bool {
        self.settings.seats.contains(&Seat::Person)
    }

    /// Returns the end of the game, also by resignation.
    #[must_use]
    pub fn over(&self) -> Option<Ending> {
        let length = self.play.moves().len();
        if let Some((loser, reason)) = self.settings.loser() {
            let share = 1.0 / (self.play.seats().max(2) - 1) as f64;
            let points: Vec<f64> =
                (0..self.play.seats()).map(|seat| if seat == loser { 0.0 } else { share }).collect();
            return Some(Ending { text: reason.into(), score: points.clone(), points });
        }
        self.play.ending(length)
    }

    /// Returns the time of a seat for the moves so far, with the current turn.
    #[must_use]
    pub fn used(&self, seat: usize, now: Duration) -> Duration {
        let moves = self.micros.iter().enumerate().filter(|(nth, _)| self.play.by(*nth) == seat);
        // The times of a file may be any numbers.
        let moves = Duration::from_micros(moves.fold(0, |sum: u64, (_, micros)| sum.saturating_add(*micros)));
        let is_mover = self.play.mover(self.play.moves().len()) == Some(seat);
        moves + if is_mover { self.clock.spent(now) } else { Duration::ZERO }
    }

    /// Returns true while the clock of a seat runs.
    #[must_use]
    pub fn is_running(&self, seat: usize) -> bool {
        self.clock.runs() && self.play.mover(self.play.moves().len()) == Some(seat)
    }

    /// Returns true while a clock runs.
    #[must_use]
    pub fn is_ticking(&self) -> bool {
        self.clock.runs()
    }

    /// Starts or stops the mover's clock. It stops before the first move, in a pause, after an end or a fault, in a
    /// study and in a game that was played elsewhere.
    pub fn tick(&mut self, now: Duration) {
        let length = self.play.moves().len();
        let is_person = self.play.mover(length).is_some_and(|seat| self.settings.seats[seat] == Seat::Person);
        let thinks = self.thinking.is_some() || is_person && length > 0 && !self.paused;
        let stands =
            self.over().is_some() || self.fault.is_some() || self.is_replay() || self.settings.is_study;
        self.clock.turn(thinks && !stands, now);
    }

    /// Lets the engines and the clock continue when a visitor comes who plays, or any where no person does.
    pub fn wake(&mut self, host: &dyn Host) {
        self.last_look = host.now();
        self.advance(host);
        self.review(host);
        self.tick(host.now());
    }

    /// Stops the clock until a visitor comes who plays.
    pub fn stop_clock(&mut self, now: Duration) {
        self.clock.turn(false, now);
    }

    /// Ends the engines and the analyses, and stops the clock.
    pub fn rest(&mut self, now: Duration) {
        self.stop_engines();
        self.rest_review();
        self.own.clear();
        self.stop_clock(now);
    }

    /// Sets the times of the moves so far; missing ones are zero.
    pub fn set_times(&mut self, micros: &[u64]) {
        self.micros.iter_mut().zip(micros).for_each(|(to, from)| *to = *from);
    }
}
