//! The contents of a room: its game and clocks, moves taken back and lines left for others.

use super::clock::Clock;
use super::{Fault, LONGEST, Manner, RESIGNED, Seat};
use crate::analysis::{Analysis, Study};
use crate::engine::Engine;
use courses::drawing::Language;
use courses::play::{Ending, Play};
use std::time::{Duration, Instant};

/// Variations that are remembered; their moves together are at most twice those of a game.
const VARIATIONS: usize = 20;

/// A move that is not played now, and the microseconds that it took.
pub type Timed = (String, u64);

/// Everything in a room.
pub struct Inner {
    /// The game.
    pub play: Box<dyn Play>,
    /// Its seats and pace.
    pub manner: Manner,
    /// Moves taken back, the next one last.
    pub undone: Vec<Timed>,
    /// Lines that were left for others.
    pub variations: Vec<Vec<Timed>>,
    /// Microseconds of each move.
    pub micros: Vec<u64>,
    /// The reason for which no engine plays on.
    pub fault: Option<Fault>,
    /// The reason for which the game's last state is not on the disk.
    pub unkept: Option<String>,
    /// The move that was asked for.
    pub hint: Option<(usize, String)>,
    /// True while engines wait.
    pub paused: bool,
    /// The analysis, if one looks.
    pub study: Option<Study>,
    /// The engines, by seat.
    pub(super) engines: Vec<Option<Engine>>,
    /// The analysis that is asked for a hint, and the number of that question.
    pub(super) hinting: Option<(u64, Analysis)>,
    /// Counts the hints that were asked for.
    pub(super) hints: u64,
    /// Counts the analyses that were begun.
    pub(super) studies: u64,
    /// The seat that thinks.
    pub(super) thinking: Option<usize>,
    /// The mover's clock.
    pub(super) clock: Clock,
    /// The moment at which an engine was asked last.
    pub(super) asked: Instant,
    /// Counts the questions that are no longer asked: an answer to an old one is dropped.
    pub(super) question: u64,
    /// The last moment at which somebody looked.
    pub(super) last_look: Instant,
}

impl Inner {
    /// The contents of a room that nobody has acted in yet.
    pub(super) fn new(play: Box<dyn Play>, manner: Manner) -> Self {
        let seats = play.seats();
        let micros = vec![0; play.moves().len()];
        let now = Instant::now();
        Self {
            play,
            manner,
            undone: Vec::new(),
            variations: Vec::new(),
            micros,
            fault: None,
            unkept: None,
            hint: None,
            paused: false,
            study: None,
            engines: (0..seats).map(|_| None).collect(),
            hinting: None,
            hints: 0,
            studies: 0,
            thinking: None,
            clock: Clock::default(),
            asked: now,
            question: 0,
            last_look: now,
        }
    }

    /// Returns true if a visitor may move after `at` moves.
    #[must_use]
    pub fn may_press(&self, at: usize) -> bool {
        let length = self.play.moves().len();
        let Some(mover) = self.play.mover(at) else { return false };
        let resigned = self.manner.resigned.is_some() && at == length;
        (self.is_alone() || (at == length && self.manner.seats[mover] == Seat::Person)) && !resigned
    }

