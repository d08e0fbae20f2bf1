//! Progress display: a bar on a terminal, otherwise a line at intervals.

use super::language;
use courses::drawing::Language;
use courses::french::say;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::time::{Duration, Instant};

/// Interval between lines without a terminal.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// Progress of a run on standard error.
pub struct Progress {
    bar: ProgressBar,
    /// The name of what is counted, in the number of all of it.
    unit: String,
    language: Language,
    /// Without a terminal, the time of the last line.
    lines: Option<Instant>,
}

impl Progress {
    /// Creates the progress of a run of `total` units, of which `before` were done earlier, in the language of the notes.
    pub fn new(total: u64, before: u64, unit: &str, quiet: bool) -> Self {
        Self::with(total, before, unit, quiet, language::of_notes())
    }

    fn with(total: u64, before: u64, unit: &str, quiet: bool, language: Language) -> Self {
        let counted = say(&format!("{total} {unit}"), language);
        let unit = counted.split_once(' ').map_or(unit, |(_, unit)| unit).to_owned();
        let terminal = std::io::stderr().is_terminal();
        let target =
            if quiet || !terminal { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let left = language.choose("reste {eta}", "{eta} left");
        let style =
            ProgressStyle::with_template(&format!("[{{bar:20}}] {{pos}}/{{len}} {unit}, {left}, {{msg}}"));
        let bar = ProgressBar::with_draw_target(Some(total), target)
            .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("# "))
            .with_position(before);
        bar.reset_eta();
        Self { bar, unit, language, lines: (!quiet && !terminal).then(Instant::now) }
    }

    /// Writes to the terminal without the bar in the way.
    pub fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
    }

    /// Adds a finished unit. `score` returns the running score in English, which is said in the run's language.
    pub fn step_with_score(&mut self, score: impl FnOnce() -> String) {
        let language = self.language;
        self.step(|| language.number(&say(&score(), language)));
    }

    /// Adds a finished unit. `score` returns what is done, as it is shown.
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
        let (unit, eta) = (&self.unit, self.bar.eta());
        match self.language {
            Language::French => format!("{done}/{total} {unit}, reste {}, {score}", in_french(eta)),
            Language::English => {
                format!("{done}/{total} {unit}, {} left, {score}", indicatif::HumanDuration(eta))
            }
        }
    }

    /// Ends the display.
    pub fn finish(&self) {
        self.bar.abandon();
    }
}

/// Returns a duration in the largest unit of which it has about one and a half, as [`indicatif::HumanDuration`] does.
fn in_french(duration: Duration) -> String {
    const UNITS: [(u64, &str); 4] = [(86_400, "jour"), (3_600, "heure"), (60, "minute"), (1, "seconde")];
    let seconds = duration.as_secs();
    let (unit, name) = UNITS.into_iter().find(|(unit, _)| 2 * seconds >= 3 * unit).unwrap_or((1, "seconde"));
    let count = (seconds + unit / 2) / unit;
    format!("{count} {name}{}", if count > 1 { "s" } else { "" })
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

    #[test]
    fn a_line_is_french_where_the_results_are() {
        for (total, unit, wanted) in [
            (10, "games", "1/10 parties, reste "),
            (1, "builds", "1/1 construction, reste "),
            (3, "programs", "1/3 programmes, reste "),
        ] {
            let mut progress = Progress::with(total, 0, unit, true, Language::French);
            progress.step_with_score(String::new);
            let line = progress.line("2 fautes");
            assert!(line.starts_with(wanted) && line.ends_with(", 2 fautes"), "{line}");
        }
        let said = [0, 1, 69, 90, 5_400, 200_000].map(|seconds| in_french(Duration::from_secs(seconds)));
        assert_eq!(said, ["0 seconde", "1 seconde", "69 secondes", "2 minutes", "2 heures", "2 jours"]);
    }
}
