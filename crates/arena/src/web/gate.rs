//! The rules under which any request is answered: our own names, our own pages, our own files.

use super::answers::{Refused, said};
use super::hosts::Hosts;
use super::packed::packed;
use axum::Router;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderValue, Method, header};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use std::sync::Arc;

/// A page may load our own files and nothing else.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; \
                      connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// The rules for requests.
#[derive(Debug)]
pub struct Gate {
    /// The names of this machine.
    pub hosts: Hosts,
    /// The token of requests that change something; `None` if nothing can be changed.
    pub token: Option<String>,
}

/// Adds the rules to the addresses of a page.
pub(super) fn guarded<S: Clone + Send + Sync + 'static>(router: Router<S>, gate: Arc<Gate>) -> Router<S> {
    router.layer(from_fn_with_state(gate, guard)).layer(from_fn(said)).layer(from_fn(packed))
}

/// Answers only under our own names, and accepts changes only from our own pages.
async fn guard(State(gate): State<Arc<Gate>>, request: Request, next: Next) -> Response {
    let headers = request.headers();
    let text = |name: header::HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
    let Some(host) = text(header::HOST).filter(|host| gate.hosts.knows(host)) else {
        return Refused::Host.into_response();
    };
    if text(header::ORIGIN).is_some_and(|origin| !gate.hosts.is_own(origin, host)) {
        return Refused::Origin.into_response();
    }
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        let Some(wanted) = &gate.token else { return Refused::WatchOnly.into_response() };
        let token = headers.get("x-arena-token").and_then(|value| value.to_str().ok());
        if token != Some(wanted.as_str()) {
            return Refused::Token.into_response();
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

/// Returns a file of the page.
pub(super) async fn asset(Path(name): Path<String>) -> Response {
    use super::answers::typed;
    match name.as_str() {
        "style.css" => typed("text/css; charset=utf-8", crate::view::style()),
        "icon.svg" | "favicon.ico" => typed("image/svg+xml", crate::view::ICON),
        name => match crate::view::SCRIPTS.iter().find(|(script, _)| *script == name) {
            Some((_, text)) => typed("text/javascript; charset=utf-8", *text),
            None => Refused::Nothing.into_response(),
        },
    }
}
