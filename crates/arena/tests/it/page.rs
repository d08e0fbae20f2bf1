//! Playing, going on, studying and whole games on the page, without a browser.

use crate::server::{Arena, TWO, field, is_built, wait};
use serde_json::json;
use std::time::Duration;

#[test]
fn moves_are_clicked_taken_back_and_played_again() {
    let arena = Arena::start(&["--no-data"]);
    let room = arena.open("othello", &TWO, "");
    assert_eq!(field(&arena.press(&room, "d3", &[]), "length"), "1");
    let refused = arena.press(&room, "a1", &[]);
    assert_eq!(field(&refused, "say"), "this move turns no disc");
    assert_eq!(field(&arena.press(&room, "c5", &[]), "length"), "2");
    assert_eq!(field(&arena.act(&room, "undo"), "length"), "1");
    assert_eq!(field(&arena.act(&room, "redo"), "length"), "2");
    assert!(arena.act(&room, "resign").contains("resigned"));
}

#[test]
fn a_gounki_stack_is_chosen_then_deployed_man_by_man() {
    let arena = Arena::start(&["--no-data"]);
    let room = arena.open("gounki", &TWO, "c1-b1 b7-a6");
    let chosen = arena.press(&room, "b1", &[]);
    assert_eq!((field(&chosen, "path"), field(&chosen, "length")), ("b1".into(), "0".into()));
    assert!(chosen.contains("data-click=\"+\""), "a stack of two is deployed");
    let deploying = arena.press(&room, "+", &["b1"]);
    assert_eq!(field(&deploying, "path"), "b1 +");
}

#[test]
fn playing_on_from_the_middle_is_a_variation_and_the_line_is_kept() {
    let arena = Arena::start(&["--no-data"]);
    let room = arena.open("uttt", &TWO, "");
    for cell in ["40", "36", "0"] {
        arena.press(&room, cell, &[]);
    }
    let act = json!({ "do": "press", "click": "37", "at": 1 });
    let varied = arena.post(&format!("{room}/act"), &act).body;
    assert_eq!(field(&varied, "length"), "2");
    assert!(varied.contains(">2. E1, 3 moves<"), "{varied}");
    let back = arena.post(&format!("{room}/act"), &json!({ "do": "line", "nth": 0 })).body;
    // One is back at the move where one left.
    assert_eq!((field(&back, "at"), field(&back, "length")), ("1".into(), "3".into()));
}

#[test]
fn a_start_is_read_in_each_games_own_text() {
    let arena = Arena::start(&["--no-data"]);
    let codes = format!("{}B4 {}", "V0 ".repeat(9), "V0 ".repeat(54));
    for (game, text) in [
        ("othello", "---------------------------OX------XO--------------------------- X"),
        ("othello", "d3c5"),
        ("uttt", "40 36"),
        ("uttt", "0"),
        ("connect5", "00000\n0N000\n00B00\n00000\n00000"),
        ("connect5", "9x14 a1b2"),
        ("gounki", "c1-b1 b7-a6"),
        ("gounki", &codes),
        ("moules", "49811 52567"),
        ("moules", "maze 1 items 2 size 11x9 mussels 2 beers 1 frites 1 turns 5"),
    ] {
        let room = arena.open(game, &TWO, text);
        let view = arena.get(&format!("{room}/view")).body;
        assert_eq!(field(&view, "game"), game);
        let at = view.find("&amp;start=").map(|at| view[at + 11..].split('"').next().unwrap().to_owned());
        let again = arena.get(&format!("/?game={game}&start={}", at.unwrap()));
        assert!(again.body.contains("class=\"asked\""), "{game}: the link opens the position");
    }
    for (game, text) in
        [("othello", "a1"), ("uttt", "@zz"), ("connect5", "99x99"), ("moules", "maze x"), ("gounki", "x")]
    {
        let answer = arena.post("/new", &json!({ "game": game, "seats": TWO, "start": text }));
        assert_eq!(answer.status, 422, "{game} {text}: {}", answer.body);
    }
}

