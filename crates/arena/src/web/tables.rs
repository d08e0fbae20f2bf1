//! The page of a run. It shows the run and answers no other requests.

use super::Site;
use super::answers::{Refused, Wished, language, page, remembering};
use super::budget::{Budget, Client};
use super::gate::{Gate, asset, guarded};
use super::streams::{Source, news};
use crate::session::{open, replayed};
use crate::view::{self, Visitor};
use axum::extract::{Path, Query, Request, State};
use axum::http::HeaderMap;
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use axum::{Extension, Router};
use courses::drawing::Language;
use courses::record::Record;
use serde::Deserialize;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Games that are played elsewhere.
pub trait Tables: Send + Sync {
    /// Returns the changing part of the page.
    fn view(&self, language: Language) -> String;

    /// Returns the page of all finished games.
    fn games(&self, visitor: &Visitor) -> String;

    /// Returns a finished game by the number of its record.
    fn game(&self, number: u64) -> Option<Record>;

    /// Returns true once no game is played any more.
    fn is_over(&self) -> bool;

    /// Returns a receiver of the version after every change.
    fn listen(&self) -> tokio::sync::watch::Receiver<u64>;

    /// Returns the number of changes.
    fn version(&self) -> u64;

    /// Returns the number of listeners.
    fn watchers(&self) -> usize;
}

/// The state of a page that only shows.
pub struct Stage {
    tables: Arc<dyn Tables>,
    budget: Budget,
    /// The rooms for studies after the run.
    site: Arc<Site>,
    /// The rooms of the games that are studied, by the numbers of their records.
    studies: Mutex<HashMap<u64, String>>,
}

type Shared = State<Arc<Stage>>;

/// Returns the addresses of the page. None of them starts an engine or changes a file while games are played.
pub(super) fn router(tables: Arc<dyn Tables>, hosts: super::Hosts, site: Arc<Site>) -> Router {
    let gate = Arc::new(Gate { hosts, token: None });
    let studies = Mutex::default();
    let stage = Arc::new(Stage { tables, budget: Budget::default(), site, studies });
    let router = Router::new()
        .route("/", get(watch))
        .route("/watch", get(watch))
        .route("/watch/view", get(view))
        .route("/watch/events", get(events))
        .route("/watch/games", get(games))
        .route("/watch/{number}", get(game))
        .route("/watch/{number}/study", get(study))
        .route("/{asset}", get(asset))
        .fallback(|| async { Refused::Nothing });
    guarded(router, gate).with_state(stage)
}

/// Answers for rooms, whose pages have the token, once no game is played.
pub(super) async fn once_over(
    State(tables): State<Arc<dyn Tables>>,
    request: Request,
    next: Next,
) -> Response {
    if tables.is_over() { next.run(request).await } else { Refused::NoRoom.into_response() }
}

async fn watch(
    State(stage): Shared,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
    Query(wished): Query<Wished>,
) -> Response {
    let language = language(&headers, &wished.lang);
    let tables = Arc::clone(&stage.tables);
    let draw = move || {
        let visitor = visitor(language, "/watch".to_owned());
        remembering(page(view::watched(&visitor, &tables.view(language))), &wished.lang)
    };
    stage.budget.work(client, draw).await
}

#[derive(Deserialize)]
struct Looking {
    /// Ply shown; any other text means the latest.
    #[serde(default)]
    at: String,
    #[serde(default)]
    lang: String,
}

/// Returns a visitor of the run, who changes nothing.
fn visitor(language: Language, path: String) -> Visitor {
    Visitor { language, token: None, path, is_run: true }
}

/// Lists all finished games.
async fn games(
    State(stage): Shared,
    Extension(client): Extension<Client>,
    headers: HeaderMap,
    Query(wished): Query<Wished>,
) -> Response {
    let visitor = visitor(language(&headers, &wished.lang), "/watch/games".to_owned());
    let tables = Arc::clone(&stage.tables);
    let draw = move || remembering(page(tables.games(&visitor)), &wished.lang);
    stage.budget.work(client, draw).await
}

/// Returns the record of a game by its number from 1.
fn record_of(tables: &dyn Tables, number: u64) -> Result<Record, Refused> {
    tables.game(number.checked_sub(1).ok_or(Refused::NoRoom)?).ok_or(Refused::NoRoom)
}

/// Shows a finished game.
async fn game(
    State(stage): Shared,
    Extension(client): Extension<Client>,
    Path(number): Path<u64>,
    headers: HeaderMap,
    Query(looking): Query<Looking>,
) -> Response {
    let tables = Arc::clone(&stage.tables);
    let draw = move || {
        let at = looking.at.parse::<usize>().ok();
        let path = format!("/watch/{number}{}", at.map_or_else(String::new, |at| format!("?at={at}")));
        let visitor = visitor(language(&headers, &looking.lang), path);
        let shown = || -> Result<String, Refused> {
            let record = record_of(&*tables, number)?;
            let (game, settings) = replayed(&record)?;
            let session = open(game, &record.opening, &record.played, settings)?;
            let (at, may_study) = (at.unwrap_or(usize::MAX), tables.is_over());
            let game = view::tables::Game { record: &record, play: session.play.as_ref(), at, may_study };
            Ok(view::tables::game(&visitor, &game))
        };
        match shown() {
            Ok(text) => remembering(page(text), &looking.lang),
            Err(refused) => refused.into_response(),
        }
    };
    stage.budget.work(client, draw).await
}

/// Leads to the room in which a game is studied, at the same move, or to its moves while games are played.
async fn study(
    State(stage): Shared,
    Extension(client): Extension<Client>,
    Path(number): Path<u64>,
    Query(looking): Query<Looking>,
) -> Response {
    let whole = Arc::clone(&stage);
    let lead = move || {
        let at = looking.at.parse::<usize>().unwrap_or(0);
        let place = || -> Result<String, Refused> {
            let record = record_of(&*whole.tables, number)?;
            if !whole.tables.is_over() {
                return Ok(format!("/watch/{number}?at={at}"));
            }
            // The same room for everybody, unless it was closed.
            let mut studies = whole.studies.lock().unwrap_or_else(PoisonError::into_inner);
            let known = studies.get(&record.game);
            let room = match known.and_then(|id| whole.site.rooms.find(id, client.0)) {
                Some(room) => room,
                None => {
                    let (game, settings) = replayed(&record)?;
                    whole.site.rooms.enter(game, &record.opening, &record.played, settings, client.0)?
                }
            };
            studies.insert(record.game, room.id.clone());
            Ok(format!("/r/{}?at={at}", room.id))
        };
        place().map_or_else(IntoResponse::into_response, |to| Redirect::to(&to).into_response())
    };
    stage.budget.work(client, lead).await
}

async fn view(State(stage): Shared, Extension(client): Extension<Client>, headers: HeaderMap) -> Response {
    let tables = Arc::clone(&stage.tables);
    stage.budget.work(client, move || page(tables.view(language(&headers, "")))).await
}

async fn events(State(stage): Shared, Extension(client): Extension<Client>) -> Response {
    let tables = Arc::clone(&stage.tables);
    let changes = tables.listen();
    let tell = move || Some((tables.version().to_string(), tables.watchers()));
    news(vec![Source { changes, tell: Box::new(tell) }], stage.budget.stream(client))
}
