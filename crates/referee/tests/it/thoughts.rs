//! What players tell of their searches: in records, game files and the page.

use crate::support::{filler, games, stdout};

#[test]
fn what_a_player_tells_is_kept_with_its_moves() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let (record, notation, html) = (file("r.jsonl"), file("r.sgf"), file("r.html"));
    let a = filler("echo info depth 3 score 25 nodes 70 line a1 b1 >&2");
    let line = "match connect5 --size 4x4 --openings none --time 5000 --games 2 --quiet --b builtin:search:2";
    let outputs = ["--a", &a, "--record", &record, "--notation", &notation, "--html", &html];
    stdout(&line.split(' ').chain(outputs).collect::<Vec<_>>());
    for game in games(record.as_ref()) {
        let (movers, thoughts) = (game["movers"].as_array().unwrap(), game["thoughts"].as_array().unwrap());
        assert_eq!(movers.len(), thoughts.len());
        let own = game["names"].as_array().unwrap().iter().position(|name| name != "search:2").unwrap();
        for (mover, thought) in movers.iter().zip(thoughts) {
            if mover.as_u64() == Some(own as u64) {
                let told = serde_json::json!({ "depth": 3, "score": 25.0, "nodes": 70, "line": "a1 b1" });
                assert_eq!(*thought, told);
            } else {
                let (depth, nodes) = (&thought["depth"], &thought["nodes"]);
                assert!(depth.as_u64().unwrap() <= 2 && nodes.is_u64(), "{thought}");
            }
        }
    }
    let sgf = std::fs::read_to_string(&notation).unwrap();
    assert!(sgf.contains(";B[aa]V[25]C[+25/3 70 nodes, a1 b1];W["), "{sgf}");
    let page = std::fs::read_to_string(&html).unwrap();
    assert!(page.contains("<h2>Value over the game</h2>") && page.contains("<td>3.0</td>"), "{page}");
    // A run that was read again shows the same.
    let again = file("again.html");
    stdout(&["report", &record, "--html", &again]);
    assert_eq!(page, std::fs::read_to_string(&again).unwrap());
}

#[test]
fn nobody_tells_anything_and_nothing_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let (record, html) = (file("r.jsonl"), file("r.html"));
    let line = "match uttt --games 2 --quiet --a builtin:random --b builtin:first";
    stdout(&line.split(' ').chain(["--record", &record, "--html", &html]).collect::<Vec<_>>());
    assert!(games(record.as_ref()).iter().all(|game| game.get("thoughts").is_none()));
    assert!(!std::fs::read_to_string(&html).unwrap().contains("Value over the game"));
}