#[test]
fn a_game_goes_on_from_its_record_when_the_arena_was_killed() {
    let data = tempfile::tempdir().unwrap();
    let folder = data.path().to_str().unwrap();
    let room = {
        let arena = Arena::start(&["--data", folder]);
        let room = arena.open("gounki", &TWO, "");
        arena.press(&room, "d2", &[]);
        arena.press(&room, "d3", &["d2"]);
        room
    };
    let arena = Arena::start(&["--data", folder]);
    let view = arena.get(&format!("{room}/view")).body;
    assert_eq!(field(&view, "length"), "1");
    arena.press(&room, "b7", &[]);
    assert_eq!(field(&arena.press(&room, "a6", &["b7"]), "length"), "2");
    let record = arena.get(&format!("{room}/record")).body;
    assert!(record.contains("\"moves\":[\"d2-d3\",\"b7-a6\"]"), "{record}");
    let opened = arena.post_text("/open", &record).body;
    assert!(opened.contains("/r/"), "{opened}");
}

#[test]
fn engines_play_on_when_the_arena_was_killed() {
    if !is_built("uttt") {
        return;
    }
    let data = tempfile::tempdir().unwrap();
    let folder = data.path().to_str().unwrap();
    let length = |arena: &Arena, room: &str| {
        field(&arena.get(&format!("{room}/view")).body, "length").parse::<usize>().unwrap()
    };
    let (room, before) = {
        let arena = Arena::start(&["--data", folder]);
        let room = arena.open("uttt", &["own", "own"], "");
        let act = json!({ "do": "pace", "millis": 400 });
        arena.post(&format!("{room}/act"), &act);
        arena.get(&room);
        let moves = wait("some moves", || Some(length(&arena, &room)).filter(|&moves| moves >= 4));
        (room, moves)
    };
    let arena = Arena::start(&["--data", folder]);
    // What was on the page is in the record, but for what a quarter of a second may hold.
    let after = length(&arena, &room);
    assert!(after + 1 >= before && after > 0, "{before} moves before, {after} after");
    arena.get(&room);
    wait("the engines' next moves", || (length(&arena, &room) >= after + 3).then_some(()));
    let record = arena.get(&format!("{room}/record")).body;
    assert!(record.contains("uttt") && arena.post_text("/open", &record).status == 200);
}

#[test]
fn two_engines_pause_step_and_go_on_at_their_pace() {
    if !is_built("uttt") {
        return;
    }
    let arena = Arena::start(&["--no-data"]);
    let wish = json!({ "game": "uttt", "mode": "watch", "seats": ["own", "own"], "strength": "level 1" });
    let room = arena.enter(&wish);
    let page = arena.get(&room).body;
    assert!(page.contains("data-pace") && page.contains("300 ms"), "{page}");
    let watch = arena.get("/watch").body;
    assert!(watch.contains(&format!("href=\"{room}\"")) && watch.contains("a page of its own"), "{watch}");
    let length = || field(&arena.get(&format!("{room}/view")).body, "length").parse::<usize>().unwrap();
    wait("two moves", || (length() >= 2).then_some(()));
    assert!(arena.act(&room, "pause").contains("go on"));
    // The move that was thought of just then may still come.
    let idle = || !arena.get(&format!("{room}/view")).body.contains("thinks");
    wait("the pause", || idle().then_some(()));
    let before = length();
    arena.act(&room, "step");
    wait("one move", || (length() == before + 1 && idle()).then_some(()));
    std::thread::sleep(Duration::from_millis(400));
    assert_eq!(length(), before + 1, "a step is one move");
    let act = json!({ "do": "pace", "millis": 0 });
    assert!(arena.post(&format!("{room}/act"), &act).body.contains("0 ms"));
    arena.act(&room, "pause");
    wait("the moves behind the pause", || (length() >= before + 6).then_some(()));
}

#[test]
fn weak_engines_of_the_maze_answer_to_the_end() {
    if !is_built("moules-client") {
        return;
    }
    let arena = Arena::start(&["--no-data"]);
    let start = "maze 1 items 1 size 21x15 mussels 20 beers 1 frites 1 turns 60";
    let seats = ["own", "own"];
    let wish =
        json!({ "game": "moules", "mode": "watch", "seats": seats, "strength": "level 5", "start": start });
    let room = arena.enter(&wish);
    arena.post(&format!("{room}/act"), &json!({ "do": "pace", "millis": 0 }));
    wait("the end", || {
        let said = field(&arena.get(&format!("{room}/view?lang=en")).body, "say");
        assert!(!said.contains("failed"), "{said}");
        ["wins", "a draw", "over"].iter().any(|word| said.contains(word)).then_some(())
    });
}

