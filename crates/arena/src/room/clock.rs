//! The clock of the turn that is being played.

use std::time::{Duration, Instant};

/// The time that a turn has taken so far: it stops and goes on, and begins anew with the next turn.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Clock {
    spent: Duration,
    since: Option<Instant>,
}

impl Clock {
    /// Goes on or stops; what it has counted stays.
    pub(super) fn turn(&mut self, on: bool) {
        match (on, self.since) {
            (true, None) => self.since = Some(Instant::now()),
            (false, Some(since)) => {
                self.spent += since.elapsed();
                self.since = None;
            }
            _ => {}
        }
    }

    /// True while it goes on.
    pub(super) fn runs(&self) -> bool {
        self.since.is_some()
    }

    /// The time of the turn so far.
    pub(super) fn spent(&self) -> Duration {
        self.spent + self.since.map_or(Duration::ZERO, |since| since.elapsed())
    }

    /// The time of the turn that ends here; the next one's clock stands still at nothing.
    pub(super) fn take(&mut self) -> Duration {
        std::mem::take(self).spent()
    }
}
