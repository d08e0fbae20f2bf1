//! Tests the executable through its protocols.

use assert_cmd::Command;
use othello_player::rules::{Board, Game, Move, Square};
use proptest::prelude::*;
use std::io::{BufRead as _, Write as _};
use std::time::Duration;

fn player(arguments: &[&str], input: impl Into<Vec<u8>>) -> std::process::Output {
    let mut command = Command::cargo_bin("othello-player").unwrap();
    command.args(arguments).write_stdin(input).timeout(Duration::from_secs(60)).output().unwrap()
}

/// Runs the executable, which must succeed, and returns its standard output.
fn says(arguments: &[&str], input: impl Into<Vec<u8>>) -> String {
    let output = player(arguments, input);
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Runs the executable like [`says`], and ends its input only after it has said a line that begins with `last`, `times`
/// times.
fn says_before_the_end(arguments: &[&str], input: &str, last: &str, times: usize) -> String {
    let mut process = std::process::Command::new(assert_cmd::cargo::cargo_bin("othello-player"))
        .args(arguments)
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = process.stdin.take().unwrap();
    stdin.write_all(input.as_bytes()).unwrap();
    let mut lines = std::io::BufReader::new(process.stdout.take().unwrap()).lines().map(Result::unwrap);
    let mut said = String::new();
    while said.lines().filter(|line| line.starts_with(last)).count() < times {
        said += &(lines.next().unwrap() + "\n");
    }
    drop(stdin);
    lines.for_each(|line| said += &(line + "\n"));
    assert!(process.wait().unwrap().success());
    said
}

/// Runs the executable, which must fail with one line on standard error; returns the line and the exit code.
fn fails(arguments: &[&str], input: impl Into<Vec<u8>>) -> (String, i32) {
    let output = player(arguments, input);
    let error = String::from_utf8(output.stderr).unwrap();
    (error.trim_end().lines().last().unwrap_or_default().to_owned(), output.status.code().unwrap())
}

#[test]
fn without_a_command_it_prints_its_help_and_ends_with_2() {
    let output = player(&[], "");
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("Usage: othello-player COMMAND") && error.contains("a command is missing"));
    assert!(says(&["--help"], "").contains("tournoi"));
    assert!(says(&["-h"], "").contains("tournoi"));
}

#[test]
#[cfg(unix)]
fn memory_and_threads_that_the_system_refuses_are_one_line() {
    let limited = "ulimit -v 400000; exec \"$0\" gtp --table 4000";
    let program = env!("CARGO_BIN_EXE_othello-player");
    let output = std::process::Command::new("sh").args(["-c", limited, program]).output().unwrap();
    let told = "othello-player: --table: the system refuses 4000 MiB of memory\n";
    assert_eq!((output.status.code(), &*String::from_utf8_lossy(&output.stderr)), (Some(2), told));
    let mut nboard = std::process::Command::new(program);
    // A stack that no system has.
    let output = nboard.arg("nboard").env("RUST_MIN_STACK", (1_u64 << 46).to_string()).output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains(": no thread can be started: ") && told.lines().count() == 1, "{told}");
}