#[test]
fn every_game_for_two_is_studied_in_three_lines_and_exact_ends_are_said_so() {
    // Eight empty squares; a race to the far side; four in a row; a game of tic-tac-toe that is nearly over.
    let othello = "OOOOOOOOXXXXXXXXOOOOOOOOXXXXXXXXOOOOOOOOXXXXXXXXOOOOOXX-O------- X";
    let race = format!("{}B1 {}N1 {}blanc", "V0 ".repeat(42), "V0 ".repeat(5), "V0 ".repeat(15));
    for (game, name, start, exact) in [
        ("othello", "othello-player", "d3c5", ""),
        ("othello", "othello-player", othello, "exact"),
        ("uttt", "uttt", "40 36", ""),
        ("gounki", "gounki", "", ""),
        ("gounki", "gounki", race.as_str(), "proven win in"),
        ("connect5", "connect5-joueur", "9x9 e5d4", ""),
        ("connect5", "connect5-joueur", "9x9 e5a1f5a9g5i1", "won in 3 plies"),
    ] {
        if !is_built(name) {
            continue;
        }
        let arena = Arena::start(&["--no-data"]);
        let wish = json!({ "game": game, "mode": "study", "seats": TWO, "start": start });
        let room = arena.enter(&wish);
        let view = wait("three lines", || {
            let view = arena.get(&format!("{room}/view")).body;
            let rows = view.matches("<td class=\"line\">").count();
            ((rows == 3 || rows == 2 && !exact.is_empty()) && view.contains(exact)).then_some(view)
        });
        if exact == "exact" {
            // An exact end was not found at a depth.
            let study = view.split("class=\"figures\"").nth(1).unwrap();
            let (figures, table) = study.split_once("</p>").unwrap();
            let exacts = table.matches(">exact ").count();
            assert!(figures.contains("exact") && !figures.contains("depth"), "{figures}");
            assert!(exacts > 0 && table.matches("<td>–</td>").count() == exacts, "{table}");
        }
    }
}

#[test]
fn seats_have_their_colours_and_the_maze_its_turn() {
    let arena = Arena::start(&["--no-data"]);
    for (game, signs) in [("gounki", ["pale", "deep"]), ("othello", ["deep", "pale"]), ("uttt", ["x", "o"])] {
        let view = arena.get(&format!("{}/view", arena.open(game, &TWO, ""))).body;
        let [first, second] = signs.map(|sign| view.find(&format!("class=\"swatch {sign}\"")));
        assert!(first.is_some() && first < second, "{game}");
    }
    let room = arena.open("moules", &TWO, "maze 1 items 1 turns 5");
    arena.press(&room, "C", &[]);
    let first = arena.get(&format!("{room}/view")).body;
    assert_eq!(field(&first, "say"), "player 0: C. turn 1 of 5; to move: player 1");
}

#[test]
fn page_style_and_script_are_small() {
    let arena = Arena::start(&["--no-data"]);
    let room = arena.open("connect5", &TWO, "15x15");
    let files = ["/style.css", "/main.js", "/board.js", "/wire.js"];
    let shared: usize = files.iter().map(|path| arena.get(path).body.len()).sum();
    for page in ["/", room.as_str()] {
        let bytes = arena.get(page).body.len() + shared;
        assert!(bytes <= 120 * 1024, "{page}: {bytes} bytes");
    }
    let lines: usize = files[1..].iter().map(|path| arena.get(path).body.lines().count()).sum();
    assert!(lines <= 560, "{lines} lines of script");
}

#[test]
fn a_whole_game_against_our_engine_in_every_game() {
    for (game, name, start) in [
        ("othello", "othello-player", ""),
        ("uttt", "uttt", ""),
        ("gounki", "gounki", ""),
        ("connect5", "connect5-joueur", "9x9"),
        ("moules", "moules-client", "maze 1 items 1 size 11x9 mussels 2 beers 1 frites 1 turns 6"),
    ] {
        if !is_built(name) {
            continue;
        }
        let arena = Arena::start(&["--no-data"]);
        let room = arena.open(game, &["person", "own"], start);
        let over = wait("the end of the game", || {
            let view = arena.get(&format!("{room}/view")).body;
            let said = field(&view, "say");
            if ["wins", "draw", "over"].iter().any(|word| said.contains(word)) {
                return Some(said);
            }
            arena.press_first(&room, view);
            None
        });
        assert!(!over.is_empty(), "{game}");
    }
}
