//! Games in the notations of other programs, written and read back.

use crate::game;
use courses::course::OpeningSet;
use courses::duel::{Players, random_line};
use courses::games::connect5::{Connect5, sgf};
use courses::games::othello::{Bridge, Othello, ggf};
use courses::notation::{all, of, pgn};
use courses::openings;
use courses::player::clean_name;
use courses::record::{Played, Record};
use courses::thought::Thought;
use proptest::prelude::*;

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
    let gomoku = sgf::write(&record("connect5", "9x14 a1b2", &["n9"], [1.0, 0.0], [1.0, 0.0]));
    assert!(
        gomoku.contains("CA[UTF-8]SZ[14:9]") && gomoku.contains("PB[a\\]\"]") && gomoku.contains("RE[B+]")
    );
    assert!(gomoku.ends_with(";B[aa];W[bb];B[ni])\n"), "{gomoku}");
    let othello = ggf::write(&record("othello", "f5d6", &["c3", "d3"], [0.0, 1.0], [20.0, 44.0]));
    assert!(othello.contains("RE[-24]") && othello.ends_with("B[F5]W[D6]B[C3]W[D3];)\n"), "{othello}");
    for open in [
        sgf::write(&record("connect5", "9x14 a1b2", &["n9"], [0.0, 0.0], [0.0, 0.0])),
        ggf::write(&record("othello", "f5d6", &["c3"], [0.0, 0.0], [0.0, 0.0])),
    ] {
        assert!(open.contains("RE[?]"), "{open}");
    }
    let illegal = ggf::write(&record("othello", "f5d6", &["c3", "pass", "d3"], [0.0, 1.0], [0.0, 64.0]));
    assert!(illegal.ends_with("B[F5]W[D6]B[C3];)\n"), "{illegal}");
    let thought = |text: &str| Thought::read(text);
    let told = |course: &str, opening: &str, mv: &str| {
        let mut record = record(course, opening, &[mv], [1.0, 0.0], [40.0, 24.0]);
        record.played.micros = vec![1500];
        record.played.thoughts = vec![thought("info depth 9 score 1.5 nodes 70 line e6 ]f4}")];
        all(&[record])
    };
    let gomoku = told("connect5", "9x9 a1", "b2");
    assert!(gomoku.ends_with(";B[aa];W[bb]V[-1.5]C[+1.50/9 70 nodes, e6 \\]f4}])\n"), "{gomoku}");
    let othello = told("othello", "f5", "d6");
    assert!(othello.ends_with("B[F5]W[D6/1.50/0.002]CO[+1.50/9 70 nodes, e6 \\]f4}];)\n"), "{othello}");
    othello_player::rules::ggf::parse(&othello).expect("our own reader");
    let uttt = told("uttt", "", "40");
    assert!(uttt.ends_with("1. 40 {0.002s +1.50/9 70 nodes, e6 ]f4|} 1-0\n\n"), "{uttt}");
    let uttt = pgn::write(&record("uttt", "40 36", &["0", "1", "9"], [0.5, 0.5], [0.5, 0.5]));
    assert!(uttt.contains("[Result \"1/2-1/2\"]") && uttt.ends_with("1. 0 1 2. 9 1/2-1/2\n\n"), "{uttt}");
}

#[test]
fn what_is_not_known_is_left_out_of_a_file() {
    let open = |course: &str, opening: &str| {
        let mut record = record(course, opening, &[], [0.0, 0.0], [0.0, 0.0]);
        record.names = vec!["a".into(), "b".into()];
        record.played.end = String::new();
        all(&[record])
    };
    let written = [open("connect5", "9x9"), open("othello", ""), open("uttt", "")];
    let empty = |text: &str| text.contains("[]") || text.contains("\"\"");
    assert!(written.iter().all(|text| !empty(text)), "{written:?}");
}

/// A record's line is read without its game's rules.
#[test]
fn a_word_that_is_no_move_ends_no_program() {
    let long = "z".repeat(5000);
    let words = ["zzzzzzzzzzzzzzzzzzzzzz1", "a99999999999999999999", "é1", "[", "", "a0", "1", &long];
    for (course, opening) in
        [("connect5", "9x9"), ("othello", ""), ("uttt", ""), ("gounki", ""), ("moules", "")]
    {
        words.iter().for_each(|word| drop(all(&[record(course, opening, &[word], [1.0, 0.0], [1.0, 0.0])])));
    }
    let gomoku = sgf::write(&record("connect5", "9x9", &words[..2], [1.0, 0.0], [1.0, 0.0]));
    assert!(gomoku.ends_with(";B[??];W[??])\n"), "{gomoku}");
}

/// Reads back a record's notation. Returns its opening and its moves.
fn read_back(record: &Record) -> (String, Vec<String>) {
    let text = all(std::slice::from_ref(record));
    let notation = of(&text).expect("a notation");
    let game = notation.read(&text, 1).unwrap_or_else(|error| panic!("{error}: {text}")).remove(0);
    (game.opening, game.moves)
}

/// Returns a game of a few random moves from an opening.
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
    let text = include_str!("../../../../test-data/othello/ffo40-59.obf");
    let openings = openings::read(game("othello"), text, (0, 0), None).unwrap().lines;
    assert_eq!(openings.len(), 20);
    for (_, opening) in openings {
        let record = begun(&othello(), "othello", &opening);
        let side = if opening.ends_with('X') { '*' } else { 'O' };
        let written = ggf::write(&record);
        let first = if side == '*' { "]C[the end]B[" } else { "]C[the end]W[" };
        assert!(written.contains(&format!(" {side}{first}")), "{written}");
        assert_eq!(read_back(&record), (opening, record.played.moves));
    }
}

