//! The page of a run. It shows the run and answers no other requests.

use super::answers::{Refused, Wished, language, page, remembering};
use super::budget::{Budget, Client};
use super::gate::{Gate, asset, guarded};
use super::streams::{Source, news};
use crate::session::{open, replayed};
use crate::view::tables::Text;
use crate::view::{self, Visitor};
use axum::extract::{Path, Query, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Router};
use courses::drawing::Language;
use courses::record::Record;
use serde::Deserialize;
use std::sync::Arc;

/// Games that are played elsewhere.
pub trait Tables: Send + Sync {
    /// Returns the changing part of the page.
    fn view(&self, language: Language) -> String;

    /// Returns a finished game with its title.
    fn game(&self, number: u64) -> Option<(Text, Record)>;

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
}

type Shared = State<Arc<Stage>>;

/// Returns the addresses of the page. None of them opens a game, starts an engine or changes a file.
pub(super) fn router(tables: Arc<dyn Tables>, hosts: super::Hosts) -> Router {
    let gate = Arc::new(Gate { hosts, token: None });
    let stage = Arc::new(Stage { tables, budget: Budget::default() });
    let router = Router::new()
        .route("/", get(watch))
        .route("/watch", get(watch))
        .route("/watch/view", get(view))
        .route("/watch/events", get(events))
        .route("/watch/{number}", get(game))
        .route("/{asset}", get(asset))
        .fallback(|| async { Refused::Nothing });
    guarded(router, gate).with_state(stage)
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
        let visitor = Visitor { language, token: None, path: "/watch".to_owned() };
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
        let visitor = Visitor { language: language(&headers, &looking.lang), token: None, path };
        let Some((title, record)) = tables.game(number) else { return Refused::NoRoom.into_response() };
        let opened = replayed(&record).map_err(Refused::from).and_then(|(game, settings)| {
            open(game, &record.opening, &record.played, settings).map_err(Refused::from)
        });
        match opened {
            Ok(session) => {
                let at = at.unwrap_or(usize::MAX);
                let text = view::tables::game(&visitor, number, &title, session.play.as_ref(), at);
                remembering(page(text), &looking.lang)
            }
            Err(refused) => refused.into_response(),
        }
    };
    stage.budget.work(client, draw).await
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
