//! The people of a session's page: seats, names, invitations, and wishes to take moves back.

use crate::session::{Asked, Occupant, SeatView, View};
use courses::drawing::Language;
use courses::registry::Game;
use maud::{Markup, PreEscaped, html};
use std::time::Duration;

pub(super) fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

/// Returns the wish to take moves back, in words.
pub(super) fn wish(view: &View<'_>, language: Language) -> Option<String> {
    let seat = match view.asked? {
        Asked::Waiting => {
            return Some(
                language
                    .choose(
                        "annulation demandée : l'autre doit accepter",
                        "undo asked: the other player must agree",
                    )
                    .to_owned(),
            );
        }
        Asked::By(seat) => view.play.seat_name(seat, language),
    };
    Some(format!("{seat} {}", language.choose("demande à annuler", "asks for undo")))
}

/// Draws the wish to take moves back, with its answers.
pub(super) fn asked(view: &View<'_>, language: Language) -> Markup {
    html! {
        @if let Some(wish) = wish(view, language) {
            p.asks {
                span { (wish) } " "
                @if view.asked != Some(Asked::Waiting) {
                    button type="button" data-do="agree" data-on="true" { (language.choose("accepter", "agree")) } " "
                    button type="button" data-do="agree" data-on="false" { (language.choose("refuser", "decline")) }
                }
            }
        }
        @if let Some(id) = view.rematch { p.asks { a href=(format!("/r/{id}")) { (language.choose("la revanche", "the rematch")) } } }
    }
}

/// Draws the link of the visitor's latest invitation.
pub(super) fn invitation(view: &View<'_>, language: Language) -> Markup {
    html! {
        @if let Some((seat, ticket)) = view.invitation {
            div.invitation data-say=(language.choose("le lien de l'invitation est là", "the link of the invitation is here")) {
                label {
                    (language.choose("envoyez ce lien à qui jouera", "send this link to whoever plays")) " " b { (view.play.seat_name(seat, language)) }
                    input type="text" readonly data-invitation=(ticket) data-copy="1";
                }
                button type="button" data-copied=(language.choose("le lien est copié", "the link is copied")) { (language.choose("copier le lien", "copy the link")) }
                p.unit.local hidden { (language.choose("Ce lien ne s'ouvre que sur cet ordinateur. Pour les autres, lancez arena --port 0.0.0.0:8765 --host NOM, et ouvrez la page sous ce nom.", "This link opens on this computer only. For others, start arena --port 0.0.0.0:8765 --host NAME, and open the page by that name.")) }
            }
        }
    }
}

/// Returns the name of a seat's occupant; the visitor is "you".
fn occupant(seat: &SeatView<'_>, language: Language) -> String {
    let (name, you) = (seat.occupant.name(language), language.choose("vous", "you"));
    match seat.occupant {
        Occupant::Person if seat.is_you => you.to_owned(),
        _ if seat.is_you => format!("{name} ({you})"),
        _ => name,
    }
}

/// Draws the colour or the badge of a seat.
pub(super) fn sign(game: Game, seat: usize) -> Markup {
    html! {
        @match game.badge(seat) {
            Some(badge) => span.badge { (PreEscaped(badge)) },
            None => span class={ "swatch " (game.swatch(seat)) } {},
        }
    }
}

pub(super) fn seats(view: &View<'_>, language: Language) -> Markup {
    let own = view.seats.iter().filter(|seat| seat.is_you).count();
    let game = view.play.game();
    let tally = view.play.tally(view.at, language);
    html! {
        ul.seats {
            @for (nth, seat) in view.seats.iter().enumerate() {
                li.turn[seat.is_mover] {
                    (sign(game, nth))
                    span.who { b { (view.play.seat_name(nth, language)) } (language.colon()) (occupant(seat, language))
                        @if seat.is_you && own > 1 && view.controls.may_invite() { " " button.quiet type="button" data-invite=(nth) { (language.choose("inviter", "invite")) " " (view.play.seat_name(nth, language)) } }
                    }
                    span.tally { (tally[nth]) }
                    @if !view.is_study { time.clock.low[seat.counts_down && seat.clock.as_secs() < 10] data-running=(seat.is_running) data-down=[seat.counts_down.then(|| seat.clock.as_millis())] { (clock(if seat.counts_down { seat.clock + Duration::from_millis(999) } else { seat.clock })) } }
                }
            }
        }
        @let waits = view.length == 0 && view.seats.iter().all(|seat| seat.counts_down && !seat.is_running);
        @if waits && !view.is_study { p.unit { (language.choose("La pendule part après le premier coup.", "The clock starts after the first move.")) } }
    }
}
