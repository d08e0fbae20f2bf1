//! A session as a visitor sees it, without words.

use super::{
    Asked, Browser, Fault, Review, Seat, Session, Settings, Spec, Study, Threads, VariationView, Viewpoint,
};
use courses::drawing::Language;
use courses::note::Note;
use courses::play::{Ending, Play};
use courses::record::About;
use courses::seated::Seated;
use std::time::Duration;
use wire::analysis::Info;

/// A session as a visitor sees it.
pub struct View<'a> {
    /// The game, which draws its board and names its moves.
    pub play: &'a dyn Play,
    /// The number of moves.
    pub length: usize,
    /// Ply shown.
    pub at: usize,
    /// The clicks of an unfinished move.
    pub path: &'a [String],
    /// True if the visitor may move here.
    pub may_press: bool,
    /// The clicks that may follow.
    pub next: Vec<String>,
    /// The state of the game at this ply.
    pub status: Status<'a>,
    /// The hint for this ply, in the game's notation.
    pub hint: Hint<'a>,
    /// The reason why the latest state is not saved.
    pub unkept: Option<&'a str>,
    /// The seats in order of play.
    pub seats: Vec<SeatView<'a>>,
    /// The actions that are possible.
    pub controls: Controls,
    /// The analysis, if it is on.
    pub study: Option<StudyView<'a>>,
    /// The review of the game, once it is over.
    pub review: Option<&'a Review>,
    /// The variations, if the visitor may choose one.
    pub variations: Vec<VariationView<'a>>,
    /// The notes on moves that the visitor sees, by index of the move.
    pub notes: Vec<(usize, &'a Note)>,
    /// Facts from the file of another program.
    pub about: &'a About,
    /// True if the game was played elsewhere.
    pub is_replay: bool,
    /// True if the players have no clocks.
    pub is_study: bool,
    /// The end of a game that was played elsewhere, with the reason in records if a player resigned or lost on time.
    pub ending: Option<(Ending, Option<&'static str>)>,
    /// A wish to take moves back that concerns the visitor.
    pub asked: Option<Asked>,
    /// The seat and the ticket of the visitor's latest invitation.
    pub invitation: Option<(usize, &'a str)>,
    /// The name of the next game of the same people.
    pub rematch: Option<&'a str>,
}

/// The state of the game at a ply.
#[derive(Debug, Clone, PartialEq)]
pub enum Status<'a> {
    /// The engines stopped.
    Stopped(&'a Fault),
    /// The game is over.
    Over {
        /// The result of the game.
        ending: Ending,
        /// The reason in records, if a player resigned or lost on time.
        given_up: Option<&'static str>,
    },
    /// An earlier position, with the seat to move.
    Past(usize),
    /// An engine thinks on this seat.
    Thinks(usize),
    /// It is this seat's turn.
    Turn(usize),
}

/// The state of the hint that was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hint<'a> {
    /// No hint was requested here.
    None,
    /// The hint is in preparation.
    Coming,
    /// The best move.
    Move(&'a str),
}

/// The occupant of a seat, for its name.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Occupant<'a> {
    /// A person with a name.
    Named(&'a str),
    /// A player of a recorded game.
    Recorded(&'a Seated),
    /// A person at the page.
    Person,
    /// An engine.
    Engine(&'a Spec),
}

impl Occupant<'_> {
    /// Returns the occupant as records have it.
    #[must_use]
    pub fn seated(&self) -> Seated {
        match *self {
            Self::Named(name) => Seated::Named(name.to_owned()),
            Self::Recorded(seated) => seated.clone(),
            Self::Person => Seated::Person {},
            Self::Engine(spec) => Seated::Player {
                name: spec.name.clone(),
                strength: spec.has_strength().then_some(spec.strength),
            },
        }
    }

    /// Returns the name in a language.
    #[must_use]
    pub fn name(&self, language: Language) -> String {
        self.seated().name(language)
    }
}

/// A seat.
#[derive(Debug, Clone, PartialEq)]
pub struct SeatView<'a> {
    /// The occupant.
    pub occupant: Occupant<'a>,
    /// True if a person at the page has the seat.
    pub is_person: bool,
    /// True if the visitor plays here.
    pub is_you: bool,
    /// True if it is this seat's turn at the ply shown. After the end it is nobody's.
    pub is_mover: bool,
    /// The time used; the time left if time is limited.
    pub clock: Duration,
    /// True if the clock counts down.
    pub counts_down: bool,
    /// True if the clock runs.
    pub is_running: bool,
}

/// The actions that are possible.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Controls {
    /// True if the visitor takes part; false if the visitor only watches.
    pub takes_part: bool,
    /// True if people play at several browsers.
    pub is_shared: bool,
    /// True if a seat has a person.
    pub has_person: bool,
    /// True if a seat has an engine.
    pub has_engine: bool,
    /// True if moves can be taken back.
    pub undo: bool,
    /// True if moves can be played again.
    pub redo: bool,
    /// True if the game is played here: it is neither a study nor a replay.
    pub is_played: bool,
    /// True if the game is over.
    pub is_over: bool,
    /// True while the engines wait.
    pub is_paused: bool,
    /// True if an engine failed.
    pub is_stopped: bool,
    /// Milliseconds between the moves of engines.
    pub pace: u64,
}

impl Controls {
    /// Returns true while other people may be invited to a seat.
    #[must_use]
    pub fn may_invite(&self) -> bool {
        self.is_played && !self.is_over
    }
}

/// The findings of the analysis at a ply.
#[derive(Debug, Clone, Copy)]
pub struct StudyView<'a> {
    /// All findings.
    pub study: &'a Study,
    /// The best lines of the ply shown, best first.
    pub lines: &'a [Info],
    /// The threads of the analysis.
    pub threads: Threads,
}

