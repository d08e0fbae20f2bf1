//! Runs that are broken off go on where they were; shards joined are the unsplit run.

use crate::support::{eventually, games, referee, run, shell, stdout};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Stdio;

fn numbers(path: &Path) -> Vec<u64> {
    games(path).iter().map(|game| game["game"].as_u64().unwrap()).collect()
}

/// A game without what differs from run to run: times and processes' words.
fn plain(mut game: serde_json::Value) -> serde_json::Value {
    for name in ["micros", "cpu", "wall", "errors"] {
        game.as_object_mut().unwrap().remove(name);
    }
    game
}

#[test]
fn a_run_killed_in_its_middle_goes_on_and_plays_no_game_twice() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    let text = path.to_string_lossy().into_owned();
    let arguments = [
        "match",
        "uttt",
        "--a",
        "builtin:search:4",
        "--b",
        "builtin:random",
        "--games",
        "200",
        "--record",
        &text,
        "--quiet",
    ];
    let mut child = referee(&arguments).stdout(Stdio::null()).spawn().unwrap();
    eventually("some games are played", || {
        std::fs::read_to_string(&path).is_ok_and(|text| text.lines().count() > 20)
    });
    child.kill().unwrap();
    child.wait().unwrap();
    let before = std::fs::read_to_string(&path).unwrap().lines().count() - 1;
    assert!((20..200).contains(&before), "{before} games before the kill");
    let printed = stdout(&arguments);
    assert!(printed.contains("200 games"), "{printed}");
    let numbers = numbers(&path);
    assert_eq!(numbers.len(), 200);
    assert_eq!(numbers.iter().copied().collect::<BTreeSet<_>>(), (0..200).collect());
    // What was played before the kill was not played again: the file begins with it.
    let whole = stdout(&["report", &text]);
    assert!(whole.contains("200 games"));
}

#[test]
fn an_interrupt_ends_a_run_with_a_summary_of_what_was_played() {
    is_ended_by(rustix::process::Signal::INT, 130);
    is_ended_by(rustix::process::Signal::TERM, 143);
}

fn is_ended_by(signal: rustix::process::Signal, code: i32) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    let text = path.to_string_lossy().into_owned();
    let child =
        referee(&["match", "uttt", "--a", "builtin:greedy", "--b", "builtin:random", "--games", "100000"])
            .args(["--record", &text, "--quiet"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
    eventually("some games are played", || {
        std::fs::read_to_string(&path).is_ok_and(|text| text.lines().count() > 5)
    });
    let pid = rustix::process::Pid::from_raw(child.id() as i32).unwrap();
    rustix::process::kill_process(pid, signal).unwrap();
    let output = child.wait_with_output().unwrap();
    let printed = String::from_utf8_lossy(&output.stdout);
    let played = numbers(&path).len();
    assert!(printed.contains(&format!("{played} games")), "{printed}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("interrupted after"));
    assert_eq!(output.status.code(), Some(code));
}

#[test]
fn shards_joined_are_the_unsplit_run_game_by_game() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let base = ["tournament", "uttt", "--rounds", "7", "--seed", "5", "--quiet"];
    let players =
        ["--player", "builtin:random", "--player", "builtin:greedy", "--player", "builtin:search:1"];
    let play = |record: &str, shard: &[&str]| {
        let arguments: Vec<&str> = [&base[..], &players, &["--record", record], shard].concat();
        stdout(&arguments)
    };
    let whole = play(&path("whole"), &[]);
    for shard in 1..=3 {
        play(&path(&format!("part{shard}")), &["--shard", &format!("{shard}/3")]);
    }
    let joined = stdout(&["merge", "-o", &path("joined"), &path("part2"), &path("part1"), &path("part3")]);
    let sorted = |name: &str| {
        let mut all: Vec<_> = games(Path::new(&path(name))).into_iter().map(plain).collect();
        all.sort_by_key(|game| game["game"].as_u64());
        all
    };
    assert_eq!(sorted("whole").len(), 42);
    assert_eq!(sorted("whole"), sorted("joined"));
    // The same judgement, but for the times.
    let judgement = |text: &str| {
        text.split("\n\n")
            .take(3)
            .collect::<Vec<_>>()
            .join("\n\n")
            .split("\n    player")
            .next()
            .map(str::to_owned)
    };
    assert_eq!(judgement(&whole), judgement(&joined));
}

#[test]
fn the_same_seed_plays_the_same_games_and_another_one_others() {
    let folder = tempfile::tempdir().unwrap();
    let play = |name: &str, seed: &str| {
        let path = folder.path().join(name);
        let text = path.to_string_lossy().into_owned();
        stdout(&[
            "match",
            "othello",
            "--a",
            "builtin:random",
            "--b",
            "builtin:greedy",
            "--games",
            "20",
            "--seed",
            seed,
            "--record",
            &text,
            "--quiet",
        ]);
        let mut all: Vec<_> = games(&path).into_iter().map(plain).collect();
        all.sort_by_key(|game| game["game"].as_u64());
        all
    };
    let first = play("a", "3");
    assert_eq!(first, play("b", "3"));
    assert_ne!(first, play("c", "4"));
}

#[test]
fn no_opening_comes_again_before_all_were_played() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    let text = path.to_string_lossy().into_owned();
    stdout(&[
        "match",
        "gounki",
        "--a",
        "builtin:random",
        "--b",
        "builtin:random",
        "--games",
        "1000",
        "--record",
        &text,
        "--quiet",
    ]);
    let all = games(&path);
    let openings: BTreeSet<_> = all.iter().map(|game| game["opening"].as_str().unwrap()).collect();
    assert_eq!((all.len(), openings.len()), (1000, 500));
}

