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
/// Added to [`BETWEEN`] for each listener where the stream's only watches, so that many viewers hardly slow down the players.
const CROWD: Duration = Duration::from_millis(8);
/// Maximum of what is added.
const MOST: Duration = Duration::from_secs(1);
/// The time after which a browser opens a stream again.
const AGAIN: Duration = Duration::from_secs(1);
/// Maximum life of a stream. A page that is still open opens another one.
const LIFE: Duration = Duration::from_secs(600);

/// The source of a stream: a signal for changes, and a function for the news.
pub(super) struct Source {
    /// Changes with every change.
    pub(super) changes: Receiver<u64>,
    /// Returns the news, and the number of all listeners, 0 for one who plays. `None` means that nothing follows.
    pub(super) tell: Box<dyn Fn() -> Option<(String, usize)> + Send>,
}

impl Source {
    /// Returns the name and the version of a room, as a browser sees it. The room is not kept open.
    pub(super) fn of_room(room: &Arc<Room>, by: &Browser) -> Self {
        let (changes, player) = (room.listen(), room.player(by));
        let (by, room) = (by.clone(), Arc::downgrade(room));
        let tell = move || {
            let room = room.upgrade()?;
            let listeners = if player.is_some() { 0 } else { room.listeners() };
            Some((format!("{} {}", room.id, room.version(&by)), listeners))
        };
        Self { changes, tell: Box::new(tell) }
    }
}

/// Streams the news of sources after every change, until the place is taken away, the stream's life ends or no source
/// has more to tell.
pub(super) fn news(sources: Vec<Source>, mut place: Place) -> Response {
    let (send, receive) = mpsc::channel(sources.len().max(1));
    for Source { mut changes, tell } in sources {
        let send = send.clone();
        tokio::spawn(async move {
            let mut told = None;
            loop {
                changes.mark_unchanged();
                let Some((news, listeners)) = tell() else { return };
                let is_news = told.as_ref() != Some(&news);
                if is_news && send.send(news.clone()).await.is_err() {
                    return;
                }
                told = Some(news);
                let pause = BETWEEN + MOST.min(CROWD * listeners as u32);
                let change = async {
                    tokio::time::sleep(pause).await;
                    changes.changed().await
                };
                // A closed page is noticed at once, because its listeners are counted.
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
