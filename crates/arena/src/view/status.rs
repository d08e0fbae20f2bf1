//! The state of a game in words: whose turn it is, how it ended, and what a screen reader says.

use super::home::moves as moves_of;
use super::notes;
use super::room::value;
use super::seats::wish;
use crate::session::{Fault, Hint, LATE, Refusal, SeatView, Status, View};
use courses::drawing::Language;
use courses::french::french;
use courses::play::{Ending, Play};
use wire::analysis::Value;

/// Milliseconds of search after which the value of a position is read out.
const KNOWN: u64 = 500;

/// Returns the text of the live region after a change.
pub(super) fn aloud(view: &View<'_>, refused: Option<&str>, language: Language) -> String {
    if let Some(why) = refused {
        return why.to_owned();
    }
    let last = view.at.checked_sub(1).map(|nth| {
        let seat = view.play.seat_name(view.play.by(nth), language);
        format!("{seat}{}{}. ", language.colon(), view.play.spoken(nth, language))
    });
    let hint = hint(view, language).map(|hint| format!("{hint}. "));
    let asked = wish(view, language).map(|wish| format!(". {wish}")).unwrap_or_default();
    let note = notes::aloud(view, language);
    last.unwrap_or_default() + &note + &hint.unwrap_or_default() + &status(view, language) + &asked
}

/// Returns the hint for the position shown, in words.
pub(super) fn hint(view: &View<'_>, language: Language) -> Option<String> {
    let Hint::Move(text) = view.hint else { return None };
    Some(format!("{} {}", language.choose("conseil :", "hint:"), view.play.worded(text, language)))
}

/// Returns the value of the position shown in words, once the analysis has searched it for a while.
pub(super) fn known(view: &View<'_>, language: Language) -> Option<String> {
    let best = view.study.as_ref()?.lines.first()?;
    let mover = view.play.seat_name(view.play.mover(view.at)?, language);
    let is_estimate = matches!(best.value, Value::Points(_));
    let is_known = best.millis >= KNOWN || !is_estimate;
    let value = || value(view.play.game(), best.value, language);
    // It is read out once: what it says stays true while the search goes on.
    let depth = |words: &str| if is_estimate { format!(" {words} {}", best.depth) } else { String::new() };
    is_known.then(|| match language {
        Language::French => format!("valeur pour {mover}{} : {}", depth("à la profondeur"), value()),
        Language::English => format!("value for {mover}{}: {}", depth("at depth"), value()),
    })
}

/// Returns the only seat that the visitor plays on.
fn own(view: &View<'_>) -> Option<usize> {
    if view.is_replay || !view.controls.takes_part {
        return None;
    }
    let is_held = view.seats.iter().any(|seat| seat.is_you);
    let is_own = |seat: &SeatView<'_>| if is_held { seat.is_you } else { seat.is_person };
    let mut own = (0..view.seats.len()).filter(|&seat| is_own(&view.seats[seat]));
    own.next().filter(|_| own.next().is_none())
}

/// Returns the words for a person to move: of the choice that is next, or of whose turn it is.
fn to_move(view: &View<'_>, mover: usize, language: Language) -> String {
    let guide = view.play.guide(view.at, view.path, language).filter(|_| view.may_press);
    guide.unwrap_or_else(|| {
        let turn = match own(view) == Some(mover) {
            true => language.choose("à vous ({})", "your turn ({})"),
            false => language.choose("au tour de {}", "to move: {}"),
        };
        let bound = view.play.bound(view.at, language);
        let bound = bound.map_or_else(String::new, |bound| match language {
            Language::French => format!(", dans {bound}"),
            Language::English => format!(", in {bound}"),
        });
        format!("{turn}{bound}")
    })
}

