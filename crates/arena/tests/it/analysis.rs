//! The analysis: its threads, its lines, and what is known of a position.

use crate::browser::{ready, state, text};
use crate::engines::{DEEPENS, arena_with};
use crate::server::{Arena, TWO, field, wait};
use serde_json::{Value, json};

/// An analysis whose depth is the number of its threads.
const THREADS: &str = "threads=1; [ \"$2\" = --threads ] && threads=$3; while read word rest; do case $word in \
     position) echo ready;; \
     analyse) echo \"info rank 1 depth $threads score points 1 nodes 9 time 1 line c5\";; esac; done";

/// An analysis of two lines that change places five times a second.
const SWAPS: &str = "while read word rest; do [ -z \"$pid\" ] || kill $pid; pid=; case $word in \
     position) echo ready;; analyse) (d=1; a=d3; b=c4; while :; do d=$((d+1)); \
     echo \"info rank 1 depth $d score points 1 nodes $d time 1 line $a c3\"; \
     echo \"info rank 2 depth $d score points 1 nodes $d time 1 line $b e3\"; \
     c=$a; a=$b; b=$c; sleep 0.2; done) & pid=$!;; esac; done";

fn act(arena: &Arena, room: &str, action: &Value) -> String {
    arena.post(&format!("{room}/act"), action).body
}

#[test]
fn an_analysis_tells_its_threads_and_takes_fewer() {
    let cores = std::thread::available_parallelism().map_or(1, usize::from).min(64);
    let words = |count: usize| format!("<b>{count}</b> {}", if count == 1 { "thread" } else { "threads" });
    let (arena, _folder) = arena_with(THREADS, &[]);
    let room = arena.enter(&json!({ "game": "othello", "mode": "study", "seats": TWO }));
    let seen = |depth: usize| {
        wait("the analysis", || {
            let view = arena.get(&format!("{room}/view")).body;
            view.contains(&format!("depth <b>{depth}</b>")).then_some(view)
        })
    };
    assert!(seen(cores).contains(&words(cores)), "{cores}");
    act(&arena, &room, &json!({ "do": "threads", "nth": 1 }));
    assert!(seen(1).contains(&words(1)));
    act(&arena, &room, &json!({ "do": "threads", "nth": 1_000 }));
    assert!(seen(cores).contains(&words(cores)));
    let (bounded, _folder) = arena_with(THREADS, &["--threads", "1"]);
    let room = bounded.enter(&json!({ "game": "othello", "mode": "study", "seats": TWO }));
    let view = wait("the analysis", || {
        let view = bounded.get(&format!("{room}/view")).body;
        view.contains("depth <b>1</b>").then_some(view)
    });
    assert!(view.contains(&words(1)) && !view.contains("data-do=\"threads\""), "{view}");
}

#[test]
fn a_line_at_the_last_move_is_a_variation_and_the_game_keeps_its_length() {
    let (arena, _folder) = arena_with(THREADS, &[]);
    let room = arena.open("othello", &TWO, "");
    for cell in ["d3", "c5"] {
        arena.press(&room, cell, &[]);
    }
    let follow =
        |nth: usize, line: &[&str]| act(&arena, &room, &json!({ "do": "follow", "nth": nth, "line": line }));
    let view = follow(2, &["d6"]);
    assert!(field(&view, "length") == "3" && view.contains(">without the rest, 2 moves<"), "{view}");
    // The variation goes on; the game is kept once.
    let view = follow(3, &["e3"]);
    assert!(field(&view, "length") == "4" && view.matches("data-do=\"line\"").count() == 1, "{view}");
    let view = act(&arena, &room, &json!({ "do": "line", "nth": 0 }));
    assert!(field(&view, "length") == "2" && view.contains(">3. d6, 4 moves<"), "{view}");
}

#[test]
fn a_position_that_was_analysed_shows_at_once_how_deep_it_is_known() {
    let (arena, _folder) = arena_with(DEEPENS, &[]);
    let room = arena.enter(&json!({ "game": "othello", "mode": "study", "seats": TWO, "start": "d3" }));
    let depth = |view: &str| -> u32 {
        let text = view.split("depth <b>").nth(1).and_then(|rest| rest.split('<').next());
        text.map_or(0, |text| text.parse().unwrap())
    };
    let known = wait("some depth", || {
        Some(depth(&arena.get(&format!("{room}/view")).body)).filter(|depth| *depth >= 3)
    });
    act(&arena, &room, &json!({ "do": "look", "at": 0 }));
    let view = act(&arena, &room, &json!({ "do": "look", "at": 1 }));
    assert!(depth(&view) >= known, "{} of {known}", depth(&view));
}

#[test]
fn lines_stay_under_the_pointer_and_a_preview_says_that_it_is_one() {
    let Some(browser) = ready(&[]) else { return };
    let (arena, _folder) = arena_with(SWAPS, &[]);
    let room = arena.open("othello", &TWO, "");
    browser.open(&format!("http://{}{room}?lang=en", arena.address));
    assert!(browser.click("[data-do=study]"));
    let lines = "[...document.querySelectorAll('.study tbody tr')].map(row => row.querySelector('[data-line]').dataset.line).join()";
    let order = || browser.peek(lines).as_str().unwrap_or_default().to_owned();
    wait("two lines", || (order().len() == 5).then_some(()));
    let before = order();
    wait("another order", || (order() != before).then_some(()));
    browser.hover(".study tbody tr:nth-child(2) [data-line]:nth-child(2)");
    let preview = || {
        browser
            .peek("document.querySelector('.preview')?.textContent")
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    let said = wait("the preview", || Some(preview()).filter(|said| !said.is_empty()));
    assert!(said.starts_with("preview: after ") && said.ends_with("; black to move"), "{said}");
    let held = order();
    let version = text(&state(&browser), "version");
    let is_later = |version: &str| {
        text(&state(&browser), "version").parse::<u64>().unwrap() > version.parse::<u64>().unwrap() + 4
    };
    wait("more of the search", || {
        assert_eq!(order(), held, "the lines stay");
        is_later(&version).then_some(())
    });
    // Counts of discs and the caption are those of the board that is shown.
    let counts = "[...document.querySelectorAll('.tally')].map(tally => parseInt(tally.textContent)).join()";
    let caption = "getComputedStyle(document.querySelector('.stage > .status')).display";
    assert_eq!((browser.peek(counts), browser.peek(caption)), (json!("3,3"), json!("none")));
    // After a click the row that comes under the pointer shows nothing by itself.
    browser.press_here();
    wait("the line", || (text(&state(&browser), "length") == "2").then_some(()));
    let version = text(&state(&browser), "version");
    wait("more of the search", || is_later(&version).then_some(()));
    assert_eq!(preview(), "");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}
