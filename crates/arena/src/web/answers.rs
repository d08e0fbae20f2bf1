//! The common parts of answers: kinds, refusals, bodies, languages.

use super::runtime::token;
use crate::session::{Browser, Refusal, Unable};
use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use courses::drawing::Language;
use courses::french::french;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};
use std::time::Duration;

/// The query of a page with a language only.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Wished {
    /// The language that the request asks for.
    #[serde(default)]
    pub(super) lang: String,
}

/// Maximum time for a body to arrive.
const BODY: Duration = Duration::from_secs(15);

/// A refusal of a request. [`said`] writes it in the language of the request.
#[derive(Debug, Clone)]
pub(super) enum Refused {
    /// The name of the host is not one of this page's.
    Host,
    /// The request comes from another site's page.
    Origin,
    /// Nothing can be changed here.
    WatchOnly,
    /// The token is missing or an old one.
    Token,
    /// The address leads nowhere.
    Nothing,
    /// The room does not exist.
    NoRoom,
    /// The body is too long.
    TooLong,
    /// The body is too slow.
    TooSlow,
    /// The visitor has too many requests.
    TooMany,
    /// A request failed on our side.
    Failed,
    /// The body is not a valid request.
    NoRequest(String),
    /// The game is in progress.
    InProgress,
    /// The game cannot be opened.
    Unable(Unable),
    /// The seat or the game belongs to others.
    Seat(Refusal),
}

impl Refused {
    fn status(&self) -> StatusCode {
        match self {
            Self::Host | Self::Origin | Self::WatchOnly | Self::Token => StatusCode::FORBIDDEN,
            // A page answers 403 by asking for another token.
            Self::Seat(_) => StatusCode::CONFLICT,
            Self::Nothing | Self::NoRoom => StatusCode::NOT_FOUND,
            Self::TooLong => StatusCode::PAYLOAD_TOO_LARGE,
            Self::TooSlow => StatusCode::REQUEST_TIMEOUT,
            Self::TooMany => StatusCode::TOO_MANY_REQUESTS,
            Self::Failed => StatusCode::INTERNAL_SERVER_ERROR,
            _ => StatusCode::UNPROCESSABLE_ENTITY,
        }
    }

    fn text(&self, language: Language) -> String {
        let (french, english) = match self {
            Self::Host => {
                ("le nom demandé (Host) n'est pas celui de cette page", "the Host is none of this page's")
            }
            Self::Origin => {
                ("l'origine de la demande (Origin) n'est pas cette page", "the Origin is none of this page's")
            }
            Self::WatchOnly => ("cette page ne permet que de regarder", "games are only watched here"),
            Self::Token => {
                ("le jeton manque : rechargez la page", "the token is missing: load the page again")
            }
            Self::Nothing => ("il n'y a rien ici", "nothing here"),
            Self::NoRoom => ("cette partie n'existe plus", "this game is gone"),
            Self::TooLong => ("le fichier est trop long", "the body is too long"),
            Self::TooSlow => ("le fichier arrive trop lentement", "the body is too slow"),
            Self::TooMany => {
                ("trop de demandes : réessayez dans un instant", "too many requests: try again in a moment")
            }
            Self::Failed => ("la demande a échoué", "it failed"),
            Self::NoRequest(error) => {
                return match language {
                    Language::French => format!("demande inconnue : {}", french(error)),
                    Language::English => format!("no such request: {error}"),
                };
            }
            Self::InProgress => {
                ("une partie en cours ne peut pas être effacée", "a game in progress cannot be deleted")
            }
            Self::Unable(unable) => return unable.text(language),
            Self::Seat(refusal) => return refusal.text(language),
        };
        language.choose(french, english).to_owned()
    }
}

impl From<anyhow::Error> for Refused {
    fn from(error: anyhow::Error) -> Self {
        Self::Unable(error.into())
    }
}

impl From<Unable> for Refused {
    fn from(unable: Unable) -> Self {
        Self::Unable(unable)
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let mut response = self.status().into_response();
        response.extensions_mut().insert(self);
        response
    }
}

