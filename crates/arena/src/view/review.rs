//! The costliest moves of a game that is over, beside its board.

use super::home::moves as moves_of;
use super::lines::line;
use crate::session::{Review, View};
use courses::drawing::Language;
use courses::review::Mistake;
use maud::{Markup, html};

/// The number of moves shown of a better line.
const LINE: usize = 6;

/// Draws the review; nothing while the game goes on.
pub fn review(view: &View<'_>, language: Language) -> Markup {
    let say = |french: &'static str, english: &'static str| language.choose(french, english);
    let Some(review) = view.review else { return html! {} };
    html! {
        section.review aria-label=(say("les coups les plus chers", "the costliest moves")) {
            h2 { (if review.loser.is_some() { say("Où ai-je perdu ?", "Where did I lose?") } else { say("Les coups les plus chers", "The costliest moves") }) }
            @if review.is_late { p.unit { (say("La pendule a décidé : le temps était écoulé.", "The clock decided: the time was up.")) } }
            @match review.mistakes() {
                None => p.unit { (progress(review, language)) },
                Some([]) if review.loser.is_some() => p.unit {
                    (say("Aucun coup n'a perdu la partie à lui seul, aussi loin que notre moteur voit.", "No single move lost the game, as far as our engine sees."))
                    @if let Some(at) = review.lost_from(view.play) {
                        " " (say("Elle était perdue à partir d'ici :", "It was lost from here on:")) " "
                        button type="button" data-at=(at) { (moves_of(at, language)) }
                    }
                },
                Some([]) => p.unit { (say("Aucun coup n'a coûté cher, selon notre moteur.", "No move cost much, as our engine sees it.")) },
                Some(mistakes) => {
                    p.unit { (counts(view, review, language)) (shown(review.costly().len(), mistakes.len(), language)) }
                    ol { @for mistake in mistakes { (item(view, mistake, language)) } }
                },
            }
        }
    }
}

/// Counts the costly moves of each person.
fn counts(view: &View<'_>, review: &Review, language: Language) -> String {
    let play = view.play;
    let count = |seat: usize| review.costly().iter().filter(|&&nth| play.by(nth) == seat).count();
    let persons = (0..play.seats()).filter(|&seat| view.is_replay || view.seats[seat].is_person);
    let each: Vec<String> =
        persons.map(|seat| format!("{} {}", play.seat_name(seat, language), count(seat))).collect();
    format!(
        "{} {}",
        language.choose("Coups chers, notés « ? » :", "Costly moves, marked “?”:"),
        each.join(", ")
    )
}

/// Says that the moves listed are the costliest ones, where there are more.
fn shown(all: usize, listed: usize, language: Language) -> String {
    match language {
        _ if listed >= all => String::new(),
        Language::French => format!(". Les {listed} plus chers sur {all} :"),
        Language::English => format!(". The {listed} costliest of {all}:"),
    }
}

fn progress(review: &Review, language: Language) -> String {
    let (done, all) = review.progress();
    match language {
        Language::French => format!("Notre moteur relit la partie : {done} sur {all}."),
        Language::English => format!("Our engine goes through the game: {done} of {all}."),
    }
}

fn item(view: &View<'_>, mistake: &Mistake, language: Language) -> Markup {
    let say = |french: &'static str, english: &'static str| language.choose(french, english);
    let play = view.play;
    let persons = view.seats.iter().filter(|seat| view.is_replay || seat.is_person).count();
    let seats = play.seats() > 1 && persons > 1;
    html! {
        li.here[view.at == mistake.nth] {
            button type="button" data-at=(mistake.nth) aria-current=[(view.at == mistake.nth).then_some("step")] {
                @if seats { (play.seat_name(mistake.seat, language)) " · " }
                (say("coup", "move")) " " (mistake.nth + 1) (language.colon()) (play.worded(&play.moves()[mistake.nth], language))
            }
            " " (mistake.cost.say(play.game(), play.unit(language), language)) "."
            @for reason in &mistake.reasons { " " (capital(&reason.say(language))) "." }
            p.unit { (say("mieux :", "better:")) " " (line(play, mistake.nth, &mistake.better, LINE, language)) }
            @if !view.is_replay {
                button type="button" data-do="back" data-nth=(mistake.nth) aria-label=(format!("{}, {}", say("reprendre d'ici", "try again from here"), moves_of(mistake.nth, language))) { (say("reprendre d'ici", "try again from here")) }
            }
        }
    }
}

/// Returns a sentence with a capital letter, unless it begins with the name of a cell.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