#[test]
fn bad_arguments_are_named() {
    for (arguments, complaint) in [
        (&["dance"][..], "unknown command \"dance\"; --help lists them"),
        (&["gtp", "--depth", "0"], "--depth: expected a number from 1 to 120, found \"0\""),
        (
            &["gtp", "--depth", "99999999999999999999"],
            "--depth: expected a number from 1 to 120, found \"99999999999999999999\"",
        ),
        (&["gtp", "--depth"], "missing argument for option '--depth'"),
        (
            &["gtp", "--eval", "magic"],
            "--eval: unknown evaluation \"magic\"; expected one of: discs, positional, mobility",
        ),
        (&["gtp", "--table", "0"], "--table: expected a number from 1 to 4096, found \"0\""),
        (&["gtp", "--probcut", "maybe"], "--probcut: expected on or off, found \"maybe\""),
        (&["tournoi"], "tournoi: --joueur 0|1 is missing"),
        (&["tournoi", "--joueur", "2"], "--joueur: expected a number from 0 to 1, found \"2\""),
        (&["tournoi", "--joueur", "0", "--threads", "2"], "tournoi takes no --threads"),
        (&["gtp", "--threads", "0"], "--threads: expected a number from 1 to 64, found \"0\""),
        (&["perft"], "perft: N is missing"),
        (&["perft", "x"], "N: expected a number from 0 to 60, found \"x\""),
        (&["play", "--side", "red"], "--side: expected black or white, found \"red\""),
        (&["solve", "/nowhere.obf"], "/nowhere.obf: No such file or directory (os error 2)"),
        (&["gtp", "--frobnicate"], "invalid option '--frobnicate'"),
        (&["perft", "1", "2"], "unexpected argument \"2\""),
        (&["gtp", "8"], "unexpected argument \"8\""),
        (&["tournoi", "--joueur", "0", "7"], "unexpected argument \"7\""),
        (&["play", "white"], "unexpected argument \"white\""),
        (&["dance", "8"], "unknown command \"dance\""),
    ] {
        let (error, code) = fails(arguments, "");
        assert!(error.starts_with(&format!("othello-player: {complaint}")), "{arguments:?}: {error}");
        assert_eq!(code, 2, "{arguments:?}");
    }
}

#[test]
fn gtp_answers_as_its_specification_says() {
    let answers = says(
        &["gtp", "--depth", "2"],
        "1 protocol_version\n\n# a comment\nname # why not\n2 known_command genmove\nknown_command fly\nboardsize 8\n\
         boardsize 9\nboardsize x\nkomi 0\nkomi x\nplay b d3\nplay b d3\nplay w a1\nplay w\nplay green c3\nplay w c3\n\
         undo\nundo\nundo\nfly\ntime_settings 0 0 0\ntime_left b 10 0\n\tfinal_score\r\n9 quit\nname\n",
    );
    let expected = "=1 2\n\n= othello-player\n\n=2 true\n\n= false\n\n=\n\n? unacceptable size\n\n\
        ? boardsize not an integer\n\n=\n\n? komi not a float\n\n=\n\n? illegal move: black may not play d3: it is white's turn\n\n\
        ? illegal move: white may not play a1\n\n? syntax error: missing argument\n\n\
        ? syntax error: expected black or white\n\n=\n\n=\n\n=\n\n? cannot undo\n\n? unknown command\n\n\
        =\n\n=\n\n? cannot score\n\n=9\n\n";
    assert_eq!(answers, expected);
}

#[test]
fn gtp_shows_the_board_and_plays_a_game_to_its_end() {
    let board = says(&["gtp"], "play b d3\nshowboard\n");
    assert!(
        board.contains("\n1 - - - - - - - - 1\n") && board.contains("\n4 - - - X X - - - 4\n"),
        "{board}"
    );
    assert!(board.contains("X black 4, O white 1, white to move"), "{board}");

    let game =
        says(&["gtp", "--depth", "1"], format!("{}final_score\n", "genmove b\ngenmove w\n".repeat(40)));
    let moves: Vec<_> = game.lines().filter_map(|line| line.strip_prefix("= ")).collect();
    let (score, moves) = moves.split_last().unwrap();
    assert_eq!(moves.len(), 80);
    assert!(moves.iter().filter(|&&mv| mv != "pass").count() <= 60);
    assert_eq!(moves[79], "pass");
    assert!(score.starts_with("B+") || score.starts_with("W+") || *score == "0", "{score}");
}

