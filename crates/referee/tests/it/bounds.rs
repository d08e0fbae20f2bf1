//! Arguments, files and outputs at their bounds: one clear line and the exit code, never a panic.

use crate::support::{referee, run, stdout};
use std::fs::{self, File};
use std::process::Stdio;

/// The exit code and the standard error of a run that must fail.
fn fails(arguments: &[&str]) -> (i32, String) {
    let output = run(arguments);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success(), "{arguments:?}: {errors}");
    assert_eq!(errors.lines().count(), 1, "{arguments:?}: {errors}");
    (output.status.code().expect("an exit code, no signal"), errors)
}

const PLAYERS: [&str; 4] = ["--a", "builtin:random", "--b", "builtin:random"];

#[test]
fn an_output_that_fails_is_said_once_and_a_reader_that_left_is_not() {
    let full = || Stdio::from(File::options().write(true).open("/dev/full").unwrap());
    let game = ["match", "uttt", "--games", "2", "--quiet", "--a", "builtin:random", "--b", "builtin:random"];
    let openings = ["openings", "uttt", "--count", "20"];
    for arguments in [&game[..], &openings, &["--help"], &["match", "--help"]] {
        let output = referee(arguments).stdout(full()).stderr(Stdio::piped()).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {errors}");
        assert!(errors.starts_with("referee: standard output: ") && errors.lines().count() == 1, "{errors}");
        let mut child = referee(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), &*errors), (Some(0), ""), "{arguments:?}");
    }
}

#[test]
fn files_are_written_where_standard_output_is_full_or_its_reader_left() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let (json, html, record) = (file("json"), file("html"), file("record"));
    let out = ["--json", &json, "--html", &html];
    let game = [&["match", "uttt", "--games", "2", "--quiet", "--record", &record][..], &PLAYERS].concat();
    stdout(&game);
    let three = ["--player", "builtin:random", "--player", "builtin:first", "--player", "builtin:greedy"];
    let swiss =
        [&["tournament", "uttt", "--format", "swiss", "--pairs", "1", "--quiet"][..], &three].concat();
    let tune =
        "tune othello --player builtin:search:{n} --parameter n:1:1:2:1 --iterations 1 --pairs 1 --quiet";
    let sprt = "sprt uttt --a builtin:random --b builtin:random --elo0 0 --elo1 900 --games 2 --quiet";
    let mark = "mark moules --quick --player builtin:first";
    let [tune, sprt, mark] = [tune, sprt, mark].map(|words| words.split(' ').collect::<Vec<_>>());
    for command in [game, vec!["report", &record], swiss, tune, sprt, mark] {
        let arguments = [&command[..], &out].concat();
        for is_full in [true, false] {
            out.iter().skip(1).step_by(2).for_each(|path| drop(fs::remove_file(path)));
            let full = || Stdio::from(File::options().write(true).open("/dev/full").unwrap());
            let output = if is_full { full() } else { Stdio::piped() };
            let mut child = referee(&arguments).stdout(output).stderr(Stdio::piped()).spawn().unwrap();
            drop(child.stdout.take());
            let output = child.wait_with_output().unwrap();
            let errors = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(i32::from(is_full)), "{arguments:?}: {errors}");
            assert_eq!(errors.matches("standard output").count(), usize::from(is_full), "{errors}");
            assert!(fs::read(&json).is_ok_and(|text| text.ends_with(b"\n")), "{arguments:?}: {errors}");
            assert!(fs::read(&html).is_ok_and(|text| text.starts_with(b"<!")), "{arguments:?}: {errors}");
        }
    }
}

#[test]
fn every_opening_is_read_before_the_first_game() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("openings.txt");
    let text = path.to_string_lossy().into_owned();
    for (game, lines, number) in [
        ("uttt", "40 36\n# a comment\n40 99\n", 3),
        ("othello", "f5d6\nf5f5\n", 2),
        ("connect5", "b3c2\na1a1\n", 2),
        ("gounki", "\n\na1-h8\n", 3),
        ("moules", "maze 1 items 1\nmaze one\n", 2),
    ] {
        fs::write(&path, lines).unwrap();
        let arguments = [&["match", game, "--openings", &text, "--quiet"][..], &PLAYERS].concat();
        let (code, errors) = fails(&arguments);
        assert_eq!(code, 2, "{errors}");
        assert!(errors.contains(&format!("line {number}: ")), "{game}: {errors}");
    }
    let zero = [&["match", "uttt", "--openings", "/dev/zero", "--quiet"][..], &PLAYERS].concat();
    assert_eq!(fails(&zero).0, 2);
    assert_eq!(fails(&["report", "/dev/zero"]).0, 2);
}

