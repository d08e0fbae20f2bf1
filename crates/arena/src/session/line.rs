//! Moves: played, taken back and played again.

use super::{Browser, Fault, Host, LONGEST, Outcome, Refusal, Seat, Session, Viewpoint};
use courses::play::{self, Play};
use std::time::Duration;

/// The longest line that can be looked at or followed, in moves, and the longest of its moves in bytes.
const AHEAD: (usize, usize) = (64, 64);

/// A move outside the current line, and its time in microseconds.
pub type Timed = (String, u64);

impl Session {
    /// Plays a move, which took the time of this turn's clock.
    pub(super) fn try_put(&mut self, text: &str, now: Duration) -> anyhow::Result<()> {
        self.play.play(text)?;
        self.micros.push(self.clock.take(now).as_micros() as u64);
        self.forget_hints();
        Ok(())
    }

    /// Plays a move like [`try_put`](Self::try_put); an error becomes the session's fault.
    pub(super) fn put(&mut self, text: &str, now: Duration) {
        if let Err(error) = self.try_put(text, now) {
            self.fault = Some(Fault::Failed(error.to_string()));
        }
    }

    /// Drops the hints, and the wish to take moves back: the position is another one.
    fn forget_hints(&mut self) {
        self.own.values_mut().for_each(|own| (own.hint, own.hinting) = (None, None));
        self.offer = None;
    }

    /// Plays a move again, with its time.
    fn put_again(&mut self, (text, micros): &Timed, now: Duration) {
        let before = self.micros.len();
        self.put(text, now);
        self.micros[before..].fill(*micros);
    }

    /// Returns the moves after the first `at`, with their times.
    pub(super) fn timed(&self, at: usize) -> Vec<Timed> {
        let moves = self.play.moves()[at..].iter().cloned();
        moves.zip(self.micros[at..].iter().copied()).collect()
    }

    /// Removes the moves after the first `at`, and stops the engines.
    pub(super) fn cut(&mut self, at: usize, now: Duration) {
        self.play.cut(at);
        self.micros.truncate(at);
        (self.settings.resigned, self.settings.late) = (None, None);
        self.fault = None;
        self.forget_hints();
        self.clock.take(now);
        for study in self.own.values_mut().filter_map(|own| own.study.as_mut()) {
            study.values.retain(|&after, _| after <= at);
        }
        self.stop_engines();
    }

    /// Replaces all moves by another line.
    pub(super) fn replace(&mut self, line: &[Timed], now: Duration) {
        self.cut(0, now);
        line.iter().for_each(|timed| self.put_again(timed, now));
        self.undone.clear();
    }

    /// Prepares for a move after the last one. If it is the move taken back last, the moves taken back before it stay
    /// available. Any other move starts a new line, and the old one is kept as a variation if no engine plays.
    pub(super) fn go_on(&mut self, text: &str) {
        match self.undone.last() {
            Some((next, _)) if self.is_alone() && next == text => drop(self.undone.pop()),
            Some(_) if self.is_alone() => self.leave_line(),
            _ => self.undone.clear(),
        }
    }

    /// Returns the game after its first `at` moves and a line. `None` if there is no such line.
    #[must_use]
    pub fn ahead(&self, at: usize, line: &[String]) -> Option<Box<dyn Play>> {
        let moves = self.play.moves().get(..at)?;
        if line.len() > AHEAD.0 || line.iter().any(|text| text.len() > AHEAD.1) {
            return None;
        }
        let mut play = play::open(self.play.game(), self.play.opening(), self.play.seats()).ok()?;
        moves.iter().chain(line).all(|text| play.play(text).is_ok()).then_some(play)
    }

    /// Plays a line of an analysis after the first `at` moves, as a variation, also after the last move. Where engines or
    /// several people play, and in a game that was played elsewhere, it goes on in a game of its own.
    pub(super) fn follow_line(
        &mut self,
        at: usize,
        line: &[String],
        by: &Browser,
        host: &dyn Host,
    ) -> Result<Outcome, Refusal> {
        let line = if self.play.is_line_of_all() { line } else { line.get(..1).unwrap_or_default() };
        let ahead = self.ahead(at, line).filter(|_| !line.is_empty()).ok_or(Refusal::NoVariation)?;
        let (length, end) = (self.play.moves().len(), at + line.len());
        if end > LONGEST {
            return Err(Refusal::TooManyMoves);
        }
        let line = ahead.moves()[at..].to_vec();
        let seen = |at| Viewpoint { at: Some(at), path: Vec::new() };
        if self.play.moves().get(at..end) == Some(&line[..]) {
            self.look(end, by, host.now());
            return Ok(Outcome { seen: seen(end), ..Outcome::default() });
        }
        let is_free = self.is_alone() && !self.is_replay() && self.settings.takes_part(by);
        if !is_free || !self.settings.others(by).is_empty() {
            return Ok(Outcome { branch: Some((at, line)), seen: seen(at), ..Outcome::default() });
        }
        if !self.may_press(at, by) {
            return Err(Refusal::Over);
        }
        // The line that is shown may be one of the analysis already: it goes on.
        if at < length || length > 0 && !self.is_aside {
            self.leave_line();
        }
        if at < length {
            self.cut(at, host.now());
        }
        self.is_aside = true;
        self.fault = None;
        for text in &line {
            self.go_on(text);
            self.put(text, host.now());
        }
        self.follow(at, Some(by), host.now());
        Ok(Outcome { is_kept: true, ..Outcome::default() })
    }

    /// Takes moves back until it is the turn of `by`'s person; first a resignation. A loss on time stays.
    pub(super) fn undo(&mut self, by: &Browser, now: Duration) -> Result<(), Refusal> {
        if self.settings.late.is_some() {
            return Err(Refusal::TimeUp);
        }
        if self.settings.resigned.take().is_some() {
            return Ok(());
        }
        let length = self.play.moves().len();
        let at = (0..length).rev().find(|&at| self.is_stop(at, by)).ok_or(Refusal::NothingToUndo)?;
        let undone = self.timed(at);
        self.cut(at, now);
        self.undone.extend(undone.into_iter().rev());
        self.paused |= !self.has_person();
        Ok(())
    }

    /// Plays moves that were taken back until it is a person's turn.
    pub(super) fn redo(&mut self, by: &Browser, now: Duration) -> Result<(), Refusal> {
        if self.undone.is_empty() || self.settings.loser().is_some() {
            return Err(Refusal::NothingToRedo);
        }
        // The engines think about another position.
        self.stop_engines();
        self.clock.take(now);
        while let Some(timed) = self.undone.pop() {
            self.put_again(&timed, now);
            if self.is_stop(self.play.moves().len(), by) {
                break;
            }
        }
        self.paused |= !self.has_person();
        Ok(())
    }

    /// Returns true where undo and redo stop: at the turn of a person of `by`; between engines at every ply.
    fn is_stop(&self, at: usize, by: &Browser) -> bool {
        let is_person =
            |seat: usize| self.settings.seats[seat] == Seat::Person && self.settings.holds(by, seat);
        !self.has_person() || self.play.mover(at).is_some_and(is_person)
    }
}
