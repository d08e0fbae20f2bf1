//! Pages as assistive technology meets them.

use crate::browser::{ready, state, text, tournament};
use crate::driver::Browser;
use crate::engines::arena_with;
use crate::server::{Arena, TWO, exchange, host, links, mazes_server, say, wait};
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

/// A page, and the script that is true once it is as it is to be looked at.
struct Page {
    address: String,
    ready: &'static str,
}

/// The values of a position: two of one cell.
const VALUES: &str = "while read word rest; do case $word in position) echo ready;; analyse) \
     echo 'info rank 1 depth 9 score points 1 nodes 1 time 1 line d3 c5'; \
     echo 'info rank 2 depth 9 score loss 12 nodes 1 time 1 line c4 e3';; esac; done";

/// Chooses a file of two games, which are then listed.
const TWO_GAMES: &str = "document.querySelector('#games li') !== null || (() => { \
     const input = document.querySelector('input[type=file]'); if (input.files.length) return false; \
     const files = new DataTransfer(); files.items.add(new File(['(;GM[4]SZ[9];B[aa])(;GM[4]SZ[9];B[bb])'], 'two.sgf')); \
     input.files = files.files; input.form.requestSubmit(); return false; })()";

/// Opens a room whose seats are the browser's, and returns its path.
fn enter(browser: &Browser, arena: &Arena, wish: &Value) -> String {
    let script = format!(
        "const done = arguments[arguments.length - 1]; \
         fetch('/new', {{ method: 'POST', headers: {{ 'X-Arena-Token': '{}' }}, body: JSON.stringify({wish}) }}) \
         .then(answer => answer.json()).then(made => done(made.room))",
        arena.token
    );
    browser.script_async(&script).as_str().unwrap().to_owned()
}

/// All pages of the arena, and those of runs.
fn pages(arena: &Arena, runs: [&str; 2], browser: &Browser) -> Vec<Page> {
    let at = |path: &str, ready| Page { address: format!("http://{}{path}", arena.address), ready };
    let puzzle = "document.querySelector('.puzzle') !== null";
    let finished = Page {
        address: format!("{}watch/1", runs[0]),
        ready: "document.querySelector('.replayed') !== null",
    };
    let mut pages = vec![finished];
    pages.extend(runs.map(|address| Page { address: address.to_owned(), ready: "true" }));
    let home = at("/", "true");
    browser.open(&home.address);
    pages.push(home);
    pages.extend(
        ["/?game=othello&start=zz", "/open", "/watch", "/r/000000000000"].map(|path| at(path, "true")),
    );
    pages.push(at("/open", TWO_GAMES));
    for path in ["?game=uttt", "?game=gounki&level=hard", "?game=moules&level=rules&n=1"] {
        pages.push(at(&format!("/puzzles{path}"), puzzle));
    }
    let solved = "document.querySelector('[data-state=open]') !== null || \
                  (document.querySelector('[data-show=solution]')?.click(), false)";
    pages.push(at("/puzzles?game=othello&level=easy&n=1", solved));
    pages.push(at("/search", "document.querySelector('.thinking') !== null"));
    let set = "document.querySelector('.setup') !== null";
    pages.extend(["?game=connect5", "?game=gounki"].map(|query| at(&format!("/setup{query}"), set)));
    let starts =
        [("othello", "d3c5"), ("uttt", "40 36"), ("gounki", ""), ("connect5", "7x7"), ("moules", "1 1")];
    for (game, start) in starts {
        let room = arena.open(game, &TWO, start);
        let first = crate::server::clicks(&arena.get(&format!("{room}/view")).body).remove(0);
        arena.press(&room, &first, &[]);
        if game == "othello" {
            arena.act(&room, "resign");
        }
        pages.push(at(&room, "true"));
    }
    // A seat of this browser, which is offered, and one of another browser, which is offered to this one.
    let invites = "document.querySelector('[data-invitation]') !== null || \
                   (document.querySelector('[data-invite]')?.click(), false)";
    pages.push(at(&enter(browser, arena, &json!({ "game": "uttt", "seats": TWO })), invites));
    pages.push(at(&crate::seats::invitation(arena), "document.getElementById('sit') !== null"));
    // Opened last and seen first: an analysis that nobody looks at for a minute ends.
    let study = enter(browser, arena, &json!({ "game": "othello", "mode": "study", "seats": TWO }));
    pages.insert(0, at(&study, "document.querySelectorAll('.study tbody tr').length === 2"));
    pages
}

#[test]
fn axe_finds_nothing_serious_on_any_page() {
    let (Some(axe), Some(browser)) = (axe(), ready(&["referee"])) else { return };
    let (arena, _folder) = arena_with(VALUES, &[]);
    let (mut tournament, tables) = tournament("--rounds 30 --pace 25");
    let mut maze = mazes_server();
    let maze_page = links(&mut maze).remove(0);
    wait("a finished game", || (status_of(&tables, "watch/1") == 200).then_some(()));
    // The serious findings of the page, of all rules or of some.
    let audit = |rules: &str| -> Vec<Value> {
        let script = format!(
            "const done = arguments[arguments.length - 1]; \
             axe.run(document, {{ {rules} resultTypes: ['violations'], selectors: false }}).then(found => done(found.violations \
             .filter(one => ['serious', 'critical'].includes(one.impact)) \
             .map(one => [one.id, one.nodes.map(node => node.html.slice(0, 200))])), error => done([String(error)]))"
        );
        browser.script_async(&script).as_array().cloned().unwrap_or_else(|| vec![json!("no answer")])
    };
    // Only the rules about colours depend on the colour scheme.
    let colours = "runOnly: ['color-contrast', 'link-in-text-block'],";
    for Page { address, ready } in pages(&arena, [&tables, &maze_page], &browser) {
        for language in ["fr", "en"] {
            let sign = if address.contains('?') { '&' } else { '?' };
            browser.view(1200, 900, false);
            browser.open(&format!("{address}{sign}lang={language}"));
            wait(&address, || browser.script(&format!("return {ready}")).as_bool()?.then_some(()));
            browser.script(&axe);
            for (width, height, dark, rules) in [
                (1200, 900, false, ""),
                (1200, 900, true, colours),
                (390, 844, true, ""),
                (390, 844, false, colours),
            ] {
                browser.view(width, height, dark);
                let found = audit(rules);
                assert!(found.is_empty(), "{address} {language}, {width} wide, dark: {dark}: {found:#?}");
            }
        }
    }
    // A rule that finds nothing anywhere would not be noticed: these must find something, that of colours too.
    browser.script(
        "document.body.insertAdjacentHTML('beforeend', '<button></button><img src=\"/icon.svg\"><p class=\"pale\">pale</p>'); \
         document.querySelector('.pale').style = 'color: #777; background: #888'",
    );
    let found = [audit("").len(), audit(colours).len()];
    for run in [&mut tournament, &mut maze] {
        run.kill().unwrap();
        run.wait().unwrap();
    }
    assert_eq!(found, [3, 1]);
}

/// The status of the answer to a request for an address of a run's page.
fn status_of(page: &str, path: &str) -> u16 {
    let host = host(page);
    exchange(&host, &format!("GET /{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")).status
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
        "E5, legal",
        "x: E5. to move: o, in board E",
        "E1, legal",
        "o: E1. to move: x, in board A",
        "A1, legal",
        "x: A1. to move: o, in board A",
        "E5, x",
        "I9, empty",
        "A1",
    ];
    assert_eq!(transcript, wanted);
}
