//! The list of games on the first page.

use crate::browser::ready;
use crate::server::{Arena, TWO, field, wait};
use serde_json::json;

#[test]
fn games_are_listed_with_players_and_results_and_those_that_are_over_are_deleted() {
    let data = tempfile::tempdir().unwrap();
    let folder = data.path().to_str().unwrap();
    let arena = Arena::start(&["--data", folder]);
    let over = arena.open("othello", &TWO, "");
    arena.press(&over, "d3", &[]);
    arena.act(&over, "resign");
    let going = arena.open("uttt", &TWO, "");
    arena.press(&going, "40", &[]);
    let listed = |arena: &Arena, language: &str| {
        let home = arena.get(&format!("/?lang={language}")).body;
        home.split("class=\"list\"").nth(1).unwrap_or_default().to_owned()
    };
    let check = |arena: &Arena| {
        let list = listed(arena, "en");
        let [othello, uttt] = [&over, &going].map(|room| list.find(&format!("href=\"{room}\"")).unwrap());
        assert!(uttt < othello, "the latest first: {list}");
        assert!(list[othello..].contains("a person – a person</span> <b>1 – 0</b>"), "{list}");
        assert!(listed(arena, "fr").contains("une personne – une personne</span> <b>1 – 0</b>"));
        assert_eq!(list.matches("data-delete").count(), 1, "{list}");
    };
    check(&arena);
    let refused = arena.post(&format!("{going}/delete"), &json!({}));
    assert_eq!((refused.status, refused.body.as_str()), (422, "a game in progress cannot be deleted"));
    drop(arena);
    // Read from their files they are the same.
    let arena = Arena::start(&["--data", folder]);
    check(&arena);
    let Some(browser) = ready(&[]) else { return };
    browser.open(&format!("http://{}/?lang=en", arena.address));
    let date = browser.script("return document.querySelector('.list time').textContent");
    assert!(date.as_str().unwrap().contains("20"), "{date}");
    assert!(browser.click("[data-delete]"));
    wait("the list", || (!listed(&arena, "en").contains("data-delete")).then_some(()));
    assert_eq!(arena.get(&over).status, 404);
    assert_eq!(arena.get(&going).status, 200);
    wait("the page", || {
        (browser.script("return document.querySelectorAll('.list li').length") == 1).then_some(())
    });
}

#[test]
fn a_game_that_is_pasted_as_a_start_keeps_its_moves() {
    let arena = Arena::start(&["--no-data"]);
    let gomoku = "(;GM[4]FF[4]SZ[14:9]PB[Anne]PW[Bob];B[aa];W[bb];B[ni])";
    let room = arena.open("connect5", &TWO, gomoku);
    let view = arena.get(&format!("{room}/view")).body;
    assert_eq!((field(&view, "length"), field(&view, "replay")), ("3".into(), "true".into()));
    assert!(view.contains("Anne") && view.contains("Bob"), "{view}");
    let broken = json!({ "game": "connect5", "seats": TWO, "start": "(;GM[4]SZ[15];B[a!])" });
    assert_eq!(arena.post("/new", &broken).status, 422);
}
