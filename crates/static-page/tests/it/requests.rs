//! The requests of a module, as the page's scripts make them.

use serde_json::{Value, json};
use static_page::host;
use static_page::request::{Module, answered};

/// A page and the worker of its players.
#[derive(Default)]
struct Browser {
    page: Module,
    worker: Module,
    view: String,
}

fn ask(module: &mut Module, request: Value) -> Value {
    let answer: Value = serde_json::from_str(&answered(module, &request.to_string())).unwrap();
    assert!(answer.get("refused").is_none(), "{request}: {answer}");
    answer
}

impl Browser {
    fn open(wish: Value) -> Self {
        let mut browser = Self::default();
        let made = ask(&mut browser.page, json!({ "new": { "wish": wish, "seed": 7 } }));
        ask(&mut browser.page, json!({ "open": { "record": made["record"] } }));
        browser.look();
        browser
    }

    fn look(&mut self) {
        let view = ask(&mut self.page, json!({ "view": { "at": null, "path": [] }, "language": "en" }));
        self.view = view["html"].as_str().unwrap().to_owned();
    }

    fn data(&self, name: &str) -> String {
        let (_, rest) = self.view.split_once(&format!("data-{name}=\"")).unwrap();
        rest.split('"').next().unwrap().to_owned()
    }

    /// Answers the questions of the page's session, as the workers do.
    fn serve(&mut self) {
        for message in host::sent() {
            let message: Value = serde_json::from_str(&message).unwrap();
            if !message["ask"].is_null() {
                let chosen = ask(&mut self.worker, json!({ "choose": message["ask"] }));
                let (seat, question) = (&message["seat"], &message["question"]);
                let wait = ask(&mut self.page, json!({ "arrived": { "seat": seat, "question": question } }));
                assert_eq!(wait["wait"], 0);
                let answer = json!({ "seat": seat, "question": question, "text": chosen["text"], "millis": chosen["millis"] });
                assert_eq!(ask(&mut self.page, json!({ "answered": answer }))["news"], true);
                // Without news the view stays, for it has the clicks so far.
                self.look();
            }
        }
    }

    fn act(&mut self, action: Value) -> Value {
        let answer = ask(&mut self.page, json!({ "act": action, "language": "en" }));
        if let Some(html) = answer["html"].as_str() {
            self.view = html.to_owned();
        }
        answer
    }

    /// Clicks the first cell or button that is possible. A second click on a chosen stack would only let go of it.
    fn click(&mut self) -> Value {
        let path: Vec<String> = self.data("path").split_whitespace().map(str::to_owned).collect();
        let value = |element: &str, name: &str| {
            Some(element.split_once(&format!("{name}=\""))?.1.split('"').next()?.to_owned())
        };
        let elements = || self.view.split('<').map(|element| element.split('>').next().unwrap());
        let cells = elements().filter(|element| element.contains("hit legal"));
        let cell = cells.filter_map(|cell| value(cell, "data-cell")).find(|cell| !path.contains(cell));
        let click = cell.or_else(|| elements().find_map(|element| value(element, "data-click"))).unwrap();
        self.act(json!({ "do": "press", "click": click, "path": path }))
    }
}

fn plays_to_the_end(game: &str, start: &str) {
    let mut browser = Browser::open(json!({
        "game": game, "mode": "play", "seats": ["person", "own"], "strength": "level 1", "start": start,
    }));
    for _ in 0..400 {
        browser.serve();
        if !browser.view.contains("hit legal") && !browser.view.contains("data-click") {
            break;
        }
        browser.click();
    }
    let said = browser.data("say");
    assert!(["wins", "a draw", "over"].iter().any(|word| said.contains(word)), "{game}: {said}");
}

#[test]
fn all_games_are_played_to_their_ends_by_requests_alone() {
    let maze = "maze 1 items 1 size 11x9 mussels 2 beers 1 frites 1 turns 60";
    for (game, start) in
        [("connect5", "7x7"), ("gounki", ""), ("moules", maze), ("othello", ""), ("uttt", "")]
    {
        plays_to_the_end(game, start);
    }
}

#[test]
fn a_saved_game_goes_on_where_it_was() {
    let mut browser = Browser::open(json!({ "game": "uttt", "seats": ["person", "person"], "start": "" }));
    browser.click();
    browser.click();
    let record = ask(&mut browser.page, json!({ "save": null }))["record"].clone();
    let mut other = Browser::default();
    let opened = ask(&mut other.page, json!({ "open": { "record": record } }));
    assert_eq!((&opened["game"], &opened["length"]), (&json!("uttt"), &json!(2)));
    other.look();
    other.act(json!({ "do": "undo" }));
    assert_eq!(other.data("length"), "1");
}

#[test]
fn a_game_that_the_browser_has_no_room_for_says_so() {
    let mut browser = Browser::open(json!({ "game": "uttt", "mode": "play", "seats": ["person", "person"] }));
    for (why, is_new) in [(json!(null), false), (json!("no room"), true), (json!("no room"), false)] {
        let told = ask(&mut browser.page, json!({ "kept": { "why": why } }));
        assert_eq!(told["news"], is_new, "{told}");
    }
    browser.look();
    assert!(browser.view.contains("this game is not kept: no room"), "{}", browser.view);
    assert_eq!(ask(&mut browser.page, json!({ "kept": { "why": null } }))["news"], true);
    browser.look();
    assert!(!browser.view.contains("is not kept"), "{}", browser.view);
}

