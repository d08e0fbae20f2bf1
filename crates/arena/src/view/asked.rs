//! A request about a puzzle or a rule.

use serde::Deserialize;

/// The longest line of moves from a puzzle's position.
pub(super) const LONGEST: usize = 100;
/// The longest path of clicks of an unfinished move.
pub(super) const PATH: usize = 8;

/// A request about a puzzle, as the fields of a query.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Asked {
    /// The number of the puzzle, from 1.
    pub n: String,
    /// The number of a rule, from 1, if a rule is wanted.
    pub rule: String,
    /// Days since 1970. It chooses the puzzle of that day if `n` is empty.
    pub day: String,
    /// The moves played from the puzzle's position, separated by blanks. They begin with the solution.
    pub moves: String,
    /// Ply shown.
    pub at: String,
    /// The clicks of an unfinished move, separated by blanks.
    pub path: String,
    /// The cell or button that was clicked.
    pub click: String,
    /// `hint` or `solution`, if one is wanted.
    pub show: String,
}

/// Splits a field of words, at most this many.
pub(super) fn split(text: &str, most: usize) -> Vec<String> {
    text.split(' ').filter(|word| !word.is_empty()).take(most).map(str::to_owned).collect()
}
