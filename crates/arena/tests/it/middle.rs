//! Engines that are set into the middle of a game.

use crate::again::until;
use crate::server::{Arena, TWO, field, is_built, wait};
use serde_json::json;

/// Eight moves after which black must pass; white can then play e7.
const PASS: &str = "f5f6c4g5h5h4g7h6";

/// The view once nobody thinks.
fn settled(arena: &Arena, room: &str) -> String {
    wait("the engine", || {
        let view = arena.get(&format!("{room}/view")).body;
        let said = field(&view, "say");
        (!said.contains("thinks") && !said.contains("a hint is coming")).then_some(view)
    })
}

#[test]
fn an_engine_that_is_set_behind_a_pass_plays_on_from_there() {
    if !is_built("othello-player") {
        return;
    }
    let arena = Arena::start(&["--no-data"]);
    let lined = arena.open("othello", &TWO, PASS);
    let view = arena.get(&format!("{lined}/view")).body;
    let position = view.split("readonly value=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    for start in [PASS, position.as_str()] {
        // A person passes, and the engine's turn begins after the pass.
        let room = arena.open("othello", &["person", "own"], start);
        arena.press(&room, "pass", &[]);
        let view = settled(&arena, &room);
        assert_eq!(field(&view, "length"), "2", "{start}: {}", field(&view, "say"));
        // The engine must pass itself.
        let room = arena.open("othello", &["own", "person"], start);
        arena.get(&room);
        let view = until(&arena, &room, 1);
        assert!(field(&view, "say").starts_with("black: pass."), "{start}: {view}");
        // A hint after a pass is for the other side.
        let room = arena.open("othello", &TWO, start);
        arena.press(&room, "pass", &[]);
        arena.act(&room, "hint");
        let view = settled(&arena, &room);
        assert!(view.contains("class=\"best"), "{start}: {}", field(&view, "say"));
    }
}

#[test]
fn engines_that_change_seats_in_the_middle_play_on() {
    for (game, name, start) in [
        ("othello", "othello-player", ""),
        ("uttt", "uttt", ""),
        ("gounki", "gounki", ""),
        ("connect5", "connect5-joueur", "9x9"),
        ("moules", "moules-client", "maze 1 items 1 size 11x9 mussels 2 beers 1 frites 1 turns 9"),
    ] {
        if !is_built(name) {
            continue;
        }
        let arena = Arena::start(&["--no-data"]);
        let room = arena.open(game, &["person", "own"], start);
        for turn in 0..4 {
            let view = settled(&arena, &room);
            let before: usize = field(&view, "length").parse().unwrap();
            arena.press_first(&room, view);
            let view = until_more(&arena, &room, before + 2);
            assert!(!view.contains("failed"), "{game}, turn {turn}: {}", field(&view, "say"));
            if turn % 2 == 1 {
                // The engine comes to the seat whose turn it is, and plays at once.
                arena.act(&room, "swap");
                until_more(&arena, &room, before + 3);
            } else {
                // Set back by one move of each.
                arena.act(&room, "undo");
                arena.act(&room, "redo");
            }
        }
    }
}

fn until_more(arena: &Arena, room: &str, least: usize) -> String {
    wait("the engine's move", || {
        let view = arena.get(&format!("{room}/view")).body;
        assert!(!view.contains("failed"), "{}", field(&view, "say"));
        (field(&view, "length").parse::<usize>().unwrap() >= least).then_some(view)
    })
}

#[test]
fn a_guest_at_one_seat_and_our_engine_at_the_other_play_from_the_middle() {
    if !is_built("othello-player") {
        return;
    }
    let folder = std::path::Path::new(env!("CARGO_BIN_EXE_arena")).parent().unwrap();
    let guest = format!("othello:guest=gtp:{} gtp --depth 1", folder.join("othello-player").display());
    let arena = Arena::start(&["--no-data", "--player", &guest]);
    for seats in [["guest", "own"], ["own", "guest"]] {
        let wish = json!({ "game": "othello", "mode": "watch", "seats": seats, "start": PASS, "strength": "level 1" });
        let room = arena.enter(&wish);
        arena.post(&format!("{room}/act"), &json!({ "do": "pace", "millis": 0 }));
        arena.get(&room);
        until_more(&arena, &room, 9);
        // After the game is set back to the pass, both sides continue from there.
        arena.act(&room, "pause");
        settled(&arena, &room);
        while field(&arena.act(&room, "undo"), "length") != "1" {}
        arena.act(&room, "pause");
        until_more(&arena, &room, 9);
    }
}
