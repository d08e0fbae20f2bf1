//! New games: from the first page, from a file, or again.

use super::Site;
use super::answers::{Refused, body, json_answer, json_body, language};
use super::room::Room;
use super::routes::{From, Shared, in_room};
use crate::session::{Action, Fault, Seat, Settings, Strength, TimeControl, games_of, late, resigned};
use axum::Extension;
use axum::body::{Bytes, HttpBody as _};
use axum::extract::{Path, Request, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use courses::drawing::Language;
use courses::french::french;
use courses::notation;
use courses::play;
use courses::record::{Missed, Played, Record};
use courses::registry::{self, Game};
use serde::Deserialize;
use serde_json::json;
use std::net::IpAddr;
use std::sync::Arc;

/// Maximum length of an opened file in bytes.
const UPLOAD: usize = 4 << 20;
/// A longer request waits for a place among large bodies.
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
    #[serde(default)]
    time: String,
}

pub(super) async fn new(
    State(site): Shared,
    Extension(client): From,
    request: Request,
) -> Result<Response, Refused> {
    // A game of a file is sent back whole.
    let _place = match request.body().size_hint().upper() {
        Some(length) if length <= SMALL => None,
        _ => Some(site.budget.body(client).await.map_err(|_| Refused::TooMany)?),
    };
    let new: New = json_body(request, UPLOAD).await?;
    let own = Arc::clone(&site);
    let work = move || match begin(&own, &new, client.0) {
        Ok(id) => json_answer(&json!({ "room": format!("/r/{id}") })),
        Err(refused) => refused.into_response(),
    };
    Ok(site.budget.work(client, work).await)
}

fn strength(text: &str) -> Result<Strength, Refused> {
    let strength = text.split_once(' ').and_then(|(kind, number)| match kind {
        "level" => number.parse().ok().filter(|level| (1..=10).contains(level)).map(Strength::Level),
        "millis" => number.parse().ok().filter(|time| (10..=60_000).contains(time)).map(Strength::Millis),
        _ => None,
    });
    strength.ok_or_else(|| Refused::NoStrength(courses::fault::excerpt(text)))
}

/// Reads the time of each player: `move MILLIS`, `game MILLIS INCREMENT`; empty means no limit.
fn time(text: &str) -> Result<Option<TimeControl>, Refused> {
    let words: Vec<&str> = text.split(' ').collect();
    let millis =
        |word: &str, least: u64| word.parse().ok().filter(|millis| (least..=24 * 3_600_000).contains(millis));
    let time = match words.as_slice() {
        [""] => return Ok(None),
        ["move", time] => millis(time, 500).map(TimeControl::Move),
        ["game", time, added] => {
            millis(time, 500).and_then(|time| Some(TimeControl::Game(time, millis(added, 0)?)))
        }
        _ => None,
    };
    time.map(Some).ok_or_else(|| Refused::NoTime(courses::fault::excerpt(text)))
}

/// Opens a room and returns its name.
fn begin(site: &Site, new: &New, owner: IpAddr) -> Result<String, Refused> {
    // A game that is pasted as a start keeps its moves.
    if notation::of(&new.start).is_some()
        && let Some(record) = games_of(&new.start)?.first()
    {
        return replay(site, record, owner);
    }
    let game = registry::find(&new.game).ok_or(Refused::NoGame)?;
    let number = courses::seed::mix(site.rooms.secret(), site.rooms.next());
    let seats = seats(site, new, game, number % 1_000_000)?;
    let opening = opening(new, game, seats.len(), number)?;
    let pace = if new.mode == "watch" { 300 } else { 0 };
    let names = new.names.iter().map(|name| courses::fault::excerpt(name)).collect();
    let resigned = new.resigned.filter(|seat| *seat < seats.len());
    let time = time(&new.time)?;
    let settings = Settings { seats, pace, resigned, late: None, time, names };
    let (moves, missed, micros) = (new.moves.clone(), new.missed.clone(), new.micros.clone());
    let played = Played { moves, missed, micros, ..Played::default() };
    let room = site.rooms.enter(game, &opening, &played, settings, owner)?;
    if new.mode == "study" {
        study(&room);
    }
    Ok(room.id.clone())
}

