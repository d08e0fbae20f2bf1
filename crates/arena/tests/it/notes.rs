//! Notes on moves, and lines of an analysis that are looked at and followed.

use crate::browser::{count, ready, state, text};
use crate::engines::arena_with;
use crate::seats::{BOB, EVE, Person, ZOE, two_people};
use crate::server::{Arena, TWO, field, room_of, wait};
use courses::note::{LABEL, MOST, TEXT};
use serde_json::{Value, json};

/// Writes a note on the latest move.
fn note(symbol: &str, label: &str, text: &str) -> Value {
    json!({ "do": "note", "symbol": symbol, "label": label, "text": text })
}

/// Opens a game of two people with some moves by the first browser.
fn played<'a>(arena: &'a Arena, moves: &[&str]) -> (Person<'a>, String) {
    let zoe = Person { arena, cookie: ZOE };
    let room = room_of(&zoe.post("/new", &json!({ "game": "uttt", "seats": TWO })));
    moves.iter().for_each(|mv| _ = zoe.press(&room, mv));
    (zoe, room)
}

#[test]
fn notes_stay_with_the_moves_of_every_line_and_in_its_files() {
    let data = tempfile::tempdir().unwrap();
    let folder = data.path().to_str().unwrap();
    let room = {
        let arena = Arena::start(&["--data", folder]);
        let (zoe, room) = played(&arena, &["40", "36", "0"]);
        let act = format!("{room}/act");
        let view = zoe.post(&act, &note("!?", "corner", "<b>why</b>\nso"));
        assert!(view.contains("&lt;b&gt;why&lt;/b&gt;\nso") && !view.contains("<b>why"), "{view}");
        assert!(field(&view, "say").contains("interesting move. corner: "), "{view}");
        assert_eq!(field(&view, "at"), "3");
        zoe.post(&act, &json!({ "do": "note", "symbol": "?", "at": 1 }));
        // Another second move: the third one and its note go to a variation, which has the note's label.
        let view = zoe.post(&act, &json!({ "do": "press", "click": "37", "at": 1 }));
        assert!(view.contains(">2. E1, 3 moves · corner<"), "{view}");
        assert!(
            view.contains("<b title=\"bad move\">") && !view.contains("<b title=\"interesting move\">"),
            "{view}"
        );
        room
    };
    let arena = Arena::start(&["--data", folder]);
    let zoe = Person { arena: &arena, cookie: ZOE };
    let view = zoe.post(&format!("{room}/act"), &json!({ "do": "line", "nth": 0 }));
    assert!(
        view.contains("<b title=\"interesting move\">") && view.contains("<b title=\"bad move\">"),
        "{view}"
    );
    // The file is read again with its notes, by another browser.
    let file = zoe.ask("GET", &format!("{room}/notation"), "").body;
    assert!(file.contains("40 $2") && file.contains("$5 {corner: <b>why</b> so}"), "{file}");
    for file in [file, zoe.ask("GET", &format!("{room}/record"), "").body] {
        let eve = Person { arena: &arena, cookie: EVE };
        let opened = room_of(&eve.ask("POST", "/open", &file).body);
        let view = eve.ask("GET", &format!("{opened}/view?at=3"), "").body;
        assert!(view.contains("&lt;b&gt;why&lt;/b&gt;") && view.contains("<b title=\"bad move\">"), "{view}");
        // Its own note takes the place of the file's, for this browser only; playing on keeps both.
        let act = format!("{opened}/act");
        eve.post(&act, &json!({ "do": "note", "text": "mine", "at": 3 }));
        assert!(eve.ask("GET", &format!("{opened}/view?at=3"), "").body.contains(">mine<"));
        assert!(!zoe.ask("GET", &format!("{opened}/view?at=3"), "").body.contains(">mine<"));
        let on = room_of(&eve.post(&act, &json!({ "do": "follow", "nth": 3, "line": ["1"] })));
        let view = eve.ask("GET", &format!("{on}/view?at=3"), "").body;
        assert!(view.contains(">mine<") && view.contains("<b title=\"bad move\">"), "{view}");
    }
}

