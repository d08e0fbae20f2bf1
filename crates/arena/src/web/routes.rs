//! The addresses of the arena.

use super::Site;
use super::answers::{Refused, Wished, browser, json_body, known, language, page, remembering, typed};
use super::begin::{again, branch, new, upload};
use super::gate::{asset, guarded};
use super::packed::shown;
use super::requests::{From, Shared, in_room};
use super::room::Room;
use super::seats::{invite, offered, sit};
use super::streams::{self, versions};
use crate::session::{Action, Outcome, Reader, Refusal, Viewpoint, record, record_file};
use crate::view::puzzles::Asked;
use crate::view::{self, Home, Visitor, Wish};
use axum::extract::{Path, Query, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Extension, Router};
use courses::drawing::Language;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Maximum number of rooms in a stream.
const TABS: usize = 100;
/// Maximum length of an action in bytes.
const ACTION: usize = 16 * 1024;

/// An action, and the position that its page shows.
#[derive(Deserialize)]
struct Acted {
    #[serde(flatten)]
    action: Action,
    #[serde(flatten)]
    seen: Viewpoint,
}

pub(super) fn router(site: Arc<Site>) -> Router {
    let router = Router::new()
        .route("/", get(home))
        .route("/open", get(open).post(upload))
        .route("/new", post(new))
        .route("/puzzles", get(puzzles))
        .route("/puzzles/{game}/view", get(puzzle))
        .route("/watch", get(watch))
        .route("/events", get(news))
        .route("/r/{id}", get(room))
        .route("/r/{id}/view", get(view))
        .route("/r/{id}/act", post(act))
        .route("/r/{id}/invite", post(invite))
        .route("/r/{id}/sit", post(sit))
        .route("/r/{id}/again", post(again))
        .route("/r/{id}/delete", post(delete))
        .route("/r/{id}/events", get(events))
        .route("/r/{id}/{file}", get(download))
        .route("/{asset}", get(asset))
        .fallback(|| async { Refused::Nothing });
    guarded(router, Arc::clone(&site.gate)).with_state(site)
}

fn visitor(site: &Site, language: Language, path: &str) -> Visitor {
    Visitor { language, token: site.gate.token.clone(), path: path.to_owned() }
}

async fn home(
    State(site): Shared,
    Extension(client): From,
    headers: HeaderMap,
    Query(wish): Query<Wish>,
) -> Response {
    let own = Arc::clone(&site);
    let draw = move || {
        let visitor = visitor(&own, language(&headers, &wish.lang), &wish.address());
        let games = own.rooms.latest(24, &browser(&headers), visitor.language);
        let offered = Home { guests: &own.rooms.guests, games };
        let mut answer = page(view::home(&visitor, &offered, &wish));
        if wish.is_unknown() {
            *answer.status_mut() = StatusCode::NOT_FOUND;
        }
        known(remembering(answer, &wish.lang), &headers)
    };
    site.budget.work(client, draw).await
}

async fn open(State(site): Shared, headers: HeaderMap, Query(wished): Query<Wished>) -> Response {
    let visitor = visitor(&site, language(&headers, &wished.lang), "/open");
    known(remembering(page(view::open(&visitor)), &wished.lang), &headers)
}

/// The query of the page of the puzzles, which its script reads.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Chosen {
    game: String,
    level: String,
    n: String,
    lang: String,
}

async fn puzzles(State(site): Shared, headers: HeaderMap, Query(chosen): Query<Chosen>) -> Response {
    let fields = [("game", &chosen.game), ("level", &chosen.level), ("n", &chosen.n)];
    let fields: Vec<String> = fields
        .iter()
        .filter(|(_, text)| !text.is_empty())
        .map(|(name, text)| format!("{name}={}", view::encoded(text)))
        .collect();
    let query = if fields.is_empty() { String::new() } else { format!("?{}", fields.join("&")) };
    let visitor = visitor(&site, language(&headers, &chosen.lang), &format!("/puzzles{query}"));
    remembering(page(view::puzzles::puzzles(&visitor)), &chosen.lang)
}

