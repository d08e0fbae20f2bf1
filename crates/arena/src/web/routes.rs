//! The addresses of the page.

use super::Site;
use crate::engine::Strength;
use crate::hall::{Reader, UPLOAD, games_of, record, record_file, resigned};
use crate::page::{self, Eye, Visitor, Wish};
use crate::play::games;
use crate::room::{Act, Manner, Room, Seat};
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Path, Query, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use courses::drawing::Language;
use courses::record::{Missed, Played, Record};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::json;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

/// The longest body of an act.
const ACT: usize = 16 * 1024;
/// The time that a body may take to arrive.
const BODY: Duration = Duration::from_secs(15);
/// A page hears of changes no more often.
const BETWEEN: Duration = Duration::from_millis(100);
/// For each who looks a little less often: a crowd costs those who play hardly more than one.
const CROWD: Duration = Duration::from_millis(8);
/// A page may load our own files and nothing else.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; \
                      connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

type Shared = State<Arc<Site>>;

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

fn refuse(why: &'static str) -> Response {
    (StatusCode::FORBIDDEN, why).into_response()
}

fn typed(kind: &'static str, body: impl Into<Body>) -> Response {
    ([(header::CONTENT_TYPE, kind)], body.into()).into_response()
}

fn page(text: String) -> Response {
    typed("text/html; charset=utf-8", text)
}

/// The language: chosen by a link, that of the page that asks, remembered, or the browser's.
fn language(headers: &HeaderMap, wish: &str) -> Language {
    let of = |text: &str| match text {
        "fr" => Some(Language::French),
        "en" => Some(Language::English),
        _ => None,
    };
    let text =
        |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok()).unwrap_or_default();
    let cookie = text(header::COOKIE).split(';').find_map(|part| of(part.trim().strip_prefix("lang=")?));
    let accepted = text(header::ACCEPT_LANGUAGE)
        .split(',')
        .find_map(|part| part.trim().get(..2).and_then(|code| of(&code.to_ascii_lowercase())));
    let page = headers.get("x-arena-language").and_then(|value| of(value.to_str().ok()?));
    of(wish).or(page).or(cookie).or(accepted).unwrap_or(Language::English)
}

fn visitor(site: &Site, headers: &HeaderMap, wish: &str, path: &str) -> Visitor {
    Visitor { language: language(headers, wish), token: site.token.clone(), path: path.to_owned() }
}

