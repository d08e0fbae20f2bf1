//! Games that are kept, downloaded and opened again.

use crate::again::{ANSWERS_ONCE, until};
use crate::server::{Arena, TWO, field, wait};
use serde_json::json;
use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};

#[test]
fn variations_and_moves_taken_back_are_there_when_the_arena_was_killed() {
    let data = tempfile::tempdir().unwrap();
    let folder = data.path().to_str().unwrap();
    let room = {
        let arena = Arena::start(&["--data", folder]);
        let room = arena.open("uttt", &TWO, "");
        for cell in ["40", "36", "0"] {
            arena.press(&room, cell, &[]);
        }
        arena.post(&format!("{room}/act"), &json!({ "do": "press", "click": "37", "at": 1 }));
        arena.act(&room, "undo");
        room
    };
    let arena = Arena::start(&["--data", folder]);
    let view = arena.get(&format!("{room}/view")).body;
    assert!(view.contains(">2. E1, 3 moves<"), "{view}");
    assert_eq!(field(&arena.act(&room, "redo"), "say"), "o: E2. to move: x, in board B");
    let line = arena.post(&format!("{room}/act"), &json!({ "do": "line", "nth": 0 })).body;
    assert_eq!(field(&line, "length"), "3");
}

#[test]
fn a_line_that_was_taken_back_is_a_variation_where_another_is_played() {
    let arena = Arena::start(&["--no-data"]);
    let room = arena.open("uttt", &TWO, "");
    for cell in ["40", "36", "0"] {
        arena.press(&room, cell, &[]);
    }
    arena.act(&room, "undo");
    arena.act(&room, "undo");
    // The same move leads on along the line.
    let same = arena.press(&room, "36", &[]);
    assert!(!same.contains("class=\"variations\""), "{same}");
    assert_eq!(field(&arena.act(&room, "redo"), "length"), "3");
    arena.act(&room, "undo");
    arena.act(&room, "undo");
    let other = arena.press(&room, "37", &[]);
    assert!(other.contains(">2. E1, 3 moves<"), "{other}");
    let line = arena.post(&format!("{room}/act"), &json!({ "do": "line", "nth": 0 })).body;
    assert_eq!(
        (field(&line, "at"), field(&line, "length"), field(&line, "say")),
        ("1".into(), "3".into(), "x: E5. after 1 of 3 moves; o to move".into())
    );
    assert!(line.contains(">2. E2, 2 moves<"), "{line}");
}

#[test]
fn nobody_else_plays_for_a_guest_who_is_not_there_any_more() {
    let data = tempfile::tempdir().unwrap();
    let folder = data.path().to_str().unwrap();
    let room = {
        let arena = Arena::start(&["--data", folder, "--player", ANSWERS_ONCE]);
        let room = arena.open("othello", &["person", "once"], "");
        arena.press(&room, "d3", &[]);
        until(&arena, &room, 2);
        room
    };
    {
        // One of the same name for another game is somebody else.
        let arena = Arena::start(&["--data", folder, "--player", "uttt:once=dialogue:false"]);
        arena.press(&room, "d6", &[]);
        let view = wait("the fault", || {
            let view = arena.get(&format!("{room}/view")).body;
            (!field(&view, "say").contains("thinks")).then_some(view)
        });
        assert!(view.contains("the engine failed: no player is named"), "{}", field(&view, "say"));
        assert_eq!(field(&view, "length"), "3");
    }
    // Given again, it plays on.
    let arena = Arena::start(&["--data", folder, "--player", &ANSWERS_ONCE.replace("= c5", "= e3")]);
    arena.get(&room);
    until(&arena, &room, 4);
}

