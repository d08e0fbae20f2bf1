//! The beginning of games: chosen on the first page, read from a file, or once more.

use super::Site;
use super::answers::{body, json_answer, json_body, language, wrong};
use super::routes::{From, Shared, in_room};
use crate::engine::Strength;
use crate::hall::{UPLOAD, games_of, resigned};
use crate::room::{Act, Fault, Manner, Room, Seat};
use anyhow::{Context, Result, anyhow, ensure};
use axum::Extension;
use axum::body::{Bytes, HttpBody as _};
use axum::extract::{Path, Request, State};
use axum::http::HeaderMap;
use axum::response::Response;
use courses::drawing::Language;
use courses::play;
use courses::record::{Missed, Played, Record};
use courses::registry::{self, Game};
use serde::Deserialize;
use serde_json::json;
use std::net::IpAddr;
use std::sync::Arc;

/// A request that is longer waits for a place among large bodies.
const SMALL: u64 = 64 * 1024;

#[derive(Deserialize)]
struct New {
    game: String,
    #[serde(default)]
    mode: String,
    #[serde(default)]
    start: String,
    #[serde(default)]
    drawn: bool,
    #[serde(default)]
    size: String,
    #[serde(default)]
    seats: Vec<String>,
    #[serde(default)]
    strength: String,
    #[serde(default)]
    moves: Vec<String>,
    #[serde(default)]
    missed: Vec<(usize, Missed)>,
    #[serde(default)]
    micros: Vec<u64>,
    #[serde(default)]
    names: Vec<String>,
    #[serde(default)]
    resigned: Option<usize>,
}

pub(super) async fn new(
    State(site): Shared,
    Extension(client): From,
    request: Request,
) -> Result<Response, Response> {
    // A game of a file comes back whole.
    let _place = match request.body().size_hint().upper() {
        Some(length) if length <= SMALL => None,
        _ => Some(site.budget.body(client).await?),
    };
    let new: New = json_body(request, UPLOAD, "request").await?;
    let own = Arc::clone(&site);
    let work = move || match begin(&own, &new, client.0) {
        Ok(id) => json_answer(&json!({ "room": format!("/r/{id}") })),
        Err(error) => wrong(error),
    };
    Ok(site.budget.work(client, work).await)
}

fn strength(text: &str) -> Result<Strength> {
    let wrong = || anyhow!("\"{}\" is no strength", courses::fault::excerpt(text));
    match text.split_once(' ').ok_or_else(wrong)? {
        ("level", level) => level.parse().ok().filter(|level| (1..=10).contains(level)).map(Strength::Level),
        ("millis", time) => {
            time.parse().ok().filter(|time| (10..=60_000).contains(time)).map(Strength::Millis)
        }
        _ => None,
    }
    .ok_or_else(wrong)
}

/// Opens the room that is asked for, and answers with its id.
fn begin(site: &Site, new: &New, owner: IpAddr) -> Result<String> {
    let game = registry::find(&new.game).context("no such game")?;
    let number = courses::seed::mix(site.hall.secret(), site.hall.next());
    let seats = seats(site, new, game, number % 1_000_000)?;
    let opening = opening(new, game, seats.len(), number)?;
    let pace = if new.mode == "watch" { 300 } else { 0 };
    let names = new.names.iter().map(|name| courses::fault::excerpt(name)).collect();
    let resigned = new.resigned.filter(|seat| *seat < seats.len());
    let manner = Manner { seats, pace, resigned, names };
    let (moves, missed, micros) = (new.moves.clone(), new.missed.clone(), new.micros.clone());
    let played = Played { moves, missed, micros, ..Played::default() };
    let room = site.hall.enter(game, &opening, &played, manner, owner)?;
    if new.mode == "study" {
        study(&room);
    }
    Ok(room.id.clone())
}

