//! New games: from the first page, from a file, or again.

use super::answers::{Refused, body, json_answer, json_of};
use super::budget::Turn;
use super::requests::Visit;
use super::room::Room;
use crate::session::{Action, Fault, New, games_of, listed, replayed};
use axum::body::{Body, Bytes, HttpBody as _};
use axum::extract::{Path, Request};
use axum::response::{IntoResponse, Response};
use courses::drawing::Language;
use courses::notation;
use courses::record::{Played, Record};
use futures_util::TryStreamExt as _;
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Maximum length of an opened file in bytes.
const UPLOAD: usize = 4 << 20;
/// A longer request has its turn among large bodies. All connections may stall in one of this length.
const SMALL: u64 = 8 * 1024;

/// Reads a body. Returns it with its place, which is held until it is worked on.
async fn received(visit: &Visit, request: Request) -> Result<(Bytes, Option<Turn>), Refused> {
    let is_small = request.body().size_hint().upper().is_some_and(|length| length <= SMALL);
    if is_small {
        return Ok((body(request, UPLOAD).await?, None));
    }
    let received = Arc::new(AtomicU64::new(0));
    let count = Arc::clone(&received);
    let counted = request.map(|body| {
        let count = move |part: &Bytes| {
            count.fetch_add(part.len() as u64, Ordering::Relaxed);
        };
        Body::from_stream(body.into_data_stream().inspect_ok(count))
    });
    let (bytes, place) = visit.site.budget.body(visit.client, received, body(counted, UPLOAD)).await?;
    Ok((bytes, Some(place)))
}

pub(super) async fn new(visit: Visit, request: Request) -> Result<Response, Refused> {
    // A game of a file is sent back whole.
    let (bytes, _place) = received(&visit, request).await?;
    let new: New = json_of(&bytes)?;
    drop(bytes);
    let work = move |visit: &Visit| match begin(visit, &new) {
        Ok(id) => led(&id),
        Err(refused) => refused.into_response(),
    };
    Ok(visit.work(work).await)
}

/// Opens a room for a browser, which gets all seats, and returns the room's name.
fn begin(visit: &Visit, new: &New) -> Result<String, Refused> {
    if let Some(record) = new.pasted()? {
        return replay(visit, &record);
    }
    let rooms = &visit.site.rooms;
    let game = new.game()?;
    let number = courses::seed::mix(rooms.secret(), rooms.next());
    let seat = |who: &str, strength, seed| rooms.seat(game, who, strength, seed);
    let mut settings = new.settings(game, number % 1_000_000, seat)?;
    if settings.names.is_empty() {
        settings.give(&visit.by, &new.name);
    }
    let (opening, played) = new.beginning(game, settings.seats.len(), number)?;
    let room = rooms.enter(game, &opening, &played, settings, visit.client.0)?;
    if new.mode == "study" {
        study(&room, visit);
    }
    // A position or a game that somebody brought is kept before its first move here.
    if !(new.start.trim().is_empty() && played.moves.is_empty()) {
        room.keep();
    }
    Ok(room.id.clone())
}

/// Starts a browser's analysis of a room.
fn study(room: &Arc<Room>, visit: &Visit) {
    let study = Action::Study { on: true, at: None };
    if room.act(&study, &visit.by, visit.client.0, Language::English).is_err() {
        room.lock().fault = Some(Fault::Busy);
    }
}

pub(super) async fn upload(visit: Visit, request: Request) -> Result<Response, Refused> {
    let (bytes, place) = received(&visit, request).await?;
    let work = move |visit: &Visit| {
        let _place = place;
        opened(visit, bytes).unwrap_or_else(IntoResponse::into_response)
    };
    Ok(visit.work(work).await)
}

/// Opens a recorded game and returns its name.
fn replay(visit: &Visit, record: &Record) -> Result<String, Refused> {
    let (game, settings) = replayed(record)?;
    let room = visit.site.rooms.enter(game, &record.opening, &record.played, settings, visit.client.0)?;
    room.keep();
    Ok(room.id.clone())
}

/// Opens the only game of a file, or lists the games of the file.
fn opened(visit: &Visit, bytes: Bytes) -> Result<Response, Refused> {
    let records = {
        let text = notation::decode(&bytes).map_err(anyhow::Error::from)?;
        games_of(&text)?
    };
    drop(bytes);
    if let [record] = records.as_slice() {
        let id = replay(visit, record)?;
        return Ok(json_answer(&json!({ "room": format!("/r/{id}?at=0") })));
    }
    Ok(json_answer(&listed(&records, visit.language(""))))
}

/// Opens a browser's game of persons that begins with the first `at` moves of a room and other ones.
pub(super) fn branch(visit: &Visit, room: &Room, (at, line): (usize, Vec<String>)) -> Response {
    let (game, opening, (played, mut settings)) = {
        let session = room.lock();
        (session.play.game(), session.play.opening().to_owned(), session.branch(at, line, &visit.by))
    };
    settings.give(&visit.by, "");
    match visit.site.rooms.enter(game, &opening, &played, settings, visit.client.0) {
        Ok(room) => led(&room.id),
        Err(error) => Refused::from(error).into_response(),
    }
}

/// Leads a page to a room.
fn led(id: &str) -> Response {
    json_answer(&json!({ "room": format!("/r/{id}") }))
}

/// Opens another game with the same seats and start. Those who play are led to the same one, and whoever only watches
/// gets all seats of another one.
pub(super) async fn again(visit: Visit, Path(id): Path<String>) -> Response {
    visit
        .in_room(id, |visit, room| {
            let by = &visit.by;
            let (game, opening, mut settings, studies, shares) = {
                let session = room.lock();
                let play = &session.play;
                let shares = session.is_shared() && session.settings.takes_part(by);
                if let Some(id) = session.rematch.as_deref().filter(|_| shares) {
                    return led(id);
                }
                (play.game(), play.opening().to_owned(), session.again(), session.studies(by), shares)
            };
            if !settings.takes_part(by) || settings.holders.is_empty() {
                settings.give(by, "");
            }
            let entered =
                visit.site.rooms.enter(game, &opening, &Played::default(), settings, visit.client.0);
            let next = match entered {
                Ok(next) => next,
                Err(error) => return Refused::from(error).into_response(),
            };
            if studies {
                study(&next, visit);
            }
            let mut id = next.id.clone();
            if shares {
                // Somebody else may have opened one meanwhile.
                let _ = room.seat(|session| {
                    id.clone_from(session.rematch.get_or_insert(next.id.clone()));
                    Ok(())
                });
            }
            led(&id)
        })
        .await
}
