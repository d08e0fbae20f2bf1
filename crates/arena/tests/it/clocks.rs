//! The clocks of a room.

use crate::again::{ANSWERS_ONCE, until};
use crate::server::{Arena, TWO};
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
}
