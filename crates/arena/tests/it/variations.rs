//! Variations in files: written, read again, and chosen in a game that is only shown; what files say beside the moves.

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
    zoe.post(&act, &json!({ "do": "note", "label": "corner", "text": "in a corner" }));
    zoe.post(&act, &json!({ "do": "press", "click": "37", "at": 1 }));
    let file = zoe.ask("GET", &format!("{room}/record"), "").body;
    // Whoever only watches sees the game alone.
    let eve = Person { arena: &arena, cookie: EVE };
    let seen = eve.ask("GET", &format!("{room}/record"), "").body;
    assert!(file.contains("\"variations\"") && !seen.contains("variations"), "{file} {seen}");

    let opened = room_of(&eve.ask("POST", "/open", &file).body);
    let view = eve.view(&opened);
    assert!(view.contains(">2. E1, 3 moves · corner<") && field(&view, "length") == "2", "{view}");
    // A variation of a game that is only shown is a game of one's own, beside which the game shown is one.
    let own = room_of(&eve.post(&format!("{opened}/act"), &json!({ "do": "line", "nth": 0 })));
    let view = eve.view(&own);
    assert!(own != opened && field(&view, "length") == "3", "{view}");
    assert!(view.contains(">2. E2, 2 moves<") && view.contains("in a corner"), "{view}");
    // Another move in the game shown keeps both lines.
    let other = json!({ "do": "press", "click": "38", "at": 1 });
    let own = room_of(&eve.post(&format!("{opened}/act"), &other));
    let view = eve.view(&own);
    assert!(view.contains(">2. E1, 3 moves · corner<") && view.contains(">2. E2, 2 moves<"), "{view}");
    assert_eq!(field(&eve.view(&opened), "length"), "2");

    // A list of games keeps them, too.
    let two = format!("{file}{}\n", file.lines().nth(1).unwrap());
    let listed: serde_json::Value = serde_json::from_str(&eve.ask("POST", "/open", &two).body).unwrap();
    let mut wish = listed["games"][1].clone();
    (wish["mode"], wish["seats"]) = (json!("replay"), json!(TWO));
    assert!(eve.view(&room_of(&eve.post("/new", &wish))).contains(">2. E1, 3 moves · corner<"));

    // A line ends before its first illegal move, and is none without a move of its own.
    let lines = |file: String| eve.view(&room_of(&eve.ask("POST", "/open", &file).body));
    let cut = lines(file.replace("\"0\"]", "\"80\"]"));
    assert!(cut.contains(">2. E1, 2 moves<"), "{cut}");
    let none = lines(file.replace("\"36\"", "\"80\""));
    assert!(!none.contains("class=\"variations\"") && field(&none, "length") == "2", "{none}");
    let long = lines(file.replace("\"0\"]", &format!("\"0\"{}]", ",\"1\"".repeat(10_000))));
    assert!(long.contains(">2. E1, 4 moves · corner<"), "{long}");
}

#[test]
fn variations_and_their_notes_are_in_sgf_and_pgn() {
    let arena = Arena::start(&["--no-data"]);
    for (game, start, moves) in
        [("uttt", "", ["40", "36", "0", "37"]), ("connect5", "9x9", ["a1", "b1", "c1", "d1"])]
    {
        let named = if game == "uttt" { "E1" } else { moves[1] };
        let room = arena.open(game, &TWO, start);
        moves[..3].iter().for_each(|mv| _ = arena.press(&room, mv, &[]));
        let act = format!("{room}/act");
        arena.post(&act, &json!({ "do": "note", "text": "in a corner" }));
        arena.post(&act, &json!({ "do": "press", "click": moves[3], "at": 1 }));
        let file = arena.get(&format!("{room}/notation")).body;
        let opened = arena.upload(&file);
        let view = arena.get(&format!("{opened}/view")).body;
        assert!(view.contains(&format!(">2. {named}, 3 moves<")), "{file} {view}");
        let own = room_of(&arena.post(&format!("{opened}/act"), &json!({ "do": "line", "nth": 0 })).body);
        assert!(arena.get(&format!("{own}/view")).body.contains("in a corner"), "{game}");
    }
}

#[test]
fn a_file_keeps_its_date_result_players_and_comment() {
    let arena = Arena::start(&["--no-data"]);
    let kept = |file: &str, wanted: &[&str], shown: &[&str]| {
        let opened = arena.upload(file);
        let view = arena.get(&format!("{opened}/view?at=0")).body;
        shown.iter().for_each(|text| assert!(view.contains(text), "{text}: {view}"));
        assert!(!view.contains("class=\"clock\""), "no times are known: {view}");
        let again = arena.get(&format!("{opened}/notation")).body;
        wanted.iter().for_each(|text| assert!(again.contains(text), "{text}: {again}"));
        // The arena's own file of the game keeps them, too.
        let record = arena.get(&format!("{opened}/record")).body;
        let again = arena.get(&format!("{}/notation", arena.upload(&record))).body;
        wanted.iter().for_each(|text| assert!(again.contains(text), "{text}: {again}"));
    };
    kept(
        "(;GM[4]SZ[15]PB[Ana]PW[Bo]DT[2024-05-01]RE[B+R]C[opening note];B[hh](;W[hi];B[ih])(;W[ii]))",
        &["PB[Ana]", "PW[Bo]", "DT[2024-05-01]", "RE[B+R]", "C[opening note]"],
        &["2024-05-01 · result: black wins by resignation", "opening note", "Ana"],
    );
    kept(
        "[Event \"uttt\"]\n[Date \"2024.05.01\"]\n[White \"Ana\"]\n[Black \"Bo\"]\n[Result \"1-0\"]\n\n{opening note} 1. 40 36 1-0\n",
        &["[Date \"2024.05.01\"]", "[White \"Ana\"]", "[Result \"1-0\"]", "{opening note} 1. 40 36 1-0"],
        &["2024.05.01 · result: x wins", "opening note"],
    );
    let board = "8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *";
    kept(
        &format!("(;GM[Othello]PB[Ana]PW[Bo]DT[2024]RE[+4]TY[8]BO[{board}]C[opening note]B[F5]W[D6];)"),
        &["PB[Ana]", "PW[Bo]", "DT[2024]", "RE[+4]", "C[opening note]"],
        &["2024 · result: black wins by 4", "opening note"],
    );
}
