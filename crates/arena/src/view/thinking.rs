//! Searches to watch: the page, and its changing part for a step of a recorded search.
//!
//! A search is recorded when it is first asked for, in some milliseconds, and kept: there are few of them.

use super::{Visitor, shell, spaces};
use courses::drawing::Language;
use courses::play::counted;
use courses::registry;
use courses::thinking::{Algorithm, Demo, Recording, Row, Scene, TIC_TAC_TOE};
use maud::{Markup, PreEscaped, html};
use serde::Deserialize;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// A request about a search, as the fields of a query.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Asked {
    /// The name of the position; the first one if it is empty.
    pub demo: String,
    /// The name of the search; alpha-beta if it is empty.
    pub search: String,
    /// The step, from 1; 0 before the first.
    pub at: String,
}

type Recordings = HashMap<(&'static str, Algorithm), Arc<Recording>>;

static RECORDED: LazyLock<Mutex<Recordings>> = LazyLock::new(Mutex::default);

fn demos() -> impl Iterator<Item = &'static Demo> {
    TIC_TAC_TOE.iter().chain(registry::all().into_iter().flat_map(|game| game.assignment().demos()))
}

/// Returns a recording, which is made by the first request.
fn recorded(demo: &'static Demo, algorithm: Algorithm) -> Arc<Recording> {
    let mut all = RECORDED.lock().unwrap_or_else(PoisonError::into_inner);
    Arc::clone(all.entry((demo.name, algorithm)).or_insert_with(|| Arc::new(demo.record(algorithm))))
}

/// Returns the changing part of the page. `None` if there is no such search.
#[must_use]
pub fn thinking(asked: &Asked, language: Language) -> Option<String> {
    let demo = demos().find(|demo| asked.demo.is_empty() || demo.name == asked.demo)?;
    let is_meant = |algorithm: &Algorithm| asked.search.is_empty() || algorithm.name() == asked.search;
    let algorithm = Algorithm::ALL.into_iter().find(is_meant)?;
    let scene = recorded(demo, algorithm).scene(asked.at.parse().unwrap_or_default(), language);
    Some(spaces::text(drawn(demo, algorithm, &scene, language), language))
}

fn drawn(demo: &Demo, algorithm: Algorithm, scene: &Scene, language: Language) -> Markup {
    let say = |french: &'static str, english: &'static str| language.choose(french, english);
    let Scene { at, count, .. } = *scene;
    html! {
        section.thinking
            data-demo=(demo.name)
            data-search=(algorithm.name())
            data-at=(at)
            data-count=(count)
            data-cut=[scene.next_cut]
            data-say=(scene.sentence)
        {
            div.stage {
                div.boardbox { (PreEscaped(demo.draw(&scene.path, language))) }
                p.path { @if scene.path.is_empty() { (say("la position de départ", "the position at the start")) } @else { (scene.path.join(" ")) } }
            }
            div.walk {
                p.status { (scene.sentence) }
                (controls(scene, language))
                (PreEscaped(&scene.picture))
                @if !scene.picture.is_empty() {
                    p.unit { (say("L'arbre, un rang par demi-coup. Vert : le chemin ; gris : vu ; rouge : une coupe ou une preuve.", "The tree, a row for each ply. Green: the path; grey: seen; red: a cut or a proof.")) }
                }
                ol.rows { @for row in &scene.rows { (drawn_row(row, language)) } }
                @if !scene.line.is_empty() {
                    p.unit { (say("variante principale :", "principal variation:")) " " b { (scene.line.join(" ")) } }
                }
                p.unit { (algorithm.legend(language)) }
            }
        }
    }
}

