//! Game clocks, a player's own limits, games that end because both players say so.

use crate::support::{filler, games, run, stdout};

/// The fillers' games on a grid that is too small for a five.
fn play(a: &str, b: &str, options: &str) -> (String, Vec<serde_json::Value>) {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("r.jsonl");
    let line = "match connect5 --size 4x4 --openings none --games 2 --quiet --watchdog 10 --record";
    let (a, b, record_text) = (format!("a={a}"), format!("b={b}"), record.to_string_lossy().into_owned());
    let arguments = line.split(' ').chain([record_text.as_str(), "--a", &a, "--b", &b]);
    let printed = stdout(&arguments.chain(options.split_whitespace()).collect::<Vec<_>>());
    (printed, games(&record))
}

#[test]
fn a_game_clock_runs_out_over_several_moves() {
    let slow = filler("echo $time >&2; sleep 0.3");
    let (printed, all) = play(&slow, "builtin:first", "--tc 1");
    assert!(printed.contains("; clock 1"), "{printed}");
    for game in &all {
        let (seat, fault) = (game["faults"][0][0].as_u64().unwrap() as usize, &game["faults"][0][1]);
        assert_eq!(
            (game["names"][seat].as_str(), fault["kind"].as_str()),
            (Some("a"), Some("time-loss")),
            "{game}"
        );
        assert!(fault["detail"].as_str().unwrap().ends_with("left on the clock"), "{fault}");
        // A share of what is left is told: it shrinks.
        let told: Vec<u64> =
            game["errors"][seat].as_str().unwrap().lines().map(|line| line.parse().unwrap()).collect();
        assert!(
            (2..=4).contains(&told.len()) && told[0] == 40 && told.is_sorted_by(|a, b| a > b),
            "{told:?}"
        );
    }
    // The same player with a clock that is filled again.
    let (_, all) = play(&slow, "builtin:first", "--tc 2/1.5");
    assert!(all.iter().all(|game| game.get("faults").is_none()), "{all:?}");
}

#[test]
fn a_player_has_limits_of_its_own() {
    let slow = filler("echo $time >&2; sleep 0.3");
    let (printed, all) = play(&slow, &slow, "--time 5000 --limit b:time=100,memory=256");
    for game in &all {
        let seat = game["faults"][0][0].as_u64().unwrap() as usize;
        assert_eq!(game["names"][seat].as_str(), Some("b"), "{game}");
        assert_eq!(game["errors"][seat].as_str().unwrap().trim(), "100");
        assert!(
            game["errors"][1 - seat].as_str().is_none_or(|told| told.is_empty() || told.starts_with("5000"))
        );
    }
    assert!(printed.contains("2 × time loss"), "{printed}");
    let refused = |limit: &str| {
        let line = ["match", "uttt", "--a", "a=builtin:first", "--b", "b=builtin:first", "--limit", limit];
        let output = run(&line);
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(refused("c:time=3").contains("no player is named c"));
    assert!(
        refused("a:speed=3")
            .contains("expected time=MS, tc=CLOCK, memory=MB, depth=N, view=white|black, found \"speed=3\"")
    );
}

#[test]
fn memory_that_is_none_or_overflows_is_refused() {
    for memory in ["0", "17592186044416", "9223372036854775808"] {
        let line = ["match", "uttt", "--a", "builtin:first", "--b", "builtin:first", "--memory", memory];
        let output = crate::support::referee(&line).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{memory}");
        let class = tempfile::NamedTempFile::with_suffix(".csv").unwrap();
        std::fs::write(&class, format!("name,command,memory\na,builtin:first,{memory}\n")).unwrap();
        let output = crate::support::referee(&["mark", "uttt", "--class", class.path().to_str().unwrap()])
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2), "{memory}");
    }
}

#[test]
fn a_players_file_holds_its_own_limits() {
    let folder = tempfile::tempdir().unwrap();
    let (players, record) = (folder.path().join("p.toml"), folder.path().join("r.jsonl"));
    let text = "[[player]]\nname = \"Ana B.\"\ncommand = \"builtin:first\"\ntime = 70\n\n[[player]]\nname = \"Bo\"\ncommand = \"builtin:random\"\n";
    std::fs::write(&players, text).unwrap();
    let (players, record) = (players.to_string_lossy().into_owned(), record.to_string_lossy().into_owned());
    let line = ["tournament", "uttt", "--rounds", "1", "--quiet", "--players", &players, "--record", &record];
    assert!(stdout(&line).contains("Ana B. against Bo"));
    let head = std::fs::read_to_string(&record).unwrap().lines().next().unwrap().to_owned();
    assert!(head.contains("builtin:first [time=70]") && head.contains("\"Ana B.\""), "{head}");
}

