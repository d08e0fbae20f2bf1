//! Players that are killed, hang, flood, close their pipe, print no text, answer late or nonsense: each is classified
//! right, the tournament ends, nothing is left of them, and the referee stays small.

use crate::support::{eventually, games, processes, referee, shell};
use std::process::Stdio;

/// Ten rows and the time are read as a request is; then the player does what it does.
fn after_request(deed: &str) -> String {
    shell(&format!("echo READY; i=0; while [ $i -lt 10 ]; do read line; i=$((i+1)); done; {deed}"))
}

#[test]
fn each_fault_is_classified_and_the_tournament_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    // A number that nothing else on the machine sleeps.
    let long = format!("9{:08}", std::process::id());
    let hostile = [
        ("killed", "crash", after_request("kill -9 $$")),
        ("exits", "crash", after_request("exit 3")),
        ("hangs", "hang", after_request(&format!("sleep {long}"))),
        ("floods", "output-flood", after_request("head -c 1000000000 /dev/zero | tr \"\\\\000\" x")),
        ("closes", "protocol-error", after_request(&format!("exec 1>&-; sleep {long}"))),
        ("no-text", "protocol-error", after_request("printf \"\\\\377\\\\376\\\\n\"; sleep 5")),
        ("late", "time-loss", after_request("sleep 1; echo 7 7; sleep 5")),
        ("outside", "illegal-move", after_request("echo 8 99; sleep 5")),
        ("negative", "illegal-move", after_request("echo -1 0; sleep 5")),
        ("nonsense", "protocol-error", after_request("echo I pass; sleep 5")),
        ("never-ready", "slow-start", shell(&format!("echo a student; sleep {long}"))),
        ("escapes", "hang", after_request(&format!("setsid sleep {long} & sleep {long}"))),
        ("shouts", "hang", after_request("while :; do echo x; done >&2")),
        ("escapes-unmarked", "hang", after_request(&format!("env -i setsid sleep {long} & sleep {long}"))),
        ("twice", "protocol-error", after_request(&format!("printf \"7 6\\\\n7 7\\\\n\"; sleep {long}"))),
    ];
    let mut arguments: Vec<String> =
        ["tournament", "connect5", "--size", "8x8", "--format", "gauntlet", "--rounds", "1"]
            .map(str::to_owned)
            .to_vec();
    arguments.extend(["--time", "400", "--start-up", "5", "--quiet", "--record"].map(str::to_owned));
    arguments.push(path.to_string_lossy().into_owned());
    arguments.extend(["--player".into(), "judge=builtin:first".into()]);
    for (name, _, command) in &hostile {
        arguments.extend(["--player".into(), format!("{name}={command}")]);
    }
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let mut child = referee(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut peak = 0;
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        // The most memory so far, in kB; the file is gone once the process is.
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let line = status.lines().find(|line| line.starts_with("VmHWM")).unwrap_or("");
        let now = line.split_whitespace().nth(1).and_then(|number| number.parse::<u64>().ok()).unwrap_or(0);
        peak = peak.max(now);
        std::thread::sleep(std::time::Duration::from_millis(20));
    };
    assert!(status.success());
    println!("the referee's peak memory: {peak} kB");
    assert!(peak > 0 && peak < 100_000, "{peak} kB");

    let games = games(&path);
    assert_eq!(games.len(), 2 * hostile.len());
    for (name, kind, _) in &hostile {
        let of: Vec<_> =
            games.iter().filter(|game| game["names"].as_array().unwrap().iter().any(|n| n == name)).collect();
        assert_eq!(of.len(), 2, "{name}");
        for game in of {
            let seat = game["names"].as_array().unwrap().iter().position(|n| n == name).unwrap();
            let fault = &game["faults"][0];
            assert_eq!(fault[0].as_u64(), Some(seat as u64), "{name}: {game}");
            assert_eq!(fault[1]["kind"].as_str(), Some(*kind), "{name}: {}", fault[1]["detail"]);
            assert_eq!(game["points"][seat].as_f64(), Some(0.0), "{name}");
            assert_eq!(game["points"][1 - seat].as_f64(), Some(1.0), "{name}");
        }
    }
    assert_eq!(processes(&long), 0, "a process was left behind");
}

