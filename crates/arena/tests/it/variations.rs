//! Variations in files: written, read again, and chosen in a game that is only shown.

use crate::seats::{EVE, Person, ZOE};
use crate::server::{Arena, TWO, field, room_of};
use serde_json::json;

#[test]
fn variations_come_back_with_their_notes_when_their_file_is_opened() {
    let arena = Arena::start(&["--no-data"]);
    let zoe = Person { arena: &arena, cookie: ZOE };
    let room = room_of(&zoe.post("/new", &json!({ "game": "uttt", "seats": TWO })));
    ["40", "36", "0"].iter().for_each(|cell| _ = zoe.press(&room, cell));
    let act = format!("{room}/act");
    zoe.post(&act, &json!({ "do": "note", "label": "corner" }));
    zoe.post(&act, &json!({ "do": "press", "click": "37", "at": 1 }));
    let file = zoe.ask("GET", &format!("{room}/record"), "").body;
    // Whoever only watches sees the game alone.
    let eve = Person { arena: &arena, cookie: EVE };
    let seen = eve.ask("GET", &format!("{room}/record"), "").body;
    assert!(file.contains("\"variations\"") && !seen.contains("variations"), "{file} {seen}");

    let opened = room_of(&eve.ask("POST", "/open", &file).body);
    let view = eve.view(&opened);
    assert!(view.contains(">2. 36, 3 moves · corner<") && field(&view, "length") == "2", "{view}");
    // A variation of a game that is only shown is a game of one's own, beside which the game shown is one.
    let own = room_of(&eve.post(&format!("{opened}/act"), &json!({ "do": "line", "nth": 0 })));
    let view = eve.view(&own);
    assert!(own != opened && field(&view, "length") == "3", "{view}");
    assert!(view.contains(">2. 37, 2 moves<") && view.contains("corner"), "{view}");
    // Another move in the game shown keeps both lines.
    let other = json!({ "do": "press", "click": "38", "at": 1 });
    let own = room_of(&eve.post(&format!("{opened}/act"), &other));
    let view = eve.view(&own);
    assert!(view.contains(">2. 36, 3 moves · corner<") && view.contains(">2. 37, 2 moves<"), "{view}");
    assert_eq!(field(&eve.view(&opened), "length"), "2");

    // A list of games keeps them, too.
    let two = format!("{file}{}\n", file.lines().nth(1).unwrap());
    let listed: serde_json::Value = serde_json::from_str(&eve.ask("POST", "/open", &two).body).unwrap();
    let mut wish = listed["games"][1].clone();
    (wish["mode"], wish["seats"]) = (json!("replay"), json!(TWO));
    assert!(eve.view(&room_of(&eve.post("/new", &wish))).contains(">2. 36, 3 moves · corner<"));

    for (wrong, refusal) in [
        (file.replace("\"36\"", "\"80\""), "move 2: "),
        (file.replace("\"0\"]", &format!("\"0\"{}]", ",\"1\"".repeat(10_000))), "at most 10000"),
    ] {
        let answer = eve.ask("POST", "/open", &wrong);
        assert!(answer.status == 422 && answer.body.contains(refusal), "{}", answer.body);
    }
}
