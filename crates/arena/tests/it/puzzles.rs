//! The page of the puzzles: one of each game is solved in a real browser.

use crate::browser::ready;
use crate::driver::Browser;
use crate::server::{Arena, exchange, wait};
use courses::drawing::Language;
use courses::puzzle::{Level, Puzzle};
use courses::registry;
use serde_json::{Value, json};

fn data(browser: &Browser, name: &str) -> String {
    let script = format!("return document.querySelector('.puzzle')?.dataset.{name} ?? ''");
    browser.script(&script).as_str().unwrap_or_default().to_owned()
}

fn kept(browser: &Browser) -> Value {
    browser.script("return JSON.parse(localStorage.getItem('arena.puzzles') ?? '{}')")
}

/// Clicks a cell or a button of the puzzle, and waits for the answer.
fn click(browser: &Browser, name: &str) {
    let before = data(browser, "state") + &data(browser, "path");
    let selector = format!("[data-cell=\"{name}\"], [data-click=\"{name}\"]");
    wait("the click", || browser.click(&selector).then_some(()));
    wait("the answer", || (data(browser, "state") + &data(browser, "path") != before).then_some(()));
}

/// Splits a move of these puzzles into its clicks.
fn clicks(game: &str, text: &str) -> Vec<String> {
    match game {
        "gounki" | "moules" => text.split('-').map(str::to_owned).collect(),
        _ => vec![text.to_owned()],
    }
}

