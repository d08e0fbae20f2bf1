//! Positions set up by hand: by clicks, keys and a finger; analysed, played from, and refused.

use crate::browser::{count, ready, state, text};
use crate::server::{Arena, TWO, wait};
use serde_json::json;

const ENTER: &str = "\u{e007}";
const DELETE: &str = "\u{e017}";
const RIGHT: &str = "\u{e014}";

#[test]
fn a_position_is_set_up_by_keys_and_by_a_finger_and_analysed() {
    let Some(browser) = ready(&[]) else { return };
    let arena = Arena::start(&["--no-data"]);
    browser.view(390, 844, false);
    browser.open(&format!("http://{}/?lang=en", arena.address));
    assert!(browser.click("label:has(input[value=othello])"));
    // On a narrow page the buttons below stay in view, over the link.
    browser.script("document.getElementById('compose').click()");
    let start = || browser.script("return document.querySelector('.setup')?.dataset.start ?? ''");
    let is = |wanted: String| wait(&wanted.clone(), || (start() == wanted.as_str()).then_some(()));
    let said = || browser.script("return document.getElementById('say').textContent.trim()");
    let first = |row: &str| format!("@{row}{}X", "-".repeat(64 - row.len()));
    wait("the board", || (count(&browser, ".setup .man") == 4).then_some(()));
    assert!(browser.click("[data-act=clear]"));
    is(first(""));
    browser.tap("[data-cell=a1]");
    is(first("X"));
    browser.keys(&["2", RIGHT, ENTER]);
    is(first("XO"));
    assert_eq!(said(), json!("b1, white. to move: black"));
    // A second white disc takes it away, and so does its key.
    browser.keys(&[ENTER]);
    is(first("X"));
    browser.keys(&[ENTER, RIGHT, ENTER]);
    is(first("XOO"));
    browser.keys(&[DELETE]);
    is(first("XO"));
    browser.keys(&["u"]);
    is(first("XOO"));
    let on = browser.script("return document.activeElement.dataset.cell");
    assert_eq!(on, json!("c1"), "the keyboard is where it was");
    assert!(browser.click("#seat-1"));
    let white = first("XOO").replace("-X", "-O");
    is(white.clone());
    let wide = browser.script("return document.documentElement.scrollWidth").as_u64().unwrap();
    assert!(wide <= 390, "{wide} wide");
    // Another language keeps the position; a room leads back to it.
    assert!(browser.click(".languages [lang=fr]"));
    wait("French", || (browser.script("return document.documentElement.lang") == "fr").then_some(()));
    is(white.clone());
    assert!(browser.click("[data-enter=study]"));
    wait("the study", || (text(&state(&browser), "game") == "othello").then_some(()));
    let kept = "return document.querySelector('.share [data-copy]').value";
    assert_eq!(browser.script(kept), json!(white));
    let link = "return document.querySelector('.share a[href^=\"/setup\"]').href";
    browser.open(browser.script(link).as_str().unwrap());
    is(white);
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn what_the_rules_refuse_is_said_and_the_position_stays() {
    let arena = Arena::start(&["--no-data"]);
    let part = |query: &str| arena.get(&format!("/setup/view?{query}")).body;
    let start =
        |html: &str| html.split("data-start=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    // Each game opens what was set up.
    for (game, query) in [
        ("othello", "act=put&cell=a1&piece=white"),
        ("connect5", "act=put&cell=c3&piece=black&start=9x9"),
        ("uttt", "act=put&cell=40&piece=x"),
        ("gounki", "act=put&cell=d4&piece=white-square"),
    ] {
        let html = part(&format!("game={game}&{query}"));
        let position = start(&html);
        let room = arena.open(game, &TWO, &position);
        let view = arena.get(&format!("{room}/view")).body;
        assert!(view.contains(&format!("value=\"{position}\"")), "{game}: {html}");
        assert!(html.contains("play from here") && !html.contains("refused"), "{html}");
    }
    assert!(part("game=uttt&act=put&cell=40&piece=x").contains("to move: o, in board E"));
    let last = part("game=uttt&act=put&cell=3&piece=last");
    assert!(last.contains("data-refused") && last.contains("nothing was played there"), "{last}");
    // An empty board of Gounki is no position, and is on its way to one.
    let empty = part("game=gounki&act=clear");
    assert!(
        empty.contains("disabled") && empty.contains("the board is empty: no white or black man"),
        "{empty}"
    );
    let text = start(&empty).replace(':', "%3A");
    let mut men = part(&format!("game=gounki&start={text}&act=put&cell=d4&piece=black-round"));
    assert!(men.contains("d4, black, 1 round") && men.contains("play from here"), "{men}");
    for _ in 0..3 {
        let text = start(&men).replace(':', "%3A");
        men = part(&format!("game=gounki&start={text}&act=put&cell=d4&piece=black-square"));
    }
    assert!(men.contains("at most three men") && men.contains("d4, black, 2 squares, 1 round"), "{men}");
    assert_eq!(arena.get("/setup/view?game=moules").status, 404);
}
