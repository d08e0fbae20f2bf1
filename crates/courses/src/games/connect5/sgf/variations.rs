//! Variations in SGF: a tree whose first branch is the game.

use super::read;
use crate::notation::Written;
use crate::note::Notes;
use crate::record::{Played, Variation};
use wire::properties::Reader;

/// Maximum number of variations of a game that are read, and of the bytes of their lines.
const MOST: usize = 20;
const BYTES: usize = 1 << 20;

/// A line from the beginning of the game; `notes` are those of a variation.
struct Line<'a> {
    moves: Vec<&'a str>,
    notes: Option<&'a Notes>,
}

/// Writes the moves of a game and of its variations. `node` writes a move by its index, with the notes of a variation.
/// One that goes on after the last move would be taken for the game, and is left out.
pub fn written(played: &Played, node: impl Fn(usize, &str, Option<&Notes>) -> String) -> String {
    let main: Vec<&str> = played.moves.iter().map(String::as_str).collect();
    let beside = played.variations.iter().filter(|variation| variation.after < main.len());
    let beside = beside.map(|variation| Line {
        moves: main[..variation.after]
            .iter()
            .copied()
            .chain(variation.moves.iter().map(String::as_str))
            .collect(),
        notes: Some(&variation.notes),
    });
    let lines: Vec<Line<'_>> =
        std::iter::once(Line { moves: main.clone(), notes: None }).chain(beside).collect();
    let mut text = String::new();
    branch(&lines.iter().collect::<Vec<_>>(), 0, &node, &mut text);
    text
}