#[test]
fn one_puzzle_of_each_game_is_solved_and_counted() {
    let Some(browser) = ready(&[]) else { return };
    let arena = Arena::start(&["--no-data"]);
    for (row, game) in (1..).zip(registry::all()) {
        let puzzles = game.puzzles();
        // A simple move of Gounki, a stack and its target, and an answer to it.
        let is_simple = |puzzle: &Puzzle| puzzle.line.len() > 1 && !puzzle.best.contains(['*', '+', '#']);
        let nth = puzzles.iter().position(is_simple).unwrap();
        let best = &puzzles[nth].best;
        let address =
            format!("http://{}/puzzles?game={game}&n={}&level=easy&lang=en", arena.address, nth + 1);
        browser.open(&address);
        wait("the puzzle", || (data(&browser, "state") == "asked").then_some(()));
        for name in clicks(game.name(), best) {
            click(&browser, &name);
        }
        assert_eq!(
            (data(&browser, "state"), data(&browser, "at")),
            ("right".to_owned(), "1".to_owned()),
            "{game}"
        );
        wait("the count", || (kept(&browser)["row"] == row).then_some(()));
        assert_eq!(kept(&browser)["solved"][game.name()], json!([nth + 1]));
        browser.keys(&["."]);
        wait("the next move of the solution", || (data(&browser, "at") == "2").then_some(()));
        browser.keys(&["p"]);
        wait("another puzzle", || (data(&browser, "state") == "asked").then_some(()));
        assert_ne!(data(&browser, "n"), (nth + 1).to_string());
    }
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn the_puzzle_of_the_day_a_wrong_move_a_hint_and_the_keyboard() {
    let Some(browser) = ready(&[]) else { return };
    let arena = Arena::start(&["--no-data"]);
    browser.view(390, 844, false);
    browser.open(&format!("http://{}/puzzles?game=othello&lang=fr", arena.address));
    wait("the puzzle", || (data(&browser, "state") == "asked").then_some(()));
    let day = browser.script("return Math.floor(Date.now() / 86400000)").as_u64().unwrap();
    let othello = registry::find("othello").unwrap();
    let nth = courses::puzzle::of_day(day, othello.puzzles().len());
    assert_eq!(data(&browser, "n"), (nth + 1).to_string());
    browser.keys(&["h"]);
    wait("the hint", || data(&browser, "say").contains("l'un de ceux-ci").then_some(()));
    let best = &othello.puzzles()[nth].best;
    let wrong = format!(".hit.legal:not([data-cell={best}])");
    wait("a wrong move", || browser.click(&wrong).then_some(()));
    wait("the refusal", || (data(&browser, "state") == "wrong").then_some(()));
    let failure = othello.puzzles()[nth].goal.failure(Language::French);
    assert!(data(&browser, "say").contains(&failure));
    // The keyboard is on the cell that was clicked, and walks to the solution.
    browser.script(&format!("document.querySelector('[data-cell={best}]').focus()"));
    browser.keys(&["\u{e007}"]);
    wait("the solution", || (data(&browser, "state") == "right").then_some(()));
    wait("the day", || (kept(&browser)["days"] == 1).then_some(()));
    assert_eq!(kept(&browser)["row"], 0, "a hint and a wrong move end a row");
    // The next one is of the same level, which is said.
    let level = Level::of(othello.puzzles(), nth).name();
    browser.keys(&["p"]);
    wait("the next puzzle", || (data(&browser, "state") == "asked").then_some(()));
    assert_eq!(data(&browser, "level"), level);
    let chosen = browser.script("return document.querySelector('[name=level]').value");
    assert_eq!(chosen, level);
    let wide = browser.script("return document.documentElement.scrollWidth - innerWidth").as_i64().unwrap();
    assert!(wide <= 0, "{wide} pixels beside a phone");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn a_rule_says_why_a_click_is_refused_and_leads_to_the_next_one() {
    let Some(browser) = ready(&[]) else { return };
    let arena = Arena::start(&["--no-data"]);
    browser.open(&format!("http://{}/puzzles?game=uttt&level=rules&n=2&lang=en", arena.address));
    wait("the card", || (data(&browser, "rule") == "2").then_some(()));
    wait("a click elsewhere", || browser.click("[data-cell=\"0\"]").then_some(()));
    wait("the refusal", || (data(&browser, "say") == "you must play in board E").then_some(()));
    wait("a click where it is allowed", || browser.click("[data-cell=\"36\"]").then_some(()));
    wait("the move", || (data(&browser, "moves") == "36").then_some(()));
    assert_eq!(data(&browser, "say"), "Goal reached!");
    assert!(browser.click("[data-show=again]"));
    wait("the start", || data(&browser, "moves").is_empty().then_some(()));
    browser.keys(&["p"]);
    wait("the next rule", || (data(&browser, "rule") == "3").then_some(()));
    assert_eq!((kept(&browser)["row"].as_u64(), browser.complaints()), (None, Vec::new()));
}

#[test]
fn a_puzzle_is_drawn_for_whoever_asks_and_only_where_there_is_one() {
    let arena = Arena::start(&["--no-data"]);
    let page = arena.get("/puzzles/uttt/view?n=3&show=solution").body;
    assert!(
        page.contains("data-state=\"open\"") && page.contains("Why?") || page.contains("Pourquoi"),
        "{page}"
    );
    for path in ["/puzzles/chess/view?n=1", "/puzzles/uttt/view?n=0", "/puzzles/uttt/view?n=9999"] {
        assert_eq!(arena.get(path).status, 404, "{path}");
    }
    let request = format!(
        "GET /puzzles?n=2&game=uttt&lang=fr HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n",
        arena.address
    );
    let page = exchange(&arena.address, &request).body;
    assert!(
        page.contains("/puzzles?game=uttt&amp;n=2&amp;lang=en"),
        "another language keeps the puzzle: {page}"
    );
}

#[test]
fn the_next_puzzle_and_the_proof_are_in_view_after_an_answer() {
    let Some(browser) = ready(&[]) else { return };
    let arena = Arena::start(&["--no-data"]);
    let is_seen = |selector: &str| {
        let script = "const box = document.querySelector('SELECTOR')?.getBoundingClientRect(); \
                      return Boolean(box) && box.height > 0 && box.top >= 0 && box.bottom <= innerHeight";
        browser.script(&script.replace("SELECTOR", selector)) == true
    };
    for (width, height, language) in [(360, 640, "fr"), (1280, 800, "en")] {
        browser.view(width, height, false);
        for game in registry::all() {
            let page = format!("/puzzles?game={game}&n=1&level=easy&lang={language}");
            browser.open(&format!("http://{}{page}", arena.address));
            wait("the puzzle", || browser.click("[data-show=solution]").then_some(()));
            wait("the solution", || (data(&browser, "state") == "open").then_some(()));
            for part in ["[data-next]", ".answered b", ".puzzle .status"] {
                assert!(is_seen(part), "{game} {width}: {part}");
            }
        }
    }
    // The words on the levels are folded once they were read.
    assert_eq!(browser.script("return document.querySelector('.scale').open"), false);
}