#[test]
fn gtp_takes_a_pass_in_a_finished_game_and_takes_it_back() {
    let moves = ["b e6", "w f4", "b e3", "w f6", "b g5", "w d6", "b e7", "w f5", "b c5"];
    let game = moves.map(|mv| format!("play {mv}\n")).concat();
    let rest = "final_score\ngenmove w\nplay b pass\nplay w a1\nfinal_score\nundo\nundo\nfinal_score\nundo\n\
                final_score\nplay b pass\nplay b c5\n\
                play w pass\ngenmove b\nplay b pass\nundo\nundo\nundo\nfinal_score\n";
    let answers = says(&["gtp", "--depth", "1"], game + rest);
    let answers: Vec<_> = answers.trim_end().split("\n\n").skip(moves.len()).collect();
    assert_eq!(
        answers,
        [
            "= B+64",
            "= pass",
            "=",
            "? illegal move: the game is over",
            "= B+64",
            "=",
            "=",
            "= B+64",
            "=",
            "? cannot score",
            "? illegal move: black has a move and may not pass",
            "=",
            // Two passes are remembered, however many there were.
            "=",
            "= pass",
            "=",
            "=",
            "=",
            "=",
            "? cannot score",
        ]
    );
}

#[test]
fn reg_genmove_plays_nothing_and_genmove_out_of_turn_is_refused() {
    let answers = says(&["gtp"], "reg_genmove b\nreg_genmove b\ngenmove w\n");
    let answers: Vec<_> = answers.split("\n\n").collect();
    assert_eq!(answers[0], answers[1]);
    assert_eq!(answers[2], "? it is black's turn");
}

#[test]
fn gtp_reads_bytes_that_are_not_utf_8_and_ends_at_a_line_without_end() {
    let mut input = b"name \xff\nversion\n\0name\n".to_vec();
    assert_eq!(says(&["gtp"], input.clone()), "= othello-player\n\n= 0.1.0\n\n= othello-player\n\n");
    input.extend(vec![b'x'; 100_000]);
    assert_eq!(fails(&["gtp"], input), ("othello-player: line 4 is longer than 4096 bytes".into(), 2));
}

#[test]
fn nboard_thinks_about_the_game_that_it_is_told() {
    let start = "(;GM[Othello]PC[NBoard]PB[a]PW[b]RE[?]TY[8]\
        BO[8 ---------------------------O*------*O--------------------------- *]B[F5//0.01]W[F6]B[E6];)";
    let answers = says(
        &["nboard"],
        format!(
            "nboard 2\nset depth 3\nset game {start}\nset game nonsense\nmove Z9\nmove F4//1\nhint 2\ngo\nlearn\nfly\nping 7\n"
        ),
    );
    let lines: Vec<_> = answers.lines().collect();
    assert_eq!(lines[0], "set myname othello-player");
    assert_eq!(lines[1], "status a game record begins with \"(;\" and ends with \";)\"");
    assert_eq!(lines[2], "status expected a square from a1 to h8, found \"Z9\"");
    assert!(lines[3].starts_with("search ") && lines[4].starts_with("search "), "{answers}");
    let stats: Vec<_> = lines.iter().filter_map(|line| line.strip_prefix("nodestats ")).collect();
    assert!(stats.len() == 2 && stats.iter().all(|stats| !stats.starts_with("0 ")), "{answers}");
    let mut game = Game::default();
    for mv in ["f5", "f6", "e6", "f4"] {
        game.play(mv.parse().unwrap()).unwrap();
    }
    let played = lines.iter().find_map(|line| line.strip_prefix("=== ")).unwrap();
    game.play(played.split('/').next().unwrap().parse().unwrap()).unwrap();
    assert_eq!(lines[lines.len() - 2..], ["learned", "pong 7"]);
}

#[test]
fn nboard_answers_a_ping_behind_any_number_of_lines() {
    let flood = "set depth 2\n".repeat(500);
    let input = format!("nboard 2\ngo\n{flood}ping 3\n");
    assert!(says(&["nboard", "--depth", "60"], input).ends_with("pong 3\n"));
}

