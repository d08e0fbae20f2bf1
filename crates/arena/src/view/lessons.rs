//! The rules as cards: a sentence and a board on which the rules answer every click.

use super::asked::{Asked, LONGEST, PATH, split};
use super::room::words;
use super::spaces;
use courses::assignment::Phrase;
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
    let phrase = |(english, french): Phrase| language.choose(french, english);
    let is_reached = lesson.is_reached(play.moves());
    let status = match (&refused, play.mover(at)) {
        (Some(why), _) => why.clone(),
        (None, _) if is_reached => say("But atteint !", "Goal reached!").to_owned(),
        (None, _) if at > 0 => {
            say("Ce n'est pas le but : recommencez.", "That is not the goal: start again.").to_owned()
        }
        (None, Some(_)) => play.guide(at, &path, language).unwrap_or_else(|| phrase(lesson.goal).to_owned()),
        (None, None) => play.reason(at, language).to_owned(),
    };
    let board = BoardView {
        at,
        path: path.clone(),
        interactive: play.mover(at).is_some(),
        language,
        ..BoardView::default()
    };
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
            data-reached[is_reached]
            data-say=(status)
        {
            div.stage {
                div.boardbox { (PreEscaped(play.draw(&board))) }
                p.status.refused[refused.is_some()] { (status) }
                (words(play.as_ref(), &next, &path, language))
            }
            aside {
                h2 { (game.title(language)) " · " (say("règle", "rule")) " " (number) " / " (lessons.len()) }
                p { (phrase(lesson.rule)) }
                p.task { b { (say("But :", "Goal:")) } " " (phrase(lesson.goal)) @if is_reached { " ✓" } }
                p.unit { (say("Essayez : le plateau dit ce qui est permis, et pourquoi le reste ne l'est pas.", "Try it: the board says what is allowed, and why the rest is not.")) }
                div.controls {
                    button type="button" data-show="again" disabled[at == 0] { (say("recommencer", "start again")) }
                    button.primary[is_reached] type="button" data-next="1" { (say("règle suivante", "next rule")) }
                }
            }
        }
    };
    Some(spaces::text(page, language))
}

#[cfg(test)]
mod tests {
    use super::super::puzzles::clicks;
    use super::*;
    use courses::registry;

    /// Returns the card after clicks, of which each but the last chooses.
    fn shown(game: Game, number: usize, clicks: &[String]) -> String {
        let (last, path) = clicks.split_last().unwrap();
        let (rule, path) = (number.to_string(), path.join(" "));
        let asked = Asked { rule, path, click: last.clone(), ..Asked::default() };
        lesson(game, &asked, Language::English).unwrap()
    }

    #[test]
    fn every_rule_refuses_what_its_card_says() {
        for game in registry::all() {
            let lessons = game.assignment().lessons();
            assert!(lessons.len() > 2, "{game}");
            for (number, lesson) in (1..).zip(lessons) {
                let clicks: Vec<String> = lesson.refused.iter().map(|&click| click.to_owned()).collect();
                let text = shown(game, number, &clicks);
                assert!(text.contains("class=\"status refused\""), "{game} {number}: {clicks:?}");
                assert!(!text.contains("data-reached"), "{game} {number}");
            }
        }
    }

    #[test]
    fn a_goal_is_reached_by_its_moves_and_by_no_other() {
        for game in registry::all() {
            for (number, lesson) in (1..).zip(game.assignment().lessons()) {
                let seats = *game.seats().start();
                let start = play::start(game, lesson.start, seats).unwrap();
                let play = play::open(game, &start, seats).unwrap();
                let firsts = || play.next(0, &[]).into_iter().map(|click| vec![click]);
                let goals: Vec<Vec<String>> = match lesson.reached {
                    [] => firsts().take(1).collect(),
                    moves => moves.iter().map(|mv| clicks(play.as_ref(), &[], mv).unwrap()).collect(),
                };
                for path in &goals {
                    let text = shown(game, number, path);
                    assert!(text.contains("data-reached"), "{game} {number}: {path:?}");
                    assert!(text.contains("data-say=\"Goal reached!\""), "{game} {number}: {text}");
                }
                let others = firsts().filter(|path| !lesson.reached.is_empty() && !goals.contains(path));
                for path in others {
                    let text = shown(game, number, &path);
                    assert!(!text.contains("data-reached"), "{game} {number}: {path:?}");
                }
            }
        }
    }
}
