//! Reads record files. Every line is checked against the run's head.

use super::{FirstLine, Head, StoreError};
use crate::fault::shortened;
use crate::record::Record;
use std::collections::BTreeSet;
use std::io::{BufRead, Read};
use std::path::Path;

/// Maximum length of a line in bytes. The longest game is a full grid of 1,023 a side.
const LINE_LIMIT: u64 = 256 << 20;
/// Maximum length of the head in bytes, for some thousands of players.
const HEAD_LIMIT: u64 = 4 << 20;
/// More games than a file holds.
const MOST_GAMES: u64 = 1 << 40;
/// Maximum number of players in a game.
const MOST_SEATS: usize = 4;

/// The content of a record file.
pub(super) struct Contents {
    pub(super) head: Option<Head>,
    pub(super) records: Vec<Record>,
    /// The number of bytes in whole lines.
    pub(super) whole: u64,
    /// True if the last whole line lacks its end, which an editor may leave out.
    pub(super) lacks_end: bool,
    /// The bytes after the last whole line: the line that a killed referee was writing, or no record at all.
    pub(super) rest: Vec<u8>,
}

/// Reads a record file, and gives each game to `slim`, which may drop what the caller does not need.
pub(super) fn read(
    path: &Path,
    mut reader: impl BufRead,
    slim: impl Fn(&Head, &mut Record),
) -> Result<Contents, StoreError> {
    let mut contents =
        Contents { head: None, records: Vec::new(), whole: 0, lacks_end: false, rest: Vec::new() };
    let mut seen = BTreeSet::new();
    for line in 1.. {
        let wrong = |error| StoreError::Line { path: path.to_owned(), line, error };
        let limit = if line == 1 { HEAD_LIMIT } else { LINE_LIMIT };
        let mut bytes = Vec::new();
        let io = |error| StoreError::Io { path: path.to_owned(), error };
        reader.by_ref().take(limit + 1).read_until(b'\n', &mut bytes).map_err(io)?;
        if bytes.len() as u64 > limit {
            return Err(wrong(LineError::TooLong { limit }));
        }
        if bytes.last() != Some(&b'\n') {
            let is_whole = |head| {
                let record = serde_json::from_slice::<Record>(&bytes).ok();
                record.is_some_and(|record| check(head, &record).is_ok() && !seen.contains(&record.game))
            };
            if !contents.head.as_ref().is_some_and(is_whole) {
                contents.rest = bytes;
                break;
            }
            contents.lacks_end = true;
        }
        let text = if line == 1 { of_first(&bytes).map_err(wrong)? } else { &bytes };
        let broken = |error| wrong(LineError::Json(error));
        match &contents.head {
            None => {
                let head = serde_json::from_slice::<FirstLine>(text).map_err(broken)?.run;
                check_head(&head).map_err(wrong)?;
                contents.head = Some(head);
            }
            Some(head) => {
                let mut record: Record = serde_json::from_slice(text).map_err(broken)?;
                check(head, &record).map_err(wrong)?;
                if !seen.insert(record.game) {
                    return Err(wrong(field("game", format!("game {} occurs twice", record.game))));
                }
                slim(head, &mut record);
                contents.records.push(record);
            }
        }
        contents.whole += bytes.len() as u64;
    }
    Ok(contents)
}

/// Refuses a file of UTF-16: appended lines are UTF-8.
///
/// # Errors
/// [`LineError::Utf16`].
pub fn check_encoding(bytes: &[u8]) -> Result<(), LineError> {
    if let [0xff, 0xfe, ..] | [0xfe, 0xff, ..] = bytes { Err(LineError::Utf16) } else { Ok(()) }
}

/// Returns the first line without byte order marks, which some editors write. A file of UTF-16 is refused.
fn of_first(mut bytes: &[u8]) -> Result<&[u8], LineError> {
    while let [0xef, 0xbb, 0xbf, rest @ ..] = bytes {
        bytes = rest;
    }
    check_encoding(bytes)?;
    Ok(bytes)
}

/// The fault of a line in a record file.
#[derive(Debug, thiserror::Error)]
pub enum LineError {
    /// The line exceeds the limit of its kind.
    #[error("longer than {limit} bytes")]
    TooLong {
        /// Maximum length in bytes.
        limit: u64,
    },
    /// An editor has changed the encoding of the file.
    #[error("the file is UTF-16: UTF-8 is expected")]
    Utf16,
    /// The line is not JSON, or lacks a field.
    #[error("{}", json_error(.0))]
    Json(serde_json::Error),
    /// The file's end is not that of a referee that was killed while writing.
    #[error("the line does not end and is not the beginning of a record")]
    Unfinished,
    /// The file has no line.
    #[error("expected the head of a run, found no line")]
    NoHead,
    /// A field contradicts its record or the run.
    #[error("field {field}: {detail}")]
    Field {
        /// The name of the field.
        field: &'static str,
        /// The value found and those allowed.
        detail: String,
    },
}