#[test]
fn nboard_takes_names_of_any_encoding() {
    let game = b"set game (;GM[Othello]PB[Andr\xe9]PW[b]TY[8]\
        BO[8 ---------------------------O*------*O--------------------------- *]B[F5];)\nset depth 1\ngo\n";
    let answers = says(&["nboard"], [b"\xef\xbb\xbfnboard 2\n", &game[..]].concat());
    assert!(answers.contains("=== ") && answers.contains("set myname"), "{answers}");
}

#[test]
fn nboard_refuses_a_depth_that_there_is_none_of() {
    let answers = says(&["nboard"], "nboard 2\nset depth 0\nset depth x\nset contempt 3\nping 1\n");
    let refused = "status expected a depth from 1 to 120\n";
    assert_eq!(answers, format!("set myname othello-player\n{refused}{refused}pong 1\n"));
}

#[test]
fn a_ping_stops_the_thinking() {
    let start = std::time::Instant::now();
    let answers = says(&["nboard", "--depth", "60"], "nboard 2\ngo\nping 3\n");
    assert!(answers.contains("\n=== ") && answers.ends_with("pong 3\n"), "{answers}");
    assert!(start.elapsed() < Duration::from_secs(20));
}

#[test]
fn a_quit_stops_the_thinking() {
    let start = std::time::Instant::now();
    let answers = says(&["nboard", "--depth", "60"], "nboard 2\ngo\nquit\nping 3\n");
    assert!(answers.contains("\n=== ") && !answers.contains("pong"), "{answers}");
    assert!(start.elapsed() < Duration::from_secs(20));
}

#[test]
fn the_end_of_input_and_a_line_that_is_too_long_stop_the_thinking() {
    let start = std::time::Instant::now();
    let answers = says(&["nboard", "--depth", "60"], "nboard 2\ngo\nhint 3\nanalyze\n");
    assert!(answers.contains("\n=== ") && answers.contains("\nsearch "), "{answers}");
    let (error, code) = fails(&["nboard", "--depth", "60"], format!("go\n{}", "x".repeat(1 << 17)));
    assert!(error.contains("line 2") && code == 2, "{error}");
    assert!(start.elapsed() < Duration::from_secs(20));
}

#[test]
fn a_depth_is_strict_whatever_was_searched_before_and_under_a_clock_too() {
    let eval = |input: &str| {
        let games = input.matches("go\n").count();
        let answers = says_before_the_end(&["nboard", "--time", "10000"], input, "=== ", games);
        let played = answers.lines().filter_map(|line| line.strip_prefix("=== ")).next_back();
        played.and_then(|played| played.split('/').nth(1)).unwrap_or_default().to_owned()
    };
    let alone = eval("move F5\nset depth 4\ngo\n");
    assert!(!alone.is_empty());
    assert_eq!(eval("move F5\nset depth 8\ngo\nset depth 4\ngo\n"), alone);
}

#[test]
fn an_analysis_of_a_game_draws_no_moves() {
    let input = "set depth 2\nmove F5\nmove D6\nanalyze\n";
    let answers = says_before_the_end(&["nboard"], input, "analysis 0 ", 1);
    assert!(answers.contains("\nanalysis 2 "), "{answers}");
    assert_eq!(says_before_the_end(&["nboard", "--random", "9"], input, "analysis 0 ", 1), answers);
}

#[test]
fn an_analysis_ends_with_the_next_line_and_with_the_input() {
    let position = Board::START;
    for rest in ["stop\n", ""] {
        let told = says(&["analyse"], format!("position {position}\nanalyse 3\n{rest}"));
        assert!(told.starts_with("ready\n"), "{told}");
    }
}

