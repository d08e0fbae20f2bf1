//! New games: from the first page, from a file, or again.

use super::Site;
use super::answers::{Refused, body, browser, json_answer, json_body, language};
use super::requests::{From, Shared, in_room};
use super::room::Room;
use crate::session::{Action, Browser, Fault, New, games_of, listed, replayed};
use axum::Extension;
use axum::body::{Bytes, HttpBody as _};
use axum::extract::{Path, Request, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use courses::drawing::Language;
use courses::notation;
use courses::record::{Played, Record};
use serde_json::json;
use std::net::IpAddr;
use std::sync::Arc;

/// Maximum length of an opened file in bytes.
const UPLOAD: usize = 4 << 20;
/// A longer request waits for a place among large bodies.
const SMALL: u64 = 64 * 1024;

pub(super) async fn new(
    State(site): Shared,
    Extension(client): From,
    headers: HeaderMap,
    request: Request,
) -> Result<Response, Refused> {
    // A game of a file is sent back whole.
    let _place = match request.body().size_hint().upper() {
        Some(length) if length <= SMALL => None,
        _ => Some(site.budget.body(client).await.map_err(|_| Refused::TooMany)?),
    };
    let new: New = json_body(request, UPLOAD).await?;
    let own = Arc::clone(&site);
    let work = move || match begin(&own, &new, &browser(&headers), client.0) {
        Ok(id) => json_answer(&json!({ "room": format!("/r/{id}") })),
        Err(refused) => refused.into_response(),
    };
    Ok(site.budget.work(client, work).await)
}

/// Opens a room for a browser, which gets all seats, and returns the room's name.
fn begin(site: &Site, new: &New, by: &Browser, owner: IpAddr) -> Result<String, Refused> {
    if let Some(record) = new.pasted()? {
        return replay(site, &record, owner);
    }
    let game = new.game()?;
    let number = courses::seed::mix(site.rooms.secret(), site.rooms.next());
    let seat = |who: &str, strength, seed| site.rooms.seat(game, who, strength, seed);
    let mut settings = new.settings(game, number % 1_000_000, seat)?;
    if settings.names.is_empty() {
        settings.give(by, &new.name);
    }
    let (opening, played) = new.beginning(game, settings.seats.len(), number)?;
    let room = site.rooms.enter(game, &opening, &played, settings, owner)?;
    if new.mode == "study" {
        study(&room, by, owner);
    }
    Ok(room.id.clone())
}

/// Starts a browser's analysis of a room.
fn study(room: &Arc<Room>, by: &Browser, address: IpAddr) {
    let study = Action::Study { on: true, at: None };
    if room.act(&study, by, address, Language::English).is_err() {
        room.lock().fault = Some(Fault::Busy);
    }
}

pub(super) async fn upload(
    State(site): Shared,
    Extension(client): From,
    headers: HeaderMap,
    request: Request,
) -> Result<Response, Refused> {
    let language = language(&headers, "");
    let place = site.budget.body(client).await.map_err(|_| Refused::TooMany)?;
    let bytes = body(request, UPLOAD).await?;
    let own = Arc::clone(&site);
    let work = move || {
        let _place = place;
        opened(&own, bytes, language, client.0).unwrap_or_else(IntoResponse::into_response)
    };
    Ok(site.budget.work(client, work).await)
}

/// Opens a recorded game and returns its name.
fn replay(site: &Site, record: &Record, owner: IpAddr) -> Result<String, Refused> {
    let (game, settings) = replayed(record)?;
    Ok(site.rooms.enter(game, &record.opening, &record.played, settings, owner)?.id.clone())
}

/// Opens the only game of a file, or lists the games of the file.
fn opened(site: &Site, bytes: Bytes, language: Language, owner: IpAddr) -> Result<Response, Refused> {
    let records = {
        let text = notation::decode(&bytes).map_err(anyhow::Error::from)?;
        games_of(&text)?
    };
    drop(bytes);
    if let [record] = records.as_slice() {
        let id = replay(site, record, owner)?;
        return Ok(json_answer(&json!({ "room": format!("/r/{id}?at=0") })));
    }
    Ok(json_answer(&listed(&records, language)))
}

/// Opens a browser's game of persons that begins with the first `at` moves of a room and another one.
pub(super) fn branch(
    site: &Site,
    room: &Room,
    (at, text): (usize, String),
    by: &Browser,
    owner: IpAddr,
) -> Response {
    let (game, opening, (played, mut settings)) = {
        let session = room.lock();
        (session.play.game(), session.play.opening().to_owned(), session.branch(at, text))
    };
    settings.give(by, "");
    match site.rooms.enter(game, &opening, &played, settings, owner) {
        Ok(room) => json_answer(&json!({ "room": format!("/r/{}", room.id) })),
        Err(error) => Refused::from(error).into_response(),
    }
}

/// Opens another game with the same seats and start. Those who play are led to the same one, and whoever only watches
/// gets all seats of another one.
pub(super) async fn again(
    State(site): Shared,
    Extension(client): From,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Response {
    in_room(site, client, id, move |site, room| {
        let by = browser(&headers);
        let led = |id: &str| json_answer(&json!({ "room": format!("/r/{id}") }));
        let (game, opening, mut settings, studies, shares) = {
            let session = room.lock();
            let play = &session.play;
            let shares = session.is_shared() && session.settings.takes_part(&by);
            if let Some(id) = session.rematch.as_deref().filter(|_| shares) {
                return led(id);
            }
            (play.game(), play.opening().to_owned(), session.again(), session.studies(&by), shares)
        };
        if !settings.takes_part(&by) || settings.holders.is_empty() {
            settings.give(&by, "");
        }
        match site.rooms.enter(game, &opening, &Played::default(), settings, client.0) {
            Ok(next) => {
                if studies {
                    study(&next, &by, client.0);
                }
                if shares {
                    let _ = room.seat(|session| {
                        session.rematch = Some(next.id.clone());
                        Ok(())
                    });
                }
                led(&next.id)
            }
            Err(error) => Refused::from(error).into_response(),
        }
    })
    .await
}
