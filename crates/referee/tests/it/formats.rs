//! Tournaments in rounds: Swiss, knockout, Othello as its course ranks it.

use crate::support::{games, run, shell, stdout};
use std::collections::BTreeSet;
use std::path::Path;

/// The two players of each meeting, in the order of the games.
fn meetings(record: &Path) -> Vec<(u64, u64)> {
    let mut all = games(record);
    all.sort_by_key(|game| game["game"].as_u64());
    let seats = |game: &serde_json::Value| {
        let seat = |nth: usize| game["seats"][nth].as_u64().unwrap();
        (seat(0).min(seat(1)), seat(0).max(seat(1)))
    };
    all.iter().step_by(2).map(seats).collect()
}

fn tournament(players: usize, record: &Path, options: &str) -> String {
    let text = record.to_string_lossy().into_owned();
    let line = format!("tournament uttt --quiet {options}");
    // The stronger, the earlier.
    let kinds = ["builtin:search:2", "builtin:search:1", "builtin:greedy", "builtin:random", "builtin:first"];
    let names: Vec<String> = (0..players).map(|nth| format!("p{nth}={}", kinds[nth.min(4)])).collect();
    let players = names.iter().flat_map(|name| ["--player", name]);
    stdout(&line.split(' ').chain(players).chain(["--record", &text]).collect::<Vec<_>>())
}

#[test]
fn a_swiss_tournament_pairs_equals_and_nobody_twice() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("r.jsonl");
    let printed = tournament(7, &record, "--format swiss --rounds 3");
    assert!(printed.starts_with("Swiss system, 3 rounds\n"), "{printed}");
    let met = meetings(&record);
    assert_eq!(met.len(), 9, "three meetings a round, one bye");
    assert_eq!(met[..3], [(0, 3), (1, 4), (2, 5)], "the upper half meets the lower half");
    assert_eq!(met.iter().collect::<BTreeSet<_>>().len(), 9, "{met:?}");
    let leader = printed.lines().find(|line| line.trim_start().starts_with("1 ")).unwrap();
    assert!(leader.contains("p0") || leader.contains("p1"), "{printed}");
    // Started again with half of the games it goes on to the same end.
    let text = std::fs::read_to_string(&record).unwrap();
    let half: String = text.lines().take(8).map(|line| format!("{line}\n")).collect();
    let again = folder.path().join("again.jsonl");
    std::fs::write(&again, half).unwrap();
    let table = |printed: &str| printed.split("\n\n").next().unwrap().to_owned();
    assert_eq!(table(&tournament(7, &again, "--format swiss --rounds 3")), table(&printed));
    assert_eq!(meetings(&again), met);
}

#[test]
fn a_knockout_gives_byes_to_the_best_and_leaves_one() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("r.jsonl");
    let printed = tournament(5, &record, "--format knockout --pairs 2");
    let met = meetings(&record);
    assert_eq!(met[..2], [(3, 4), (3, 4)], "only seeds 4 and 5 play the first round, on two openings");
    for round in ["round 1", "semi-finals", "final"] {
        assert!(printed.contains(round), "{printed}");
    }
    let last = printed.split("final\n").nth(1).unwrap().lines().nth(1).unwrap();
    assert!(last.trim_end().ends_with("p0") || last.trim_end().ends_with("p1"), "{printed}");
}

#[test]
fn a_drawn_meeting_is_played_on_and_then_the_better_seed_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("r.jsonl").to_string_lossy().into_owned();
    let line = "tournament connect5 --size 4x4 --openings none --format knockout --quiet --player a=builtin:first --player b=builtin:first";
    let printed = stdout(&line.split(' ').chain(["--record", &record]).collect::<Vec<_>>());
    assert_eq!(games(record.as_ref()).len(), 8, "a pair, and three more");
    assert!(printed.contains("4 : 4  a\n"), "{printed}");
}

