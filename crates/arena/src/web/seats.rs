//! Invitations: a link that gives a seat to one browser.

use super::answers::{Refused, hashed, json_body};
use super::packed::shown;
use super::requests::Visit;
use super::room::Room;
use super::runtime::token;
use crate::session::{Browser, Refusal, Viewpoint};
use axum::extract::{Path, Request};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use std::sync::Arc;

/// Maximum length of a request in bytes.
const MOST: usize = 1024;

#[derive(Deserialize)]
struct Invited {
    seat: usize,
}

/// Makes an invitation to a seat. The answer is the room's view, with the link.
pub(super) async fn invite(
    visit: Visit,
    Path(id): Path<String>,
    request: Request,
) -> Result<Response, Refused> {
    let Invited { seat } = json_body(request, MOST).await?;
    let make = move |visit: &Visit, room: &Arc<Room>| {
        let text = token();
        let hash = hashed(&text);
        let refused = room.seat(|session| session.invite(seat, &visit.by, (text, hash))).err();
        let language = visit.language("");
        let refused = refused.map(|refusal| refusal.text(language));
        let view = room.view(&Viewpoint::default(), refused.as_deref(), &visit.by, language);
        shown(room, &visit.headers, view)
    };
    Ok(visit.in_room(id, make).await)
}

#[derive(Deserialize)]
struct Sitting {
    ticket: String,
    #[serde(default)]
    name: String,
}

/// Gives a seat to the browser that has its ticket.
pub(super) async fn sit(visit: Visit, Path(id): Path<String>, request: Request) -> Result<Response, Refused> {
    let Sitting { ticket, name } = json_body(request, MOST).await?;
    let take = move |visit: &Visit, room: &Arc<Room>| match room
        .seat(|session| session.sit(&hashed(&ticket), &visit.by, &name))
    {
        Ok(()) => StatusCode::NO_CONTENT.into_response(),
        Err(refusal) => Refused::Seat(refusal).into_response(),
    };
    Ok(visit.in_room(id, take).await)
}

/// Returns the seat that a link's ticket gives to a browser: an error if it is taken, `None` if it is the browser's own.
pub(super) fn offered(room: &Room, ticket: &str, by: &Browser) -> Result<Option<usize>, Refusal> {
    let session = room.lock();
    let seat = session.settings.invited(&hashed(ticket)).ok_or(Refusal::Taken)?;
    Ok((!session.settings.holds(by, seat)).then_some(seat))
}
