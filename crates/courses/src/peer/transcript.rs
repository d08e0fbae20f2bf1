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
/// Maximum number of bytes kept of a dialogue, from its end.
const MOST: usize = 16 << 20;

/// A dialogue with a player: its end, or all of it.
#[derive(Debug, Default)]
pub(super) struct Transcript {
    lines: VecDeque<Said>,
    bytes: usize,
    whole: bool,
}

impl Transcript {
    pub(super) fn new(whole: bool) -> Self {
        Self { lines: VecDeque::new(), bytes: 0, whole }
    }

    pub(super) fn add(&mut self, at: Duration, by_player: bool, text: &str) {
        let text = if self.whole { text.to_owned() } else { excerpt(text) };
        self.bytes += text.len();
        self.lines.push_back(Said { at, by_player, text });
        while self.bytes > MOST || !self.whole && self.lines.len() > QUOTED {
            let Some(first) = self.lines.pop_front() else { return };
            self.bytes -= first.text.len();
        }
    }

    /// Returns the lines in order.
    pub(super) fn finish(&mut self) -> Vec<Said> {
        std::mem::take(&mut self.lines).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