#[test]
fn a_flood_of_whole_lines_is_found_out_in_each_protocol_that_skips_lines() {
    let lines = |count: usize| "read x; ".repeat(count);
    let moving = "echo OK; while read x; do case $x in BEGIN|TURN*|BOARD) yes MESSAGE hello;; esac; done";
    for (course, protocol, script) in [
        ("gounki", "", "yes coup invalide".to_owned()),
        ("othello", "", lines(1) + "yes \"\""),
        ("othello", "", lines(1) + "echo =; yes more"),
        ("othello", "nboard:", lines(3) + "yes status"),
        (
            "othello",
            "nboard:",
            lines(3) + "echo pong 1; " + &lines(2) + "echo pong 2; " + &lines(1) + "yes status",
        ),
        ("connect5", "piskvork:", lines(1) + "yes MESSAGE hello"),
        ("connect5", "piskvork:", moving.to_owned()),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.jsonl");
        let path_text = path.to_string_lossy();
        let player = format!("floods={protocol}{}", shell(&script));
        let arguments = ["match", course, "--games", "2", "--quiet", "--record", &path_text];
        crate::support::stdout(&[&arguments[..], &["--a", &player, "--b", "builtin:first"]].concat());
        for game in games(&path) {
            let fault = &game["faults"][0][1];
            assert_eq!(fault["kind"], "output-flood", "{course} {protocol}{script}: {fault}");
        }
    }
}

#[test]
fn a_players_last_words_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    let player = format!("words={}", after_request("echo segmentation imminent >&2; exit 3"));
    let path_text = path.to_string_lossy();
    let arguments = ["match", "connect5", "--size", "8x8", "--games", "2", "--quiet", "--record", &path_text];
    let mut arguments = arguments.to_vec();
    arguments.extend(["--a", &player, "--b", "builtin:first"]);
    crate::support::stdout(&arguments);
    // Games are written as they end; in the first one the player sits first.
    let games = games(&path);
    let game = games.iter().find(|game| game["game"] == 0).unwrap();
    assert_eq!(game["faults"][0][1]["detail"].as_str(), Some("it ended with exit code 3"));
    assert_eq!(game["errors"][0].as_str(), Some("segmentation imminent\n"));
}

#[test]
fn a_player_that_fails_before_its_first_move_leaves_its_last_words() {
    // As a program whose import fails: in each protocol that begins with a greeting.
    let dies = shell("echo no module named numpy >&2; exit 1");
    for (course, protocol) in
        [("connect5", ""), ("connect5", "piskvork:"), ("othello", ""), ("othello", "nboard:"), ("moules", "")]
    {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.jsonl");
        let path_text = path.to_string_lossy();
        let player = format!("dies={protocol}{dies}");
        let arguments = ["match", course, "--games", "2", "--quiet", "--record", &path_text];
        let mut arguments = arguments.to_vec();
        arguments.extend(["--a", &player, "--b", "builtin:random"]);
        let told = crate::support::stdout(&arguments);
        assert!(told.contains("dies, game 1: crash: "), "{course} {protocol}: {told}");
        assert!(told.contains("it said: no module named numpy"), "{course} {protocol}: {told}");
        let games = games(&path);
        assert_eq!(games.len(), 2, "{course} {protocol}");
        for game in games {
            let seat = game["names"].as_array().unwrap().iter().position(|name| name == "dies").unwrap();
            assert_eq!(game["faults"][0][1]["kind"].as_str(), Some("crash"), "{course} {protocol}: {game}");
            assert_eq!(game["errors"][seat].as_str(), Some("no module named numpy\n"), "{course} {protocol}");
        }
    }
}

