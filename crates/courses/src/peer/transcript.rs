//! The dialogue between the referee and a player, with times.

use crate::fault::excerpt;
use std::collections::VecDeque;
use std::fmt;
use std::time::Duration;

/// A line of a dialogue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// The time since the start of the run's supervisor.
    pub at: Duration,
    /// True if the player wrote the line, false if the referee did.
    pub by_player: bool,
    /// The line, truncated if only the dialogue's end is kept.
    pub text: String,
}

impl fmt::Display for Said {
    /// `< 7 7` is a line from the player, `> 8 8` one to it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", if self.by_player { '<' } else { '>' }, self.text)
    }
}

/// Number of lines quoted with a fault.
pub const QUOTED: usize = 6;
/// Maximum memory of a dialogue in bytes: its end is kept.
const MOST: usize = 16 << 20;

/// A dialogue with a player: its end, or all of it.
#[derive(Debug, Default)]
pub(crate) struct Transcript {
    lines: VecDeque<Said>,
    bytes: usize,
    whole: bool,
}

impl Transcript {
    pub(crate) fn new(whole: bool) -> Self {
        Self { lines: VecDeque::new(), bytes: 0, whole }
    }

    pub(super) fn add(&mut self, at: Duration, by_player: bool, text: &str) {
        let text = if self.whole { text.to_owned() } else { excerpt(text) };
        self.push(Said { at, by_player, text });
    }

    /// Adds a line of another dialogue.
    pub(crate) fn push(&mut self, said: Said) {
        self.bytes += memory(&said);
        self.lines.push_back(said);
        while self.bytes > MOST || !self.whole && self.lines.len() > QUOTED {
            let Some(first) = self.lines.pop_front() else { return };
            self.bytes -= memory(&first);
        }
    }

    /// Returns the lines in order.
    pub(crate) fn finish(&mut self) -> Vec<Said> {
        self.bytes = 0;
        std::mem::take(&mut self.lines).into()
    }
}

/// Returns the memory of a line, of an empty one too, in bytes.
fn memory(said: &Said) -> usize {
    size_of::<Said>() + said.text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_lines_are_bounded_too() {
        let mut transcript = Transcript::new(true);
        (0..1_000_000).for_each(|_| transcript.add(Duration::ZERO, true, ""));
        assert_eq!(transcript.finish().len(), MOST / size_of::<Said>());
    }

    #[test]
    fn only_the_end_is_kept_unless_all_is_asked_for() {
        let lines = |whole| {
            let mut transcript = Transcript::new(whole);
            for nth in 0..20 {
                transcript.add(Duration::from_millis(nth), nth % 2 == 0, &nth.to_string());
            }
            transcript.finish()
        };
        assert_eq!(lines(true).len(), 20);
        let last: Vec<String> = lines(false).iter().map(Said::to_string).collect();
        assert_eq!(last, ["< 14", "> 15", "< 16", "> 17", "< 18", "> 19"]);
    }
}