/// Writes a refusal in the language of the request.
pub(super) async fn said(request: Request, next: Next) -> Response {
    let language = language(request.headers(), "");
    let response = next.run(request).await;
    let Some(refused) = response.extensions().get::<Refused>() else { return response };
    let text = refused.text(language);
    let (mut head, _) = response.into_parts();
    head.headers.remove(header::CONTENT_LENGTH);
    head.headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    Response::from_parts(head, Body::from(text))
}

pub(super) fn typed(kind: &'static str, body: impl Into<Body>) -> Response {
    ([(header::CONTENT_TYPE, kind)], body.into()).into_response()
}

pub(super) fn page(text: String) -> Response {
    typed("text/html; charset=utf-8", text)
}

/// Returns the language: of the link, of the page, of the cookie, or of the browser.
pub(super) fn language(headers: &HeaderMap, wish: &str) -> Language {
    let of = |text: &str| match text {
        "fr" => Some(Language::French),
        "en" => Some(Language::English),
        _ => None,
    };
    let text =
        |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok()).unwrap_or_default();
    let cookie = cookie(headers, "lang").and_then(of);
    let accepted = text(header::ACCEPT_LANGUAGE)
        .split(',')
        .find_map(|part| part.trim().get(..2).and_then(|code| of(&code.to_ascii_lowercase())));
    let page = headers.get("x-arena-language").and_then(|value| of(value.to_str().ok()?));
    of(wish).or(page).or(cookie).or(accepted).unwrap_or(Language::English)
}

/// Returns the value of a cookie.
fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let cookies = headers.get(header::COOKIE)?.to_str().ok()?;
    cookies.split(';').find_map(|part| part.trim().strip_prefix(name)?.strip_prefix('='))
}

/// The cookie with a browser's secret.
const SECRET: &str = "me";

/// Returns the hash of a secret, which alone is kept.
pub(super) fn hashed(secret: &str) -> String {
    Sha256::digest(secret)[..16].iter().fold(String::new(), |hash, byte| hash + &format!("{byte:02x}"))
}

/// Returns the browser of a request, known by the hash of its secret.
pub(super) fn browser(headers: &HeaderMap) -> Browser {
    let secret = cookie(headers, SECRET).filter(|secret| secret.len() == 32);
    Browser(secret.map(hashed).unwrap_or_default())
}

/// Gives a secret to a browser that has none. A link from another site's page leads to a browser that has it.
pub(super) fn known(response: Response, by: &Browser) -> Response {
    let mut response = response;
    if *by == Browser::default() {
        let cookie = format!("{SECRET}={}; Path=/; HttpOnly; SameSite=Lax; Max-Age=31536000", token());
        if let Ok(value) = HeaderValue::from_str(&cookie) {
            response.headers_mut().append(header::SET_COOKIE, value);
        }
    }
    response
}

/// Adds a cookie for the language of a link.
pub(super) fn remembering(response: Response, wish: &str) -> Response {
    let mut response = response;
    if matches!(wish, "fr" | "en") {
        let cookie = format!("lang={wish}; Path=/; SameSite=Strict; Max-Age=31536000");
        if let Ok(value) = HeaderValue::from_str(&cookie) {
            response.headers_mut().append(header::SET_COOKIE, value);
        }
    }
    response
}

/// Reads a body of at most this many bytes, if it arrives in time.
pub(super) async fn body(request: Request, most: usize) -> Result<Bytes, Refused> {
    let read = axum::body::to_bytes(request.into_body(), most);
    match tokio::time::timeout(BODY, read).await {
        Ok(Ok(bytes)) => Ok(bytes),
        Ok(Err(_)) => Err(Refused::TooLong),
        Err(_) => Err(Refused::TooSlow),
    }
}

/// Reads a body in JSON.
pub(super) async fn json_body<T: DeserializeOwned>(request: Request, most: usize) -> Result<T, Refused> {
    json_of(&body(request, most).await?)
}

/// Reads JSON.
pub(super) fn json_of<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Refused> {
    serde_json::from_slice(bytes).map_err(|error| Refused::NoRequest(error.to_string()))
}

pub(super) fn json_answer(value: &serde_json::Value) -> Response {
    typed("application/json", value.to_string())
}