#[test]
fn another_tournaments_games_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("r.jsonl");
    tournament(4, &record, "--format swiss --rounds 1");
    let text = std::fs::read_to_string(&record).unwrap().replace("\"seats\":[0,2]", "\"seats\":[0,3]");
    std::fs::write(&record, text).unwrap();
    let line = "tournament uttt --quiet --format swiss --rounds 1 --player p0=builtin:search:2 --player p1=builtin:search:1 --player p2=builtin:greedy --player p3=builtin:random --record";
    let text = record.to_string_lossy();
    let output = run(&line.split(' ').chain([&*text]).collect::<Vec<_>>());
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("who do not meet there"));
    for options in ["--format swiss --shard 1/2", "--ranking course"] {
        let line = format!("tournament uttt --player builtin:first --player builtin:random {options}");
        assert_eq!(run(&line.split(' ').collect::<Vec<_>>()).status.code(), Some(2), "{options}");
    }
}

#[test]
fn othello_is_ranked_by_discs_and_ties_are_replayed_at_another_depth() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let (record, log, json) = (file("r.jsonl"), file("log"), file("r.json"));
    // Two players that never answer lose 0-64 against everybody, and 0-64 each against the other: they are tied.
    let mute = shell("echo {depth} >&2; exit 1");
    let (a, b) = (format!("a={mute}"), format!("b={mute}"));
    let line = "tournament othello --ranking course --openings none --rounds 1 --depth 2 --quiet --player c=builtin:first";
    let files = ["--player", &a, "--player", &b, "--record", &record, "--log", &log, "--json", &json];
    let printed = stdout(&line.split(' ').chain(files).collect::<Vec<_>>());
    // Red is started first and fails first: each of the two loses once by 64 and wins once by 64 against the other.
    assert!(printed.contains("depth 2  depth 3"), "{printed}");
    assert!(printed.lines().any(|line| line.split_whitespace().take(3).eq(["1", "c", "+256"])), "{printed}");
    assert!(
        printed.lines().any(|line| line.split_whitespace().eq(["2", "a", "-128", "+0", "+0", "+0"])),
        "{printed}"
    );
    assert_eq!(games(record.as_ref()).len(), 6 + 3 * 2, "everybody against everybody, and three replays");
    // The replays are no games of the ranking: neither at once, nor when the file is read again.
    let results: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&json).unwrap()).unwrap();
    assert_eq!(results["games"], 6, "{results:#}");
    assert_eq!(results["course_ranking"][0], serde_json::json!({ "name": "c", "sums": [256.0] }));
    assert!(printed.contains("othello: 6 games, and 6 that replayed ties, seed 1"), "{printed}");
    for line in printed.lines().filter(|line| line.contains("points") || line.contains("  a  ")) {
        assert!(!line.split_whitespace().any(|word| word == "10"), "four games each: {line}");
    }
    assert_eq!(stdout(&["report", &record]), printed);
    let said: BTreeSet<String> = games(record.as_ref())
        .iter()
        .flat_map(|game| game["errors"].as_array().cloned().unwrap_or_default())
        .map(|errors| errors.as_str().unwrap().trim().to_owned())
        .filter(|errors| !errors.is_empty())
        .collect();
    assert_eq!(said, ["2", "3", "4", "5"].map(str::to_owned).into(), "the depths that they were told");
}

#[test]
fn an_othello_game_that_is_given_up_counts_as_it_stands() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("r.jsonl");
    let text = record.to_string_lossy().into_owned();
    let line = "match othello --a builtin:search:3 --b builtin:search:1 --games 4 --resign count=1,score=3 --quiet --record";
    stdout(&line.split(' ').chain([&*text]).collect::<Vec<_>>());
    let games = games(&record);
    let given_up: Vec<_> =
        games.iter().filter(|game| game["end"].as_str().unwrap().starts_with("both say")).collect();
    assert!(!given_up.is_empty(), "{games:?}");
    for game in given_up {
        let of = |field: &str| [0, 1].map(|seat| game[field][seat].as_f64().unwrap());
        let ([red, blue], points) = (of("score"), of("points"));
        assert!(red + blue == 64.0 && (red > blue) == (points[0] > points[1]), "{game}");
        assert!(red.max(blue) < 64.0, "no forfeit: {game}");
    }
}

#[test]
fn columns_that_a_tournament_does_not_use_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("players.csv");
    std::fs::write(&path, "name,command,tiem,Time\na,builtin:random,5,9\nb,builtin:first,5,9\n").unwrap();
    let path = path.to_string_lossy().into_owned();
    let output = run(&["tournament", "uttt", "--players", &path, "--rounds", "1", "--quiet"]);
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(told, format!("referee: {path}: columns that a tournament does not use: tiem\n"));
    assert!(output.status.success());
}
