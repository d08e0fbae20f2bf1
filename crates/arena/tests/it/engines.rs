//! Engines that are late, that die, that talk too much: what the room makes of them.

use crate::again::{ANSWERS_ONCE, until};
use crate::server::{Arena, TWO, field, wait};
use courses::registry;
use courses::sandbox::{Mode, Options, Sandbox};
use serde_json::json;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::time::{Duration, Instant};

/// A folder with a program of the project's name that does what a shell script says.
pub fn folder_of(program: &str, script: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    write(&folder.path().join(program), script);
    folder
}

pub fn arena_with(script: &str, more: &[&str]) -> (Arena, tempfile::TempDir) {
    let folder = folder_of("othello-player", script);
    let place = folder.path().to_str().unwrap().to_owned();
    (Arena::start(&[&["--no-data", "--bin-dir", &place], more].concat()), folder)
}

/// An analysis that waits for ever.
pub const WAITS: &str = "while read word rest; do [ \"$word\" = position ] && echo ready; done";

/// An analysis that finds c5 again every fifth of a second, one ply deeper each time.
pub const DEEPENS: &str = "while read word rest; do [ -z \"$pid\" ] || kill $pid; pid=; case $word in \
     position) echo ready;; analyse) (depth=0; while :; do depth=$((depth+1)); \
     echo \"info rank 1 depth $depth score points 1 nodes 1 time 1 line c5\"; sleep 0.2; done) & pid=$!;; esac; done";

/// Starts an arena whose analyses wait for ever: those of our own players take all processors from the browser.
pub fn quiet_arena() -> (Arena, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let programs = registry::all().into_iter().filter_map(|game| game.analysis());
    programs.for_each(|program| write(&folder.path().join(program.command[0]), WAITS));
    let place = folder.path().to_str().unwrap().to_owned();
    (Arena::start(&["--no-data", "--bin-dir", &place]), folder)
}

fn write(program: &Path, script: &str) {
    std::fs::write(program, format!("#!/bin/sh\n{script}")).unwrap();
    std::fs::set_permissions(program, std::fs::Permissions::from_mode(0o755)).unwrap();
}

/// An analysis whose best move is always c5.
const FINDS_C5: &str = "while read word rest; do case $word in position) echo ready;; analyse) \
     echo 'info rank 1 depth 1 score points 1 nodes 1 time 1 line c5';; esac; done";

#[test]
fn a_hint_for_a_position_that_was_left_is_never_shown() {
    // The analysis finds its move at once; the hint comes after a second.
    let (arena, _folder) = arena_with(FINDS_C5, &[]);
    let room = arena.open("othello", &TWO, "");
    for round in 0..6 {
        arena.press(&room, "d3", &[]);
        arena.act(&room, "hint");
        std::thread::sleep(Duration::from_millis(950 + 20 * round));
        arena.act(&room, "undo");
        arena.press(&room, "c4", &[]);
        let deadline = Instant::now() + Duration::from_millis(150);
        while Instant::now() < deadline {
            let view = arena.get(&format!("{room}/view")).body;
            assert!(!view.contains("class=\"best"), "round {round}: {view}");
        }
        arena.act(&room, "undo");
    }
    // One that is waited for is.
    arena.press(&room, "d3", &[]);
    arena.act(&room, "hint");
    wait("the hint", || arena.get(&format!("{room}/view")).body.contains("class=\"best").then_some(()));
}

/// An analysis gets all processors while no engine plays, and one while one does, in the middle of a question too.
#[test]
fn an_analysis_leaves_the_processors_to_an_engine_that_plays() {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let script = "threads=1; [ \"$2\" = --threads ] && threads=$3; while read word rest; do case $word in \
        position) echo ready;; \
        analyse) echo \"info rank 1 depth 1 score points 1 nodes 1 time 1 line c5\"; echo $threads >>$0.log;; esac; done";
    let (arena, folder) = arena_with(script, &["--player", ANSWERS_ONCE]);
    let log = || std::fs::read_to_string(folder.path().join("othello-player.log")).unwrap_or_default();
    let wants = |lines: &[usize]| {
        let expected: String = lines.iter().map(|threads| format!("{threads}\n")).collect();
        wait("the threads of the analysis", || (log() == expected).then_some(()));
    };
    arena.enter(&json!({ "game": "othello", "mode": "study", "seats": TWO }));
    wants(&[cores]);
    let game = arena.open("othello", &["person", "once"], "");
    arena.press(&game, "d3", &[]);
    if cores > 1 {
        wants(&[cores, 1]);
    }
}

#[test]
fn a_game_goes_on_where_the_engine_that_was_asked_for_a_hint_died() {
    let (arena, _folder) = arena_with("exit 3", &["--player", ANSWERS_ONCE]);
    let room = arena.open("othello", &["person", "once"], "");
    arena.act(&room, "hint");
    wait("the fault", || {
        field(&arena.get(&format!("{room}/view")).body, "say").contains("the engine failed").then_some(())
    });
    arena.press(&room, "d3", &[]);
    let view = until(&arena, &room, 2);
    assert!(!view.contains("the engine failed"), "{view}");
}

