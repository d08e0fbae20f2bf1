//! Clocks: the state of a game clock, and the course's time rules for a move.
//!
//! Source: the tolerant rule: É. Beaudry, the tool of the course on gomoku, edition of 2014/2016.

use crate::course::Conditions;
use crate::fault::{Fault, Kind};
use crate::limits::GameClock;
use std::time::Duration;

/// The state of a game clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Remaining {
    /// The time left.
    pub left: Duration,
    /// The increment after each move.
    pub increment: Duration,
    /// The number of moves that the time is for, or `None` for the rest of the game.
    pub moves: Option<u32>,
}

/// Number of moves assumed to come in sharing out the time left.
const MOVES_TO_COME: u32 = 25;

impl Remaining {
    /// Returns a fair share of the time, for a player without a clock.
    fn share(&self) -> Duration {
        let share = self.left / self.moves.unwrap_or(MOVES_TO_COME) + self.increment;
        share.min(self.left)
    }
}

impl Remaining {
    /// Deducts the time of a move.
    fn used(&mut self, clock: GameClock, time: Duration, grace: Duration) -> Result<(), Fault> {
        if time > self.left + grace {
            let detail = format!("{} with {} left on the clock", millis(time), millis(self.left));
            return Err(Fault::new(Kind::TimeLoss, detail));
        }
        self.left = self.left.saturating_sub(time) + clock.increment;
        self.moves = self.moves.map(|moves| moves - 1);
        if self.moves == Some(0) {
            (self.left, self.moves) = (self.left + clock.main, clock.moves);
        }
        Ok(())
    }
}

/// One player's clock under a course's time rules.
#[derive(Debug, Clone)]
pub struct MoveClock {
    /// A game clock instead of a time of a move, and its state.
    clock: Option<GameClock>,
    pub(super) remaining: Option<Remaining>,
    base: Option<Duration>,
    grace: Duration,
    /// True for the tolerant rule: an overrun of at most half the time is allowed, and taken from the next move.
    tolerant: bool,
    overrun: Duration,
    watchdog: Duration,
}

/// A clock that is not used.
const NO_CLOCK: GameClock = GameClock { moves: None, main: Duration::ZERO, increment: Duration::ZERO };

impl MoveClock {
    /// Creates a clock from a run's conditions.
    #[must_use]
    pub fn of(conditions: &Conditions) -> Self {
        let GameClock { moves, main, increment } = conditions.clock.unwrap_or(NO_CLOCK);
        let remaining = Remaining { left: main, increment, moves };
        Self {
            clock: conditions.clock,
            remaining: conditions.clock.map(|_| remaining),
            base: conditions.time,
            grace: conditions.grace,
            tolerant: false,
            overrun: Duration::ZERO,
            watchdog: conditions.watchdog,
        }
    }

    /// Switches to the rule "Tolérer un retard de 50% du temps et pénaliser le coup suivant".
    #[must_use]
    pub fn tolerant(self) -> Self {
        Self { tolerant: true, ..self }
    }

    /// Returns the time of the next move.
    #[must_use]
    pub fn allowance(&self) -> Option<Duration> {
        let share = self.remaining.map(|remaining| remaining.share());
        share.or_else(|| self.base.map(|base| base.saturating_sub(self.overrun)))
    }

    /// Returns the time after which to give up waiting, long enough to tell a late answer from none.
    #[must_use]
    pub fn time_out(&self) -> Duration {
        if let Some(remaining) = self.remaining {
            return remaining.left + self.grace + remaining.left.max(Duration::from_secs(1));
        }
        self.base.map_or(self.watchdog, |base| {
            let latest = base + if self.tolerant { base / 2 } else { Duration::ZERO } + self.grace;
            latest + base.max(Duration::from_secs(1))
        })
    }

    /// Records the time of a move.
    ///
    /// # Errors
    /// [`Kind::TimeLoss`].
    pub fn used(&mut self, time: Duration) -> Result<(), Fault> {
        if let (Some(clock), Some(remaining)) = (self.clock, &mut self.remaining) {
            return remaining.used(clock, time, self.grace);
        }
        let (Some(base), Some(allowance)) = (self.base, self.allowance()) else { return Ok(()) };
        let overrun = time.saturating_sub(self.grace).saturating_sub(allowance);
        let most = if self.tolerant { base / 2 } else { Duration::ZERO };
        if overrun > most {
            let detail = format!("{} for a move of {}", millis(time), millis(allowance));
            return Err(Fault::new(Kind::TimeLoss, detail));
        }
        self.overrun = overrun;
        Ok(())
    }
}

fn millis(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1000.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    fn clock(base: u64) -> MoveClock {
        MoveClock::of(&Conditions { time: Some(ms(base)), ..Conditions::default() })
    }

    #[test]
    fn a_move_may_be_late_by_the_grace_and_no_more() {
        assert!(clock(1000).used(ms(1050)).is_ok());
        let late = clock(1000).used(ms(1051)).unwrap_err();
        assert_eq!((late.kind, late.detail.as_str()), (Kind::TimeLoss, "1051.0 ms for a move of 1000.0 ms"));
    }

    #[test]
    fn a_tolerant_clock_allows_half_the_time_and_takes_it_from_the_next_move() {
        let mut clock = clock(1000).tolerant();
        assert!(clock.used(ms(1350)).is_ok());
        assert_eq!(clock.allowance(), Some(ms(700)));
        // 750 ms are the remaining 700 and the grace, so the debt is paid.
        assert!(clock.used(ms(750)).is_ok());
        assert_eq!(clock.allowance(), Some(ms(1000)));
        assert!(clock.used(ms(1550)).is_ok());
        assert_eq!(clock.allowance(), Some(ms(500)));
        assert_eq!(clock.used(ms(1051)).unwrap_err().kind, Kind::TimeLoss);
    }

    #[test]
    fn a_game_clock_runs_through_the_moves_and_is_filled_again() {
        let clock = "2/1+0.1".parse().unwrap();
        let mut clock = MoveClock::of(&Conditions { clock: Some(clock), ..Conditions::default() });
        let shown = |clock: &MoveClock| {
            let Remaining { left, moves, .. } = clock.remaining.unwrap();
            (left, moves)
        };
        assert_eq!(clock.allowance(), Some(ms(600)), "half of it, and the increment");
        assert!(clock.used(ms(900)).is_ok());
        assert_eq!(shown(&clock), (ms(200), Some(1)));
        assert_eq!((clock.allowance(), clock.time_out()), (Some(ms(200)), ms(200 + 50 + 1000)));
        assert!(clock.clone().used(ms(251)).is_err());
        assert!(clock.used(ms(250)).is_ok());
        assert_eq!(shown(&clock), (ms(1100), Some(2)));
        let late = clock.used(ms(1151)).unwrap_err();
        assert_eq!(
            (late.kind, late.detail.as_str()),
            (Kind::TimeLoss, "1151.0 ms with 1100.0 ms left on the clock")
        );
    }

    #[test]
    fn the_watchdog_waits_long_enough_to_see_a_late_answer() {
        assert_eq!(clock(2000).tolerant().time_out(), ms(2000 + 1000 + 50 + 2000));
        assert_eq!(clock(10).time_out(), ms(10 + 50 + 1000));
    }
}
