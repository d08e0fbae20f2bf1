//! Rules as cards that can be played: a position, a sentence, and what the rules allow and refuse there.

use crate::assignment::Phrase;

/// A rule with a position in which it shows.
#[derive(Debug, Clone, Copy)]
pub struct Lesson {
    /// The position, as a person types a start.
    pub start: &'static str,
    /// The rule in one sentence.
    pub rule: Phrase,
    /// Clicks that begin or make a move.
    pub allowed: &'static [&'static str],
    /// Clicks of which the rules refuse the last one.
    pub refused: &'static [&'static str],
}