fn controls(scene: &Scene, language: Language) -> Markup {
    let say = |french: &'static str, english: &'static str| language.choose(french, english);
    let Scene { at, count, .. } = *scene;
    let step = |to: usize, sign: &str, name: &str, is_off: bool| {
        html! { button type="button" data-at=(to) aria-label=(name) title=(name) disabled[is_off] { (sign) } }
    };
    html! {
        div.browse role="group" aria-label=(say("pas de la recherche", "steps of the search")) {
            (step(0, "«", say("début", "start"), at == 0))
            (step(at.saturating_sub(1), "‹", say("pas précédent", "previous step"), at == 0))
            (step((at + 1).min(count), "›", say("pas suivant", "next step"), at == count))
            (step(count, "»", say("fin", "end"), at == count))
            button type="button" data-run="1" disabled[at == count] { (say("défiler", "run")) }
            button type="button" data-at=(scene.next_cut.unwrap_or(at)) data-jump="1" disabled[scene.next_cut.is_none()] { (say("coupe ou preuve suivante", "next cut or proof")) }
        }
        label.slide {
            (say("pas", "step")) " " (at) " / " (count)
            input type="range" min="0" max=(count) value=(at) aria-label=(say("pas", "step"));
        }
    }
}

fn drawn_row(row: &Row, language: Language) -> Markup {
    let rest = match (row.rest, row.is_cut) {
        (0, _) => String::new(),
        (rest, true) => {
            format!("✂ {}", counted(rest as u32, language, ["coupé", "coupés"], ["cut off", "cut off"]))
        }
        (rest, false) => format!("+ {rest}"),
    };
    html! {
        li {
            p.unit { (row.head) }
            ul.chips {
                @for chip in &row.chips {
                    li class=(chip.state.class()) { b { (chip.text) } @if !chip.note.is_empty() { " " span { (language.number(&chip.note)) } } }
                }
                @if !rest.is_empty() { li.new { (rest) } }
            }
        }
    }
}

/// Returns the page of the searches.
#[must_use]
pub fn page(visitor: &Visitor) -> String {
    let title = visitor.say("Voir la recherche penser", "See the search think");
    let body = html! {
        main #view {
            h1 { (title) }
            p { (visitor.say("Ce que nos joueurs calculent, pas à pas, sur une petite position ou une vraie.", "What our players compute, step by step, on a small position or a real one.")) }
            form #wanted {
                label { (visitor.say("position", "position")) " "
                    select name="demo" { @for demo in demos() { option value=(demo.name) { (visitor.say(demo.title.1, demo.title.0)) } } }
                }
                label { (visitor.say("recherche", "search")) " "
                    select name="search" { @for algorithm in Algorithm::ALL { option value=(algorithm.name()) { (algorithm.title(visitor.language)) } } }
                }
            }
            div #thinking {}
            p.unit { kbd { (visitor.say(", ;", ", .")) } " " (visitor.say("un pas", "a step")) " · " kbd { "C" } " " (visitor.say("la coupe suivante", "the next cut")) " · " kbd { "P" } " " (visitor.say("défiler, pause", "run, pause")) " · " kbd { (visitor.say("Début Fin", "Home End")) } }
        }
    };
    shell(visitor, title, &["thinking.js"], &body)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(demo: &str, search: &str, at: &str) -> Asked {
        Asked { demo: demo.to_owned(), search: search.to_owned(), at: at.to_owned() }
    }

    #[test]
    fn every_demo_is_drawn_in_both_languages_from_its_start_to_its_end() {
        for demo in demos().filter(|demo| demo.name.contains('-')) {
            for algorithm in Algorithm::ALL {
                for at in ["", "3", "999999"] {
                    let draw = |language| {
                        thinking(&asked(demo.name, algorithm.name(), at), language)
                            .unwrap_or_else(|| panic!("{} {algorithm:?} {at}", demo.name))
                    };
                    let (french, english) = (draw(Language::French), draw(Language::English));
                    assert!(french != english && french.len() < 150_000, "{} {}", demo.name, french.len());
                    assert!(english.contains("class=\"board ") && english.contains("data-count=\""));
                }
            }
        }
    }

    #[test]
    fn what_is_not_there_is_not_drawn() {
        assert!(thinking(&asked("chess", "", ""), Language::English).is_none());
        assert!(thinking(&asked("", "minimax", ""), Language::English).is_none());
        let whole = thinking(&Asked::default(), Language::English).unwrap();
        assert!(whole.contains("data-demo=\"tictactoe-end\"") && whole.contains("data-search=\"alphabeta\""));
    }
}