/// Lets two `tournoi` processes play each other, called as the framework would; returns black's margin.
fn tournament(depths: [&str; 2]) -> i16 {
    let mut game = Game::default();
    let program = assert_cmd::cargo::cargo_bin("othello-player");
    let mut processes = [0, 1].map(|number: usize| {
        let mut process = std::process::Command::new(&program)
            .args(["tournoi", "--joueur", &number.to_string(), "--depth", depths[number]])
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let output = std::io::BufReader::new(process.stdout.take().unwrap());
        (process, wire::LineReader::new(output, 100))
    });
    let mut last = "null".to_owned();
    while !game.is_over() {
        let (process, output) = &mut processes[game.board().side as usize];
        writeln!(process.stdin.as_mut().unwrap(), "{last}").unwrap();
        last = output.text().unwrap().unwrap().to_owned();
        let mv = match last.as_str() {
            "null" => Move::PASS,
            text => {
                let (column, row) = text.split_once(' ').unwrap();
                Square::at(column.parse().unwrap(), row.parse().unwrap()).unwrap().into()
            }
        };
        game.play(mv).unwrap();
    }
    for (mut process, _) in processes {
        drop(process.stdin.take());
        assert!(process.wait().unwrap().success(), "a helper ends when its input ends");
    }
    game.board().margin_of(othello_player::rules::Side::Black)
}

#[test]
fn two_tournament_players_play_a_whole_game() {
    assert_eq!(tournament(["3", "2"]), tournament(["3", "2"]), "equal settings give equal games");
}

#[test]
fn the_tournament_player_refuses_what_no_framework_says() {
    for (number, input, complaint) in [
        ("0", "2 3\n", "line 1: red moves first: null expected"),
        ("0", "null\nnull\n", "line 2: white has a move and may not pass"),
        ("1", "null\n", "line 1: black has a move and may not pass"),
        ("1", "0 0\n", "line 1: black may not play a1"),
        ("1", "8 0\n", "line 1: expected \"column row\" from 0 to 7, or null, found \"8 0\""),
        ("1", "\n", "line 1: expected \"column row\" from 0 to 7, or null, found \"\""),
        ("1", "2 3 4\r\n", "line 1: expected \"column row\" from 0 to 7, or null, found \"2 3 4\""),
    ] {
        let (error, code) = fails(&["tournoi", "--joueur", number, "--depth", "1"], input);
        assert_eq!((error.as_str(), code), (&*format!("othello-player: {complaint}"), 2));
    }
    assert_eq!(
        fails(&["tournoi", "--joueur", "1"], vec![b'1'; 70]).0,
        "othello-player: line 1 is longer than 64 bytes"
    );
    assert_eq!(
        fails(&["tournoi", "--joueur", "1"], b"\xff\n").0,
        "othello-player: line 1: expected \"column row\" from 0 to 7, or null, found \"\u{fffd}\""
    );
    assert_eq!(says(&["tournoi", "--joueur", "1"], ""), "");
}

#[test]
fn perft_prints_its_table() {
    let table = says(&["perft", "5"], "");
    let counts: Vec<_> = table.lines().skip(1).map(|line| line.split_whitespace().nth(1).unwrap()).collect();
    assert_eq!(counts, ["4", "12", "56", "244", "1396"]);
}

#[test]
fn a_person_plays_asks_and_takes_back() {
    let talk = says(
        &["play", "--depth", "1"],
        "help\n\nz9\na1\nd3\nhint\nundo\nundo\nlevel 3\nlevel 120\nlevel 121\nlevel 3\nswap\nrecord\nnew\n\u{e9}\nquit\n",
    );
    let mut rest = talk.as_str();
    let mut before = |part: &str| {
        let (before, after) =
            rest.split_once(part).unwrap_or_else(|| panic!("{part}, not in order:\n{talk}"));
        rest = after;
        before
    };
    let at_start = "X black 2   O white 2\nYour move, black (X):\n";
    for part in [
        "4 - - · O X - - - 4",
        at_start,
        "expected a square from a1 to h8, found \"z9\".",
        "black may not play a1.",
        "white plays ",
        "X black 3   O white 3\nYour move, black (X):\n",
    ] {
        before(part);
    }
    let hints: Vec<f64> = before("\n  a b c d e f g h\n").lines().map(hint).collect();
    assert!(hints.len() > 1 && hints.is_sorted_by(|better, worse| better >= worse), "{hints:?}:\n{talk}");
    for part in [
        at_start,
        at_start,
        "Level 3.",
        "Level 120.",
        "A level is a number from 1 to 120.",
        "(;GM[Othello]PC[othello-player]PB[othello-player]PW[person]RE[?]TY[8]BO[8 ",
    ] {
        before(part);
    }
}

