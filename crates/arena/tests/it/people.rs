//! The players of a saved game, in the language of the page that opens it.

use crate::server::Arena;
use serde_json::json;

#[test]
fn the_players_of_a_saved_game_are_named_in_the_language_of_the_page() {
    let arena = Arena::start(&["--no-data"]);
    let wish = json!({ "game": "othello", "seats": ["person", "own"], "strength": "level 3" });
    let record = arena.get(&format!("{}/record", arena.enter(&wish))).body;
    assert!(record.contains("\"names\":[\"a person\",\"othello-player · level 3\"]"), "{record}");
    let shown = |record: &str, language: &str| {
        let page = arena.get(&format!("{}?lang={language}", arena.upload(record))).body;
        let seats = page.split("class=\"seats\"").nth(1).unwrap();
        seats.split("</ul>").next().unwrap().to_owned()
    };
    for (language, names) in [
        ("fr", ["une personne", "othello-player · niveau 3"]),
        ("en", ["a person", "othello-player · level 3"]),
    ] {
        let seats = shown(&record, language);
        assert!(names.iter().all(|name| seats.contains(name)), "{seats}");
        // Read again from the file of the game that was opened.
        let again = arena.get(&format!("{}/record", arena.upload(&record))).body;
        assert_eq!(shown(&again, language), seats);
    }
    // A file of before has names only.
    let start = record.find("\"seated\"").unwrap();
    let end = start + record[start..].find("],").unwrap() + 2;
    let older = record.replacen(&record[start..end], "", 1);
    let seats = shown(&older, "fr");
    assert!(seats.contains("a person") && seats.contains("othello-player · level 3"), "{seats}");
}
