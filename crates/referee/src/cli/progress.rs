//! Progress display: a bar on a terminal, otherwise a line at intervals.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// Interval between lines without a terminal.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// Progress of a run on standard error.
pub struct Progress {
    bar: ProgressBar,
    /// The name of what is counted, in the plural.
    unit: &'static str,
    /// Without a terminal, the time of the last line.
    lines: Option<Instant>,
}

impl Progress {
    /// Creates the progress of a run of `total` units, of which `before` were done earlier.
    pub fn new(total: u64, before: u64, unit: &'static str, quiet: bool) -> Self {
        let terminal = std::io::stderr().is_terminal();
        let target =
            if quiet || !terminal { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let style = ProgressStyle::with_template(&format!(
            "[{{bar:20}}] {{pos}}/{{len}} {unit}, {{eta}} left, {{msg}}"
        ));
        let bar = ProgressBar::with_draw_target(Some(total), target)
            .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("# "))
            .with_position(before);
        bar.reset_eta();
        Self { bar, unit, lines: (!quiet && !terminal).then(Instant::now) }
    }

    /// Writes to the terminal without the bar in the way.
    pub fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
    }

    /// Adds a finished unit. `score` returns the running score, or what is done.
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
        let unit = self.unit;
        format!("{done}/{total} {unit}, {} left, {score}", indicatif::HumanDuration(self.bar.eta()))
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
        let mut progress = Progress::new(10, 4, "games", true);
        progress.step(String::new);
        let line = progress.line("+1");
        assert!(line.starts_with("5/10 games, ") && line.ends_with(" left, +1"), "{line}");
    }
}
