//! Test suites of positions with known solutions: OBF, sets of forced wins, and lines of positions with `bm`.

use crate::registry::Game;

/// A position with its solutions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The name in the file, or the line number.
    pub name: String,
    /// The position as an opening.
    pub opening: String,
    /// The moves that solve it, in the game's notation.
    pub best: Vec<String>,
}

/// An error in a suite, with the number of its line.
#[derive(Debug, thiserror::Error)]
pub enum SuiteError {
    /// The position is not valid.
    #[error("line {line}: {error}")]
    Position {
        /// The line's number, from 1.
        line: usize,
        /// The game's own error.
        error: anyhow::Error,
    },
    /// The position has no solution.
    #[error("line {line}: expected a solution \"; bm MOVE\"")]
    Solution {
        /// The line's number, from 1.
        line: usize,
    },
}

/// Parses a suite: lines of an opening or a position, then `; bm MOVE …` and optionally `; id NAME`; or lines
/// of the game's own notation of problems. Ignores blank lines and those that begin with `#` or `%`.
///
/// # Errors
/// The first line that is not a problem.
pub fn read(game: Game, text: &str) -> Result<Vec<Problem>, SuiteError> {
    let is_problem = |(_, line): &(usize, &str)| !line.is_empty() && !line.starts_with(['#', '%']);
    (1..)
        .zip(text.lines().map(str::trim))
        .filter(is_problem)
        .map(|(line, text)| {
            let problem = read_line(game, text);
            let mut problem = problem.map_err(|error| SuiteError::Position { line, error })?;
            if problem.best.is_empty() {
                return Err(SuiteError::Solution { line });
            }
            if problem.name.is_empty() {
                problem.name = format!("line {line}");
            }
            Ok(problem)
        })
        .collect()
}

fn read_line(game: Game, line: &str) -> anyhow::Result<Problem> {
    if let Some(problem) = game.openings().problem(line)? {
        return Ok(problem);
    }
    let best = operation(line, "bm").unwrap_or_default().split_whitespace().map(str::to_owned).collect();
    let position = line.split(';').next().unwrap_or_default().trim();
    let opening = game.openings().line(position, None)?;
    Ok(Problem { name: operation(line, "id").unwrap_or_default().to_owned(), opening, best })
}

/// Returns the text of an operation of a line: `bm` for the best moves, `id` for the name.
#[must_use]
pub fn operation<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let fields = line.split(';').skip(1).map(str::trim).filter(|field| !field.is_empty());
    let with = fields.filter_map(|field| field.strip_prefix(name));
    with.map(|rest| (rest, rest.trim())).find(|(rest, _)| rest.starts_with(' ')).map(|(_, text)| text)
}
