//! Progress display: a bar on a terminal, otherwise a line at intervals.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// Interval between lines without a terminal.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// Progress of a run on standard error.
pub struct Progress {
    bar: ProgressBar,
    /// Without a terminal, the time of the last line.
    lines: Option<Instant>,
}

impl Progress {
    /// Creates the progress of a run of `total` games, of which `before` were played earlier.
    pub fn new(total: u64, before: u64, quiet: bool) -> Self {
        let terminal = std::io::stderr().is_terminal();
        let target =
            if quiet || !terminal { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let style = ProgressStyle::with_template("[{bar:20}] {pos}/{len} games, {eta} left, {msg}");
        let bar = ProgressBar::with_draw_target(Some(total), target)
            .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("# "))
            .with_position(before);
        bar.reset_eta();
        Self { bar, lines: (!quiet && !terminal).then(Instant::now) }
    }

    /// Adds a finished game. `score` returns the running score.
    pub fn step(&mut self, score: impl FnOnce() -> String) {
        self.bar.inc(1);
        match &mut self.lines {
            None if self.bar.is_hidden() => {}
            None => self.bar.set_message(score()),
            Some(last) if last.elapsed() < LINE_EVERY => {}
            Some(last) => {
                *last = Instant::now();
                wire::note(self.line(&score()));
            }
        }
    }

    fn line(&self, score: &str) -> String {
        let (done, total) = (self.bar.position(), self.bar.length().unwrap_or(0));
        format!("{done}/{total} games, {} left, {score}", indicatif::HumanDuration(self.bar.eta()))
    }

    /// Ends the display.
    pub fn finish(&self) {
        self.bar.abandon();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_how_far_and_the_score() {
        let mut progress = Progress::new(10, 4, true);
        progress.step(String::new);
        let line = progress.line("+1");
        assert!(line.starts_with("5/10 games, ") && line.ends_with(" left, +1"), "{line}");
    }
}
