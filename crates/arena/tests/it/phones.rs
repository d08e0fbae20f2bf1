//! Small windows and fingers.

use crate::browser::{ready, state, text};
use crate::server::{Arena, TWO, wait};
use courses::registry;
use serde_json::json;

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
fn the_last_move_is_in_view_with_the_board_and_links_are_broad_enough_for_a_thumb() {
    let Some(browser) = ready(&[]) else { return };
    let arena = Arena::start(&["--no-data"]);
    browser.view(360, 640, false);
    for (game, start, cell, told) in
        [("othello", "", "d3", "1. black: d3"), ("connect5", "15x15", "h8", "1. black: h8")]
    {
        let room = arena.open(game, &TWO, start);
        arena.press(&room, cell, &[]);
        browser.open(&format!("http://{}{room}?lang=en", arena.address));
        let seen = "const [board, last] = ['.boardbox svg', '.latest'].map(part => \
                    document.querySelector(part).getBoundingClientRect()); \
                    return board.top >= 0 && last.height > 0 && last.bottom <= innerHeight";
        assert_eq!(browser.script(seen), true, "{game}");
        assert_eq!(browser.script("return document.querySelector('.latest').textContent"), told);
    }
    browser.open(&format!("http://{}/?lang=fr", arena.address));
    for part in [".rules", ".languages a", ".go .primary", ".go select"] {
        let height = format!("return document.querySelector('{part}').getBoundingClientRect().height");
        assert!(browser.script(&height).as_f64().unwrap() >= 43.5, "{part}");
    }
}

#[test]
fn a_projector_shows_a_larger_board_and_larger_words() {
    let Some(browser) = ready(&[]) else { return };
    let arena = Arena::start(&["--no-data"]);
    let room = arena.open("othello", &TWO, "");
    let sizes = || {
        let script = "const part = name => document.querySelector(name); \
                      return [part('.boardbox svg').getBoundingClientRect().height, \
                      parseFloat(getComputedStyle(part('.who')).fontSize), document.documentElement.scrollHeight]";
        let sizes = browser.script(script);
        [0, 1, 2].map(|nth| sizes[nth].as_f64().unwrap())
    };
    browser.view(1280, 800, false);
    browser.open(&format!("http://{}{room}?lang=fr", arena.address));
    let [board, words, _] = sizes();
    browser.view(1920, 1080, false);
    let [larger, read, _] = sizes();
    assert!(larger > 850.0 && board < 700.0, "{board} {larger}");
    assert!(words < 17.0 && read > 18.0, "{words} {read}");
}

#[test]
fn the_list_of_moves_has_the_room_that_there_is_in_whole_rows() {
    let Some(browser) = ready(&[]) else { return };
    let arena = Arena::start(&["--no-data"]);
    let mut play = registry::find("othello").unwrap().open("", 2).unwrap();
    while let Some(first) = play.next(play.moves().len(), &[]).first() {
        play.play(first).unwrap();
    }
    let moves = play.moves().join(" ").replace(" pass", "");
    let room = arena.enter(&json!({ "game": "othello", "mode": "study", "seats": TWO, "start": moves }));
    let fit = "const list = document.querySelector('.moves'), box = list.getBoundingClientRect(); \
               const rows = [...list.children].map(item => item.firstElementChild.getBoundingClientRect()); \
               const cut = rows.filter(row => row.top < box.bottom - 1 && row.bottom > box.bottom || row.top < box.top && row.bottom > box.top + 3); \
               return [cut.length, box.height, innerHeight - document.querySelector('aside').getBoundingClientRect().bottom, \
               rows[0].height]";
    // At least as high as before, and nothing of a row is left over where there is a column to fill.
    for (width, height, least, is_column) in
        [(1366, 768, 132.0, true), (1920, 1080, 132.0, true), (390, 844, 100.0, false)]
    {
        browser.view(width, height, false);
        browser.open(&format!("http://{}{room}?lang=fr&at=31", arena.address));
        let seen = browser.script(fit);
        let [cut, list, left, row] = [0, 1, 2, 3].map(|nth| seen[nth].as_f64().unwrap());
        assert!(cut == 0.0 && list > least, "{width}: {seen}");
        assert!(!is_column || left < 4.0 * (row + 2.0), "{width}: {seen}");
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
    // A cell is called what the board shows.
    let room = arena.open("uttt", &TWO, "");
    browser.open(&format!("http://{}{room}?lang=en", arena.address));
    browser.view(250, 740, false);
    browser.tap("[data-cell=\"40\"]");
    wait("its name", || status().contains("tap E5 again").then_some(()));
    browser.view(360, 740, false);
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
