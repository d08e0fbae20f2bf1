//! Opening files: lines in the game's notation or as offsets from the middle; SGF, GGF, PSQ and PGN games; OBF and the
//! courses' own position files.

use crate::fault::shortened;
use crate::notation::{self, ReadError, Written};
use crate::record::plain_spelling;
use crate::registry::{self, Game};
use crate::suite::Problem;
use anyhow::bail;
use clap::{Args, ValueEnum};
use std::collections::BTreeSet;

/// The order in which openings are played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Order {
    /// A random order from the run's seed
    #[default]
    Random,
    /// The order of the file
    Sequential,
}

/// The choice of openings from a file.
#[derive(Debug, Clone, Default, Args)]
pub struct OpeningOptions {
    /// Opening file: one opening a line, or SGF, GGF, PSQ, PGN, OBF or positions; "none" for the initial position [default:
    /// the game's own set]
    #[arg(long, value_name = "FILE")]
    pub openings: Option<String>,
    /// The order of the openings
    #[arg(long, value_enum, default_value_t = Order::Random)]
    pub openings_order: Order,
    /// The first opening that is played, from 1 in the order of the file
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub openings_start: u32,
    /// Use only the first N plies of each opening [default: all]
    #[arg(long, value_name = "N")]
    pub openings_plies: Option<usize>,
}

/// The texts of a game's openings, in files of openings and of problems. By default moves separated by blanks.
pub trait OpeningNotation: Sync {
    /// Splits a line of moves. Returns `None` if the game's openings hold no moves.
    fn split(&self, line: &str) -> Option<Vec<String>> {
        Some(line.split_whitespace().map(str::to_owned).collect())
    }

    /// Joins moves to a line.
    fn join(&self, moves: &[String]) -> String {
        moves.join(" ")
    }

    /// Converts the opening of a game in another notation. `size` is the rows and columns of the run.
    ///
    /// # Errors
    /// If the game is of another size.
    fn of_game(&self, opening: String, _size: (usize, usize)) -> anyhow::Result<String> {
        Ok(opening)
    }

    /// Returns the opening for a text that is one position in several lines.
    fn file(&self, _text: &str) -> Option<String> {
        None
    }

    /// Converts a line, with its positions in the course's or other programs' notation. `size` is the rows and columns
    /// of the run, if they are known.
    ///
    /// # Errors
    /// The error in the line.
    fn line(&self, line: &str, _size: Option<(usize, usize)>) -> anyhow::Result<String> {
        Ok(line.to_owned())
    }

    /// Parses a line that is a problem in a notation of its own. Returns `None` for other lines.
    ///
    /// # Errors
    /// The error in the line.
    fn problem(&self, _line: &str) -> anyhow::Result<Option<Problem>> {
        Ok(None)
    }
}

/// Openings of moves separated by blanks.
pub struct Spaced;

impl OpeningNotation for Spaced {}

/// An opening of a file: the number of its line or game, from 1, and its text in the game's notation.
pub type Numbered = (usize, String);

/// The openings of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The unit of the numbers: `line` or `game`.
    pub unit: &'static str,
    /// The openings, each with its number in the file.
    pub lines: Vec<Numbered>,
}

/// An error in a file of openings.
#[derive(Debug, thiserror::Error)]
pub enum OpeningsError {
    /// The games cannot be parsed.
    #[error(transparent)]
    Notation(#[from] ReadError),
    /// An opening is not valid.
    #[error("{unit} {number}: {}", shortened(&error.to_string()))]
    Opening {
        /// The unit of the number: `line` or `game`.
        unit: &'static str,
        /// The number of the line or game, from 1.
        number: usize,
        /// The game's own error.
        error: anyhow::Error,
    },
}

/// Parses the openings of a text for a game, each with the number of its line or game. `size` is the rows and columns
/// of the run.
///
/// # Errors
/// The first error in the text.
pub fn read(
    game: Game,
    text: &str,
    size: (usize, usize),
    plies: Option<usize>,
) -> Result<Found, OpeningsError> {
    let (unit, openings): (_, Vec<Numbered>) = match notation::of(text) {
        Some(notation) => {
            let unit = "game";
            let line = |(number, written)| match opening_of(game, written, size) {
                Ok(line) => Ok((number, line)),
                Err(error) => Err(OpeningsError::Opening { unit, number, error }),
            };
            let games = notation.read(text, usize::MAX)?;
            (unit, (1..).zip(games).map(line).collect::<Result<_, _>>()?)
        }
        None => (LINE, lines(game, text, size)?),
    };
    let mut seen = BTreeSet::new();
    let cut = |(number, line)| (number, cut(game, line, plies));
    let lines = openings
        .into_iter()
        .map(cut)
        .filter(|(_, line)| seen.insert(plain_spelling([line.as_str()])))
        .collect();
    Ok(Found { unit, lines })
}

/// The unit of files with one opening a line.
const LINE: &str = "line";

/// Converts a game to an opening.
fn opening_of(game: Game, written: Written, size: (usize, usize)) -> anyhow::Result<String> {
    let Written { course, opening, moves, .. } = written;
    if course != game.name() && registry::find(&course).is_some() {
        bail!("a game of {course}, not of {}", game.name());
    }
    let opening = game.openings().of_game(opening, size)?;
    if !moves.is_empty() && game.openings().split("").is_none() {
        bail!("the openings of {} hold no moves: write \"{opening}\" on a line of its own", game.name());
    }
    let moves = game.openings().join(&moves);
    let gap = if opening.is_empty() || moves.is_empty() { "" } else { " " };
    Ok(format!("{opening}{gap}{moves}"))
}

/// Parses openings of one line each, or a file of one position.
fn lines(game: Game, text: &str, size: (usize, usize)) -> Result<Vec<Numbered>, OpeningsError> {
    if let Some(position) = game.openings().file(text) {
        return Ok(vec![(1, position)]);
    }
    let is_opening = |(_, line): &(usize, &str)| !line.is_empty() && !line.starts_with(['#', '%']);
    (1..)
        .zip(text.lines().map(str::trim))
        .filter(is_opening)
        .map(|(number, line)| match game.openings().line(line, Some(size)) {
            Ok(line) => Ok((number, line)),
            Err(error) => Err(OpeningsError::Opening { unit: LINE, number, error }),
        })
        .collect()
}

/// Truncates an opening to its first plies.
fn cut(game: Game, line: String, plies: Option<usize>) -> String {
    let Some(plies) = plies else { return line };
    let (board, moves) = crate::course::split_position(&line);
    let Some(moves) = game.openings().split(moves) else { return line };
    let kept = game.openings().join(&moves[..moves.len().min(plies)]);
    match board {
        Some(board) => format!("@{board} {kept}").trim_end().to_owned(),
        None => kept,
    }
}