#[test]
fn another_runs_record_file_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let text = folder.path().join("run.jsonl").to_string_lossy().into_owned();
    let play = |seed: &str| {
        run(&[
            "match",
            "uttt",
            "--a",
            "builtin:random",
            "--b",
            "builtin:first",
            "--games",
            "2",
            "--record",
            &text,
            "--seed",
            seed,
        ])
    };
    assert!(play("1").status.success());
    let refused = play("2");
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("holds another run: seed 1 instead of 2"));
}

#[test]
fn a_run_goes_on_under_its_own_openings_and_limits_only() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let (record, openings) = (path("run.jsonl"), path("openings.txt"));
    let play = |more: &[&str]| {
        let line =
            ["match", "uttt", "--a", "builtin:random", "--b", "builtin:first", "--games", "4", "--quiet"];
        run(&[&line[..], &["--openings", &openings, "--record", &record], more].concat())
    };
    let refused = |more: &[&str]| {
        let before = std::fs::read(&record).unwrap();
        let output = play(more);
        assert_eq!(output.status.code(), Some(2), "{more:?}");
        assert_eq!(std::fs::read(&record).unwrap(), before);
        String::from_utf8(output.stderr).unwrap()
    };
    std::fs::write(&openings, "40 36\n40 37\n").unwrap();
    assert!(play(&[]).status.success() && play(&[]).status.success());
    for more in [["--memory", "64"], ["--grace", "7"], ["--watchdog", "9"], ["--start-up", "3"]] {
        let told = refused(&more);
        assert!(told.contains("holds another run: conditions memory no limit, grace 50 ms"), "{told}");
    }
    // The same file's name, other lines.
    std::fs::write(&openings, "40 36\n40 38\n").unwrap();
    assert!(refused(&[]).contains("holds another run: conditions "));
    std::fs::write(&openings, "40 36\n40 37\n").unwrap();
    // What an older referee wrote is read, and not gone on with.
    let text = std::fs::read_to_string(&record).unwrap();
    let (before, rest) = text.split_once("\"conditions\":").unwrap();
    let (_, rest) = rest.split_once(",\"players\"").unwrap();
    std::fs::write(&record, format!("{before}\"players\"{rest}")).unwrap();
    let told = refused(&[]);
    assert!(told.contains("an older referee wrote it") && told.lines().count() == 1, "{told}");
    assert!(stdout(&["report", &record]).contains("uttt: 4 games"));
    assert!(stdout(&["merge", "-o", &path("joined"), &record]).contains("uttt: 4 games"));
}

