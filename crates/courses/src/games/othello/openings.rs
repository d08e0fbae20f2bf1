//! Openings: squares without blanks or passes, and positions and problems as OBF.

use crate::openings::OpeningNotation;
use crate::suite::{Problem, operation};
use othello_player::rules::obf;

/// The texts of openings.
pub struct Openings;

impl OpeningNotation for Openings {
    fn split(&self, line: &str) -> Option<Vec<String>> {
        let squares: Vec<char> = line.chars().filter(|c| !c.is_whitespace()).collect();
        Some(squares.chunks(2).map(|pair| pair.iter().collect()).collect())
    }

    /// Lines omit passes.
    fn join(&self, moves: &[String]) -> String {
        moves.iter().filter(|mv| *mv != "pass").map(String::as_str).collect()
    }

    fn line(&self, line: &str, _: Option<(usize, usize)>) -> anyhow::Result<String> {
        let is_long = line.split(';').next().is_some_and(|board| board.trim().len() >= 64);
        if !is_long || line.starts_with('@') {
            return Ok(line.to_owned());
        }
        let board = line.split([';', '%']).next().unwrap_or_default();
        let board: String = board.chars().filter(|c| !c.is_whitespace()).collect();
        // A line of moves may have the same length.
        let is_board = board.len() == 65 && !board.chars().any(|c| c.is_ascii_digit());
        Ok(if is_board { format!("@{board}") } else { line.to_owned() })
    }

    /// OBF with scored moves, of which the best are the solutions.
    fn problem(&self, line: &str) -> anyhow::Result<Option<Problem>> {
        if operation(line, "bm").is_some() {
            return Ok(None);
        }
        Ok(obf::parse(line)?.map(|problem| {
            let board: String = problem.board.to_string().split_whitespace().collect();
            let best = problem.scores.iter().filter(|(_, score)| Some(*score) == problem.best_score());
            let best = best.map(|(mv, _)| mv.to_string()).collect();
            Problem { name: problem.name.clone(), opening: format!("@{board}"), best }
        }))
    }
}
