//! Faults that a user met, each as its rule.

use crate::browser::{count, ready, state, text};
use crate::engines::{arena_with, folder_of};
use crate::server::{Answer, Arena, TWO, clicks, exchange, field, figure, wait};
use serde_json::json;

#[test]
fn a_page_says_that_the_server_is_away_and_goes_on_with_the_next_one() {
    let Some(browser) = ready(&[]) else { return };
    let data = tempfile::tempdir().unwrap();
    let folder = data.path().to_str().unwrap();
    let arena = Arena::start(&["--data", folder]);
    let room = arena.open("uttt", &TWO, "");
    arena.press(&room, "40", &[]);
    let address = arena.address.clone();
    browser.open(&format!("http://{address}{room}?lang=en"));
    wait("the page", || (text(&state(&browser), "length") == "1").then_some(()));
    drop(arena);
    let is_away = || browser.script("return !document.getElementById('away').hidden").as_bool().unwrap();
    wait("the news", || is_away().then_some(()));
    browser.click("[data-cell=\"36\"]");
    let said = || browser.script("return document.querySelector('.status').innerText");
    let said =
        wait("an answer", || said().as_str().filter(|said| !said.contains("to move")).map(str::to_owned));
    assert!(said.contains("server does not answer"), "{said}");
    assert_eq!(count(&browser, ".pressed"), 0, "what was not done is not chosen");
    let port = address.rsplit(':').next().unwrap();
    let arena = Arena::start(&["--data", folder, "--port", port]);
    wait("the server again", || (!is_away()).then_some(()));
    wait("a click that counts", || {
        // A slow answer lets the next look click again, for the other side.
        browser.click("#room:not(.busy) .hit.legal");
        text(&state(&browser), "length").parse::<usize>().ok().filter(|&length| length >= 2)
    });
    assert_eq!(count(&browser, ".status.refused"), 0);
    // A server without this game says so.
    drop(arena);
    let _other = Arena::start(&["--no-data", "--port", port]);
    let shown = || browser.script("return document.body.innerText");
    let is_gone = || shown().as_str().is_some_and(|said| said.to_lowercase().contains("this game is gone"));
    wait("the end", || is_gone().then_some(()));
}

#[test]
fn an_analysis_says_that_the_game_is_over_where_it_is() {
    let Some(browser) = ready(&[]) else { return };
    let (arena, _folder) = arena_with("while read word rest; do echo ready; done", &[]);
    let full = format!("{}{} X", "X".repeat(33), "O".repeat(31));
    browser.view(360, 740, true);
    let room = arena.open("othello", &TWO, &full);
    for (language, wanted) in [("en", "the game is over here"), ("fr", "la partie est finie ici")] {
        browser.open(&format!("http://{}{room}?lang={language}", arena.address));
        if count(&browser, ".study") == 0 {
            assert!(browser.click("[data-do=study]"));
        }
        let told = || browser.script("return document.querySelector('.study')?.textContent");
        let told = wait("the analysis", || told().as_str().map(str::to_owned));
        assert!(told.contains(wanted) && !told.contains('…'), "{told}");
    }
}

#[test]
fn names_of_players_are_names_of_people() {
    let arena = Arena::start(&[
        "--no-data",
        "--player",
        "othello:L'élève d'Ève=gtp:false",
        "--player",
        "Prof=gtp:false",
    ]);
    let room = arena.open("othello", &["person", "L'élève d'Ève"], "");
    let view = arena.get(&format!("{room}/view")).body;
    // It has no levels: it is its name.
    assert!(view.contains("L'élève d'Ève<") && !view.contains("level 1"), "{view}");
    let timed = json!({ "game": "othello", "seats": ["person", "Prof"], "strength": "millis 1000" });
    let view = arena.get(&format!("{}/view", arena.enter(&timed))).body;
    assert!(view.contains("Prof · 1 s"), "{view}");
    // An option's value is no name.
    for wrong in ["python x.py --a=b", "=false", "person=false", "<b>=false"] {
        let run = std::process::Command::new(env!("CARGO_BIN_EXE_arena"))
            .args(["--player", wrong])
            .output()
            .unwrap();
        assert_eq!(run.status.code(), Some(2), "{wrong}");
    }
}