#[test]
fn no_player_outlives_a_referee_that_is_killed() {
    let long = format!("8{:08}", std::process::id());
    let player = format!("lives={}", after_request(&format!("setsid sleep {long} & sleep {long}")));
    let mut child = referee(&["match", "connect5", "--size", "8x8", "--games", "2", "--time", "60000"])
        .args(["--a", &player, "--b", "builtin:random"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    eventually("the players start", || processes(&long) >= 2);
    child.kill().unwrap();
    child.wait().unwrap();
    eventually("the guard kills them", || processes(&long) == 0);
}

#[test]
fn a_memory_limit_holds() {
    // 300 MB are more than 64 MB and fewer than no limit at all.
    let hungry = |limit: &str| {
        let script = "echo READY; while read line; do :; done; dd if=/dev/zero of=/dev/null bs=300M count=1 2>&1 | tail -1 >&2";
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.jsonl");
        let player = format!("hungry={}", shell(script));
        let path_text = path.to_string_lossy().into_owned();
        crate::support::stdout(&[
            "match",
            "connect5",
            "--size",
            "8x8",
            "--games",
            "2",
            "--quiet",
            "--record",
            &path_text,
            "--memory",
            limit,
            "--time",
            "100",
            "--a",
            "builtin:first",
            "--b",
            &player,
        ]);
        let games = games(&path);
        let first = games.iter().find(|game| game["game"] == 0).unwrap();
        first["errors"][1].as_str().unwrap_or_default().to_owned()
    };
    assert!(hungry("64").contains("exhausted") || hungry("64").contains("memory"), "{}", hungry("64"));
    assert!(!hungry("4096").contains("exhausted"), "{}", hungry("4096"));
}

/// A player of this folder's own, as a command.
fn own_player(name: &str) -> String {
    format!("python3 {}/tests/players/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// The faults of the games of a match of connect5 on a small grid against a random player.
fn faults_of(player: &str, more: &[&str]) -> Vec<serde_json::Value> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    let path_text = path.to_string_lossy();
    let arguments = ["match", "connect5", "--size", "8x8", "--games", "2", "--quiet", "--record", &path_text];
    crate::support::stdout(&[&arguments[..], &["--a", player, "--b", "builtin:random"], more].concat());
    games(&path).into_iter().flat_map(|game| game["faults"].as_array().cloned().unwrap_or_default()).collect()
}

#[test]
fn a_second_answer_loses_and_a_banner_or_a_board_does_not() {
    assert_eq!(faults_of(&own_player("chatty_connect5.py"), &[]), Vec::<serde_json::Value>::new());
    let twice = faults_of(&format!("{} twice", own_player("chatty_connect5.py")), &[]);
    assert_eq!(twice.len(), 2);
    for fault in twice {
        assert_eq!(fault[1]["kind"], "protocol-error", "{fault}");
        assert!(fault[1]["detail"].as_str().unwrap().contains("a second answer"), "{fault}");
    }
}

#[test]
fn an_engine_that_drops_early_commands_plays_without_a_fault() {
    let engine = format!("piskvork:{}", own_player("deaf_piskvork.py"));
    // What it drops it never answers; how fast it answers on a busy machine is not asked.
    assert_eq!(faults_of(&engine, &["--time", "5000"]), Vec::<serde_json::Value>::new());
}

/// The first moves of the engine that reads the side to move from the last stone of `BOARD`, on 8×8.
fn first_moves(openings: &str) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let (record, lines) = (file("run.jsonl"), file("openings.txt"));
    std::fs::write(&lines, openings).unwrap();
    let engine = format!("piskvork:{}", own_player("history_piskvork.py"));
    let games_of = (2 * openings.lines().count()).to_string();
    let arguments = ["match", "connect5", "--size", "8x8", "--time", "5000", "--quiet", "--games", &games_of];
    let files = ["--openings", &lines, "--openings-order", "sequential", "--record", &record];
    let printed =
        crate::support::stdout(&[&arguments[..], &files, &["--a", &engine, "--b", "builtin:first"]].concat());
    let printed = printed.split_whitespace().collect::<Vec<_>>().join(" ");
    let remark = "it takes the side to move from the last stone of BOARD";
    assert_eq!(printed.matches(remark).count(), 1, "{printed}");
    let mut games = games(folder.path().join("run.jsonl").as_path());
    games.sort_by_key(|game| game["game"].as_u64());
    let first = |game: serde_json::Value| {
        assert!(game.get("faults").is_none(), "{game}");
        assert!(game["remarks"][0][1].as_str().unwrap().starts_with(remark), "{game}");
        (game["seats"][0] == 0).then(|| game["moves"][0].as_str().unwrap().to_owned())
    };
    games.into_iter().filter_map(first).collect()
}

#[test]
fn an_engine_that_reads_the_side_to_move_from_the_last_stone_completes_its_own_five() {
    if !crate::players::python() {
        return;
    }
    // Black is to move with a four in the fifth row, White with one in the first; then the other way round.
    let openings = "a5 a1 b5 b1 c5 c1 d5 d1\na1 a5 b1 b5 c1 c5 d1 d5\n\
                    @BBBB0000/00000000/00000000/00000000/NNNN0000/00000000/00000000/00000000\n\
                    @NNNN0000/00000000/00000000/00000000/BBBB0000/00000000/00000000/00000000\n\
                    @BBB00000/00000000/00000000/00000000/NNN00000/00000000/00000000/00000000 d5 d1\n";
    assert_eq!(first_moves(openings), ["e5", "e1", "e5", "e1", "e5"]);
}

#[test]
fn names_cannot_drive_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    let path_text = path.to_string_lossy();
    let arguments = ["match", "uttt", "--games", "2", "--quiet", "--record", &path_text];
    let told = crate::support::stdout(
        &[&arguments[..], &["--a", "sh -c \u{1b}[2J", "--b", "builtin:random"]].concat(),
    );
    assert!(told.contains("[2J") && !told.contains('\u{1b}'), "{told:?}");
    // A record that somebody else wrote.
    let text = std::fs::read_to_string(&path).unwrap().replace("random", "\\u001b[1mrandom\\u001b[0m");
    std::fs::write(&path, text).unwrap();
    let told = crate::support::stdout(&["report", &path_text]);
    assert!(told.contains("[1mrandom") && !told.contains('\u{1b}'), "{told:?}");
}

#[test]
fn a_dialogue_is_logged_and_a_fault_is_told_with_its_last_lines() {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log.txt").to_string_lossy().into_owned();
    let never = format!("never={}", shell("echo a student; echo another; sleep 60"));
    let play = |more: &[&str]| {
        let arguments = ["match", "connect5", "--size", "8x8", "--games", "2", "--quiet", "--time", "5000"];
        crate::support::stdout(&[&arguments[..], more].concat())
    };
    // Long enough for a shell's two lines where all processors are busy; the others may take the default.
    let told = play(&["--start-up", "4", "--a", &never, "--b", "builtin:random", "--log", &log]);
    assert!(told.contains("never, game 1: slow start") && told.contains("< another"), "{told}");
    let text = std::fs::read_to_string(&log).unwrap();
    assert!(text.contains("never < a student\n") && text.contains("never ! slow start"), "{text}");
    let chatty = format!("chatty={}", own_player("chatty_connect5.py"));
    play(&["--a", &chatty, "--b", "builtin:random", "--log", &log]);
    let text = std::fs::read_to_string(&log).unwrap();
    assert!(text.contains("chatty < READY\n") && text.contains("chatty > 8 8\n"), "{text}");
    assert_eq!(text.lines().filter(|line| line.starts_with("== game")).count(), 2);
    // Only around faults: these games had none.
    play(&["--a", &chatty, "--b", "builtin:random", "--log", &log, "--log-faults"]);
    assert_eq!(std::fs::read_to_string(&log).unwrap(), "");
}

#[test]
fn a_slow_start_is_no_part_of_the_first_answer_where_nobody_greets() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    let path_text = path.to_string_lossy().into_owned();
    // It works for longer than a move may take before it begins to read; then it answers what is not legal.
    let busy = "end=$(($(date +%s) + 3)); while [ $(date +%s) -lt $end ]; do :; done";
    let slow = format!("slow=tournoi:{}", shell(&format!("{busy}; while read x; do echo null; done")));
    let arguments = [
        "match",
        "othello",
        "--games",
        "2",
        "--openings",
        "none",
        "--time",
        "1000",
        "--quiet",
        "--record",
        &path_text,
        "--a",
        &slow,
    ];
    let output = referee(&arguments).args(["--b", "builtin:first"]).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    for game in games(&path) {
        assert_eq!(game["faults"][0][1]["kind"], "illegal-move", "{game}");
    }
}

