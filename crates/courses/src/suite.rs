//! Test suites of positions with known solutions: OBF, sets of forced wins, and lines of positions with `bm`.

use crate::openings;
use crate::registry::Game;
use othello_player::rules::obf;
use serde_json::Value;

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

/// Parses a suite: lines of an opening or a position, then `; bm MOVE …` and optionally `; id NAME`; OBF with scored
/// moves, of which the best are the solutions; or connect5's JSON lines with `rows`, `cols`, `board` and the winning
/// `first` cells. Ignores blank lines and those that begin with `#` or `%`.
///
/// # Errors
/// The first line that is not a problem.
pub fn read(game: Game, text: &str) -> Result<Vec<Problem>, String> {
    let is_problem = |(_, line): &(usize, &str)| !line.is_empty() && !line.starts_with(['#', '%']);
    (1..)
        .zip(text.lines().map(str::trim))
        .filter(is_problem)
        .map(|(number, line)| {
            let mut problem = read_line(game, line).map_err(|error| format!("line {number}: {error}"))?;
            if problem.best.is_empty() {
                return Err(format!("line {number}: expected a solution \"; bm MOVE\""));
            }
            if problem.name.is_empty() {
                problem.name = format!("line {number}");
            }
            Ok(problem)
        })
        .collect()
}

fn read_line(game: Game, line: &str) -> Result<Problem, String> {
    if game == Game::Connect5 && line.starts_with('{') {
        return of_json(line);
    }
    let mut fields = line.split(';').map(str::trim);
    let position = fields.next().unwrap_or_default();
    let operations: Vec<&str> = fields.filter(|field| !field.is_empty()).collect();
    let of = |name: &str| {
        let with = operations.iter().copied().filter_map(|field| field.strip_prefix(name));
        with.map(|rest| (rest, rest.trim())).find(|(rest, _)| rest.starts_with(' ')).map(|(_, text)| text)
    };
    let is_obf = game == Game::Othello && of("bm").is_none();
    if is_obf && let Some(problem) = obf::parse(line).map_err(|error| error.to_string())? {
        return Ok(of_obf(&problem));
    }
    let best = of("bm").unwrap_or_default().split_whitespace().map(str::to_owned).collect();
    let opening = openings::position(game, position)?;
    Ok(Problem { name: of("id").unwrap_or_default().to_owned(), opening, best })
}

fn of_obf(problem: &obf::Problem) -> Problem {
    let board: String = problem.board.to_string().split_whitespace().collect();
    let best = problem.scores.iter().filter(|(_, score)| Some(*score) == problem.best_score());
    let best = best.map(|(mv, _)| mv.to_string()).collect();
    Problem { name: problem.name.clone(), opening: format!("@{board}"), best }
}

fn of_json(line: &str) -> Result<Problem, String> {
    let value: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
    let number = |name: &str| value[name].as_u64().ok_or_else(|| format!("no {name}"));
    let (rows, columns) = (number("rows")?, number("cols")?);
    let cell = |cell: &Value| {
        let (row, column) = (cell[0].as_u64()?, cell[1].as_u64()?);
        (row < rows && column < columns && columns <= 1023)
            .then(|| format!("{}{}", crate::games::connect5::column_name(column as usize), row + 1))
    };
    let first = value["first"].as_array().ok_or("no first")?;
    let best = first.iter().map(cell).collect::<Option<Vec<_>>>().ok_or("a first cell outside the grid")?;
    let name = value["vcf_moves"].as_u64().map(|moves| format!("win in {moves}")).unwrap_or_default();
    Ok(Problem {
        name,
        opening: format!("{rows}x{columns} {}", openings::position(Game::Connect5, line)?),
        best,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_gives_its_solutions() {
        let obf = "--XXXXX---XXXX---OOOXX---OOXXXX--OOXXXO-OOOOXOO----XOX----XXXXX- O; G3:-12; C7:-12; H4:-22; % FFO 43\n";
        let read_one = |game, text: &str| read(game, text).unwrap().remove(0);
        let problem = read_one(Game::Othello, obf);
        assert_eq!((problem.name.as_str(), problem.best.join(" ").as_str()), ("FFO 43", "g3 c7"));
        let text = "40 36 0; bm 1 2; id a b\n";
        let problem = read_one(Game::Uttt, text);
        assert_eq!((problem.name.as_str(), problem.opening.as_str()), ("a b", "40 36 0"));
        assert_eq!(read_one(Game::Uttt, "12345678901; bm 1").opening, "@12345678901");
        let json =
            r#"{"rows": 3, "cols": 2, "vcf_moves": 2, "first": [[2, 1]], "board": ["00", "BN", "00"]}"#;
        let problem = read_one(Game::Connect5, json);
        assert_eq!((problem.opening.as_str(), problem.best.join(" ").as_str()), ("3x2 @00/BN/00", "b3"));
        assert_eq!(problem.name, "win in 2");
        for (game, bad) in [
            (Game::Uttt, "40 36"),
            (Game::Uttt, "40 36; bm "),
            (Game::Othello, "x; f5:+2"),
            (Game::Connect5, "{}"),
            (Game::Connect5, r#"{"rows": 3, "cols": 2, "first": [[3, 0]], "board": []}"#),
        ] {
            assert!(read(game, &format!("# one\n{bad}")).unwrap_err().starts_with("line 2: "), "{bad}");
        }
    }
}
