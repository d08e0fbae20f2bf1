//! The clock of the current turn, and the time that players have.

use super::{Seat, Session};
use courses::record::Missed;
use serde::{Deserialize, Serialize};
use std::str::FromStr;
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

/// A text that is no time control.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoTime;

/// Reads `5+3`, minutes and seconds added a move; `10s`, seconds a move; `move MILLIS`; `game MILLIS INCREMENT`. Minutes
/// and seconds may have a fraction, with a point or a comma.
impl FromStr for TimeControl {
    type Err = NoTime;

    fn from_str(text: &str) -> Result<Self, NoTime> {
        // Between half a second, or no time, and a day.
        let checked = |millis: u64, least: u64| {
            (least..=24 * 3_600_000).contains(&millis).then_some(millis).ok_or(NoTime)
        };
        let millis =
            |word: &str, least| word.parse().map_err(|_| NoTime).and_then(|time| checked(time, least));
        let counted = |number: &str, unit: f64, least| {
            let number = number.trim().replace(',', ".");
            let is_plain = number.starts_with(|c: char| c.is_ascii_digit());
            let number: f64 = number.parse().ok().filter(|_| is_plain).ok_or(NoTime)?;
            checked((number * unit).round() as u64, least)
        };
        let text = text.trim();
        if let Some((minutes, seconds)) = text.split_once('+') {
            return Ok(Self::Game(counted(minutes, 60_000.0, 500)?, counted(seconds, 1_000.0, 0)?));
        }
        if let Some(seconds) = text.strip_suffix(['s', 'S']) {
            return Ok(Self::Move(counted(seconds, 1_000.0, 500)?));
        }
        match text.split(' ').collect::<Vec<_>>().as_slice() {
            ["move", time] => Ok(Self::Move(millis(time, 500)?)),
            ["game", time, added] => Ok(Self::Game(millis(time, 500)?, millis(added, 0)?)),
            _ => Err(NoTime),
        }
    }
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

    /// Returns the person whose time is up.
    fn late(&self, now: Duration) -> Option<usize> {
        let seat = self.play.mover(self.play.moves().len()).filter(|_| self.clock.runs())?;
        let is_up = self.settings.seats[seat] == Seat::Person && self.left(seat, now) == Some(Duration::ZERO);
        is_up.then_some(seat)
    }

    /// Ends the turn of a person whose time is up: the rules play a move, or the player loses. Returns true if the time
    /// was up.
    pub fn expire(&mut self, now: Duration) -> bool {
        let Some(seat) = self.late(now) else { return false };
        match self.play.late_move() {
            Some(text) => {
                let length = self.play.moves().len();
                self.put(text, now);
                self.play.miss(&[(length, Missed::Late)]);
            }
            None => self.settings.late = Some(seat),
        }
        self.tick(now);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_minutes_and_seconds_added_or_seconds_a_move() {
        for (text, wanted) in [
            ("1+2", TimeControl::Game(60_000, 2_000)),
            (" 5 + 0 ", TimeControl::Game(300_000, 0)),
            ("0,5+1", TimeControl::Game(30_000, 1_000)),
            ("10s", TimeControl::Move(10_000)),
            ("2.5 s", TimeControl::Move(2_500)),
            ("move 3000", TimeControl::Move(3_000)),
            ("game 600000 5000", TimeControl::Game(600_000, 5_000)),
        ] {
            assert_eq!(text.parse(), Ok(wanted), "{text}");
        }
        let bad =
            ["5", "+3", "5+", "-5+3", "5+-3", "0+0", "0s", "s", "inf+3", "nan s", "9999+0", "1e99s", "soon"];
        for text in bad {
            assert_eq!(text.parse::<TimeControl>(), Err(NoTime), "{text}");
        }
    }
}
