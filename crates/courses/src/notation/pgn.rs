//! PGN for rating tools: headers and results as in chess, moves in the game's own notation.

mod variations;

use super::{Notation, ReadError, Written, note as note_on, result, seconds, thought};
use crate::note::{self, Note, Notes, Symbol};
use crate::player::clean_name;
use crate::record::About;
use crate::record::Record;
use std::fmt::Write as _;

/// The notation of chess, with the game in the header `Event`.
pub struct Pgn;

impl Notation for Pgn {
    fn is_of(&self, text: &str) -> bool {
        let header = text.trim_start().strip_prefix('[').and_then(|header| header.lines().next());
        header.is_some_and(|header| header.contains(" \""))
    }

    fn read(&self, text: &str, most: usize) -> Result<Vec<Written>, ReadError> {
        Ok(read(text, most))
    }

    fn write(&self, record: &Record) -> Option<String> {
        Some(write(record))
    }

    fn extension(&self) -> Option<&'static str> {
        Some("pgn")
    }
}

/// The results of games that are over.
const RESULTS: [&str; 3] = ["1-0", "0-1", "1/2-1/2"];

/// Writes a record as PGN, in the subset that Ordo and BayesElo read.
#[must_use]
pub fn write(record: &Record) -> String {
    let mut text = String::new();
    let mut header = |name: &str, value: &str| {
        let value = clean_name(value).replace('\\', "\\\\").replace('"', "\\\"");
        let _ = writeln!(text, "[{name} \"{value}\"]");
    };
    let name = |seat: usize| record.names.get(seat).map_or("?", String::as_str);
    let About { date, result: stated, comment: before } = &record.played.about;
    // The game goes on, as far as its rules say: its file may know more.
    let ended = match result(record) {
        "*" if RESULTS.contains(&stated.as_str()) => stated,
        own => own,
    };
    header("Event", &record.course);
    if !date.is_empty() {
        header("Date", date);
    }
    header("Round", &(record.game + 1).to_string());
    header("White", name(0));
    header("Black", name(1));
    header("Result", ended);
    if !record.played.end.is_empty() {
        header("Termination", &record.played.end);
    }
    // A position may be longer than a name.
    if !record.opening.is_empty() {
        let opening = record.opening.replace(['"', '\\', '\n', '\r'], "?");
        let _ = writeln!(text, "[Opening \"{opening}\"]");
    }
    text.push('\n');
    let mut words = comment(before);
    for (nth, mv) in record.played.moves.iter().enumerate() {
        if nth % 2 == 0 {
            words.push(format!("{}.", nth / 2 + 1));
        }
        words.push(mv.clone());
        let note = note_on(record, nth);
        words.extend(note.symbol.map(|symbol| format!("${}", symbol.number())));
        let told =
            thought(record, nth).map(|thought| format!("{:.3}s {}", seconds(record, nth), thought.text()));
        [Some(note.comment()), told].iter().flatten().for_each(|text| words.extend(comment(text)));
        words.extend(variations::written(&record.played.variations, nth));
    }
    words.push(ended.to_owned());
    let mut column = 0;
    for word in words {
        // A percent sign at the beginning of a line would hide it.
        if column > 0 && column + 1 + word.len() > 80 && !word.starts_with('%') {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        column += word.len();
        text.push_str(&word);
    }
    text + "\n\n"
}

/// Returns the words of a comment; none for an empty text.
fn comment(text: &str) -> Vec<String> {
    if text.is_empty() {
        return Vec::new();
    }
    // A brace would end the comment.
    let comment = format!("{{{}}}", text.replace(['{', '}'], "|"));
    comment.split_whitespace().map(str::to_owned).collect()
}

/// Parses the games of PGN, at most `most`.
#[must_use]
pub fn read(text: &str, most: usize) -> Vec<Written> {
    let mut games: Vec<Written> = Vec::new();
    let mut in_headers = false;
    let mut skip = Skip::default();
    let mut lines = variations::Lines::default();
    for line in text.lines() {
        let header = line.trim().strip_prefix('[').filter(|_| !skip.is_inside()).and_then(header);
        if let Some((name, value)) = header {
            if !std::mem::replace(&mut in_headers, true) {
                if games.len() == most {
                    break;
                }
                games.push(Written { names: vec!["?".to_owned(); 2], ..Written::default() });
                lines = variations::Lines::default();
            }
            if let Some(last) = games.last_mut() {
                take(last, name, value);
            }
            continue;
        }
        in_headers &= line.trim().is_empty();
        // A line that begins with a percent sign is an escape for other programs.
        let Some(last) = games.last_mut().filter(|_| !line.starts_with('%') || skip.comment) else {
            continue;
        };
        skip.pieces(line, |piece| match piece {
            Piece::Open => lines.open(last),
            Piece::Close => lines.close(last),
            Piece::Words(words) => {
                for word in words.split_whitespace() {
                    let Some(line) = lines.last(last) else { break };
                    take_word(line, word);
                }
            }
            // Before the first move it is the game's.
            Piece::Comment(text) if last.moves.is_empty() => last.about.add(&text),
            Piece::Comment(text) => {
                let Some(line) = lines.last(last) else { return };
                annotate(line, |note| note.add(&text));
            }
        });
    }
    games
}

/// Applies a word: a move, perhaps with its number and a symbol, or a number for a symbol.
fn take_word(line: Line<'_>, word: &str) {
    let symbol = word.strip_prefix('$').and_then(|number| number.parse::<usize>().ok());
    if let Some(symbol) = symbol.and_then(|number| Symbol::ALL.get(number.checked_sub(1)?)) {
        annotate(line, |note| note.symbol = Some(*symbol));
        return;
    }
    let word = unnumbered(word);
    if is_move(word) {
        let (mv, symbol) = Symbol::split(word);
        line.moves.push(mv.to_owned());
        if symbol.is_some() {
            annotate(line, |note| note.symbol = symbol);
        }
    }
}

/// The line that is read: the game's moves, or a variation.
struct Line<'a> {
    /// The number of the game's moves before those of a variation.
    after: usize,
    moves: &'a mut Vec<String>,
    notes: &'a mut Notes,
}

