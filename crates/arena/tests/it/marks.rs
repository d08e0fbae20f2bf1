//! Marks on boards and names of moves.

use crate::server::{Arena, TWO, clicks};

#[test]
fn stones_of_connect5_have_the_numbers_of_their_moves() {
    let arena = Arena::start(&["--no-data"]);
    let room = arena.open("connect5", &TWO, "9x9 a1");
    arena.press(&room, "e5", &[]);
    let view = arena.press(&room, "d4", &[]);
    // The stone of the opening has none.
    assert_eq!(view.matches("class=\"nth").count(), 2, "{view}");
    assert!(view.contains("class=\"nth on-light\"") && view.contains(">2</text>"), "{view}");
    assert_eq!(view.matches("newest-ring").count(), 1);
    let back = arena.get(&format!("{room}/view?at=1")).body;
    assert_eq!(back.matches("class=\"nth").count(), 1, "{back}");
}

#[test]
fn a_deployment_is_in_the_list_of_moves() {
    let arena = Arena::start(&["--no-data"]);
    let room = arena.open("gounki", &TWO, "c1-b1 b7-a6");
    let mut path = vec!["b1".to_owned(), "+".to_owned()];
    let mut view = arena.press(&room, "+", &["b1"]);
    while view.contains("data-length=\"0\"") {
        let before: Vec<&str> = path.iter().map(String::as_str).collect();
        let next = clicks(&view).remove(0);
        view = arena.press(&room, &next, &before);
        path.push(next);
    }
    let [from, _, cells @ ..] = path.as_slice() else { panic!("{path:?}") };
    assert!(view.contains(&format!("data-at=\"1\">{from}+{}<", cells.join("-"))), "{view}");
}

#[test]
fn the_last_move_is_marked_on_the_nine_boards() {
    let arena = Arena::start(&["--no-data"]);
    let room = arena.open("uttt", &TWO, "0 1 9 2 18");
    let view = arena.get(&format!("{room}/view")).body;
    assert!(!view.contains("class=\"newest\""), "no move was played here yet");
    let next = clicks(&view).remove(0);
    assert!(arena.press(&room, &next, &[]).contains("class=\"newest\""));
}