#[test]
fn times_of_a_record_may_be_any_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let (record, page) = (file("record.jsonl"), file("page.html"));
    let files = ["match", "uttt", "--games", "2", "--quiet", "--record", &record];
    stdout(&[&files[..], &PLAYERS].concat());
    let mut text = String::new();
    for line in fs::read_to_string(&record).unwrap().lines() {
        let mut line: serde_json::Value = serde_json::from_str(line).unwrap();
        for field in ["micros", "cpu"] {
            line[field].as_array_mut().into_iter().flatten().for_each(|time| *time = u64::MAX.into());
        }
        text += &format!("{line}\n");
    }
    fs::write(&record, text).unwrap();
    assert!(stdout(&["report", &record, "--html", &page]).contains("2 games"));
}

#[test]
fn absurd_numbers_are_refused_or_bounded() {
    let with =
        |more: &[&'static str]| [&["match", "uttt", "--games", "2", "--quiet"][..], &PLAYERS, more].concat();
    assert_eq!(fails(&with(&["--concurrency", "4294967296"])).0, 2);
    assert_eq!(fails(&with(&["--concurrency", "18446744073709551615", "--live", "0"])).0, 2);
    assert_eq!(fails(&with(&["--concurrency", "0"])).0, 2);
    stdout(&with(&["--concurrency", "1024"]));
    assert_eq!(fails(&with(&["--start-up", "0"])).0, 2);
}

#[test]
fn more_games_than_memory_holds_are_refused_before_the_first() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.html").to_string_lossy().into_owned();
    let tune = "tune uttt --player builtin:search:{n} --parameter n:1:1:2:1 --iterations 1000000 --pairs 1";
    let players = "--player builtin:random --player builtin:first";
    for (line, told) in [
        ("match uttt --a builtin:random --b builtin:random --games 1000001".to_owned(), "1000002 games"),
        (
            "sprt uttt --a builtin:random --b builtin:random --games 99999999999".to_owned(),
            "100000000000 games",
        ),
        (format!("tournament uttt {players} --format swiss --pairs 9999999"), " games"),
        (format!("tournament uttt {players} --format swiss --pairs {}", u64::MAX), " games"),
        (format!("tournament uttt {players} --format knockout --pairs {}", u64::MAX), " games"),
        (format!("tournament uttt {players} --rounds 9999999"), "19999998 games"),
        (tune.to_owned(), "2000000 games"),
    ] {
        let (code, errors) = fails(&line.split(' ').chain(["--quiet"]).collect::<Vec<_>>());
        assert!(code == 2 && errors.contains(told) && errors.contains("(1000000)"), "{line}: {errors}");
    }
    let line = "match uttt --a builtin:random --b builtin:random --games 100002 --quiet --html";
    let (code, errors) = fails(&line.split(' ').chain([page.as_str()]).collect::<Vec<_>>());
    assert!(code == 2 && errors.contains("with --html") && errors.contains("(100000)"), "{errors}");
}

#[test]
fn a_run_that_is_refused_leaves_its_files_as_they_were() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let (record, log) = (file("record"), file("log"));
    let refused = |line: &str| {
        let words = format!("{line} --quiet --record {record} --log {log}");
        assert_eq!(fails(&words.split(' ').collect::<Vec<_>>()).0, 2);
    };
    let players = "--player builtin:random --player builtin:first";
    let many = "match uttt --a builtin:random --b builtin:random --games 1000001";
    for line in [
        many,
        &format!("tournament uttt {players} --format swiss --pairs 9999999"),
        &format!("tournament uttt {players} --format swiss --shard 1/2"),
    ] {
        refused(line);
        assert!(!fs::exists(&record).unwrap() && !fs::exists(&log).unwrap(), "{line}");
    }
    for (path, text) in [(&record, ""), (&log, "== game 1: an earlier run\n")] {
        fs::write(path, text).unwrap();
    }
    refused(many);
    assert_eq!(fs::read(&record).unwrap(), b"");
    assert_eq!(fs::read_to_string(&log).unwrap(), "== game 1: an earlier run\n");
}

