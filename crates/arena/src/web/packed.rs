//! Answers to a page: compressed, and as the change of what the page has.

use super::answers::{page, typed};
use super::change::change;
use super::room::Room;
use axum::body::{Body, HttpBody as _};
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::middleware::Next;
use axum::response::Response;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write as _;

/// Shorter answers are sent as they are.
const SHORT: u64 = 1000;
/// The header with the number of the text that a page has, and of the one that it gets.
const TEXT: &str = "x-arena-text";

/// Answers with the changing part of a room's page, or with its change if the page has an earlier text.
pub(super) fn shown(room: &Room, headers: &HeaderMap, text: String) -> Response {
    let Some(had) = headers.get(TEXT) else { return page(text) };
    let had = had.to_str().ok().and_then(|number| number.parse().ok());
    let (before, number) = room.sent(had, &text);
    let mut answer = match before.map(|before| change(&before, &text)) {
        Some(change) if change.len() < text.len() => typed("application/json", change),
        _ => page(text),
    };
    answer.headers_mut().insert(TEXT, HeaderValue::from(number));
    answer
}

/// Compresses longer answers for browsers that accept it.
pub(super) async fn packed(request: Request, next: Next) -> Response {
    let accepted = request.headers().get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok());
    let reads = accepted.is_some_and(|accepted| {
        accepted.split(',').any(|one| one.split(';').next().is_some_and(|name| name.trim() == "gzip"))
    });
    let response = next.run(request).await;
    let length = response.body().size_hint().exact();
    if !reads || length.is_none_or(|length| length < SHORT) {
        return response;
    }
    let (mut head, body) = response.into_parts();
    let Ok(bytes) = axum::body::to_bytes(body, usize::MAX).await else { return Response::new(Body::empty()) };
    let plain = bytes.clone();
    let packed = tokio::task::spawn_blocking(move || {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(&plain).and_then(|()| encoder.finish()).ok()
    });
    match packed.await.ok().flatten() {
        Some(packed) => {
            head.headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
            head.headers.remove(header::CONTENT_LENGTH);
            Response::from_parts(head, Body::from(packed))
        }
        None => Response::from_parts(head, Body::from(bytes)),
    }
}
