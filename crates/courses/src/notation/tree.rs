//! Archives of games as trees of properties: SGF, and notations like it.

use super::{ReadError, Written};
use std::error::Error;
use wire::properties::{Part, Reader};

/// Maximum length of the text before the first game of an archive, which is the number of its boards.
const BEFORE: usize = 20;

/// Trees that differ in how they name their game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tree {
    /// The game is a word, or its board is written out.
    Named,
    /// The game is a number, or not stated.
    Numbered,
}

impl Tree {
    /// Returns the kind of a text's first tree, or `None` if the text does not begin with one.
    #[must_use]
    pub fn of(text: &str) -> Option<Self> {
        let start = text.trim_start();
        let number = start.trim_start_matches(|c: char| c.is_ascii_digit());
        let tree = number.trim_start().strip_prefix('(').filter(|_| start.len() - number.len() <= BEFORE)?;
        let is_tree = tree.trim_start().starts_with(';');
        is_tree.then(|| if is_named(start) { Self::Named } else { Self::Numbered })
    }
}

fn is_named(text: &str) -> bool {
    let mut reader = Reader::new(text);
    while let Ok(Some(part)) = reader.next_part() {
        match part {
            Part::Property("GM", name) => return name.trim().parse::<u32>().is_err(),
            Part::Property("BO", _) => return true,
            Part::Property("B" | "W", _) | Part::End => return false,
            _ => {}
        }
    }
    false
}

/// Parses the first games of an archive, at most `most`, with a parser of the next game. `place` returns an error's
/// line, if it differs from the line read last.
///
/// # Errors
/// The first game that is not valid.
pub fn archive<E: Error + Send + Sync + 'static>(
    text: &str,
    most: usize,
    next: fn(&mut Reader<'_>) -> Result<Option<Written>, E>,
    place: fn(&E) -> Option<usize>,
) -> Result<Vec<Written>, ReadError> {
    let mut reader = Reader::new(text);
    let mut games = Vec::new();
    while games.len() < most {
        match next(&mut reader) {
            Ok(Some(game)) => games.push(game),
            Ok(None) => break,
            Err(error) => {
                let line = place(&error).unwrap_or_else(|| reader.line());
                return Err(ReadError { game: Some(games.len() + 1), line, fault: error.into() });
            }
        }
    }
    Ok(games)
}
