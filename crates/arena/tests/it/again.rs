//! Moves taken back and played again, and games that begin anew.

use crate::server::{Arena, TWO, field, wait};
use serde_json::json;

/// An engine by GTP that answers d3 by c5 and every other move by silence.
pub const ANSWERS_ONCE: &str = "othello:once=gtp:sh -c 'n=0; while read c r; do case $c in genmove) n=$((n+1)); \
     [ $n = 1 ] || sleep 100; echo \"= c5\";; *) echo =;; esac; echo; done'";

/// Waits until a room has `length` moves.
pub fn until(arena: &Arena, room: &str, length: usize) -> String {
    wait("the moves", || {
        let view = arena.get(&format!("{room}/view")).body;
        (field(&view, "length") == length.to_string()).then_some(view)
    })
}

#[test]
fn playing_again_restores_what_taking_back_took_the_engines_answer_too() {
    let arena = Arena::start(&["--no-data", "--player", ANSWERS_ONCE]);
    let room = arena.open("othello", &["person", "once"], "");
    arena.press(&room, "d3", &[]);
    until(&arena, &room, 2);
    assert_eq!(field(&arena.act(&room, "undo"), "length"), "0");
    let again = arena.act(&room, "redo");
    assert_eq!(field(&again, "length"), "2");
    assert!(field(&again, "say").contains("white: c5. your turn (black)"), "{again}");
    assert_eq!(field(&arena.act(&room, "redo"), "say"), "nothing to redo");
}

#[test]
fn a_game_that_was_given_up_takes_no_moves_again() {
    let arena = Arena::start(&["--no-data"]);
    let room = arena.open("othello", &TWO, "");
    arena.press(&room, "d3", &[]);
    arena.act(&room, "undo");
    assert!(arena.act(&room, "resign").contains("data-do=\"redo\" disabled"));
    let refused = arena.act(&room, "redo");
    assert_eq!(
        (field(&refused, "say").as_str(), field(&refused, "length").as_str()),
        ("nothing to redo", "0")
    );
    arena.act(&room, "undo");
    assert_eq!(field(&arena.act(&room, "redo"), "length"), "1");
}

#[test]
fn engines_wait_where_moves_are_taken_back_and_played_again() {
    let arena = Arena::start(&["--no-data", "--player", ANSWERS_ONCE, "--player", FIRST]);
    let wish = json!({ "game": "othello", "mode": "watch", "seats": ["first", "once"] });
    let room = arena.enter(&wish);
    arena.get(&room);
    until(&arena, &room, 2);
    // The third move never comes: whoever thinks about it is not asked for another.
    assert_eq!(field(&arena.act(&room, "undo"), "length"), "1");
    assert_eq!(field(&arena.act(&room, "undo"), "length"), "0");
    std::thread::sleep(std::time::Duration::from_millis(500));
    assert_eq!(field(&arena.act(&room, "redo"), "length"), "1");
    let again = arena.act(&room, "redo");
    assert!(field(&again, "say").contains("white: c5"), "{again}");
    assert!(again.contains("go on"), "{again}");
}

/// An engine by GTP that begins with d3 and then says nothing.
const FIRST: &str = "othello:first=gtp:sh -c 'n=0; while read c r; do case $c in genmove) n=$((n+1)); \
     [ $n = 1 ] || sleep 100; echo \"= d3\";; *) echo =;; esac; echo; done'";