#[test]
fn an_engine_that_crashed_is_asked_again() {
    let folder = tempfile::tempdir().unwrap();
    let mark = folder.path().join("crashed");
    let once = format!(
        "othello:L'élève d'Ève=gtp:sh -c 'while read c r; do case $c in genmove) [ -e {0} ] || {{ : > {0}; exit 3; }}; echo \"= c5\";; *) echo =;; esac; echo; done'",
        mark.display()
    );
    let Some(browser) = ready(&[]) else { return };
    let arena = Arena::start(&["--no-data", "--sandbox", "off", "--player", &once]);
    browser.view(360, 740, false);
    browser.open(&format!("http://{}/?lang=en&game=othello", arena.address));
    browser.script(
        "const seat = document.querySelector('[name=seat1]'); seat.value = \"L'élève d'Ève\"; \
         seat.dispatchEvent(new Event('change', { bubbles: true }))",
    );
    assert!(browser.click("button[value=play]"));
    wait("the room", || (text(&state(&browser), "game") == "othello").then_some(()));
    let seats = browser.script("return document.querySelector('.seats').textContent").to_string();
    // It has no levels: it is its name.
    assert!(seats.contains("L'élève d'Ève") && !seats.contains("level"), "{seats}");
    browser.tap("[data-cell=d3]");
    wait("the fault", || text(&state(&browser), "say").contains("the engine failed").then_some(()));
    let name = browser.script("return document.querySelector('[data-do=retry]').textContent");
    assert_eq!(name, "try again");
    assert!(browser.click("[data-do=retry]"));
    wait("the answer", || (text(&state(&browser), "length") == "2").then_some(()));
    assert_eq!((count(&browser, "[data-do=retry]"), count(&browser, ".refused")), (0, 0));
}