#[test]
fn a_game_that_was_given_up_is_over_when_its_record_is_opened() {
    let arena = Arena::start(&["--no-data"]);
    let room = arena.open("othello", &TWO, "");
    arena.press(&room, "d3", &[]);
    arena.act(&room, "resign");
    let record = arena.get(&format!("{room}/record")).body;
    let again = arena.upload(&record);
    let said = field(&arena.get(&format!("{again}/view")).body, "say");
    assert_eq!(said, "black: d3. black wins (resigned)");
    // One of several, too.
    let game = record.lines().nth(1).unwrap();
    let many: serde_json::Value =
        serde_json::from_str(&arena.post_text("/open", &format!("{record}{game}\n")).body).unwrap();
    let mut wish = many["games"][1].clone();
    wish["mode"] = json!("replay");
    wish["seats"] = json!(TWO);
    let chosen = arena.enter(&wish);
    assert_eq!(field(&arena.get(&format!("{chosen}/view")).body, "say"), said);
}

#[test]
fn all_who_come_to_a_kept_game_at_once_come_to_the_same_room() {
    let data = tempfile::tempdir().unwrap();
    let folder = data.path().to_str().unwrap();
    let rooms: Vec<String> = {
        let arena = Arena::start(&["--data", folder]);
        (0..10)
            .map(|_| {
                let room = arena.open("connect5", &TWO, "9x9");
                arena.press(&room, "a1", &[]);
                room
            })
            .collect()
    };
    let arena = Arena::start(&["--data", folder]);
    for room in &rooms {
        std::thread::scope(|scope| {
            for cell in ["b2", "d2", "f2", "h2", "b4", "d4", "f4", "h4"] {
                let arena = &arena;
                scope.spawn(move || arena.press(room, cell, &[]));
            }
        });
        assert_eq!(field(&arena.get(&format!("{room}/view")).body, "length"), "9", "{room}");
    }
}

#[test]
fn the_notation_of_a_game_that_goes_on_names_no_winner() {
    let arena = Arena::start(&["--no-data"]);
    for (game, start, wanted) in [("othello", "d3", "RE[+1]"), ("connect5", "9x9 a1", "RE[B+]")] {
        let room = arena.open(game, &TWO, start);
        let notation = || arena.get(&format!("{room}/notation")).body;
        assert!(notation().contains("RE[?]"), "{}", notation());
        arena.act(&room, "resign");
        assert!(notation().contains(wanted), "{}", notation());
    }
}

#[test]
fn two_arenas_do_not_keep_their_games_in_the_same_folder() {
    let data = tempfile::tempdir().unwrap();
    let folder = data.path().to_str().unwrap();
    let other = || {
        let mut arena = Command::new(env!("CARGO_BIN_EXE_arena"));
        arena.args(["--port", "0", "--data", folder]).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut arena = arena.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(arena.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let _ = arena.kill();
        let told = arena.wait_with_output().unwrap().stderr;
        (line, String::from_utf8_lossy(&told).into_owned())
    };
    let arena = Arena::start(&["--data", folder]);
    let (line, told) = other();
    assert!(line.is_empty() && told.contains("another arena keeps its games there"), "{line} {told}");
    drop(arena);
    assert!(other().0.starts_with("arena: http://"));
}

#[test]
fn what_somebody_brought_is_kept_before_a_move_and_its_time_is_that_of_its_last_change() {
    let data = tempfile::tempdir().unwrap();
    let folder = data.path().to_str().unwrap();
    let listed = |arena: &Arena, room: &str| -> Option<String> {
        let home = arena.get("/").body;
        let entry = home.split("<li").find(|entry| entry.contains(room))?;
        Some(field(entry, "when"))
    };
    let (rooms, times) = {
        let arena = Arena::start(&["--data", folder]);
        let pasted = arena.open("othello", &TWO, "d3c5");
        let record = arena.get(&format!("{pasted}/record")).body;
        let rooms = [pasted, arena.upload(&record)];
        let times = rooms.each_ref().map(|room| listed(&arena, room));
        (rooms, times)
    };
    std::thread::sleep(std::time::Duration::from_millis(1100));
    let arena = Arena::start(&["--data", folder]);
    for (room, time) in rooms.iter().zip(&times) {
        assert_eq!(arena.get(&format!("{room}/view")).status, 200, "{room}");
        assert!(time.is_some(), "{room}");
        assert_eq!(listed(&arena, room), *time, "a look is no change");
    }
}
