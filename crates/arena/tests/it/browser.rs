//! The page in a real browser: whole games by clicks and keys, hints, records, analysis, at both widths and lights.

use crate::driver::Browser;
use crate::engines::quiet_arena;
use crate::server::{Arena, player, say, wait};
use serde_json::Value;
use std::io::BufRead as _;

/// The browser and what it needs, or one line that says what is missing.
pub fn ready(players: &[&str]) -> Option<Browser> {
    if let Some(missing) = players.iter().find(|name| player(name).is_none()) {
        say(&format!("{missing} is not built: cargo build --workspace"));
        return None;
    }
    let browser = Browser::start();
    if browser.is_none() {
        say("no chromium and chromedriver here: scripts/browser.sh installs them");
    }
    browser
}

/// The data attributes of the page's view, which describe its room.
pub fn state(browser: &Browser) -> Value {
    browser.peek("{ ...document.getElementById('view')?.dataset }")
}

pub fn text(state: &Value, name: &str) -> String {
    state[name].as_str().unwrap_or_default().to_owned()
}

fn is_over(say: &str) -> bool {
    ["wins", "a draw", "over"].iter().any(|word| say.contains(word))
}

/// Opens a game by the first page's form.
pub fn begin(browser: &Browser, arena: &Arena, game: &str, start: &str, button: &str) {
    browser.open(&format!("http://{}/?lang=en", arena.address));
    assert!(browser.click(&format!("label:has(input[value={game}])")));
    browser.write("textarea[name=start]", start);
    browser.script(
        "document.querySelectorAll('[name^=strength]').forEach(field => { field.value = 'level 1' })",
    );
    assert!(browser.click(&format!("button[value={button}]")));
    wait("the room", || (text(&state(browser), "game") == game).then_some(()));
}

/// Plays to the end: the first thing that may be clicked is.
fn play_out(browser: &Browser) -> String {
    wait("the end of the game", || {
        let said = text(&state(browser), "say");
        if is_over(&said) {
            return Some(said);
        }
        if !said.contains("thinks") && !browser.click(".hit.legal") {
            browser.click("[data-click]");
        }
        None
    })
}