#[test]
fn arrow_keys_lead_through_a_replay_and_change_nothing() {
    let Some(browser) = ready(&[]) else { return };
    let arena = Arena::start(&["--no-data"]);
    let othello = "(;GM[Othello]PC[x]PB[a]PW[b]RE[?]TI[0]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[F5]W[D6];)";
    let head = "partie 13x11 dunes 0 joueurs 1 moules 3 bieres 1 frites 1 laby 1 bonus 1 tours 6";
    let maze = format!("{head}\nnom 0 un\n0 E\n0 S\n");
    for game in [othello, &maze] {
        let room = arena.upload(game);
        browser.open(&format!("http://{}{room}?at=0&lang=en", arena.address));
        let at = |wanted: &str| {
            wait("the move", || (text(&state(&browser), "at") == wanted).then_some(()));
            assert_eq!(text(&state(&browser), "length"), "2");
        };
        at("0");
        // Right, left, and the key without Shift of a French keyboard.
        for (key, wanted) in [("\u{e014}", "1"), ("\u{e014}", "2"), ("\u{e012}", "1"), (";", "2"), (",", "1")]
        {
            browser.keys(&[key]);
            at(wanted);
        }
    }
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn the_english_maze_is_english() {
    let arena = Arena::start(&["--no-data"]);
    let start = "maze 1 items 1 size 11x9 dunes 0 mussels 2 beers 1 frites 1";
    let room = arena.open("moules", &["person"], start);
    let mut view = arena.get(&format!("{room}/view")).body;
    assert!(view.contains("fries") && !view.contains("← O"), "{view}");
    for _ in 0..4 {
        let click = clicks(&view).into_iter().find(|click| click == "O" || click == "E").unwrap();
        view = arena.press(&room, &click, &[]);
    }
    view = arena.press(&room, "O", &[]);
    assert!(field(&view, "say").contains("player 0: W."), "{}", field(&view, "say"));
    // A position is written in the course's words.
    let page = view.split("class=\"share\"").next().unwrap();
    assert!(![" frite", ">frite"].iter().any(|word| page.contains(word)) && page.contains("← W"), "{page}");
    let french = arena.get(&format!("{room}/view?lang=fr")).body;
    assert!(french.contains(" frite") && french.contains("← O"), "{french}");
    let Some(browser) = ready(&[]) else { return };
    browser.view(360, 740, false);
    browser.open(&format!("http://{}{room}?lang=en", arena.address));
    let seen = browser.script("return document.querySelector('.stage').innerText").to_string();
    assert!(seen.contains("← W") && !seen.contains("← O") && !seen.contains("frite"), "{seen}");
}

/// An analysis for which black is ahead by four discs, as an estimate where black moves and proven where white does.
pub const FOUR_AHEAD: &str = "while read word rest; do case $word in position) echo ready; \
     case $rest in *X|*X\\;) score='points 4';; *) score='exact -4';; esac;; \
     analyse) echo \"info rank 1 depth 1 score $score nodes 1 time 1 line c5\";; esac; done";

#[test]
fn the_graph_has_one_scale_with_its_unit_and_side() {
    let Some(browser) = ready(&[]) else { return };
    let (arena, _folder) = arena_with(FOUR_AHEAD, &[]);
    let room = arena.open("othello", &TWO, "");
    for cell in ["d3", "c5", "f6"] {
        arena.press(&room, cell, &[]);
    }
    browser.view(390, 844, true);
    browser.open(&format!("http://{}{room}?lang=en", arena.address));
    assert!(browser.click("[data-do=study]"));
    wait("the button", || browser.click("[data-do=graph]").then_some(()));
    let label = || browser.label(".graph circle[data-at=\"1\"]");
    wait("the whole game", || {
        (count(&browser, ".graph circle") == 4 && label() == "after 1 move: +4.00").then_some(())
    });
    // Estimates and proven values of four discs are at the same height.
    let heights = browser.script(
        "return [...document.querySelectorAll('.graph circle')].map(one => one.getAttribute('cy')).join(' ')",
    );
    let heights: Vec<&str> = heights.as_str().unwrap().split(' ').collect();
    assert!(heights.windows(2).all(|pair| pair[0] == pair[1]), "{heights:?}");
    let words =
        browser.script("return document.querySelector('.graphed').innerText.split(/\\s*\\n\\s*/).join(' ')");
    let scale = browser
        .script("return [...document.querySelectorAll('.scale')].map(one => one.textContent).join(' ')");
    assert_eq!((scale.as_str(), count(&browser, "#room h1")), (Some("+5 0 −5"), 1));
    assert!(words.as_str().unwrap().contains("discs; above: black is better"), "{words}");
    // A point is reached by the keyboard, and leads to its position.
    browser.script("document.querySelector('.graph circle[data-at=\"1\"]').focus()");
    browser.keys(&["\u{e007}"]);
    wait("the position", || (text(&state(&browser), "at") == "1").then_some(()));
    let wide = browser.script("return document.documentElement.scrollWidth").as_u64().unwrap();
    assert!(wide <= 390, "{wide} wide");
}

/// Decided values: of two moves to one square, and of one onto men.
const DECIDED: &str = "while read word rest; do case $word in position) echo ready;; analyse) \
     echo 'info rank 1 depth 1 score win 5 nodes 1 time 1 line d2-d3'; \
     echo 'info rank 2 depth 1 score loss 12 nodes 1 time 1 line e2-d3'; \
     echo 'info rank 3 depth 1 score loss 12 nodes 1 time 1 line d2-c2';; esac; done";

/// The contrast of each value with its plate (WCAG 2.2), and whether plates are apart and no wider than a cell.
const LEGIBLE: &str = "
    const part = value => { const share = value / 255; return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4; };
    const light = item => { const [r, g, b] = getComputedStyle(item).fill.match(/\\d+/g).map(Number);
        return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b) + 0.05; };
    const values = [...document.querySelectorAll('.board .value')];
    const contrasts = values.map(value => { const [a, b] = [value, value.previousElementSibling].map(light); return Math.max(a / b, b / a); });
    const plates = values.map(value => value.previousElementSibling.getBoundingClientRect());
    const cell = document.querySelector('.hit').getBoundingClientRect();
    const inside = (box, text) => text.left >= box.left - 1 && text.right <= box.right + 1;
    return {
        texts: values.map(value => value.textContent).join(' '),
        legible: contrasts.every(contrast => contrast >= 4.5),
        fit: plates.every((plate, nth) => plate.width <= cell.width + 1 && inside(plate, values[nth].getBoundingClientRect())),
        apart: plates.every((one, nth) => plates.every((other, mth) => nth === mth
            || one.right <= other.left || other.right <= one.left || one.bottom <= other.top + 1 || other.bottom <= one.top + 1)),
    };";