#[test]
fn a_note_is_seen_by_whoever_wrote_it_only() {
    let arena = Arena::start(&["--no-data"]);
    let ([zoe, bob, eve], room) = two_people(&arena, "uttt");
    zoe.press(&room, "40");
    let act = format!("{room}/act");
    zoe.post(&act, &note("", "", "a secret plan"));
    assert!(zoe.view(&room).contains("a secret plan"));
    for other in [&bob, &eve] {
        assert!(!other.view(&room).contains("a secret plan"));
        for file in ["record", "notation"] {
            let file = other.ask("GET", &format!("{room}/{file}"), "").body;
            assert!(!file.contains("a secret plan"), "{file}");
        }
    }
    assert!(zoe.ask("GET", &format!("{room}/notation"), "").body.contains("a secret plan"));
    // Whoever only watches writes none.
    assert!(eve.post(&act, &note("!", "", "")).contains("you are watching this game"));
    assert!(!eve.view(&room).contains("data-note") && bob.view(&room).contains("data-note"));
    bob.post(&act, &note("!", "", ""));
    assert!(!zoe.view(&room).contains("<b title=\"good move\">"));
    assert_eq!((ZOE.len(), BOB.len()), (32, 32));
}

#[test]
fn notes_are_bounded_and_belong_to_a_move() {
    let arena = Arena::start(&["--no-data"]);
    let head = "partie 13x11 dunes 0 joueurs 1 moules 10 bieres 1 frites 1 laby 1 bonus 1 tours -1";
    let room = arena.upload(&format!("{head}\nnom 0 une\n{}", "0 E\n0 O\n".repeat(MOST / 2 + 1)));
    let notes: Vec<Value> = (0..MOST + 2).map(|nth| json!([nth, { "symbol": "!" }])).collect();
    let record = arena.get(&format!("{room}/record")).body;
    let record = record.replacen("\"micros\"", &format!("\"notes\":{},\"micros\"", json!(notes)), 1);
    let room = arena.upload(&record);
    let act = format!("{room}/act");
    let view = arena.post(&act, &json!({ "do": "note", "symbol": "!", "at": 0 })).body;
    assert!(view.contains("there is no move to note here"), "{view}");
    for (label, text) in [(LABEL + 1, 0), (0, TEXT + 1)] {
        let view = arena.post(&act, &note("", &"x".repeat(label), &"x".repeat(text))).body;
        assert!(view.contains("too long"), "{view}");
    }
    let last = json!({ "do": "note", "symbol": "?", "at": MOST + 1 });
    let view = arena.post(&act, &last).body;
    assert!(view.contains("this game has too many notes"), "{view}");
    // An empty note makes room.
    arena.post(&act, &json!({ "do": "note", "at": 7 }));
    let view = arena.post(&act, &last).body;
    assert!(view.contains("<b title=\"bad move\">"), "{view}");
}

