//! Repeated games are no new evidence, and intervals of few games are wide.

use crate::support::stdout;
use std::fs;

#[test]
fn a_sequential_test_on_one_opening_stops_and_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("one.txt");
    let text = path.to_string_lossy().into_owned();
    fs::write(&path, "f5d6\nF5D6\nf5 d6\n").unwrap();
    let line = "sprt othello --a builtin:search:2 --b builtin:search:1 --elo0 0 --elo1 50 --quiet --openings";
    let told = stdout(&line.split(' ').chain([text.as_str()]).collect::<Vec<_>>());
    let verdict = told.lines().last().unwrap();
    assert!(
        verdict.contains("undecided after 1 pair,") && verdict.contains("20 pairs repeat games"),
        "{told}"
    );
    assert!(told.contains("games are distinct; repeated games add nothing to Elo"), "{told}");
    assert!(told.contains("1 pair with 0, ½, 1, 1½, 2 points"), "{told}");
}

#[test]
fn a_match_without_openings_proves_no_more_than_its_two_games() {
    let line = "match othello --a builtin:search:2 --b builtin:search:1 --games 20 --quiet --openings none";
    let folder = tempfile::tempdir().unwrap();
    let [json, html] = ["run.json", "run.html"].map(|name| folder.path().join(name));
    let [json_text, html_text] = [&json, &html].map(|path| path.to_string_lossy().into_owned());
    let files = ["--json", &json_text, "--html", &html_text];
    let told = stdout(&line.split(' ').chain(files).collect::<Vec<_>>());
    assert!(told.contains("2 of 20 games are distinct"), "{told}");
    let value: serde_json::Value = serde_json::from_slice(&fs::read(json).unwrap()).unwrap();
    assert_eq!((&value["games"], &value["repeated"]), (&20.into(), &18.into()));
    let elo = &value["duels"][0]["elo"];
    assert!(elo["score_low"].as_f64().unwrap() < 0.5 && elo["superiority"].as_f64().unwrap() < 0.9, "{elo}");
    assert!(fs::read_to_string(html).unwrap().contains("2 of 20 games are distinct"));
}
