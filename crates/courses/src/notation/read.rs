//! Games as other programs write them: SGF of gomoku, GGF of Othello, PGN whose moves stand in the game's own words.

use crate::fault::excerpt;
use connect5_joueur::rules::{Cell, Color, Grid};
use othello_player::rules::{Board, ggf};

/// A game of a file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Written {
    /// The players' names, by seat.
    pub names: [String; 2],
    /// Its start, in the game's own words.
    pub opening: String,
    /// Its moves, in the game's own words.
    pub moves: Vec<String>,
}

/// The games of GGF.
///
/// # Errors
/// The fault of the first game that cannot be read.
pub fn ggf(text: &str) -> Result<Vec<Written>, String> {
    let mut games = Vec::new();
    for piece in text.split_inclusive(";)").filter(|piece| piece.contains("(;")) {
        let start = piece.find("(;").unwrap_or_default();
        let read = ggf::parse(&piece[start..]).map_err(|error| error.to_string())?;
        let board = read.game.start();
        let opening = match board == Board::START {
            true => String::new(),
            false => format!("@{}", board.to_string().split_whitespace().collect::<String>()),
        };
        let moves = read.game.played().iter().map(|(mv, _)| mv.to_string()).collect();
        games.push(Written { names: [read.black, read.white], opening, moves });
    }
    Ok(games)
}

/// The main lines of SGF's games of gomoku, game 4: points by column and row from `aa`.
///
/// # Errors
/// A point that is none; stones that are set up behind a move, outside the grid, or where another colour would move.
pub fn sgf(text: &str) -> Result<Vec<Written>, String> {
    let (mut games, mut rest) = (Vec::new(), text);
    while let Some(start) = rest.find("(;") {
        let mut game = Written { names: ["?", "?"].map(str::to_owned), ..Written::default() };
        let mut size = "15".to_owned();
        let (mut stones, mut mover) = (Vec::new(), None);
        rest = properties(&rest[start..], |name, value| {
            match name {
                "SZ" => size = value.trim().to_owned(),
                "PB" => game.names[0] = value.to_owned(),
                "PW" => game.names[1] = value.to_owned(),
                "PL" => mover = Some(color(value)?),
                "B" | "W" => {
                    mover = mover.or(Some(color(name)?));
                    let (column, row) = point(value)?;
                    game.moves.push(format!("{}{}", crate::games::connect5::column_name(column), row + 1));
                }
                "AB" | "AW" if game.moves.is_empty() => stones.push((color(&name[1..])?, point(value)?)),
                "AB" | "AW" => return Err("stones that are set up behind a move are not read".to_owned()),
                _ => {}
            }
            Ok(())
        })?;
        let (columns, rows) = size.split_once(':').unwrap_or((&size, &size));
        game.opening = format!("{rows}x{columns}");
        if !stones.is_empty() {
            let number = |side: &str| side.parse().map_err(|_| format!("SZ[{}] is no size", excerpt(&size)));
            game.opening += &format!(" @{}", board((number(rows)?, number(columns)?), &stones, mover)?);
        }
        games.push(game);
    }
    Ok(games)
}

/// The rows of a grid of so many rows and columns with these stones, strokes between, if its stones say that `mover` moves.
fn board(
    (rows, columns): (usize, usize),
    stones: &[(Color, (usize, usize))],
    mover: Option<Color>,
) -> Result<String, String> {
    let mut grid = Grid::new(rows, columns).map_err(|error| error.to_string())?;
    for &(color, (column, row)) in stones {
        if column >= columns || row >= rows {
            return Err(format!("a stone outside the {rows} x {columns} grid is set up"));
        }
        grid.set(Cell::at(row, column, columns), Some(color));
    }
    if mover.is_some_and(|mover| mover != grid.mover()) {
        return Err("the colour that moves first is not the one with fewer stones".to_owned());
    }
    Ok(grid.to_string().lines().collect::<Vec<_>>().join("/"))
}

/// The colour of a letter.
fn color(text: &str) -> Result<Color, String> {
    match text.trim() {
        "B" => Ok(Color::Black),
        "W" => Ok(Color::White),
        text => Err(format!("\"{}\" is no colour", excerpt(text))),
    }
}

/// Hands on the properties of the first game's main line; what stands behind that game.
fn properties(text: &str, mut each: impl FnMut(&str, &str) -> Result<(), String>) -> Result<&str, String> {
    let (mut depth, mut ended, mut at) = (0, false, 0);
    let mut name = String::new();
    while let Some(symbol) = text[at..].chars().next() {
        at += symbol.len_utf8();
        match symbol {
            '(' => depth += 1,
            ')' => {
                // The first end of a variation is the main line's.
                (depth, ended) = (depth - 1, true);
                if depth == 0 {
                    return Ok(&text[at..]);
                }
            }
            ';' => name.clear(),
            '[' => {
                let (value, next) = value(&text[at..]);
                at += next;
                if !ended {
                    each(&name, &value)?;
                }
                // More values of the same property may follow.
                if !text[at..].trim_start().starts_with('[') {
                    name.clear();
                }
            }
            _ if symbol.is_ascii_uppercase() => name.push(symbol),
            _ => {}
        }
    }
    Err("the last game does not end".to_owned())
}

/// A property's value behind its bracket, and where the text goes on.
fn value(text: &str) -> (String, usize) {
    let (mut value, mut escaped) = (String::new(), false);
    for (at, symbol) in text.char_indices() {
        match symbol {
            '\\' if !escaped => escaped = true,
            ']' if !escaped => return (value, at + 1),
            _ => {
                value.push(symbol);
                escaped = false;
            }
        }
    }
    (value, text.len())
}