/// Changes the note on the last move of the line.
fn annotate(line: Line<'_>, change: impl FnOnce(&mut Note)) {
    let Some(nth) = line.moves.len().checked_sub(1) else { return };
    let nth = line.after + nth;
    if line.notes.last().is_none_or(|(on, _)| *on != nth) {
        if line.notes.len() >= note::MOST {
            return;
        }
        line.notes.push((nth, Note::default()));
    }
    if let Some((_, note)) = line.notes.last_mut() {
        change(note);
    }
}

/// Applies a header to the game.
fn take(game: &mut Written, name: &str, value: String) {
    match name {
        "Event" => game.course = value,
        "White" => game.names[0] = clean_name(&value),
        "Black" => game.names[1] = clean_name(&value),
        "Opening" => game.opening = value,
        "Termination" => game.comment = value,
        "Date" => game.about.date = About::new(&value, "", "").date,
        "Result" => {
            game.about.result = About::new("", &value, "").result;
            game.points = match value.as_str() {
                "1-0" => Some([1.0, 0.0]),
                "0-1" => Some([0.0, 1.0]),
                "1/2-1/2" => Some([0.5; 2]),
                _ => None,
            }
        }
        _ => {}
    }
}

/// Parses `Name "value"]`.
fn header(text: &str) -> Option<(&str, String)> {
    let (name, value) = text.split_once(' ')?;
    let value = value.trim().strip_prefix('"')?.strip_suffix(']')?.trim_end().strip_suffix('"')?;
    let mut plain = String::with_capacity(value.len());
    let mut symbols = value.chars();
    while let Some(symbol) = symbols.next() {
        plain.push(if symbol == '\\' { symbols.next().unwrap_or(symbol) } else { symbol });
    }
    Some((name, plain))
}

/// Removes a move number before a word: `12.`, `12...`, `12.e4`.
pub(crate) fn unnumbered(word: &str) -> &str {
    let digits = word.trim_start_matches(|c: char| c.is_ascii_digit());
    if digits.len() < word.len() && digits.starts_with('.') { digits.trim_start_matches('.') } else { word }
}

/// Returns true for a word that is neither an annotation nor a result.
fn is_move(word: &str) -> bool {
    let is_result = RESULTS.contains(&word) || word == "*";
    !word.is_empty() && !is_result && !word.starts_with('$') && word.contains(|c| c != '.')
}

/// The state of nested comments and variations, which may span lines.
#[derive(Default)]
struct Skip {
    comment: bool,
    /// The text of the comment so far.
    text: String,
    variations: usize,
}

