//! The page in a real browser: whole games by clicks and keys, hints, records, analysis, at both widths and lights.

use crate::driver::Browser;
use crate::server::{Arena, player, say, wait};
use serde_json::Value;

/// The browser and what it needs, or one line that says what is missing.
fn ready(players: &[&str]) -> Option<Browser> {
    if let Some(missing) = players.iter().find(|name| player(name).is_none()) {
        say(&format!("{missing} is not built: cargo build --workspace"));
        return None;
    }
    let browser = Browser::start();
    if browser.is_none() {
        say("no chromium and chromedriver here: scripts/browser.sh installs them");
    }
    browser
}

/// What the page says of its room.
fn state(browser: &Browser) -> Value {
    browser.script("const v = document.getElementById('view'); return v ? {...v.dataset} : {}")
}

fn text(state: &Value, name: &str) -> String {
    state[name].as_str().unwrap_or_default().to_owned()
}

fn is_over(say: &str) -> bool {
    ["wins", "a draw", "over"].iter().any(|word| say.contains(word))
}

/// Opens a game by the first page's form.
fn begin(browser: &Browser, arena: &Arena, game: &str, start: &str, button: &str) {
    browser.open(&format!("http://{}/?lang=en", arena.address));
    assert!(browser.click(&format!("label:has(input[value={game}])")));
    browser.write("textarea[name=start]", start);
    browser.script("document.querySelector('[name=strength]').value = 'level 1'");
    assert!(browser.click(&format!("button[value={button}]")));
    wait("the room", || (text(&state(browser), "game") == game).then_some(()));
}

/// Plays to the end: the first thing that may be clicked is.
fn play_out(browser: &Browser) -> String {
    wait("the end of the game", || {
        let said = text(&state(browser), "say");
        if is_over(&said) {
            return Some(said);
        }
        if !said.contains("thinks") && !browser.click(".hit.legal") {
            browser.click("[data-click]");
        }
        None
    })
}

#[test]
fn a_browser_plays_othello_takes_back_and_asks_for_a_hint() {
    let Some(browser) = ready(&["othello-player"]) else { return };
    let arena = Arena::start(&["--no-data"]);
    begin(&browser, &arena, "othello", "", "play");
    assert!(browser.click("[data-cell=d3]"));
    wait("the answer", || (text(&state(&browser), "length") == "2").then_some(()));
    browser.keys(&["u"]);
    wait("the move taken back", || (text(&state(&browser), "length") == "0").then_some(()));
    browser.keys(&["h"]);
    wait("the hint", || {
        browser.script("return document.querySelector('.best') !== null").as_bool()?.then_some(())
    });
    // The keyboard alone: an arrow takes the focus to the board, Enter plays.
    browser.keys(&["\u{e015}", "\u{e007}"]);
    wait("a move by keys", || (text(&state(&browser), "length") == "2").then_some(()));
    let over = play_out(&browser);
    assert!(over.contains("wins") || over.contains("draw"), "{over}");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn a_browser_plays_uttt_gounki_and_connect5_to_their_ends() {
    let Some(browser) = ready(&["uttt", "gounki", "connect5-joueur"]) else { return };
    let arena = Arena::start(&["--no-data"]);
    for (game, start) in [("uttt", ""), ("gounki", ""), ("connect5", "7x7")] {
        begin(&browser, &arena, game, start, "play");
        let over = play_out(&browser);
        assert!(is_over(&over), "{game}: {over}");
    }
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn a_browser_walks_the_maze_by_arrow_keys() {
    let Some(browser) = ready(&["moules-client"]) else { return };
    let arena = Arena::start(&["--no-data"]);
    begin(&browser, &arena, "moules", "maze 1 items 1 size 11x9 mussels 2 beers 1 frites 1 turns 8", "play");
    let arrows = ["\u{e014}", "\u{e015}", "\u{e012}", "\u{e013}"];
    let mut turn = 0;
    let over = wait("the end of the maze", || {
        let said = text(&state(&browser), "say");
        if is_over(&said) {
            return Some(said);
        }
        browser.keys(&[arrows[turn % 4]]);
        turn += 1;
        // Who is shut in on three sides passes the fourth time.
        if turn % 9 == 0 {
            browser.keys(&["c"]);
        }
        None
    });
    assert!(is_over(&over), "{over}");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn a_browser_studies_a_position_and_sees_three_lines() {
    let Some(browser) = ready(&["othello-player"]) else { return };
    let arena = Arena::start(&["--no-data"]);
    begin(&browser, &arena, "othello", "d3c5f6", "study");
    wait("three lines", || {
        let lines = browser.script("return document.querySelectorAll('.study tbody tr').length");
        (lines.as_u64()? == 3).then_some(())
    });
    let values = browser.script("return document.querySelectorAll('.board .value').length");
    assert!(values.as_u64().unwrap() >= 1, "values stand on the squares");
    // The page changes with every finding: an element may be replaced before it is clicked.
    wait("a click", || browser.click(".hit.legal").then_some(()));
    wait("the next position", || (text(&state(&browser), "length") == "1").then_some(()));
    wait("its analysis", || {
        let lines = browser.script("return document.querySelectorAll('.study tbody tr').length");
        (lines.as_u64()? > 0).then_some(())
    });
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn no_room_is_wider_than_its_window_in_light_and_dark() {
    let Some(browser) = ready(&[]) else { return };
    let arena = Arena::start(&["--no-data"]);
    let two = ["person", "person"];
    let starts =
        [("othello", "d3c5"), ("uttt", "40 36"), ("gounki", ""), ("connect5", "15x15"), ("moules", "1 1")];
    let mut pages: Vec<(String, String)> =
        starts.iter().map(|(game, start)| ((*game).to_owned(), arena.open(game, &two, start))).collect();
    pages.extend(
        [("home", "/"), ("watch", "/watch"), ("open", "/open")].map(|(a, b)| (a.to_owned(), b.to_owned())),
    );
    for (name, path) in pages {
        for (width, height) in [(360, 740), (1400, 900)] {
            for dark in [false, true] {
                browser.view(width, height, dark);
                browser.open(&format!("http://{}{path}", arena.address));
                let wide = browser.script("return document.documentElement.scrollWidth").as_u64().unwrap();
                assert!(wide <= u64::from(width), "{name} is {wide} wide in a window of {width}");
                if let Ok(folder) = std::env::var("ARENA_PICTURES") {
                    let light = if dark { "dark" } else { "light" };
                    let file = format!("{folder}/{name}-{width}-{light}.png.base64");
                    std::fs::write(file, browser.picture()).unwrap();
                }
            }
        }
    }
    assert_eq!(browser.complaints(), Vec::<String>::new());
}
