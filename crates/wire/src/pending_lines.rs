use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// Counts the lines that were read but not yet handled. A flag stops the search while there are any.
///
/// One thread reads and counts up, another handles lines and counts down. A line that arrives before the search begins
/// stops it too. A count that is never taken back (the end of input) stops all searches.
#[derive(Debug, Default)]
pub struct PendingLines {
    lines: Mutex<u32>,
    stop: AtomicBool,
}

impl PendingLines {
    /// Counts a line that was read. Call this before another thread can handle it.
    pub fn add(&self) {
        self.change(1);
    }

    /// Counts down: the line is being handled.
    pub fn take(&self) {
        self.change(-1);
    }

    /// The stop flag: set while a line is pending.
    pub fn stop(&self) -> &AtomicBool {
        &self.stop
    }

    fn change(&self, by: i32) {
        // Poisoned only if a thread panicked while counting; the count is right all the same.
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        *lines = lines.saturating_add_signed(by);
        self.stop.store(*lines > 0, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_flag_is_set_while_any_line_waits() {
        let waiting = PendingLines::default();
        let is_set = || waiting.stop().load(Ordering::Relaxed);
        assert!(!is_set());
        waiting.add();
        waiting.add();
        waiting.take();
        assert!(is_set(), "one still waits");
        waiting.take();
        assert!(!is_set());
    }
}