/// A part of a line of text.
enum Piece<'a> {
    Words(&'a str),
    Comment(String),
    /// The beginning of a variation.
    Open,
    /// The end of a variation.
    Close,
}

impl Skip {
    fn is_inside(&self) -> bool {
        self.comment || self.variations > 0
    }

    /// Splits a line. A semicolon begins a comment to the end of the line.
    fn pieces<'a>(&mut self, line: &'a str, mut take: impl FnMut(Piece<'a>)) {
        let mut from = 0;
        for (at, symbol) in line.char_indices() {
            match (symbol, self.comment) {
                (';', false) => {
                    take(Piece::Words(&line[from..at]));
                    return take(Piece::Comment(line[at + 1..].to_owned()));
                }
                ('{' | '(' | ')', false) | ('}', true) => {}
                _ => continue,
            }
            if self.comment {
                self.text.push_str(&line[from..at]);
                take(Piece::Comment(std::mem::take(&mut self.text)));
            } else {
                take(Piece::Words(&line[from..at]));
            }
            self.comment = symbol == '{';
            if symbol == '(' {
                self.variations += 1;
                take(Piece::Open);
            } else if symbol == ')' && self.variations > 0 {
                self.variations -= 1;
                take(Piece::Close);
            }
            from = at + 1;
        }
        if self.comment {
            self.text.push_str(&line[from..]);
            self.text.push(' ');
        } else {
            take(Piece::Words(&line[from..]));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pgn_is_read_without_its_comments() {
        let text = "[Event \"draughts\"]\n[White \"a\\\"b\"]\n[Opening \"40 36\"]\n\n1. 0 {0.5s\n+3} 1 (2. 8\n9) 2.9 ; 7\n% 6\n2...8 $3\n1-0\n\n[White \"c\\\\\"]\r\n[Black \"\"]\r\n\r\n1. 5 *\r\n";
        let games = read(text, 9);
        assert_eq!(
            (games.len(), games[0].course.as_str(), games[0].names.join(",").as_str()),
            (2, "draughts", "a\"b,?")
        );
        assert_eq!((games[0].opening.as_str(), games[0].moves.join(" ").as_str()), ("40 36", "0 1 9 8"));
        assert_eq!((games[1].moves.join(" ").as_str(), games[1].names.join(",").as_str()), ("5", "c\\,"));
        assert_eq!(read(text, 1).len(), 1);
        // The numbers of other programs, $3 among them, and comments to the end of a line.
        let notes: Vec<_> = games[0].notes.iter().map(|(nth, note)| (*nth, note.plain())).collect();
        let expected = [(0, "0.5s +3"), (2, "7"), (3, "!!")];
        assert_eq!(notes, expected.map(|(nth, note)| (nth, note.to_owned())));
    }

    #[test]
    fn comments_without_end_are_read_in_linear_time() {
        let start = std::time::Instant::now();
        for (start, most, end) in [("40 ", note::TEXT, ""), ("", 4_000, ""), ("40 (41 ", note::TEXT, ")")] {
            let text = format!("[Event \"uttt\"]\n\n{start};first \n{}{end}", ";a\n".repeat(1 << 18));
            let game = read(&text, 9).remove(0);
            let variations = game.variations.iter().flat_map(|variation| &variation.notes);
            let notes = game.notes.iter().chain(variations).map(|(_, note)| note.text());
            let read = notes.chain([&*game.about.comment]).find(|text| !text.is_empty()).unwrap_or_default();
            let expected: String = "first\n".chars().chain("a\n".chars().cycle()).take(most).collect();
            assert_eq!(read, expected.trim_end());
        }
        assert!(start.elapsed().as_secs() < 5, "{:?}", start.elapsed());
    }

    #[test]
    fn symbols_stand_after_moves_and_no_text_ends_its_comment() {
        let text = "[Event \"uttt\"]\n\n1. 40!? {a ; b\n%c (d) } 36 $4 ( 37 {not this} ) 2. 0 *\n";
        let games = read(text, 9);
        assert_eq!(games[0].moves.join(" "), "40 36 0");
        let notes: Vec<_> = games[0].notes.iter().map(|(nth, note)| (*nth, note.plain())).collect();
        assert_eq!(notes, [(0, "!? a ; b %c (d)".to_owned()), (1, "??".to_owned())]);
    }
}
