//! Reads games in notations of other programs.

use super::{Written, pgn};
use crate::games::connect5::{psq, sgf};
use crate::games::othello::ggf;
use othello_player::rules::ggf::RecordError;
use wire::properties::{Part, Reader};

/// A notation of games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Othello, in the Generic Game Format.
    Ggf,
    /// Gomoku, in the Smart Game Format.
    Sgf,
    /// Gomoku, in the files of the Piskvork manager.
    Psq,
    /// Any game, with the headers of chess.
    Pgn,
}

/// Maximum length of the text before the first game of an archive, which is the number of its boards.
const BEFORE: usize = 20;

impl Format {
    /// Returns the notation of a text by its beginning, or `None` if it is unknown.
    #[must_use]
    pub fn of(text: &str) -> Option<Self> {
        let start = text.trim_start();
        let number = start.trim_start_matches(|c: char| c.is_ascii_digit());
        let tree = number.trim_start().strip_prefix('(').filter(|_| start.len() - number.len() <= BEFORE);
        if tree.is_some_and(|tree| tree.trim_start().starts_with(';')) {
            return Some(if is_ggf(start) { Self::Ggf } else { Self::Sgf });
        }
        if start.starts_with(psq::SIGN) {
            return Some(Self::Psq);
        }
        let header = start.strip_prefix('[').and_then(|header| header.lines().next());
        header.filter(|header| header.contains(" \"")).map(|_| Self::Pgn)
    }
}

/// Returns true if the first game of a tree is GGF: its name is a word, or its board is written out.
fn is_ggf(text: &str) -> bool {
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

/// An error in a game, and its place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("game {game}, line {line}: {fault}")]
pub struct ReadError {
    /// The game's number in the text, from 1.
    pub game: usize,
    /// The line, from 1.
    pub line: usize,
    /// The fault found there.
    pub fault: Fault,
}

/// The error of a game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// An error in GGF.
    #[error(transparent)]
    Ggf(#[from] RecordError),
    /// An error in SGF.
    #[error(transparent)]
    Sgf(#[from] sgf::SgfError),
    /// An error in PSQ.
    #[error(transparent)]
    Psq(#[from] psq::PsqError),
}

impl Fault {
    /// Returns the error's line, if it differs from the line read last.
    fn line(&self) -> Option<usize> {
        match self {
            Self::Ggf(RecordError::Syntax(error)) | Self::Sgf(sgf::SgfError::Syntax(error)) => {
                Some(error.line())
            }
            _ => None,
        }
    }
}

/// Parses the first games of a text, at most `most`.
///
/// # Errors
/// The first game that is not valid.
pub fn games(format: Format, text: &str, most: usize) -> Result<Vec<Written>, ReadError> {
    match format {
        Format::Ggf => archive(text, most, ggf::read),
        Format::Sgf => archive(text, most, sgf::read),
        Format::Psq => {
            let wrong =
                |(line, fault): (usize, psq::PsqError)| ReadError { game: 1, line, fault: fault.into() };
            Ok(vec![psq::read(text.trim_start()).map_err(wrong)?])
        }
        Format::Pgn => Ok(pgn::read(text, most)),
    }
}

fn archive<E: Into<Fault>>(
    text: &str,
    most: usize,
    next: fn(&mut Reader<'_>) -> Result<Option<Written>, E>,
) -> Result<Vec<Written>, ReadError> {
    let mut reader = Reader::new(text);
    let mut games = Vec::new();
    while games.len() < most {
        match next(&mut reader) {
            Ok(Some(game)) => games.push(game),
            Ok(None) => break,
            Err(error) => {
                let fault = error.into();
                let line = fault.line().unwrap_or_else(|| reader.line());
                return Err(ReadError { game: games.len() + 1, line, fault });
            }
        }
    }
    Ok(games)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_tells_its_notation() {
        for (text, format) in [
            ("(;GM[Othello];)", Some(Format::Ggf)),
            ("\n 2 (\n;PC[GGS/os]TY[s8]BO[8 x];)", Some(Format::Ggf)),
            ("( ;GM[4];B[aa])", Some(Format::Sgf)),
            ("(;FF[4]SZ[15])", Some(Format::Sgf)),
            ("Piskvorky 15x15, 1:1, 0\n", Some(Format::Psq)),
            ("[Event \"uttt\"]\n", Some(Format::Pgn)),
            ("f5d6", None),
            ("0,0, 1,1", None),
            ("[", None),
            ("(2)", None),
            ("", None),
        ] {
            assert_eq!(Format::of(text), format, "{text}");
        }
    }

    #[test]
    fn a_fault_names_game_and_line() {
        let error = |format, text: &str| games(format, text, 9).unwrap_err().to_string();
        let text = "(;GM[4]SZ[3];B[aa])\n(;GM[4]SZ[3]\n;B[aa]\n;W[aa])";
        assert_eq!(error(Format::Sgf, text), "game 2, line 4: move 2: a1 is taken");
        assert_eq!(
            error(Format::Sgf, "(;B[aa])\n\n(;B[aa]"),
            "game 2, line 3: the game that begins here is not closed"
        );
        assert_eq!(
            error(Format::Ggf, "\n(;GM[Othello]TY[10];)"),
            "game 1, line 2: TY[10] is not Othello on 8 × 8"
        );
        assert_eq!(
            error(Format::Psq, "Piskvorky 3x3, 1:1, 0\n4,1,0").split('"').next(),
            Some("game 1, line 2: ")
        );
        assert_eq!(games(Format::Sgf, text, 1).unwrap().len(), 1, "the second is not read");
    }
}
