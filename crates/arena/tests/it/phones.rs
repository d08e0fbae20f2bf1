//! Small windows and fingers.

use crate::browser::{ready, state, text};
use crate::server::{Arena, TWO, wait};

#[test]
fn play_is_seen_without_scrolling() {
    let Some(browser) = ready(&[]) else { return };
    let arena = Arena::start(&["--no-data"]);
    for (width, height) in [(1366, 768), (390, 844), (360, 640)] {
        browser.view(width, height, false);
        browser.open(&format!("http://{}/?lang=fr", arena.address));
        let seen = "const box = document.querySelector('button[value=play]').getBoundingClientRect(); \
                    return box.top >= 0 && box.bottom <= innerHeight";
        assert_eq!(browser.script(seen), true, "{width}x{height}");
    }
}

#[test]
fn a_small_cell_is_played_by_a_second_tap() {
    let Some(browser) = ready(&[]) else { return };
    let arena = Arena::start(&["--no-data"]);
    browser.view(360, 740, false);
    let length = || text(&state(&browser), "length");
    let status = || browser.script("return document.querySelector('.status').innerText").to_string();
    let room = arena.open("connect5", &TWO, "15x15");
    browser.open(&format!("http://{}{room}?lang=en", arena.address));
    browser.tap("[data-cell=h8]");
    wait("the question", || status().contains("tap h8 again").then_some(()));
    // Another cell is another first tap.
    browser.tap("[data-cell=g7]");
    wait("the other question", || status().contains("tap g7 again").then_some(()));
    assert_eq!(length(), "0");
    browser.tap("[data-cell=g7]");
    wait("the move", || (length() == "1").then_some(()));
    // A mouse is precise.
    assert!(browser.click("[data-cell=h8]"));
    wait("the click", || (length() == "2").then_some(()));
    // Large cells need one tap.
    let room = arena.open("othello", &TWO, "");
    browser.open(&format!("http://{}{room}?lang=en", arena.address));
    browser.tap("[data-cell=d3]");
    wait("the tap", || (length() == "1").then_some(()));
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn buttons_of_the_maze_stay_under_the_thumb() {
    let Some(browser) = ready(&[]) else { return };
    let arena = Arena::start(&["--no-data"]);
    browser.view(360, 740, false);
    let start = "maze 1 items 2 size 11x9 dunes 0 mussels 4 beers 10 frites 1 turns 20 played E/E/S/S";
    let room = arena.open("moules", &["person"], start);
    browser.open(&format!("http://{}{room}?lang=en", arena.address));
    let places = || {
        browser.script(
            "return [...document.querySelectorAll('.words button')].map(b => [b.offsetLeft, b.offsetTop]).join(' ')",
        )
    };
    let before = places();
    // The way to here has passed a beer.
    assert!(browser.click("[data-click=B]"));
    wait("the path", || (text(&state(&browser), "path") == "B").then_some(()));
    assert_eq!(before, places());
}
