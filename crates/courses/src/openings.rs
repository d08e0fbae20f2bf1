//! Opening files: lines in the game's notation or as offsets from the middle; SGF, GGF, PSQ and PGN games; OBF and the
//! courses' own position files.

use crate::fault::excerpt;
use crate::games::connect5::{names, psq};
use crate::notation::Written;
use crate::notation::read::{self, Format};
use crate::record::plain_spelling;
use crate::registry::{self, Game};
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

/// Parses the openings of a text for a game, each with the number of its line or game. `size` is the rows and columns
/// of connect5.
///
/// # Errors
/// The first error in the text.
pub fn read(game: Game, text: &str, size: (usize, usize), plies: Option<usize>) -> Result<Found, String> {
    let (unit, openings): (_, Vec<Numbered>) = match Format::of(text) {
        Some(format) => {
            let games = read::games(format, text, usize::MAX).map_err(|error| error.to_string())?;
            let line = |(number, written)| {
                let line = opening_of(game, written, size);
                line.map(|line| (number, line)).map_err(|error| format!("game {number}: {error}"))
            };
            ("game", (1..).zip(games).map(line).collect::<Result<_, String>>()?)
        }
        None => ("line", lines(game, text, size)?),
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

/// Converts a game to an opening.
fn opening_of(game: Game, written: Written, (rows, columns): (usize, usize)) -> Result<String, String> {
    let Written { course, opening, moves, .. } = written;
    if course != game.name() && registry::find(&course).is_some() {
        return Err(format!("a game of {course}, not of {}", game.name()));
    }
    let opening = match game.name() {
        // The run has its own size.
        "connect5" => {
            let (size, rest) = opening.split_once(' ').unwrap_or((&opening, ""));
            if !size.is_empty() && size != format!("{rows}x{columns}") {
                return Err(format!("a game on {}, not on {rows}x{columns}", excerpt(size)));
            }
            rest.to_owned()
        }
        _ => opening,
    };
    // Othello's lines omit passes.
    let moves = moves.into_iter().filter(|mv| game != Game::Othello || mv != "pass");
    let between = if game == Game::Othello { "" } else { " " };
    let moves: Vec<String> = moves.collect();
    let gap = if opening.is_empty() || moves.is_empty() { "" } else { " " };
    Ok(format!("{opening}{gap}{}", moves.join(between)))
}

/// Parses openings of one line each, or a file of one position.
fn lines(game: Game, text: &str, size: (usize, usize)) -> Result<Vec<Numbered>, String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    if game == Game::Gounki && words.len() == 64 && words.iter().all(|word| word.len() == 2) {
        return Ok(vec![(1, format!("@{}", words.concat()))]);
    }
    let is_opening = |(_, line): &(usize, &str)| !line.is_empty() && !line.starts_with(['#', '%']);
    (1..)
        .zip(text.lines().map(str::trim))
        .filter(is_opening)
        .map(|(number, line)| {
            let line = if game == Game::Connect5 && psq::is_offsets(line) {
                psq::offsets(line, size).map_err(|error| error.to_string())
            } else {
                position(game, line)
            };
            Ok((number, line.map_err(|error| format!("line {number}: {error}"))?))
        })
        .collect()
}

/// Converts a line to the game's notation. A position of the courses' files or of OBF gets its sign.
pub(crate) fn position(game: Game, line: &str) -> Result<String, String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    match game.name() {
        "othello"
            if line.split(';').next().is_some_and(|board| board.trim().len() >= 64)
                && !line.starts_with('@') =>
        {
            let board = line.split([';', '%']).next().unwrap_or_default();
            let is_square = |c: char| !c.is_whitespace();
            let board: String = board.chars().filter(|&c| is_square(c)).collect();
            // A line of moves may have the same length.
            let is_board = board.len() == 65 && !board.chars().any(|c| c.is_ascii_digit());
            Ok(if is_board { format!("@{board}") } else { line.to_owned() })
        }
        "uttt" if words.len() == 1 && line.len() > 2 && line.bytes().all(|byte| byte.is_ascii_digit()) => {
            Ok(format!("@{line}"))
        }
        "gounki" if words.len() == 65 => {
            let mover = match words[0] {
                "b" => "blanc",
                "n" => "noir",
                word => return Err(format!("\"{}\" is neither b nor n", excerpt(word))),
            };
            Ok(format!("@{}:{mover}", words[1..].concat()))
        }
        "connect5" if line.starts_with('{') => {
            let value: serde_json::Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
            let rows = value["board"].as_array().ok_or("no board")?;
            let rows: Option<Vec<&str>> = rows.iter().map(|row| row.as_str()).collect();
            Ok(format!("@{}", rows.ok_or("no board")?.join("/")))
        }
        // Coordinates may be in capitals.
        "connect5" if !line.contains(crate::course::POSITION) => Ok(line.to_ascii_lowercase()),
        _ => Ok(line.to_owned()),
    }
}

