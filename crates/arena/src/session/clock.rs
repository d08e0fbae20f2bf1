//! The clock of the current turn, and the time that players have.

use super::{Seat, Session};
use courses::record::Missed;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The time of each player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TimeControl {
    /// Milliseconds for every move.
    Move(u64),
    /// Milliseconds for the whole game, and those added after every move.
    Game(u64, u64),
}

/// The time that the current turn has taken so far. It can stop and continue, and starts again with each turn.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Clock {
    spent: Duration,
    since: Option<Duration>,
}

impl Clock {
    /// Continues or stops; the time so far is kept.
    pub(super) fn turn(&mut self, on: bool, now: Duration) {
        match (on, self.since) {
            (true, None) => self.since = Some(now),
            (false, Some(since)) => {
                self.spent += now.saturating_sub(since);
                self.since = None;
            }
            _ => {}
        }
    }

    /// Returns true while it runs.
    pub(super) fn runs(&self) -> bool {
        self.since.is_some()
    }

    /// Returns the time of the turn so far.
    pub(super) fn spent(&self, now: Duration) -> Duration {
        self.spent + self.since.map_or(Duration::ZERO, |since| now.saturating_sub(since))
    }

    /// Returns the time of the turn that ends, and stops at zero for the next one.
    pub(super) fn take(&mut self, now: Duration) -> Duration {
        std::mem::take(self).spent(now)
    }
}

impl Session {
    /// Returns the time that a seat has left, if time is limited.
    #[must_use]
    pub fn left(&self, seat: usize, now: Duration) -> Option<Duration> {
        let is_mover = self.play.mover(self.play.moves().len()) == Some(seat);
        let turn = if is_mover { self.clock.spent(now) } else { Duration::ZERO };
        Some(match self.settings.time? {
            TimeControl::Move(millis) => Duration::from_millis(millis).saturating_sub(turn),
            TimeControl::Game(millis, increment) => {
                let moves = (0..self.play.moves().len()).filter(|&nth| self.play.by(nth) == seat).count();
                let added = Duration::from_millis(increment) * u32::try_from(moves).unwrap_or(u32::MAX);
                (Duration::from_millis(millis) + added).saturating_sub(self.used(seat, now))
            }
        })
    }

    /// Ends the turn of a person whose time is up: the rules play a move, or the player loses. Returns true if the time
    /// was up.
    pub fn expire(&mut self, now: Duration) -> bool {
        let length = self.play.moves().len();
        let Some(seat) = self.play.mover(length).filter(|_| self.clock.runs()) else { return false };
        if self.settings.seats[seat] != Seat::Person || self.left(seat, now) != Some(Duration::ZERO) {
            return false;
        }
        match self.play.late_move() {
            Some(text) => {
                self.put(text, now);
                self.play.miss(&[(length, Missed::Late)]);
            }
            None => self.settings.late = Some(seat),
        }
        self.tick(now);
        true
    }
}
