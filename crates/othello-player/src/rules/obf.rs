//! Problem files: one position per line, with the exact scores of its moves where known.
//!
//! A line is a [`Board`], then `;` and each scored move as `F5:+12`; the text after `%` is the problem's name. Blank
//! lines and lines that begin with `#` or `%` are comments.

use super::board::{Board, BoardError};
use super::mv::{Move, MoveError};
use super::position::Position;
use search_core::Position as _;

/// The longest line, in bytes.
pub const MAX_LINE: usize = 4096;

/// A position with the known scores of its moves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The position and the side to move.
    pub board: Board,
    /// Exact final disc differences for the side to move, usually best first; empty if unknown.
    pub scores: Vec<(Move, i16)>,
    /// The text after `%`.
    pub name: String,
}

/// The reason why a line is not a problem.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProblemError {
    /// The board is invalid.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// A scored move is not a square.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// A score is not a number from −64 to +64.
    #[error("expected a scored move such as F5:+12, from -64 to +64, found \"{0}\"")]
    Score(String),
    /// A scored move is illegal.
    #[error("\"{0}\" scores an illegal move")]
    Illegal(String),
}

impl Problem {
    /// The best of the known scores.
    #[must_use]
    pub fn best_score(&self) -> Option<i16> {
        self.scores.iter().map(|&(_, score)| score).max()
    }
}

/// Parses a line; `None` for a comment.
///
/// # Errors
/// The first fault in it.
pub fn parse(line: &str) -> Result<Option<Problem>, ProblemError> {
    let line = line.trim();
    if line.is_empty() || line.starts_with(['#', '%']) {
        return Ok(None);
    }
    let (line, name) = line.split_once('%').unwrap_or((line, ""));
    let mut fields = line.split(';').map(str::trim);
    let board: Board = fields.next().unwrap_or_default().parse()?;
    let scored = |field| scored(field, &board.position);
    let scores = fields.filter(|field| !field.is_empty()).map(scored).collect::<Result<_, _>>()?;
    Ok(Some(Problem { board, scores, name: name.trim().to_owned() }))
}

fn scored(field: &str, position: &Position) -> Result<(Move, i16), ProblemError> {
    let quoted = || field.chars().take(24).collect();
    let bad = || ProblemError::Score(quoted());
    let (mv, score) = field.split_once(':').ok_or_else(bad)?;
    let score = score.trim().parse().ok().filter(|score| (-64..=64).contains(score)).ok_or_else(bad)?;
    let mv = mv.trim().parse()?;
    if position.is_legal(mv) { Ok((mv, score)) } else { Err(ProblemError::Illegal(quoted())) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_problem_has_a_board_scores_and_a_name() {
        let text = format!(
            "{}OX{}XO{} X; f5:+2;D3:-64; c4 : 0 ; % FFO#1",
            "-".repeat(27),
            "-".repeat(6),
            "-".repeat(27)
        );
        let problem = parse(&text).unwrap().unwrap();
        assert_eq!(problem.scores.len(), 3);
        assert_eq!((problem.best_score(), problem.name.as_str()), (Some(2), "FFO#1"));
        assert_eq!(problem.board.to_string(), text.split(';').next().unwrap());
    }

    #[test]
    fn what_is_wrong_is_named() {
        let board = "-".repeat(64);
        for (line, complaint) in [
            ("--X".to_owned(), "the board has 3 cells: 64 expected"),
            (format!("{board} Z"), "the side to move is \"Z\": X or O expected"),
            (format!("{board}X X"), "the side to move is \"XX\": X or O expected"),
            (format!("{board} X; A9:+1"), "expected a square from a1 to h8, found \"A9\""),
            (
                format!("{board} X; A1:+65"),
                "expected a scored move such as F5:+12, from -64 to +64, found \"A1:+65\"",
            ),
            (
                format!("{board} X; A1"),
                "expected a scored move such as F5:+12, from -64 to +64, found \"A1\"",
            ),
            ("--?".to_owned(), "cell 3 of the board is '?': X, O or - expected"),
        ] {
            assert_eq!(parse(&line).unwrap_err().to_string(), complaint);
        }
        assert_eq!(parse(" # comment"), Ok(None));
    }

    #[test]
    fn a_scored_move_is_legal() {
        let start = format!("{}OX{}XO{} X", "-".repeat(27), "-".repeat(6), "-".repeat(27));
        assert!(parse(&format!("{start}; d3:+0; F5:-2")).is_ok());
        for scored in ["e3:+0", "D4:+0", "pass:+0"] {
            let error = parse(&format!("{start}; D3:+0; {scored};")).unwrap_err();
            assert_eq!(error.to_string(), format!("\"{scored}\" scores an illegal move"));
        }
        let passes = format!("OX{} X; pass:-2", "-".repeat(62));
        assert_eq!(parse(&passes).unwrap().unwrap().scores, [(Move::PASS, -2)]);
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in ".{0,200}") {
            let _ = parse(&text);
        }

        #[test]
        fn nothing_near_a_problem_makes_it_panic(text in "[-XO*. ]{60,70}[ XO;]{0,3}(;? ?[A-J][0-9]:[-+]?[0-9]{0,9}){0,4}") {
            let _ = parse(&text);
        }
    }
}
