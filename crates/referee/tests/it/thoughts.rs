//! Players' words on their searches: in records, game files and the page.

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
    // Boards are the courses' own drawings.
    assert!(page.contains("<h2>Last boards</h2>") && page.matches("<figure><svg").count() == 2, "{page}");
    assert!(page.matches("class=\"board connect5\"").count() == 2, "{page}");
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

/// The project's own executable of a name, where the workspace has been built.
pub fn own(name: &str) -> Option<std::path::PathBuf> {
    let path = std::path::Path::new(env!("CARGO_BIN_EXE_referee")).with_file_name(name);
    if !path.is_file() {
        println!("skipped: {name} is not built: cargo build --workspace");
    }
    path.is_file().then_some(path)
}

#[test]
fn our_own_players_tell_of_every_move_without_being_told_to() {
    let folder = tempfile::tempdir().unwrap();
    // Dots stand for the blanks inside a player.
    for (program, line) in [
        (
            "connect5-joueur",
            "match connect5 --games 2 --a own:--nodestime.1 --b own --time 200 --grace 9999 --force --size 6x6",
        ),
        ("gounki", "match gounki --games 2 --a own:--nodes.300 --b own:--nodes.300"),
        ("othello-player", "match othello --games 2 --depth 2 --a nboard:othello-player.nboard --b own"),
        ("uttt", "match uttt --games 2 --a own:--nodes.50 --b own:--nodes.50"),
        (
            "moules-client",
            "tournament moules --player own --player own --rounds 1 --turns 8 --time 100 --grace 5000 --force",
        ),
    ] {
        if own(program).is_none() {
            continue;
        }
        let record = folder.path().join(format!("{program}.jsonl")).to_string_lossy().into_owned();
        let words: Vec<String> = line.split(' ').map(|word| word.replace('.', " ")).collect();
        let outputs = ["--quiet", "--record", &record];
        stdout(&words.iter().map(String::as_str).chain(outputs).collect::<Vec<_>>());
        for game in games(record.as_ref()) {
            assert!(game.get("faults").is_none(), "{game}");
            assert!(!game["errors"].to_string().contains("info "), "{game}");
            let moves = game["moves"].as_array().unwrap();
            let thoughts = game["thoughts"].as_array().unwrap_or_else(|| panic!("{line}: {game}"));
            for (mv, thought) in moves.iter().zip(thoughts) {
                let is_told = thought["depth"].is_u64() && thought["nodes"].is_u64();
                let has_value = thought["score"].is_f64() || thought["end"].is_i64();
                let first = thought["line"].as_str().and_then(|line| line.split(' ').next());
                // A forced pass is not thought about.
                let is_right = is_told && has_value && first == mv.as_str();
                assert!(is_right || mv == "pass", "{line}: {mv} {thought}");
            }
        }
    }
}

#[test]
fn a_course_sees_the_same_output_and_nothing_on_standard_error() {
    let folder = tempfile::tempdir().unwrap();
    let coups = folder.path().join("coups");
    std::fs::write(&coups, "a2-b3\ng7-g6\n").unwrap();
    let coups = coups.to_string_lossy().into_owned();
    let connect5 = "5 5\n00000\n00000\n00N00\n00000\n00000\n100\n0\n";
    for (program, arguments, input) in [
        ("connect5-joueur", vec!["--nodestime", "1"], connect5),
        ("gounki", vec!["--nodes", "100", "--meilleur-coup", &coups], ""),
        ("othello-player", vec!["gtp", "--depth", "3"], "genmove b\nquit\n"),
        ("othello-player", vec!["tournoi", "--joueur", "0", "--depth", "3"], "null\n"),
        ("uttt", vec!["--nodes", "200", "0"], ""),
        ("uttt", vec!["--nodes", "200", "-"], "0\n"),
    ] {
        let Some(path) = own(program) else { continue };
        let run = |telling: &str| {
            use std::io::Write as _;
            use std::process::{Command, Stdio};
            let mut command = Command::new(&path);
            command.args(&arguments).env_remove("PLAYER_INFO").stdin(Stdio::piped());
            if !telling.is_empty() {
                command.env("PLAYER_INFO", telling);
            }
            let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
            // A program that has its answer reads no further.
            let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
            let output = child.wait_with_output().unwrap();
            [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap())
        };
        let [printed, errors] = run("");
        assert_eq!(errors, "", "{program}");
        let [with_moves, told] = run("moves");
        assert!(told.starts_with("info rank 1 depth ") && told.lines().count() == 1, "{program}: {told}");
        let [with_depths, more] = run("depths");
        assert!(more.ends_with(told.split(" time ").next().unwrap()) || more.lines().count() > 1, "{more}");
        assert_eq!([&with_moves, &with_depths], [&printed; 2], "{program}");
        let [_, refused] = run("loudly");
        assert!(refused.contains("unknown value of PLAYER_INFO \"loudly\""), "{program}: {refused}");
    }
}