#[test]
fn a_process_a_move_that_prints_two_answers_has_a_protocol_error() {
    if !crate::players::python() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let uttt = format!("python3 {}/uttt.py", crate::players::PLAYERS);
    for (nth, second) in ["echo $m", "printf $m", "sleep 0.05; echo $m"].into_iter().enumerate() {
        let path = folder.path().join(nth.to_string());
        let player =
            format!("twice={} sh {{position}}", shell(&format!("m=$({uttt} $1); echo $m; {second}")));
        let record = path.to_string_lossy();
        let arguments = ["match", "uttt", "--games", "2", "--quiet", "--record", &record];
        crate::support::stdout(&[&arguments[..], &["--a", &player, "--b", "builtin:first"]].concat());
        for game in games(&path) {
            let fault = &game["faults"][0][1];
            assert_eq!(fault["kind"], "protocol-error", "{second}: {game}");
            assert!(fault["detail"].as_str().unwrap().contains("second answer"), "{second}: {fault}");
        }
    }
}

/// The kinds of faults of `a`, a maze client that does `start` when it is connected and `deed` for each board, or of its
/// opponent `b`.
fn maze_faults(of: &str, start: &str, deed: &str) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    let client = |start: &str, deed: &str| {
        format!(
            "python3 -c 'import socket, sys, time
door = (sys.argv[1], int(sys.argv[2]))
wire = socket.create_connection(door).makefile(\"rw\")
def say(text):
    print(text, end=\"\", file=wire, flush=True)
{start}
say(\"it\\n\")
wire.readline()
turn = 0
while \"/\" in wire.readline():
    turn += 1
    {deed}'"
        )
    };
    let slow = "time.sleep(0.1); say(\"C\\n\")";
    let (a, b) = (format!("a={}", client(start, deed)), format!("b={}", client("", slow)));
    let record = path.to_string_lossy();
    let arguments = ["match", "moules", "--games", "2", "--turns", "4", "--time", "1500", "--quiet"];
    crate::support::stdout(&[&arguments[..], &["--record", &record, "--a", &a, "--b", &b]].concat());
    let mut kinds = Vec::new();
    for game in games(&path) {
        let names = game["names"].as_array().unwrap();
        for fault in game["faults"].as_array().into_iter().flatten() {
            if names[fault[0].as_u64().unwrap() as usize] == of {
                kinds.push(fault[1]["kind"].as_str().unwrap().to_owned());
            }
        }
    }
    kinds.dedup();
    kinds
}

#[test]
fn a_maze_client_that_says_more_than_it_was_asked_has_a_fault_and_a_late_one_no_other() {
    if !crate::players::python() {
        return;
    }
    for (deed, faults) in [
        ("say(\"E\\n\")", &[][..]),
        ("say(\"E\\nE\\n\")", &["protocol-error"]),
        ("say(\"E\\n\\n\")", &["protocol-error"]),
        ("say(\"E\\n\" * (1 + (turn == 4)))", &["protocol-error"]),
        ("time.sleep(2 * (turn == 1)); say(\"E\\n\")", &["time-loss"]),
    ] {
        assert_eq!(maze_faults("a", "", deed), faults, "{deed}");
    }
    let flood = maze_faults("a", "", "while True: say(\"E\\n\" * 1000)");
    assert!(flood.contains(&"output-flood".to_owned()), "{flood:?}");
}

#[test]
fn a_maze_client_that_connects_again_takes_no_place_of_its_opponent() {
    if crate::players::python() {
        let again = "spare = [socket.create_connection(door) for _ in range(2)]";
        assert_eq!(maze_faults("b", again, "say(\"E\\n\")"), Vec::<String>::new());
    }
}
