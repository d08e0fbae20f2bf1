//! The executable, run as the course's tool runs it.

use assert_cmd::cargo::cargo_bin;
use std::io::Write;
use std::process::{Command, Output, Stdio};

pub fn executable() -> Command {
    Command::new(cargo_bin!("connect5-joueur"))
}

/// Runs the executable with this input to its end.
pub fn converse(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = executable()
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The process may end before it has read everything.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

/// Returns the lines after READY.
pub fn answers(output: &Output) -> Vec<String> {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    let mut lines = text.lines().map(str::to_owned);
    assert!(lines.by_ref().any(|line| line == "READY"), "no READY: {text}");
    lines.collect()
}

pub const CORNER: &str = "5 5\nN0B00\nN0B00\nN0B00\nN0B00\n00000\n";

#[test]
fn it_greets_answers_and_ends_at_a_zero() {
    let output = converse(&[], format!("{CORNER}2000\n{CORNER}50\n0\n").as_bytes());
    assert_eq!(answers(&output), ["4 0", "4 0"]);
    assert!(output.status.success() && output.stderr.is_empty());
    let greeting = String::from_utf8(output.stdout).unwrap();
    assert!(greeting.lines().next().is_some_and(|line| !line.is_empty() && line != "READY"));
}

#[test]
fn an_end_of_input_and_a_shutdown_end_it_too() {
    for end in ["", "shutdown\n", "0 ", "SHUTDOWN"] {
        let output = converse(&[], format!("{CORNER}0\n{end}").as_bytes());
        assert_eq!((answers(&output), output.status.code()), (vec!["4 0".to_owned()], Some(0)), "{end:?}");
    }
}

#[test]
fn bytes_that_editions_of_the_tool_add_change_nothing() {
    let noisy = format!(" {}1000\r\n0", CORNER.replace("\n", "\0\r\n").replacen("5 5\0", "5   5", 1));
    assert_eq!(answers(&converse(&[], noisy.as_bytes())), ["4 0"]);
}

#[test]
fn a_full_grid_is_answered_and_the_dialogue_goes_on() {
    let output = converse(&[], format!("1 2\nNB\n100\n{CORNER}0\n0\n").as_bytes());
    assert_eq!(answers(&output), ["0 0", "4 0"]);
    assert_eq!(String::from_utf8(output.stderr).unwrap().lines().count(), 1);
}

#[test]
fn a_warning_that_nobody_can_read_ends_nothing() {
    let mut command = executable();
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop(child.stderr.take());
    child.stdin.take().unwrap().write_all(b"2 6\nNNNN00\n000000\n100\n0\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((answers(&output), output.status.code()), (vec!["0 4".to_owned()], Some(0)));
}

#[test]
fn odd_counts_are_played_with_a_warning() {
    let output = converse(&[], b"2 6\nNNNN00\n000000\n100\n0\n");
    assert_eq!(answers(&output), ["0 4"], "white has fewer stones: it stops the five");
    assert_eq!(String::from_utf8(output.stderr).unwrap().lines().count(), 1);
}

#[test]
fn every_small_grid_has_an_answer() {
    for (rows, columns) in [(1, 1), (1, 2), (1, 5), (1, 9), (9, 1), (2, 2), (4, 4), (3, 20)] {
        let request =
            format!("{rows} {columns}\n{}20\n0\n", format!("{}\n", "0".repeat(columns)).repeat(rows));
        let answer = &answers(&converse(&[], request.as_bytes()))[0];
        let (row, column) = answer.split_once(' ').unwrap();
        assert!(row.parse::<usize>().unwrap() < rows && column.parse::<usize>().unwrap() < columns);
    }
}

#[test]
fn bad_input_is_one_line_and_exit_code_2() {
    for (input, word) in [
        ("x\n", "rows columns"),
        ("5 5\nN0B00\nN0B0\n", "4 cells"),
        ("1 1\n?\n5\n", "'?'"),
        ("1024 5\n", "1023"),
        ("99999999999999999999999 5\n", "rows columns"),
        ("1 1\n0\nsoon\n", "milliseconds"),
        ("1 1\n0\n", "ended"),
    ] {
        let output = converse(&[], input.as_bytes());
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{input:?}");
        assert!(stderr.lines().count() == 1 && stderr.contains(word), "{input:?}: {stderr}");
    }
}

#[test]
#[cfg(unix)]
fn memory_that_the_system_refuses_is_one_line() {
    let limited = "ulimit -v 150000; exec \"$0\" --table 256";
    let program = cargo_bin!("connect5-joueur");
    let output = Command::new("sh").args(["-c", limited]).arg(program).output().unwrap();
    let told = "connect5-joueur: --table: the system refuses 256 MiB of memory (see --help)\n";
    assert_eq!((output.status.code(), &*String::from_utf8_lossy(&output.stderr)), (Some(2), told));
}

#[test]
fn arguments_are_checked() {
    for arguments in [
        &["--eval", "none"][..],
        &["70000"],
        &["x"],
        &["1199", "1200"],
        &["--table", "0"],
        &["--equipe", "/nowhere/at/all"],
        &["--address", "127.0.0.1"],
        &["--unknown"],
        &["--piskvork", "1199"],
        &["--piskvork", "--analyse"],
        &["--piskvork", "--report"],
        &["--piskvork", "--equipe", "team"],
        &["--analyse", "1199"],
        &["--analyse", "--report"],
        &["--analyse", "--equipe", "team"],
        &["--analyse", "--nodestime", "5"],
        &["--analyse", "--keep-table"],
        &["0", "--address", "127.0.0.1", "--keep-table"],
    ] {
        let output = converse(arguments, b"");
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert_eq!(String::from_utf8(output.stderr).unwrap().lines().count(), 1, "{arguments:?}");
        assert!(output.stdout.is_empty());
    }
    let help = converse(&["--help"], b"");
    assert!(help.status.success() && String::from_utf8(help.stdout).unwrap().starts_with("usage:"));
}

#[test]
fn an_argument_that_is_wrong_is_named() {
    for (arguments, message) in [
        (&["--table", "0"][..], "--table: expected a number from 1 to 256, found \"0\""),
        (&["--nodestime", "x"], "--nodestime: expected a number from 1 to 1000000, found \"x\""),
        (&["piskvork"], "PORT: expected a number from 0 to 65535, found \"piskvork\""),
        (&["--eval", "none"], "--eval: unknown evaluation \"none\""),
        (&["1199", "--address", "here"], "--address: \"here\" is no IP address"),
        (&["--piskvork", "--report"], "--piskvork takes no --report"),
        (&["--threads", "2"], "the course's dialogue takes no --threads"),
        (&["1199", "--threads", "2"], "PORT takes no --threads"),
    ] {
        let told = String::from_utf8(converse(arguments, b"").stderr).unwrap();
        assert!(told.starts_with(&format!("connect5-joueur: {message}")), "{told}");
    }
}

#[test]
fn a_variable_that_is_wrong_is_refused_however_it_is_called() {
    for arguments in [&[][..], &["--piskvork"], &["--analyse"], &["0", "--address", "127.0.0.1"]] {
        let mut command = executable();
        command.args(arguments).env("PLAYER_INFO", "loudly").stdin(Stdio::null());
        let output = command.output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), told.lines().count()), (Some(2), 1), "{arguments:?}: {told}");
        assert!(told.contains("unknown value of PLAYER_INFO \"loudly\""), "{arguments:?}: {told}");
    }
}

