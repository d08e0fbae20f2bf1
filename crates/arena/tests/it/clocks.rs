//! The clocks of a room.

use crate::again::{ANSWERS_ONCE, until};
use crate::browser::{count, ready, state, text};
use crate::server::{Arena, TWO, field, wait};
use serde_json::json;
use std::time::Duration;

/// The clocks of a view: their seconds, and which of them run.
fn clocks(view: &str) -> Vec<(u64, bool)> {
    let parts = view.split("class=\"clock\" data-running=\"").skip(1);
    let one = |part: &str| {
        let text = part.split_once('>').unwrap().1.split('<').next().unwrap();
        let (minutes, seconds) = text.split_once(':').unwrap();
        (60 * minutes.parse::<u64>().unwrap() + seconds.parse::<u64>().unwrap(), part.starts_with("true"))
    };
    parts.map(one).collect()
}

fn now(arena: &Arena, room: &str) -> Vec<(u64, bool)> {
    clocks(&arena.get(&format!("{room}/view")).body)
}

fn pass(millis: u64) {
    std::thread::sleep(Duration::from_millis(millis));
}

#[test]
fn the_movers_clock_runs_from_the_first_move_to_the_end_and_every_picture_has_it() {
    let arena = Arena::start(&["--no-data"]);
    let room = arena.open("othello", &TWO, "");
    pass(1100);
    // Nobody has begun: the first move costs nothing.
    assert_eq!(now(&arena, &room), [(0, false), (0, false)]);
    assert_eq!(clocks(&arena.press(&room, "d3", &[])), [(0, false), (0, true)]);
    pass(1100);
    assert_eq!(now(&arena, &room), [(0, false), (1, true)]);
    assert_eq!(clocks(&arena.press(&room, "c5", &[])), [(0, true), (1, false)]);
    pass(1100);
    assert_eq!(clocks(&arena.act(&room, "resign")), [(1, false), (1, false)]);
    pass(1100);
    assert_eq!(now(&arena, &room), [(1, false), (1, false)]);
    // What was looked at before is no clock of now.
    assert_eq!(clocks(&arena.get(&format!("{room}/view?at=1")).body), [(1, false), (1, false)]);
}

#[test]
fn moves_taken_back_give_their_time_back_and_played_again_take_it() {
    let arena = Arena::start(&["--no-data"]);
    let room = arena.open("othello", &TWO, "");
    arena.press(&room, "d3", &[]);
    pass(1100);
    arena.press(&room, "c5", &[]);
    assert_eq!(clocks(&arena.act(&room, "undo")), [(0, false), (0, true)]);
    assert_eq!(clocks(&arena.act(&room, "redo")), [(0, true), (1, false)]);
}

#[test]
fn a_pause_costs_no_time() {
    let arena = Arena::start(&["--no-data", "--player", ANSWERS_ONCE]);
    let room = arena.open("othello", &["person", "once"], "");
    arena.press(&room, "d3", &[]);
    until(&arena, &room, 2);
    assert!(!clocks(&arena.act(&room, "pause"))[0].1);
    pass(2100);
    assert_eq!(clocks(&arena.act(&room, "pause"))[0], (0, true));
}

#[test]
fn a_stop_of_the_arena_costs_a_player_no_time() {
    let arena = Arena::start(&["--no-data"]);
    let room = arena.enter(&json!({ "game": "othello", "seats": TWO, "time": "game 60000 0" }));
    arena.press(&room, "d3", &[]);
    arena.stop_for(Duration::from_secs(3));
    assert!(now(&arena, &room)[1].0 > 57);
    assert!(clocks(&arena.press(&room, "c5", &[]))[1].0 > 57);
}

#[test]
fn clocks_go_on_from_the_record_when_the_arena_was_killed() {
    let data = tempfile::tempdir().unwrap();
    let folder = data.path().to_str().unwrap();
    let room = {
        let arena = Arena::start(&["--data", folder]);
        let room = arena.open("othello", &TWO, "");
        arena.press(&room, "d3", &[]);
        pass(1100);
        arena.press(&room, "c5", &[]);
        room
    };
    let arena = Arena::start(&["--data", folder]);
    assert_eq!(now(&arena, &room)[1], (1, false));
}

