//! Tuning: a player whose best setting is known is led there by its games, and a broken run goes on to the same place.

use crate::support::{filler_after, games, referee, run, stdout};
use std::process::Stdio;

/// Plays the first free cells of a grid that is too small for a five, but loses its words after eight moves less the
/// distance of `{x}` from 7: of two such players the one nearer to 7 wins.
fn player() -> String {
    filler_after("d=$(({x} - 7)); n=$((8 - ${d#-}))", "[ $n -gt 0 ] || exit 3; n=$((n-1))")
}

fn arguments<'a>(player: &'a str, record: &'a str) -> Vec<&'a str> {
    "tune connect5 --size 4x4 --openings none --time 5000 --iterations 40 --pairs 1 --rate 0.5 --quiet --parameter x:1:0:14:2"
        .split(' ')
        .chain(["--player", player, "--record", record])
        .collect()
}

/// The tuned value of the only parameter.
fn tuned(printed: &str) -> f64 {
    let line = printed.lines().find(|line| line.starts_with("x ")).expect(printed);
    line.split_whitespace().nth(1).unwrap().parse().expect(printed)
}

#[test]
fn a_parameter_finds_its_known_best_value() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let (player, record, json, html) = (player(), path("run.jsonl"), path("t.json"), path("t.html"));
    let arguments = [&arguments(&player, &record)[..], &["--json", &json, "--html", &html]].concat();
    let printed = stdout(&arguments);
    assert!((tuned(&printed) - 7.0).abs() <= 1.5, "{printed}");
    assert_eq!(games(record.as_ref()).len(), 80);
    let found: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&json).unwrap()).unwrap();
    assert_eq!(found["path"].as_array().unwrap().len(), 41);
    assert!(found["player"].as_str().unwrap().contains("d=$((7 - 7))"), "{}", found["player"]);
    assert!(std::fs::read_to_string(&html).unwrap().contains("<polyline"));
}

#[test]
fn a_tuning_that_was_killed_goes_on_to_the_same_values() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let (player, whole, broken) = (player(), path("whole.jsonl"), path("broken.jsonl"));
    let expected = stdout(&arguments(&player, &whole));
    let again = arguments(&player, &broken);
    let mut child = referee(&again).stdout(Stdio::null()).spawn().unwrap();
    crate::support::eventually("some games are played", || {
        std::fs::read_to_string(&broken).is_ok_and(|text| text.lines().count() > 10)
    });
    child.kill().unwrap();
    child.wait().unwrap();
    let before = games(broken.as_ref()).len();
    assert!((10..80).contains(&before), "{before}");
    assert_eq!(stdout(&again), expected);
    assert_eq!(games(broken.as_ref()).len(), 80);
}

#[test]
fn what_cannot_be_tuned_is_refused() {
    let error = |player: &str, parameter: &str| {
        let output =
            run(&["tune", "uttt", "--player", player, "--parameter", parameter, "--iterations", "1"]);
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(error("./player {x}", "y:1:0:2:1").contains("does not contain {y}"));
    assert!(error("./player {seed}", "seed:1:0:2:1").contains("filled in by the referee"));
    assert!(error("./player {x}", "x:1:0:2").contains("not four numbers"));
}

#[test]
fn a_built_in_players_depth_is_tuned_too() {
    let player = ["--player", "builtin:search:{plies}", "--parameter", "plies:1:1:2:1"];
    let printed = stdout(&[&["tune", "othello", "--iterations", "1", "--quiet"][..], &player].concat());
    assert!(printed.contains("builtin:search:1") || printed.contains("builtin:search:2"), "{printed}");
}