#[test]
fn input_that_cannot_be_read_is_named() {
    for arguments in [&[][..], &["--piskvork"]] {
        let folder = std::fs::File::open(std::env::temp_dir()).unwrap();
        let output = executable().args(arguments).stdin(folder).output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        assert!(told.starts_with("connect5-joueur: standard input: "), "{arguments:?}: {told}");
    }
}

#[test]
fn another_team_replaces_the_built_in_one() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(&file, "Ada, 1, ada@example.org\nAlan, 2, alan@example.org\n").unwrap();
    let output = converse(&["--equipe", file.path().to_str().unwrap(), "--eval", "lines"], b"0\n");
    assert_eq!(output.stdout, b"Ada, 1, ada@example.org\nAlan, 2, alan@example.org\nREADY\n");
}

#[test]
fn a_team_file_may_have_any_usual_encoding_and_is_bounded() {
    let file = tempfile::NamedTempFile::new().unwrap();
    for bytes in [&b"\xef\xbb\xbfZo\xc3\xa9, 1, z@example.org\r\n"[..], b"Zo\xe9, 1, z@example.org\n"] {
        std::fs::write(&file, bytes).unwrap();
        let output =
            converse(&["--equipe", file.path().to_str().unwrap(), "--eval", "lines"], b"\xef\xbb\xbf0\n");
        assert_eq!(String::from_utf8(output.stdout).unwrap(), "Zoé, 1, z@example.org\nREADY\n");
        assert!(output.status.success(), "a mark before the first line is no dimension");
    }
    std::fs::write(&file, [b'a'; (1 << 16) + 1]).unwrap();
    let path = file.path().to_str().unwrap();
    for (name, reason) in [(path, "longer than 65536 bytes"), ("/dev/zero", "not a plain file")] {
        let output = converse(&["--equipe", name], b"");
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.ends_with(&format!("cannot read {name}: {reason}\n")), "{error}");
    }
}

