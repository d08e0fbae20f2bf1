//! After the end of a game: its costliest moves, the way back to them, and the level that was beaten.

use crate::engines::{WAITS, arena_with};
use crate::server::{Arena, TWO, field, is_built, wait};
use courses::puzzle::{Goal, Puzzle};
use courses::registry;
use serde_json::json;

/// Begins a game at a puzzle of Gounki, and plays the first legal moves of both, which are not its solution.
fn missed(arena: &Arena) -> (String, &'static Puzzle) {
    let puzzles = registry::find("gounki").unwrap().puzzles();
    let puzzle = puzzles.iter().find(|puzzle| puzzle.goal == Goal::WinWithin(5)).unwrap();
    let room = arena.open("gounki", &TWO, &puzzle.opening);
    for _ in 0..2 {
        arena.press_first(&room, arena.get(&format!("{room}/view")).body);
    }
    (room, puzzle)
}

#[test]
fn a_game_that_is_over_is_gone_through_and_played_on_from_its_mistake() {
    if !is_built("gounki") {
        return;
    }
    let arena = Arena::start(&["--no-data"]);
    let (room, puzzle) = missed(&arena);
    let view = arena.act(&room, "resign");
    assert!(!view.contains(&puzzle.best), "the first legal move is not the solution");
    let review = wait("the review", || {
        let view = arena.get(&format!("{room}/view?lang=en")).body;
        view.contains("try again from here").then_some(view)
    });
    assert!(
        arena.get(&format!("{room}/view?at=0&lang=en")).body.contains("Where did I lose?")
            && review.contains("by proof"),
        "{review}"
    );
    assert!(review.contains(&format!("data-from=\"0\" data-line=\"{}\"", puzzle.best)), "{review}");
    assert!(review.contains("Costly moves, marked “?”: ") && review.contains("> ?</b>"), "{review}");
    let back = arena.post(&format!("{room}/act"), &json!({ "do": "back", "nth": 0 })).body;
    let again = crate::server::room_of(&back);
    assert!(
        again != room && field(&arena.get(&format!("{room}/view")).body, "ended") == "1",
        "the old game stays"
    );
    let back = arena.get(&format!("{again}/view?lang=en")).body;
    assert_eq!(field(&back, "length"), "0");
    assert!(back.contains(", 2 moves</button>") && !back.contains("Where did I lose?"), "{back}");
    let beyond = arena.post(&format!("{room}/act"), &json!({ "do": "back", "nth": 9 })).body;
    assert!(beyond.contains("nothing to undo"), "{beyond}");
}

#[test]
fn a_game_that_was_played_elsewhere_is_gone_through_too() {
    if !is_built("gounki") {
        return;
    }
    let arena = Arena::start(&["--no-data"]);
    let (room, puzzle) = missed(&arena);
    // A record of two programs whose game ended by a fault, which the board does not know.
    let record = arena.get(&format!("{room}/record")).body;
    let (head, game) = record.split_once('\n').unwrap();
    let mut game: serde_json::Value = serde_json::from_str(game).unwrap();
    game["end"] = json!("time loss of two");
    game["names"] = json!(["one", "two"]);
    game.as_object_mut().unwrap().remove("seated");
    let room = arena.upload(&format!("{head}\n{game}\n"));
    arena.get(&room);
    wait("the review", || {
        let view = arena.get(&format!("{room}/view?lang=en&at=0")).body;
        let is_there = view.contains("The costliest moves") && view.contains("> ?</b>");
        (is_there && view.contains(&format!("data-line=\"{}\"", puzzle.best))).then_some(())
    });
}

#[test]
fn a_won_game_tells_the_level_that_was_beaten_and_the_tab_says_whose_turn_it_is() {
    let arena = Arena::start(&["--no-data"]);
    let last = format!("{}O- X", "X".repeat(62));
    let wish = json!({ "game": "othello", "seats": ["person", "own"], "start": last, "strength": "level 7" });
    let room = arena.enter(&wish);
    let view = arena.get(&format!("{room}/view?lang=en")).body;
    assert_eq!(field(&view, "title"), "your turn (black) · Othello · Arena");
    assert!(!view.contains("data-beaten") && !view.contains("data-lost"));
    let over = arena.press(&room, "h8", &[]);
    assert_eq!(field(&over, "beaten"), "7");
    assert!(field(&over, "title").starts_with("you won: black wins, 64"), "{over}");
    assert!(!over.contains("data-lost"));
    // Nobody is beaten in a game of two persons.
    let room = arena.open("othello", &TWO, &last);
    assert!(!arena.press(&room, "h8", &[]).contains("data-beaten"));
}

#[test]
fn a_game_lost_on_time_is_told_so_below_its_moves() {
    let (arena, _folder) = arena_with(WAITS, &[]);
    let room = arena.enter(&json!({ "game": "othello", "seats": TWO, "time": "move 500" }));
    ["d3", "c5"].iter().for_each(|cell| _ = arena.press(&room, cell, &[]));
    let view = wait("the flag", || {
        let view = arena.get(&format!("{room}/view")).body;
        field(&view, "say").contains("time is up").then_some(view)
    });
    assert!(view.contains("The clock decided: the time was up."), "{view}");
    // The list of moves is seen while one steps, however long the review is.
    let place = |class: &str| view.find(&format!("class=\"{class}\"")).unwrap();
    assert!(place("browse") < place("moves") && place("moves") < place("review"), "{view}");
}