#[test]
fn what_is_no_finite_number_is_refused_by_every_option_that_takes_one() {
    let sprt = [&["sprt", "uttt", "--quiet"][..], &PLAYERS].concat();
    let tune =
        ["tune", "uttt", "--player", "builtin:search:{n}", "--parameter", "n:1:1:2:1", "--iterations", "1"];
    let game = [&["match", "uttt", "--games", "2", "--quiet"][..], &PLAYERS].concat();
    for (command, options) in [
        (&sprt[..], &["--elo0", "--elo1", "--alpha", "--beta"][..]),
        (&tune, &["--rate"]),
        (&game, &["--watchdog", "--start-up", "--resign=count=1,score", "--draw=count=1,score"]),
    ] {
        for option in options {
            for number in ["nan", "NaN", "inf", "-inf", "infinity", "1e999", "x", ""] {
                let argument = format!("{option}={number}");
                let (code, errors) = fails(&[command, &[argument.as_str()]].concat());
                let name = option.split('=').next().unwrap_or(option);
                assert!(code == 2 && errors.contains(name), "{argument}: {errors}");
            }
        }
    }
}

#[test]
fn players_at_one_address_have_a_game_of_the_maze_at_a_time() {
    let line = "tournament moules --player tcp:127.0.0.1:1 --player builtin:random --concurrency 2 --force";
    let (code, errors) = fails(&line.split(' ').collect::<Vec<_>>());
    assert!(
        code == 2 && errors.contains("\"tcp:127.0.0.1:1\"") && errors.contains("--concurrency 1"),
        "{errors}"
    );
    // Servers of connect5 may take several clients; without an option they have one. Here nobody listens.
    let line = "match connect5 --size 8x8 --a tcp:127.0.0.1:1 --b builtin:first --games 2 --quiet";
    let play = |more: &str| {
        let output = run(&line.split(' ').chain(more.split_whitespace()).collect::<Vec<_>>());
        assert!(String::from_utf8_lossy(&output.stdout).contains("2 × crash"), "{output:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    assert_eq!(play("--concurrency 2 --force"), "");
    assert!(play("").starts_with("referee: one game at a time, because \"tcp:127.0.0.1:1\" has one address"));
}

#[test]
fn a_probe_of_its_port_costs_a_client_of_the_maze_no_game() {
    use std::io::{BufRead, BufReader, Write};
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let client = std::thread::spawn(move || {
        let connect = || loop {
            if let Ok(stream) = std::net::TcpStream::connect(("127.0.0.1", port)) {
                return stream;
            }
            std::thread::sleep(std::time::Duration::from_millis(5));
        };
        for _ in 0..2 {
            drop(connect());
            // This one is reset.
            let probe = connect();
            rustix::net::sockopt::set_socket_linger(&probe, Some(std::time::Duration::ZERO)).unwrap();
            drop(probe);
            let mut stream = connect();
            stream.write_all(b"un\n").unwrap();
            // It passes at each turn.
            for line in BufReader::new(stream.try_clone().unwrap()).lines().map_while(Result::ok).skip(1) {
                if line == "FIN" || stream.write_all(b"C\n").is_err() {
                    break;
                }
            }
        }
    });
    let line =
        format!("match moules --a tcp:127.0.0.1:{port} --b builtin:random --games 2 --turns 3 --quiet");
    let told = stdout(&line.split(' ').collect::<Vec<_>>());
    assert_eq!(told.matches(" none\n").count(), 2, "{told}");
    client.join().unwrap();
}

#[test]
fn a_number_out_of_range_is_refused_and_the_greatest_depth_is_one() {
    let (code, errors) = fails(&["openings", "uttt", "--count", "18446744073709551615", "--plies", "200"]);
    assert!(code == 2 && errors.contains("1000000"), "{errors}");
    let line =
        "tournament othello --ranking course --openings none --rounds 1 --depth 65535 --player builtin:first";
    stdout(&line.split(' ').chain(["--player", "builtin:first"]).collect::<Vec<_>>());
}

#[test]
fn a_page_that_cannot_be_written_is_found_before_the_games() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("run.jsonl").to_string_lossy().into_owned();
    let nowhere = folder.path().join("nowhere/page.html").to_string_lossy().into_owned();
    let (code, errors) =
        fails(&[&["match", "uttt", "--record", &record, "--html", &nowhere][..], &PLAYERS].concat());
    assert_eq!(code, 2, "{errors}");
    assert!(!fs::exists(&record).unwrap(), "no game was begun");
}

#[test]
fn a_file_that_is_no_record_is_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("f");
    fs::write(&path, "IMPORTANT").unwrap();
    let text = path.to_string_lossy().into_owned();
    let (code, errors) = fails(&[&["match", "uttt", "--record", &text][..], &PLAYERS].concat());
    assert_eq!(code, 2, "{errors}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "IMPORTANT");
}

#[test]
fn a_record_that_does_not_fit_its_run_is_told_by_line_and_field() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    let text = path.to_string_lossy().into_owned();
    let joined = folder.path().join("joined").to_string_lossy().into_owned();
    let game = [&["match", "uttt", "--games", "2", "--quiet", "--record", &text][..], &PLAYERS].concat();
    stdout(&game);
    let good = fs::read_to_string(&path).unwrap();
    for (field, from, to) in [
        ("points", "\"points\":[", "\"points\":[0.5,"),
        ("score", "\"score\":[", "\"score\":[0.5,"),
        ("movers", "\"movers\":[", "\"movers\":[7,"),
        ("seats", "\"seats\":[", "\"seats\":[9,"),
        ("names", "\"names\":[\"", "\"names\":[\"x\",\""),
        ("game", "\"game\":1,", "\"game\":0,"),
        ("game", "\"game\":1,", "\"game\":18446744073709551615,"),
    ] {
        let mut lines: Vec<String> = good.lines().map(str::to_owned).collect();
        lines[1..].sort_by_key(|line| line.contains("\"game\":1,"));
        lines[2] = lines[2].replace(from, to);
        fs::write(&path, lines.join("\n") + "\n").unwrap();
        for arguments in [&["report", &text][..], &game, &["merge", "-o", &joined, &text], &["replay", &text]]
        {
            let (code, errors) = fails(arguments);
            assert_eq!(code, 2, "{errors}");
            assert!(errors.contains("line 3: ") && errors.contains(&format!("field {field}: ")), "{errors}");
        }
    }
}