/// The score on a hint's line.
fn hint(line: &str) -> f64 {
    let (score, mv) = line.trim_start().split_once("  ").unwrap_or_else(|| panic!("no hint: {line}"));
    assert!(mv.split(' ').all(|mv| mv.parse::<Move>().is_ok()), "{line}");
    score.parse().unwrap_or_else(|_| panic!("no score: {line}"))
}

#[test]
fn solve_prints_one_line_a_problem_and_checks_the_score() {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    let cells = "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXOOOOOOOOOOOOOOOOXXXXXXXXXOOOOO--";
    writeln!(file, "# comment\n{cells} X; G8:+64; % one\n").unwrap();
    let path = file.path().to_str().unwrap().to_owned();
    let output = player(&["solve", &path], "");
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        (error.as_str(), output.status.code()),
        ("othello-player: 1 of 1 scores differ from the file's\n", Some(1))
    );
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.lines().nth(1).unwrap().ends_with("  the file says +64"), "{text}");
    let fields: Vec<_> = text.lines().nth(1).unwrap().split_whitespace().collect();
    assert_eq!(fields[..3], ["1", "2", "+26"], "{text}");
    let nodes = |fields: &[&str], at: usize| fields[at].parse::<u64>().unwrap();
    let all: Vec<_> = text.lines().last().unwrap().split_whitespace().collect();
    assert_eq!(nodes(&all, 1), nodes(&fields, 4), "the only problem's nodes are all: {text}");
    assert_ne!(nodes(&all, 1), 0);
    // The file has a wrong score with the right winner.
    let text = says(&["solve", &path, "--winner"], "");
    let fields: Vec<_> = text.lines().nth(1).unwrap().split_whitespace().collect();
    assert_eq!(fields[..3], ["1", "2", "+1"], "{text}");

    writeln!(file, "nonsense").unwrap();
    let (error, code) = fails(&["solve", &path], "");
    assert_eq!(code, 2);
    assert!(error.ends_with("line 4: cell 1 of the board is 'n': X, O or - expected"), "{error}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn no_input_makes_a_protocol_panic(
        protocol in prop::sample::select(vec![&["gtp"][..], &["nboard"], &["tournoi", "--joueur", "1"], &["play"]]),
        lines in prop::collection::vec(prop_oneof![
            "(play|genmove|set|move|undo|hint|go|ping|boardsize|level|time_left) ?[bw0-9a-i]{0,9} ?[a-i0-9/]{0,9}",
            ".{0,40}",
        ], 0..12),
    ) {
        let mut arguments = protocol.to_vec();
        arguments.extend(["--depth", "1"]);
        let output = player(&arguments, lines.join("\n"));
        prop_assert!(matches!(output.status.code(), Some(0 | 2)), "{output:?}");
    }
}

#[test]
fn a_problem_file_may_begin_with_a_byte_order_mark() {
    let folder = tempfile::tempdir().unwrap();
    let solved = |name: &str, mark: &str| {
        let file = folder.path().join(name);
        let board = "X-XXXXXXXXXXXOX-XXXXOXO-XXXXOOOOXXXOOOO-XXOXOOXX-XXOOXXX-XO-OO-X X;\n";
        std::fs::write(&file, format!("{mark}{board}")).unwrap();
        let answer = says(&["solve", file.to_str().unwrap()], "");
        answer.lines().nth(1).unwrap()[..24].to_owned()
    };
    assert_eq!(solved("a", "\u{feff}"), solved("b", ""));
}