/// A point's column and row, from 0.
fn point(text: &str) -> Result<(usize, usize), String> {
    let number = |letter: u8| match letter {
        b'a'..=b'z' => Some(usize::from(letter - b'a')),
        b'A'..=b'Z' => Some(usize::from(letter - b'A') + 26),
        _ => None,
    };
    let wrong = || format!("\"{}\" is no point", excerpt(text));
    let &[column, row] = text.trim().as_bytes() else { return Err(wrong()) };
    number(column).zip(number(row)).ok_or_else(wrong)
}

/// The games of PGN: their headers `Opening`, `White` and `Black`, and their moves, comments and variations left out.
pub fn pgn(text: &str) -> Vec<Written> {
    let mut games: Vec<Written> = Vec::new();
    let mut in_headers = false;
    let mut skip = Skip::default();
    for line in text.lines() {
        let header = line.strip_prefix('[').filter(|_| !skip.is_inside()).and_then(header);
        if let Some((name, value)) = header {
            if !std::mem::replace(&mut in_headers, true) {
                games.push(Written::default());
            }
            let Some(game) = games.last_mut() else { continue };
            match name {
                "White" => game.names[0] = value,
                "Black" => game.names[1] = value,
                "Opening" => game.opening = value,
                _ => {}
            }
            continue;
        }
        in_headers &= line.trim().is_empty();
        let Some(game) = games.last_mut() else { continue };
        game.moves.extend(skip.words(line).filter(|word| is_move(word)).map(str::to_owned));
    }
    games
}

/// `Name "value"]`.
fn header(text: &str) -> Option<(&str, String)> {
    let (name, value) = text.split_once(' ')?;
    let value = value.trim().strip_prefix('"')?.strip_suffix("\"]")?;
    Some((name, value.replace("\\\"", "\"").replace("\\\\", "\\")))
}

/// Neither a number of a move, nor a sign, nor a result.
fn is_move(word: &str) -> bool {
    let is_result = ["1-0", "0-1", "1/2-1/2", "*"].contains(&word);
    let is_number =
        word.ends_with('.') && word.trim_end_matches('.').bytes().all(|byte| byte.is_ascii_digit());
    !word.is_empty() && !is_result && !is_number && !word.starts_with('$')
}

/// Comments and variations, over the ends of lines.
#[derive(Default)]
struct Skip {
    comment: bool,
    variations: usize,
}

impl Skip {
    fn is_inside(&self) -> bool {
        self.comment || self.variations > 0
    }

    /// The words of a line outside of comments and variations.
    fn words<'a>(&mut self, line: &'a str) -> impl Iterator<Item = &'a str> {
        let (mut pieces, mut from) = (Vec::new(), 0);
        for (at, symbol) in line.char_indices() {
            let was_inside = self.is_inside();
            match symbol {
                '{' if !self.comment => self.comment = true,
                '}' => self.comment = false,
                '(' if !self.comment => self.variations += 1,
                ')' if !self.comment => self.variations = self.variations.saturating_sub(1),
                _ => continue,
            }
            if !was_inside {
                pieces.push(&line[from..at]);
            }
            from = at + 1;
        }
        if !self.is_inside() {
            pieces.push(&line[from..]);
        }
        pieces.into_iter().flat_map(str::split_whitespace)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_main_line_of_sgf_is_read() {
        let text = "(;GM[4]FF[4]SZ[20:15]PB[a\\]b]PW[c]C[it; ends (here)];B[aa]C[no];W[bb](;B[Ac])(;B[cc];W[dd]))\n(;SZ[9];B[ii])";
        let games = sgf(text).unwrap();
        assert_eq!(games[0].names, ["a]b", "c"]);
        assert_eq!((games[0].opening.as_str(), games[0].moves.join(" ").as_str()), ("15x20", "a1 b2 aa3"));
        assert_eq!((games[1].opening.as_str(), games[1].moves.join(" ").as_str()), ("9x9", "i9"));
        let set_up = sgf("(;SZ[3:2]AB[ca][ab]AW[aa]PL[W];W[bb])").unwrap();
        assert_eq!((set_up[0].opening.as_str(), set_up[0].moves.join(" ").as_str()), ("2x3 @B0N/N00", "b2"));
        for bad in [
            "(;B[a])",
            "(;B[a1])",
            "(;B[aa];AB[bb])",
            "(;SZ[3]AB[aa];B[bb])",
            "(;SZ[3]AB[aa]PL[B])",
            "(;SZ[3]AB[ad])",
            "(;SZ[x]AB[aa])",
            "(;B[aa]",
            "(;B[aa",
        ] {
            assert!(sgf(bad).is_err(), "{bad}");
        }
        assert!(sgf("").unwrap().is_empty());
    }

    #[test]
    fn pgn_is_read_without_its_comments() {
        let text = "[Event \"uttt\"]\n[White \"a\\\"b\"]\n[Opening \"40 36\"]\n\n1. 0 {0.5s\n+3} 1 (2. 8\n9) 2. 9 $3\n1-0\n\n[White \"c\"]\n\n1. 5 *\n";
        let games = pgn(text);
        assert_eq!((games.len(), games[0].names[0].as_str()), (2, "a\"b"));
        assert_eq!((games[0].opening.as_str(), games[0].moves.join(" ").as_str()), ("40 36", "0 1 9"));
        assert_eq!(games[1].moves, ["5"]);
    }
}
