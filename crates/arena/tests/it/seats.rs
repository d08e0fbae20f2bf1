//! Seats: an invitation gives one to another browser, whoever holds it moves, everybody else watches.

use crate::browser::{begin, count, ready, state, text};
use crate::engines::{arena_with, quiet_arena};
use crate::server::{Answer, Arena, TWO, exchange, field, room_of, wait};
use serde_json::json;

/// A person with a browser of their own.
pub struct Person<'a> {
    pub arena: &'a Arena,
    pub cookie: &'static str,
}

/// The secrets of three browsers.
pub const ZOE: &str = "0123456789abcdef0123456789abcdef";
pub const BOB: &str = "fedcba9876543210fedcba9876543210";
pub const EVE: &str = "00000000000000001111111111111111";

impl Person<'_> {
    pub fn ask(&self, method: &str, path: &str, body: &str) -> Answer {
        let (address, token, cookie, length) =
            (&self.arena.address, &self.arena.token, self.cookie, body.len());
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nAccept-Language: en\r\n\
             Cookie: lang=en; me={cookie}\r\nX-Arena-Token: {token}\r\nContent-Length: {length}\r\n\r\n{body}"
        );
        exchange(address, &request)
    }

    pub fn post(&self, path: &str, body: &serde_json::Value) -> String {
        self.ask("POST", path, &body.to_string()).body
    }

    pub fn view(&self, room: &str) -> String {
        self.ask("GET", &format!("{room}/view"), "").body
    }

    pub fn press(&self, room: &str, click: &str) -> String {
        self.post(&format!("{room}/act"), &json!({ "do": "press", "click": click }))
    }

    fn act(&self, room: &str, what: &str) -> String {
        self.post(&format!("{room}/act"), &json!({ "do": what, "on": true }))
    }

    /// Takes the seat that `by` offers in a room.
    fn sit(&self, by: &Person<'_>, room: &str, seat: usize, name: &str) -> Answer {
        let ticket = field(&by.post(&format!("{room}/invite"), &json!({ "seat": seat })), "invitation");
        let sitting = json!({ "ticket": ticket, "name": name });
        self.ask("POST", &format!("{room}/sit"), &sitting.to_string())
    }
}