/// A middle game, requested with 200,000 positions, then with 2,000.
pub const MIDDLE: &str = "9 9\n000000000\n000000000\n000N00000\n00BNB0000\n000BN0000\n0000NB000\n000000000\n000000000\n000000000\n";
pub const LONG_THEN_SHORT: [&str; 2] = ["200\n", "2\n"];

/// Extracts moves, scores and positions from the lines of `--report`.
pub fn reports(text: &str) -> Vec<&str> {
    text.lines().filter_map(|line| line.split_once("depth ").map(|(_, report)| report)).collect()
}

#[test]
fn nothing_is_kept_between_requests() {
    let long_then_short: String = LONG_THEN_SHORT.iter().map(|time| format!("{MIDDLE}{time}")).collect();
    let options = ["--nodestime", "1000", "--report"];
    let asked = |options: &[&str], input: String| {
        String::from_utf8(converse(options, input.as_bytes()).stderr).unwrap()
    };
    let worn = asked(&options, long_then_short.clone());
    let fresh = asked(&options, format!("{MIDDLE}2\n"));
    assert_eq!(reports(&worn).len(), 2);
    assert_eq!(reports(&worn)[1], reports(&fresh)[0]);
    let kept = asked(&[&options[..], &["--keep-table"]].concat(), long_then_short);
    assert_ne!(reports(&kept)[1], reports(&fresh)[0], "a table that is kept knows more");
}

/// Returns a square grid of this side with one stone on it.
pub fn one_stone(side: usize) -> String {
    let row = "0".repeat(side) + "\n";
    let mut text = format!("{side} {side}\n{}", row.repeat(side));
    let middle = text.len() - side / 2 * (side + 1) - side / 2;
    text.replace_range(middle..middle + 1, "N");
    text
}

#[test]
fn the_largest_grid_is_answered_near_its_stone_in_time() {
    let grid = one_stone(1023);
    let stone = grid.split_once('\n').unwrap().1.find('N').unwrap();
    for millis in [0, 20, 2_000] {
        let answers = answers(&converse(&[], format!("{grid}{millis}\n0\n").as_bytes()));
        let (row, column) = answers[0].split_once(' ').unwrap();
        let away = |text: &str, stone: usize| text.parse::<usize>().unwrap().abs_diff(stone);
        let far = away(row, stone / 1024).max(away(column, stone % 1024));
        assert!(far == 1 || far == 2 && millis > 1_000, "{answers:?}");
    }
}
