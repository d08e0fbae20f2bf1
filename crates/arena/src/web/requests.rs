//! The parts that the handlers of requests share: the site, the visitor, and a room's turn.

use super::Site;
use super::answers::Refused;
use super::budget::Client;
use super::room::Room;
use axum::Extension;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use std::sync::Arc;

/// The site of a request.
pub(super) type Shared = State<Arc<Site>>;

/// The visitor of a request.
pub(super) type From = Extension<Client>;

/// Works on a request about a room when it is the request's turn.
pub(super) async fn in_room(
    site: Arc<Site>,
    client: Client,
    id: String,
    work: impl FnOnce(&Arc<Site>, &Arc<Room>) -> Response + Send + 'static,
) -> Response {
    let own = Arc::clone(&site);
    let draw = move || match own.rooms.find(&id, client.0) {
        Some(room) => work(&own, &room),
        None => Refused::NoRoom.into_response(),
    };
    site.budget.work(client, draw).await
}
