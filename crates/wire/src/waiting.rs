use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// The number of lines that were read and not yet taken up, and the flag that stops the thinking while there are some.
///
/// One thread reads and adds, another takes up and answers: a line that was read before the thinking began stops it,
/// too. What is added and never taken up stops it for good.
#[derive(Debug, Default)]
pub struct Waiting {
    lines: Mutex<u32>,
    stop: AtomicBool,
}

impl Waiting {
    /// Counts a line that was read; before anybody can take it up.
    pub fn add(&self) {
        self.change(1);
    }

    /// Counts a line that is taken up.
    pub fn take(&self) {
        self.change(-1);
    }

    /// Set while a line waits.
    pub fn stop(&self) -> &AtomicBool {
        &self.stop
    }

    fn change(&self, by: i32) {
        // Poisoned only if a thread panicked while counting: the count is right all the same.
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
        let waiting = Waiting::default();
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