#[test]
fn a_pass_in_an_opening_is_written_and_the_colours_after_it_are_right() {
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
    let text = include_str!("../../../../test-data/connect5/exact5_vcf.jsonl");
    let rules = Connect5::new(15, 15, OpeningSet::single(""));
    for line in text.lines().take(12) {
        let board = game("connect5").openings().line(line, None).unwrap();
        let record = begun(&rules, "connect5", &format!("15x15 {board}"));
        let written = sgf::write(&record);
        let mover = if line.contains("\"to_move\": \"N\"") { 'B' } else { 'W' };
        assert!(written.contains("AB[") && written.contains("AW[") && !written.contains('@'), "{written}");
        assert!(written.contains(&format!("PL[{mover}];{mover}[")), "{written}");
        assert_eq!(read_back(&record), (record.opening.clone(), record.played.moves));
    }
}

#[test]
fn a_grid_that_sgf_cannot_name_is_written_as_pgn() {
    let large = record("connect5", "60x9 a1", &["b59"], [1.0, 0.0], [1.0, 0.0]);
    let text = all(std::slice::from_ref(&large));
    assert_eq!(of(&text).and_then(|notation| notation.extension()), Some("pgn"));
    assert_eq!(read_back(&large), ("60x9 a1".to_owned(), vec!["b59".to_owned()]));
}

/// Names with characters that have special meaning in some notation: delimiters, escapes, line endings,
/// bidirectional marks.
fn hostile() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        ";)",
        "]",
        "[",
        "\\",
        "(;",
        ")",
        "\n",
        "\r\n",
        "\0",
        "\t",
        "\"",
        "{",
        "}",
        ";",
        ":",
        "%",
        "\u{202e}",
        "\u{2066}",
        "\u{200f}",
        "\u{feff}",
        "\u{2028}",
        "🦀",
        "👩\u{200d}🔬",
        "e\u{301}",
        "André",
        "A. Dupont et B. Dupond",
        " ",
        "1-0",
        "$",
    ]);
    prop::collection::vec(piece, 0..6).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn hostile_names_come_back_from_every_notation(names in [hostile(), hostile()], end in hostile()) {
        for (course, opening, moves) in
            [("connect5", "9x9 a1", ["b2", "c3"]), ("othello", "f5", ["d6", "c3"]), ("uttt", "40", ["36", "0"])]
        {
            let mut record = record(course, opening, &moves, [1.0, 0.0], [40.0, 24.0]);
            record.names = names.to_vec();
            record.played.end = end.clone();
            let text = all(&[record.clone(), record.clone()]);
            let notation = of(&text).expect("a notation");
            let read = notation.read(&text, 9).map_err(|error| TestCaseError::fail(format!("{error}: {text}")))?;
            prop_assert_eq!(read.len(), 2);
            for game in read {
                let expected: Vec<String> = names.iter().map(|name| clean_name(name)).collect();
                prop_assert_eq!(&game.names, &expected, "{}", text);
                prop_assert_eq!(game.points, Some([1.0, 0.0]));
                prop_assert_eq!(clean_name(&game.comment), clean_name(&end), "{}", text);
                let line = format!("{} {}", game.opening, game.moves.join(" "));
                prop_assert!(line.trim().ends_with(&moves.join(" ")), "{line}");
            }
        }
    }
}

#[test]
fn a_text_tells_its_notation() {
    for (text, format) in [
        ("(;GM[Othello];)", Some("ggf")),
        ("\n 2 (\n;PC[GGS/os]TY[s8]BO[8 x];)", Some("ggf")),
        ("( ;GM[4];B[aa])", Some("sgf")),
        ("(;FF[4]SZ[15])", Some("sgf")),
        ("Piskvorky 15x15, 1:1, 0\n", Some("read only")),
        ("[Event \"uttt\"]\n", Some("pgn")),
        ("f5d6", None),
        ("0,0, 1,1", None),
        ("[", None),
        ("(2)", None),
        ("", None),
    ] {
        let found = of(text).map(|notation| notation.extension().unwrap_or("read only"));
        assert_eq!(found, format, "{text}");
    }
}

#[test]
fn a_fault_names_game_and_line() {
    let read = |text: &str, most| of(text).expect("a notation").read(text, most);
    let error = |text: &str| read(text, 9).unwrap_err().to_string();
    let text = "(;GM[4]SZ[3];B[aa])\n(;GM[4]SZ[3]\n;B[aa]\n;W[aa])";
    assert_eq!(error(text), "game 2, line 4: move 2: a1 is taken");
    assert_eq!(error("(;B[aa])\n\n(;B[aa]"), "game 2, line 3: the game that begins here is not closed");
    assert_eq!(error("\n(;GM[Othello]TY[10];)"), "game 1, line 2: TY[10] is not Othello on 8 × 8");
    assert_eq!(error("Piskvorky 3x3, 1:1, 0\n4,1,0").split('"').next(), Some("game 1, line 2: "));
    assert_eq!(read(text, 1).unwrap().len(), 1, "the second is not read");
}