#[test]
fn a_game_ends_where_both_agree() {
    let teller = |score: i32| filler(&format!("echo info depth 1 score {score} >&2"));
    let (_, all) = play(&teller(50), &teller(-50), "--time 5000 --resign count=2,score=40");
    for game in &all {
        assert_eq!(
            (game["end"].as_str(), game["moves"].as_array().unwrap().len()),
            (Some("both say that a wins"), 4)
        );
        let seat = game["names"].as_array().unwrap().iter().position(|name| name == "a").unwrap();
        assert_eq!(game["points"][seat], 1.0);
    }
    let (printed, all) = play(&teller(3), &teller(-3), "--time 5000 --draw number=3,count=1,score=5");
    assert!(printed.contains("; draw number=3,count=1,score=5"), "{printed}");
    for game in &all {
        let end = game["end"].as_str();
        assert_eq!((end, game["moves"].as_array().unwrap().len()), (Some("both say that it is level"), 6));
    }
    // An engine that tells White's view has its scores turned while it plays black: here b, in the second game.
    let white = |score: i32| filler(&format!("echo info depth 1 score {score} >&2"));
    let (_, all) = play(
        &white(-50),
        &white(-50),
        "--time 5000 --resign count=1,score=40 --limit a:view=white --limit b:view=white",
    );
    for game in &all {
        assert_eq!(game["points"], serde_json::json!([1.0, 0.0]), "the score says that black wins: {game}");
        assert!(game["end"].as_str().unwrap().starts_with("both say"), "{game}");
    }
    // One alone is not enough; then the grid is full.
    let (_, all) = play(&teller(50), "builtin:first", "--time 5000 --resign count=1,score=40");
    assert!(all.iter().all(|game| game["end"] == "the grid is full"), "{all:?}");
    let (_, all) = play("builtin:random", "builtin:first", "--max-moves 3");
    assert!(all.iter().all(|game| game["end"] == "no result in 3 moves"), "{all:?}");
}

#[test]
fn a_gtp_engine_hears_of_the_clock() {
    if !crate::players::python() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log").to_string_lossy().into_owned();
    let player = format!("python3 {}/othello.py", crate::players::PLAYERS);
    let line =
        ["match", "othello", "--games", "2", "--quiet", "--b", "builtin:random", "--tc", "30/60", "--a"];
    stdout(&[&line[..], &[&player, "--log", &log]].concat());
    let log = std::fs::read_to_string(&log).unwrap();
    assert!(log.contains("> time_settings 0 60 30") && log.contains("> time_left b 60 30"), "{log}");
    assert!(log.contains("> time_left w 59 29") || log.contains("> time_left w 60 29"), "{log}");
}

#[test]
fn an_engine_that_thinks_before_it_is_asked_for_a_move_spends_its_time() {
    if !crate::players::python() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::copy(format!("{}/othello.py", crate::players::PLAYERS), path("othello.py")).unwrap();
    for (script, command, protocol) in
        [("othello.py", "words[:1] == [\"play\"]", ""), ("othello_nboard.py", "word == \"ping\"", "nboard:")]
    {
        let source = std::fs::read_to_string(format!("{}/{script}", crate::players::PLAYERS)).unwrap();
        let sleeps = source.replacen(
            &format!("if {command}"),
            &format!(
                "if {command} and __import__(\"time\").sleep(0.4):\n            pass\n        elif {command}"
            ),
            1,
        );
        assert_ne!(sleeps, source);
        // Its twin imports the original's rules.
        std::fs::write(path(&format!("slow_{script}")), sleeps).unwrap();
        let player = format!("a={protocol}python3 {}", path(&format!("slow_{script}")).display());
        let record = path(&format!("{script}.jsonl"));
        let options = ["--b", "builtin:random", "--time", "100", "--record", record.to_str().unwrap()];
        stdout(&[&["match", "othello", "--games", "2", "--quiet", "--a", &player][..], &options].concat());
        for game in &games(&record) {
            assert_eq!(game["faults"][0][1]["kind"], "time-loss", "{script}: {game}");
        }
    }
}
