//! The cost of a class's tournament to the referee itself, measured, with bounds; the figures in RESULTS.md are of a machine
//! with nothing else to do.
//!
//! `REFEREE=target/release/referee cargo test -p referee --test it figures -- --ignored --nocapture`, our `uttt` beside that
//! executable; without REFEREE half a class plays with the one that the tests were built with, and only the time of the
//! whole class is bounded, for a move's own time doubles and more where the machine is shared.

use crate::support::{games, own_time};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Players of a class.
const CLASS: usize = 40;

/// The most seconds of its own time that the games of a class may take.
const MOST_A_CLASS: f64 = 30.0;

/// The most microseconds of its own time a move, on a machine with nothing else to do.
const MOST_A_MOVE: f64 = 60.0;

/// Returns true where a person measures, false where it is only checked that the bounds hold.
fn measured() -> bool {
    std::env::var_os("REFEREE").is_some()
}

/// The number of games if each of `players` meets each other with both colours.
fn games_among(players: usize) -> usize {
    players * (players - 1)
}

fn executable() -> PathBuf {
    std::env::var_os("REFEREE").map_or_else(|| env!("CARGO_BIN_EXE_referee").into(), PathBuf::from)
}

/// The most memory of its own, in kB, while it runs.
fn memory(child: &mut Child) -> u64 {
    let mut most = 0;
    loop {
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        most = most.max(line.and_then(|line| line.trim().split(' ').next()?.parse().ok()).unwrap_or(0));
        if ended(child) {
            return most;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Returns true once it has ended; it is not waited for, so that its times can still be read.
fn ended(child: &Child) -> bool {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
    waitid(WaitId::Pid(Pid::from_child(child)), options).unwrap().is_some()
}

#[test]
#[ignore = "measures: minutes on a quiet machine"]
fn a_class_costs_little() {
    let class = if measured() { CLASS } else { CLASS / 2 };
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let (record, log, html) = (file("r.jsonl"), file("log"), file("r.html"));
    let players: Vec<String> =
        (0..class).map(|nth| format!("p{nth}=own:--nodes {} --seed {nth}", 20 + nth)).collect();
    let line = "tournament uttt --rounds 1 --quiet --concurrency 1 --record";
    let files = [record.as_str(), "--log", &log, "--html", &html];
    let mut command = Command::new(executable());
    command.args(line.split(' ').chain(files)).args(players.iter().flat_map(|player| ["--player", player]));
    let mut child = command.stdout(Stdio::null()).spawn().unwrap();
    let memory = memory(&mut child);
    let own = own_time(&child);
    assert!(child.wait().unwrap().success());
    let games = games(record.as_ref());
    let number = |game: &serde_json::Value, name: &str| game[name].as_f64().unwrap();
    let moves: usize = games.iter().map(|game| game["moves"].as_array().unwrap().len()).sum();
    let faults = games.iter().filter(|game| game.get("faults").is_some()).count();
    let of_players = |game: &serde_json::Value| -> f64 {
        game["micros"].as_array().unwrap().iter().map(|micros| micros.as_f64().unwrap()).sum()
    };
    let beside: f64 = games.iter().map(|game| number(game, "wall") - of_players(game)).sum();
    let a_move = 1e6 * own / moves as f64;
    println!("{} games, {moves} moves, {faults} with a fault", games.len());
    println!("the referee's own processor time: {own:.2} s, {a_move:.1} µs a move");
    println!(
        "wall time beside the players' moves, starts and ends included: {:.1} µs a move",
        beside / moves as f64
    );
    println!("memory: {:.1} MB", memory as f64 / 1000.0);
    assert_eq!((games.len(), faults), (games_among(class), 0));
    let whole = own * games_among(CLASS) as f64 / games_among(class) as f64;
    assert!(whole <= MOST_A_CLASS && memory <= 100_000, "a class of {CLASS}: {whole:.1} s, {memory} kB");
    assert!(!measured() || a_move <= MOST_A_MOVE);
}
