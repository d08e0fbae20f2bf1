//! The rules under which any request is answered: our own names, our own pages, our own files.

use super::answers::{language, refuse};
use super::hosts::Hosts;
use super::packed::packed;
use crate::hall::UPLOAD;
use axum::Router;
use axum::body::Body;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderValue, Method, header};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::Response;
use courses::drawing::Language;
use std::sync::Arc;

/// A page may load our own files and nothing else.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; \
                      connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// Who may ask, and who may change something.
#[derive(Debug)]
pub struct Gate {
    /// The names that this machine is called by.
    pub hosts: Hosts,
    /// The token that requests for a change must carry; `None` where nothing can be changed.
    pub token: Option<String>,
}

/// Puts the rules around the addresses of a page.
pub(super) fn guarded<S: Clone + Send + Sync + 'static>(router: Router<S>, gate: Arc<Gate>) -> Router<S> {
    router.layer(from_fn_with_state(gate, guard)).layer(from_fn(translate)).layer(from_fn(packed))
}

/// Answers only to our own name, and changes nothing but for our own pages.
async fn guard(State(gate): State<Arc<Gate>>, request: Request, next: Next) -> Response {
    let headers = request.headers();
    let text = |name: header::HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    let Some(host) = text(header::HOST).filter(|host| gate.hosts.knows(host)) else {
        return refuse("the Host is none of this page's");
    };
    if text(header::ORIGIN).is_some_and(|origin| !gate.hosts.is_own(origin, host)) {
        return refuse("the Origin is none of this page's");
    }
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        let Some(wanted) = &gate.token else { return refuse("games are only watched here") };
        let token = headers.get("x-arena-token").and_then(|value| value.to_str().ok());
        if token != Some(wanted.as_str()) {
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

/// Gives the reason for a refusal in French to whoever reads French.
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

/// The page's own files.
pub(super) async fn asset(Path(name): Path<String>) -> Response {
    use super::answers::{nothing, typed};
    match name.as_str() {
        "style.css" => typed("text/css; charset=utf-8", crate::page::style()),
        "icon.svg" | "favicon.ico" => typed("image/svg+xml", crate::page::ICON),
        name => match crate::page::SCRIPTS.iter().find(|(script, _)| *script == name) {
            Some((_, text)) => typed("text/javascript; charset=utf-8", *text),
            None => nothing(),
        },
    }
}