#[test]
fn a_browser_writes_a_note_by_keys_and_by_a_finger() {
    let Some(browser) = ready(&[]) else { return };
    let arena = Arena::start(&["--no-data"]);
    let room = arena.open("othello", &TWO, "");
    arena.press(&room, "d3", &[]);
    browser.view(360, 740, false);
    browser.open(&format!("http://{}{room}?lang=en", arena.address));
    browser.keys(&["t"]);
    wait("the dialog", || (count(&browser, "dialog[open]") == 1).then_some(()));
    browser.keys(&["g", "o", "o", "d"]);
    // A picture that comes meanwhile takes nothing away.
    arena.press(&room, "c5", &[]);
    wait("the other move", || (text(&state(&browser), "length") == "2").then_some(()));
    assert!(browser.click(".noting input[value='!?']"));
    assert!(browser.click(".noting .primary"));
    let kept = "return document.querySelector('.moves li').textContent.trim()";
    wait("the note", || browser.script(kept).as_str()?.contains("!?").then_some(()));
    assert_eq!(count(&browser, "dialog"), 0);
    assert_eq!(text(&state(&browser), "at"), "1", "the note is on the move that was seen");
    let shown = browser.script("return document.querySelector('.comment').textContent");
    assert_eq!(shown, json!("good"));
    browser.tap("[data-note]");
    wait("the dialog", || (count(&browser, "dialog[open]") == 1).then_some(()));
    let wide = browser.script("return document.documentElement.scrollWidth").as_u64().unwrap();
    assert!(wide <= 360, "{wide} wide");
    browser.keys(&["\u{e00c}"]);
    wait("no dialog", || (count(&browser, "dialog") == 0).then_some(()));
    let on = "return document.activeElement.dataset.note === '1'";
    assert_eq!(browser.script(on), json!(true), "the keyboard is where it was");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// An analysis of one line.
const LINE: &str = "while read word rest; do case $word in position) echo ready;; analyse) \
     echo 'info rank 1 depth 9 score points 1 nodes 1 time 1 line d3 c5 f6';; esac; done";

#[test]
fn a_move_of_a_line_shows_its_board_and_leads_there() {
    let Some(browser) = ready(&[]) else { return };
    let (arena, _folder) = arena_with(LINE, &[]);
    browser.open(&format!("http://{}/?lang=en", arena.address));
    let room = arena.enter(&json!({ "game": "othello", "mode": "study", "seats": TWO }));
    browser.open(&format!("http://{}{room}?lang=en", arena.address));
    browser.keys(&["s"]);
    let discs = || count(&browser, ".board .man");
    wait("the line", || (count(&browser, "[data-line]") == 3).then_some(()));
    assert_eq!(discs(), 4);
    // By the keyboard: each move shows its board, and the place that is left shows the game's.
    browser.script("document.querySelector('[data-line]').focus()");
    wait("one move ahead", || (discs() == 5).then_some(()));
    browser.keys(&["\u{e014}", "\u{e014}"]);
    wait("three moves ahead", || (discs() == 7).then_some(()));
    assert_eq!(text(&state(&browser), "length"), "0");
    browser.script("document.activeElement.blur()");
    wait("the board of the game", || (discs() == 4).then_some(()));
    // By a finger: the first touch shows, the second one plays.
    browser.tap("[data-line='d3 c5']");
    wait("two moves ahead", || (discs() == 6).then_some(()));
    assert_eq!(text(&state(&browser), "length"), "0");
    browser.tap("[data-line='d3 c5']");
    wait("two moves played", || (text(&state(&browser), "length") == "2").then_some(()));
    // Along the moves that the game has, a move leads to the position after it, not to the last one.
    browser.keys(&["\u{e011}"]);
    wait("the line at the start", || {
        browser
            .script("return !!document.querySelector('[data-line=d3][data-from=\"0\"]')")
            .as_bool()?
            .then_some(())
    });
    browser.tap("[data-line=d3]");
    wait("one move ahead", || (discs() == 5).then_some(()));
    browser.tap("[data-line=d3]");
    let at = || browser.script("return new URL(location).searchParams.get('at')");
    wait("the first move", || (at() == "1" && discs() == 5).then_some(()));
    assert_eq!(text(&state(&browser), "length"), "2");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn a_line_is_a_variation_and_a_game_of_its_own_where_an_engine_plays() {
    let arena = Arena::start(&["--no-data"]);
    let lines = [
        ("othello", "", vec!["d3", "c5"]),
        ("connect5", "7x7", vec!["d4", "e5"]),
        ("uttt", "", vec!["40", "36"]),
        ("gounki", "", vec!["c1-b1", "b7-a6"]),
        ("moules", "maze 1 items 1 size 13x11 dunes 0 turns 9", vec!["E", "O"]),
    ];
    for (game, start, line) in lines {
        let seats = if game == "moules" { 1 } else { 2 };
        let room = arena.open(game, &vec!["person"; seats], start);
        let act = format!("{room}/act");
        let board = arena.get(&format!("{room}/ahead?at=0&line={}", line.join("+")));
        assert!(board.status == 200 && board.body.starts_with("<svg"), "{game}: {}", board.body);
        let view = arena.post(&act, &json!({ "do": "follow", "nth": 0, "line": line })).body;
        assert_eq!(field(&view, "length"), "2", "{game}: {view}");
        // Along the game nothing changes; from its beginning another line is a variation.
        let view = arena.post(&act, &json!({ "do": "follow", "nth": 0, "line": line[..1] })).body;
        assert_eq!((field(&view, "length"), field(&view, "at")), ("2".into(), "1".into()), "{game}");
        // In the maze any text is a command.
        let unknown = if game == "moules" { Vec::new() } else { vec!["zz".to_owned()] };
        for wrong in [unknown, vec![line[0].to_owned(); 99], vec!["x".repeat(99)]] {
            let view = arena.post(&act, &json!({ "do": "follow", "nth": 0, "line": wrong })).body;
            assert!(view.contains("that variation is gone"), "{game}: {view}");
        }
        assert_eq!(arena.get(&format!("{room}/ahead?at=9&line=")).status, 204, "{game}");
    }
    let room = arena.open("uttt", &TWO, "");
    arena.press(&room, "40", &[]);
    let view =
        arena.post(&format!("{room}/act"), &json!({ "do": "follow", "nth": 0, "line": ["0", "1"] })).body;
    assert!(view.contains(">1. E5, 1 move<") && field(&view, "length") == "2", "{view}");
    let (zoe, eve) = (Person { arena: &arena, cookie: ZOE }, Person { arena: &arena, cookie: EVE });
    let wish = json!({ "game": "uttt", "seats": ["person", "person"] });
    let room = room_of(&zoe.post("/new", &wish));
    // Whoever watches gets a game of their own.
    let own =
        room_of(&eve.post(&format!("{room}/act"), &json!({ "do": "follow", "nth": 0, "line": ["40"] })));
    assert_ne!(own, room);
    assert_eq!(field(&eve.view(&own), "length"), "1");
    assert_eq!(field(&zoe.view(&room), "length"), "0");
}