/// The answer that remembers a language chosen by a link.
fn remembering(response: Response, wish: &str) -> Response {
    let mut response = response;
    if matches!(wish, "fr" | "en") {
        let cookie = format!("lang={wish}; Path=/; SameSite=Strict; Max-Age=31536000");
        if let Ok(value) = HeaderValue::from_str(&cookie) {
            response.headers_mut().insert(header::SET_COOKIE, value);
        }
    }
    response
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

fn nothing() -> Response {
    (StatusCode::NOT_FOUND, "nothing here\n").into_response()
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

/// A body of at most so many bytes, that arrives in time.
async fn body(request: Request, most: usize) -> Result<Bytes, Response> {
    let read = axum::body::to_bytes(request.into_body(), most);
    match tokio::time::timeout(BODY, read).await {
        Ok(Ok(bytes)) => Ok(bytes),
        Ok(Err(_)) => Err((StatusCode::PAYLOAD_TOO_LARGE, "the body is too long\n").into_response()),
        Err(_) => Err((StatusCode::REQUEST_TIMEOUT, "the body is too slow\n").into_response()),
    }
}

/// A body in JSON: a wish, or an act.
async fn json_body<T: DeserializeOwned>(request: Request, most: usize, what: &str) -> Result<T, Response> {
    let bytes = body(request, most).await?;
    serde_json::from_slice(&bytes).map_err(|error| wrong(format!("no such {what}: {error}")))
}

fn wrong(why: impl Into<String>) -> Response {
    (StatusCode::UNPROCESSABLE_ENTITY, why.into()).into_response()
}

fn json_answer(value: &serde_json::Value) -> Response {
    typed("application/json", value.to_string())
}

#[derive(Deserialize)]
struct New {
    game: String,
    #[serde(default)]
    mode: String,
    #[serde(default)]
    start: String,
    #[serde(default)]
    drawn: bool,
    #[serde(default)]
    size: String,
    #[serde(default)]
    seats: Vec<String>,
    #[serde(default)]
    strength: String,
    #[serde(default)]
    moves: Vec<String>,
    #[serde(default)]
    missed: Vec<(usize, Missed)>,
    #[serde(default)]
    micros: Vec<u64>,
    #[serde(default)]
    names: Vec<String>,
    #[serde(default)]
    resigned: Option<usize>,
}

async fn new(State(site): Shared, request: Request) -> Result<Response, Response> {
    let new: New = json_body(request, UPLOAD, "request").await?;
    Ok(match tokio::task::spawn_blocking(move || begin(&site, &new)).await {
        Ok(Ok(id)) => json_answer(&json!({ "room": format!("/r/{id}") })),
        Ok(Err(error)) => wrong(error),
        Err(_) => (StatusCode::INTERNAL_SERVER_ERROR, "it failed\n").into_response(),
    })
}

fn strength(text: &str) -> Result<Strength, String> {
    let wrong = || format!("\"{}\" is no strength", courses::fault::excerpt(text));
    match text.split_once(' ').ok_or_else(wrong)? {
        ("level", level) => level.parse().ok().filter(|level| (1..=10).contains(level)).map(Strength::Level),
        ("millis", time) => {
            time.parse().ok().filter(|time| (10..=60_000).contains(time)).map(Strength::Millis)
        }
        _ => None,
    }
    .ok_or_else(wrong)
}

fn begin(site: &Site, new: &New) -> Result<String, String> {
    let game = games::by_name(&new.game).ok_or("no such game")?;
    let number = courses::seed::mix(site.hall.secret(), site.hall.next());
    let strength = if new.strength.is_empty() { Strength::Level(4) } else { strength(&new.strength)? };
    let names = match new.mode.as_str() {
        "study" | "replay" => {
            let taken = new.seats.iter().filter(|who| !who.is_empty()).count();
            vec!["person".to_owned(); taken.clamp(1, 4)]
        }
        "watch" => {
            new.seats.iter().map(|who| if who == "person" { "own".to_owned() } else { who.clone() }).collect()
        }
        _ => new.seats.clone(),
    };
    let most = if game == courses::options::Game::Moules { 4 } else { 2 };
    let seats: Vec<Seat> = names
        .iter()
        .take(most)
        .filter(|who| !who.is_empty())
        .enumerate()
        .map(|(seat, who)| site.hall.seat(game, who, strength, number % 1_000_000 + seat as u64))
        .collect::<Result<_, _>>()?;
    if seats.is_empty() {
        return Err("nobody plays".to_owned());
    }
    let mut opening = match (new.drawn, new.start.trim()) {
        (true, _) => games::drawn(game, &new.size, number % 1_000_000)?,
        (false, "") if game == courses::options::Game::Connect5 && !new.size.is_empty() => new.size.clone(),
        (false, "") if game == courses::options::Game::Moules => {
            format!("maze {} items {}", number % 65_536, courses::seed::mix(number, 1) % 65_536)
        }
        (false, text) => games::start(game, &games::sized(game, text, &new.size), seats.len())?,
    };
    if game == courses::options::Game::Moules && !new.size.is_empty() && !opening.contains("size") {
        opening = format!("{opening} size {}", new.size);
    }
    let seats = match (seats.as_slice(), most) {
        ([alone], 2) => {
            let other = if new.mode == "watch" { "own" } else { "person" };
            vec![alone.clone(), site.hall.seat(game, other, strength, number % 1_000_000 + 1)?]
        }
        _ => seats,
    };
    let pace = if new.mode == "watch" { 300 } else { 0 };
    let names = new.names.iter().map(|name| courses::fault::excerpt(name)).collect();
    let resigned = new.resigned.filter(|seat| *seat < seats.len());
    let manner = Manner { seats, pace, resigned, names };
    let (moves, missed, micros) = (new.moves.clone(), new.missed.clone(), new.micros.clone());
    let played = Played { moves, missed, micros, ..Played::default() };
    let room = site.hall.enter(game, &opening, &played, manner)?;
    if new.mode == "study" {
        study(&room);
    }
    Ok(room.id.clone())
}

/// Turns a room's analysis on.
fn study(room: &Arc<Room>) {
    let act = Act { what: "study".into(), click: String::new(), path: Vec::new(), at: None, number: Some(1) };
    room.act(&act, Language::English);
}

async fn upload(State(site): Shared, headers: HeaderMap, request: Request) -> Result<Response, Response> {
    let language = language(&headers, "");
    let bytes = body(request, UPLOAD).await?;
    let text = String::from_utf8(bytes.to_vec()).map_err(|_| wrong("the file is not UTF-8"))?;
    let read = tokio::task::spawn_blocking(move || games_of(&text)).await;
    let records = match read {
        Ok(Ok(records)) => records,
        Ok(Err(error)) => return Err(wrong(error)),
        Err(_) => return Err(wrong("the file cannot be read")),
    };
    if let [record] = records.as_slice() {
        let record = record.clone();
        let opened = tokio::task::spawn_blocking(move || {
            let game = games::by_name(&record.course).ok_or("no such game")?;
            let seats = vec![Seat::Person; record.names.len()];
            let resigned = resigned(&record.played);
            let manner = Manner { seats, pace: 0, resigned, names: record.names.clone() };
            site.hall.enter(game, &record.opening, &record.played, manner)
        })
        .await;
        return Ok(match opened {
            Ok(Ok(room)) => json_answer(&json!({ "room": format!("/r/{}?at=0", room.id) })),
            Ok(Err(error)) => wrong(error),
            Err(_) => wrong("the game cannot be opened"),
        });
    }
    let end = |record: &Record| match language {
        Language::French => crate::words::french(&record.played.end),
        Language::English => record.played.end.clone(),
    };
    let games: Vec<_> = records
        .iter()
        .map(|record| {
            json!({
                "title": format!("{} · {} · {}", record.game + 1, record.names.join(" – "), end(record)),
                "game": record.course,
                "start": record.opening,
                "moves": record.played.moves,
                "missed": record.played.missed,
                "micros": record.played.micros,
                "names": record.names,
                "resigned": resigned(&record.played),
            })
        })
        .collect();
    Ok(json_answer(&json!({ "games": games })))
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

fn missing() -> Response {
    (StatusCode::NOT_FOUND, "no such room\n").into_response()
}

async fn find(site: &Arc<Site>, id: String) -> Option<Arc<Room>> {
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

/// Another game with the same seats from the same start.
async fn again(State(site): Shared, Path(id): Path<String>) -> Response {
    let Some(room) = find(&site, id).await else { return missing() };
    let (game, opening, manner, studies) = {
        let inner = room.lock();
        let manner = Manner { resigned: None, names: Vec::new(), ..inner.manner.clone() };
        (inner.play.game(), inner.play.opening().to_owned(), manner, inner.study.is_some())
    };
    let begin = move || {
        let room = site.hall.enter(game, &opening, &Played::default(), manner)?;
        if studies {
            study(&room);
        }
        Ok::<_, String>(room)
    };
    match tokio::task::spawn_blocking(begin).await {
        Ok(Ok(room)) => json_answer(&json!({ "room": format!("/r/{}", room.id) })),
        Ok(Err(error)) => wrong(error),
        Err(_) => wrong("it failed"),
    }
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
