//! The list of games on the first page.

use crate::browser::ready;
use crate::engines::quiet_arena;
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
    let untouched = arena.open("gounki", &TWO, "");
    let listed = |arena: &Arena, language: &str| {
        let home = arena.get(&format!("/?lang={language}")).body;
        home.split("class=\"list\"").nth(1).unwrap_or_default().to_owned()
    };
    let check = |arena: &Arena| {
        let list = listed(arena, "en");
        let [othello, uttt] = [&over, &going].map(|room| list.find(&format!("href=\"{room}\"")).unwrap());
        assert!(uttt < othello, "the latest first: {list}");
        assert!(!list.contains(&untouched), "nobody has begun it: {list}");
        assert!(list[othello..].contains("a person – a person</span> <b>1 – 0</b>"), "{list}");
        assert!(listed(arena, "fr").contains("une personne – une personne</span> <b>1 – 0</b>"));
        assert_eq!(list.matches("data-delete").count(), 1, "{list}");
        // Who plays alone has nothing to watch, and a game that is over is none either.
        let watch = arena.get("/watch").body;
        assert!(!watch.contains(over.as_str()) && watch.contains("Nobody plays here"), "{watch}");
        // One's own games stand beside the button for a file as well.
        let replay = arena.get("/open?lang=fr").body;
        assert!(
            replay.contains(&format!("href=\"{over}\"")) && replay.contains("Choisir un fichier"),
            "{replay}"
        );
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
fn a_finished_game_that_is_opened_at_its_beginning_says_its_result() {
    let arena = Arena::start(&["--no-data"]);
    let over = arena.open("othello", &TWO, "");
    arena.press(&over, "d3", &[]);
    arena.act(&over, "resign");
    let record = arena.get(&format!("{over}/record")).body;
    let room = arena.enter(&json!({ "game": "othello", "seats": TWO, "start": record }));
    let view = |at: usize| arena.get(&format!("{room}/view?at={at}")).body;
    assert!(view(0).contains("result: black wins (resigned)"), "{}", view(0));
    // At its end the line below the board says so.
    assert!(!view(1).contains("result:") && view(1).contains("black wins (resigned)"), "{}", view(1));
}

/// The moves 40, 36 and 0 as the page names them.
const UTTT: &str = "E5 E1 A1";

/// Games in every notation, each with its game and the last of its moves.
fn pasted(record: String) -> Vec<(&'static str, String, &'static str, &'static str)> {
    let ggf = "(;GM[Othello]PC[x]PB[a]PW[b]RE[?]TI[0]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[F5]W[D6];)";
    let journal = "partie 13x11 dunes 0 joueurs 1 moules 3 bieres 1 frites 1 laby 1 bonus 1 tours 6\nnom 0 un\n0 E\n0 S\n";
    let board = "---------------------------OX------XO--------------------------- X";
    [
        ("othello", "f5 d6 c3", "othello", "f5 d6 c3"),
        ("othello", "F5D6C3", "othello", "f5 d6 c3"),
        ("othello", "1. f5 d6 2. c3", "othello", "f5 d6 c3"),
        // Black must pass after h6.
        ("othello", "1.f5 f6 2.c4 g5 3.h5 h4 4.g7 h6 5... e7", "othello", "f5 f6 c4 g5 h5 h4 g7 h6 pass e7"),
        ("uttt", "1. 40 36 2. 0", "uttt", UTTT),
        ("connect5", "9x9 1. h8 h9", "connect5", "h8 h9"),
        ("connect5", "1. h8 2. h9", "connect5", "h8 h9"),
        ("gounki", "1. c1-b1 b7-a6", "gounki", "c1-b1 b7-a6"),
        ("gounki", ggf, "othello", "f5 d6"),
        ("othello", "(;GM[4]FF[4]SZ[14:9]PB[Anne]PW[Bob];B[aa];W[bb];B[ni])", "connect5", "a1 b2 n9"),
        ("othello", "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,10\na.exe\nb.exe\n-1\n", "connect5", "h8 i9"),
        ("othello", "[Event \"uttt\"]\n[Result \"*\"]\n\n1. 40 36 2. 0 *\n", "uttt", UTTT),
        ("othello", journal, "moules", "E S"),
        ("othello", &record, "uttt", "E5"),
        // A position has no moves.
        ("othello", board, "othello", ""),
        ("othello", &format!("{board}; d3:+0"), "othello", ""),
    ]
    .map(|(chosen, text, game, moves)| (chosen, text.to_owned(), game, moves))
    .to_vec()
}

#[test]
fn a_game_that_is_pasted_as_a_start_keeps_its_moves() {
    let (arena, _folder) = quiet_arena();
    let room = arena.open("uttt", &TWO, "");
    arena.press(&room, "40", &[]);
    let games = pasted(arena.get(&format!("{room}/record")).body);
    let Some(browser) = ready(&[]) else { return };
    browser.view(390, 844, false);
    for (chosen, text, game, moves) in games {
        browser.open(&format!("http://{}/?lang=en&game={chosen}", arena.address));
        // The text comes at once, as it does from a clipboard.
        browser.script(&format!("document.querySelector('textarea').value = {}", json!(text)));
        assert!(browser.click("button[value=study]"));
        wait(&text, || (browser.script("return view.dataset.game") == game).then_some(()));
        let shown = "return [...document.querySelectorAll('.moves button')].map(button => button.textContent).join(' ')";
        assert_eq!(browser.script(shown), moves, "{text}");
    }
    let named = arena.open("connect5", &TWO, "(;GM[4]FF[4]SZ[14:9]PB[Anne]PW[Bob];B[aa];W[bb];B[ni])");
    let view = arena.get(&format!("{named}/view")).body;
    assert!(view.contains("Anne") && view.contains("Bob") && field(&view, "replay") == "true", "{view}");
    // In a game a list of moves is the opening, which another game begins with, too.
    let opened = arena.get(&format!("{}/view", arena.open("othello", &TWO, "f5 d6 c3"))).body;
    assert_eq!(field(&opened, "length"), "0");
    for broken in ["(;GM[4]SZ[15];B[a!])", "{\"run\":1}", "1. h8 h8"] {
        let wish = json!({ "game": "connect5", "seats": TWO, "start": broken });
        assert_eq!(arena.post("/new", &wish).status, 422, "{broken}");
    }
}
