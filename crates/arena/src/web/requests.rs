//! The parts that the handlers of requests share: the site, the visitor, and a room's turn.

use super::Site;
use super::answers::{self, Refused, known};
use super::budget::Client;
use super::room::Room;
use crate::session::Browser;
use crate::view::Visitor;
use axum::extract::FromRequestParts;
use axum::http::HeaderMap;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use courses::drawing::Language;
use std::sync::Arc;

/// A request: what it asks of, who asks, and what its head says.
#[derive(Clone)]
pub(super) struct Visit {
    pub(super) site: Arc<Site>,
    pub(super) client: Client,
    pub(super) headers: HeaderMap,
    /// The browser that sent it.
    pub(super) by: Browser,
}

impl FromRequestParts<Arc<Site>> for Visit {
    type Rejection = Refused;

    async fn from_request_parts(parts: &mut Parts, site: &Arc<Site>) -> Result<Self, Refused> {
        let client = *parts.extensions.get::<Client>().ok_or(Refused::Failed)?;
        let headers = parts.headers.clone();
        Ok(Self { site: Arc::clone(site), client, by: answers::browser(&headers), headers })
    }
}

impl Visit {
    /// Returns the language of the link `wish`, of the page or of the browser.
    pub(super) fn language(&self, wish: &str) -> Language {
        answers::language(&self.headers, wish)
    }

    /// Returns the visitor of the page at `path`, in the language of the link `wish` or the browser's.
    pub(super) fn visitor(&self, wish: &str, path: impl Into<String>) -> Visitor {
        let (token, is_run) = (self.site.gate.token.clone(), self.site.is_run);
        Visitor { language: self.language(wish), token, path: path.into(), is_run }
    }

    /// Gives a secret to a browser that has none.
    pub(super) fn known(&self, response: Response) -> Response {
        known(response, &self.by)
    }

    /// Works on the request when it is its turn.
    pub(super) async fn work(self, work: impl FnOnce(&Self) -> Response + Send + 'static) -> Response {
        let site = Arc::clone(&self.site);
        site.budget.work(self.client, move || work(&self)).await
    }

    /// Works on a request about a room when it is the request's turn.
    pub(super) async fn in_room(
        self,
        id: String,
        work: impl FnOnce(&Self, &Arc<Room>) -> Response + Send + 'static,
    ) -> Response {
        let find = move |visit: &Self| match visit.site.rooms.find(&id, visit.client.0) {
            Some(room) => work(visit, &room),
            None => Refused::NoRoom.into_response(),
        };
        self.work(find).await
    }
}
