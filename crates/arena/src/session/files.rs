//! Games of other programs: record files, and the notations of the games.

use anyhow::{Result, bail, ensure};
use courses::notation::{self, Written};
use courses::record::{Played, Record};
use courses::registry;

/// Maximum number of games that are read from a file.
pub const GAMES: usize = 200;

/// Reads the games of a text; `records` reads record files.
///
/// # Errors
/// The error in the text.
pub fn read(text: &str, records: impl FnOnce(&str) -> Result<Vec<Record>>) -> Result<Vec<Record>> {
    let games = if text.trim_start().starts_with('{') {
        records(text)?
    } else if let Some(notation) = notation::of(text) {
        notation.read(text, GAMES)?.into_iter().map(|game| record(game, text)).collect::<Result<_, _>>()?
    } else {
        bail!("neither a record file, a maze's journal, nor GGF, SGF, PSQ or PGN");
    };
    ensure!(!games.is_empty(), "the file has no games");
    Ok(games)
}

/// Returns the record of a game in a notation.
fn record(written: Written, text: &str) -> Result<Record> {
    let Some(game) = registry::find(&written.course) else {
        let course = courses::fault::excerpt(&written.course);
        bail!("[Event \"{course}\"] names no game: {}", in_pgn());
    };
    let is_own = game.notations().iter().any(|own| own.is_of(text));
    if let Some(refusal) = game.pgn_refusal().filter(|_| !is_own) {
        bail!(refusal);
    }
    let Written { course, names, opening, moves, comment, points, missed, notes, variations, about } =
        written;
    let seats = names.len();
    let played = Played {
        moves,
        missed,
        notes,
        variations,
        about,
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
