//! The folder in a real browser, served by a plain web server: games to their ends, analysis, replay, a visit without a
//! network, games as a file, a new version.

use crate::client::wait;
use crate::driver::Browser;
use crate::server::Folder;
use serde_json::Value;
use std::io::Write as _;
use std::path::{Path, PathBuf};

fn skip(why: &str) {
    let _ = writeln!(std::io::stderr(), "skipped: the page without a server: {why}");
}

/// The folder that scripts/static.sh writes.
fn folder() -> PathBuf {
    let folder = std::env::var_os("STATIC_FOLDER").map(PathBuf::from);
    folder.unwrap_or_else(|| PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("../static"))
}

/// Returns true if the folder has the module of a game, or says that it is missing.
fn has(game: &str) -> bool {
    let modules = std::fs::read_to_string(folder().join("modules.js")).unwrap_or_default();
    let is_there = modules.contains(&format!("\"{game}\""));
    if !is_there {
        skip(&format!("no module of {game}: scripts/static.sh builds it"));
    }
    is_there
}

/// A browser, or one line that says that it is missing.
fn browser() -> Option<Browser> {
    let browser = Browser::start();
    if browser.is_none() {
        skip("no chromium and chromedriver: scripts/browser.sh installs them");
    }
    browser
}

/// A browser and the folder, if it has the module of this game.
fn ready(game: &str) -> Option<(Browser, Folder)> {
    if !has(game) {
        return None;
    }
    Some((browser()?, Folder::serve(&folder())))
}

fn state(browser: &Browser) -> Value {
    browser.script("const v = document.getElementById('view'); return v ? {...v.dataset} : {}")
}

fn text(browser: &Browser, name: &str) -> String {
    state(browser)[name].as_str().unwrap_or_default().to_owned()
}

fn is_over(say: &str) -> bool {
    ["wins", "a draw", "over"].iter().any(|word| say.contains(word))
}

/// Opens a game by the first page's form.
fn begin(browser: &Browser, folder: &Folder, game: &str, start: &str, button: &str) {
    browser.open(&format!("http://{}/en/", folder.address));
    assert!(browser.click(&format!("label:has(input[value={game}])")));
    browser.write("textarea[name=start]", start);
    browser.script(
        "document.querySelectorAll('[name^=strength]').forEach(field => { field.value = 'level 1' })",
    );
    assert!(browser.click(&format!("button[value={button}]")));
    wait("the game", || (text(browser, "game") == game).then_some(()));
}

/// Clicks the first cell or button that is possible. A second click on a chosen stack would only let go of it.
fn click(browser: &Browser) -> bool {
    let next = browser.script(
        "const path = document.getElementById('view').dataset.path.split(' '); \
         const cell = [...document.querySelectorAll('.hit.legal')].find(cell => !path.includes(cell.dataset.cell)); \
         return cell ? `.hit.legal[data-cell=\"${cell.dataset.cell}\"]` : '[data-click]'",
    );
    next.as_str().is_some_and(|next| browser.click(next))
}

/// Clicks the first thing that can be clicked, up to a number of clicks or the end of the game. Each click has its own
/// time limit, so that a slow machine ends a long game.
fn play(browser: &Browser, clicks: usize) -> Option<String> {
    (0..clicks).find_map(|_| {
        wait("the next move", || {
            let said = text(browser, "say");
            if is_over(&said) {
                return Some(Some(said));
            }
            let is_free = !said.contains("thinks");
            (is_free && click(browser)).then_some(None)
        })
    })
}

#[test]
fn each_game_is_played_to_its_end_and_survives_a_reload() {
    let games = [("uttt", ""), ("connect5", "7x7"), ("gounki", ""), ("moules", ""), ("othello", "")];
    let games: Vec<_> = games.into_iter().filter(|(game, _)| has(game)).collect();
    let Some(browser) = browser().filter(|_| !games.is_empty()) else { return };
    let folder = Folder::serve(&folder());
    for (game, start) in games {
        begin(&browser, &folder, game, start, "play");
        play(&browser, 4);
        wait("an answer", || (!text(&browser, "say").contains("thinks")).then_some(()));
        let length = text(&browser, "length");
        browser.script("location.reload()");
        wait("the game after a reload", || (text(&browser, "length") == length).then_some(()));
        let said = play(&browser, usize::MAX).unwrap();
        assert!(is_over(&said), "{game}: {said}");
        assert_eq!(browser.complaints(), Vec::<String>::new(), "{game}");
    }
}

