//! Output of engines besides, or in place of, the answers of their protocols.

use crate::support::{games, shell, stdout};
use serde_json::Value;
use std::time::{Duration, Instant};

/// Two games of `engine`, as player a, against the first legal move.
fn played(game: &str, engine: &str, more: &str) -> Vec<Value> {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("run.jsonl");
    let (player, file) = (format!("a={engine}"), record.to_string_lossy().into_owned());
    let line = [
        "match",
        game,
        "--games",
        "2",
        "--quiet",
        "--b",
        "b=builtin:first",
        "--a",
        &player,
        "--record",
        &file,
    ];
    stdout(&line.into_iter().chain(more.split_whitespace()).collect::<Vec<_>>());
    games(&record)
}

/// An engine that answers every line of its input by `answer`, which finds it in `$line` and its first word in `$word`.
fn answering(protocol: &str, answer: &str) -> String {
    let script = format!("while read -r line; do word=${{line%% *}}; {answer}; done");
    format!("{protocol}{}", shell(&script))
}

/// The kind and the detail of the only fault of a game.
fn fault(game: &Value) -> (&str, &str) {
    let fault = &game["faults"][0][1];
    (fault["kind"].as_str().unwrap_or("none"), fault["detail"].as_str().unwrap_or_default())
}

#[test]
fn an_engine_that_resigns_has_lost_without_a_fault() {
    let engine = answering("gtp:", r#"case $word in genmove) echo "= resign";; *) echo "=";; esac; echo"#);
    let all = played("othello", &engine, "");
    for game in &all {
        let seat = game["names"].as_array().unwrap().iter().position(|name| name == "a").unwrap();
        assert_eq!((&game["points"][seat], &game["score"][1 - seat]), (&0.0.into(), &64.0.into()), "{game}");
        assert_eq!((game["end"].as_str(), fault(game).0), (Some("a resigned"), "none"), "{game}");
    }
}

#[test]
fn an_engine_may_write_before_each_answer() {
    for words in [". . . X O . . .", "Error margin 0.2", "== depth 3 ==", "OK"] {
        let answer = r#"case $word in genmove) echo "= resign";; *) echo "=";; esac; echo"#;
        let engine = answering("gtp:", &format!("echo '{words}'; {answer}"));
        for game in &played("othello", &engine, "") {
            assert_eq!((game["end"].as_str(), fault(game).0), (Some("a resigned"), "none"), "{game}");
        }
    }
}

#[test]
fn a_refusal_in_the_place_of_an_answer_is_a_fault_at_once() {
    let began = Instant::now();
    for refusal in ["ok", "UNKNOWN", "ERROR", "unknown command", "Error: not yet"] {
        let all = played("othello", &answering("gtp:", &format!("echo '{refusal}'")), "");
        for game in &all {
            let (kind, detail) = fault(game);
            assert!(
                kind == "protocol-error" && detail.contains(&format!("was answered \"{refusal}\"")),
                "{game}"
            );
        }
        let engine = answering(
            "nboard:",
            &format!(r#"case $word in ping) echo "pong ${{line#* }}";; *) echo '{refusal}';; esac"#),
        );
        for game in &played("othello", &engine, "") {
            let (kind, detail) = fault(game);
            assert!(kind == "protocol-error" && detail.starts_with("\"go\" was answered"), "{game}");
        }
    }
    let start = r#"case $word in START) echo OK;; INFO) ;; *) "#;
    for refusal in ["ok", "UNKNOWN", "ERROR", "UNKNOWN command"] {
        let engine = answering("piskvork:", &format!("{start} echo '{refusal}';; esac"));
        for game in &played("connect5", &engine, "--size 8x8 --openings none --time 60000") {
            let (kind, detail) = fault(game);
            let commands = ["\"BEGIN\"", "\"BOARD\"", "\"TURN"];
            assert!(kind == "protocol-error" && commands.iter().any(|of| detail.starts_with(of)), "{game}");
        }
    }
    for refuse_all in ["UNKNOWN", "ERROR no"] {
        let engine = answering("piskvork:", &format!("echo '{refuse_all}'"));
        for game in &played("connect5", &engine, "--size 8x8 --openings none --time 60000") {
            let (kind, detail) = fault(game);
            assert!(kind == "protocol-error" && detail.contains("\"START 8\" was answered"), "{game}");
        }
    }
    // Two dozen matches whose every fault took its 30 or 60 seconds before.
    assert!(began.elapsed() < Duration::from_secs(60), "{:?}", began.elapsed());
}

#[test]
fn words_that_are_no_answer_are_quoted_and_nobody_waits_for_another() {
    let small = "--size 8x8 --openings none --time 60000";
    let began = Instant::now();
    for (game, engine, more, words) in [
        (
            "othello",
            answering("gtp:", "echo '? no such command'"),
            "",
            "\"boardsize 8\": no empty line after \"? no such command\"",
        ),
        (
            "othello",
            answering("gtp:", "echo '? no such command'; echo"),
            "",
            "\"clear_board\" was answered \"? no such command\"",
        ),
        ("othello", answering("gtp:", "echo ="), "", "\"boardsize 8\": no empty line after \"=\""),
        ("othello", answering("gtp:", "echo hein"), "", "\"boardsize 8\" was answered \"hein\""),
        (
            "othello",
            answering("gtp:", "echo = a; echo = b; echo"),
            "",
            "\"boardsize 8\" was answered a second time: \"= b\"",
        ),
        (
            "othello",
            answering("nboard:", "case $word in ping) echo === f5; echo \"pong ${line#* }\";; esac"),
            "",
            "\"ping\" was answered \"=== f5\"",
        ),
        (
            "othello",
            answering("nboard:", "case $word in ping) echo hein;; esac"),
            "",
            "\"ping\" was answered \"hein\"",
        ),
        (
            "othello",
            answering("nboard:", "case $word in ping) echo UNKNOWN;; esac"),
            "",
            "\"ping\" was answered \"UNKNOWN\"",
        ),
        (
            "othello",
            answering("nboard:", "case $word in ping) echo \"pong ${line#* }\";; go) echo hein;; esac"),
            "",
            "\"go\" was answered \"hein\"",
        ),
        (
            "othello",
            answering("tournoi:", "echo hein"),
            "--openings none",
            "\"hein\" is not \"column row\" or null",
        ),
        (
            "connect5",
            answering("piskvork:", "case $word in START) echo hein;; esac"),
            small,
            "\"START 8\" was answered \"hein\"",
        ),
        (
            "connect5",
            answering("piskvork:", "case $word in START) echo UNKNOWN;; esac"),
            small,
            "\"START 8\" was answered \"UNKNOWN\"",
        ),
        (
            "connect5",
            answering("piskvork:", "case $word in START) echo ERROR size; exit;; esac"),
            small,
            "the last line was \"ERROR size\"",
        ),
        ("connect5", shell("echo UNKNOWN; read line"), small, "\"UNKNOWN\" is not \"READY\" alone"),
        ("connect5", shell("echo \" READY\"; read line"), small, "\" READY\" is not \"READY\" alone"),
    ] {
        for game in &played(game, &engine, more) {
            let (kind, detail) = fault(game);
            assert!(["protocol-error", "crash"].contains(&kind) && detail.contains(words), "{words}: {game}");
        }
    }
    assert!(began.elapsed() < Duration::from_secs(90), "{:?}", began.elapsed());
}

#[test]
fn an_output_may_begin_with_a_byte_order_mark() {
    if !crate::players::python() {
        return;
    }
    const BOTH: [&str; 2] = ["utf-8-sig", "utf-16"];
    for (game, script, more, codings) in [
        ("connect5", "connect5.py", "--size 8x8", &BOTH[..]),
        ("othello", "othello.py", "--depth 1", &BOTH[..]),
        ("uttt", "uttt.py", "", &BOTH[..]),
        // It is silent before the person's first move and so gets a terminal, which writes carriage returns of one byte.
        ("gounki", "gounki.py", "", &BOTH[..1]),
    ] {
        for coding in codings {
            let program = format!(
                "import codecs, runpy, sys; sys.stdout = codecs.getwriter(\"{coding}\")(sys.stdout.buffer); \
                 sys.argv[:] = sys.argv[1:]; runpy.run_path(sys.argv[0], run_name=\"__main__\")"
            );
            let engine = format!("python3 -c '{program}' {}/{script}", crate::players::PLAYERS);
            for game in &played(game, &engine, more) {
                assert_eq!(fault(game).0, "none", "{coding}: {game}");
            }
        }
    }
}

#[test]
fn an_engine_may_greet_before_its_first_answer() {
    if !crate::players::python() {
        return;
    }
    let script =
        format!("echo; echo 'Engine 1.0 by somebody'; exec python3 {}/othello.py", crate::players::PLAYERS);
    for game in &played("othello", &format!("gtp:{}", shell(&script)), "--depth 1") {
        assert_eq!(fault(game).0, "none", "{game}");
    }
}

#[test]
fn a_move_that_a_display_shows_before_the_persons_is_no_answer_to_it() {
    let robot = shell("printf \"a2-b3\\nd2-d3\\n\"; read move; echo f2-f3");
    let games = played("gounki", &robot, "--openings none");
    let white = games.iter().find(|game| game["game"] == 0).unwrap();
    let moves: Vec<&str> =
        white["moves"].as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect();
    assert_eq!((moves[0], moves[2]), ("a2-b3", "f2-f3"), "{white}");
}
