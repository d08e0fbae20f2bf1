//! What the page does, and what it refuses, without a browser.

use crate::server::{Arena, clicks, exchange, field, is_built, player, say, wait};
use serde_json::json;
use std::io::{BufRead as _, BufReader, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const TWO: [&str; 2] = ["person", "person"];

#[test]
fn moves_are_clicked_taken_back_and_played_again() {
    let arena = Arena::start(&["--no-data"]);
    let room = arena.open("othello", &TWO, "");
    assert_eq!(field(&arena.press(&room, "d3", &[]), "length"), "1");
    let refused = arena.press(&room, "a1", &[]);
    assert_eq!(field(&refused, "say"), "this move turns no disc");
    assert_eq!(field(&arena.press(&room, "c5", &[]), "length"), "2");
    assert_eq!(field(&arena.act(&room, "back"), "length"), "1");
    assert_eq!(field(&arena.act(&room, "forward"), "length"), "2");
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
    assert!(varied.contains("variation 1: 3 moves"), "{varied}");
    let back = arena.post(&format!("{room}/act"), &json!({ "do": "line", "number": 0 })).body;
    assert_eq!(field(&back, "length"), "3");
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
fn endings_are_told_in_both_languages() {
    let arena = Arena::start(&["--no-data"]);
    let full = format!("{}{} X", "X".repeat(40), "O".repeat(24));
    let runner = format!("{}B1 V0 V0 {}N1 {}", "V0 ".repeat(56), "V0 ".repeat(4), "");
    let last = format!("{} {}", runner.trim(), "blanc");
    for (game, start, clicks, french, english) in [
        (
            "othello",
            full.as_str(),
            vec![],
            "noir gagne, 40 – 24 (l'othellier est plein)",
            "black wins, 40 – 24",
        ),
        ("connect5", "5x5 a1a2b1b2c1c2d1d2", vec!["e1"], "(cinq alignés, ni plus ni moins)", "exactly five"),
        ("gounki", &last, vec!["a8", "#"], "blanc gagne, 1 – 0 (un pion sort", "a man leaves the board"),
        (
            "moules",
            "maze 1 items 1 turns 1",
            vec!["C", "C"],
            "partie nulle, 0 – 0 (tout le monde a passé)",
            "everybody passed",
        ),
    ] {
        let room = arena.open(game, &TWO, start);
        let mut path: Vec<&str> = Vec::new();
        for click in clicks {
            let view = arena.press(&room, click, &path);
            path = if field(&view, "path").is_empty() { Vec::new() } else { vec![click] };
        }
        for (language, wanted) in [("fr", french), ("en", english)] {
            let said = field(&arena.get(&format!("{room}/view?lang={language}")).body, "say");
            assert!(said.replace("&#39;", "'").contains(wanted), "{game}: {said}");
        }
    }
}

/// The words of a page that somebody reads or hears, in small letters.
fn words(page: &str) -> Vec<String> {
    let mut text = String::new();
    for part in page.split('<') {
        let (tag, rest) = part.split_once('>').unwrap_or(("", part));
        for name in ["aria-label=\"", "title=\"", "placeholder=\"", "data-say=\""] {
            text += tag.split(name).nth(1).and_then(|value| value.split('"').next()).unwrap_or_default();
            text.push(' ');
        }
        if !tag.starts_with("style") && !tag.starts_with("title") {
            text += rest;
            text.push(' ');
        }
    }
    let is_end = |c: char| !c.is_alphabetic() && c != '\'';
    text.to_lowercase().split(is_end).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

#[test]
fn a_french_page_has_no_english_word() {
    const ENGLISH: [&str; 57] = [
        "analysis",
        "and",
        "back",
        "beer",
        "beers",
        "beginning",
        "black",
        "board",
        "boards",
        "cell",
        "deploy",
        "depth",
        "disc",
        "discs",
        "download",
        "draw",
        "drawn",
        "end",
        "engine",
        "engines",
        "fault",
        "faults",
        "file",
        "first",
        "forward",
        "from",
        "game",
        "games",
        "hint",
        "is",
        "kept",
        "last",
        "late",
        "legal",
        "level",
        "line",
        "man",
        "marks",
        "men",
        "move",
        "moves",
        "mussels",
        "name",
        "new",
        "next",
        "of",
        "person",
        "play",
        "player",
        "seconds",
        "speed",
        "standing",
        "stay",
        "strength",
        "the",
        "turn",
        "white",
    ];
    let arena = Arena::start(&["--no-data", "--player", "othello:bad=gtp:false"]);
    let mut seen: Vec<(String, String)> = Vec::new();
    let mut see = |path: &str| {
        let sign = if path.contains('?') { "&" } else { "?" };
        seen.push((path.to_owned(), arena.get(&format!("{path}{sign}lang=fr")).body));
    };
    ["/", "/open", "/watch", "/?game=othello&start=zz", "/r/000000000000"].into_iter().for_each(&mut see);
    for (game, start) in [
        ("othello", "d3c5"),
        ("uttt", "40 36"),
        ("gounki", "c1-b1 b7-a6"),
        ("connect5", "5x5 a1a2"),
        ("moules", "maze 1 items 1 size 13x11 mussels 2 beers 1 frites 1 turns 3"),
    ] {
        let room = arena.open(game, &TWO, start);
        let view = arena.get(&format!("{room}/view")).body;
        see(&room);
        let first = clicks(&view).into_iter().next().unwrap();
        let path = field(&arena.press(&room, &first, &[]), "path");
        see(&format!("{room}/view?path={path}"));
        arena.act(&room, "resign");
        see(&room);
    }
    let study = json!({ "game": "othello", "mode": "study", "seats": TWO, "start": "d3c5" });
    see(arena.post("/new", &study).body.split('"').nth(3).unwrap());
    let broken = arena.open("othello", &["bad", "person"], "");
    arena.get(&broken);
    wait("the fault", || arena.get(&format!("{broken}/view")).body.contains("failed").then_some(()));
    see(&broken);
    for (path, page) in &seen {
        let words = words(page);
        let english: Vec<&String> = words.iter().filter(|word| ENGLISH.contains(&word.as_str())).collect();
        assert!(english.is_empty() && words.len() > 10, "{path}: {english:?}");
    }
    // What is refused is refused in French, too.
    let request = format!(
        "POST /open HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nCookie: lang=fr\r\nX-Arena-Token: {}\r\n\
         Content-Length: 5\r\n\r\nhello",
        arena.address, arena.token
    );
    assert_eq!(
        exchange(&arena.address, &request).body,
        "ni un fichier de parties, ni un journal, ni GGF, ni SGF"
    );
}

#[test]
fn nobody_else_changes_anything_here() {
    let arena = Arena::start(&["--no-data"]);
    let (address, token) = (&arena.address, &arena.token);
    let body = "{\"game\":\"uttt\",\"seats\":[\"person\",\"person\"]}";
    let post = |head: &str| {
        let length = body.len();
        let request = format!(
            "POST /new HTTP/1.1\r\nConnection: close\r\nContent-Length: {length}\r\n{head}\r\n{body}"
        );
        exchange(address, &request).status
    };
    let ours = format!("Host: {address}\r\nX-Arena-Token: {token}\r\n");
    assert_eq!(post(&ours), 200);
    assert_eq!(post(&format!("{ours}Origin: http://{address}\r\n")), 200);
    assert_eq!(post(&format!("{ours}Origin: http://evil.example\r\n")), 403);
    assert_eq!(post(&format!("{ours}Origin: null\r\n")), 403);
    assert_eq!(post(&format!("Host: evil.example\r\nX-Arena-Token: {token}\r\n")), 403);
    assert_eq!(post(&format!("Host: {address}\r\n")), 403);
    assert_eq!(post(&format!("Host: {address}\r\nX-Arena-Token: 0\r\n")), 403);
    let rebound = exchange(address, "GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n");
    assert_eq!(rebound.status, 403);
    let home = arena.get("/");
    let head = home.head.to_ascii_lowercase();
    assert!(head.contains("content-security-policy: default-src 'none'") && head.contains("nosniff"));
    assert!(!home.body.contains("style=\"") && !home.body.contains("onclick"), "the policy would refuse it");
    for path in ["/../Cargo.toml", "/r/..%2f..%2fetc%2fpasswd", "/r/000000000000", "/none"] {
        assert_eq!(arena.get(path).status, 404, "{path}");
    }
}

#[test]
fn bodies_and_texts_are_bounded() {
    let arena = Arena::start(&["--no-data"]);
    let room = arena.open("uttt", &TWO, "");
    assert_eq!(arena.post_text(&format!("{room}/act"), &"x".repeat(20_000)).status, 413);
    assert_eq!(arena.post_text("/open", "no game").status, 422);
    let long = json!({ "game": "othello", "seats": TWO, "start": "d3".repeat(20_000) });
    assert_eq!(arena.post("/new", &long).status, 422);
    let path: Vec<&str> = vec!["x"; 100];
    assert_eq!(field(&arena.press(&room, "0", &path), "say"), "too long");
}

#[test]
fn what_a_player_wrote_is_text_and_never_markup() {
    let arena = Arena::start(&["--no-data"]);
    let evil = "<script>alert(1)</script>";
    let sgf = format!("(;GM[4]FF[4]SZ[9]PB[{evil}]PW[\"onload=x];B[aa];W[bb])");
    let answer = arena.post_text("/open", &sgf);
    let room = answer.body.split('"').nth(3).unwrap().split('?').next().unwrap().to_owned();
    let page = arena.get(&room).body;
    assert!(!page.contains("<script>alert") && page.contains("&lt;script&gt;alert(1)"), "{page}");
    let wish = json!({ "game": "uttt", "seats": [evil, "person"] });
    assert_eq!(arena.post("/new", &wish).status, 422);
    let link = arena.get("/?game=othello&start=%3Cscript%3Ealert(1)%3C%2Fscript%3E").body;
    assert!(!link.contains("<script>alert"), "{link}");
}

#[test]
fn an_engines_last_words_are_text_too() {
    let evil =
        "bad=sh -c 'echo \"<script>alert(2)</script>\"; echo \"<script>alert(3)</script>\" >&2; exit 3'";
    let arena = Arena::start(&["--no-data", "--player", evil]);
    let room = arena.open("connect5", &["bad", "person"], "");
    arena.get(&room);
    let view = wait("the fault", || {
        let view = arena.get(&format!("{room}/view")).body;
        (!field(&view, "say").contains("thinks")).then_some(view)
    });
    assert!(!view.contains("<script>alert"), "{view}");
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
        let act = json!({ "do": "pace", "number": 400 });
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
    let act = json!({ "do": "pace", "number": 0 });
    assert!(arena.post(&format!("{room}/act"), &act).body.contains("0 ms"));
    arena.act(&room, "pause");
    wait("the moves behind the pause", || (length() >= before + 6).then_some(()));
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
        wait("three lines", || {
            let view = arena.get(&format!("{room}/view")).body;
            let rows = view.matches("<td class=\"line\">").count();
            ((rows == 3 || rows == 2 && !exact.is_empty()) && view.contains(exact)).then_some(())
        });
    }
}

#[test]
fn the_mazes_study_shows_the_clients_plan_on_the_board() {
    if !is_built("moules-client") {
        return;
    }
    let arena = Arena::start(&["--no-data"]);
    for (seats, unit) in [(vec!["person"], "turns still needed"), (TWO.to_vec(), "marks to expect")] {
        let start = "maze 3 items 3 dunes 10";
        let wish = json!({ "game": "moules", "mode": "study", "seats": seats, "start": start });
        let room = arena.enter(&wish);
        let view = wait("two plans", || {
            let view = arena.get(&format!("{room}/view")).body;
            (view.matches("<td class=\"line\">").count() >= 2).then_some(view)
        });
        let drawn = ["class=\"plan\"", "class=\"plan-end\"", "class=\"value first\"", unit];
        assert!(drawn.iter().all(|part| view.contains(part)), "{view}");
        // It follows the game.
        let click = clicks(&view).into_iter().next().unwrap();
        arena.press(&room, &click, &[]);
        wait("plans of the next turn", || {
            let view = arena.get(&format!("{room}/view")).body;
            (field(&view, "length") == "1" && view.contains("class=\"plan\"")).then_some(())
        });
    }
}

#[test]
fn a_journal_of_the_mazes_server_is_watched_again() {
    let arena = Arena::start(&["--no-data"]);
    let journal = "partie 25x17 dunes 50 joueurs 1 moules 10 bieres 5 frites 8 laby 49811 bonus 52567 tours -1\nnom 0 beam\n0 E\n0 E\nfin 0 0 0 0\n";
    let answer = arena.post_text("/open", journal);
    let room = answer.body.split('"').nth(3).unwrap().split('?').next().unwrap().to_owned();
    let view = arena.get(&format!("{room}/view?at=1")).body;
    assert_eq!((field(&view, "length"), field(&view, "at")), ("2".into(), "1".into()));
}

#[test]
fn a_maze_opens_at_the_size_and_with_the_turns_that_it_was_played_with() {
    let arena = Arena::start(&["--no-data"]);
    let run = |setting: &str| {
        json!({ "run": { "course": "moules", "setting": setting, "players": ["a", "b"], "names": ["a", "b"],
            "seats": 2, "format": "round-robin", "seed": 1, "time": null } })
    };
    let game = |number: u64, opening: &str| {
        json!({ "game": number, "group": 0, "course": "moules", "seats": [0, 1], "names": ["a", "b"],
            "opening": opening, "seed": 1, "moves": ["C"], "movers": [0], "micros": [1], "points": [0.0, 0.0],
            "score": [0.0, 0.0], "end": "", "cpu": [0, 0], "wall": 1 })
    };
    let head = run("13x11, 30 % dunes, 6 mussels, 2 beers, 3 frites, 7 turns; openings moules.txt");
    let seen = |room: &str| {
        let room = room.split('?').next().unwrap();
        let view = arena.get(&format!("{room}/view")).body;
        assert!(view.contains("viewBox=\"0 0 312 264\""), "13 cells of 24 by 11: {view}");
        assert!(field(&view, "say").contains("turn 1 of 7"), "{view}");
    };
    let one = arena.post_text("/open", &format!("{head}\n{}\n", game(0, "maze 1 items 2")));
    seen(one.body.split('"').nth(3).unwrap_or_else(|| panic!("{}", one.body)));
    // Of several, the one that is chosen; and a game of the arena says its own size.
    let both = [game(0, "maze 1 items 2"), game(1, "maze 3 items 4 size 13x11 turns 7")];
    let many = arena.post_text("/open", &format!("{head}\n{}\n{}\n", both[0], both[1]));
    let games: serde_json::Value = serde_json::from_str(&many.body).unwrap();
    for chosen in games["games"].as_array().unwrap() {
        let wish = json!({ "game": "moules", "mode": "replay", "seats": ["person", "person"],
            "start": chosen["start"], "moves": chosen["moves"] });
        seen(&arena.enter(&wish));
    }
}

#[test]
fn a_replayed_maze_says_who_was_late_and_who_was_gone() {
    let arena = Arena::start(&["--no-data"]);
    let head = "partie 25x17 dunes 0 joueurs 2 moules 10 bieres 5 frites 8 laby 3 bonus 3 tours 500";
    let turns = "0 E\n1 C retard\n0 S\n1 E\n0 E\n1 C retard\n0 S\n1 S\n0 C absent\n1 S\n";
    let answer = arena.post_text("/open", &format!("{head}\nnom 0 une\nnom 1 deux\n{turns}")).body;
    let room = answer.split('"').nth(3).unwrap().split('?').next().unwrap().to_owned();
    let tallies = |room: &str, at: usize, language: &str| -> Vec<String> {
        let view = arena.get(&format!("{room}/view?at={at}&lang={language}")).body;
        let parts = view.split("class=\"tally\">").skip(1);
        parts.map(|part| part.split('<').next().unwrap().to_owned()).collect()
    };
    let has = |at, seat: usize, text: &str| tallies(&room, at, "en")[seat].contains(text);
    assert!(!has(1, 1, "missed"));
    assert!(has(2, 1, "last turn C (late)") && has(2, 1, "1 turn missed") && !has(2, 0, "missed"));
    assert!(has(4, 1, "last turn E ·") && has(4, 1, "1 turn missed"));
    assert!(has(10, 0, "last turn C (gone)") && has(10, 0, "1 turn missed") && has(10, 1, "2 turns missed"));
    assert!(tallies(&room, 10, "fr")[0].contains("dernier coup C (absent)"));
    let view = arena.get(&format!("{room}/view")).body;
    assert!(view.contains("C <small>late</small>") && view.contains("C <small>gone</small>"), "{view}");
    // Taken back, a turn is missed no more; kept, it is when the record is opened again.
    let record = arena.get(&format!("{room}/record")).body;
    let answer = arena.post_text("/open", &record).body;
    let again = answer.split('"').nth(3).unwrap().split('?').next().unwrap().to_owned();
    assert!(tallies(&again, 10, "en")[1].contains("2 turns missed"), "{record}");
    for _ in 0..5 {
        arena.act(&again, "back");
    }
    arena.press(&again, "C", &[]);
    assert!(tallies(&again, 6, "en")[1].contains("1 turn missed"));
}

#[test]
fn a_link_holds_the_mazes_position_and_its_record_is_opened_again() {
    let arena = Arena::start(&["--no-data"]);
    let room = arena.open("moules", &["person"; 3], "maze 3 items 3 size 13x11 dunes 10 turns 9");
    for click in ["S", "N", "O", "S"] {
        arena.press(&room, click, &[]);
    }
    let view = arena.get(&format!("{room}/view")).body;
    let link = view.split("href=\"/?game=moules&amp;start=").nth(1).unwrap().split('"').next().unwrap();
    let start = link.replace("%20", " ").replace("%2F", "/");
    assert!(start.ends_with("turns 9 played S/N/O/S"), "{start}");
    let again = arena.open("moules", &["person"; 3], &start);
    let there = arena.get(&format!("{again}/view")).body;
    assert!(field(&there, "say").contains("turn 2 of 9; to move: player 1"), "{there}");
    let board = |view: &str| view.split("class=\"token").skip(1).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(board(&view).len(), 3 + 3, "three on the board, three beside it");
    let last = |view: &str| board(view)[2].split("/>").next().unwrap().to_owned();
    assert_eq!(last(&view), last(&there));
    arena.press(&again, "N", &[]);
    let record = arena.get(&format!("{again}/record")).body;
    assert!(record.contains("played S/N/O/S") && record.contains("\"movers\":[1]"), "{record}");
    assert!(arena.post_text("/open", &record).body.contains("/r/"));
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
    assert_eq!(field(&first, "say"), "player 0 : C. turn 1 of 5; to move: player 1");
}

#[test]
fn the_mazes_server_shows_its_match_and_plays_it_out() {
    let Some((server, client)) = player("moules-serveur").zip(player("moules-client")) else {
        say("moules-serveur is not built: cargo build --workspace");
        return;
    };
    let arena = std::path::PathBuf::from(env!("CARGO_BIN_EXE_arena"));
    for (program, first) in [(arena, vec!["moules"]), (server.clone(), vec![])] {
        let words = "--page 0 -port 0 --address 127.0.0.1 -numLaby 1 -numPlacementBonus 1 -nbJoueur 2 -nbTourMax 12 -delay 120 --affichage aucun";
        let mut run = Command::new(&program)
            .args(first.into_iter().chain(words.split(' ')))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(run.stderr.take().unwrap()).read_line(&mut line).unwrap();
        let page = line.trim().strip_prefix("arena: http://").expect(&line).trim_end_matches('/').to_owned();
        let mut said = BufReader::new(run.stdout.take().unwrap()).lines().map_while(Result::ok);
        let waiting = said.find(|line| line.contains("en attente")).unwrap();
        let port = waiting.rsplit(' ').next().unwrap();
        let mut players: Vec<_> = ["<un>", "deux"]
            .map(|name| {
                let play = ["127.0.0.1", port, name, "--time", "20"];
                Command::new(&client).args(play).stdout(Stdio::null()).spawn().unwrap()
            })
            .into();
        let ask = |path: &str| {
            let head = format!("GET {path} HTTP/1.1\r\nHost: {page}\r\nConnection: close\r\n\r\n");
            exchange(&page, &head).body
        };
        let view = wait("the third turn", || {
            let view = ask("/watch/view");
            view.contains("turn 3 of 12").then_some(view)
        });
        assert!(view.contains("board moules") && view.matches("badge").count() == 2, "{view}");
        assert!(view.contains("&lt;un&gt;") && !view.contains("<un>") && view.contains("marks"), "{view}");
        assert!(said.any(|line| line.contains("points")));
        assert!(run.wait().unwrap().success());
        players.iter_mut().for_each(|player| drop(player.wait()));
    }
    // Without an arena beside it the server says so.
    let alone = tempfile::tempdir().unwrap();
    let copy = alone.path().join("moules-serveur");
    std::fs::copy(&server, &copy).unwrap();
    let refused = Command::new(&copy).args(["--page", "0"]).output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("« arena »"));
}

#[test]
fn the_mazes_server_replays_a_journal_for_who_looks() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("partie.journal");
    let turns: String =
        (0..12).map(|turn| format!("{} E{}\n", turn % 2, ["", " retard"][turn % 2])).collect();
    let head = "partie 13x11 dunes 0 joueurs 2 moules 3 bieres 1 frites 1 laby 1 bonus 1 tours 6";
    std::fs::write(&file, format!("{head}\nnom 0 <un>\nnom 1 deux\n{turns}fin 0 0 0 0\nfin 1 0 0 0\n"))
        .unwrap();
    let mut run = Command::new(env!("CARGO_BIN_EXE_arena"))
        .args(["moules", "--page", "0", "-delay", "40", "--affichage", "aucun", "--rejouer"])
        .arg(&file)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(run.stderr.take().unwrap()).read_line(&mut line).unwrap();
    let page = line.trim().strip_prefix("arena: http://").expect(&line).trim_end_matches('/').to_owned();
    let view = || {
        let head = format!("GET /watch/view HTTP/1.1\r\nHost: {page}\r\nConnection: close\r\n\r\n");
        exchange(&page, &head).body
    };
    // Nothing is played while nobody looks.
    let first = wait("the start", || Some(view()).filter(|view| view.contains("board moules")));
    assert!(first.contains("turn 0 of 6") && first.contains("&lt;un&gt;"), "{first}");
    let mut eyes = TcpStream::connect(&page).unwrap();
    write!(eyes, "GET /watch/events HTTP/1.1\r\nHost: {page}\r\n\r\n").unwrap();
    let news = BufReader::new(eyes).lines().map_while(Result::ok).filter(|line| line.starts_with("data:"));
    let last = news.map(|_| view()).find(|view| view.contains("data-over")).unwrap();
    assert!(last.contains("turn 6 of 6") && last.contains("E (late)"), "{last}");
    let done = run.wait_with_output().unwrap();
    assert!(done.status.success() && String::from_utf8_lossy(&done.stdout).contains("points"));
}

#[test]
fn two_hundred_silent_connections_shut_nobody_out() {
    let arena = Arena::start(&["--no-data"]);
    let mut silent: Vec<TcpStream> = (0..200).map(|_| TcpStream::connect(&arena.address).unwrap()).collect();
    for (nth, stream) in silent.iter_mut().enumerate() {
        if nth % 2 == 0 {
            stream.write_all(b"GET / HTTP/1.1\r\nHost: ").unwrap();
        }
    }
    let began = Instant::now();
    assert_eq!(arena.get("/").status, 200);
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
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
    assert!(lines <= 500, "{lines} lines of script");
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
            let mut path: Vec<String> = Vec::new();
            let mut view = view;
            while let Some(click) = clicks(&view).into_iter().next() {
                let before: Vec<&str> = path.iter().map(String::as_str).collect();
                view = arena.press(&room, &click, &before);
                path = field(&view, "path").split_whitespace().map(str::to_owned).collect();
                if path.is_empty() {
                    break;
                }
            }
            None
        });
        assert!(!over.is_empty(), "{game}");
    }
}
