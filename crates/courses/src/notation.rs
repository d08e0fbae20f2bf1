//! Games in the notations that other programs read: PGN for rating tools, SGF for gomoku, GGF for Othello.

pub mod read;

use crate::games::connect5;
use crate::games::othello::{Begun, Coloured};
use crate::record::Record;
use crate::thought::Thought;
use connect5_joueur::rules::{Color, Position};
use othello_player::rules::{Board, Move, Side};
use search_core::Position as _;
use std::fmt::Write as _;

/// All games, in the notation of their assignment; PGN where it has none of its own.
#[must_use]
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

/// The result; a game that is not over has given nobody a point.
fn result(record: &Record) -> &'static str {
    let is_open = record.played.points.iter().all(|&points| points == 0.0);
    match record.played.points.first() {
        _ if record.seats.len() != 2 || is_open => "*",
        Some(&points) if points > 0.75 => "1-0",
        Some(&points) if points < 0.25 => "0-1",
        _ => "1/2-1/2",
    }
}

/// The report on the `nth` move behind the opening.
fn thought(record: &Record, nth: usize) -> Option<&Thought> {
    record.played.thoughts.get(nth)?.as_ref()
}

/// Seconds that the `nth` move behind the opening took.
fn seconds(record: &Record, nth: usize) -> f64 {
    record.played.micros.get(nth).map_or(0.0, |&micros| micros as f64 / 1e6)
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
    let mut words = Vec::new();
    for (nth, mv) in record.played.moves.iter().enumerate() {
        if nth % 2 == 0 {
            words.push(format!("{}.", nth / 2 + 1));
        }
        words.push(mv.clone());
        if let Some(thought) = thought(record, nth) {
            // A brace would end the comment.
            let told = thought.text().replace(['{', '}'], "|");
            let comment = format!("{{{:.3}s {told}}}", seconds(record, nth));
            words.extend(comment.split_whitespace().map(str::to_owned));
        }
    }
    words.push(result(record).to_owned());
    let mut column = 0;
    for word in words {
        if column > 0 && column + 1 + word.len() > 80 {
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

/// Gomoku as SGF: game 4, points by column and row from `aa`; letters go to `z` and then `A` to `Z`. The stones of an
/// opening that is a position are set up.
pub fn sgf(record: &Record) -> String {
    let escape = |text: &str| text.replace('\\', "\\\\").replace(']', "\\]");
    let (size, line) = record.opening.split_once(' ').unwrap_or((&record.opening, ""));
    let (rows, columns) = size.split_once('x').unwrap_or(("0", "0"));
    let size = if rows == columns { rows.to_owned() } else { format!("{columns}:{rows}") };
    let winner = match result(record) {
        "1-0" => "B+",
        "0-1" => "W+",
        "*" => "?",
        _ => "0",
    };
    let mut text = format!(
        "(;GM[4]FF[4]SZ[{size}]RU[exactly five]PB[{}]PW[{}]RE[{winner}]C[{}]",
        escape(&record.names[0]),
        escape(&record.names[1]),
        escape(&record.played.end)
    );
    let begun = connect5::begin(&record.opening).ok();
    text += &begun.as_ref().map(|(position, _)| set_up(position)).unwrap_or_default();
    let mover = begun.as_ref().map_or(Color::Black, |(position, _)| position.mover());
    let spaced = connect5::names(begun.map_or(line, |(_, line)| line));
    let before = spaced.len();
    for (nth, name) in spaced.into_iter().chain(record.played.moves.iter().map(String::as_str)).enumerate() {
        let digits = name.find(|c: char| c.is_ascii_digit()).unwrap_or(name.len());
        let (letters, number) = name.split_at(digits);
        let column =
            letters.bytes().fold(0usize, |sum, byte| 26 * sum + usize::from(byte.saturating_sub(b'a')) + 1);
        let row: usize = number.parse().unwrap_or(0);
        let color = if nth % 2 == 0 { mover } else { mover.other() };
        let _ = write!(text, ";{}[{}{}]", initial(color), letter(column), letter(row));
        if let Some(thought) = nth.checked_sub(before).and_then(|nth| thought(record, nth)) {
            // A node's value is black's.
            let sign = if color == Color::Black { 1.0 } else { -1.0 };
            let value = thought.score.map(|score| format!("V[{}]", sign * score)).unwrap_or_default();
            let _ = write!(text, "{value}C[{}]", escape(&thought.text()));
        }
    }
    text + ")\n"
}

/// A colour's letter in SGF.
fn initial(color: Color) -> char {
    if color == Color::Black { 'B' } else { 'W' }
}

/// The stones of a position, and who moves; nothing for an empty grid.
fn set_up(position: &Position) -> String {
    let columns = position.geometry().columns();
    let stones = |color: Color| -> String {
        let of = position.cells().filter(|&cell| position.stone(cell) == Some(color));
        let points = of.map(|cell| cell.coordinates(columns));
        points.map(|at| format!("[{}{}]", letter(at.column + 1), letter(at.row + 1))).collect()
    };
    let properties = Color::ALL.map(|color| match stones(color) {
        points if points.is_empty() => points,
        points => format!("A{}{points}", initial(color)),
    });
    match properties.concat() {
        text if text.is_empty() => text,
        text => format!("{text}PL[{}]", initial(position.mover())),
    }
}

fn letter(from_one: usize) -> char {
    match from_one {
        1..=26 => char::from(b'a' + from_one as u8 - 1),
        27..=52 => char::from(b'A' + from_one as u8 - 27),
        // SGF knows no larger board.
        _ => '?',
    }
}

/// Othello as GGF: black is red. The moves are those up to the first that the rules forbid.
#[must_use]
pub fn ggf(record: &Record) -> String {
    let escape = |text: &str| text.replace(']', ")");
    let margin = match result(record) {
        "*" => "?".to_owned(),
        _ => format!("{:+}", record.played.score[0] - record.played.score[1]),
    };
    let none = Begun { start: Board::START, moves: Vec::new(), position: Coloured(Board::START) };
    let Begun { start, moves, mut position } = Begun::of(&record.opening).unwrap_or(none);
    let mut text = format!(
        "(;GM[Othello]PC[referee]PB[{}]PW[{}]RE[{margin}]TI[0]TY[8]BO[8 {}]",
        escape(&record.names[0]),
        escape(&record.names[1]),
        start.to_string().replace('X', "*")
    );
    let named = |side: Side, mv: Move| {
        let name = mv.square().map_or_else(|| "PA".to_owned(), |square| square.to_string().to_uppercase());
        format!("{}[{name}", if side == Side::Black { 'B' } else { 'W' })
    };
    for (side, mv) in moves {
        let _ = write!(text, "{}]", named(side, mv));
    }
    for (nth, mv) in record.played.moves.iter().enumerate() {
        let Some(mv) = mv.parse().ok().filter(|&mv| position.is_legal(mv)) else { break };
        text += &named(position.0.side, mv);
        position.play(mv);
        if let Some(thought) = thought(record, nth) {
            let score = thought.score.map(|score| format!("{score:.2}")).unwrap_or_default();
            let _ = write!(text, "/{score}/{:.3}]CO[{}", seconds(record, nth), escape(&thought.text()));
        }
        text.push(']');
    }
    text + ";)\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::course::OpeningSet;
    use crate::duel::{Players, random_line};
    use crate::games::connect5::Connect5;
    use crate::games::othello::{Bridge, Othello};
    use crate::openings;
    use crate::record::Played;
    use crate::registry::Game;

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
        let othello = ggf(&record("othello", "f5d6", &["c3", "d3"], [0.0, 1.0], [20.0, 44.0]));
        assert!(othello.contains("RE[-24]") && othello.ends_with("B[F5]W[D6]B[C3]W[D3];)\n"), "{othello}");
        for open in [
            sgf(&record("connect5", "9x14 a1b2", &["n9"], [0.0, 0.0], [0.0, 0.0])),
            ggf(&record("othello", "f5d6", &["c3"], [0.0, 0.0], [0.0, 0.0])),
        ] {
            assert!(open.contains("RE[?]"), "{open}");
        }
        let illegal = ggf(&record("othello", "f5d6", &["c3", "pass", "d3"], [0.0, 1.0], [0.0, 64.0]));
        assert!(illegal.ends_with("B[F5]W[D6]B[C3];)\n"), "{illegal}");
        let thought = |text: &str| crate::thought::Thought::read(text);
        let told = |course: &str, opening: &str, mv: &str| {
            let mut record = record(course, opening, &[mv], [1.0, 0.0], [40.0, 24.0]);
            record.played.micros = vec![1500];
            record.played.thoughts = vec![thought("info depth 9 score 1.5 nodes 70 line e6 ]f4}")];
            all(&[record])
        };
        let gomoku = told("connect5", "9x9 a1", "b2");
        assert!(gomoku.ends_with(";B[aa];W[bb]V[-1.5]C[+1.50/9 70 nodes, e6 \\]f4}])\n"), "{gomoku}");
        let othello = told("othello", "f5", "d6");
        assert!(othello.ends_with("B[F5]W[D6/1.50/0.002]CO[+1.50/9 70 nodes, e6 )f4}];)\n"), "{othello}");
        othello_player::rules::ggf::parse(&othello).expect("our own reader");
        let uttt = told("uttt", "", "40");
        assert!(uttt.ends_with("1. 40 {0.002s +1.50/9 70 nodes, e6 ]f4|} 1-0\n\n"), "{uttt}");
        let uttt = pgn(&record("uttt", "40 36", &["0", "1", "9"], [0.5, 0.5], [0.5, 0.5]));
        assert!(uttt.contains("[Result \"1/2-1/2\"]") && uttt.ends_with("1. 0 1 2. 9 1/2-1/2\n\n"), "{uttt}");
    }

    /// The game that our own reader finds in a record's notation: its opening and its moves.
    fn read_back(record: &Record) -> (String, Vec<String>) {
        let text = all(std::slice::from_ref(record));
        let games = if record.course == "othello" { read::ggf(&text) } else { read::sgf(&text) };
        let game = games.unwrap_or_else(|error| panic!("{error}: {text}")).remove(0);
        (game.opening, game.moves)
    }

    /// A game of a few random moves from an opening.
    fn begun(game: &impl Players, course: &str, opening: &str) -> Record {
        let moves = random_line(game, opening, 3, 1).expect("three moves");
        let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
        record(course, opening, &moves, [1.0, 0.0], [40.0, 24.0])
    }

    fn othello() -> Othello {
        let set = OpeningSet::single("");
        Othello { set, depth: 1, timed: false, adjudicate: 0, bridge: Bridge::default() }
    }

    #[test]
    fn a_game_of_othello_from_a_position_is_read_back() {
        let text = include_str!("../../../test-data/othello/ffo40-59.obf");
        let openings = openings::read(Game::Othello, text, (0, 0), None).unwrap().lines;
        assert_eq!(openings.len(), 20);
        for (_, opening) in openings {
            let record = begun(&othello(), "othello", &opening);
            let side = if opening.ends_with('X') { '*' } else { 'O' };
            let written = ggf(&record);
            let first = if side == '*' { "]B[" } else { "]W[" };
            assert!(written.contains(&format!(" {side}{first}")), "{written}");
            assert_eq!(read_back(&record), (opening, record.played.moves));
        }
    }

    #[test]
    fn a_pass_in_an_opening_is_written_and_the_colours_behind_it_are_right() {
        let passes = |line: &[String]| line.iter().any(|mv| mv == "pass");
        let found = (0..).find_map(|seed| random_line(&othello(), "", 50, seed).filter(|line| passes(line)));
        let line = found.expect("a line with a pass");
        let plain: Vec<&str> = line.iter().map(String::as_str).filter(|mv| *mv != "pass").collect();
        let (opening, moves) = plain.split_at(plain.len() - 1);
        let record = record("othello", &opening.concat(), moves, [1.0, 0.0], [40.0, 24.0]);
        assert_eq!(read_back(&record), (String::new(), line));
    }

    #[test]
    fn a_game_of_connect5_from_a_position_is_read_back() {
        let text = include_str!("../../../test-data/connect5/exact5_vcf.jsonl");
        let game = Connect5 { rows: 15, columns: 15, set: OpeningSet::single("") };
        for line in text.lines().take(12) {
            let board = openings::position(Game::Connect5, line).unwrap();
            let record = begun(&game, "connect5", &format!("15x15 {board}"));
            let written = sgf(&record);
            let mover = if line.contains("\"to_move\": \"N\"") { 'B' } else { 'W' };
            assert!(
                written.contains("AB[") && written.contains("AW[") && !written.contains('@'),
                "{written}"
            );
            assert!(written.contains(&format!("PL[{mover}];{mover}[")), "{written}");
            assert_eq!(read_back(&record), (record.opening.clone(), record.played.moves));
        }
    }
}
