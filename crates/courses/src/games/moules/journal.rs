//! Journals of the server as a notation of games.

use crate::fault::excerpt;
use crate::notation::{Notation, ReadError, Written};
use crate::record::Missed;

/// Journals of `moules-serveur`, read as games.
pub struct Journal;

/// An error in a journal.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum JournalError {
    /// A line is not valid.
    #[error("\"{0}\"")]
    Line(String),
    /// A match of too many players, or of none.
    #[error("{0} players: 1 to 4")]
    Seats(usize),
}

impl Notation for Journal {
    fn is_of(&self, text: &str) -> bool {
        text.trim_start().starts_with("partie ")
    }

    fn read(&self, text: &str, most: usize) -> Result<Vec<Written>, ReadError> {
        let mut games: Vec<Written> = Vec::new();
        for (nth, line) in text.lines().enumerate() {
            if games.len() == most && line.starts_with("partie ") {
                break;
            }
            take(&mut games, line).map_err(|fault| ReadError {
                game: None,
                line: nth + 1,
                fault: fault.into(),
            })?;
        }
        Ok(games)
    }
}

/// Applies a line to the last match, or begins a match.
fn take(games: &mut Vec<Written>, line: &str) -> Result<(), JournalError> {
    let words: Vec<&str> = line.split(' ').collect();
    let wrong = || JournalError::Line(excerpt(line));
    match (words.as_slice(), games.last_mut()) {
        (["partie", size, rest @ ..], _) => games.push(begin(size, rest).ok_or_else(wrong)??),
        (["nom", seat, name @ ..], Some(game)) => {
            let seat: usize = seat.parse().map_err(|_| wrong())?;
            *game.names.get_mut(seat).ok_or_else(wrong)? = excerpt(&name.join(" "));
        }
        (["fin", ..], Some(_)) | ([""], _) => {}
        ([seat, command, origin @ ..], Some(game)) if seat.parse::<usize>().is_ok() => {
            let missed = match origin {
                ["retard"] => Some(Missed::Late),
                ["absent"] => Some(Missed::Gone),
                _ => None,
            };
            game.missed.extend(missed.map(|missed| (game.moves.len(), missed)));
            game.moves.push((*command).to_owned());
        }
        _ if line.starts_with('#') => {}
        _ => return Err(wrong()),
    }
    Ok(())
}

/// Begins a match. Returns `None` if a setting is missing.
fn begin(size: &str, rest: &[&str]) -> Option<Result<Written, JournalError>> {
    let field = |name: &str| {
        let at = rest.iter().position(|word| *word == name)?;
        rest.get(at + 1).copied()
    };
    let seats: usize = field("joueurs")?.parse().ok()?;
    if !(1..=4).contains(&seats) {
        return Some(Err(JournalError::Seats(seats)));
    }
    let turns = field("tours").and_then(|turns| turns.parse::<u64>().ok()).unwrap_or(0);
    let opening = format!(
        "maze {} items {} size {size} dunes {} mussels {} beers {} frites {} turns {turns}",
        field("laby")?,
        field("bonus")?,
        field("dunes")?,
        field("moules")?,
        field("bieres")?,
        field("frites")?
    );
    let (course, names) = ("moules".to_owned(), vec![String::new(); seats]);
    Some(Ok(Written { course, names, opening, ..Written::default() }))
}
