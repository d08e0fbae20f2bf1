//! Every room by the keyboard alone: Tab reaches everything and is seen where it is, keys play and look, the live region
//! says what happened; in narrow and wide windows, in light and dark.

use crate::browser::{begin, count, ready, state, text};
use crate::driver::Browser;
use crate::engines::{DEEPENS, arena_with};
use crate::server::{Arena, wait};
use serde_json::{Value, json};

const TAB: &str = "\u{e004}";
const ENTER: &str = "\u{e007}";
const HOME: &str = "\u{e011}";
const END: &str = "\u{e010}";
const LEFT: &str = "\u{e012}";
const UP: &str = "\u{e013}";
const RIGHT: &str = "\u{e014}";
const DOWN: &str = "\u{e015}";
/// The page's widths and heights in pixels, each with a light or dark colour scheme (true).
const VIEWS: [(u32, u32, bool); 4] =
    [(360, 740, false), (360, 740, true), (1400, 900, false), (1400, 900, true)];

/// Notes what gets the focus: whether it is seen there, and inside the window.
const WATCH: &str = "
    const name = item => [item.tagName, item.id, item.name, item.dataset.do, item.dataset.cell && 'cell',
        item.getAttribute('aria-label') || item.textContent.trim().slice(0, 30)].join(' ');
    window.interactive = () => [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex=\"0\"], [data-do], [data-run], [data-clear], [data-download]')]
        .filter(item => !item.disabled && item.checkVisibility() && item.getAttribute('tabindex') !== '-1' && !(item.type === 'radio' && !item.checked)).map(name);
    window.walked = {};
    addEventListener('focusin', ({ target }) => {
        const style = getComputedStyle(target.closest('.card') || target);
        const seen = style.outlineStyle !== 'none' && style.outlineWidth !== '0px'
            || target.matches('.hit') && style.stroke !== 'none';
        const { left, right } = target.getBoundingClientRect();
        walked[name(target)] = { seen, inside: left >= -1 && right <= innerWidth + 1 };
    });
    document.activeElement.blur();
    window.first = interactive();
    return first.length;";

/// Walks through the page by Tab, which is held down.
fn walk(browser: &Browser, place: &str) {
    let many = browser.script(WATCH).as_u64().unwrap() as usize;
    // What came during the walk may stand where it has passed.
    let left = "return interactive().filter(item => first.includes(item) && !(item in walked))";
    let mut missed = Value::Null;
    // Once, and again if something moved: a game that ends adds a link.
    for _ in 0..2 {
        browser.hold(TAB, many + 2);
        missed = browser.script(left);
        if missed == json!([]) {
            break;
        }
    }
    assert_eq!(missed, json!([]), "{place}: what Tab does not reach");
    let unseen = "return Object.entries(walked).filter(([, at]) => !at.seen || !at.inside)";
    assert_eq!(browser.script(unseen), json!([]), "{place}: where the focus is not seen");
}

/// Walks through a page in a narrow window in light colours, and in a wide one in dark colours.
fn walk_everywhere(browser: &Browser, place: &str, address: &str) {
    for (width, height, dark) in [VIEWS[0], VIEWS[3]] {
        browser.view(width, height, dark);
        browser.open(address);
        let place = format!("{place}, {width} wide, {}", if dark { "dark" } else { "light" });
        walk(browser, &place);
        let wide = browser.script("return document.documentElement.scrollWidth").as_u64().unwrap();
        assert!(wide <= u64::from(width), "{place}: {wide} wide");
    }
    assert_eq!(browser.complaints(), Vec::<String>::new(), "{place}");
}

#[test]
fn tab_reaches_everything_in_every_room_and_is_seen_there() {
    let Some(browser) = ready(&[]) else { return };
    let arena = Arena::start(&["--no-data"]);
    let at = |path: &str| {
        format!("http://{}{path}{}lang=fr", arena.address, if path.contains('?') { "&" } else { "?" })
    };
    for (place, path) in
        [("home", "/"), ("watch", "/watch"), ("open", "/open"), ("a start", "/?game=uttt&start=40")]
    {
        walk_everywhere(&browser, place, &at(path));
    }
    let starts = [
        ("othello", "d3c5"),
        ("uttt", "40 36"),
        ("gounki", "c1-b1 b7-a6"),
        ("connect5", "7x7 d4"),
        ("moules", "maze 1 items 1 size 13x11 dunes 10"),
    ];
    for (game, start) in starts {
        let room = arena.open(game, &["person", "person"], start);
        let first = crate::server::clicks(&arena.get(&format!("{room}/view")).body).remove(0);
        arena.press(&room, &first, &[]);
        walk_everywhere(&browser, game, &at(&room));
        walk_everywhere(&browser, &format!("{game}, looking back"), &at(&format!("{room}?at=0")));
    }
}

#[test]
fn tab_reaches_everything_while_the_page_changes() {
    let Some(browser) = ready(&["referee"]) else { return };
    let (arena, _folder) = arena_with(DEEPENS, &[]);
    begin(&browser, &arena, "othello", "d3c5f6", "study");
    let path = browser.script("return location.pathname");
    let room = format!("http://{}{}?lang=en", arena.address, path.as_str().unwrap());
    walk_everywhere(&browser, "study", &room);
    // Who stands on a button stands there in the next picture.
    assert!(reach(&browser, "[data-do=study]"));
    let version = || text(&state(&browser), "version");
    let before = version();
    wait("the next picture", || (version() != before).then_some(()));
    assert!(is_on(&browser, "[data-do=study]"));
    let (mut run, address) = crate::browser::tournament("--rounds 30 --pace 40");
    walk_everywhere(&browser, "tournament", &address);
    assert!(reach(&browser, ".standing"));
    let moves = || browser.script("return document.querySelector('.tables').textContent");
    let before = moves();
    wait("the next moves", || (moves() != before).then_some(()));
    assert!(is_on(&browser, ".standing"));
    let said = || browser.script("return document.getElementById('say').textContent");
    wait("the score, aloud", || said().as_str()?.contains("games").then_some(()));
    run.kill().unwrap();
    run.wait().unwrap();
}

/// Returns whether the keyboard is on this.
fn is_on(browser: &Browser, selector: &str) -> bool {
    browser.script(&format!("return document.activeElement.matches('{selector}')")).as_bool().unwrap()
}

/// Returns how many elements Tab passes before the first one of a selector.
const AHEAD: &str = "
    const stops = [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]')]
        .filter(item => item.tabIndex >= 0 && !item.disabled && item.checkVisibility() && !(item.type === 'radio' && !item.checked));
    const from = stops.indexOf(document.activeElement);
    return Math.max(0, stops.findIndex((item, nth) => nth > from && item.matches(SELECTOR)) - from - 1);";

/// Goes on by Tab until the keyboard is on this.
fn reach(browser: &Browser, selector: &str) -> bool {
    let ahead = browser.script(&AHEAD.replace("SELECTOR", &json!(selector).to_string()));
    browser.hold(TAB, ahead.as_u64().unwrap() as usize);
    (0..80).any(|_| {
        browser.keys(&[TAB]);
        is_on(browser, selector)
    })
}

/// Opens a game by the first page's form, without a mouse.
fn begin_by_keys(browser: &Browser, arena: &Arena, game: &str, start: &str, second: usize) {
    browser.open(&format!("http://{}/?lang=en", arena.address));
    assert!(reach(browser, "input[name=game]"));
    while !is_on(browser, &format!("[value={game}]")) {
        browser.keys(&[RIGHT]);
    }
    assert!(reach(browser, "[name=seat1]"));
    // Upwards from "our engine": a person, nobody.
    browser.keys(&vec![UP; second]);
    assert!(reach(browser, "[name=start]"));
    if start.len() > 40 {
        // As from a clipboard.
        browser.script(&format!("document.activeElement.value = {}", json!(start)));
    } else {
        let keys: Vec<String> = start.chars().map(String::from).collect();
        browser.keys(&keys.iter().map(String::as_str).collect::<Vec<_>>());
    }
    assert!(reach(browser, "button[value=play]"));
    browser.keys(&[ENTER]);
    wait("the room", || (text(&state(browser), "game") == game).then_some(()));
}

/// The text of the page's live region.
fn said(browser: &Browser) -> String {
    browser
        .script("return document.getElementById('say').textContent")
        .as_str()
        .unwrap_or_default()
        .to_owned()
}

fn is_length(browser: &Browser, length: usize) {
    wait("the move", || (text(&state(browser), "length") == length.to_string()).then_some(()));
}

#[test]
fn a_whole_visit_by_keys_alone() {
    let Some(browser) = ready(&["othello-player"]) else { return };
    let arena = Arena::start(&["--no-data"]);
    for (nth, (game, name)) in
        [("othello", "black"), ("uttt", "x"), ("connect5", "black")].into_iter().enumerate()
    {
        let (width, height, dark) = VIEWS[nth];
        browser.view(width, height, dark);
        begin_by_keys(&browser, &arena, game, "", 1);
        // The keyboard is on the board, Enter plays, and it stays there.
        wait("the board", || is_on(&browser, ".legal").then_some(()));
        browser.keys(&[ENTER]);
        is_length(&browser, 1);
        wait("the move, aloud", || said(&browser).starts_with(&format!("{name}: ")).then_some(()));
        assert!(is_on(&browser, "[data-cell]"), "{game}");
        browser.keys(&["u"]);
        is_length(&browser, 0);
        browser.keys(&["r"]);
        is_length(&browser, 1);
        for (key, at) in [(",", "0"), (".", "1"), (HOME, "0"), (END, "1")] {
            browser.keys(&[key]);
            wait("the place in the game", || (text(&state(&browser), "at") == at).then_some(()));
        }
        // The buttons do the same.
        assert!(reach(&browser, ".browse [data-at]"));
        browser.keys(&[ENTER]);
        wait("the start", || (text(&state(&browser), "at") == "0").then_some(()));
        assert!(
            is_on(&browser, ".browse button"),
            "{game}: {}",
            browser.script("return document.activeElement.outerHTML")
        );
        assert!(reach(&browser, ".moves button"));
        browser.keys(&[ENTER]);
        wait("the move's position", || (text(&state(&browser), "at") == "1").then_some(()));
        assert!(reach(&browser, "[data-do=resign]"));
        browser.keys(&[ENTER]);
        assert!(is_on(&browser, "[data-do=resign]") && !said(&browser).contains("resigned"));
        browser.keys(&[ENTER]);
        wait("the end", || said(&browser).contains("resigned").then_some(()));
    }
    // Against an engine: the keyboard finds its cell again when it is its turn.
    begin_by_keys(&browser, &arena, "othello", "", 0);
    wait("the board", || is_on(&browser, ".legal").then_some(()));
    browser.keys(&[ENTER]);
    is_length(&browser, 2);
    wait("the keyboard on the board", || is_on(&browser, "[data-cell]").then_some(()));
    browser.keys(&["h"]);
    wait("the hint", || (count(&browser, ".best") > 0).then_some(()));
    browser.keys(&["s"]);
    wait("the analysis", || (count(&browser, ".study tbody tr") > 0).then_some(()));
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn a_gounki_stack_and_the_mazes_bonuses_by_keys_alone() {
    let Some(browser) = ready(&[]) else { return };
    let arena = Arena::start(&["--no-data"]);
    browser.view(360, 740, true);
    begin_by_keys(&browser, &arena, "gounki", "c1-b1 b7-a6", 1);
    browser.keys(&[DOWN]);
    while !is_on(&browser, "[data-cell=b1]") {
        let to = if is_on(&browser, "[data-cell^=a], [data-cell^=b]") { DOWN } else { LEFT };
        browser.keys(&[if is_on(&browser, "[data-cell^=a]") { RIGHT } else { to }]);
    }
    let path = |wanted: &str| {
        wait(&format!("the path \"{wanted}\""), || (text(&state(&browser), "path") == wanted).then_some(()))
    };
    browser.keys(&[ENTER]);
    path("b1");
    browser.keys(&["+"]);
    path("b1 +");
    browser.keys(&["\u{e00c}"]);
    path("");
    browser.keys(&[ENTER]);
    path("b1");
    // The stack goes up the board: c2, or what else is legal there.
    browser.keys(&[UP, RIGHT]);
    assert!(is_on(&browser, ".legal[data-cell=c2]"));
    browser.keys(&[ENTER]);
    is_length(&browser, 1);
    assert!(said(&browser).starts_with("white: b1-c2"), "{}", said(&browser));
    browser.view(1400, 900, false);
    begin_by_keys(
        &browser,
        &arena,
        "moules",
        "maze 1 items 1 size 13x11 dunes 0 mussels 1 beers 9 frites 9",
        2,
    );
    let may = |word: &str| count(&browser, &format!("[data-click={word}]")) == 1;
    let (mut length, mut used, mut way) = (0, Vec::new(), ("E", RIGHT));
    while used.len() < 2 {
        let bonus = ["F", "B"].into_iter().find(|name| !used.contains(name) && may(name));
        // Down to the rows where bonuses lie, then to and fro.
        let keys: &[&str] = match bonus {
            Some("F") => &["f", UP],
            Some(_) => &["b", UP, "c", "c"],
            None if length < 3 => &[DOWN],
            None if may(way.0) => &[way.1],
            None => {
                way = if way.0 == "E" { ("O", LEFT) } else { ("E", RIGHT) };
                &[DOWN]
            }
        };
        browser.keys(keys);
        length += 1;
        is_length(&browser, length);
        used.extend(bonus);
        assert!(length < 60, "no bonus on the way");
    }
    assert!(said(&browser).starts_with("player 0: "), "{}", said(&browser));
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

/// The next key on the way to something that may be played: to a cell by arrows, to a button by Tab. In a maze, a turn
/// without a step.
const NEXT_KEY: &str = "
    if (view.dataset.keys?.split(' ').includes('C')) return 'c';
    const goal = ['[data-click=\"#\"]:not(:disabled)', '.hit.legal', '[data-click]:not(:disabled)']
        .map(one => document.querySelector(one)).find(one => one);
    const on = document.activeElement;
    if (!goal) return null;
    if (on === goal || !goal.dataset.cell && on.matches('[data-click]:not(:disabled)')) return '\u{e007}';
    if (!goal.dataset.cell || !on.dataset.cell) return goal.dataset.cell ? '\u{e015}' : '\u{e004}';
    const [dx, dy] = ['x', 'y'].map(axis => goal.getAttribute(axis) - on.getAttribute(axis));
    return dx > 0 ? '\u{e014}' : dx < 0 ? '\u{e012}' : dy > 0 ? '\u{e015}' : '\u{e013}';";

/// The moves of a game in which the first click that may follow is always taken.
pub fn first_moves(arena: &Arena, game: &str, start: &str) -> Vec<String> {
    let room = arena.open(game, &["person", "person"], start);
    loop {
        let view = arena.get(&format!("{room}/view")).body;
        if crate::server::clicks(&view).is_empty() {
            break;
        }
        arena.press_first(&room, view);
    }
    let record = arena.get(&format!("{room}/record")).body;
    let game: Value = serde_json::from_str(record.lines().nth(1).unwrap()).unwrap();
    let moves = game["moves"].as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned());
    // A start that is typed leaves passes out.
    moves.filter(|text| text != "pass").collect()
}

#[test]
fn every_game_is_played_to_its_end_by_keys_alone() {
    let Some(browser) = ready(&[]) else { return };
    let arena = Arena::start(&["--no-data"]);
    browser.view(1366, 768, false);
    // Gounki's first moves never end: a man that is about to leave the board.
    let runner = format!("{}B1 V0 V0 {}N1 blanc", "V0 ".repeat(56), "V0 ".repeat(4));
    for (game, start) in [
        ("othello", ""),
        ("uttt", ""),
        ("gounki", runner.as_str()),
        ("connect5", "7x7"),
        ("moules", "maze 1 items 1 size 11x9 mussels 2 beers 1 frites 1 turns 2"),
    ] {
        // The last moves of a game: its end is what counts.
        let is_short = matches!(game, "moules" | "gounki");
        let moves = if is_short { Vec::new() } else { first_moves(&arena, game, start) };
        let most = moves.len().saturating_sub(5);
        begin_by_keys(&browser, &arena, game, format!("{start} {}", moves[..most].join(" ")).trim(), 1);
        let seen = || browser.script("const { version, path } = view.dataset; return [version, path]");
        let over = wait("the end", || {
            let told = text(&state(&browser), "say");
            if ["wins", "draw", "over"].iter().any(|word| told.contains(word)) {
                return Some(told);
            }
            let before = seen();
            let key = browser.script(NEXT_KEY);
            let key = key.as_str()?;
            browser.keys(&[key]);
            if key == ENTER {
                wait("the click", || (seen() != before).then_some(()));
            }
            None
        });
        assert!(!over.is_empty(), "{game}");
    }
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn a_replay_runs_and_stops_by_keys_alone() {
    let Some(browser) = ready(&[]) else { return };
    let arena = Arena::start(&["--no-data"]);
    browser.view(360, 740, false);
    let room = arena.open("othello", &["person", "person"], "");
    for click in ["d3", "c5", "f6", "f5", "e6", "e3"] {
        arena.press(&room, click, &[]);
    }
    browser.open(&format!("http://{}{room}?lang=en", arena.address));
    browser.keys(&[HOME]);
    wait("the start", || (text(&state(&browser), "at") == "0").then_some(()));
    assert!(reach(&browser, "#speed"));
    browser.keys(&[END]);
    // A list takes letters for itself; off it they are commands again.
    assert!(reach(&browser, ".moves button"));
    browser.keys(&["p"]);
    wait("the end of the run", || (text(&state(&browser), "at") == "6").then_some(()));
    // The moves are one stop of Tab, and arrows lead along them.
    assert_eq!(count(&browser, ".moves [tabindex=\"0\"]"), 1);
    assert!(reach(&browser, ".moves .here"));
    browser.keys(&[LEFT, LEFT]);
    assert!(is_on(&browser, ".moves [data-at=\"4\"]"));
    assert!(reach(&browser, "#slider"));
    browser.keys(&[LEFT, LEFT]);
    wait("the slider's place", || (text(&state(&browser), "at") == "4").then_some(()));
    assert!(is_on(&browser, "#slider"), "the slider keeps the keyboard");
    assert!(reach(&browser, "summary"));
    browser.keys(&[ENTER]);
    assert!(reach(&browser, "[data-download=record]"));
    assert_eq!(browser.complaints(), Vec::<String>::new());
}