/// An arena's people, and a room in which Zoé holds the first seat and Bob the second one.
pub fn two_people<'a>(arena: &'a Arena, game: &str) -> ([Person<'a>; 3], String) {
    let people = [ZOE, BOB, EVE].map(|cookie| Person { arena, cookie });
    let [zoe, bob, _] = &people;
    let room = room_of(&zoe.post("/new", &json!({ "game": game, "seats": TWO, "name": "Zoé" })));
    assert_eq!(bob.sit(zoe, &room, 1, "Bob").status, 204);
    (people, room)
}

/// The path of an invitation to a seat of Zoé's.
pub fn invitation(arena: &Arena) -> String {
    let zoe = Person { arena, cookie: ZOE };
    let room = room_of(&zoe.post("/new", &json!({ "game": "uttt", "seats": TWO, "name": "Zoé" })));
    let ticket = field(&zoe.post(&format!("{room}/invite"), &json!({ "seat": 1 })), "invitation");
    format!("{room}?seat={ticket}")
}

#[test]
fn only_the_holder_of_a_seat_moves_and_resigns_there() {
    let arena = Arena::start(&["--no-data"]);
    let ([zoe, bob, eve], room) = two_people(&arena, "othello");
    let view = zoe.view(&room);
    assert!(view.contains("Zoé (you)") && view.contains(": Bob"), "{view}");
    assert!(bob.view(&room).contains("Bob (you)") && !bob.view(&room).contains("Zoé (you)"));
    assert_eq!(field(&eve.press(&room, "d3"), "say"), "you are watching this game");
    assert_eq!(field(&bob.press(&room, "d3"), "say"), "it is not your turn");
    assert_eq!(field(&zoe.press(&room, "d3"), "length"), "1");
    assert_eq!(field(&zoe.press(&room, "c5"), "say"), "it is not your turn");
    // A move in the past would change the other's game.
    let past = json!({ "do": "press", "click": "c4", "at": 0 });
    assert_eq!(field(&zoe.post(&format!("{room}/act"), &past), "say"), "it is not your turn");
    let watched = eve.view(&room);
    assert!(!watched.contains("data-do=\"undo\"") && !watched.contains("hit legal"), "{watched}");
    // A browser that sends no secret watches, too.
    assert_eq!(field(&arena.press(&room, "c5", &[]), "say"), "you are watching this game");
    for what in ["resign", "undo", "pause", "swap"] {
        assert_eq!(field(&eve.act(&room, what), "say"), "you are watching this game", "{what}");
    }
    assert!(bob.act(&room, "resign").contains("black wins (resigned)"));
}

#[test]
fn an_invitation_gives_its_seat_once() {
    let arena = Arena::start(&["--no-data"]);
    let ([zoe, bob, eve], room) = two_people(&arena, "uttt");
    let invite = |by: &Person<'_>, seat: usize| by.post(&format!("{room}/invite"), &json!({ "seat": seat }));
    // The seat is Bob's now.
    for by in [&zoe, &eve] {
        assert_eq!(field(&invite(by, 1), "say"), "you are watching this game");
    }
    let ticket = field(&invite(&bob, 1), "invitation");
    // Only the one who invites sees the link, and a page that shows it gives no seat away.
    assert!(bob.view(&room).contains(&ticket) && !zoe.view(&room).contains(&ticket));
    let page = eve.ask("GET", &format!("{room}?seat={ticket}"), "").body;
    assert!(page.contains("You are invited to play: <b>o</b>"), "{page}");
    let sitting = json!({ "ticket": ticket, "name": "Ève" }).to_string();
    let sit = |by: &Person<'_>| by.ask("POST", &format!("{room}/sit"), &sitting);
    assert_eq!(sit(&eve).status, 204);
    let refused = sit(&zoe);
    assert_eq!((refused.status, refused.body.as_str()), (409, "this seat is taken"));
    assert!(eve.view(&room).contains("Ève (you)"));
    assert!(eve.ask("GET", &format!("{room}?seat={ticket}"), "").body.contains("this seat is taken"));
}

#[test]
fn moves_of_two_people_are_taken_back_when_the_other_agrees() {
    let arena = Arena::start(&["--no-data"]);
    let ([zoe, bob, eve], room) = two_people(&arena, "othello");
    zoe.press(&room, "d3");
    bob.press(&room, "c5");
    assert_eq!(field(&zoe.act(&room, "undo"), "length"), "2", "Bob is asked first");
    assert!(bob.view(&room).contains("black asks for undo") && !eve.view(&room).contains("asks for undo"));
    for by in [&eve, &zoe] {
        assert_eq!(field(&by.act(&room, "agree"), "length"), "2");
    }
    let declined = json!({ "do": "agree", "on": false });
    assert!(!bob.post(&format!("{room}/act"), &declined).contains("asks for undo"));
    zoe.act(&room, "undo");
    // It is Zoé's turn again: both moves are gone.
    assert_eq!(field(&bob.act(&room, "agree"), "length"), "0");
    zoe.press(&room, "d3");
    zoe.act(&room, "undo");
    // A move answers the wish: it is gone.
    bob.press(&room, "c5");
    assert!(!bob.view(&room).contains("asks for undo"));
    assert_eq!(field(&zoe.act(&room, "redo"), "say"), "not while several people play");
}

#[test]
fn a_restart_keeps_the_seats_and_the_folder_has_no_secret() {
    let data = tempfile::tempdir().unwrap();
    let folder = data.path().to_str().unwrap();
    let room = {
        let arena = Arena::start(&["--data", folder]);
        let ([zoe, bob, _], room) = two_people(&arena, "othello");
        zoe.press(&room, "d3");
        assert_eq!(field(&bob.press(&room, "c5"), "length"), "2");
        room
    };
    for file in std::fs::read_dir(folder).unwrap() {
        let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
        assert!(!text.contains(ZOE) && !text.contains(BOB), "{text}");
    }
    let arena = Arena::start(&["--data", folder]);
    let [zoe, bob, eve] = [ZOE, BOB, EVE].map(|cookie| Person { arena: &arena, cookie });
    assert_eq!(field(&eve.press(&room, "f6"), "say"), "you are watching this game");
    assert_eq!(field(&bob.press(&room, "f6"), "say"), "it is not your turn");
    assert_eq!(field(&zoe.press(&room, "f6"), "length"), "3");
    let home = bob.ask("GET", "/", "").body;
    assert!(home.contains("Zoé – Bob"), "{home}");
    // The file that a visitor downloads names the players and holds nobody's seat.
    let record = eve.ask("GET", &format!("{room}/record"), "").body;
    assert!(record.contains("\"names\":[\"Zoé\",\"Bob\"]") && !record.contains("holders"), "{record}");
}

#[test]
fn a_rematch_leads_both_people_to_the_same_game() {
    let arena = Arena::start(&["--no-data"]);
    let ([zoe, bob, eve], room) = two_people(&arena, "othello");
    bob.act(&room, "resign");
    let next = room_of(&zoe.post(&format!("{room}/again"), &json!({})));
    assert!(bob.view(&room).contains(&format!("href=\"{next}\"")) && !eve.view(&room).contains(&next));
    assert_eq!(room_of(&bob.post(&format!("{room}/again"), &json!({}))), next);
    assert_eq!(field(&bob.press(&next, "d3"), "say"), "it is not your turn");
    assert_eq!(field(&zoe.press(&next, "d3"), "length"), "1");
    // Whoever watched plays a game of their own.
    let own = room_of(&eve.post(&format!("{room}/again"), &json!({})));
    assert_ne!(own, next);
    assert_eq!(field(&eve.press(&own, "d3"), "length"), "1");
    assert_eq!(field(&zoe.press(&own, "c5"), "say"), "you are watching this game");
}

/// An analysis whose best move is always d3.
const FINDS_D3: &str = "while read word rest; do case $word in position) echo ready;; analyse) \
     echo 'info rank 1 depth 7 score points 1 nodes 1 time 1 line d3';; esac; done";

#[test]
fn hints_and_analyses_are_seen_by_one_browser() {
    let (arena, _folder) = arena_with(FINDS_D3, &[]);
    let ([zoe, bob, eve], room) = two_people(&arena, "othello");
    let see = |by: &Person<'_>, mark: &str| by.view(&room).contains(mark);
    eve.act(&room, "hint");
    wait("the hint", || see(&eve, "hint: d3").then_some(()));
    zoe.act(&room, "study");
    wait("the analysis", || see(&zoe, "depth <b>7</b>").then_some(()));
    for (by, mark) in [(&zoe, "hint: d3"), (&bob, "hint: d3"), (&bob, "depth"), (&eve, "depth")] {
        assert!(!see(by, mark), "{mark}");
    }
    // One ends hers, the other's goes on and follows the game.
    bob.act(&room, "study");
    wait("the other analysis", || see(&bob, "depth <b>7</b>").then_some(()));
    zoe.post(&format!("{room}/act"), &json!({ "do": "study", "on": false }));
    zoe.press(&room, "d3");
    wait("the analysis of the next position", || see(&bob, "depth <b>7</b>").then_some(()));
    assert!(!see(&zoe, "depth"));
}

#[test]
fn each_seat_has_its_own_strength() {
    let arena = Arena::start(&["--no-data"]);
    let Some(browser) = ready(&[]) else { return };
    browser.open(&format!("http://{}/?lang=en&game=uttt", arena.address));
    browser.script(
        "const field = name => document.querySelector(`[name=${name}]`); \
         field('strength0').value = 'level 2'; field('strength1').value = 'millis 200'",
    );
    assert!(browser.click("button[value=watch]"));
    wait("the room", || (text(&state(&browser), "game") == "uttt").then_some(()));
    let seats = browser.script("return document.querySelector('.seats').textContent").to_string();
    assert!(seats.contains("uttt · level 2") && seats.contains("uttt · 0.2 s"), "{seats}");
}

#[test]
fn two_browsers_play_a_game_and_a_third_one_watches() {
    let (Some(zoe), Some(bob)) = (ready(&[]), ready(&[])) else { return };
    let (arena, _folder) = arena_with(FINDS_D3, &[]);
    zoe.open(&format!("http://{}/?lang=en", arena.address));
    zoe.write("[name=person]", "Zoé");
    zoe.script("document.querySelector('[name=seat1]').value = 'person'");
    assert!(zoe.click("label:has(input[value=othello])"));
    assert!(zoe.click("button[value=play]"));
    wait("the room", || (text(&state(&zoe), "game") == "othello").then_some(()));
    wait("the button", || zoe.click("[data-invite=\"1\"]").then_some(()));
    let link = || zoe.script("return document.querySelector('[data-invitation]')?.value");
    let link = wait("the link", || link().as_str().map(str::to_owned));
    bob.view(360, 740, false);
    bob.open(&format!("{link}&lang=en"));
    assert_eq!(count(&bob, ".hit.legal"), 0, "an invitation is no seat yet");
    bob.write("[name=person]", "Bob");
    assert!(bob.click("#sit button"));
    let who = |browser: &crate::driver::Browser| {
        browser
            .script("return [...document.querySelectorAll('.who')].map(who => who.textContent).join()")
            .to_string()
    };
    wait("both names", || {
        (who(&zoe).contains("Zoé (you)") && who(&zoe).contains("white: Bob")).then_some(())
    });
    wait("the seat", || who(&bob).contains("Bob (you)").then_some(()));
    let length = |browser: &crate::driver::Browser| text(&state(browser), "length");
    for nth in 0..4 {
        let [mover, other] = if nth % 2 == 0 { [&zoe, &bob] } else { [&bob, &zoe] };
        wait("a cell to play", || (count(mover, ".hit.legal") > 0).then_some(()));
        // The page of the one who has moved may hear of it later than the other's.
        wait("the other's turn", || (count(other, ".hit.legal") == 0).then_some(()));
        wait("a click", || mover.click(".hit.legal").then_some(()));
        wait("the news", || (length(other) == (nth + 1).to_string()).then_some(()));
    }
    // Bob takes his move back, and Zoé agrees.
    assert!(bob.click("[data-do=undo]"));
    wait("the question", || zoe.click("[data-do=agree][data-on=true]").then_some(()));
    wait("the move taken back", || (length(&bob) == "3").then_some(()));
    // An analysis is its own browser's.
    wait("the button", || zoe.click("[data-do=study]").then_some(()));
    wait("the analysis", || (count(&zoe, ".study tbody tr") > 0).then_some(()));
    assert_eq!((count(&bob, ".study"), count(&bob, ".value")), (0, 0));
    assert!(arena.get(&format!("{}/view", room_path(&link))).body.contains("you are watching this game"));
    for browser in [&zoe, &bob] {
        assert_eq!(browser.complaints(), Vec::<String>::new());
    }
}

/// The path of a link.
fn room_path(link: &str) -> &str {
    let path = &link[link.find("/r/").unwrap()..];
    path.split('?').next().unwrap()
}

#[test]
fn one_browser_plays_both_sides() {
    let Some(browser) = ready(&[]) else { return };
    let (arena, _folder) = quiet_arena();
    begin(&browser, &arena, "othello", "", "study");
    for length in 1..=3 {
        wait("a click", || browser.click(".hit.legal").then_some(()));
        wait("the move", || (text(&state(&browser), "length") == length.to_string()).then_some(()));
    }
    browser.keys(&["u"]);
    wait("the move taken back", || (text(&state(&browser), "length") == "2").then_some(()));
    assert_eq!(browser.complaints(), Vec::<String>::new());
}
