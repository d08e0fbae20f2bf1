//! Openings from files of other programs, their order, start and length.

use crate::support::{games, run, stdout};

/// The openings that two games of a match begin from, in order.
fn begun(game: &str, name: &str, text: &str, options: &str) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let (file, record) = (path(name), path("r.jsonl"));
    std::fs::write(&file, text).unwrap();
    let line = ["match", game, "--a", "builtin:first", "--b", "builtin:random", "--games", "4", "--quiet"];
    let files = ["--openings", &file, "--openings-order", "sequential", "--record", &record];
    stdout(&[&line[..], &files, &options.split_whitespace().collect::<Vec<_>>()].concat());
    let mut all = games(record.as_ref());
    all.sort_by_key(|game| game["game"].as_u64());
    all.iter().step_by(2).map(|game| game["opening"].as_str().unwrap().to_owned()).collect()
}

const SGF: &str = "(;GM[4]FF[4]SZ[9];B[ee];W[ff];B[aa])(;GM[4]FF[4]SZ[9];B[dd];W[ff]C[a; comment];B[aa])
(;GM[4]FF[4]SZ[9];B[cc];W[ff];B[aa])";

#[test]
fn games_and_positions_of_other_programs_are_openings() {
    let size = "--size 9x9";
    assert_eq!(begun("connect5", "g.sgf", SGF, size), ["9x9 e5 f6 a1", "9x9 d4 f6 a1"]);
    let cut = "--size 9x9 --openings-start 2 --openings-plies 2";
    assert_eq!(begun("connect5", "g.sgf", SGF, cut), ["9x9 d4 f6", "9x9 c3 f6"]);
    let ggf = "(;GM[Othello]PB[a]PW[b]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[F5]W[D6/1.5/2];)\n";
    assert_eq!(begun("othello", "g.ggf", ggf, ""), ["f5d6", "f5d6"]);
    let board = "-WXXXXXX-XOOXXXX-OXOOXXX-OOOOXXX-OOOOOXX-OOXOOXX--XXXXOX---XXXXX".replace('W', "-");
    let obf = format!("{board} O; B2:+3; % a problem\n");
    let obf = obf.replace("; B2:+3", "");
    assert_eq!(begun("othello", "p.obf", &obf, "")[0], format!("@{board}O"));
    let pgn = "[Event \"uttt\"]\n[Opening \"40 36\"]\n\n1. 0 {comment} 1 1-0\n";
    assert_eq!(begun("uttt", "g.pgn", pgn, "")[0], "40 36 0 1");
    let start = "B1\nB2\nB1\nB2\nB1\nB2\nB1\nB2\n".to_owned() + &"V0\n".repeat(48) + &"N1\n".repeat(8);
    assert!(begun("gounki", "p.conf", &start, "")[0].starts_with("@B1B2B1B2B1B2B1B2V0V0"));
}

#[test]
fn what_a_game_file_gives_can_be_played_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    for (game, file) in [("connect5", "g.sgf"), ("othello", "g.ggf"), ("uttt", "g.pgn"), ("gounki", "h.pgn")]
    {
        let (notation, record) = (path(file), path(&format!("{game}.jsonl")));
        let line =
            ["match", game, "--a", "builtin:random", "--b", "builtin:random", "--games", "2", "--quiet"];
        stdout(&[&line[..], &["--notation", &notation, "--record", &record]].concat());
        let text = std::fs::read_to_string(&notation).unwrap();
        let mut played = games(record.as_ref());
        played.sort_by_key(|game| game["game"].as_u64());
        let plies = begun(game, file, &text, "--openings-plies 8");
        // The size of connect5's grid stands in front; its cells, and Othello's squares, are written with or without blanks.
        let joined = |text: &str| text.replace("12x12", "").replace("pass", "").replace(' ', "");
        for (opening, game) in plies.iter().zip(&played) {
            let moves: Vec<&str> =
                game["moves"].as_array().unwrap().iter().map(|mv| mv.as_str().unwrap()).collect();
            let whole = joined(&format!("{} {}", game["opening"].as_str().unwrap(), moves.concat()));
            assert!(whole.starts_with(&joined(opening)) && !joined(opening).is_empty(), "{whole}: {opening}");
        }
    }
}

#[test]
fn what_is_no_opening_is_refused_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("o").to_string_lossy().into_owned();
    let error = |game: &str, text: &dyn AsRef<[u8]>, options: &[&str]| {
        let text = text.as_ref();
        std::fs::write(&file, text).unwrap();
        let line = ["match", game, "--a", "builtin:first", "--b", "builtin:random", "--openings", &file];
        let output = run(&[&line[..], options].concat());
        assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(text));
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(error("connect5", &SGF, &[]).contains("a game on 9x9, not on 12x12"));
    assert!(error("connect5", &"(;GM[4]SZ[12];B[a])", &[]).contains("\"a\" is no point"));
    assert!(
        error("connect5", &SGF, &["--size", "9x9", "--openings-start", "4"])
            .contains("--openings-start 4 of 3")
    );
    let won = "a1 a2 b1 b2 c1 c2 d1 d2 e1\n";
    let told = error("connect5", &won, &[]);
    assert!(told.contains("line 1: ") && told.contains("the game is over there"), "{told}");
    assert!(error("uttt", &"(;GM[4])", &[]).contains("game 1: a game of connect5, not of uttt"));
    let charset = error("connect5", b"(;GM[4]CA[Klingon]PB[\xe9];B[aa])", &[]);
    assert!(
        charset.contains("CA[Klingon]: unknown character set; expected") && charset.lines().count() == 1,
        "{charset}"
    );
}
