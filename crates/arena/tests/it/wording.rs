//! The words of the page, in both languages.

use crate::server::{Arena, TWO, clicks, exchange, field, wait};
use serde_json::json;

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
        ("gounki", &last, vec!["a8", "#"], "blanc gagne (un pion sort", "a man leaves the board"),
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
    ["/", "/open", "/watch", "/puzzles", "/search", "/setup", "/?game=othello&start=zz", "/r/000000000000"]
        .into_iter()
        .for_each(&mut see);
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
        "ni un fichier de parties, ni un journal de labyrinthe, ni GGF, SGF, PSQ ou PGN"
    );
}

/// The status and text of the answer to a request in French.
fn refusal(arena: &Arena, head: &str, body: &str) -> (u16, String) {
    let (address, token, length) = (&arena.address, &arena.token, body.len());
    let request = format!(
        "{head} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nX-Arena-Language: fr\r\nX-Arena-Token: {token}\r\n\
         Content-Length: {length}\r\n\r\n{body}"
    );
    let answer = exchange(address, &request);
    (answer.status, answer.body.trim().to_owned())
}

#[test]
fn what_is_refused_in_french_has_no_english_in_it() {
    const ENGLISH: [&str; 31] = [
        "after", "and", "are", "at", "behind", "between", "board", "both", "cell", "expected", "for", "free",
        "has", "holds", "is", "least", "legal", "maze", "move", "moves", "no", "nothing", "of", "players",
        "row", "rows", "such", "the", "to", "which", "with",
    ];
    let arena = Arena::start(&["--no-data"]);
    let starts = [
        ("othello", vec!["a1", "zz", "@zz", "@", "d3c"]),
        ("uttt", vec!["@zz", "99", "123456"]),
        ("connect5", vec!["99x99", "5x5 a1a1", "axb", "00000\n0N0", "9x9 @zz"]),
        ("gounki", vec!["x", "c1-b1 c1-b1", "@zz", "@V0:x"]),
        (
            "moules",
            vec![
                "maze 1 items 1 size 1x1",
                "maze 1 items 1 size 999x999",
                "maze 1 items 1 mussels 9999",
                "maze 1 items 1 dunes 99",
                "maze 1 items 1 turns 1 played C/C/C/C",
            ],
        ),
    ];
    let mut told: Vec<(u16, String)> = Vec::new();
    for (game, starts) in starts {
        for start in starts {
            let wish = json!({ "game": game, "seats": TWO, "start": start });
            told.push(refusal(&arena, "POST /new", &wish.to_string()));
        }
    }
    told.extend(
        [
            "",
            "partie 25x17 dunes 0 joueurs 9 moules 1 bieres 1 frites 1 laby 1 bonus 1 tours 9",
            "(;GM[4]SZ[15];B[a!])",
        ]
        .map(|file| refusal(&arena, "POST /open", file)),
    );
    told.push(refusal(&arena, "POST /new", "{"));
    for (status, text) in &told {
        let unquoted: String = text.split('"').step_by(2).collect();
        let words: Vec<&str> = unquoted.split(|c: char| !c.is_alphabetic()).collect();
        let english: Vec<&&str> = words.iter().filter(|word| ENGLISH.contains(word)).collect();
        assert!(*status == 422 && english.is_empty(), "{text}: {english:?}");
    }
}

#[test]
fn addresses_that_lead_nowhere_say_so_and_are_not_found() {
    let arena = Arena::start(&["--no-data"]);
    let room = arena.open("othello", &TWO, "d3");
    for path in ["/nothing", "/nothing/at/all", &format!("{room}/nothing")] {
        assert_eq!(refusal(&arena, &format!("GET {path}"), ""), (404, "il n'y a rien ici".into()), "{path}");
    }
    for path in ["view", "record"] {
        let told = refusal(&arena, &format!("GET /r/0123456789ab/{path}"), "");
        assert_eq!(told, (404, "cette partie n'existe plus".into()));
    }
    let (status, page) = refusal(&arena, "GET /r/12", "");
    assert!(status == 404 && page.contains("son numéro n'est celui d'aucune partie"), "{page}");
    let (status, page) = refusal(&arena, "GET /?game=chess", "");
    assert!(status == 404 && page.contains("ce jeu n'existe pas"), "{page}");
    // A number of moves that is none leads to the last.
    for at in ["x", "-1", "7", "99999999999999999999"] {
        let (status, view) = refusal(&arena, &format!("GET {room}/view?at={at}"), "");
        assert_eq!(
            (status, field(&view, "at"), field(&view, "length")),
            (200, "0".into(), "0".into()),
            "{at}"
        );
    }
}

#[test]
fn one_move_is_one_and_a_list_of_games_says_their_ends_in_the_pages_language() {
    let arena = Arena::start(&["--no-data"]);
    let room = arena.open("othello", &TWO, "");
    arena.press(&room, "d3", &[]);
    for (language, wanted) in [("fr", "Othello, 1 coup<"), ("en", "Othello, 1 move<")] {
        let home = arena.get(&format!("/?lang={language}")).body;
        assert!(home.contains(wanted), "{home}");
    }
    arena.act(&room, "resign");
    let record = arena.get(&format!("{room}/record")).body;
    let two = format!("{record}{}\n", record.lines().nth(1).unwrap());
    let (_, list) = refusal(&arena, "POST /open", &two);
    assert!(list.contains("· abandon\""), "{list}");
}

#[test]
fn the_phrases_of_a_game_are_said_in_french() {
    let setting = "moules · 25x17, 10 mussels, 60 turns; every mussel is taken";
    assert_eq!(
        courses::french::french(setting),
        "moules · 25x17, 10 moules, 60 tours ; toutes les moules sont prises"
    );
}
