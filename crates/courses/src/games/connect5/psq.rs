//! The files of the Piskvork manager (<https://gomocup.org>): games as PSQ, openings as offsets from the middle.

use super::cell_name;
use crate::fault::excerpt;
use crate::notation::{Notation, ReadError, Written};
use crate::player::clean_name;
use connect5_joueur::rules::{Cell, MAX_SIDE};
use std::collections::BTreeSet;

/// The beginning of a game file.
pub const SIGN: &str = "Piskvorky ";

/// The notation of games.
pub struct Psq;

impl Notation for Psq {
    fn is_of(&self, text: &str) -> bool {
        text.trim_start().starts_with(SIGN)
    }

    fn read(&self, text: &str, _: usize) -> Result<Vec<Written>, ReadError> {
        let wrong = |(line, fault): (usize, PsqError)| ReadError { game: Some(1), line, fault: fault.into() };
        Ok(vec![read(text.trim_start()).map_err(wrong)?])
    }
}

/// An error in a file of the manager.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PsqError {
    /// The first line is not a head.
    #[error("\"{0}\" is no head: \"Piskvorky 15x15, 11:11, 0\" expected")]
    Head(String),
    /// A line is not a move.
    #[error("\"{0}\" is no move: column, row and milliseconds expected, from 1,1 to {1},{2}")]
    Move(String, usize, usize),
    /// A cell is taken.
    #[error("{0} is taken")]
    Taken(String),
    /// A line is not an opening.
    #[error("\"{0}\" is no opening: pairs of whole numbers expected, columns and rows from the middle")]
    Offsets(String),
    /// An opening leaves the grid.
    #[error("{0},{1} from the middle lies outside the {2} x {3} grid")]
    Outside(i64, i64, usize, usize),
}

/// Parses a PSQ game: its size, then one line a move (column and row, from 1, and milliseconds), then optionally the
/// names of the two programs. Black moves first.
///
/// # Errors
/// The number of the faulty line, from 1, and the error.
pub fn read(text: &str) -> Result<Written, (usize, PsqError)> {
    let mut lines = (1..).zip(text.lines().map(str::trim));
    let head = lines.next().map_or("", |(_, line)| line);
    let (columns, rows, is_swapped) = read_head(head).ok_or_else(|| (1, PsqError::Head(excerpt(head))))?;
    let (mut moves, mut names) = (Vec::new(), Vec::new());
    let mut taken = BTreeSet::new();
    for (number, line) in lines {
        let is_move = line.starts_with(|c: char| c.is_ascii_digit()) && line.contains(',');
        if is_move && names.is_empty() {
            let wrong = || (number, PsqError::Move(excerpt(line), columns, rows));
            let numbers: Vec<usize> =
                line.split(',').map_while(|number| number.trim().parse().ok()).collect();
            let &[column, row, ..] = numbers.as_slice() else { return Err(wrong()) };
            if !(1..=columns).contains(&column) || !(1..=rows).contains(&row) {
                return Err(wrong());
            }
            let name = cell_name(Cell::at(row - 1, column - 1, columns), columns);
            if !taken.insert(name.clone()) {
                return Err((number, PsqError::Taken(name)));
            }
            moves.push(name);
        } else if !line.is_empty() && names.len() < 2 && line.parse::<i64>().is_err() {
            names.push(clean_name(line));
        }
    }
    names.resize(2, "?".to_owned());
    if is_swapped {
        names.swap(0, 1);
    }
    let opening = format!("{rows}x{columns}");
    Ok(Written { course: "connect5".to_owned(), names, opening, moves, ..Written::default() })
}

/// Returns columns, rows, and true if the second player began.
fn read_head(line: &str) -> Option<(usize, usize, bool)> {
    let mut fields = line.strip_prefix(SIGN)?.split(',').map(str::trim);
    let (columns, rows) = fields.next()?.split_once('x')?;
    let side = |text: &str| text.parse::<usize>().ok().filter(|side| (1..=MAX_SIDE).contains(side));
    Some((side(columns)?, side(rows)?, fields.nth(1) == Some("1")))
}

/// Returns true if a line can be an opening of offsets: integers separated by commas.
#[must_use]
pub fn is_offsets(line: &str) -> bool {
    line.contains(',') && line.chars().all(|c| c.is_ascii_digit() || "-+, \t".contains(c))
}