#[test]
fn decided_values_are_legible_over_men_and_fit_their_cells() {
    let Some(browser) = ready(&[]) else { return };
    let folder = folder_of("gounki", DECIDED);
    let arena = Arena::start(&["--no-data", "--bin-dir", folder.path().to_str().unwrap()]);
    let room = arena.open("gounki", &TWO, "");
    browser.open(&format!("http://{}{room}?lang=en", arena.address));
    assert!(browser.click("[data-do=study]"));
    wait("the values", || (count(&browser, ".board .value") == 3).then_some(()));
    for (width, height, dark) in [(1200, 900, false), (1200, 900, true), (360, 740, false), (360, 740, true)]
    {
        browser.view(width, height, dark);
        let found = browser.script(LEGIBLE);
        let mut texts: Vec<&str> = found["texts"].as_str().unwrap().split(' ').collect();
        texts.sort_unstable();
        assert_eq!(texts, ["+#5", "−#12", "−#12"]);
        for what in ["legible", "fit", "apart"] {
            assert_eq!(found[what], true, "{what}, {width} wide, dark: {dark}");
        }
    }
}

/// An analysis that finds another move after the time of a hint.
const SEES_MORE: &str = "while read word rest; do case $word in position) echo ready;; analyse) \
     echo 'info rank 1 depth 1 score points 1 nodes 1 time 1 line d3'; sleep 1.3; \
     echo 'info rank 1 depth 9 score points 1 nodes 9 time 1300 line c4';; esac; done";

#[test]
fn a_hint_goes_when_the_analysis_that_was_switched_on_sees_more() {
    let (arena, _folder) = arena_with(SEES_MORE, &[]);
    let room = arena.open("othello", &TWO, "");
    arena.act(&room, "hint");
    let shown = || arena.get(&format!("{room}/view")).body;
    wait("the hint", || shown().contains("hint: d3").then_some(()));
    arena.post(&format!("{room}/act"), &json!({ "do": "study", "on": true }));
    let view = wait("the analysis", || Some(shown()).filter(|view| view.contains("hint: c4")));
    assert!(!view.contains("hint: d3"), "{view}");
}

/// An analysis that changes its mind after a tenth of a second.
const CHANGES: &str = "while read word rest; do case $word in position) echo ready;; analyse) \
     echo 'info rank 1 depth 1 score points 1 nodes 1 time 1 line d3'; sleep 0.1; \
     echo 'info rank 1 depth 2 score points 1 nodes 1 time 1 line c4';; esac; done";

#[test]
fn a_hint_is_the_analysiss_best_move_after_a_second_whatever_the_opponents_level() {
    let Some(browser) = ready(&[]) else { return };
    let (arena, _folder) = arena_with(CHANGES, &[]);
    for level in ["level 1", "level 10"] {
        let wish = json!({ "game": "othello", "seats": ["person", "own"], "strength": level });
        browser.open(&format!("http://{}{}?lang=en", arena.address, arena.enter(&wish)));
        let best = || browser.script("return document.querySelector('.best')?.outerHTML ?? null");
        assert!(browser.click("[data-do=hint]"));
        let hint = wait("the hint", || Some(best()).filter(|best| best.is_string()));
        wait("the button", || browser.click("[data-do=study]").then_some(()));
        let figures = || browser.script("return document.querySelector('.study .figures')?.textContent");
        wait("depth 2", || figures().as_str()?.contains("depth 2").then_some(()));
        assert_eq!(hint, best(), "{level}");
    }
}