async fn puzzle(
    State(site): Shared,
    Extension(client): From,
    Path(game): Path<String>,
    headers: HeaderMap,
    Query(asked): Query<Asked>,
) -> Response {
    let draw = move || {
        let game = courses::registry::find(&game);
        match game.and_then(|game| view::puzzles::puzzle(game, &asked, language(&headers, ""))) {
            Some(text) => page(text),
            None => Refused::Nothing.into_response(),
        }
    };
    site.budget.work(client, draw).await
}

#[derive(Deserialize, Default)]
struct Looking {
    /// Ply shown; any other text means the latest.
    #[serde(default)]
    at: String,
    #[serde(default)]
    path: String,
    #[serde(default)]
    lang: String,
    /// The ticket of an invitation.
    #[serde(default)]
    seat: String,
}

impl Looking {
    fn at(&self) -> Option<usize> {
        self.at.parse().ok()
    }
}

async fn room(
    State(site): Shared,
    Extension(client): From,
    Path(id): Path<String>,
    headers: HeaderMap,
    Query(looking): Query<Looking>,
) -> Response {
    let own = Arc::clone(&site);
    let draw = move || {
        let at = looking.at().map_or_else(String::new, |at| format!("?at={at}"));
        let ticket = Some(looking.seat.as_str()).filter(|ticket| !ticket.is_empty());
        let seat = ticket.map_or_else(String::new, |ticket| format!("?seat={}", view::encoded(ticket)));
        let path = format!("/r/{}{}", view::encoded(&id), if seat.is_empty() { at } else { seat });
        let visitor = visitor(&own, language(&headers, &looking.lang), &path);
        let Some(room) = own.rooms.find(&id, client.0) else {
            let title = visitor.say("Cette partie n'existe plus", "This game is gone");
            let why = visitor.say(
                "Elle n'a pas été gardée, ou son numéro n'est celui d'aucune partie.",
                "It was not kept, or its number is no game's.",
            );
            return (StatusCode::NOT_FOUND, page(view::notice(&visitor, title, why))).into_response();
        };
        room.wake();
        let seen = Viewpoint { at: looking.at(), path: Vec::new() };
        let title = room.lock().play.game().title(visitor.language);
        let by = browser(&headers);
        let text = room.view(&seen, None, &by, visitor.language);
        let invitation = ticket.map(|ticket| (ticket, offered(&room, ticket, &by)));
        let invited = invitation.map(|(ticket, seat)| match seat {
            Ok(seat) => seat.map_or_else(String::new, |seat| {
                let name = room.lock().play.seat_name(seat, visitor.language);
                view::invited(&visitor, ticket, &name)
            }),
            Err(refusal) => view::warning(&refusal.text(visitor.language)),
        });
        let shown = view::room(&visitor, &room.id, title, &invited.unwrap_or_default(), &text);
        known(remembering(page(shown), &looking.lang), &headers)
    };
    site.budget.work(client, draw).await
}

async fn view(
    State(site): Shared,
    Extension(client): From,
    Path(id): Path<String>,
    headers: HeaderMap,
    Query(looking): Query<Looking>,
) -> Response {
    in_room(site, client, id, move |_, room| {
        let words = looking.path.split(' ').filter(|word| !word.is_empty());
        let path = words.take(8).map(str::to_owned).collect();
        let seen = Viewpoint { at: looking.at(), path };
        let by = browser(&headers);
        shown(room, &headers, room.view(&seen, None, &by, language(&headers, &looking.lang)))
    })
    .await
}