    /// Returns whether no engine plays here.
    #[must_use]
    pub fn is_alone(&self) -> bool {
        self.manner.seats.iter().all(|seat| *seat == Seat::Person)
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
            return Some(Ending { text: RESIGNED.into(), score: points.clone(), points });
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

    /// The time that a seat has used for the moves that stand, this turn included.
    #[must_use]
    pub fn used(&self, seat: usize) -> Duration {
        let moves = self.micros.iter().enumerate().filter(|(nth, _)| self.play.by(*nth) == seat);
        let moves = Duration::from_micros(moves.map(|(_, micros)| micros).sum());
        let is_mover = self.play.mover(self.play.moves().len()) == Some(seat);
        moves + if is_mover { self.clock.spent() } else { Duration::ZERO }
    }

    /// True while the clock of a seat runs.
    #[must_use]
    pub fn is_running(&self, seat: usize) -> bool {
        self.clock.runs() && self.play.mover(self.play.moves().len()) == Some(seat)
    }

    /// Starts or stops the mover's clock by the state of the room. The clock stands still before the first move, in a
    /// pause, after an end or a fault, and in a game that was played elsewhere.
    pub(super) fn tick(&mut self) {
        let length = self.play.moves().len();
        let is_person = self.play.mover(length).is_some_and(|seat| self.manner.seats[seat] == Seat::Person);
        let thinks = self.thinking.is_some() || is_person && length > 0 && !self.paused;
        let stands = self.over().is_some() || self.fault.is_some() || !self.manner.names.is_empty();
        self.clock.turn(thinks && !stands);
    }

    /// The name of who sits on a seat.
    #[must_use]
    pub fn name(&self, seat: usize, language: Language) -> String {
        if let Some(name) = self.manner.names.get(seat) {
            return name.clone();
        }
        match &self.manner.seats[seat] {
            Seat::Person => language.choose("une personne", "a person").to_owned(),
            Seat::Engine(spec) if !spec.has_strength() => spec.name.clone(),
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
        self.play.game().title(language)
    }

    /// Plays a move that took the time of this turn's clock.
    pub(super) fn try_put(&mut self, text: &str) -> anyhow::Result<()> {
        self.play.play(text)?;
        self.micros.push(self.clock.take().as_micros() as u64);
        self.hint = None;
        self.hinting = None;
        Ok(())
    }

    /// As [`try_put`](Self::try_put); an error is the room's fault.
    pub(super) fn put(&mut self, text: &str) {
        if let Err(error) = self.try_put(text) {
            self.fault = Some(Fault::Failed(error.to_string()));
        }
    }

    /// Notes the times of the moves so far; those that a record does not say are none.
    pub fn time(&mut self, micros: &[u64]) {
        self.micros.iter_mut().zip(micros).for_each(|(to, from)| *to = *from);
    }

    /// Plays a move again, with the time that it took.
    fn put_again(&mut self, (text, micros): &Timed) {
        let before = self.micros.len();
        self.put(text);
        self.micros[before..].fill(*micros);
    }

    /// The moves after the first `at`, with their times.
    fn timed(&self, at: usize) -> Vec<Timed> {
        let moves = self.play.moves()[at..].iter().cloned();
        moves.zip(self.micros[at..].iter().copied()).collect()
    }

    /// Drops the moves after the first `at`, and stops whoever thinks about them.
    pub(super) fn cut(&mut self, at: usize) {
        self.play.cut(at);
        self.micros.truncate(at);
        self.manner.resigned = None;
        self.fault = None;
        self.hint = None;
        self.clock.take();
        if let Some(study) = &mut self.study {
            study.values.retain(|&behind, _| behind <= at);
        }
        self.stop_engines();
    }

    /// Puts another line in the place of all moves.
    pub(super) fn replace(&mut self, line: &[Timed]) {
        self.cut(0);
        line.iter().for_each(|timed| self.put_again(timed));
        self.undone.clear();
    }

    /// Remembers the line that is about to be left, with what was taken back of it.
    pub(super) fn leave_line(&mut self) {
        let mut line = self.timed(0);
        line.extend(self.undone.drain(..).rev());
        self.variations.push(line);
        let moves = |lines: &[Vec<Timed>]| lines.iter().map(Vec::len).sum::<usize>();
        while self.variations.len() > VARIATIONS || moves(&self.variations) > 2 * LONGEST {
            self.variations.remove(0);
        }
    }

    /// Notes a move after the last one. If it is the move taken back last, the moves taken back before it stay available;
    /// any other move starts a new line, and the old one is kept as a variation if no engine plays.
    pub(super) fn go_on(&mut self, text: &str) {
        match self.undone.last() {
            Some((next, _)) if self.is_alone() && next == text => drop(self.undone.pop()),
            Some(_) if self.is_alone() => self.leave_line(),
            _ => self.undone.clear(),
        }
    }

    /// Takes moves back until it is a person's turn; false: there is none.
    pub(super) fn take_back(&mut self) -> bool {
        if self.manner.resigned.take().is_some() {
            return true;
        }
        let length = self.play.moves().len();
        let Some(at) = (0..length).rev().find(|&at| self.is_stop(at)) else { return false };
        let undone = self.timed(at);
        self.cut(at);
        self.undone.extend(undone.into_iter().rev());
        self.paused |= !self.has_person();
        true
    }

    /// Plays moves that were taken back until it is a person's turn; false: there are none.
    pub(super) fn play_again(&mut self) -> bool {
        if self.undone.is_empty() || self.manner.resigned.is_some() {
            return false;
        }
        // Who thinks here thinks about another move.
        self.stop_engines();
        self.clock.take();
        while let Some(timed) = self.undone.pop() {
            self.put_again(&timed);
            if self.is_stop(self.play.moves().len()) {
                break;
            }
        }
        self.paused |= !self.has_person();
        true
    }

    /// True where taking back and playing again stop: at a person's turn, and between engines at each.
    fn is_stop(&self, at: usize) -> bool {
        let is_person = |seat: usize| self.manner.seats[seat] == Seat::Person;
        !self.has_person() || self.play.mover(at).is_some_and(is_person)
    }

    /// Ends everybody who thinks.
    pub fn stop_engines(&mut self) {
        self.engines.iter_mut().for_each(|engine| *engine = None);
        self.hinting = None;
        self.thinking = None;
        self.question += 1;
    }
}