#[test]
fn a_browser_plays_othello_takes_back_and_asks_for_a_hint() {
    let Some(browser) = ready(&["othello-player"]) else { return };
    let arena = Arena::start(&["--no-data"]);
    begin(&browser, &arena, "othello", "", "play");
    assert!(browser.click("[data-cell=d3]"));
    wait("the answer", || (text(&state(&browser), "length") == "2").then_some(()));
    browser.keys(&["u"]);
    wait("the move taken back", || (text(&state(&browser), "length") == "0").then_some(()));
    browser.keys(&["h"]);
    wait("the hint", || {
        browser.script("return document.querySelector('.best') !== null").as_bool()?.then_some(())
    });
    // The keyboard is where the last click was, now that the board can be played on again: Enter plays there.
    browser.keys(&["\u{e007}"]);
    wait("a move by keys", || (text(&state(&browser), "length") == "2").then_some(()));
    let over = play_out(&browser);
    assert!(over.contains("wins") || over.contains("draw"), "{over}");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn a_browser_plays_uttt_gounki_and_connect5_to_their_ends() {
    let Some(browser) = ready(&["uttt", "gounki", "connect5-joueur"]) else { return };
    let arena = Arena::start(&["--no-data"]);
    for (game, start) in [("uttt", ""), ("gounki", ""), ("connect5", "7x7")] {
        begin(&browser, &arena, game, start, "play");
        let over = play_out(&browser);
        assert!(is_over(&over), "{game}: {over}");
    }
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn a_browser_deploys_a_stack_step_by_step() {
    let Some(browser) = ready(&[]) else { return };
    let arena = Arena::start(&["--no-data"]);
    let room = arena.open("gounki", &["person", "person"], "c1-b1 b7-a6");
    browser.open(&format!("http://{}{room}?lang=en", arena.address));
    for (click, path) in [("[data-cell=b1]", "b1"), ("[data-click=\"+\"]", "b1 +"), ("[data-clear]", "")] {
        assert!(browser.click(click), "{click}");
        wait("the path", || (text(&state(&browser), "path") == path).then_some(()));
        assert_eq!(count(&browser, ".refused"), 0, "{click}");
    }
    // The picture that answers the last click may come just now, and the cell with it.
    wait("the click", || browser.click("[data-cell=b1]").then_some(()));
    wait("the stack chosen", || (text(&state(&browser), "path") == "b1").then_some(()));
    browser.keys(&["+"]);
    wait("the stack deployed", || (text(&state(&browser), "path") == "b1 +").then_some(()));
    let seen = || ["length", "path"].map(|name| text(&state(&browser), name));
    while seen()[0] == "0" {
        let before = seen();
        wait("a man", || browser.click(".hit.legal").then_some(()));
        // A second click would come to the next picture.
        wait("the man there", || (seen() != before).then_some(()));
    }
    let listed = browser.script("return document.querySelector('.moves button').textContent");
    assert!(listed.as_str().unwrap().starts_with("b1+"), "{listed}");
    assert_eq!(browser.complaints(), Vec::<String>::new());
    assert_eq!(count(&browser, ".refused"), 0);
}

#[test]
fn a_browser_walks_the_maze_by_arrow_keys() {
    let Some(browser) = ready(&["moules-client"]) else { return };
    let arena = Arena::start(&["--no-data"]);
    begin(&browser, &arena, "moules", "maze 1 items 1 size 11x9 mussels 2 beers 1 frites 1 turns 8", "play");
    let arrows = ["\u{e014}", "\u{e015}", "\u{e012}", "\u{e013}"];
    let mut turn = 0;
    let over = wait("the end of the maze", || {
        let said = text(&state(&browser), "say");
        if is_over(&said) {
            return Some(said);
        }
        browser.keys(&[arrows[turn % 4]]);
        turn += 1;
        // Who is shut in on three sides passes the fourth time.
        if turn % 9 == 0 {
            browser.keys(&["c"]);
        }
        None
    });
    assert!(is_over(&over), "{over}");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn a_browser_studies_a_position_and_sees_three_lines() {
    let Some(browser) = ready(&["othello-player"]) else { return };
    let arena = Arena::start(&["--no-data"]);
    begin(&browser, &arena, "othello", "d3c5f6", "study");
    wait("three lines", || {
        let lines = browser.script("return document.querySelectorAll('.study tbody tr').length");
        (lines.as_u64()? == 3).then_some(())
    });
    let values = browser.script("return document.querySelectorAll('.board .value').length");
    assert!(values.as_u64().unwrap() >= 1, "values stand on the squares");
    // The page changes with every finding: an element may be replaced before it is clicked.
    wait("a click", || browser.click(".hit.legal").then_some(()));
    // The moves of the start are the study's own.
    wait("the next position", || (text(&state(&browser), "length") == "4").then_some(()));
    wait("its analysis", || {
        let lines = browser.script("return document.querySelectorAll('.study tbody tr').length");
        (lines.as_u64()? > 0).then_some(())
    });
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// A number that a script counts.
pub fn count(browser: &Browser, selector: &str) -> u64 {
    let script = format!("return document.querySelectorAll('{selector}').length");
    browser.script(&script).as_u64().unwrap_or_default()
}

#[test]
fn a_browser_saves_a_game_and_opens_it_again() {
    let Some(browser) = ready(&[]) else { return };
    let (arena, _players) = quiet_arena();
    let folder = tempfile::tempdir().unwrap();
    browser.keep_downloads_in(folder.path());
    begin(&browser, &arena, "othello", "", "study");
    for length in 1..=4 {
        wait("a click", || browser.click(".hit.legal").then_some(()));
        wait("the move", || (text(&state(&browser), "length") == length.to_string()).then_some(()));
    }
    let moves =
        browser.script("return [...document.querySelectorAll('.moves button')].map(b => b.textContent)");
    browser.script("document.querySelector('.share').open = true");
    for (kind, ending) in [("record", "jsonl"), ("notation", "ggf")] {
        wait("the download", || browser.click(&format!("[data-download={kind}]")).then_some(()));
        let file = wait("the file", || {
            let files = std::fs::read_dir(folder.path()).unwrap().filter_map(Result::ok);
            let mut paths = files.map(|file| file.path());
            paths.find(|path| path.extension().is_some_and(|name| name == ending))
        });
        browser.open(&format!("http://{}/open?lang=en", arena.address));
        browser.write("input[type=file]", &file.to_string_lossy());
        assert!(browser.click("button.primary"));
        wait("the game again", || (text(&state(&browser), "length") == "4").then_some(()));
        // It opens at its beginning; the end is a key away.
        assert_eq!(text(&state(&browser), "at"), "0");
        browser.keys(&["\u{e010}"]);
        wait("the end", || (text(&state(&browser), "at") == "4").then_some(()));
        let again =
            browser.script("return [...document.querySelectorAll('.moves button')].map(b => b.textContent)");
        assert_eq!(again, moves, "{kind}");
        browser.script("document.querySelector('.share').open = true");
    }
    for (kind, head) in [("svg", b"<svg"), ("png", b"\x89PNG")] {
        wait("the picture", || browser.click(&format!("[data-download={kind}]")).then_some(()));
        let is_there =
            |path: &std::path::Path| std::fs::read(path).is_ok_and(|bytes| bytes.starts_with(head));
        wait("its file", || {
            let mut files = std::fs::read_dir(folder.path()).unwrap().filter_map(Result::ok);
            let is_kind = |path: &std::path::Path| path.extension().is_some_and(|name| name == kind);
            files.any(|file| is_kind(&file.path()) && is_there(&file.path())).then_some(())
        });
    }
    wait("the animation", || browser.click("[data-download=film]").then_some(()));
    wait("its file", || {
        let files = std::fs::read_dir(folder.path()).unwrap().filter_map(Result::ok);
        let mut texts = files.filter_map(|file| std::fs::read_to_string(file.path()).ok());
        texts.any(|text| text.matches("<animate ").count() == 5 && text.ends_with("</svg>")).then_some(())
    });
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn a_browser_replays_a_maze_from_its_journal() {
    let Some(browser) = ready(&[]) else { return };
    let arena = Arena::start(&["--no-data"]);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("partie.journal");
    let turns: String =
        (0..20).map(|turn| format!("{} {}\n", turn % 2, ["E", "S", "E", "O"][turn / 2 % 4])).collect();
    let head = "partie 25x17 dunes 0 joueurs 2 moules 10 bieres 5 frites 8 laby 49811 bonus 52567 tours -1";
    std::fs::write(&file, format!("{head}\nnom 0 une\nnom 1 deux\n{turns}")).unwrap();
    browser.open(&format!("http://{}/open?lang=en", arena.address));
    browser.write("input[type=file]", &file.to_string_lossy());
    assert!(browser.click("button.primary"));
    wait("the maze", || (text(&state(&browser), "length") == "20").then_some(()));
    let at = || text(&state(&browser), "at");
    // Keys, the slider, and the run at the chosen speed.
    browser.keys(&["."]);
    wait("one move on", || (at() == "1").then_some(()));
    browser.script("const s = document.getElementById('slider'); s.value = 10; s.dispatchEvent(new Event('input', { bubbles: true }))");
    wait("the slider's move", || (at() == "10").then_some(()));
    assert!(count(&browser, ".trail") == 2, "who walked has left a trail");
    browser.script("document.getElementById('speed').value = '50'");
    browser.keys(&["p"]);
    wait("the end", || (at() == "20").then_some(()));
    browser.keys(&["\u{e011}"]);
    wait("the start", || (at() == "0").then_some(()));
    assert_eq!(browser.complaints(), Vec::<String>::new());
    // A file that is none says why, where it is seen.
    std::fs::write(&file, "hello").unwrap();
    browser.open(&format!("http://{}/open?lang=en", arena.address));
    browser.write("input[type=file]", &file.to_string_lossy());
    assert!(browser.click("button.primary"));
    let why = || browser.script("return document.querySelector('.status.refused')?.innerText");
    wait("why not", || why().as_str()?.contains("neither a record file, a maze's journal").then_some(()));
}

/// A tournament of four at two tables, and where it is watched.
pub fn tournament(options: &str) -> (std::process::Child, String) {
    let line = "tournament uttt --player one=builtin:greedy --player two=builtin:random --player three=builtin:first \
                --player four=builtin:greedy --concurrency 2 --live 0 --quiet";
    let mut run = std::process::Command::new(player("referee").unwrap())
        .args(line.split_whitespace().chain(options.split(' ')))
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = String::new();
    std::io::BufReader::new(run.stderr.take().unwrap()).read_line(&mut said).unwrap();
    let address = said.trim().strip_prefix("referee: live at ").expect(&said).to_owned();
    (run, address)
}

#[test]
fn a_browser_watches_a_tournament_of_four_to_its_end() {
    let Some(browser) = ready(&["referee"]) else { return };
    let (mut run, address) = tournament("--rounds 2 --pace 12");
    browser.view(1400, 900, false);
    browser.open(&address);
    wait("two boards at once", || (count(&browser, ".tables .board") == 2).then_some(()));
    wait("a standing of four", || (count(&browser, ".standing tbody tr") == 4).then_some(()));
    let share = "const width = part => document.querySelector(part).offsetWidth; \
                 return width('.tables') / width('main')";
    assert!(browser.script(share).as_f64().unwrap() > 0.9, "the boards have the whole page");
    let moves = || {
        browser.script(
            "return [...document.querySelectorAll('.table .foot')].map(line => line.textContent).join()",
        )
    };
    let before = moves();
    wait("the next moves", || (moves() != before).then_some(()));
    for dark in [false, true] {
        browser.view(360, 740, dark);
        assert!(browser.script("return document.documentElement.scrollWidth").as_u64().unwrap() <= 360);
    }
    wait("the end", || (count(&browser, "[data-over]") == 1).then_some(()));
    assert_eq!(count(&browser, ".tables .board"), 2);
    // The page is alive after the end: a finished game is a click away, and keys lead through it.
    assert_eq!(count(&browser, ".finished a"), 8);
    assert!(browser.click(".finished a"));
    wait("the game", || (count(&browser, ".replayed .board") == 1).then_some(()));
    let beside = "const box = part => document.querySelector(part).getBoundingClientRect(); \
                  return box('.boardbox').right <= box('.moves').left && box('.moves').bottom <= innerHeight";
    for (width, is_beside) in [(1920, true), (360, false)] {
        browser.view(width, 1080, false);
        assert_eq!(browser.script(beside), is_beside, "{width} wide");
    }
    let at = || text(&state(&browser), "at").parse::<usize>().unwrap_or_default();
    let last = at();
    browser.keys(&["\u{e012}"]);
    wait("the move before", || (at() + 1 == last).then_some(()));
    // After the run an engine disturbs no game: the game is studied in a room of the same page.
    assert!(browser.click("a[href*=\"/study\"]"));
    wait("the study", || (count(&browser, "#view[data-replay] .board") == 1).then_some(()));
    wait("the same move", || (at() + 1 == last).then_some(()));
    wait("the costliest moves", || (count(&browser, ".review ol li, .review .unit") > 0).then_some(()));
    browser.open(&format!("{address}watch/games"));
    assert_eq!(count(&browser, ".finished a"), 24);
    assert!(browser.click("main a[href=\"/watch\"]"));
    wait("the page of the run", || (count(&browser, "[data-over] .board") == 2).then_some(()));
    let fits = "return [...document.querySelectorAll('.tables .board, .standing')] \
                .every(item => item.getBoundingClientRect().bottom <= innerHeight + 1)";
    for (width, height) in [(1400, 900), (1920, 1080)] {
        browser.view(width, height, false);
        assert_eq!(
            browser.script(fits),
            true,
            "{width} wide, boards and standing are seen without scrolling"
        );
    }
    assert!(run.try_wait().unwrap().is_none(), "the run stays while somebody watches");
    assert_eq!(browser.complaints(), Vec::<String>::new());
    browser.open("about:blank");
    assert!(run.wait().unwrap().success());
}

#[test]
fn no_room_is_wider_than_its_window_in_light_and_dark() {
    let Some(browser) = ready(&[]) else { return };
    let arena = Arena::start(&["--no-data"]);
    let two = ["person", "person"];
    let starts =
        [("othello", "d3c5"), ("uttt", "40 36"), ("gounki", ""), ("connect5", "15x15"), ("moules", "1 1")];
    let mut pages: Vec<(String, String)> =
        starts.iter().map(|(game, start)| ((*game).to_owned(), arena.open(game, &two, start))).collect();
    pages.extend(
        [("home", "/"), ("watch", "/watch"), ("open", "/open")].map(|(a, b)| (a.to_owned(), b.to_owned())),
    );
    if player("othello-player").is_some() {
        // The last: its engine takes the processors.
        pages.push(("study".to_owned(), String::new()));
    }
    for (name, path) in pages {
        if path.is_empty() {
            begin(&browser, &arena, "othello", "d3c5f6e3e2f4b5d2", "study");
        } else {
            browser.open(&format!("http://{}{path}", arena.address));
        }
        for (width, height) in [(360, 740), (1400, 900)] {
            for dark in [false, true] {
                browser.view(width, height, dark);
                let wide = browser.script("return document.documentElement.scrollWidth").as_u64().unwrap();
                assert!(wide <= u64::from(width), "{name} is {wide} wide in a window of {width}");
                if let Ok(folder) = std::env::var("ARENA_PICTURES") {
                    let light = if dark { "dark" } else { "light" };
                    let file = format!("{folder}/{name}-{width}-{light}.png.base64");
                    std::fs::write(file, browser.picture()).unwrap();
                }
            }
        }
    }
    assert_eq!(browser.complaints(), Vec::<String>::new());
}
