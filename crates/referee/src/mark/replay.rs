//! The boards of a marked game, for a page.

use courses::course::Course;
use courses::drawing::Language;
use courses::french::say;
use courses::record::Record;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// A game with the text of each of its boards.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replay {
    /// The game's number in its criterion, as in the notes of the card.
    pub number: u64,
    /// The conditions of the criterion.
    pub setting: String,
    /// The players by seat.
    pub names: Vec<String>,
    /// The reason for the end, and the faults.
    pub end: String,
    /// The moves after the opening.
    pub moves: Vec<String>,
    /// The distinct lines of all boards. Most moves change few lines.
    pub lines: Vec<String>,
    /// The lines of each board, by index, from the opening on.
    pub boards: Vec<Vec<usize>>,
}

impl Replay {
    /// Draws the boards of a game. `None` for a game that was not played.
    #[must_use]
    pub fn of(course: &dyn Course, record: &Record) -> Option<Self> {
        let played = &record.played;
        let texts = course.replay(&record.opening, played).ok()?;
        let mut known: HashMap<&str, usize> = HashMap::new();
        let mut lines = Vec::new();
        let mut boards = Vec::new();
        for text in &texts {
            let mut board = Vec::new();
            for line in text.lines() {
                let next = known.len();
                let index = *known.entry(line).or_insert(next);
                if index == lines.len() {
                    lines.push(line.to_owned());
                }
                board.push(index);
            }
            boards.push(board);
        }
        let faults = played.complaints().map(|(seat, fault)| format!("{}: {fault}", record.names[seat]));
        let end: Vec<String> = std::iter::once(played.end.clone()).chain(faults).collect();
        Some(Self {
            number: record.game,
            setting: course.setting(),
            names: record.names.clone(),
            end: end.join("; "),
            moves: played.moves.clone(),
            lines,
            boards,
        })
    }

    /// Returns the reason for the end and the faults in a language. A player's name before a fault stays.
    #[must_use]
    pub fn end_in(&self, language: Language) -> String {
        let part = |part: &str| {
            let named =
                self.names.iter().find_map(|name| Some((name, part.strip_prefix(name)?.strip_prefix(": ")?)));
            match named {
                Some((name, fault)) => format!("{name}{}{}", language.colon(), say(fault, language)),
                None => say(part, language),
            }
        };
        self.end.split("; ").map(part).collect::<Vec<_>>().join(language.choose(" ; ", "; "))
    }

    /// Returns the text of a board, the opening's being the first.
    #[must_use]
    pub fn board(&self, nth: usize) -> String {
        let lines = self.boards.get(nth).into_iter().flatten();
        lines.filter_map(|&line| self.lines.get(line)).flat_map(|line| [line, "\n"]).collect()
    }
}
