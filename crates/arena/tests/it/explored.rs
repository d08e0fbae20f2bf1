//! Boards on which nobody may play: their squares are named and gone through by keys; the keyboard is never nowhere.

use crate::browser::{ready, state, text};
use crate::driver::Browser;
use crate::server::{Arena, TWO, wait};

/// Returns the name of the square or cell that the keyboard is on, or the class of what it is on.
fn place(browser: &Browser) -> String {
    let script = "const at = document.activeElement; \
                  return at.dataset.square ?? at.dataset.cell ?? (at.className.baseVal ?? at.className)";
    browser.script(script).as_str().unwrap_or_default().to_owned()
}

#[test]
fn squares_are_named_where_nobody_plays() {
    let arena = Arena::start(&["--no-data"]);
    for (game, start) in [("othello", ""), ("connect5", "9x9"), ("uttt", ""), ("gounki", "")] {
        let view = arena.act(&arena.open(game, &TWO, start), "resign");
        let count = view.matches(" data-square=\"").count();
        assert!(
            count >= 64 && view.matches("role=\"img\" tabindex=\"-1\"").count() == count,
            "{game}: {count}"
        );
        assert!(!view.contains("data-cell"), "{game}: nothing can be played");
        for class in ["name", "corner"] {
            let text = format!("<text class=\"{class}\"");
            let mut texts = view.split(&text).skip(1).map(|rest| rest.split('>').next().unwrap());
            assert!(texts.all(|text| text.contains("aria-hidden")), "{game} {class}");
        }
    }
}

#[test]
fn the_keyboard_goes_through_a_finished_game_and_is_never_nowhere() {
    let Some(browser) = ready(&[]) else { return };
    let arena = Arena::start(&["--no-data"]);
    let room = arena.open("othello", &TWO, "");
    for click in ["d3", "c3"] {
        arena.press(&room, click, &[]);
    }
    browser.open(&format!("http://{}{room}?lang=en", arena.address));
    wait("the board", || (text(&state(&browser), "length") == "2").then_some(()));
    browser.script("document.querySelector('.skip').click()");
    assert!(browser.script("return document.activeElement.matches('[data-cell][tabindex=\"0\"]')") == true);
    // The first click asks.
    let resign = "const button = document.querySelector('[data-do=resign]'); button.click(); return button.textContent";
    assert_eq!(browser.script(resign), "again to resign");
    assert_ne!(text(&state(&browser), "ended"), "1");
    browser.script(resign);
    wait("the end", || (text(&state(&browser), "ended") == "1").then_some(()));
    browser.script("document.querySelector('.status').focus()");
    // A new picture keeps the keyboard on the result.
    let had = browser.script("window.old = document.querySelector('.status'); return true");
    assert!(had == true);
    browser.script("document.querySelector('[data-do=study]').click()");
    wait("another picture", || {
        (browser.script("return document.querySelector('.status') !== old") == true).then_some(())
    });
    assert!(place(&browser).contains("status"), "{}", place(&browser));
    browser.script("document.querySelector('.skip').click()");
    let first = place(&browser);
    browser.keys(&["\u{e014}"]);
    wait("the next square", || (place(&browser) != first).then_some(()));
    assert_eq!((first.as_str(), place(&browser).as_str()), ("a1", "b1"));
    assert_eq!(browser.complaints(), Vec::<String>::new());
}
