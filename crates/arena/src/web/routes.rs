//! The addresses of the page.

use super::Site;
use super::answers::{json_body, language, missing, nothing, page, refuse, remembering, typed};
use super::begin::{again, new, upload};
use crate::hall::{Reader, UPLOAD, record, record_file};
use crate::page::{self, Eye, Visitor, Wish};
use crate::play::games;
use crate::room::{Act, Room};
use axum::Router;
use axum::body::Body;
use axum::extract::{Path, Query, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use courses::drawing::Language;
use serde::Deserialize;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

/// The longest body of an act.
const ACT: usize = 16 * 1024;
/// A page hears of changes no more often.
const BETWEEN: Duration = Duration::from_millis(100);
/// For each who looks a little less often: a crowd costs those who play hardly more than one.
const CROWD: Duration = Duration::from_millis(8);
/// A page may load our own files and nothing else.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; \
                      connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

pub(super) type Shared = State<Arc<Site>>;

pub fn router(site: Arc<Site>) -> Router {
    Router::new()
        .route("/", get(home))
        .route("/open", get(open).post(upload))
        .route("/new", post(new))
        .route("/watch", get(watch))
        .route("/watch/view", get(watch_view))
        .route("/watch/events", get(watch_events))
        .route("/r/{id}", get(room))
        .route("/r/{id}/view", get(view))
        .route("/r/{id}/act", post(act))
        .route("/r/{id}/again", post(again))
        .route("/r/{id}/events", get(events))
        .route("/r/{id}/{file}", get(download))
        .route("/{asset}", get(asset))
        .fallback(|| async { nothing() })
        .layer(from_fn_with_state(Arc::clone(&site), guard))
        .layer(from_fn(translate))
        .with_state(site)
}

/// Answers only to our own name, and changes nothing but for our own pages.
async fn guard(State(site): Shared, request: Request, next: Next) -> Response {
    let headers = request.headers();
    let text = |name: header::HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    let Some(host) = text(header::HOST).filter(|host| site.hosts.knows(host)) else {
        return refuse("the Host is none of this page's");
    };
    if text(header::ORIGIN).is_some_and(|origin| !site.hosts.is_own(origin, host)) {
        return refuse("the Origin is none of this page's");
    }
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        let token = headers.get("x-arena-token").and_then(|value| value.to_str().ok());
        if token != Some(site.token.as_str()) {
            return refuse("the token is missing: load the page again");
        }
    }
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Says to who reads French in French why something was refused.
async fn translate(request: Request, next: Next) -> Response {
    let language = language(request.headers(), "");
    let response = next.run(request).await;
    let kind = response.headers().get(header::CONTENT_TYPE).map(HeaderValue::as_bytes).unwrap_or_default();
    if language == Language::English
        || !response.status().is_client_error()
        || !kind.starts_with(b"text/plain")
    {
        return response;
    }
    let (mut head, body) = response.into_parts();
    head.headers.remove(header::CONTENT_LENGTH);
    let text = axum::body::to_bytes(body, UPLOAD).await.unwrap_or_default();
    let text = crate::words::french(&String::from_utf8_lossy(&text));
    Response::from_parts(head, Body::from(text))
}

fn visitor(site: &Site, headers: &HeaderMap, wish: &str, path: &str) -> Visitor {
    Visitor { language: language(headers, wish), token: site.token.clone(), path: path.to_owned() }
}

async fn home(State(site): Shared, headers: HeaderMap, Query(wish): Query<Wish>) -> Response {
    if site.tables.is_some() {
        return watch(State(site), headers, Query(wish)).await;
    }
    let visitor = visitor(&site, &headers, &wish.lang, &wish.address());
    let mut answer = page(page::home(&visitor, &site.hall, &wish));
    if wish.is_unknown() {
        *answer.status_mut() = StatusCode::NOT_FOUND;
    }
    remembering(answer, &wish.lang)
}

async fn open(State(site): Shared, headers: HeaderMap, Query(wish): Query<Wish>) -> Response {
    let visitor = visitor(&site, &headers, &wish.lang, "/open");
    remembering(page(page::open(&visitor)), &wish.lang)
}

async fn asset(Path(name): Path<String>) -> Response {
    match name.as_str() {
        "style.css" => typed("text/css; charset=utf-8", page::style()),
        "icon.svg" | "favicon.ico" => typed("image/svg+xml", page::ICON),
        name => match page::SCRIPTS.iter().find(|(script, _)| *script == name) {
            Some((_, text)) => typed("text/javascript; charset=utf-8", *text),
            None => nothing(),
        },
    }
}

#[derive(Deserialize, Default)]
struct Looking {
    /// A number of moves; what is none leads behind the last.
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

pub(super) async fn find(site: &Arc<Site>, id: String) -> Option<Arc<Room>> {
    // Only a record on the disk is worth another thread.
    if let Some(room) = site.hall.find_open(&id) {
        return Some(room);
    }
    let site = Arc::clone(site);
    tokio::task::spawn_blocking(move || site.hall.find(&id)).await.ok().flatten()
}

async fn room(
    State(site): Shared,
    Path(id): Path<String>,
    headers: HeaderMap,
    Query(looking): Query<Looking>,
) -> Response {
    let at = looking.at().map_or_else(String::new, |at| format!("?at={at}"));
    let visitor = visitor(&site, &headers, &looking.lang, &format!("/r/{}{at}", page::encoded(&id)));
    let Some(room) = find(&site, id).await else {
        let title = visitor.say("Cette partie n'est plus là", "This game is gone");
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
}

async fn view(
    State(site): Shared,
    Path(id): Path<String>,
    headers: HeaderMap,
    Query(looking): Query<Looking>,
) -> Response {
    let Some(room) = find(&site, id).await else { return missing() };
    let path = looking.path.split(' ').filter(|word| !word.is_empty()).take(8).map(str::to_owned).collect();
    let eye = Eye { at: looking.at(), path, language: language(&headers, &looking.lang), refused: None };
    page(room.view(&eye))
}

async fn act(
    State(site): Shared,
    Path(id): Path<String>,
    headers: HeaderMap,
    request: Request,
) -> Result<Response, Response> {
    let room = find(&site, id).await.ok_or_else(missing)?;
    let language = language(&headers, "");
    let act: Act = json_body(request, ACT, "act").await?;
    let outcome = room.act(&act, language);
    let eye = Eye { at: outcome.at, path: outcome.path, language, refused: outcome.refused };
    Ok(page(room.view(&eye)))
}

async fn download(State(site): Shared, Path((id, file)): Path<(String, String)>) -> Response {
    let Some(room) = find(&site, id).await else { return missing() };
    let inner = room.lock();
    let game = games::name(inner.play.game());
    let (text, name) = match file.as_str() {
        "record" => (record_file(&inner, Reader::Visitor), format!("{game}-{}.jsonl", room.id)),
        "notation" => {
            let record = record(&inner);
            let extension = if game == "othello" {
                "ggf"
            } else if game == "connect5" {
                "sgf"
            } else {
                "pgn"
            };
            (courses::notation::all(&[record]), format!("{game}-{}.{extension}", room.id))
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
}

/// The version whenever it has changed; pages fetch what they want to see.
fn versions(
    receiver: tokio::sync::watch::Receiver<u64>,
    watchers: impl Fn() -> usize + Send + 'static,
) -> Response {
    let news = futures_util::stream::unfold(
        (receiver, watchers, true),
        |(mut receiver, watchers, first)| async move {
            if !first {
                tokio::time::sleep(BETWEEN + CROWD * watchers() as u32).await;
                receiver.changed().await.ok()?;
            }
            let version = *receiver.borrow_and_update();
            let event = Event::default().data(version.to_string());
            Some((Ok::<_, Infallible>(event), (receiver, watchers, false)))
        },
    );
    Sse::new(news).keep_alive(KeepAlive::new().interval(Duration::from_secs(10))).into_response()
}

async fn events(State(site): Shared, Path(id): Path<String>) -> Response {
    let Some(room) = find(&site, id).await else { return missing() };
    room.wake();
    versions(room.listen(), move || room.listeners())
}

async fn watch(State(site): Shared, headers: HeaderMap, Query(wish): Query<Wish>) -> Response {
    let visitor = visitor(&site, &headers, &wish.lang, "/watch");
    let answer = match &site.tables {
        Some(tables) => page::tables(&visitor, &tables.view(visitor.language)),
        None => page::nothing_on(&visitor, &site.hall),
    };
    remembering(page(answer), &wish.lang)
}

async fn watch_view(State(site): Shared, headers: HeaderMap) -> Response {
    match &site.tables {
        Some(tables) => page(tables.view(language(&headers, ""))),
        None => missing(),
    }
}

async fn watch_events(State(site): Shared) -> Response {
    match &site.tables {
        Some(tables) => {
            let listened = Arc::clone(tables);
            versions(tables.listen(), move || listened.watchers())
        }
        None => missing(),
    }
}