#[test]
fn an_analysis_ends_after_its_time_and_tells_its_findings() {
    let mut browser = Browser::open(json!({ "game": "othello", "mode": "study", "seats": ["person"] }));
    let _ = host::sent();
    browser.act(json!({ "do": "study", "on": true }));
    let message: Value = serde_json::from_str(&host::sent()[0]).unwrap();
    let mut study = message["study"].clone();
    study["millis"] = json!(200);
    let done = ask(&mut browser.worker, json!({ "study": study }));
    assert_eq!(done["done"], false);
    let lines = host::sent();
    assert!(lines.len() > 4, "{lines:?}");
    for line in lines {
        let found = json!({ "hint": false, "number": message["number"], "question": message["question"], "info": line });
        ask(&mut browser.page, json!({ "found": found }));
    }
    browser.look();
    assert!(browser.view.contains("depth <b>") && browser.view.contains("class=\"line\""), "no values");
}

#[test]
fn a_wish_that_is_not_valid_is_refused_in_the_visitors_language() {
    let mut module = Module::default();
    let refused = |module: &mut Module, wish: Value, language: &str| {
        let request = json!({ "new": { "wish": wish, "seed": 1 }, "language": language });
        let answer: Value = serde_json::from_str(&answered(module, &request.to_string())).unwrap();
        answer["refused"].as_str().unwrap().to_owned()
    };
    assert_eq!(
        refused(&mut module, json!({ "game": "chess", "seats": ["own"] }), "fr"),
        "ce jeu n'existe pas"
    );
    assert_eq!(refused(&mut module, json!({ "game": "uttt" }), "en"), "nobody plays");
    let time = json!({ "game": "uttt", "seats": ["person"], "time": "move soon" });
    assert!(refused(&mut module, time.clone(), "en").starts_with("\"move soon\" is no time: write 5+3"));
    assert!(refused(&mut module, time, "fr").starts_with("\"move soon\" n'est pas un temps : "));
    let start = json!({ "game": "othello", "seats": ["person"], "start": "a1" });
    assert!(refused(&mut module, start, "en").contains("a1"));
}

#[test]
fn the_same_limits_give_the_same_moves() {
    let measured = |seed: u64| {
        let mut module = Module::default();
        let wanted = json!({ "game": "uttt", "positions": 3, "depth": null, "nodes": 200 });
        let answer = ask(&mut module, json!({ "measure": wanted }));
        assert_eq!(answer["moves"].as_array().unwrap().len(), 3, "{seed}");
        (answer["moves"].clone(), answer["nodes"].clone())
    };
    assert_eq!(measured(1), measured(2));
}

#[test]
fn a_person_without_time_loses_at_the_next_look() {
    let wish = json!({ "game": "uttt", "seats": ["person", "person"], "time": "move 500" });
    let mut browser = Browser::open(wish);
    browser.click();
    std::thread::sleep(std::time::Duration::from_millis(550));
    let view = ask(&mut browser.page, json!({ "view": { "at": null, "path": [] }, "language": "en" }));
    assert_eq!(view["keep"], true);
    browser.look();
    assert!(browser.data("say").contains("time is up"), "{}", browser.data("say"));
}

#[test]
fn a_pasted_game_keeps_its_moves_and_plays_on_in_a_game_of_its_own() {
    let mut played = Browser::open(json!({ "game": "othello", "seats": ["person", "person"] }));
    played.click();
    played.click();
    let file = ask(&mut played.page, json!({ "write": { "kind": "notation" } }))["text"].clone();
    // The form names another game than the text.
    let mut pasted = Browser::open(json!({ "game": "uttt", "seats": ["person", "own"], "start": file }));
    assert_eq!((pasted.data("game"), pasted.data("length")), ("othello".to_owned(), "2".to_owned()));
    let undone = pasted.act(json!({ "do": "undo" }))["html"].clone();
    assert!(undone.as_str().unwrap().contains("played elsewhere"));
    pasted.look();
    let record = pasted.click()["branch"]["record"].clone();
    let mut branch = Browser::default();
    assert_eq!(ask(&mut branch.page, json!({ "open": { "record": record } }))["length"], 3);
}

#[test]
fn a_puzzle_is_solved_in_the_module_of_its_game() {
    let mut page = Module::default();
    let puzzle = &courses::registry::find("uttt").unwrap().puzzles()[4];
    let asked = json!({ "game": "uttt", "n": "5", "click": puzzle.best });
    let html = ask(&mut page, json!({ "puzzle": asked, "language": "en" }))["html"].clone();
    assert!(html.as_str().unwrap().contains("data-state=\"right\""), "{html}");
}

#[test]
fn a_search_is_recorded_in_the_module() {
    let mut page = Module::default();
    let asked = json!({ "demo": "uttt-end", "search": "alphabeta", "at": "2" });
    let html = ask(&mut page, json!({ "search": asked, "language": "fr" }))["html"].clone();
    assert!(html.as_str().unwrap().contains("data-at=\"2\""), "{html}");
    let refused = answered(&mut page, &json!({ "search": { "demo": "chess" } }).to_string());
    assert!(refused.contains("no such search"), "{refused}");
}

#[test]
fn a_position_is_set_up_in_the_module() {
    let mut page = Module::default();
    let asked = json!({ "game": "uttt", "act": "put", "cell": "40", "piece": "x" });
    let html = ask(&mut page, json!({ "setup": asked, "language": "en" }))["html"].clone();
    assert!(html.as_str().unwrap().contains("to move: o, in board E"), "{html}");
    let refused = answered(&mut page, &json!({ "setup": { "game": "moules" } }).to_string());
    assert!(refused.contains("no such game"), "{refused}");
}