pub(super) fn status(view: &View<'_>, language: Language) -> String {
    let play = view.play;
    let turn = |mover: &usize, now: String| {
        let turn = play.turn(view.at).map_or_else(String::new, |(turn, of)| {
            let of = of.map_or_else(String::new, |of| format!(" {} {of}", language.choose("sur", "of")));
            format!("{} {turn}{of}{} ", language.choose("tour", "turn"), language.choose(" ;", ";"))
        });
        let name = play.seat_name(*mover, language);
        turn + &now.replace("{}", &name)
    };
    match &view.status {
        Status::Stopped(Fault::Busy) => Refusal::Busy.text(language),
        Status::Stopped(Fault::Failed(fault)) => {
            let fault = courses::fault::excerpt(fault);
            match language {
                Language::French => format!("le moteur a échoué : {}", french(&fault)),
                Language::English => format!("the engine failed: {fault}"),
            }
        }
        Status::Over { ending, given_up } => {
            outcome(view, ending, language).to_owned() + &result(play, view.at, ending, *given_up, language)
        }
        Status::Past(mover) => {
            let (name, at, length) = (play.seat_name(*mover, language), view.at, view.length);
            match language {
                Language::French => format!("après {} sur {length} ; trait : {name}", moves_of(at, language)),
                Language::English => format!("after {at} of {}; {name} to move", moves_of(length, language)),
            }
        }
        Status::Thinks(mover) => turn(mover, format!("{{}} {}", language.choose("réfléchit…", "thinks…"))),
        Status::Turn(mover) if view.hint == Hint::Coming => {
            turn(mover, language.choose("un conseil arrive…", "a hint is coming…").to_owned())
        }
        Status::Turn(mover) => turn(mover, to_move(view, *mover, language)),
    }
}

/// Returns the result of a game that was played elsewhere, before its end is reached.
pub(super) fn ended(view: &View<'_>, language: Language) -> Option<String> {
    let (ending, given_up) = view.ending.as_ref().filter(|_| view.at < view.length)?;
    let result = result(view.play, view.length, ending, *given_up, language);
    Some(format!("{} {result}", language.choose("résultat :", "result:")))
}

/// Returns the words before the result for the visitor who won or lost alone on one seat.
fn outcome(view: &View<'_>, ending: &Ending, language: Language) -> &'static str {
    match (winners(ending).as_slice(), own(view)) {
        ([winner], Some(own)) if ending.points.len() > 1 => match own == *winner {
            true => language.choose("vous avez gagné : ", "you won: "),
            false => language.choose("vous avez perdu : ", "you lost: "),
        },
        _ => "",
    }
}

/// Returns the seats with the most points.
fn winners(ending: &Ending) -> Vec<usize> {
    let best = ending.points.iter().copied().fold(0.0, f64::max);
    (0..ending.points.len()).filter(|&seat| (ending.points[seat] - best).abs() < 1e-9).collect()
}

pub(super) fn result(
    play: &dyn Play,
    at: usize,
    ending: &Ending,
    given_up: Option<&str>,
    language: Language,
) -> String {
    let score: Vec<String> = ending.score.iter().map(|score| language.number(&format!("{score}"))).collect();
    let score = score.join(" – ");
    let who = match winners(ending).as_slice() {
        &[winner] if play.seats() > 1 => {
            format!("{} {}", play.seat_name(winner, language), language.choose("gagne", "wins"))
        }
        [] | [_] => language.choose("partie finie", "the game is over").to_owned(),
        _ => language.choose("partie nulle", "a draw").to_owned(),
    };
    let mut both = ending.score.iter().zip(&ending.points);
    let is_plain = both.all(|(score, points)| (score - points).abs() < 1e-9);
    match given_up {
        Some(LATE) => format!("{who} ({})", language.choose("temps écoulé", "time is up")),
        Some(_) => format!("{who} ({})", language.choose("abandon", "resigned")),
        // Points for winner and loser are no score.
        None if is_plain => format!("{who} ({})", play.reason(at, language)),
        None => format!("{who}, {score} ({})", play.reason(at, language)),
    }
}
