//! A game that is looked through again: the run, the slider, the keys; pages that stay what they are.

use crate::browser::{count, ready, state, text};
use crate::driver::Browser;
use crate::server::{Arena, TWO, room_of, wait};

/// A game of twenty moves, opened at `at`.
fn opened(browser: &Browser, arena: &Arena, at: &str) {
    let turns: String =
        (0..20).map(|turn| format!("{} {}\n", turn % 2, ["E", "S", "E", "O"][turn / 2 % 4])).collect();
    let head = "partie 25x17 dunes 0 joueurs 2 moules 10 bieres 5 frites 8 laby 49811 bonus 52567 tours -1";
    let answer = arena.post_text("/open", &format!("{head}\nnom 0 une\nnom 1 deux\n{turns}")).body;
    let room = room_of(&answer);
    browser.open(&format!("http://{}{room}?lang=en&at={at}", arena.address));
    wait("the game", || (text(&state(browser), "length") == "20").then_some(()));
}

fn at(browser: &Browser) -> String {
    text(&state(browser), "at")
}

#[test]
fn a_run_begins_anew_from_the_end_and_goes_to_the_end() {
    let Some(browser) = ready(&[]) else { return };
    let arena = Arena::start(&["--no-data"]);
    opened(&browser, &arena, "20");
    browser.script(
        "window.seen = []; new MutationObserver(() => seen.push(document.getElementById('view').dataset.at)) \
         .observe(document.getElementById('room'), { childList: true }); \
         document.getElementById('speed').value = '50'",
    );
    assert!(browser.click("[data-run]"));
    wait("the whole game", || {
        // A picture may come again at the same move, with the review.
        let seen = browser.script("return seen.filter((at, nth) => at != seen[nth - 1]).join(' ')");
        let every = (0..=20).map(|at| at.to_string()).collect::<Vec<_>>().join(" ");
        seen.as_str()?.contains(&every).then_some(())
    });
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn the_address_holds_the_move_that_is_looked_at() {
    let Some(browser) = ready(&[]) else { return };
    let arena = Arena::start(&["--no-data"]);
    opened(&browser, &arena, "0");
    browser.keys(&[".", ".", "."]);
    wait("three moves on", || (at(&browser) == "3").then_some(()));
    let address = || browser.script("return location.href").as_str().unwrap().to_owned();
    assert!(address().contains("at=3"), "{}", address());
    let link = browser.script("return document.querySelector('[data-link]').value");
    assert!(link.as_str().unwrap().ends_with("?at=3"), "{link}");
    // A click chooses the whole link, which is copied.
    browser.script("document.querySelector('.share').open = true");
    assert!(browser.click("[data-link]"));
    let chosen = "const { value, selectionStart, selectionEnd } = document.activeElement; \
                  return value.slice(selectionStart, selectionEnd)";
    assert_eq!(browser.script(chosen), link);
    // Loaded again, come back to, and in another tab it is the same move.
    browser.open(&address());
    wait("the same move", || (at(&browser) == "3").then_some(()));
    browser.open(&format!("http://{}/", arena.address));
    browser.back();
    wait("the way back", || (at(&browser) == "3").then_some(()));
    browser.open_in_tab(&address());
    wait("the other tab", || (at(&browser) == "3").then_some(()));
    assert!(browser.click(".languages [lang=fr]"));
    wait("the other language", || {
        (browser.script("return document.documentElement.lang") == "fr" && at(&browser) == "3").then_some(())
    });
    browser.keys(&["\u{e010}"]);
    wait("the end", || (at(&browser) == "20" && !address().contains("at=")).then_some(()));
}

#[test]
fn a_replay_plays_on_in_a_game_of_its_own() {
    let Some(browser) = ready(&[]) else { return };
    let arena = Arena::start(&["--no-data"]);
    opened(&browser, &arena, "6");
    let place = || browser.script("return location.pathname").as_str().unwrap().to_owned();
    let old = place();
    // Keys change nothing.
    browser.keys(&["u"]);
    wait("the refusal", || text(&state(&browser), "say").contains("played elsewhere").then_some(()));
    wait("the click", || browser.click("[data-click=C]").then_some(()));
    wait("the new game", || (place() != old).then_some(()));
    wait("its move", || (text(&state(&browser), "length") == "7").then_some(()));
    assert_eq!(text(&state(&browser), "replay"), "false");
    browser.open(&format!("http://{}{old}?lang=en", arena.address));
    assert_eq!(
        (text(&state(&browser), "length").as_str(), text(&state(&browser), "replay").as_str()),
        ("20", "true")
    );
}

#[test]
fn the_slider_is_dragged_through_the_game() {
    let Some(browser) = ready(&[]) else { return };
    let arena = Arena::start(&["--no-data"]);
    opened(&browser, &arena, "0");
    browser.view(1400, 900, false);
    browser.drag("#slider", 0.03, 0.99);
    wait("the end", || (at(&browser) == "20").then_some(()));
    browser.drag("#slider", 0.97, 0.5);
    wait("the middle", || ["9", "10", "11"].contains(&at(&browser).as_str()).then_some(()));
    // What stands beside it is of the same picture, once the last step of the drag has come.
    let middle = wait("its buttons", || {
        let middle = at(&browser);
        let next = browser.script("return document.querySelectorAll('.browse [data-at]')[2].dataset.at");
        let slider = browser.script("return document.getElementById('slider').value");
        let next: usize = next.as_str()?.parse().ok()?;
        (slider == middle.as_str() && (next - 1).to_string() == middle).then_some(middle)
    });
    // The keys work from the slider, too.
    browser.keys(&[",", ",", ","]);
    let wanted = (middle.parse::<usize>().unwrap() - 3).to_string();
    wait("three moves back", || (at(&browser) == wanted).then_some(()));
    browser.script("document.getElementById('speed').value = '50'");
    browser.keys(&["p"]);
    wait("the run", || (at(&browser) == "20").then_some(()));
    assert_eq!(count(&browser, ".browse"), 1);
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn a_page_stays_in_its_language_whatever_another_is_in() {
    let Some(browser) = ready(&[]) else { return };
    let arena = Arena::start(&["--no-data"]);
    let room = arena.open("othello", &TWO, "");
    browser.open(&format!("http://{}{room}?lang=fr", arena.address));
    // Somebody reads another page in English.
    browser.script("return fetch('/?lang=en').then(answer => answer.status)");
    assert!(browser.click("[data-cell=d3]"));
    wait("the move", || (text(&state(&browser), "length") == "1").then_some(()));
    assert_eq!(text(&state(&browser), "say"), "noir : d3. au tour de blanc");
    browser.keys(&["r"]);
    wait("the refusal", || (text(&state(&browser), "say") == "rien à rétablir").then_some(()));
}

#[test]
fn a_page_follows_the_game_when_the_arena_was_started_again() {
    let Some(browser) = ready(&[]) else { return };
    let data = tempfile::tempdir().unwrap();
    let folder = data.path().to_str().unwrap();
    let arena = Arena::start(&["--data", folder]);
    let address = arena.address.clone();
    let room = arena.open("othello", &TWO, "");
    browser.open(&format!("http://{address}{room}?lang=en"));
    for _ in 0..4 {
        arena.press(&room, "d3", &[]);
        arena.act(&room, "undo");
    }
    arena.press(&room, "d3", &[]);
    wait("the move", || (text(&state(&browser), "length") == "1").then_some(()));
    drop(arena);
    let arena = Arena::start(&["--data", folder, "--port", &address]);
    arena.press(&room, "c5", &[]);
    wait("the move behind the start", || (text(&state(&browser), "length") == "2").then_some(()));
}

#[test]
fn a_player_of_another_game_leaves_its_seat_to_our_engine() {
    let Some(browser) = ready(&[]) else { return };
    let arena = Arena::start(&["--no-data", "--player", "othello:edax=gtp:false"]);
    browser.open(&format!("http://{}/?lang=en&game=othello", arena.address));
    browser.script("document.querySelector('[name=seat1]').value = 'edax'");
    assert!(browser.click("label:has(input[value=uttt])"));
    let seat = || browser.script("return document.querySelector('[name=seat1]').value");
    assert_eq!(seat(), "own");
    assert!(browser.click("label:has(input[value=moules])"));
    browser.script("document.querySelector('[name=seat1]').value = ''");
    assert_eq!(seat(), "");
    let others = browser.script(
        "return ['seat2', 'seat3'].map(name => document.querySelector(`[name=${name}]`).value).join()",
    );
    assert_eq!(others, ",", "nobody plays there unasked");
    assert!(browser.click("label:has(input[value=gounki])"));
    assert_eq!(seat(), "own");
    assert_eq!(
        browser.script("return document.querySelector('[name=seat1] option[value=\"\"]').hidden"),
        true
    );
}
