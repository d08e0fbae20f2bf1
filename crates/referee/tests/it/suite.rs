//! Suites of positions, asked of real processes.

use crate::support::{run, shell, stdout};
use std::path::Path;

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../test-data");

fn results(line: &str, players: &[&str], json: &Path) -> (String, serde_json::Value) {
    let json = json.to_string_lossy().into_owned();
    let players = players.iter().flat_map(|player| ["--player", player]);
    let printed =
        stdout(&line.split(' ').chain(players).chain(["--quiet", "--json", &json]).collect::<Vec<_>>());
    let text = std::fs::read_to_string(&json).unwrap();
    (printed, serde_json::from_str(&text).unwrap())
}

#[test]
fn wins_in_so_many_moves_are_found_or_not() {
    let folder = tempfile::tempdir().unwrap();
    // The second player knows the first set's first answer only; the third one crashes.
    let knowing = shell(
        "echo READY; read a b; n=0; while [ $n -le $a ]; do read row; n=$((n+1)); done; echo info depth 3 score win 3 nodes 42 >&2; echo 5 11",
    );
    let line = format!("suite connect5 {DATA}/connect5/exact5_vcf.jsonl --first 4 --time 5000");
    let crash = shell("echo READY; read a b; echo no idea >&2; exit 3");
    let players = ["builtin:search:6", &format!("k={knowing}"), &format!("c={crash}")];
    let (printed, found) = results(&line, &players, &folder.path().join("s.json"));
    let of = |nth: usize, field: &str| found["players"][nth]["summary"][field].as_u64().unwrap();
    assert!(of(0, "solved") >= 3, "{printed}");
    assert_eq!((of(1, "solved"), of(1, "nodes")), (1, 42), "{printed}");
    assert_eq!((of(2, "solved"), of(2, "faults")), (0, 4), "{printed}");
    let fault = found["players"][2]["attempts"][0]["fault"].as_str().unwrap();
    assert!(fault.contains("exit code 3") && fault.contains("no idea"), "{fault}");
    assert!(printed.contains("nodes to solution") && printed.contains("win in 2"), "{printed}");
}

#[test]
fn obf_integers_and_configurations_are_suites() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_string_lossy().into_owned()
    };
    let json = folder.path().join("s.json");
    // Six squares are left: a search to the end solves it.
    let obf = write(
        "p.obf",
        "-WXXXXXX-XOOXXXX-OXOOXXX-OOOOXXX-OOOOOXX-OOXOOXX--XXXXOX---XXXXX O; % unscored\n"
            .replace('W', "-")
            .as_str(),
    );
    let unscored = run(&["suite", "othello", &obf, "--player", "builtin:first"]);
    assert_eq!(unscored.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&unscored.stderr).contains("line 1: expected a solution"));
    let line = format!("suite othello {DATA}/othello/ffo40-59.obf --first 1");
    let (printed, _) = results(&line, &["builtin:first"], &json);
    assert!(printed.contains("othello: 1 positions") && printed.contains("FFO#40"), "{printed}");
    // Nobody can play on a mark.
    let uttt = write("u.txt", "# by hand\n40 36; bm 40; id taken\n");
    let refused = run(&["suite", "uttt", &uttt, "--player", "builtin:first"]);
    let told = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(refused.status.code() == Some(2) && told.contains("taken: \"40\" is not legal"), "{told}");
    let start = "b B1 B2 B1 B2 B1 B2 B1 B2 V0 V0 V0 V0 V0 V0 V0 V0 ".to_owned()
        + &"V0 ".repeat(40)
        + &"N1 ".repeat(8);
    let gounki = write("g.txt", &format!("{}; bm a1-a2\n", start.trim_end()));
    let (printed, found) = results(&format!("suite gounki {gounki}"), &["builtin:search:1"], &json);
    assert_eq!(found["positions"][0]["best"][0], "a1-a2", "{printed}");
}

#[test]
fn uttt_integers_are_asked_by_a_process_a_move() {
    if !crate::players::python() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("u.txt");
    let cells: Vec<String> = (0..81).map(|cell: u32| cell.to_string()).collect();
    std::fs::write(&path, format!("40 36; bm {}\n", "0")).unwrap();
    let line = format!("suite uttt {}", path.to_string_lossy());
    let player = format!("python3 {}/uttt.py", crate::players::PLAYERS);
    let (printed, found) = results(&line, &[&player], &folder.path().join("s.json"));
    let mv = found["players"][0]["attempts"][0]["mv"].as_str().unwrap();
    assert!(cells.iter().any(|cell| cell == mv), "{printed}");
}

#[test]
fn a_suite_uses_no_option_of_games() {
    let path = format!("{DATA}/othello/ffo40-59.obf");
    for option in ["--record", "--html", "--resign"] {
        let output =
            run(&["suite", "othello", &path, "--player", "builtin:first", option, "count=1,score=1"]);
        assert_eq!(output.status.code(), Some(2));
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(told.contains(&format!("suite does not use {option}")), "{told}");
    }
}

#[test]
fn a_solution_counts_from_the_moment_from_which_it_stood() {
    let folder = tempfile::tempdir().unwrap();
    // Right, wrong, right for good, and a while more; the second player says nothing before its answer.
    let talking = "echo READY; read a b; n=0; while [ $n -le $a ]; do read row; n=$((n+1)); done
        tell() { echo info depth $1 score 1 nodes $2 line $3 a1 >&2; sleep 0.15; }
        tell 1 10 l6; tell 2 20 a1; tell 3 40 l6; tell 4 90 l6; tell 5 120 l6; echo 5 11";
    let silent = "echo READY; read a b; n=0; while [ $n -le $a ]; do read row; n=$((n+1)); done; echo 5 11";
    let line = format!("suite connect5 {DATA}/connect5/exact5_vcf.jsonl --first 1 --time 5000");
    let players = [format!("t={}", shell(talking)), format!("s={}", shell(silent))];
    let players: Vec<&str> = players.iter().map(String::as_str).collect();
    let (printed, found) = results(&line, &players, &folder.path().join("s.json"));
    let attempt = |nth: usize| &found["players"][nth]["attempts"][0];
    let number = |field: &str| attempt(0)[field].as_u64().unwrap();
    assert_eq!((number("settled_nodes"), number("nodes")), (40, 120), "{printed}");
    let (settled, whole) = (number("settled_micros"), number("micros"));
    assert!(settled >= 300_000 && settled + 450_000 <= whole, "{settled} of {whole}");
    assert!(attempt(1)["settled_micros"].is_null() && attempt(1)["solved"] == true, "{printed}");
    assert!(printed.contains("ms to solution") && printed.contains("not told"), "{printed}");
}

#[test]
fn our_own_players_tell_when_they_found_a_solution() {
    let folder = tempfile::tempdir().unwrap();
    if crate::thoughts::own("othello-player").is_none() {
        return;
    }
    let line = format!("suite othello {DATA}/othello/ffo40-59.obf --first 2 --depth 7");
    let (printed, found) = results(&line, &["own"], &folder.path().join("s.json"));
    for attempt in found["players"][0]["attempts"].as_array().unwrap() {
        let number = |field: &str| attempt[field].as_u64().unwrap_or_else(|| panic!("{field}: {printed}"));
        assert!(number("settled_nodes") <= number("nodes") && number("settled_micros") <= number("micros"));
        assert!(number("settled_nodes") > 0, "{printed}");
    }
}