#[test]
fn a_click_costs_little_on_the_way() {
    let arena = Arena::start(&["--no-data"]);
    let room = arena.open("connect5", &TWO, "15x15");
    let ask = |method: &str, path: &str, had: &str, body: &str| {
        let (address, token, length) = (&arena.address, &arena.token, body.len());
        let request = format!(
            "{method} {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nX-Arena-Token: {token}\r\n\
             Accept-Encoding: gzip\r\nX-Arena-Text: {had}\r\nContent-Length: {length}\r\n\r\n{body}"
        );
        exchange(&arena.address, &request)
    };
    let number = |answer: &Answer| {
        let line = answer.head.lines().find(|line| line.to_ascii_lowercase().starts_with("x-arena-text:"));
        line.unwrap().split(':').nth(1).unwrap().trim().to_owned()
    };
    let size = |answer: &Answer| answer.length;
    let first = ask("GET", &format!("{room}/view"), "-", "");
    assert!(size(&first) < 15_000, "{}", size(&first));
    let mut had = number(&first);
    for cell in ["h8", "a1", "h9"] {
        let act = format!("{{\"do\":\"press\",\"click\":\"{cell}\"}}");
        let answer = ask("POST", &format!("{room}/act"), &had, &act);
        assert!(size(&answer) <= 5000, "{cell}: {} bytes", size(&answer));
        had = number(&answer);
    }
    // Whoever reads nothing compressed and has no text gets it whole.
    assert!(arena.get(&format!("{room}/view")).body.contains("id=\"view\""));
}

