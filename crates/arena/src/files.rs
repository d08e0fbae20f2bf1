//! Games that were played elsewhere: record files, and the notations of the games.

use crate::hall::GAMES;
use courses::notation::{self, Written};
use courses::record::{Played, Record};
use courses::registry;

/// The games of a text; `records` reads the referee's own files.
///
/// # Errors
/// With what is wrong in it.
pub fn read(
    text: &str,
    records: impl FnOnce(&str) -> Result<Vec<Record>, String>,
) -> Result<Vec<Record>, String> {
    let games = if text.trim_start().starts_with('{') {
        records(text)?
    } else if let Some(notation) = notation::of(text) {
        let games = notation.read(text, GAMES).map_err(|error| error.to_string())?;
        games.into_iter().map(|game| record(game, text)).collect::<Result<_, _>>()?
    } else {
        return Err("neither a record file, a maze's journal, nor GGF, SGF, PSQ or PGN".to_owned());
    };
    if games.is_empty() { Err("the file has no games".to_owned()) } else { Ok(games) }
}

/// Returns the record of a game in a notation.
fn record(written: Written, text: &str) -> Result<Record, String> {
    let Some(game) = registry::find(&written.course) else {
        let course = courses::fault::excerpt(&written.course);
        return Err(format!("[Event \"{course}\"] names no game: {}", in_pgn()));
    };
    let is_own = game.notations().iter().any(|own| own.is_of(text));
    if let Some(refusal) = game.pgn_refusal().filter(|_| !is_own) {
        return Err(refusal.to_owned());
    }
    let Written { course, names, opening, moves, comment, points, missed } = written;
    let seats = names.len();
    let played = Played {
        moves,
        missed,
        points: points.map_or_else(|| vec![0.0; seats], Vec::from),
        score: vec![0.0; seats],
        end: courses::fault::excerpt(&comment),
        ..Played::default()
    };
    Ok(Record { game: 0, group: 0, course, seats: (0..seats).collect(), names, opening, seed: 1, played })
}

/// Lists the games that PGN can hold.
fn in_pgn() -> String {
    let names: Vec<&str> =
        registry::all().iter().filter(|game| game.pgn_refusal().is_none()).map(|game| game.name()).collect();
    match names.as_slice() {
        [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        _ => names.concat(),
    }
}