/// The seats: those chosen, persons where nothing is played, engines alone where one watches.
fn seats(site: &Site, new: &New, game: Game, seed: u64) -> Result<Vec<Seat>> {
    let strength = if new.strength.is_empty() { Strength::Level(4) } else { strength(&new.strength)? };
    let (least, most) = game.seats().into_inner();
    let chosen = new.seats.iter().take(most).map(String::as_str).filter(|who| !who.is_empty());
    let mut names: Vec<&str> = match new.mode.as_str() {
        "study" | "replay" => chosen.map(|_| "person").collect(),
        "watch" => chosen.map(|who| if who == "person" { "own" } else { who }).collect(),
        _ => chosen.collect(),
    };
    if names.is_empty() && matches!(new.mode.as_str(), "study" | "replay") {
        names.push("person");
    }
    ensure!(!names.is_empty(), "nobody plays");
    while names.len() < least {
        names.push(if new.mode == "watch" { "own" } else { "person" });
    }
    let seat = |(seat, who)| site.hall.seat(game, who, strength, seed + seat as u64);
    names.into_iter().enumerate().map(seat).collect()
}

/// The line of the position that the game begins from: stated, drawn by `number`, or the game's own.
fn opening(new: &New, game: Game, seats: usize, number: u64) -> Result<String> {
    let text = new.start.trim();
    let beginning = || game.beginning(&new.size, number).filter(|_| text.is_empty());
    let opening = if new.drawn {
        play::drawn(game, &new.size, number % 1_000_000)?
    } else if let Some(opening) = beginning() {
        opening
    } else {
        play::start(game, &game.sized(text, &new.size), seats)?
    };
    Ok(game.resized(opening, &new.size))
}

/// Turns a room's analysis on.
fn study(room: &Arc<Room>) {
    let act = Act { what: "study".into(), click: String::new(), path: Vec::new(), at: None, number: Some(1) };
    if room.act(&act, Language::English).refused.is_some() {
        room.lock().fault = Some(Fault::Busy);
    }
}

pub(super) async fn upload(
    State(site): Shared,
    Extension(client): From,
    headers: HeaderMap,
    request: Request,
) -> Result<Response, Response> {
    let language = language(&headers, "");
    let place = site.budget.body(client).await?;
    let bytes = body(request, UPLOAD).await?;
    let own = Arc::clone(&site);
    let work = move || {
        let _place = place;
        opened(&own, bytes, language, client.0).unwrap_or_else(wrong)
    };
    Ok(site.budget.work(client, work).await)
}

/// Opens the only game of a file, or answers with all that are in it.
fn opened(site: &Site, bytes: Bytes, language: Language, owner: IpAddr) -> Result<Response> {
    let records = {
        let text = courses::notation::decode(&bytes)?;
        games_of(&text)?
    };
    drop(bytes);
    if let [record] = records.as_slice() {
        let game = registry::find(&record.course).context("no such game")?;
        let seats = vec![Seat::Person; record.names.len()];
        let resigned = resigned(&record.played);
        let manner = Manner { seats, pace: 0, resigned, names: record.names.clone() };
        let room = site.hall.enter(game, &record.opening, &record.played, manner, owner)?;
        return Ok(json_answer(&json!({ "room": format!("/r/{}?at=0", room.id) })));
    }
    let end = |record: &Record| match language {
        Language::French => crate::words::french(&record.played.end),
        Language::English => record.played.end.clone(),
    };
    let games: Vec<_> = records
        .iter()
        .map(|record| {
            json!({
                "title": format!("{} · {} · {}", record.game + 1, record.names.join(" – "), end(record)),
                "game": record.course,
                "start": record.opening,
                "moves": record.played.moves,
                "missed": record.played.missed,
                "micros": record.played.micros,
                "names": record.names,
                "resigned": resigned(&record.played),
            })
        })
        .collect();
    Ok(json_answer(&json!({ "games": games })))
}

/// Another game with the same seats from the same start.
pub(super) async fn again(State(site): Shared, Extension(client): From, Path(id): Path<String>) -> Response {
    in_room(site, client, id, move |site, room| {
        let (game, opening, manner, studies) = {
            let inner = room.lock();
            let manner = Manner { resigned: None, names: Vec::new(), ..inner.manner.clone() };
            (inner.play.game(), inner.play.opening().to_owned(), manner, inner.study.is_some())
        };
        match site.hall.enter(game, &opening, &Played::default(), manner, client.0) {
            Ok(room) => {
                if studies {
                    study(&room);
                }
                json_answer(&json!({ "room": format!("/r/{}", room.id) }))
            }
            Err(error) => wrong(error),
        }
    })
    .await
}
