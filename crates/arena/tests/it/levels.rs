//! Levels: remembered by the browser, chosen beside the button that begins, and the next one after a game.

use crate::browser::{ready, state, text};
use crate::engines::quiet_arena;
use crate::server::{Arena, wait};
use serde_json::json;

/// Opens the first page and returns the game chosen there with the strengths of the second seat and of all engines.
fn proposed(browser: &crate::driver::Browser, arena: &Arena, query: &str) -> serde_json::Value {
    browser.open(&format!("http://{}/?lang=en{query}", arena.address));
    browser.script(
        "const of = document.getElementById('new').elements; \
         return [of.game.value, of.strength1.value, of.strength.value]",
    )
}

#[test]
fn a_level_is_chosen_beside_play_and_remembered_with_its_game() {
    let Some(browser) = ready(&[]) else { return };
    let (arena, _folder) = quiet_arena();
    browser.view(360, 640, false);
    let usual = proposed(&browser, &arena, "");
    assert_eq!(usual[1], "level 4");
    let seen = "const box = document.querySelector('.go [name=strength]').getBoundingClientRect(); \
                return box.height >= 44 && box.top >= 0 && box.bottom <= innerHeight";
    assert_eq!(browser.script(seen), true, "the level is in view before the game begins");
    assert!(browser.click("label:has(input[value=uttt])"));
    browser.script(
        "const all = document.querySelector('.go [name=strength]'); all.value = 'level 7'; \
         all.dispatchEvent(new Event('change', { bubbles: true }))",
    );
    assert!(browser.click("button[value=study]"));
    wait("the study", || (text(&state(&browser), "game") == "uttt").then_some(()));
    assert_eq!(proposed(&browser, &arena, ""), json!(["uttt", "level 7", "level 7"]));
    // Another game has its own.
    assert_eq!(proposed(&browser, &arena, "&game=gounki"), json!(["gounki", "level 4", "level 4"]));
    // Two people need no level.
    browser.script(
        "const who = document.querySelector('[name=seat1]'); who.value = 'person'; \
         who.dispatchEvent(new Event('change', { bubbles: true }))",
    );
    assert_eq!(browser.script("return document.querySelector('.go [name=strength]').hidden"), true);
}

#[test]
fn the_page_of_a_game_says_which_level_to_try_next() {
    let Some(browser) = ready(&[]) else { return };
    let (arena, _folder) = quiet_arena();
    // The last move wins with all discs, or turns one.
    let (won, lost) = (format!("{}O- X", "X".repeat(62)), format!("{}XO- X", "O".repeat(61)));
    for (start, level, told, next) in [
        (&lost, 1, "Level 1 has beaten you; try it again", "level 1"),
        (&lost, 4, "Level 4 has beaten you; try level 3.", "level 3"),
        (&won, 3, "You have beaten level 3; level 4 is next.", "level 4"),
        (&lost, 4, "Level 4 has beaten you; try it again", "level 4"),
    ] {
        let strength = format!("level {level}");
        let wish =
            json!({ "game": "othello", "seats": ["person", "own"], "start": start, "strength": strength });
        browser.open(&format!("http://{}{}?lang=en", arena.address, arena.enter(&wish)));
        wait("the last move", || browser.click("[data-cell=h8]").then_some(()));
        let line = || browser.script("return document.querySelector('.ladder')?.textContent ?? ''");
        wait(told, || line().as_str()?.starts_with(told).then_some(()));
        assert_eq!(proposed(&browser, &arena, "&game=othello")[1], next);
    }
    assert_eq!(browser.complaints(), Vec::<String>::new());
}