fn field(field: &'static str, detail: String) -> LineError {
    LineError::Field { field, detail }
}

/// Formats the parser's error without its line number, which is always 1 here. It may quote a text of any length.
fn json_error(error: &serde_json::Error) -> String {
    let message = error.to_string().replace(" at line 1 column", ", column");
    shortened(&message.replace(" at line 2 column", ", column"))
}

fn check_head(head: &Head) -> Result<(), LineError> {
    if !(1..=MOST_SEATS).contains(&head.seats) {
        return Err(field("seats", format!("{} players a game, not 1 to {MOST_SEATS}", head.seats)));
    }
    if head.names.len() < head.seats {
        return Err(field("names", format!("{} for games of {}", head.names.len(), head.seats)));
    }
    length("players", head.players.len(), head.names.len())
}

/// Checks a record for consistency and against its run.
fn check(head: &Head, record: &Record) -> Result<(), LineError> {
    let played = &record.played;
    if record.game >= MOST_GAMES {
        return Err(field("game", format!("number {}, not under {MOST_GAMES}", record.game)));
    }
    if record.course != head.course {
        return Err(field("course", format!("\"{}\" in a run of {}", record.course, head.course)));
    }
    length("seats", record.seats.len(), head.seats)?;
    for (seat, player) in record.seats.iter().enumerate() {
        if *player >= head.names.len() {
            return Err(field("seats", format!("player {player} of {}", head.names.len())));
        }
        if record.seats[..seat].contains(player) {
            return Err(field("seats", format!("player {player} sits twice")));
        }
    }
    length("names", record.names.len(), head.seats)?;
    length("points", played.points.len(), head.seats)?;
    if let Some(points) = played.points.iter().find(|points| !(0.0..=1.0).contains(*points)) {
        return Err(field("points", format!("{points} is not between 0 and 1")));
    }
    check_points(&played.points)?;
    length("score", played.score.len(), head.seats)?;
    length("movers", played.movers.len(), played.moves.len())?;
    length("micros", played.micros.len(), played.moves.len())?;
    if !played.thoughts.is_empty() {
        length("thoughts", played.thoughts.len(), played.moves.len())?;
    }
    if let Some((nth, _)) = played.missed.iter().find(|(nth, _)| *nth >= played.moves.len()) {
        return Err(field("missed", format!("move {nth} of {}", played.moves.len())));
    }
    if let Some(seat) = played.movers.iter().find(|&&seat| seat >= head.seats) {
        return Err(field("movers", format!("seat {seat} of {}", head.seats)));
    }
    if let Some((seat, _)) = played.faults.iter().find(|(seat, _)| *seat >= head.seats) {
        return Err(field("faults", format!("seat {seat} of {}", head.seats)));
    }
    if let Some((seat, _)) = played.remarks.iter().find(|(seat, _)| *seat >= head.seats) {
        return Err(field("remarks", format!("seat {seat} of {}", head.seats)));
    }
    length("cpu", played.cpu.len(), head.seats)?;
    for (name, found) in [("errors", played.errors.len()), ("last_lines", played.last_lines.len())] {
        if found > 0 {
            length(name, found, head.seats)?;
        }
    }
    Ok(())
}

/// Checks that the points add up, by winner or by rank. A game without a result has no points.
fn check_points(points: &[f64]) -> Result<(), LineError> {
    let whole = match points.len() {
        1 | 2 => 1.0,
        // The assignment's marks in the maze, divided by the highest: 6, 4 and 0; 6, 4, 2 and 0.
        3 => 10.0 / 6.0,
        _ => 2.0,
    };
    let sum: f64 = points.iter().sum();
    if points.iter().all(|&points| points == 0.0) || (sum - whole).abs() < 1e-6 {
        return Ok(());
    }
    Err(field("points", format!("{sum} in all, and a game of {} gives {whole:.3}", points.len())))
}

fn length(name: &'static str, found: usize, expected: usize) -> Result<(), LineError> {
    if found == expected { Ok(()) } else { Err(field(name, format!("{found} instead of {expected}"))) }
}