/// Returns the seats: those chosen; only persons for a study or a replay, only engines to watch.
fn seats(site: &Site, new: &New, game: Game, seed: u64) -> Result<Vec<Seat>, Refused> {
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
    if names.is_empty() {
        return Err(Refused::NobodyPlays);
    }
    while names.len() < least {
        names.push(if new.mode == "watch" { "own" } else { "person" });
    }
    let seat = |(seat, who)| site.rooms.seat(game, who, strength, seed + seat as u64);
    let seats: anyhow::Result<_> = names.into_iter().enumerate().map(seat).collect();
    Ok(seats?)
}

/// Returns the opening: as typed, drawn by `number`, or the game's own.
fn opening(new: &New, game: Game, seats: usize, number: u64) -> anyhow::Result<String> {
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

/// Starts a room's analysis.
fn study(room: &Arc<Room>) {
    if room.act(&Action::Study { on: true, at: None }, Language::English).is_err() {
        room.lock().fault = Some(Fault::Busy);
    }
}

pub(super) async fn upload(
    State(site): Shared,
    Extension(client): From,
    headers: HeaderMap,
    request: Request,
) -> Result<Response, Refused> {
    let language = language(&headers, "");
    let place = site.budget.body(client).await.map_err(|_| Refused::TooMany)?;
    let bytes = body(request, UPLOAD).await?;
    let own = Arc::clone(&site);
    let work = move || {
        let _place = place;
        opened(&own, bytes, language, client.0).unwrap_or_else(IntoResponse::into_response)
    };
    Ok(site.budget.work(client, work).await)
}

/// Opens a recorded game and returns its name.
fn replay(site: &Site, record: &Record, owner: IpAddr) -> Result<String, Refused> {
    let game = registry::find(&record.course).ok_or(Refused::NoGame)?;
    let seats = vec![Seat::Person; record.names.len()];
    let (resigned, late) = (resigned(&record.played), late(&record.played));
    let settings = Settings { seats, pace: 0, resigned, late, time: None, names: record.names.clone() };
    Ok(site.rooms.enter(game, &record.opening, &record.played, settings, owner)?.id.clone())
}

/// Opens the only game of a file, or lists the games of the file.
fn opened(site: &Site, bytes: Bytes, language: Language, owner: IpAddr) -> Result<Response, Refused> {
    let records = {
        let text = notation::decode(&bytes).map_err(anyhow::Error::from)?;
        games_of(&text)?
    };
    drop(bytes);
    if let [record] = records.as_slice() {
        let id = replay(site, record, owner)?;
        return Ok(json_answer(&json!({ "room": format!("/r/{id}?at=0") })));
    }
    let end = |record: &Record| match language {
        Language::French => french(&record.played.end),
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

/// Opens a game of persons that begins with the first `at` moves of a room and another one.
pub(super) fn branch(site: &Site, room: &Room, at: usize, text: String, owner: IpAddr) -> Response {
    let (game, opening, played, settings) = {
        let session = room.lock();
        let mut moves = session.play.moves()[..at].to_vec();
        moves.push(text);
        let seats = vec![Seat::Person; session.play.seats()];
        let settings = Settings { seats, pace: 0, resigned: None, late: None, time: None, names: Vec::new() };
        let missed = session.play.missed().into_iter().filter(|(nth, _)| *nth < at).collect();
        let played = Played { moves, missed, ..Played::default() };
        (session.play.game(), session.play.opening().to_owned(), played, settings)
    };
    match site.rooms.enter(game, &opening, &played, settings, owner) {
        Ok(room) => json_answer(&json!({ "room": format!("/r/{}", room.id) })),
        Err(error) => Refused::from(error).into_response(),
    }
}

/// Opens another game with the same seats and start.
pub(super) async fn again(State(site): Shared, Extension(client): From, Path(id): Path<String>) -> Response {
    in_room(site, client, id, move |site, room| {
        let (game, opening, settings, studies) = {
            let session = room.lock();
            let settings =
                Settings { resigned: None, late: None, names: Vec::new(), ..session.settings.clone() };
            (session.play.game(), session.play.opening().to_owned(), settings, session.study.is_some())
        };
        match site.rooms.enter(game, &opening, &Played::default(), settings, client.0) {
            Ok(room) => {
                if studies {
                    study(&room);
                }
                json_answer(&json!({ "room": format!("/r/{}", room.id) }))
            }
            Err(error) => Refused::from(error).into_response(),
        }
    })
    .await
}