#[test]
fn a_click_in_a_browser_is_answered_once_and_changes_what_is_seen() {
    let Some(browser) = ready(&[]) else { return };
    let arena = Arena::start(&["--no-data"]);
    let room = arena.open("connect5", &TWO, "15x15");
    browser.open(&format!("http://{}{room}?lang=en", arena.address));
    browser.script("window.asked = []; const old = window.fetch; window.fetch = (...all) => { asked.push(String(all[0])); return old(...all); }");
    for (nth, cell) in ["h8", "a1", "h9", "b2"].iter().enumerate() {
        browser.script(&format!(
            "document.querySelector('[data-cell={cell}]').dispatchEvent(new MouseEvent('click', {{ bubbles: true }}))"
        ));
        wait("the move", || (text(&state(&browser), "length") == (nth + 1).to_string()).then_some(()));
    }
    std::thread::sleep(std::time::Duration::from_millis(600));
    let asked = browser.script("return asked.length").as_u64().unwrap();
    assert!(asked <= 5, "{} requests for four clicks", asked);
    let shown = browser
        .script("return [...document.querySelectorAll('.moves button')].map(b => b.textContent).join(' ')");
    assert_eq!(shown, "h8 a1 h9 b2");
    // What the page shows is what a page that is loaded now shows.
    let board = || {
        browser.script(
            "return document.querySelector('.boardbox').innerHTML.replace(/ tabindex=\"[^\"]*\"/g, '')",
        )
    };
    let before = board();
    browser.open(&format!("http://{}{room}?lang=en", arena.address));
    assert_eq!(before, board());
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn ten_tabs_of_a_browser_share_one_stream() {
    let Some(browser) = ready(&[]) else { return };
    let arena = Arena::start(&["--no-data"]);
    let rooms: Vec<String> = (0..10).map(|_| arena.open("uttt", &TWO, "")).collect();
    let address = |room: &str| format!("http://{}{room}?lang=en", arena.address);
    browser.open(&address(&rooms[0]));
    for room in &rooms[1..] {
        browser.open_in_tab(&address(room));
        wait("the page", || (text(&state(&browser), "length") == "0").then_some(()));
    }
    // A move in the last tab, and one that comes from elsewhere.
    wait("a click", || browser.click("[data-cell=\"40\"]").then_some(()));
    wait("the move", || (text(&state(&browser), "length") == "1").then_some(()));
    arena.press(&rooms[9], "36", &[]);
    wait("the news", || (text(&state(&browser), "length") == "2").then_some(()));
    // The first tab listened for all of them: another one does when it is gone.
    browser.close_first_tab();
    arena.press(&rooms[9], "0", &[]);
    wait("the news by another tab", || (text(&state(&browser), "length") == "3").then_some(()));
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn boards_fit_their_window() {
    let Some(browser) = ready(&[]) else { return };
    let arena = Arena::start(&["--no-data"]);
    for (game, start) in [
        ("moules", "maze 1 items 1 size 17x17"),
        ("moules", "maze 1 items 1 size 31x31"),
        ("connect5", "40x40"),
        ("othello", ""),
        ("gounki", ""),
    ] {
        let room = arena.open(game, &TWO, start);
        browser.open(&format!("http://{}{room}?lang=en", arena.address));
        for (width, height) in [(1366, 768), (390, 844), (360, 640)] {
            browser.view(width, height, false);
            let fits = "const box = document.querySelector('.boardbox svg').getBoundingClientRect(); \
                        return box.height > 250 && box.bottom <= innerHeight && box.left >= 0 && box.right <= innerWidth";
            assert!(browser.script(fits).as_bool().unwrap(), "{game} {start}, {width} wide");
        }
    }
}

#[test]
fn buttons_of_the_maze_stay_where_they_are() {
    let arena = Arena::start(&["--no-data"]);
    let room = arena.open("moules", &["person"], "maze 3 items 3 dunes 10");
    let mut view = arena.get(&format!("{room}/view")).body;
    for _ in 0..6 {
        let words = view.split("class=\"words\"").nth(1).unwrap().split("</p>").next().unwrap();
        let texts: Vec<&str> =
            words.split("<button").skip(1).map(|one| &one[one.find('>').unwrap() + 1..]).collect();
        let order = ["↑ N", "↓ S", "→ E", "← W", "stay", "fries", "beer"];
        assert!(
            texts.len() == 7 && texts.iter().zip(order).all(|(text, wanted)| text.starts_with(wanted)),
            "{words}"
        );
        let click = clicks(&view).into_iter().find(|click| "NSEO".contains(click.as_str())).unwrap();
        view = arena.press(&room, &click, &[]);
    }
}

#[test]
fn a_refusal_is_said_again_and_a_hint_is_said() {
    let Some(browser) = ready(&[]) else { return };
    let (arena, _folder) = arena_with(CHANGES, &[]);
    let room = arena.open("othello", &TWO, "");
    browser.open(&format!("http://{}{room}?lang=en", arena.address));
    browser.script("window.said = []; new MutationObserver(() => said.push(document.getElementById('say').textContent.trim())).observe(document.getElementById('say'), { childList: true, characterData: true, subtree: true })");
    let said = |text: &str| {
        let all = browser.script("return said");
        all.as_array().unwrap().iter().filter(|one| one.as_str().unwrap().contains(text)).count()
    };
    for times in 1..=2 {
        browser.click("[data-cell=a1]");
        wait("the refusal", || (said("turns no disc") == times).then_some(()));
    }
    assert!(browser.click("[data-do=hint]"));
    wait("the hint", || (said("hint: c4") >= 1).then_some(()));
    assert_eq!(count(&browser, "#room h1"), 1);
}

#[test]
fn a_click_far_away_is_seen_at_once_and_costs_little() {
    let Some(browser) = ready(&[]) else { return };
    let arena = Arena::start(&["--no-data"]);
    let room = arena.open("connect5", &TWO, "15x15");
    browser.view(390, 844, false);
    browser.open(&format!("http://{}{room}?lang=en", arena.address));
    browser.slow_down(400, 50 * 1024);
    for (nth, cell) in ["h8", "a1", "h9", "b2", "g7"].iter().enumerate() {
        browser.script(&format!(
            "window.seen?.disconnect(); window.signs = []; performance.clearResourceTimings(); \
             const began = window.began = performance.now(); \
             window.seen = new MutationObserver(() => signs.push(performance.now() - began)); \
             seen.observe(document.getElementById('room'), {{ subtree: true, attributes: true }}); \
             document.querySelector('[data-cell={cell}]').dispatchEvent(new MouseEvent('click', {{ bubbles: true }}))"
        ));
        assert_eq!((count(&browser, ".hit.pressed"), text(&state(&browser), "length")), (1, nth.to_string()));
        wait("the move", || (text(&state(&browser), "length") == (nth + 1).to_string()).then_some(()));
        std::thread::sleep(std::time::Duration::from_millis(300));
        let first = browser.script("return signs[0]").as_f64().unwrap();
        let sizes = browser.script(
            "return performance.getEntriesByType('resource').filter(one => one.startTime >= began).map(one => one.transferSize).reduce((a, b) => a + b, 0)",
        );
        let bytes = sizes.as_u64().unwrap();
        figure(&format!("click {cell}, 400 ms and 50 kB/s away: seen after {first:.0} ms, {bytes} bytes"));
        assert!(first < 150.0, "{cell}: {first} ms");
        assert!(bytes > 0 && bytes <= 5000, "{cell}: {bytes} bytes");
    }
}
