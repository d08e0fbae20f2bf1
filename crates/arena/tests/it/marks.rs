//! Marks on boards and names of moves.

use crate::browser::ready;
use crate::keyboard::first_moves;
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

#[test]
fn a_browser_shows_the_last_move_and_the_winning_line_of_every_game() {
    let Some(browser) = ready(&[]) else { return };
    let arena = Arena::start(&["--no-data"]);
    let moves = first_moves(&arena, "uttt", "");
    let (last, before) = moves.split_last().unwrap();
    let ends = before.join(" ");
    for (game, start, path, marks) in [
        ("othello", "", vec!["d3"], ".last"),
        ("gounki", "", vec!["d2", "d3"], ".way"),
        ("moules", "1 1", vec![], ".trail"),
        ("connect5", "9x9", vec!["e5"], ".newest-ring, .nth"),
        ("connect5", "5x5 a1a2b1b2c1c2d1d2", vec!["e1"], ".newest-ring, .nth, .five"),
        // The name of every free cell, and after the end a line through the three boards.
        ("uttt", "", vec!["40"], ".newest, .corner"),
        ("uttt", ends.as_str(), vec![last.as_str()], ".newest, .five"),
    ] {
        let room = arena.open(game, &TWO, start);
        if path.is_empty() {
            arena.press_first(&room, arena.get(&format!("{room}/view")).body);
        }
        for (nth, click) in path.iter().enumerate() {
            arena.press(&room, click, &path[..nth]);
        }
        for (width, height) in [(1200, 900), (360, 740)] {
            browser.view(width, height, false);
            browser.open(&format!("http://{}{room}", arena.address));
            for mark in marks.split(", ") {
                let seen = "const box = document.querySelector('MARK')?.getBoundingClientRect(); \
                            return Boolean(box) && box.width + box.height > 2";
                let seen = browser.script(&seen.replace("MARK", &format!(".board {mark}")));
                assert!(seen.as_bool().unwrap(), "{game} {start}, {width} wide: no {mark}");
            }
        }
    }
}