#[test]
fn help_fits_a_hundred_columns_where_there_is_no_terminal() {
    let commands = stdout(&["--help"]);
    let names = commands.lines().skip_while(|line| !line.starts_with("Commands:")).skip(1);
    let names: Vec<&str> = names.map_while(|line| line.split_whitespace().next()).collect();
    assert!(names.len() >= 8, "{commands}");
    for name in names.iter().filter(|&&name| name != "help") {
        let help = stdout(&[name, "--help"]);
        let widest = help.lines().max_by_key(|line| line.chars().count()).unwrap_or_default();
        assert!(widest.chars().count() <= 100, "{name}: {widest}");
    }
}

#[test]
fn help_lists_what_a_command_uses_and_nothing_else_is_taken() {
    for (command, used, unused) in [
        ("demo", "--time", "--openings"),
        ("mark", "--depth", "--adjudicate"),
        ("replay", "--turns", "--memory"),
        ("openings", "--seed", "--watchdog"),
    ] {
        let help = stdout(&[command, "--help"]);
        assert!(help.contains(used) && !help.contains(unused), "{command}: {help}");
    }
    let (code, errors) = fails(&["openings", "uttt", "--memory", "5"]);
    assert!(code == 2 && errors.contains("--memory"), "{errors}");
}

#[test]
fn a_game_on_a_large_grid_keeps_none_of_its_boards() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("r").to_string_lossy().into_owned();
    let size = "match connect5 --size 1023x1023 --openings none --games 2 --concurrency 1 --max-moves 50 -q";
    let game: Vec<&str> = size.split(' ').chain(["--a", "builtin:first", "--b", "builtin:first"]).collect();
    let game = [&game[..], &["--record", &record]].concat();
    // A position takes 2 MB, and so does the text of a board.
    for command in [game, vec!["replay", &record], vec!["replay", &record, "--game", "2"]] {
        let output = std::process::Command::new("sh")
            .args(["-c", "ulimit -d 140000; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_referee")])
            .args(&command)
            .output()
            .unwrap();
        assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
}
