//! Games in notations of other programs: each game's own, and PGN for all.

mod charset;
pub mod pgn;
pub mod tree;

pub use charset::{UnknownCharset, decode};

use crate::note::{self, Note, Notes};
use crate::record::{About, Missed, Played, Record, Variation};
use crate::registry;
use crate::thought::Thought;

/// A game of a file.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Written {
    /// The assignment's name, or in PGN the header `Event`.
    pub course: String,
    /// The players' names, by seat.
    pub names: Vec<String>,
    /// The opening, in the notation of records.
    pub opening: String,
    /// The moves, in the notation of records.
    pub moves: Vec<String>,
    /// The comment at the start of the game. Our own files state the end of the game there.
    pub comment: String,
    /// The points by seat, if the file states them.
    pub points: Option<[f64; 2]>,
    /// The turns that a server played for a player, by index of the move.
    pub missed: Vec<(usize, Missed)>,
    /// Comments, labels and symbols of moves.
    pub notes: Notes,
    /// Lines beside the moves.
    pub variations: Vec<Variation>,
    /// The date, the result and the comment of the game, as written.
    pub about: About,
}

/// A notation of games that other programs read or write.
pub trait Notation: Sync {
    /// Returns true for a text that begins as this notation does.
    fn is_of(&self, text: &str) -> bool;

    /// Parses the first games of a text, at most `most`.
    ///
    /// # Errors
    /// The first game that is not valid.
    fn read(&self, text: &str, most: usize) -> Result<Vec<Written>, ReadError>;

    /// Writes a record. Returns `None` if the notation cannot express it.
    fn write(&self, _record: &Record) -> Option<String> {
        None
    }

    /// Returns the ending of the names of its files, or `None` if games are not written in it.
    fn extension(&self) -> Option<&'static str> {
        None
    }
}

/// An error in a game, and its place.
#[derive(Debug, thiserror::Error)]
#[error("{}line {line}: {fault}", .game.map_or_else(String::new, |game| format!("game {game}, ")))]
pub struct ReadError {
    /// The game's number in the text, from 1, if the line alone does not say enough.
    pub game: Option<usize>,
    /// The line, from 1.
    pub line: usize,
    /// The reason, without its place.
    pub fault: Box<dyn std::error::Error + Send + Sync>,
}

/// Returns the notation of a text by its beginning, or `None` if it is unknown.
#[must_use]
pub fn of(text: &str) -> Option<&'static dyn Notation> {
    let own = registry::all().into_iter().flat_map(|game| game.assignment().notations().iter().copied());
    own.chain([&pgn::Pgn as &dyn Notation]).find(|notation| notation.is_of(text))
}

/// Writes all games in the notation of their assignment, or as PGN if it has none.
#[must_use]
pub fn all(records: &[Record]) -> String {
    let own = |record: &Record| {
        let game = registry::find(&record.course)?;
        game.notations().iter().find_map(|notation| notation.write(record))
    };
    records.iter().map(|record| own(record).unwrap_or_else(|| pgn::write(record))).collect()
}

/// Returns the result. An unfinished game is exported without a result.
pub(crate) fn result(record: &Record) -> &'static str {
    let is_open = record.played.points.iter().all(|&points| points == 0.0);
    match record.played.points.first() {
        _ if record.seats.len() != 2 || is_open => "*",
        Some(&points) if points > 0.75 => "1-0",
        Some(&points) if points < 0.25 => "0-1",
        _ => "1/2-1/2",
    }
}

/// Returns the comment before the first move: that of the game's file, or the game's end.
pub(crate) fn root_comment(record: &Record) -> &str {
    let Played { about, end, .. } = &record.played;
    if about.comment.is_empty() { end } else { &about.comment }
}

/// Returns the search report on move `nth` after the opening.
pub(crate) fn thought(record: &Record, nth: usize) -> Option<&Thought> {
    record.played.thoughts.get(nth)?.as_ref()
}

/// Returns the person's note on move `nth` after the opening; empty if there is none.
pub(crate) fn note(record: &Record, nth: usize) -> Note {
    note::of(&record.played.notes, nth).cloned().unwrap_or_default()
}

/// Joins a person's comment and a search report.
pub(crate) fn comment(own: &str, thought: Option<&Thought>) -> String {
    let told = thought.map(Thought::text).unwrap_or_default();
    [own, &told].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n")
}

/// Returns the time of move `nth` after the opening, in seconds.
pub(crate) fn seconds(record: &Record, nth: usize) -> f64 {
    record.played.micros.get(nth).map_or(0.0, |&micros| micros as f64 / 1e6)
}
