//! Studies: who sits there, and the links that lead to a position.

use crate::server::{Arena, TWO, field, room_of};
use serde_json::json;

/// The players of a room.
fn seats(view: &str) -> usize {
    assert!(!view.contains("class=\"clock\""), "nobody's time is taken: {view}");
    view.matches("class=\"tally\"").count()
}

#[test]
fn a_maze_is_studied_by_as_many_as_were_chosen() {
    let arena = Arena::start(&["--no-data"]);
    for (chosen, count) in
        [(["person", "", "", ""], 1), (["person", "own", "", ""], 2), (["own", "", "own", "own"], 3)]
    {
        let room = arena.enter(&json!({ "game": "moules", "mode": "study", "seats": chosen }));
        assert_eq!(seats(&arena.get(&format!("{room}/view")).body), count, "{chosen:?}");
    }
    let room = arena.enter(&json!({ "game": "othello", "mode": "study", "seats": ["own", ""] }));
    assert_eq!(seats(&arena.get(&format!("{room}/view")).body), 2);
}

#[test]
fn two_engines_play_where_one_was_chosen_to_be_watched() {
    let arena = Arena::start(&["--no-data"]);
    let room = arena.enter(&json!({ "game": "uttt", "mode": "watch", "seats": ["own", ""] }));
    let view = arena.get(&format!("{room}/view")).body;
    assert!(!view.contains("a person") && view.matches("uttt · level 4").count() == 2, "{view}");
}

/// The link to the position of a view.
fn link(view: &str) -> String {
    let at = view.find("href=\"/?game=").unwrap();
    view[at + 6..].split('"').next().unwrap().replace("&amp;", "&")
}

#[test]
fn a_link_to_a_mazes_position_has_its_players() {
    let arena = Arena::start(&["--no-data"]);
    for count in 1..=4 {
        let room = arena.open("moules", &vec!["person"; count], "maze 3 items 3 size 13x11 dunes 10 turns 9");
        for click in ["S", "N", "O", "S"] {
            arena.press(&room, click, &[]);
        }
        let view = arena.get(&format!("{room}/view")).body;
        let page = arena.get(&link(&view)).body;
        let asked = page.split("class=\"asked\"").nth(1).unwrap().split("</div>").next().unwrap();
        let tokens = |text: &str| text.matches("class=\"token").count();
        // In the room each stands on the board and beside it.
        assert_eq!((tokens(asked), tokens(&view)), (count, 2 * count));
        let places = |text: &str| -> Vec<String> {
            let parts = text.split("class=\"token").skip(1).take(count);
            parts.map(|part| part.split("/>").next().unwrap().to_owned()).collect()
        };
        assert_eq!(places(asked), places(&view), "{count}");
        let chosen = |value: &str| page.matches(&format!("<option value=\"{value}\" selected")).count();
        assert_eq!(
            (chosen("person"), chosen("own")),
            (1, count - 1),
            "{count}: the form has as many players"
        );
    }
}

#[test]
fn another_language_keeps_what_a_link_leads_to() {
    let arena = Arena::start(&["--no-data"]);
    let room = arena.open("othello", &TWO, "");
    arena.press(&room, "d3", &[]);
    for path in ["/?game=uttt&start=40%2036", "/?game=moules&seats=3&start=1%201", &format!("{room}?at=0")] {
        let page = arena.get(path).body;
        let other = format!("href=\"{}&amp;lang=fr\"", path.replace('&', "&amp;"));
        assert!(page.contains(&other), "{path}: {page}");
        let french = arena.get(&format!("{path}&lang=fr")).body;
        assert!(french.contains("<html lang=\"fr\">"));
    }
    assert_eq!(field(&arena.get(&format!("{room}?at=0&lang=fr")).body, "at"), "0");
}

#[test]
fn moves_of_connect5_are_on_a_grid_of_the_size_beside_them() {
    let arena = Arena::start(&["--no-data"]);
    for (start, size, wanted) in [
        ("a1b2", "9x9", "9x9 @"),
        ("a1b2", "", "15x15 @"),
        ("7x7 a1b2", "9x9", "7x7 @"),
        ("00000/00000", "9x9", ""),
    ] {
        let wish = json!({ "game": "connect5", "seats": TWO, "start": start, "size": size });
        let answer = arena.post("/new", &wish).body;
        if wanted.is_empty() {
            assert!(answer.contains("is no"), "{answer}");
            continue;
        }
        let room = room_of(&answer);
        let view = arena.get(&format!("{room}/view")).body;
        assert!(view.contains(&format!("value=\"{wanted}")), "{start} {size}: {view}");
    }
}

#[test]
fn a_study_that_begins_anew_is_a_study() {
    let arena = Arena::start(&["--no-data"]);
    for (mode, wanted) in [("study", "true"), ("play", "false")] {
        let room = arena.enter(&json!({ "game": "othello", "mode": mode, "seats": TWO }));
        let answer = arena.post(&format!("{room}/again"), &json!({})).body;
        let again = room_of(&answer);
        let view = arena.get(&format!("{again}/view")).body;
        // Where the player is not built the analysis ends with its fault.
        assert!(field(&view, "study") == wanted || view.contains("failed"), "{view}");
    }
}
