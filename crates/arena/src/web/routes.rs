//! The addresses of the arena.

use super::Site;
use super::answers::{Wished, json_body, language, missing, nothing, page, remembering, typed};
use super::begin::{again, new, upload};
use super::budget::Client;
use super::gate::{asset, guarded};
use super::packed::shown;
use super::streams::{self, versions};
use crate::hall::{Reader, record, record_file};
use crate::page::{self, Eye, Visitor, Wish};
use crate::room::{Act, Room};
use axum::extract::{Path, Query, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Extension, Router};
use courses::drawing::Language;
use serde::Deserialize;
use std::sync::Arc;

/// Rooms of one stream.
const TABS: usize = 100;
/// The longest body of an act.
const ACT: usize = 16 * 1024;

pub(super) type Shared = State<Arc<Site>>;

/// The visitor that a request comes from.
pub(super) type From = Extension<Client>;

pub(super) fn router(site: Arc<Site>) -> Router {
    let router = Router::new()
        .route("/", get(home))
        .route("/open", get(open).post(upload))
        .route("/new", post(new))
        .route("/watch", get(watch))
        .route("/events", get(news))
        .route("/r/{id}", get(room))
        .route("/r/{id}/view", get(view))
        .route("/r/{id}/act", post(act))
        .route("/r/{id}/again", post(again))
        .route("/r/{id}/events", get(events))
        .route("/r/{id}/{file}", get(download))
        .route("/{asset}", get(asset))
        .fallback(|| async { nothing() });
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
        let mut answer = page(page::home(&visitor, &own.hall, &wish));
        if wish.is_unknown() {
            *answer.status_mut() = StatusCode::NOT_FOUND;
        }
        remembering(answer, &wish.lang)
    };
    site.budget.work(client, draw).await
}

async fn open(State(site): Shared, headers: HeaderMap, Query(wished): Query<Wished>) -> Response {
    let visitor = visitor(&site, language(&headers, &wished.lang), "/open");
    remembering(page(page::open(&visitor)), &wished.lang)
}

#[derive(Deserialize, Default)]
struct Looking {
    /// A number of moves; any other text means the latest.
    #[serde(default)]
    at: String,
    #[serde(default)]
    path: String,
    #[serde(default)]
    lang: String,
}

impl Looking {
    fn at(&self) -> Option<usize> {
        self.at.parse().ok()
    }
}

/// Works on a request about a room, once it is its turn.
pub(super) async fn in_room(
    site: Arc<Site>,
    client: Client,
    id: String,
    work: impl FnOnce(&Arc<Site>, &Arc<Room>) -> Response + Send + 'static,
) -> Response {
    let own = Arc::clone(&site);
    let draw = move || match own.hall.find(&id, client.0) {
        Some(room) => work(&own, &room),
        None => missing(),
    };
    site.budget.work(client, draw).await
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
        let path = format!("/r/{}{at}", page::encoded(&id));
        let visitor = visitor(&own, language(&headers, &looking.lang), &path);
        let Some(room) = own.hall.find(&id, client.0) else {
            let title = visitor.say("Cette partie n'existe plus", "This game is gone");
            let why = visitor.say(
                "Elle n'a pas été gardée, ou son numéro n'est celui d'aucune partie.",
                "It was not kept, or its number is no game's.",
            );
            return (StatusCode::NOT_FOUND, page(page::notice(&visitor, title, why))).into_response();
        };
        room.wake();
        let eye = Eye { at: looking.at(), language: visitor.language, ..Eye::default() };
        let version = room.version();
        let (title, text) = {
            let inner = room.lock();
            (inner.title(visitor.language), page::view(&inner, version, &eye))
        };
        remembering(page(page::room(&visitor, &room.id, title, &text)), &looking.lang)
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
        let eye = Eye { at: looking.at(), path, language: language(&headers, &looking.lang), refused: None };
        shown(room, &headers, room.view(&eye))
    })
    .await
}

async fn act(
    State(site): Shared,
    Extension(client): From,
    Path(id): Path<String>,
    headers: HeaderMap,
    request: Request,
) -> Result<Response, Response> {
    let language = language(&headers, "");
    let act: Act = json_body(request, ACT, "act").await?;
    let perform = move |_: &Arc<Site>, room: &Arc<Room>| {
        let outcome = room.act(&act, language);
        let eye = Eye { at: outcome.at, path: outcome.path, language, refused: outcome.refused };
        shown(room, &headers, room.view(&eye))
    };
    Ok(in_room(site, client, id, perform).await)
}

async fn download(
    State(site): Shared,
    Extension(client): From,
    Path((id, file)): Path<(String, String)>,
) -> Response {
    in_room(site, client, id, move |_, room| {
        let inner = room.lock();
        let game = inner.play.game();
        let (text, name) = match file.as_str() {
            "record" => (record_file(&inner, Reader::Visitor), format!("{}-{}.jsonl", game.name(), room.id)),
            "notation" => {
                let record = record(&inner);
                let own = game.notations().iter().find_map(|notation| notation.extension());
                let name = format!("{}-{}.{}", game.name(), room.id, own.unwrap_or("pgn"));
                (courses::notation::all(&[record]), name)
            }
            _ => return nothing(),
        };
        drop(inner);
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
        let listened = Arc::clone(room);
        versions(room.listen(), place, move || listened.listeners())
    })
    .await
}

#[derive(Deserialize)]
struct Rooms {
    rooms: String,
}

/// News of the rooms that a browser shows, in all of its tabs.
async fn news(State(site): Shared, Extension(client): From, Query(wished): Query<Rooms>) -> Response {
    let place = site.budget.stream(client);
    let own = Arc::clone(&site);
    let work = move || {
        let names = wished.rooms.split(',').take(TABS);
        let rooms: Vec<_> = names.filter_map(|id| own.hall.find(id, client.0)).collect();
        if rooms.is_empty() {
            return missing();
        }
        rooms.iter().for_each(|room| room.wake());
        streams::rooms(rooms, place)
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
        remembering(page(page::nothing_on(&visitor, &own.hall)), &wished.lang)
    };
    site.budget.work(client, draw).await
}