#[test]
fn a_file_is_replayed_move_by_move() {
    let Some((browser, folder)) = ready("uttt") else { return };
    begin(&browser, &folder, "uttt", "", "play");
    play(&browser, 2);
    wait("an answer", || (text(&browser, "length") == "4").then_some(()));
    let record = browser.script("return import('../local.js').then(local => local.write('record'))");
    let file =
        PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("replayed-{}.jsonl", std::process::id()));
    std::fs::write(&file, record.as_str().unwrap()).unwrap();
    browser.open(&format!("http://{}/en/open.html", folder.address));
    browser.write("#open input[type=file]", &file.to_string_lossy());
    assert!(browser.click("#open button"));
    let shown = |at: &str| {
        wait("the replay", || {
            (text(&browser, "replay") == "true" && text(&browser, "at") == at).then_some(())
        });
    };
    shown("0");
    browser.keys(&["."]);
    shown("1");
    browser.keys(&["\u{e010}"]);
    shown("4");
    std::fs::remove_file(file).unwrap();
}

/// Copies the files of a folder and of its folders.
fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let (path, target) = entry.map(|entry| (entry.path(), to.join(entry.file_name()))).unwrap();
        if path.is_dir() {
            copy(&path, &target);
        } else {
            std::fs::copy(path, target).unwrap();
        }
    }
}

#[test]
fn a_new_version_is_offered_and_taken_when_the_visitor_wants_it() {
    let Some(browser) = Some(()).filter(|()| has("uttt")).and_then(|()| browser()) else { return };
    let own = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("versions-{}", std::process::id()));
    copy(&folder(), &own);
    let served = Folder::serve(&own);
    let home = format!("http://{}/en/", served.address);
    browser.open(&home);
    let is = |script: &str| browser.script(script).as_bool().filter(|is| *is).map(drop);
    wait("the service worker", || is("return navigator.serviceWorker.controller !== null"));
    let edit = |name: &str, from: &str, to: &str| {
        let text = std::fs::read_to_string(own.join(name)).unwrap();
        assert!(text.contains(from), "{name}: {from}");
        std::fs::write(own.join(name), text.replacen(from, to, 1)).unwrap();
    };
    edit("sw.js", "const VERSION = '", "const VERSION = 'next-");
    edit("en/index.html", "<title>", "<title>Next ");
    browser.open(&home);
    wait("the offer", || is("return !document.getElementById('update').hidden"));
    let title = || browser.script("return document.title").as_str().unwrap_or_default().to_owned();
    assert!(!title().starts_with("Next"), "{}", title());
    assert!(browser.click("#update button"));
    wait("the new version", || title().starts_with("Next").then_some(()));
    std::fs::remove_dir_all(own).unwrap();
}

