//! Opening files of many kinds.

use crate::game;
use courses::openings::read;
use courses::registry::Game;

fn of(game: Game, text: &str, plies: Option<usize>) -> Vec<String> {
    let read = read(game, text, (15, 15), plies).unwrap();
    read.lines.into_iter().map(|(_, line)| line).collect()
}

#[test]
fn an_opening_in_several_spellings_is_one() {
    let found = read(game("othello"), "f5d6\nF5D6\nf5 d6\nf5f6\n", (8, 8), None).unwrap();
    let lines: Vec<&str> = found.lines.iter().map(|(_, line)| line.as_str()).collect();
    assert_eq!(lines, ["f5d6", "f5f6"]);
    let found = read(game("uttt"), "40 36\n40  36\n4 036\n", (8, 8), None).unwrap();
    assert_eq!(found.lines.len(), 2, "numbers are not run together: {found:?}");
}

#[test]
fn games_and_positions_become_openings() {
    let sgf = "(;GM[4]SZ[15];B[hh];W[ii];B[aa])(;GM[4]SZ[15];B[hh];W[ii];B[bb])";
    assert_eq!(of(game("connect5"), sgf, None), ["h8 i9 a1", "h8 i9 b2"]);
    assert_eq!(of(game("connect5"), sgf, Some(2)), ["h8 i9"], "the same opening counts once");
    assert!(
        read(game("connect5"), "(;GM[4]SZ[9];B[hh])", (15, 15), None)
            .unwrap_err()
            .to_string()
            .contains("9x9")
    );
    let ggf = "(;GM[Othello]PB[a]PW[b]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[F5]W[D6];)";
    assert_eq!(of(game("othello"), ggf, None), ["f5d6"]);
    let pgn = "[Opening \"40 36\"]\n\n1. 0 1 2. 9 1-0\n";
    assert_eq!(of(game("uttt"), pgn, Some(3)), ["40 36 0"]);
    let obf = "# FFO\n--XXXXX---XXXX---OOOXX---OOXXXX--OOXXXO-OOOOXOO----XOX----XXXXX- O; G3:-12; % 43\n";
    assert_eq!(of(game("othello"), obf, None)[0].len(), 66);
    assert_eq!(of(game("othello"), "f5d6c3d3", Some(3)), ["f5d6c3"]);
    assert_eq!(of(game("connect5"), "H8 I9\nh8 i9\n", None), ["h8 i9"], "capitals are the same opening");
    assert_eq!(of(game("connect5"), "0,0, 1,0, 1,3\n-7,-7, 7,7\n", None), ["h8 i8 i11", "a1 o15"]);
    let psq = "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,10\na.exe\nb.exe\n-1\n";
    assert_eq!(of(game("connect5"), psq, None), ["h8 i9"]);
    for (text, error) in [
        ("0,0, 9,0", "line 1: 9,0 from the middle lies outside the 15 x 15 grid"),
        ("(;GM[4]SZ[15];B[hh];W[hh])", "game 1, line 1: move 2: h8 is taken"),
        ("[Event \"uttt\"]\n\n1. 40 *", "game 1: a game of uttt, not of connect5"),
    ] {
        assert_eq!(read(game("connect5"), text, (15, 15), None).unwrap_err().to_string(), error, "{text}");
    }
    assert_eq!(of(game("uttt"), "12345678901234567890\n40 36\n", None), ["@12345678901234567890", "40 36"]);
    let codes = ["B1"; 64].join(" ");
    assert_eq!(of(game("gounki"), &format!("n {codes}"), None), [format!("@{}:noir", "B1".repeat(64))]);
    assert_eq!(of(game("gounki"), &codes, None), [format!("@{}", "B1".repeat(64))]);
}

#[test]
fn a_maze_of_pgn_is_no_opening_and_the_error_says_what_is() {
    let text = "[Event \"moules\"]\n[Opening \"maze 1 items 2\"]\n\n1. N S *\n";
    let error = read("moules".parse().unwrap(), text, (25, 17), None).unwrap_err().to_string();
    let expected = "the openings of moules hold no moves: write \"maze 1 items 2\" on a line of its own";
    assert_eq!(error, format!("game 1: {expected}"));
    assert!(read("moules".parse().unwrap(), "maze 1 items 2\n", (25, 17), None).is_ok());
}

#[test]
fn an_error_in_a_long_line_is_a_short_message() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("openings.txt");
    std::fs::write(&path, "a".repeat(100_000)).unwrap();
    for game in courses::registry::all() {
        let mut options = courses::options::GameOptions::default();
        options.openings.openings = Some(path.display().to_string());
        let message = options.course(game, 2).err().unwrap().to_string();
        assert!(message.contains("line 1") && message.len() < 1_000, "{game}: {} bytes", message.len());
    }
}
