//! Pages as assistive technology meets them.

use crate::browser::{ready, state, text};
use crate::server::{Arena, TWO, say, wait};
use serde_json::{Value, json};
use std::path::Path;

/// The script of axe-core, if `scripts/browser.sh` has installed it.
fn axe() -> Option<String> {
    let file = "../../target/npm/node_modules/axe-core/axe.min.js";
    let script = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).ok();
    if script.is_none() {
        say("axe-core is not here: scripts/browser.sh installs it from npm");
    }
    script
}

#[test]
fn axe_finds_nothing_serious_on_any_page() {
    let (Some(axe), Some(browser)) = (axe(), ready(&[])) else { return };
    let arena = Arena::start(&["--no-data"]);
    let mut pages: Vec<String> =
        ["/", "/open", "/watch", "/puzzles", "/r/000000000000"].map(str::to_owned).to_vec();
    let starts =
        [("othello", "d3c5"), ("uttt", "40 36"), ("gounki", ""), ("connect5", "7x7"), ("moules", "1 1")];
    for (game, start) in starts {
        let room = arena.open(game, &TWO, start);
        let first = crate::server::clicks(&arena.get(&format!("{room}/view")).body).remove(0);
        arena.press(&room, &first, &[]);
        pages.push(room);
    }
    arena.act(&pages[5], "resign");
    // A rule that finds nothing anywhere would not be noticed: this one must find something.
    let audit = |body: &str| -> Vec<Value> {
        let script = format!(
            "{axe}; const done = arguments[arguments.length - 1]; {body} \
             axe.run(document, {{ resultTypes: ['violations'] }}).then(found => done(found.violations \
             .filter(one => ['serious', 'critical'].includes(one.impact)) \
             .map(one => [one.id, one.nodes.map(node => node.html.slice(0, 200))])), error => done([String(error)]))"
        );
        browser.script_async(&script).as_array().cloned().unwrap_or_else(|| vec![json!("no answer")])
    };
    for (nth, page) in pages.iter().enumerate() {
        // Each page in one language and both schemes, the languages in turn.
        let language = ["fr", "en"][nth % 2];
        for dark in [false, true] {
            browser.view(1200, 900, dark);
            browser.open(&format!("http://{}{page}?lang={language}", arena.address));
            if page == "/puzzles" {
                let is_there = "return document.querySelector('.puzzle') !== null";
                wait("the puzzle", || browser.script(is_there).as_bool()?.then_some(()));
            }
            let found = audit("");
            assert!(found.is_empty(), "{page} {language}, dark: {dark}: {found:#?}");
        }
    }
    let found =
        audit("document.body.insertAdjacentHTML('beforeend', '<button></button><img src=\"/icon.svg\">');");
    assert_eq!(found.len(), 2, "{found:?}");
}

#[test]
fn a_game_of_uttt_is_read_aloud() {
    let Some(browser) = ready(&[]) else { return };
    let arena = Arena::start(&["--no-data"]);
    let room = arena.open("uttt", &TWO, "");
    browser.open(&format!("http://{}{room}?lang=en", arena.address));
    let mut transcript = vec![browser.label("svg.board")];
    for (nth, cell) in ["40", "36", "0"].iter().enumerate() {
        transcript.push(browser.label(&format!("[data-cell=\"{cell}\"]")));
        wait("the click", || browser.click(&format!("[data-cell=\"{cell}\"]")).then_some(()));
        wait("the move", || (text(&state(&browser), "length") == (nth + 1).to_string()).then_some(()));
        let said = browser.script("return document.getElementById('say').textContent");
        transcript.push(said.as_str().unwrap().trim().to_owned());
    }
    transcript.push(browser.label("[data-cell=\"40\"]"));
    transcript.push(browser.label("[data-cell=\"80\"]"));
    transcript.push(browser.label(".moves [aria-current=step]"));
    let wanted = [
        "Ultimate tic-tac-toe",
        "40, board 5, cell 5, legal",
        "x : 40. to move: o",
        "36, board 5, cell 1, legal",
        "o : 36. to move: x",
        "0, board 1, cell 1, legal",
        "x : 0. to move: o",
        "40, board 5, cell 5, x",
        "80, board 9, cell 9",
        "0",
    ];
    assert_eq!(transcript, wanted);
}