#[test]
fn an_analysis_shows_nothing_of_the_position_before() {
    // Depth 1 after d3, depth 2 after every other move, thirty times a second.
    let script = "while read word rest; do [ -z \"$pid\" ] || kill $pid; pid=\n case $word in\n \
         position) case $rest in ???????????????????X*) depth=1;; *) depth=2;; esac; echo ready;;\n \
         analyse) (while :; do echo \"info rank 1 depth $depth score points 1 nodes 1 time 1 line c5\"; sleep 0.03; done) & \
         pid=$!;;\n esac; done";
    let (arena, _folder) = arena_with(script, &[]);
    let room = arena.enter(&json!({ "game": "othello", "mode": "study", "seats": TWO }));
    // What is looked at by its number is drawn anew for each who asks.
    let view = || arena.get(&format!("{room}/view?at=1")).body;
    for _ in 0..15 {
        arena.press(&room, "d3", &[]);
        wait("an analysis", || view().contains("depth <b>1</b>").then_some(()));
        arena.act(&room, "undo");
        arena.press(&room, "c4", &[]);
        let began = Instant::now();
        loop {
            let view = view();
            assert!(!view.contains("depth <b>1</b>"), "{view}");
            if view.contains("depth <b>2</b>") {
                break;
            }
            assert!(began.elapsed() < Duration::from_secs(60), "{view}");
        }
        arena.act(&room, "undo");
    }
}

#[test]
fn an_analysis_that_floods_ends_with_its_fault() {
    for script in ["exec yes hello", "read a; read b; echo ready; read c; exec yes hello"] {
        let (arena, _folder) = arena_with(script, &[]);
        let room = arena.enter(&json!({ "game": "othello", "mode": "study", "seats": TWO }));
        let began = Instant::now();
        let view = wait("the fault", || {
            let view = arena.get(&format!("{room}/view")).body;
            assert!(began.elapsed() < Duration::from_secs(30), "{view}");
            field(&view, "say").contains("the engine failed").then_some(view)
        });
        assert!(view.contains("flood"), "{view}");
        assert_eq!(field(&view, "study"), "false");
        // The game goes on.
        assert_eq!(field(&arena.press(&room, "d3", &[]), "say"), "black: d3. to move: white");
    }
}

#[test]
fn who_studies_an_earlier_position_of_a_game_between_engines_goes_on_studying_it() {
    let script = "while read word rest; do case $word in gtp) exit;; position) echo ready;; analyse) \
         echo 'info rank 1 depth 7 score points 1 nodes 1 time 1 line d3';; esac; done";
    let begins = "othello:begins=gtp:sh -c 'while read c r; do case $c in genmove) sleep 1; echo \"= d3\";; *) echo =;; esac; echo; done'";
    let (arena, _folder) = arena_with(script, &["--player", ANSWERS_ONCE, "--player", begins]);
    let room = arena.enter(&json!({ "game": "othello", "mode": "watch", "seats": ["begins", "once"] }));
    arena.post(&format!("{room}/act"), &json!({ "do": "pace", "millis": 1500 }));
    arena.get(&room);
    until(&arena, &room, 1);
    arena.post(&format!("{room}/act"), &json!({ "do": "study", "on": true, "at": 0 }));
    let start = || arena.get(&format!("{room}/view?at=0")).body.contains("depth <b>7</b>");
    wait("the analysis", || start().then_some(()));
    until(&arena, &room, 2);
    assert!(start());
    // The pace is no reason to look elsewhere.
    let act = json!({ "do": "pace", "millis": 100, "at": 0 });
    assert_eq!(field(&arena.post(&format!("{room}/act"), &act).body, "at"), "0");
    assert!(start());
}

#[test]
fn a_given_player_starts_in_a_sandbox_unless_it_is_off() {
    let layers = Sandbox::new(&Options::new(Mode::Auto)).unwrap().unwrap().layers().clone();
    if layers.landlock == 0 {
        println!("skipped: this system offers {}", layers.words());
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (script, log) = (folder.path().join("bot.sh"), folder.path().join("log"));
    std::fs::write(&script, "echo > ${0%bot.sh}log; exit 3").unwrap();
    let guest = format!("uttt:curious=sh {}", script.display());
    for (mode, writes) in [(&[][..], false), (&["--sandbox", "off"], true)] {
        let arena = Arena::start(&[&["--no-data", "--player", &guest], mode].concat());
        let room = arena.open("uttt", &["curious", "person"], "");
        arena.get(&room);
        wait("the fault", || {
            field(&arena.get(&format!("{room}/view")).body, "say").contains("the engine failed").then_some(())
        });
        assert_eq!(log.exists(), writes, "{mode:?}");
    }
    for wrong in [["--sandbox", "maybe"].as_slice(), &["--sandbox", "off", "--allow", "/"]] {
        let run = std::process::Command::new(env!("CARGO_BIN_EXE_arena")).args(wrong).output().unwrap();
        assert_eq!(run.status.code(), Some(2), "{wrong:?}");
    }
}
