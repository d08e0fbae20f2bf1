//! The buttons of a room and the ways into one, clicked in a real browser.

use crate::browser::{begin, count, ready, state, text};
use crate::driver::Browser;
use crate::engines::arena_with;
use crate::faults::FOUR_AHEAD;
use crate::server::{Arena, TWO, wait};

/// The texts of all elements of a selector.
fn texts(browser: &Browser, selector: &str) -> Vec<String> {
    let script = format!(
        "return [...document.querySelectorAll('{selector}')].map(item => item.value ?? item.textContent)"
    );
    let texts = browser.script(&script);
    texts.as_array().unwrap().iter().map(|text| text.as_str().unwrap_or_default().trim().to_owned()).collect()
}

fn length(browser: &Browser) -> u32 {
    text(&state(browser), "length").parse().unwrap_or(0)
}

fn place(browser: &Browser) -> String {
    browser.script("return location.pathname").as_str().unwrap().to_owned()
}

#[test]
fn a_browser_swaps_the_seats_and_begins_anew() {
    let Some(browser) = ready(&["othello-player"]) else { return };
    let arena = Arena::start(&["--no-data"]);
    begin(&browser, &arena, "othello", "", "play");
    let seats = || texts(&browser, ".seats .who");
    assert!(seats()[0].contains("you") && seats()[1].contains("othello-player"), "{:?}", seats());
    // Who gives up the first seat is answered from it at once.
    wait("the swap", || browser.click("[data-do=swap]").then_some(()));
    wait("the engine's first move", || (length(&browser) == 1).then_some(()));
    assert!(seats()[0].contains("othello-player") && seats()[1].contains("you"), "{:?}", seats());
    // One click: a second one may come after the engine's answer.
    wait("a click", || browser.click(".hit.legal").then_some(()));
    wait("an answer", || (length(&browser) == 3).then_some(()));
    let old = place(&browser);
    wait("another game", || {
        if place(&browser) == old {
            browser.click("[data-new]");
        }
        (place(&browser) != old && length(&browser) == 1).then_some(())
    });
    // The seats stay as they were swapped, and the old game is where it was.
    assert!(seats()[0].contains("othello-player") && seats()[1].contains("you"), "{:?}", seats());
    browser.open(&format!("http://{}{old}", arena.address));
    assert_eq!(length(&browser), 3);
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn a_browser_begins_from_drawn_openings() {
    let Some(browser) = ready(&[]) else { return };
    let arena = Arena::start(&["--no-data"]);
    for (game, stones) in [("othello", 4), ("connect5", 0)] {
        let mut drawn = std::collections::BTreeSet::new();
        for _ in 0..3 {
            browser.open(&format!("http://{}/?lang=en&game={game}", arena.address));
            assert!(browser.click("input[name=from][value=drawn]"));
            browser.script("document.querySelector('[name=seat1]').value = 'person'");
            assert!(browser.click("button[value=play]"));
            wait("the room", || (text(&state(&browser), "game") == game).then_some(()));
            // A start of its own: nothing was played on it yet.
            assert_eq!(length(&browser), 0);
            let on = count(&browser, ".board .man");
            assert!(on > stones, "{game}: {on}");
            drawn.insert(texts(&browser, ".share input")[0].clone());
        }
        assert!(drawn.len() > 1, "{game}: {drawn:?}");
    }
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn a_click_on_the_evaluation_graph_leads_to_its_position() {
    let Some(browser) = ready(&[]) else { return };
    let (arena, _folder) = arena_with(FOUR_AHEAD, &[]);
    let room = arena.open("othello", &TWO, "");
    for cell in ["d3", "c5", "f6", "f5", "e6", "e3"] {
        arena.press(&room, cell, &[]);
    }
    browser.open(&format!("http://{}{room}?lang=en", arena.address));
    assert!(browser.click("[data-do=study]"));
    wait("the button", || browser.click("[data-do=graph]").then_some(()));
    wait("the whole game's values", || (count(&browser, ".graph circle") == 7).then_some(()));
    for at in ["2", "5", "0"] {
        // The graph is drawn anew with every finding: what was found may be gone when it is clicked.
        wait("the position", || {
            if text(&state(&browser), "at") != at {
                browser.click(&format!(".graph circle[data-at=\"{at}\"]"));
            }
            (text(&state(&browser), "at") == at).then_some(())
        });
        wait("its mark", || (texts(&browser, ".moves .here").len() == usize::from(at != "0")).then_some(()));
        let marked = browser.script("return document.querySelector('.graph .here')?.dataset.at");
        assert_eq!(marked.as_str(), Some(at));
    }
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn buttons_and_hints_of_the_form_say_what_they_do_in_both_languages() {
    let Some(browser) = ready(&[]) else { return };
    let arena = Arena::start(&["--no-data"]);
    browser.view(390, 844, false);
    let room = arena.open("othello", &TWO, "");
    for (language, named, tally) in [
        ("en", "undo redo hint resign analysis rematch", "2 discs"),
        ("fr", "annuler rétablir conseil abandonner analyse revanche", "2 pions"),
    ] {
        browser.open(&format!("http://{}{room}?lang={language}", arena.address));
        let buttons =
            "return [...document.querySelectorAll('.controls button')].map(one => one.textContent).join(' ')";
        assert_eq!(browser.script(buttons), named);
        assert_eq!(texts(&browser, ".tally"), [tally; 2], "{language}");
    }
    browser.view(1280, 800, false);
    browser.open(&format!("http://{}/?lang=en", arena.address));
    let mut hints = std::collections::BTreeSet::new();
    for game in courses::registry::all() {
        assert!(browser.click(&format!("label:has(input[value={game}])")));
        hints.insert(browser.script("return document.querySelector('textarea').placeholder").to_string());
    }
    assert_eq!(hints.len(), 5, "{hints:?}");
}
