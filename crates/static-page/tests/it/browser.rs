//! The folder in a real browser, served by a plain web server: analysis, a visit without a network, games as a file.

use crate::driver::Browser;
use crate::server::{Folder, wait};
use serde_json::Value;
use std::io::Write as _;
use std::path::PathBuf;

/// A browser, the folder that scripts/static.sh writes, and the games in it; or one line that says what is missing.
fn ready(game: &str) -> Option<(Browser, Folder)> {
    let say = |why: &str| {
        let _ = writeln!(std::io::stderr(), "skipped: the page without a server: {why}");
    };
    let folder = std::env::var_os("STATIC_FOLDER").map(PathBuf::from);
    let folder = folder.unwrap_or_else(|| PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("../static"));
    let modules = std::fs::read_to_string(folder.join("modules.js")).unwrap_or_default();
    if !modules.contains(&format!("\"{game}\"")) {
        say(&format!("no module of {game}: scripts/static.sh builds it"));
        return None;
    }
    let browser = Browser::start();
    if browser.is_none() {
        say("no chromium and chromedriver: scripts/browser.sh installs them");
    }
    Some((browser?, Folder::serve(&folder)))
}

fn state(browser: &Browser) -> Value {
    browser.script("const v = document.getElementById('view'); return v ? {...v.dataset} : {}")
}

fn text(browser: &Browser, name: &str) -> String {
    state(browser)[name].as_str().unwrap_or_default().to_owned()
}

fn is_over(say: &str) -> bool {
    ["wins", "a draw", "over"].iter().any(|word| say.contains(word))
}

/// Opens a game by the first page's form.
fn begin(browser: &Browser, folder: &Folder, game: &str, start: &str, button: &str) {
    browser.open(&format!("http://{}/en/", folder.address));
    assert!(browser.click(&format!("label:has(input[value={game}])")));
    browser.write("textarea[name=start]", start);
    browser.script("document.querySelector('[name=strength]').value = 'level 1'");
    assert!(browser.click(&format!("button[value={button}]")));
    wait("the game", || (text(browser, "game") == game).then_some(()));
}

/// Clicks the first thing that can be clicked, up to a number of clicks or the end of the game. Each click has its own
/// time limit, so that a slow machine ends a long game.
fn play(browser: &Browser, clicks: usize) -> Option<String> {
    (0..clicks).find_map(|_| {
        wait("the next move", || {
            let said = text(browser, "say");
            if is_over(&said) {
                return Some(Some(said));
            }
            let is_free = !said.contains("thinks");
            (is_free && (browser.click(".hit.legal") || browser.click("[data-click]"))).then_some(None)
        })
    })
}

#[test]
fn a_position_is_analysed_and_another_one_after_it() {
    let Some((browser, folder)) = ready("uttt") else { return };
    begin(&browser, &folder, "uttt", "", "study");
    let figures = || browser.script("return document.querySelector('.study .figures')?.textContent ?? ''");
    let lines = || browser.script("return document.querySelectorAll('.study tbody tr').length").as_u64();
    let found = |what: &str| {
        wait(what, || (lines() == Some(3) && figures().as_str()?.contains("depth")).then_some(()))
    };
    found("three lines");
    // The page is drawn anew with every finding: an element may be gone before it is clicked.
    wait("a move", || {
        browser.click(".hit.legal");
        (text(&browser, "length") == "1").then_some(())
    });
    found("three lines of the next position");
    browser.keys(&["s"]);
    wait("the end of the analysis", || (text(&browser, "study") == "false").then_some(()));
    browser.keys(&["h"]);
    wait("a hint", || {
        browser.script("return document.querySelector('.best') !== null").as_bool()?.then_some(())
    });
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn a_visit_without_a_network_plays_on() {
    let Some((browser, folder)) = ready("uttt") else { return };
    begin(&browser, &folder, "uttt", "", "play");
    play(&browser, 2);
    let kept = "return (async () => { const names = await caches.keys(); \
                for (const name of names) if ((await (await caches.open(name)).keys()).some(key => key.url.endsWith('.wasm'))) return true; \
                return false; })()";
    wait("the kept module", || browser.script(kept).as_bool()?.then_some(()));
    folder.go();
    let length: usize = text(&browser, "length").parse().unwrap();
    browser.script("location.reload()");
    wait("the game without a network", || {
        (text(&browser, "length").parse::<usize>().ok()? >= length).then_some(())
    });
    begin(&browser, &folder, "uttt", "", "play");
    assert!(is_over(&play(&browser, usize::MAX).unwrap()));
}

#[test]
fn all_games_go_into_a_file_and_come_back() {
    let Some((browser, folder)) = ready("uttt") else { return };
    begin(&browser, &folder, "uttt", "", "play");
    play(&browser, 1);
    browser.open(&format!("http://{}/en/", folder.address));
    let count = || browser.script("return document.querySelectorAll('#kept li').length").as_u64();
    wait("the list", || (count() == Some(1)).then_some(()));
    let taken = browser.script(
        "return import('../kept.js').then(kept => { const text = kept.all(); kept.remove(kept.games()[0].id); \
         const none = kept.games().length; return [none, kept.take(text), kept.games().length]; })",
    );
    assert_eq!(taken, serde_json::json!([0, 1, 1]));
}