#[test]
fn a_maze_is_replayed_under_its_runs_settings() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("run.jsonl").to_string_lossy().into_owned();
    let line =
        "tournament moules --player builtin:greedy --rounds 1 --size 19x13 --turns 600 --quiet --record";
    stdout(&line.split(' ').chain([&*record]).collect::<Vec<_>>());
    let replayed = stdout(&["replay", &record, "--game", "1"]);
    let told = stdout(&["replay", &record, "--game", "1", "--size", "19x13", "--turns", "600"]);
    assert_eq!(replayed, told);
    let widest = replayed.lines().skip(1).map(|line| line.chars().count()).max();
    let default = "tournament moules --player builtin:greedy --rounds 1 --turns 2 --quiet --record";
    let other = folder.path().join("other.jsonl").to_string_lossy().into_owned();
    stdout(&default.split(' ').chain([&*other]).collect::<Vec<_>>());
    let wide = stdout(&["replay", &other, "--game", "1"]);
    assert!(widest < wide.lines().skip(1).map(|line| line.chars().count()).max(), "{replayed}{wide}");
}

#[test]
fn a_run_whose_player_was_built_anew_does_not_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let (record, bot) = (folder.path().join("run.jsonl"), folder.path().join("bot.sh"));
    let player = format!("bot=sh {}", bot.display());
    let record = record.to_string_lossy().into_owned();
    let play = |games: &str| {
        let base = ["match", "uttt", "--b", "builtin:first", "--quiet", "--a", &player, "--games", games];
        run(&[&base[..], &["--record", &record]].concat())
    };
    std::fs::write(&bot, "exit 0").unwrap();
    assert!(play("2").status.success());
    assert!(play("4").status.success(), "the same program goes on");
    let before = std::fs::read(&record).unwrap();
    std::fs::write(&bot, "exit 1").unwrap();
    let refused = play("6");
    assert_eq!(refused.status.code(), Some(2));
    let errors = String::from_utf8(refused.stderr).unwrap();
    assert!(errors.ends_with("holds another run: the program of \"bot\" has changed\n"), "{errors}");
    assert_eq!(errors.lines().count(), 1);
    assert_eq!(std::fs::read(&record).unwrap(), before);
}

#[test]
fn othello_games_end_where_they_are_adjudicated() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    let text = path.to_string_lossy();
    let play = |command: &str| {
        let line = format!(
            "{command} othello --a builtin:greedy --b builtin:random --games 20 --adjudicate 10 --quiet"
        );
        stdout(&line.split(' ').chain(["--record", &text]).collect::<Vec<_>>())
    };
    assert!(play("match").contains("solved from 10 empty squares"));
    for game in games(&path) {
        let end = game["end"].as_str().unwrap();
        let (opening, moves) = (game["opening"].as_str().unwrap(), game["moves"].as_array().unwrap());
        let stones = opening.len() / 2 + moves.iter().filter(|mv| *mv != "pass").count();
        let ended_early = end.split('-').any(|discs| discs == "64") && !end.contains("solved");
        assert!(
            ended_early || stones == 50 && end.ends_with("solved with 10 empty squares"),
            "{stones}: {end}"
        );
    }
    // The same games, whoever asks for them.
    assert!(play("sprt").contains("sprt ["));
}

#[test]
fn bound_players_run_on_one_processor_that_the_referee_may_use() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    let text = path.to_string_lossy();
    let player = shell("echo READY; grep Cpus_allowed_list /proc/self/status >&2; read line; exit 3");
    let arguments =
        ["match", "connect5", "--size", "8x8", "--games", "4", "--quiet", "--pin", "--record", &text];
    stdout(&[&arguments[..], &["--a", &player, "--b", "builtin:first"]].concat());
    let own = std::fs::read_to_string("/proc/self/status").unwrap();
    let list = |status: &str| {
        let line =
            status.lines().find(|line| line.starts_with("Cpus_allowed_list")).expect("a list").to_owned();
        line.split_whitespace().nth(1).expect("a list").to_owned()
    };
    for game in games(&path) {
        let said = game["errors"].as_array().unwrap().iter().find(|text| *text != "").expect("a word");
        let processor: usize = list(said.as_str().unwrap()).parse().expect("one processor");
        let within = |range: &str| {
            let (first, last) = range.split_once('-').unwrap_or((range, range));
            (first.parse().unwrap()..=last.parse().unwrap()).contains(&processor)
        };
        assert!(list(&own).split(',').any(within), "{processor} is not in {}", list(&own));
    }
}
