//! Puzzles: mining, the audit, and a dozen of each embedded file proven again.

use assert_cmd::cargo::cargo_bin_cmd;
use std::fs;
use std::path::Path;
use trainer::puzzles::{alike, failures};

const GAMES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../courses/src/games");

/// Returns the first puzzles of a game's file that have this in their line.
fn first(game: &str, with: &str, count: usize) -> String {
    let text = fs::read_to_string(format!("{GAMES}/{game}/puzzles.txt")).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#') && line.contains(with));
    lines.take(count).map(|line| format!("{line}\n")).collect()
}

/// Runs the command on a file, and returns its exit code and output.
fn audit(game: &str, path: &Path) -> (Option<i32>, String) {
    let output = cargo_bin_cmd!("trainer").args(["puzzles", game, "--audit"]).arg(path).output().unwrap();
    (output.status.code(), String::from_utf8(output.stdout).unwrap())
}

#[test]
fn no_two_puzzles_are_alike_and_a_dozen_are_proven_again_by_the_second_solver() {
    for game in ["connect5", "gounki", "moules", "othello", "uttt"] {
        assert_eq!(alike(game, &first(game, "", usize::MAX)).unwrap(), [""; 0], "{game}");
        let text = first(game, "", 12);
        assert_eq!(text.lines().count(), 12);
        assert_eq!(failures(game, &text).unwrap(), [""; 0], "{game}");
    }
}

#[test]
fn an_audit_finds_a_wrong_solution_and_a_wrong_goal() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("puzzles.txt");
    let right = first("othello", "goal discs", 2);
    let lines: Vec<&str> = right.lines().collect();
    let field = |name: &str| lines[0].split("; ").find(|field| field.starts_with(name)).unwrap().to_owned();
    let discs: i32 = field("goal discs ").trim_start_matches("goal discs ").parse().unwrap();
    let goal = |discs: i32| right.replace(&field("goal"), &format!("goal discs {discs:+}"));
    for (text, told) in [
        (right.clone(), "2 puzzles: 0 wrong, 0 with a second solution"),
        (goal(discs + 1), "2 puzzles: 1 wrong, 0 with a second solution"),
        (goal(discs - 1), "2 puzzles: 1 wrong, 0 with a second solution"),
    ] {
        fs::write(&path, &text).unwrap();
        let (code, printed) = audit("othello", &path);
        assert!(printed.contains(told), "{told}: {printed}");
        assert_eq!(code, Some(i32::from(text != right)), "{printed}");
    }
    fs::write(&path, right.replace("; bm ", "; bm h9 ")).unwrap();
    assert_eq!(audit("othello", &path).0, Some(1), "the line begins with another move");
}

#[test]
fn the_same_seed_gives_the_same_puzzles_and_they_pass_the_audit() {
    let folder = tempfile::tempdir().unwrap();
    for (game, easy) in [("othello", ""), ("connect5", "--easy "), ("uttt", "--easy ")] {
        let mined = ["a", "b"].map(|name| {
            let path = folder.path().join(name);
            let line = format!("puzzles {game} {easy}--count 2 --seed 5 --out");
            let output = cargo_bin_cmd!("trainer").args(line.split(' ')).arg(&path).output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            assert!(String::from_utf8_lossy(&output.stdout).starts_with("2 puzzles from "));
            path
        });
        let [a, b] = mined.clone().map(|path| fs::read_to_string(path).unwrap());
        assert!(
            a == b && a.starts_with(&format!("# trainer puzzles {game} {easy}--count 2 --seed 5\n")),
            "{a}"
        );
        assert_eq!(audit(game, &mined[0]).0, Some(0));
    }
}

#[test]
fn the_old_file_stays_until_all_puzzles_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("puzzles.txt");
    let part = folder.path().join("puzzles.txt.part");
    fs::write(&path, "old\n").unwrap();
    let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin!("trainer"));
    let mut trainer = command.args(["puzzles", "uttt", "--easy", "--out"]).arg(&path).spawn().unwrap();
    while !part.exists() {
        assert!(trainer.try_wait().unwrap().is_none(), "it ends before the first puzzle");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    trainer.kill().unwrap();
    trainer.wait().unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "old\n");
    let kept = fs::read_to_string(&part).unwrap();
    assert!(kept.starts_with("# trainer puzzles uttt"));
    let again = cargo_bin_cmd!("trainer")
        .args(["puzzles", "uttt", "--easy", "--count", "1", "--out"])
        .arg(&path)
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&again.stderr);
    assert!(!again.status.success() && told.contains("puzzles.txt.part exists: "), "{told}");
    assert_eq!(fs::read_to_string(&part).unwrap(), kept);
}
