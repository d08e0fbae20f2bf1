//! Live progress: a bar that is drawn over itself on a terminal, a plain line now and then elsewhere.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// Progress of a run, on standard error.
pub struct Progress {
    total: Option<u64>,
    done: u64,
    before: u64,
    began: Instant,
    drawn: Option<Instant>,
    terminal: bool,
    quiet: bool,
    width: usize,
}

impl Progress {
    /// Of a run of `total` games, `before` of which were played earlier.
    pub fn new(total: Option<u64>, before: u64, quiet: bool) -> Self {
        let terminal = std::io::stderr().is_terminal();
        Self { total, done: before, before, began: Instant::now(), drawn: None, terminal, quiet, width: 0 }
    }

    /// A game is over; `score` is the running score.
    pub fn step(&mut self, score: impl FnOnce() -> String) {
        self.done += 1;
        let every = if self.terminal { Duration::from_millis(100) } else { Duration::from_secs(10) };
        let last = self.drawn.is_some() && Some(self.done) == self.total;
        if self.quiet || !last && self.drawn.unwrap_or(self.began).elapsed() < every {
            return;
        }
        self.drawn = Some(Instant::now());
        let line = self.line(&score());
        let mut stderr = std::io::stderr().lock();
        // Progress that nobody reads must not end the run.
        let _ = if self.terminal {
            let padding = self.width.saturating_sub(line.chars().count());
            self.width = line.chars().count();
            write!(stderr, "\r{line}{:padding$}", "").and_then(|()| stderr.flush())
        } else {
            writeln!(stderr, "{line}")
        };
    }

    fn line(&self, score: &str) -> String {
        let elapsed = self.began.elapsed().as_secs_f64();
        let speed = (self.done - self.before) as f64 / elapsed.max(1e-3);
        match self.total {
            Some(total) if total > 0 => {
                let left = total.saturating_sub(self.done) as f64 / speed.max(1e-9);
                let filled = (20 * self.done / total).min(20) as usize;
                let bar =
                    if self.terminal { format!("[{:<20}] ", "#".repeat(filled)) } else { String::new() };
                format!("{bar}{}/{total} games, {} left, {score}", self.done, clock(left))
            }
            _ => format!("{} games in {}, {score}", self.done, clock(elapsed)),
        }
    }

    /// The run is over.
    pub fn finish(&self) {
        if self.terminal && self.drawn.is_some() && !self.quiet {
            wire::note("");
        }
    }
}

/// Seconds as `1:02:03` or `2:03`.
pub fn clock(seconds: f64) -> String {
    let seconds = seconds.clamp(0.0, 360_000.0) as u64;
    let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{rest:02}") } else { format!("{minutes}:{rest:02}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_read_like_a_clock() {
        assert_eq!([clock(7.9), clock(65.0), clock(3725.0)], ["0:07", "1:05", "1:02:05"]);
    }

    #[test]
    fn the_line_says_how_far_and_how_long() {
        let mut progress = Progress::new(Some(10), 4, true);
        progress.step(String::new);
        assert!(progress.line("+1").contains("5/10 games, 0:0"), "{}", progress.line("+1"));
    }
}