/// Converts an opening of offsets, `0,0, 1,0, 1,3`, to moves. Offsets are column and row from the middle cell, or from
/// the one after the middle if a side is even.
///
/// # Errors
/// [`PsqError`].
pub fn offsets(line: &str, (rows, columns): (usize, usize)) -> Result<String, PsqError> {
    let numbers: Option<Vec<i64>> =
        line.trim_end_matches([',', ' ']).split(',').map(|number| number.trim().parse().ok()).collect();
    let numbers = numbers.filter(|numbers| numbers.len() % 2 == 0);
    let numbers = numbers.ok_or_else(|| PsqError::Offsets(excerpt(line)))?;
    let mut names: Vec<String> = Vec::new();
    for pair in numbers.chunks(2) {
        let [x, y] = [pair[0], pair[1]];
        let place = |offset: i64, side: usize| {
            let at = usize::try_from(offset.checked_add(side as i64 / 2)?).ok()?;
            (at < side).then_some(at)
        };
        let (column, row) =
            place(x, columns).zip(place(y, rows)).ok_or(PsqError::Outside(x, y, rows, columns))?;
        let name = cell_name(Cell::at(row, column, columns), columns);
        if names.contains(&name) {
            return Err(PsqError::Taken(name));
        }
        names.push(name);
    }
    Ok(names.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_of_the_manager_is_read() {
        let text =
            "Piskvorky 20x15, 11:11, 1\r\n10,8,0\r\n11,9,1024\r\n1,15,30\r\npbrain-a.exe\r\nb.zip\r\n-1\r\n";
        let game = read(text).unwrap();
        assert_eq!((game.opening.as_str(), game.moves.join(" ").as_str()), ("15x20", "j8 k9 a15"));
        assert_eq!(game.names, ["b.zip", "pbrain-a.exe"], "the second program began");
        assert_eq!(read("Piskvorky 20x20, 0:0, 0\n1,1,0\n-1\n").unwrap().names, ["?", "?"]);
    }

    #[test]
    fn a_fault_of_a_game_has_its_line() {
        for (text, line, error) in [
            (
                "Piskvorky 15, 1:1, 0",
                1,
                "\"Piskvorky 15, 1:1, 0\" is no head: \"Piskvorky 15x15, 11:11, 0\" expected",
            ),
            (
                "Piskvorky 9999x15, 1:1, 0",
                1,
                "\"Piskvorky 9999x15, 1:1, 0\" is no head: \"Piskvorky 15x15, 11:11, 0\" expected",
            ),
            (
                "Piskvorky 15x9, 1:1, 0\n0,1,0",
                2,
                "\"0,1,0\" is no move: column, row and milliseconds expected, from 1,1 to 15,9",
            ),
            (
                "Piskvorky 15x9, 1:1, 0\n1,1,0\n1,x,0",
                3,
                "\"1,x,0\" is no move: column, row and milliseconds expected, from 1,1 to 15,9",
            ),
            ("Piskvorky 15x9, 1:1, 0\n1,1,0\n\n1,1,0", 4, "a1 is taken"),
        ] {
            let (found, fault) = read(text).unwrap_err();
            assert_eq!((found, fault.to_string().as_str()), (line, error));
        }
    }

    #[test]
    fn offsets_count_from_the_middle() {
        assert!(is_offsets("0,0, -1,3,") && !is_offsets("0 0") && !is_offsets("a1,b2"));
        assert_eq!(offsets("0,0, -1,3", (15, 15)).unwrap(), "h8 g11");
        assert_eq!(offsets("0,0,-10,-10", (20, 20)).unwrap(), "k11 a1", "the middle of an even side");
        let error = |line: &str| offsets(line, (15, 9)).unwrap_err().to_string();
        assert_eq!(error("0,0, 5,0"), "5,0 from the middle lies outside the 15 x 9 grid");
        assert_eq!(error("0,0, 0,0"), "e8 is taken");
        assert_eq!(
            error("0,0,1"),
            "\"0,0,1\" is no opening: pairs of whole numbers expected, columns and rows from the middle"
        );
        assert!(error("0,0,9223372036854775807,1").contains("outside"));
    }
}
