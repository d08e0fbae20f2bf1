//! The rules as cards: a sentence and a board on which the rules answer every click.

use super::asked::{Asked, LONGEST, PATH, split};
use super::room::words;
use courses::drawing::Language;
use courses::play::{self, BoardView, Clicked};
use courses::registry::Game;
use maud::{PreEscaped, html};

/// Returns the card of rule `asked.rule`, counted from 1. `None` if the game has no such card.
#[must_use]
pub fn lesson(game: Game, asked: &Asked, language: Language) -> Option<String> {
    let say = |french: &'static str, english: &'static str| language.choose(french, english);
    let lessons = game.assignment().lessons();
    let number = asked.rule.parse::<usize>().ok()?;
    let lesson = lessons.get(number.checked_sub(1)?)?;
    let seats = *game.seats().start();
    let mut play = play::open(game, &play::start(game, lesson.start, seats).ok()?, seats).ok()?;
    let moves = split(&asked.moves, LONGEST);
    let _ = moves.iter().try_for_each(|text| play.play(text));
    let mut path = split(&asked.path, PATH);
    let mut refused = None;
    if !asked.click.is_empty() && asked.click.len() <= 16 && moves.len() < LONGEST {
        match play.press(play.moves().len(), &path, &asked.click, language) {
            Clicked::Chosen(longer) => path = longer,
            Clicked::Refused(why) => refused = Some(why),
            Clicked::Move(text) => {
                path.clear();
                let _ = play.play(&text);
            }
        }
    }
    let at = play.moves().len();
    let next = play.next(at, &path);
    let status = match (&refused, play.mover(at)) {
        (Some(why), _) => why.clone(),
        (None, Some(mover)) => play.guide(at, &path, language).unwrap_or_else(|| {
            format!("{} {}", say("au tour de", "to move:"), play.seat_name(mover, language))
        }),
        (None, None) => play.reason(at, language).to_owned(),
    };
    let board = BoardView {
        at,
        path: path.clone(),
        interactive: play.mover(at).is_some(),
        language,
        ..BoardView::default()
    };
    let (english, french) = lesson.rule;
    let page = html! {
        section.puzzle
            data-game=(game.name())
            data-n=(number)
            data-rule=(number)
            data-count=(lessons.len())
            data-state="rule"
            data-path=(path.join(" "))
            data-moves=(play.moves().join(" "))
            data-at=(at)
            data-length=(at)
            data-keys=(play.keys())
            data-say=(status)
        {
            div.stage {
                div.boardbox { (PreEscaped(play.draw(&board))) }
                p.status.refused[refused.is_some()] { (status) }
                (words(play.as_ref(), &next, &path, language))
            }
            aside {
                h2 { (game.title(language)) " · " (say("règle", "rule")) " " (number) " / " (lessons.len()) }
                p { (language.choose(french, english)) }
                p.unit { (say("Essayez : le plateau dit ce qui est permis, et pourquoi le reste ne l'est pas.", "Try it: the board says what is allowed, and why the rest is not.")) }
                div.controls {
                    button type="button" data-show="again" disabled[at == 0] { (say("recommencer", "start again")) }
                    button.primary type="button" data-next="1" { (say("règle suivante", "next rule")) }
                }
            }
        }
    };
    Some(page.into_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use courses::registry;

    #[test]
    fn every_rule_allows_and_refuses_what_its_card_says() {
        for game in registry::all() {
            let lessons = game.assignment().lessons();
            assert!(lessons.len() > 1, "{game}");
            for (nth, lesson) in lessons.iter().enumerate() {
                let shown = |clicks: &[&str]| {
                    let (last, path) = clicks.split_last().unwrap();
                    let asked = Asked {
                        rule: (nth + 1).to_string(),
                        path: path.join(" "),
                        click: (*last).to_owned(),
                        ..Asked::default()
                    };
                    super::lesson(game, &asked, Language::English).unwrap()
                };
                let is_refused = |text: &str| text.contains("class=\"status refused\"");
                assert!(!is_refused(&shown(lesson.allowed)), "{game} {nth}: {:?}", lesson.allowed);
                assert!(is_refused(&shown(lesson.refused)), "{game} {nth}: {:?}", lesson.refused);
                let done = !shown(lesson.allowed).contains("data-path=\"\" data-moves=\"\"");
                assert!(done, "{game} {nth}: nothing happens");
            }
        }
    }
}
