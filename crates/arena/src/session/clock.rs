//! The clock of the current turn.

use std::time::Duration;

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
