//! Rules as cards that can be played: a position, a sentence, a goal, and what the rules allow and refuse there.

use crate::assignment::Phrase;

/// A rule with a position in which it shows.
#[derive(Debug, Clone, Copy)]
pub struct Lesson {
    /// The position, as a person types a start.
    pub start: &'static str,
    /// The rule in one sentence or two.
    pub rule: Phrase,
    /// The task that shows the rule.
    pub goal: Phrase,
    /// The moves that reach the goal. Empty: every move does.
    pub reached: &'static [&'static str],
    /// Clicks of which the rules refuse the last one.
    pub refused: &'static [&'static str],
}

impl Lesson {
    /// Returns true if one of these moves from the start has reached the goal.
    #[must_use]
    pub fn is_reached(&self, moves: &[String]) -> bool {
        let is_goal = |mv: &String| self.reached.is_empty() || self.reached.contains(&mv.as_str());
        moves.iter().any(is_goal)
    }
}
