//! The common parts of answers: their kinds, refusals, bodies that are read, and the language of who asks.

use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use courses::drawing::Language;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::fmt::Display;
use std::time::Duration;

/// The query of a page that has a language and nothing else.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Wished {
    /// The language.
    #[serde(default)]
    pub(super) lang: String,
}

/// The time that a body may take to arrive.
const BODY: Duration = Duration::from_secs(15);

pub(super) fn refuse(why: &'static str) -> Response {
    (StatusCode::FORBIDDEN, why).into_response()
}

pub(super) fn typed(kind: &'static str, body: impl Into<Body>) -> Response {
    ([(header::CONTENT_TYPE, kind)], body.into()).into_response()
}

pub(super) fn page(text: String) -> Response {
    typed("text/html; charset=utf-8", text)
}

/// The language: chosen by a link, that of the page that asks, remembered, or the browser's.
pub(super) fn language(headers: &HeaderMap, wish: &str) -> Language {
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

/// The answer that remembers a language chosen by a link.
pub(super) fn remembering(response: Response, wish: &str) -> Response {
    let mut response = response;
    if matches!(wish, "fr" | "en") {
        let cookie = format!("lang={wish}; Path=/; SameSite=Strict; Max-Age=31536000");
        if let Ok(value) = HeaderValue::from_str(&cookie) {
            response.headers_mut().insert(header::SET_COOKIE, value);
        }
    }
    response
}

pub(super) fn nothing() -> Response {
    (StatusCode::NOT_FOUND, "nothing here\n").into_response()
}

pub(super) fn missing() -> Response {
    (StatusCode::NOT_FOUND, "no such room\n").into_response()
}

/// Reads a body of at most this many bytes, if it arrives in time.
pub(super) async fn body(request: Request, most: usize) -> Result<Bytes, Response> {
    let read = axum::body::to_bytes(request.into_body(), most);
    match tokio::time::timeout(BODY, read).await {
        Ok(Ok(bytes)) => Ok(bytes),
        Ok(Err(_)) => Err((StatusCode::PAYLOAD_TOO_LARGE, "the body is too long\n").into_response()),
        Err(_) => Err((StatusCode::REQUEST_TIMEOUT, "the body is too slow\n").into_response()),
    }
}

/// A body in JSON: a wish, or an act.
pub(super) async fn json_body<T: DeserializeOwned>(
    request: Request,
    most: usize,
    what: &str,
) -> Result<T, Response> {
    let bytes = body(request, most).await?;
    serde_json::from_slice(&bytes).map_err(|error| wrong(format!("no such {what}: {error}")))
}

pub(super) fn wrong(why: impl Display) -> Response {
    (StatusCode::UNPROCESSABLE_ENTITY, why.to_string()).into_response()
}

pub(super) fn json_answer(value: &serde_json::Value) -> Response {
    typed("application/json", value.to_string())
}
