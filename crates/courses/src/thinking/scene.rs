//! A search at one of its steps, as a page shows it.

use crate::drawing::Language;
use search_core::Score;

/// The largest number of moves shown in a row.
const SHOWN: usize = 16;
/// The largest number of best, cutting and last moves shown after them.
const MARKED: usize = 4;
/// The largest number of rows shown, and how many of them are the first ones.
const ROWS: usize = 12;
const FIRST: usize = 4;
/// The largest number of moves that a sentence names.
const NAMED: usize = 8;

/// A search after one of its steps.
#[derive(Debug, Clone, PartialEq)]
pub struct Scene {
    /// The step, from 1; 0 before the first.
    pub at: usize,
    /// The number of steps.
    pub count: usize,
    /// The moves from the start to the position that the search looks at.
    pub path: Vec<String>,
    /// The nodes of the path, the start first.
    pub rows: Vec<Row>,
    /// The step in a sentence.
    pub sentence: String,
    /// The principal variation so far.
    pub line: Vec<String>,
    /// The next step that cuts or settles something.
    pub next_cut: Option<usize>,
    /// The tree so far, as SVG.
    pub picture: String,
}

/// A node of the path, with the moves seen there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Row {
    /// The window, the limits or the visits of the node.
    pub head: String,
    /// The moves, in the order of the search.
    pub chips: Vec<Chip>,
    /// The number of moves not shown.
    pub rest: usize,
    /// True if the moves not shown are cut off.
    pub is_cut: bool,
}

impl Row {
    /// Keeps the first moves, the last one, the best one and that on the path.
    pub(super) fn shorten(mut self) -> Self {
        let (mut nth, mut marked) = (0, 0);
        let before = self.chips.len();
        self.chips.retain(|chip| {
            nth += 1;
            let is_marked = nth == before || matches!(chip.state, State::Best | State::Cut);
            let is_shown = nth <= SHOWN || chip.state == State::Path || is_marked && marked < MARKED;
            marked += usize::from(is_marked && nth > SHOWN);
            is_shown
        });
        self.rest += before - self.chips.len();
        self
    }
}

/// A move of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chip {
    /// The move in the game's notation.
    pub text: String,
    /// Its value, its bound or its visits.
    pub note: String,
    /// Its place in the search.
    pub state: State,
}

/// The place of a move in the search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// The search looks at the position after it.
    Path,
    /// The best so far.
    Best,
    /// It cuts its node.
    Cut,
    /// Its value is known and not the best.
    Known,
    /// Not looked at yet.
    Open,
}

impl State {
    /// Returns the class of its mark.
    #[must_use]
    pub fn class(self) -> &'static str {
        match self {
            Self::Path => "on",
            Self::Best => "top",
            Self::Cut => "cut",
            Self::Known => "old",
            Self::Open => "new",
        }
    }
}

/// Writes a score: plies to a decided end, infinity, or a signed number.
pub(super) fn score(score: Score) -> String {
    let sign = if score < Score::DRAW { "−" } else { "+" };
    match score.plies_to_end() {
        _ if score >= Score::INFINITY || score <= -Score::INFINITY => format!("{sign}∞"),
        Some(plies) => format!("{sign}#{plies}"),
        None if score == Score::DRAW => "0".to_owned(),
        None => format!("{sign}{}", score.value().abs()),
    }
}

/// Writes a number with its noun.
pub(super) fn counted(count: usize, language: Language, french: [&str; 2], english: [&str; 2]) -> String {
    crate::play::counted(count as u32, language, french, english)
}

/// Writes moves in order, the last ones as points.
pub(super) fn listed(moves: &[String]) -> String {
    let rest = if moves.len() > NAMED { " …" } else { "" };
    moves[..moves.len().min(NAMED)].join(" ") + rest
}

/// Leaves out rows in the middle of a long path.
pub(super) fn shortened(mut rows: Vec<Row>) -> Vec<Row> {
    if rows.len() > ROWS {
        rows.drain(FIRST..FIRST + rows.len() - ROWS);
    }
    rows
}
