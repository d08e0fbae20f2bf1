//! Games in the notations that other programs read: PGN for rating tools, SGF for gomoku, GGF for Othello.

use crate::record::Record;
use std::fmt::Write as _;

/// All games, in the notation of their assignment; PGN where it has none of its own.
pub fn all(records: &[Record]) -> String {
    records
        .iter()
        .map(|record| match record.course.as_str() {
            "connect5" => sgf(record),
            "othello" => ggf(record),
            _ => pgn(record),
        })
        .collect()
}

fn result(record: &Record) -> &'static str {
    match record.played.points.first() {
        _ if record.seats.len() != 2 => "*",
        Some(&points) if points > 0.75 => "1-0",
        Some(&points) if points < 0.25 => "0-1",
        _ => "1/2-1/2",
    }
}

fn quoted(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

/// Headers and results as chess has them: what Ordo and BayesElo read; the moves stand in the game's own words.
pub fn pgn(record: &Record) -> String {
    let mut text = String::new();
    let name = |seat: usize| record.names.get(seat).map_or("?", String::as_str);
    let _ = writeln!(text, "[Event \"{}\"]\n[Round \"{}\"]", record.course, record.game + 1);
    let _ = writeln!(text, "[White \"{}\"]\n[Black \"{}\"]", quoted(name(0)), quoted(name(1)));
    let _ = writeln!(text, "[Result \"{}\"]\n[Opening \"{}\"]", result(record), quoted(&record.opening));
    let _ = writeln!(text, "[Termination \"{}\"]\n", quoted(&record.played.end));
    let mut column = 0;
    for (nth, mv) in record.played.moves.iter().enumerate() {
        let word = if nth % 2 == 0 { format!("{}. {mv} ", nth / 2 + 1) } else { format!("{mv} ") };
        if column + word.len() > 80 {
            text.push('\n');
            column = 0;
        }
        column += word.len();
        text.push_str(&word);
    }
    let _ = writeln!(text, "{}\n", result(record));
    text
}

/// Gomoku as SGF: game 4, points by column and row from `aa`; letters go to `z` and then `A` to `Z`.
pub fn sgf(record: &Record) -> String {
    let escape = |text: &str| text.replace('\\', "\\\\").replace(']', "\\]");
    let (size, line) = record.opening.split_once(' ').unwrap_or((&record.opening, ""));
    let (rows, columns) = size.split_once('x').unwrap_or(("0", "0"));
    let size = if rows == columns { rows.to_owned() } else { format!("{columns}:{rows}") };
    let winner = match result(record) {
        "1-0" => "B+",
        "0-1" => "W+",
        _ => "0",
    };
    let mut text = format!(
        "(;GM[4]FF[4]SZ[{size}]RU[exactly five]PB[{}]PW[{}]RE[{winner}]C[{}]",
        escape(&record.names[0]),
        escape(&record.names[1]),
        escape(&record.played.end)
    );
    let spaced = crate::connect5::names(line).into_iter();
    for (nth, name) in spaced.chain(record.played.moves.iter().map(String::as_str)).enumerate() {
        let digits = name.find(|c: char| c.is_ascii_digit()).unwrap_or(name.len());
        let (letters, number) = name.split_at(digits);
        let column =
            letters.bytes().fold(0usize, |sum, byte| 26 * sum + usize::from(byte.saturating_sub(b'a')) + 1);
        let row: usize = number.parse().unwrap_or(0);
        let _ = write!(text, ";{}[{}{}]", if nth % 2 == 0 { 'B' } else { 'W' }, letter(column), letter(row));
    }
    text + ")\n"
}

fn letter(from_one: usize) -> char {
    match from_one {
        1..=26 => char::from(b'a' + from_one as u8 - 1),
        27..=52 => char::from(b'A' + from_one as u8 - 27),
        // SGF knows no larger board.
        _ => '?',
    }
}

/// Othello as GGF: black is red.
pub fn ggf(record: &Record) -> String {
    let escape = |text: &str| text.replace(']', ")");
    let margin = record.played.score[0] - record.played.score[1];
    let mut text = format!(
        "(;GM[Othello]PC[referee]PB[{}]PW[{}]RE[{margin:+}]TI[0]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]",
        escape(&record.names[0]),
        escape(&record.names[1])
    );
    let opening: Vec<char> = record.opening.chars().filter(|c| !c.is_whitespace()).collect();
    let opening: Vec<String> = opening.chunks(2).map(|pair| pair.iter().collect()).collect();
    for (nth, mv) in opening.iter().chain(&record.played.moves).enumerate() {
        let name = if mv == "pass" { "PA".to_owned() } else { mv.to_uppercase() };
        let _ = write!(text, "{}[{name}]", if nth % 2 == 0 { 'B' } else { 'W' });
    }
    text + ";)\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Played;

    fn record(course: &str, opening: &str, moves: &[&str], points: [f64; 2], score: [f64; 2]) -> Record {
        Record {
            game: 4,
            group: 2,
            course: course.into(),
            seats: vec![0, 1],
            names: vec!["a]\"".into(), "b".into()],
            opening: opening.into(),
            seed: 1,
            played: Played {
                moves: moves.iter().map(|mv| (*mv).to_owned()).collect(),
                points: points.to_vec(),
                score: score.to_vec(),
                end: "the end".into(),
                ..Played::default()
            },
        }
    }

    #[test]
    fn each_game_is_written_in_its_notation() {
        let gomoku = sgf(&record("connect5", "9x14 a1b2", &["n9"], [1.0, 0.0], [1.0, 0.0]));
        assert!(gomoku.contains("SZ[14:9]") && gomoku.contains("PB[a\\]\"]") && gomoku.contains("RE[B+]"));
        assert!(gomoku.ends_with(";B[aa];W[bb];B[ni])\n"), "{gomoku}");
        let othello = ggf(&record("othello", "f5d6", &["c3", "pass"], [0.0, 1.0], [20.0, 44.0]));
        assert!(othello.contains("RE[-24]") && othello.ends_with("B[F5]W[D6]B[C3]W[PA];)\n"), "{othello}");
        let uttt = pgn(&record("uttt", "40 36", &["0", "1", "9"], [0.5, 0.5], [0.5, 0.5]));
        assert!(uttt.contains("[Result \"1/2-1/2\"]") && uttt.ends_with("1. 0 1 2. 9 1/2-1/2\n\n"), "{uttt}");
    }
}
