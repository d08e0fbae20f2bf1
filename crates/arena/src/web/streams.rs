//! Event streams: a page receives the version of what it shows, and fetches the rest.

use super::budget::Place;
use super::room::Room;
use crate::session::Browser;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::future::{Either, select};
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::sync::watch::Receiver;

/// Minimum interval between two events of a stream.
const BETWEEN: Duration = Duration::from_millis(100);
/// Added to [`BETWEEN`] for each listener, so that many viewers hardly slow down the players.
const CROWD: Duration = Duration::from_millis(8);
/// The time after which a browser opens a stream again.
const AGAIN: Duration = Duration::from_secs(1);
/// Maximum life of a stream. A page that is still open opens another one.
const LIFE: Duration = Duration::from_secs(600);

/// Streams the names and versions of rooms after every change that a browser sees, until the place is taken away, the
/// stream's life ends or all rooms are closed: a stream does not keep a room open.
pub(super) fn rooms(rooms: Vec<Arc<Room>>, by: &Browser, mut place: Place) -> Response {
    let (send, receive) = mpsc::channel(rooms.len().max(1));
    for room in rooms {
        let (send, by) = (send.clone(), by.clone());
        let (mut receiver, id) = (room.listen(), room.id.clone());
        let room = Arc::downgrade(&room);
        tokio::spawn(async move {
            let mut told = None;
            loop {
                receiver.mark_unchanged();
                let Some(version) = room.upgrade().map(|room| room.version(&by)) else { return };
                let is_news = told.replace(version) != Some(version);
                if is_news && send.send(format!("{id} {version}")).await.is_err() {
                    return;
                }
                let listeners = room.upgrade().map_or(0, |room| room.listeners());
                let pause = BETWEEN + CROWD * listeners as u32;
                let change = async {
                    tokio::time::sleep(pause).await;
                    receiver.changed().await
                };
                // A closed page is noticed at once, because the room counts its listeners.
                match select(Box::pin(change), Box::pin(send.closed())).await {
                    Either::Left((Ok(()), _)) => {}
                    _ => return,
                }
            }
        });
    }
    let ends = async move {
        select(Box::pin(place.taken_away()), Box::pin(tokio::time::sleep(LIFE))).await;
    };
    let news =
        futures_util::stream::unfold((receive, Box::pin(ends)), |(mut receive, mut ends)| async move {
            let news = match select(Box::pin(receive.recv()), &mut ends).await {
                Either::Left((news, _)) => news?,
                Either::Right(_) => return None,
            };
            let event = Event::default().retry(AGAIN).data(news);
            Some((Ok::<_, Infallible>(event), (receive, ends)))
        });
    Sse::new(news).keep_alive(KeepAlive::new().interval(Duration::from_secs(10))).into_response()
}

/// Streams the version after every change, until the place is taken away or the stream's life ends.
pub(super) fn versions(
    receiver: Receiver<u64>,
    place: Place,
    watchers: impl Fn() -> usize + Send + 'static,
) -> Response {
    let end = tokio::time::Instant::now() + LIFE;
    let news = futures_util::stream::unfold(
        (receiver, place, watchers, true),
        move |(mut receiver, mut place, watchers, first)| async move {
            if !first {
                let pause = BETWEEN + CROWD * watchers() as u32;
                let change = async {
                    tokio::time::sleep(pause).await;
                    receiver.changed().await
                };
                let ends = select(Box::pin(place.taken_away()), Box::pin(tokio::time::sleep_until(end)));
                match select(Box::pin(change), ends).await {
                    Either::Left((changed, _)) => changed.ok()?,
                    Either::Right(_) => return None,
                }
            }
            let version = *receiver.borrow_and_update();
            let event = Event::default().retry(AGAIN).data(version.to_string());
            Some((Ok::<_, Infallible>(event), (receiver, place, watchers, false)))
        },
    );
    Sse::new(news).keep_alive(KeepAlive::new().interval(Duration::from_secs(10))).into_response()
}