impl View<'_> {
    /// Returns the note on move `nth`.
    #[must_use]
    pub fn note(&self, nth: usize) -> Option<&Note> {
        self.notes.iter().find(|(on, _)| *on == nth).map(|(_, note)| *note)
    }
}

impl Settings {
    /// Returns the occupant of a seat.
    #[must_use]
    pub fn occupant(&self, seat: usize) -> Occupant<'_> {
        match (self.names.get(seat), &self.seats[seat]) {
            (Some(seated), _) => Occupant::Recorded(seated),
            (None, Seat::Person) => self.person(seat).unwrap_or(Occupant::Person),
            (None, Seat::Engine(spec)) => Occupant::Engine(spec),
        }
    }
}

impl Session {
    fn status(&self, at: usize) -> Option<Status<'_>> {
        let is_last = at == self.play.moves().len();
        if let Some(fault) = self.fault.as_ref().filter(|_| is_last) {
            return Some(Status::Stopped(fault));
        }
        let ending = if is_last { self.over() } else { self.play.ending(at) };
        if let Some(ending) = ending {
            return Some(Status::Over {
                ending,
                given_up: self.settings.loser().filter(|_| is_last).map(|(_, reason)| reason),
            });
        }
        let mover = self.play.mover(at)?;
        Some(match (is_last, self.thinking) {
            (false, _) => Status::Past(mover),
            (true, Some(_)) => Status::Thinks(mover),
            (true, None) => Status::Turn(mover),
        })
    }

    /// Returns what a browser sees at a time.
    #[must_use]
    pub fn view<'a>(&'a self, seen: &'a Viewpoint, by: &Browser, now: Duration) -> View<'a> {
        let play = self.play.as_ref();
        let (at, length) = (self.ply(seen.at), play.moves().len());
        let may_press = self.may_press(at, by);
        let settings = &self.settings;
        let is_held = !settings.holders.is_empty();
        let is_shared = self.is_shared();
        let own = self.own.get(by);
        let is_over = self.over().is_some();
        let given_up = settings.loser().map(|(_, reason)| reason);
        let seat = |seat| SeatView {
            occupant: settings.occupant(seat),
            is_person: settings.seats[seat] == Seat::Person && !self.is_replay(),
            is_you: is_held && settings.seats[seat] == Seat::Person && settings.holds(by, seat),
            is_mover: play.mover(at) == Some(seat) && !(at == length && is_over),
            clock: self.left(seat, now).unwrap_or_else(|| self.used(seat, now)),
            counts_down: self.settings.time.is_some(),
            is_running: at == length && self.is_running(seat),
        };
        let study = |study: &'a Study| {
            let lines = if study.at == at { study.lines.as_slice() } else { &[] };
            StudyView { study, lines, threads: study.threads() }
        };
        // The analysis that is on may see more than the hint did.
        let later = own.and_then(|own| own.study.as_ref()).and_then(|study| study.settled(at));
        let hint = match own.filter(|_| !is_over).map(|own| (&own.hint, &own.hinting)) {
            Some((Some((after, text)), _)) if *after == at => Hint::Move(later.unwrap_or(text)),
            Some((_, Some(_))) if at == length => Hint::Coming,
            _ => Hint::None,
        };
        View {
            play,
            length,
            at,
            path: &seen.path,
            may_press,
            next: if may_press { play.next(at, &seen.path) } else { Vec::new() },
            status: self.status(at).unwrap_or(Status::Past(0)),
            hint,
            unkept: self.unkept.as_deref(),
            seats: (0..play.seats()).map(seat).collect(),
            controls: Controls {
                takes_part: settings.takes_part(by),
                is_shared,
                has_person: self.has_person(),
                has_engine: !self.is_alone(),
                undo: !self.is_replay()
                    && self.settings.late.is_none()
                    && (length > 0 || self.settings.resigned.is_some()),
                redo: !self.is_replay()
                    && !is_shared
                    && !self.undone.is_empty()
                    && self.settings.loser().is_none(),
                is_played: !settings.is_study && !self.is_replay(),
                is_over,
                is_paused: self.paused,
                is_stopped: self.fault.is_some(),
                pace: self.settings.pace,
            },
            study: own.and_then(|own| own.study.as_ref()).map(study),
            review: self.review.as_ref(),
            variations: if self.shows_variations(by) { self.variations_of(by) } else { Vec::new() },
            notes: self.notes_of(by),
            about: &self.about,
            is_replay: self.is_replay(),
            // A file may have no times.
            is_study: settings.is_study || self.is_replay() && self.micros.iter().all(|&time| time == 0),
            ending: self.over().filter(|_| self.is_replay()).map(|ending| (ending, given_up)),
            asked: self.asked(by),
            invitation: self.invitation(by),
            rematch: self.rematch.as_deref().filter(|_| is_shared && settings.takes_part(by)),
        }
    }
}
