//! The page of the searches, in a real browser.

use crate::browser::ready;
use crate::driver::Browser;
use crate::server::{Arena, wait};
use courses::registry;
use courses::thinking::{Algorithm, TIC_TAC_TOE};

fn data(browser: &Browser, name: &str) -> String {
    let script = format!("return document.querySelector('.thinking')?.dataset.{name} ?? ''");
    browser.script(&script).as_str().unwrap_or_default().to_owned()
}

fn at(browser: &Browser, step: usize) {
    wait("the step", || (data(browser, "at") == step.to_string()).then_some(()));
}

#[test]
fn a_search_is_watched_by_keys_buttons_and_on_a_phone() {
    let Some(browser) = ready(&[]) else { return };
    let arena = Arena::start(&["--no-data"]);
    browser.view(390, 844, false);
    browser.open(&format!("http://{}/search?lang=en", arena.address));
    at(&browser, 0);
    assert_eq!(data(&browser, "demo"), TIC_TAC_TOE[0].name);
    browser.keys(&["."]);
    at(&browser, 1);
    let said = "return document.getElementById('say').textContent";
    wait("the sentence", || (browser.script(said) == "Iteration 1: it looks 1 ply ahead.").then_some(()));
    browser.keys(&["c"]);
    let cut = TIC_TAC_TOE[0]
        .record(Algorithm::AlphaBeta)
        .scene(1, courses::drawing::Language::English)
        .next_cut
        .unwrap();
    at(&browser, cut);
    assert!(data(&browser, "say").contains("β is reached"));
    let wide = browser.script("return document.documentElement.scrollWidth - innerWidth").as_i64().unwrap();
    assert!(wide <= 0, "{wide} pixels beside a phone");
    // A link keeps the place in the other language.
    let french = "return document.querySelector('.languages a[lang=fr]').href";
    let link = browser.script(french).as_str().unwrap().to_owned();
    assert!(link.contains(&format!("at={cut}")) && link.contains("lang=fr"), "{link}");
    browser.open(&link);
    at(&browser, cut);
    assert!(data(&browser, "say").contains("β est atteint"), "{}", data(&browser, "say"));
    browser.keys(&["p"]);
    wait("two steps", || (data(&browser, "at").parse::<usize>().ok()? >= cut + 2).then_some(()));
    browser.keys(&["p"]);
    browser.script(
        "const form = document.getElementById('wanted'); form.elements.demo.value = 'uttt-end'; \
         form.elements.search.value = 'proof'; form.dispatchEvent(new Event('change', { bubbles: true }))",
    );
    wait("another search", || {
        (data(&browser, "search") == "proof" && data(&browser, "at") == "0").then_some(())
    });
    wait("the end", || browser.click("#thinking .browse button:nth-of-type(4)").then_some(()));
    wait("the last step", || (data(&browser, "at") == data(&browser, "count")).then_some(()));
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn a_step_is_drawn_for_whoever_asks_and_only_where_there_is_one() {
    let arena = Arena::start(&["--no-data"]);
    for name in registry::all().into_iter().flat_map(|game| game.assignment().demos()).map(|demo| demo.name) {
        let page = arena.get(&format!("/search/view?demo={name}&search=montecarlo&at=5")).body;
        assert!(page.contains(&format!("data-demo=\"{name}\"")) && page.contains("class=\"tree\""), "{page}");
    }
    for path in ["/search/view?demo=chess", "/search/view?search=minimax"] {
        assert_eq!(arena.get(path).status, 404, "{path}");
    }
    let far = arena.get("/search/view?at=99999999999999999999").body;
    assert!(far.contains("data-at=\"0\""), "a step that is no number is the first one");
}