/// Truncates an opening to its first plies.
fn cut(game: Game, line: String, plies: Option<usize>) -> String {
    let Some(plies) = plies.filter(|_| game != Game::Moules) else { return line };
    let (board, moves) = crate::course::split_position(&line);
    let (moves, between): (Vec<String>, &str) = match game.name() {
        "connect5" => (names(moves).into_iter().map(str::to_owned).collect(), " "),
        "othello" => {
            let squares: Vec<char> = moves.chars().filter(|c| !c.is_whitespace()).collect();
            (squares.chunks(2).map(|pair| pair.iter().collect()).collect(), "")
        }
        _ => (moves.split_whitespace().map(str::to_owned).collect(), " "),
    };
    let kept = moves[..moves.len().min(plies)].join(between);
    match board {
        Some(board) => format!("@{board} {kept}").trim_end().to_owned(),
        None => kept,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(game: Game, text: &str, plies: Option<usize>) -> Vec<String> {
        let read = read(game, text, (15, 15), plies).unwrap();
        read.lines.into_iter().map(|(_, line)| line).collect()
    }

    #[test]
    fn an_opening_in_several_spellings_is_one() {
        let found = read(Game::Othello, "f5d6\nF5D6\nf5 d6\nf5f6\n", (8, 8), None).unwrap();
        let lines: Vec<&str> = found.lines.iter().map(|(_, line)| line.as_str()).collect();
        assert_eq!(lines, ["f5d6", "f5f6"]);
        let found = read(Game::Uttt, "40 36\n40  36\n4 036\n", (8, 8), None).unwrap();
        assert_eq!(found.lines.len(), 2, "numbers are not run together: {found:?}");
    }

    #[test]
    fn games_and_positions_become_openings() {
        let sgf = "(;GM[4]SZ[15];B[hh];W[ii];B[aa])(;GM[4]SZ[15];B[hh];W[ii];B[bb])";
        assert_eq!(of(Game::Connect5, sgf, None), ["h8 i9 a1", "h8 i9 b2"]);
        assert_eq!(of(Game::Connect5, sgf, Some(2)), ["h8 i9"], "the same opening counts once");
        assert!(read(Game::Connect5, "(;GM[4]SZ[9];B[hh])", (15, 15), None).unwrap_err().contains("9x9"));
        let ggf = "(;GM[Othello]PB[a]PW[b]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[F5]W[D6];)";
        assert_eq!(of(Game::Othello, ggf, None), ["f5d6"]);
        let pgn = "[Opening \"40 36\"]\n\n1. 0 1 2. 9 1-0\n";
        assert_eq!(of(Game::Uttt, pgn, Some(3)), ["40 36 0"]);
        let obf = "# FFO\n--XXXXX---XXXX---OOOXX---OOXXXX--OOXXXO-OOOOXOO----XOX----XXXXX- O; G3:-12; % 43\n";
        assert_eq!(of(Game::Othello, obf, None)[0].len(), 66);
        assert_eq!(of(Game::Othello, "f5d6c3d3", Some(3)), ["f5d6c3"]);
        assert_eq!(of(Game::Connect5, "H8 I9\nh8 i9\n", None), ["h8 i9"], "capitals are the same opening");
        assert_eq!(of(Game::Connect5, "0,0, 1,0, 1,3\n-7,-7, 7,7\n", None), ["h8 i8 i11", "a1 o15"]);
        let psq = "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,10\na.exe\nb.exe\n-1\n";
        assert_eq!(of(Game::Connect5, psq, None), ["h8 i9"]);
        for (text, error) in [
            ("0,0, 9,0", "line 1: 9,0 from the middle lies outside the 15 x 15 grid"),
            ("(;GM[4]SZ[15];B[hh];W[hh])", "game 1, line 1: move 2: h8 is taken"),
            ("[Event \"uttt\"]\n\n1. 40 *", "game 1: a game of uttt, not of connect5"),
        ] {
            assert_eq!(read(Game::Connect5, text, (15, 15), None).unwrap_err(), error, "{text}");
        }
        assert_eq!(of(Game::Uttt, "12345678901234567890\n40 36\n", None), ["@12345678901234567890", "40 36"]);
        let codes = ["B1"; 64].join(" ");
        assert_eq!(of(Game::Gounki, &format!("n {codes}"), None), [format!("@{}:noir", "B1".repeat(64))]);
        assert_eq!(of(Game::Gounki, &codes, None), [format!("@{}", "B1".repeat(64))]);
    }
}
