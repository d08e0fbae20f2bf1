//! Programs in another language, one a protocol: what a student hands in, played without a fault.

use crate::support::{games, stdout};

/// Whether there is a Python; the tests that need one say so when there is none.
fn python() -> bool {
    let found = std::process::Command::new("python3").arg("--version").output().is_ok();
    if !found {
        println!("skipped: there is no python3 here");
    }
    found
}

fn plays(game: &str, script: &str, options: &[&str]) {
    if !python() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    let record = path.to_string_lossy().into_owned();
    let player = format!("python=python3 {}/../../test-data/players/{script}", env!("CARGO_MANIFEST_DIR"));
    let base = [
        "match",
        game,
        "--a",
        &player,
        "--b",
        "builtin:random",
        "--games",
        "4",
        "--quiet",
        "--record",
        &record,
    ];
    let printed = stdout(&[&base[..], options].concat());
    let games = games(&path);
    assert_eq!(games.len(), 4);
    for game in &games {
        assert!(game.get("faults").is_none(), "{}: {}", game["faults"], game["errors"]);
        assert!(game["moves"].as_array().unwrap().len() > 3);
    }
    assert!(printed.contains("python against random"), "{printed}");
}

#[test]
fn connect5_by_the_courses_dialogue() {
    plays("connect5", "connect5.py", &["--size", "10x10"]);
}

#[test]
fn the_maze_over_tcp() {
    plays("moules", "moules.py", &[]);
}

#[test]
fn uttt_by_a_process_a_move() {
    plays("uttt", "uttt.py", &[]);
}

#[test]
fn othello_by_gtp() {
    plays("othello", "othello.py", &[]);
}

#[test]
fn gounki_by_a_persons_input_and_the_display() {
    plays("gounki", "gounki.py", &[]);
}

#[test]
fn a_maze_with_four_python_players_ends_and_shares_the_marks() {
    if !python() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    let file = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let (record, json, html) = (file("run.jsonl"), file("run.json"), file("run.html"));
    let python = format!("python3 {}/../../test-data/players/moules.py", env!("CARGO_MANIFEST_DIR"));
    let mut arguments = vec!["tournament", "moules", "--rounds", "1", "--quiet", "--record", &record];
    for player in [&python as &str, &python, "builtin:greedy", "builtin:random"] {
        arguments.extend(["--player", player]);
    }
    arguments.extend(["--json", &json, "--html", &html]);
    let printed = stdout(&arguments);
    assert!(printed.contains("TrueSkill [95 %]"), "{printed}");
    let read = |path: &str| std::fs::read_to_string(path).unwrap();
    assert!(read(&html).contains("TrueSkill, 95 % intervals"));
    let results: serde_json::Value = serde_json::from_str(&read(&json)).unwrap();
    let skill = |name: &str| {
        let players = results["players"].as_array().unwrap();
        let player = players.iter().find(|player| player["name"] == name).unwrap();
        player["trueskill"]["mean"].as_f64().unwrap()
    };
    assert!(skill("greedy") > skill("random"), "{results:#}");
    let games = games(&path);
    assert_eq!(games.len(), 4);
    for game in &games {
        let points: f64 = game["points"].as_array().unwrap().iter().map(|p| p.as_f64().unwrap()).sum();
        assert!((points - 2.0).abs() < 1e-9, "6 + 4 + 2 + 0 sixths: {game}");
    }
}