#[test]
fn a_game_that_was_played_elsewhere_has_its_times_and_no_clock_that_runs() {
    let arena = Arena::start(&["--no-data"]);
    let room = arena.open("othello", &TWO, "");
    arena.press(&room, "d3", &[]);
    pass(1100);
    arena.press(&room, "c5", &[]);
    let record = arena.get(&format!("{room}/record")).body;
    let again = arena.upload(&record);
    assert_eq!(now(&arena, &again), [(0, false), (1, false)]);
    let micros =
        |record: &str| record.split("\"micros\":").nth(1).unwrap().split(']').next().unwrap().to_owned();
    assert_eq!(micros(&arena.get(&format!("{again}/record")).body), micros(&record));
    let long = record.replace("{\"person\":{}}", &format!("\"{}\"", "x".repeat(1_000_000)));
    assert!(arena.get(&arena.upload(&long)).body.len() < 200_000, "a name is shortened");
    let absurd = record.replace(&micros(&record), &format!("[{0},{0}", u64::MAX));
    assert_eq!(now(&arena, &arena.upload(&absurd)).len(), 2, "times of any size are shown");
}

#[test]
fn clocks_count_down_and_a_fallen_flag_ends_the_game_by_its_rule() {
    let Some(browser) = ready(&[]) else { return };
    let data = tempfile::tempdir().unwrap();
    let folder = data.path().to_str().unwrap();
    let arena = Arena::start(&["--data", folder]);
    let enter = |arena: &Arena, game: &str, start: &str, time: &str| {
        arena.enter(&json!({ "game": game, "seats": TWO, "start": start, "time": time }))
    };
    // A time for the game, with an increment: the first move starts the clocks.
    let room = enter(&arena, "othello", "", "game 600000 5000");
    assert_eq!(now(&arena, &room), [(600, false), (600, false)]);
    let waits = "The clock starts after the first move.";
    assert!(arena.get(&format!("{room}/view")).body.contains(waits));
    let begun = arena.press(&room, "d3", &[]);
    assert!(clocks(&begun)[0] == (605, false) && !begun.contains(waits), "{begun}");
    let room = enter(&arena, "othello", "", "1+2");
    assert_eq!(clocks(&arena.press(&room, "d3", &[]))[0], (62, false));
    // A time a move, in a browser: the page counts down and says how it ended, unasked.
    let room = enter(&arena, "othello", "", "move 3000");
    browser.open(&format!("http://{}{room}?lang=en", arena.address));
    arena.press(&room, "d3", &[]);
    wait("a running clock", || (count(&browser, ".clock.low[data-running=true]") == 1).then_some(()));
    wait("the end", || text(&state(&browser), "say").contains("black wins (time is up)").then_some(()));
    assert_eq!(count(&browser, "[data-running=true]"), 0);
    let refused = arena.press(&room, "c5", &[]);
    assert_eq!(field(&refused, "say"), "the game is over");
    assert!(arena.get(&format!("{room}/record")).body.contains("\"end\":\"time loss\""));
    assert!(arena.get(&format!("{room}/view?lang=fr")).body.contains("noir gagne (temps écoulé)"));
    // The maze's server plays for whoever is late.
    let maze = enter(&arena, "moules", "maze 1 items 1 turns 5", "move 1000");
    arena.press(&maze, "C", &[]);
    let view = wait("a late turn", || {
        let view = arena.get(&format!("{maze}/view")).body;
        (field(&view, "length") != "1").then_some(view)
    });
    assert!(view.contains("C <small>late</small>"), "{view}");
    drop(arena);
    let arena = Arena::start(&["--data", folder]);
    let view = arena.get(&format!("{room}/view")).body;
    assert!(field(&view, "say").contains("black wins (time is up)"), "{view}");
    for time in ["move", "move x", "game 1", "move 1", "week 3", "5+", "3 minutes"] {
        let wish = json!({ "game": "othello", "seats": TWO, "time": time });
        let expected = "is no time: write 5+3 (minutes, seconds more a move) or 10s (seconds a move)";
        assert_eq!(arena.post("/new", &wish).body, format!("\"{time}\" {expected}"));
    }
}

#[test]
fn a_game_with_an_increment_is_lost_on_time_on_a_phone() {
    let Some(browser) = ready(&[]) else { return };
    let arena = Arena::start(&["--no-data"]);
    browser.view(360, 740, false);
    let room = arena.enter(&json!({ "game": "othello", "seats": TWO, "time": "game 2000 1000" }));
    browser.open(&format!("http://{}{room}?lang=en", arena.address));
    let shown = || {
        browser.script(
            "return [...document.querySelectorAll('.clock')].map(clock => clock.textContent).join(' ')",
        )
    };
    assert_eq!(shown(), "0:02 0:02");
    browser.tap("[data-cell=d3]");
    // The first move adds its second, and the other clock runs.
    wait("the increment", || shown().as_str()?.starts_with("0:03 ").then_some(()));
    wait("a second less", || (shown() == "0:03 0:01").then_some(()));
    wait("the flag", || text(&state(&browser), "say").contains("black wins (time is up)").then_some(()));
    assert_eq!((shown(), count(&browser, "[data-running=true]")), (json!("0:03 0:00"), 0));
}
