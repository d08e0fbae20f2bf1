//! Invitations: a link that gives a seat to one browser.

use super::answers::{Refused, browser, hashed, json_body, language};
use super::packed::shown;
use super::requests::{From, Shared, in_room};
use super::room::Room;
use super::runtime::token;
use crate::session::{Browser, Refusal, Viewpoint};
use axum::Extension;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, StatusCode};
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
    State(site): Shared,
    Extension(client): From,
    Path(id): Path<String>,
    headers: HeaderMap,
    request: Request,
) -> Result<Response, Refused> {
    let Invited { seat } = json_body(request, MOST).await?;
    let (by, language) = (browser(&headers), language(&headers, ""));
    let make = move |_: &_, room: &Arc<Room>| {
        let text = token();
        let hash = hashed(&text);
        let refused = room.seat(|session| session.invite(seat, &by, (text, hash))).err();
        let refused = refused.map(|refusal| refusal.text(language));
        shown(room, &headers, room.view(&Viewpoint::default(), refused.as_deref(), &by, language))
    };
    Ok(in_room(site, client, id, make).await)
}

#[derive(Deserialize)]
struct Sitting {
    ticket: String,
    #[serde(default)]
    name: String,
}

/// Gives a seat to the browser that has its ticket.
pub(super) async fn sit(
    State(site): Shared,
    Extension(client): From,
    Path(id): Path<String>,
    headers: HeaderMap,
    request: Request,
) -> Result<Response, Refused> {
    let Sitting { ticket, name } = json_body(request, MOST).await?;
    let by = browser(&headers);
    let take =
        move |_: &_, room: &Arc<Room>| match room.seat(|session| session.sit(&hashed(&ticket), &by, &name)) {
            Ok(()) => StatusCode::NO_CONTENT.into_response(),
            Err(refusal) => Refused::Seat(refusal).into_response(),
        };
    Ok(in_room(site, client, id, take).await)
}

/// Returns the seat that a link's ticket gives to a browser: an error if it is taken, `None` if it is the browser's own.
pub(super) fn offered(room: &Room, ticket: &str, by: &Browser) -> Result<Option<usize>, Refusal> {
    let session = room.lock();
    let seat = session.settings.invited(&hashed(ticket)).ok_or(Refusal::Taken)?;
    Ok((!session.settings.holds(by, seat)).then_some(seat))
}