/// Writes lines that have their first `at` moves in common, after these.
fn branch(
    lines: &[&Line<'_>],
    mut at: usize,
    node: &impl Fn(usize, &str, Option<&Notes>) -> String,
    text: &mut String,
) {
    loop {
        let mut groups: Vec<(&str, Vec<&Line<'_>>)> = Vec::new();
        for line in lines {
            let Some(mv) = line.moves.get(at) else { continue };
            match groups.iter_mut().find(|(first, _)| first == mv) {
                Some((_, group)) => group.push(line),
                None => groups.push((mv, vec![line])),
            }
        }
        match groups.as_slice() {
            [] => return,
            [(mv, group)] => *text += &node(at, mv, group[0].notes),
            groups => {
                for (mv, group) in groups {
                    *text += "(";
                    *text += &node(at, mv, group[0].notes);
                    branch(group, at + 1, node, text);
                    *text += ")";
                }
                return;
            }
        }
        at += 1;
    }
}

/// Adds the variations in a text to its games, which were read without them. A line that is not valid is left out.
pub fn add(text: &str, games: &mut [Written]) {
    for (game, lines) in games.iter_mut().zip(lines(text)) {
        for line in lines.iter().skip(1) {
            let Ok(Some(line)) = read(&mut Reader::new(line)) else { continue };
            let same = |(one, other): &(&String, &String)| one == other;
            let after = line.moves.iter().zip(&game.moves).take_while(same).count();
            if line.opening == game.opening && after < line.moves.len() {
                let notes = line.notes.into_iter().filter(|(nth, _)| *nth >= after).collect();
                let moves = line.moves[after..].to_vec();
                game.variations.push(Variation { after, moves, notes, ..Variation::default() });
            }
        }
    }
}

/// Returns the lines of each game of a text, from its root to each leaf, as games without branches. The first line, which
/// is the game itself, is empty.
fn lines(text: &str) -> Vec<Vec<String>> {
    let (mut games, mut lines, mut line) = (Vec::new(), Vec::new(), String::new());
    // The length of the line before each parenthesis that is open.
    let mut ends = Vec::new();
    let (mut is_new, mut is_value, mut is_escaped) = (false, false, false);
    for (at, symbol) in text.char_indices() {
        if ends.is_empty() {
            if symbol == '(' && text[at + 1..].trim_start().starts_with(';') {
                line.clear();
                ends.push(0);
            }
            continue;
        }
        if is_value {
            is_value = symbol != ']' || is_escaped;
            is_escaped = symbol == '\\' && !is_escaped;
            line.push(symbol);
            continue;
        }
        match symbol {
            '(' => ends.push(line.len()),
            ')' => {
                let bytes: usize = lines.iter().map(String::len).sum();
                if is_new && lines.is_empty() {
                    lines.push(String::new());
                } else if is_new && lines.len() <= MOST && bytes + line.len() <= BYTES {
                    lines.push(format!("({line})"));
                }
                is_new = false;
                line.truncate(ends.pop().unwrap_or_default());
                if ends.is_empty() {
                    games.push(std::mem::take(&mut lines));
                }
            }
            _ => {
                is_value = symbol == '[';
                is_new |= symbol == ';';
                line.push(symbol);
            }
        }
    }
    games
}

#[cfg(test)]
mod tests {
    use super::super::{Sgf, write};
    use super::*;
    use crate::notation::Notation as _;
    use crate::note::Note;
    use crate::record::Record;

    fn games(text: &str) -> Vec<Written> {
        Sgf.read(text, 9).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    fn line(after: usize, moves: &[&str], notes: &[(usize, &str)]) -> Variation {
        let notes = notes.iter().map(|(nth, text)| (*nth, Note::new(None, "", text))).collect();
        let moves = moves.iter().map(|mv| (*mv).to_owned()).collect();
        Variation { after, moves, notes, ..Variation::default() }
    }

    #[test]
    fn the_branches_beside_the_game_are_its_variations() {
        let text = "2 (;GM[4]SZ[9]C[(;\\]](;B[aa];W[bb](;B[cc])\
                    (;B[dd]C[why (not)];W[ee](;B[ff])(;B[gg]))(;AB[hh]))(;B[ii];W[i!]))\n(;SZ[9];B[aa])";
        let games = games(text);
        assert_eq!(games[0].moves.join(" "), "a1 b2 c3");
        let why = [(2, "why (not)")];
        let wanted = [line(2, &["d4", "e5", "f6"], &why), line(2, &["d4", "e5", "g7"], &why)];
        assert_eq!(games[0].variations, wanted);
        assert_eq!((games[1].moves.len(), games[1].variations.len()), (1, 0));
        let many = format!("(;SZ[9];B[aa](;W[bb]){})", "(;W[cc])".repeat(99));
        assert_eq!(self::games(&many)[0].variations.len(), MOST);
    }

    #[test]
    fn what_is_written_is_read_again() {
        let played = Played {
            moves: ["c3", "d4", "e5"].map(str::to_owned).to_vec(),
            notes: vec![(1, Note::new(None, "", "main"))],
            variations: vec![
                line(1, &["e5", "d4"], &[(2, "here")]),
                line(1, &["e5", "f6"], &[]),
                line(0, &["d4"], &[]),
                line(3, &["f6"], &[]),
            ],
            points: vec![0.0; 2],
            ..Played::default()
        };
        let record = Record {
            game: 0,
            group: 0,
            course: "connect5".to_owned(),
            seats: vec![0, 1],
            names: vec!["a".to_owned(), "b".to_owned()],
            opening: "9x9 a1b2".to_owned(),
            seed: 1,
            played,
        };
        let text = write(&record);
        assert!(
            text.contains(
                ";B[aa];W[bb](;B[cc](;W[dd]C[main];B[ee])(;W[ee](;B[dd]C[here])(;B[ff])))(;B[dd]))"
            ),
            "{text}"
        );
        let game = &games(&text)[0];
        // The moves of the opening are moves of the game there; the line after the last move is left out.
        assert_eq!(game.moves.join(" "), "a1 b2 c3 d4 e5");
        let wanted =
            [line(3, &["e5", "d4"], &[(4, "here")]), line(3, &["e5", "f6"], &[]), line(2, &["d4"], &[])];
        assert_eq!(game.variations, wanted);
    }
}
