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
            h2 { (heading(view, review, language)) }
            @if review.is_late { p.unit { (say("La pendule a décidé : le temps était écoulé.", "The clock decided: the time was up.")) } }
            @if review.is_broken { p.unit { (say("Notre moteur s'est arrêté : il ne dit rien des coups.", "Our engine stopped: it says nothing of the moves.")) } }
            @match review.mistakes().filter(|_| !review.is_broken) {
                None if review.is_broken => {},
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
                    p.unit { (counts(view, review, language)) (shown(view, review, mistakes, language)) }
                    ol { @for mistake in mistakes { (item(view, review, mistake, language)) } }
                },
            }
        }
    }
}

/// Returns the title, which says whose moves the list has.
fn heading(view: &View<'_>, review: &Review, language: Language) -> String {
    let title = language.choose("Les coups les plus chers", "The costliest moves");
    let lost = language.choose("Où ai-je perdu ?", "Where did I lose?");
    match (review.seats.as_slice(), review.loser) {
        (&[_], Some(_)) => lost.to_owned(),
        (&[_], None) if view.play.seats() == 1 => title.to_owned(),
        (&[seat], None) => format!("{title}{}{}", language.colon(), view.play.seat_name(seat, language)),
        (_, loser) => {
            let title = format!("{title} {}", language.choose("de chacun", "of each player"));
            if loser.is_some() { format!("{lost} {title}") } else { title }
        }
    }
}

/// Counts the costly moves of each seat that is shown.
fn counts(view: &View<'_>, review: &Review, language: Language) -> String {
    let play = view.play;
    let count = |seat: usize| review.costly().iter().filter(|&&nth| play.by(nth) == seat).count();
    let each = review.seats.iter().map(|&seat| format!("{} {}", play.seat_name(seat, language), count(seat)));
    let each: Vec<String> = each.collect();
    format!(
        "{} {}",
        language.choose("Coups chers, notés « ? » :", "Costly moves, marked “?”:"),
        each.join(", ")
    )
}

/// Says that the list has the costliest moves of each player only, where there are more.
fn shown(view: &View<'_>, review: &Review, mistakes: &[Mistake], language: Language) -> String {
    if mistakes.len() >= review.costly().len() {
        return String::new();
    }
    let of = |seat: &usize| mistakes.iter().filter(|mistake| mistake.seat == *seat).count();
    let most = review.seats.iter().map(of).max().unwrap_or_default();
    let is_of_one = review.seats.len() == 1 || view.play.seats() == 1;
    match (language, is_of_one) {
        (Language::French, true) => format!(". Voici les {most} plus chers :"),
        (Language::French, false) => format!(". En voici {most} au plus de chacun, les plus chers d'abord :"),
        (Language::English, true) => format!(". Here are the {most} costliest:"),
        (Language::English, false) => {
            format!(". Here are {most} of each player at most, the costliest first:")
        }
    }
}

fn progress(review: &Review, language: Language) -> String {
    let (done, all) = review.progress();
    match language {
        Language::French => format!("Notre moteur relit la partie : {done} sur {all}."),
        Language::English => format!("Our engine goes through the game: {done} of {all}."),
    }
}

fn item(view: &View<'_>, review: &Review, mistake: &Mistake, language: Language) -> Markup {
    let say = |french: &'static str, english: &'static str| language.choose(french, english);
    let play = view.play;
    let seats = review.seats.len() > 1;
    // Who tries again plays; there is nothing to try where engines play alone, or others.
    let may_try = !view.is_replay && view.controls.has_person && view.controls.takes_part;
    html! {
        li.here[view.at == mistake.nth] {
            button type="button" data-at=(mistake.nth) aria-current=[(view.at == mistake.nth).then_some("step")] {
                @if seats { (play.seat_name(mistake.seat, language)) " · " }
                (say("coup", "move")) " " (mistake.nth + 1) (language.colon()) (play.worded(&play.moves()[mistake.nth], language))
            }
            " " (mistake.cost.say(play.game(), play.unit(language), language)) "."
            @for reason in &mistake.reasons { " " (capital(&reason.say(language))) "." }
            p.unit { (say("mieux :", "better:")) " " (line(play, mistake.nth, &mistake.better, LINE, language)) }
            @if may_try {
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