#[test]
fn a_position_is_analysed_and_another_one_after_it() {
    let Some((browser, folder)) = ready("uttt") else { return };
    begin(&browser, &folder, "uttt", "", "study");
    let figures = || browser.script("return document.querySelector('.study .figures')?.textContent ?? ''");
    let lines = || browser.script("return document.querySelectorAll('.study tbody tr').length").as_u64();
    let found = |what: &str| {
        wait(what, || (lines() == Some(3) && figures().as_str()?.contains("depth")).then_some(()))
    };
    found("three lines");
    // The page is drawn anew with every finding: an element may be gone before it is clicked.
    wait("a move", || {
        browser.click(".hit.legal");
        (text(&browser, "length") == "1").then_some(())
    });
    found("three lines of the next position");
    browser.keys(&["s"]);
    wait("the end of the analysis", || (text(&browser, "study") == "false").then_some(()));
    browser.keys(&["h"]);
    wait("a hint", || {
        browser.script("return document.querySelector('.best') !== null").as_bool()?.then_some(())
    });
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn a_visit_without_a_network_plays_on() {
    let Some((browser, folder)) = ready("uttt") else { return };
    begin(&browser, &folder, "uttt", "", "play");
    play(&browser, 2);
    let kept = "return (async () => { const names = await caches.keys(); \
                for (const name of names) if ((await (await caches.open(name)).keys()).some(key => key.url.endsWith('.wasm'))) return true; \
                return false; })()";
    wait("the kept module", || browser.script(kept).as_bool()?.then_some(()));
    folder.go();
    let length: usize = text(&browser, "length").parse().unwrap();
    browser.script("location.reload()");
    wait("the game without a network", || {
        (text(&browser, "length").parse::<usize>().ok()? >= length).then_some(())
    });
    begin(&browser, &folder, "uttt", "", "play");
    assert!(is_over(&play(&browser, usize::MAX).unwrap()));
}

#[test]
fn a_game_that_cannot_be_loaded_is_refused_in_words() {
    let Some((browser, folder)) = ready("uttt") else { return };
    browser.open(&format!("http://{}/fr/", folder.address));
    let is_kept = || browser.script("return navigator.serviceWorker.controller !== null").as_bool();
    wait("the service worker", || is_kept().filter(|is| *is));
    folder.go();
    assert!(browser.click("label:has(input[value=uttt])"));
    assert!(browser.click("button[value=play]"));
    let refused = || browser.script("return document.querySelector('.status.refused')?.textContent ?? ''");
    let said = wait("the refusal", || refused().as_str().filter(|text| !text.is_empty()).map(str::to_owned));
    assert!(said.contains("le jeu n'a pas pu être chargé"), "{said}");
}

#[test]
fn all_games_and_solved_puzzles_go_into_a_file_and_come_back() {
    let Some((browser, folder)) = ready("uttt") else { return };
    begin(&browser, &folder, "uttt", "", "play");
    play(&browser, 1);
    browser.open(&format!("http://{}/en/", folder.address));
    let count = || browser.script("return document.querySelectorAll('#kept li').length").as_u64();
    wait("the list", || (count() == Some(1)).then_some(()));
    // The room for files has them, too.
    browser.open(&format!("http://{}/fr/open.html", folder.address));
    wait("the list on Replay", || (count() == Some(1)).then_some(()));
    let listed = browser.script("return document.querySelector('#kept a').textContent");
    assert!(listed.as_str().unwrap().starts_with("Morpion ultime, "), "{listed}");
    let taken = browser.script(
        "return import('../kept.js').then(kept => { \
         localStorage.setItem('arena.puzzles', '{\"solved\":{\"uttt\":[3]},\"row\":1,\"days\":1,\"last\":1}'); \
         const text = kept.all(); kept.remove(kept.games()[0].id); \
         localStorage.setItem('arena.puzzles', '{\"solved\":{\"uttt\":[4]},\"row\":1,\"days\":1,\"last\":1}'); \
         const none = kept.games().length; const count = kept.take(text); \
         return [none, count, kept.games().length, JSON.parse(localStorage.getItem('arena.puzzles')).solved.uttt]; })",
    );
    assert_eq!(taken, serde_json::json!([0, 1, 1, [4, 3]]));
}

#[test]
fn a_file_is_read_in_its_character_set() {
    let Some((browser, folder)) = ready("uttt") else { return };
    browser.open(&format!("http://{}/en/open.html", folder.address));
    let read = |bytes: &[u8]| {
        let script = format!(
            "return import('../wire.js').then(wire => wire.decode(new Uint8Array({}).buffer))",
            serde_json::json!(bytes)
        );
        browser.script(&script).as_str().unwrap().to_owned()
    };
    let wide: Vec<u8> = "\u{feff}(;GM[4]PB[包])".encode_utf16().flat_map(u16::to_le_bytes).collect();
    for (bytes, text) in [
        (&b"(;GM[4]CA[Big5]PB[\xb3\x5c\xa5\x5c])"[..], "(;GM[4]CA[Big5]PB[許功])"),
        (b"(;GM[4] CA [ GBK ]PB[\xb9\xc5\xc1\xa6])", "(;GM[4] CA [ GBK ]PB[古力])"),
        (b"(;GM[4]CA[Klingon]PB[Andr\xe9])", "(;GM[4]CA[Klingon]PB[André])"),
        (b"(;GM[4]PB[Andr\xe9])", "(;GM[4]PB[André])"),
        ("(;GM[4]PB[André])".as_bytes(), "(;GM[4]PB[André])"),
        (&wide, "(;GM[4]PB[包])"),
    ] {
        assert_eq!(read(bytes), text);
    }
}

#[test]
fn a_game_without_room_costs_no_other() {
    let Some(browser) = browser() else { return };
    let folder = Folder::serve(&Path::new(env!("CARGO_MANIFEST_DIR")).join("assets"));
    browser.open(&format!("http://{}/kept.js", folder.address));
    let kept = browser.script(
        "return import('/kept.js').then(({ games, keep, read }) => { \
         const readable = () => games().filter(game => read(game.id)).length; \
         for (let nth = 0; nth < 20; nth += 1) keep(`g${nth}`, 'uttt', 1, 'x'.repeat(9000)); \
         const huge = [keep('huge', 'uttt', 1, 'x'.repeat(6e6)), keep('g7', 'uttt', 2, 'x'.repeat(6e6))]; \
         const after = [games().length, readable(), games().find(game => game.id === 'g7').length]; \
         const large = keep('large', 'uttt', 1, 'x'.repeat(5.1e6)); \
         return [...huge, ...after, large, games().length === readable(), games()[0].id]; })",
    );
    assert_eq!(kept, serde_json::json!([false, false, 20, 20, 1, true, true, "large"]));
}