async fn act(
    State(site): Shared,
    Extension(client): From,
    Path(id): Path<String>,
    headers: HeaderMap,
    request: Request,
) -> Result<Response, Refused> {
    let language = language(&headers, "");
    let asked: Acted = json_body(request, ACTION).await?;
    let by = browser(&headers);
    let perform = move |site: &Arc<Site>, room: &Arc<Room>| {
        let (seen, refused) = match room.act(&asked.action, &by, client.0, language) {
            Ok(Outcome { branch: Some(branched), .. }) => return branch(site, room, branched, &by, client.0),
            Ok(outcome) => (outcome.seen, None),
            Err(refusal) => (asked.seen, Some(refusal.text(language))),
        };
        shown(room, &headers, room.view(&seen, refused.as_deref(), &by, language))
    };
    Ok(in_room(site, client, id, perform).await)
}

async fn delete(
    State(site): Shared,
    Extension(client): From,
    Path(id): Path<String>,
    headers: HeaderMap,
) -> Response {
    in_room(site, client, id, move |site, room| {
        if !room.lock().settings.takes_part(&browser(&headers)) {
            return Refused::Seat(Refusal::Watching).into_response();
        }
        match site.rooms.delete(room) {
            Ok(true) => StatusCode::NO_CONTENT.into_response(),
            Ok(false) => Refused::InProgress.into_response(),
            Err(_) => Refused::Failed.into_response(),
        }
    })
    .await
}

async fn download(
    State(site): Shared,
    Extension(client): From,
    Path((id, file)): Path<(String, String)>,
) -> Response {
    in_room(site, client, id, move |_, room| {
        let session = room.lock();
        let game = session.play.game();
        let (text, name) = match file.as_str() {
            "record" => {
                (record_file(&session, Reader::Visitor), format!("{}-{}.jsonl", game.name(), room.id))
            }
            "notation" => {
                let record = record(&session);
                let own = game.notations().iter().find_map(|notation| notation.extension());
                let name = format!("{}-{}.{}", game.name(), room.id, own.unwrap_or("pgn"));
                (courses::notation::all(&[record]), name)
            }
            _ => return Refused::Nothing.into_response(),
        };
        drop(session);
        let disposition = format!("attachment; filename=\"{name}\"");
        let mut response = typed("application/octet-stream", text);
        if let Ok(value) = HeaderValue::from_str(&disposition) {
            response.headers_mut().insert(header::CONTENT_DISPOSITION, value);
        }
        response
    })
    .await
}

async fn events(State(site): Shared, Extension(client): From, Path(id): Path<String>) -> Response {
    let place = site.budget.stream(client);
    in_room(site, client, id, move |_, room| {
        room.wake();
        // A stream does not keep a room open.
        let listened = Arc::downgrade(room);
        versions(room.listen(), place, move || listened.upgrade().map_or(0, |room| room.listeners()))
    })
    .await
}

#[derive(Deserialize)]
struct Rooms {
    rooms: String,
}

/// Streams news of the rooms that a browser shows in all of its tabs.
async fn news(
    State(site): Shared,
    Extension(client): From,
    headers: HeaderMap,
    Query(wished): Query<Rooms>,
) -> Response {
    let place = site.budget.stream(client);
    let own = Arc::clone(&site);
    let work = move || {
        // Once each: every listener makes the others of its room wait longer.
        let names: BTreeSet<&str> = wished.rooms.split(',').take(TABS).collect();
        let rooms: Vec<_> = names.into_iter().filter_map(|id| own.rooms.find(id, client.0)).collect();
        if rooms.is_empty() {
            return Refused::NoRoom.into_response();
        }
        rooms.iter().for_each(|room| room.wake());
        streams::rooms(rooms, &browser(&headers), place)
    };
    site.budget.work(client, work).await
}

async fn watch(
    State(site): Shared,
    Extension(client): From,
    headers: HeaderMap,
    Query(wished): Query<Wished>,
) -> Response {
    let own = Arc::clone(&site);
    let draw = move || {
        let visitor = visitor(&own, language(&headers, &wished.lang), "/watch");
        remembering(
            page(view::nothing_on(&visitor, &own.rooms.latest(50, &browser(&headers), visitor.language))),
            &wished.lang,
        )
    };
    site.budget.work(client, draw).await
}
