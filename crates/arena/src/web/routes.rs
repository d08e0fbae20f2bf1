//! The addresses of the arena.

use super::Site;
use super::answers::{Refused, Wished, json_body, page, remembering, typed};
use super::begin::{again, branch, new, upload};
use super::gate::{asset, guarded};
use super::packed::shown;
use super::requests::Visit;
use super::room::Room;
use super::seats::{invite, offered, sit};
use super::streams::{self, Source};
use crate::session::{Action, Outcome, Reader, Refusal, Viewpoint, record, record_file};
use crate::view::puzzles::Asked;
use crate::view::{self, Home, Wish, thinking};
use axum::Router;
use axum::extract::{Path, Query, Request};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Maximum number of rooms in a stream.
const TABS: usize = 100;
/// Maximum length of an action in bytes.
const ACTION: usize = 16 * 1024;

/// An action, and the position that its page shows.
#[derive(Deserialize)]
struct Acted {
    #[serde(flatten)]
    action: Action,
    #[serde(flatten)]
    seen: Viewpoint,
}

pub(super) fn router(site: Arc<Site>) -> Router {
    let router = Router::new()
        .route("/", get(home))
        .route("/open", get(open).post(upload))
        .route("/new", post(new))
        .route("/puzzles", get(puzzles))
        .route("/puzzles/{game}/view", get(puzzle))
        .route("/search", get(searches))
        .route("/search/view", get(search))
        .route("/setup", get(setups))
        .route("/setup/view", get(setup))
        .route("/watch", get(watch))
        .route("/{asset}", get(asset))
        .fallback(|| async { Refused::Nothing })
        .merge(of_rooms());
    guarded(router, Arc::clone(&site.gate)).with_state(site)
}

/// Returns the addresses of rooms alone.
pub(super) fn rooms(site: Arc<Site>) -> Router {
    guarded(of_rooms(), Arc::clone(&site.gate)).with_state(site)
}

fn of_rooms() -> Router<Arc<Site>> {
    Router::new()
        .route("/events", get(news))
        .route("/r/{id}", get(room))
        .route("/r/{id}/view", get(view))
        .route("/r/{id}/ahead", get(ahead))
        .route("/r/{id}/act", post(act))
        .route("/r/{id}/invite", post(invite))
        .route("/r/{id}/sit", post(sit))
        .route("/r/{id}/again", post(again))
        .route("/r/{id}/delete", post(delete))
        .route("/r/{id}/{file}", get(download))
}

async fn home(visit: Visit, Query(wish): Query<Wish>) -> Response {
    let draw = move |visit: &Visit| {
        let visitor = visit.visitor(&wish.lang, wish.address());
        let rooms = &visit.site.rooms;
        let games = rooms.latest(24, &visit.by, visitor.language);
        let mut answer =
            page(view::home(&visitor, &Home { guests: &rooms.guests, games, absent: &[] }, &wish));
        if wish.is_unknown() {
            *answer.status_mut() = StatusCode::NOT_FOUND;
        }
        visit.known(remembering(answer, &wish.lang))
    };
    visit.work(draw).await
}

async fn open(visit: Visit, Query(wished): Query<Wished>) -> Response {
    let draw = move |visit: &Visit| {
        let visitor = visit.visitor(&wished.lang, "/open");
        let mut games = visit.site.rooms.latest(50, &visit.by, visitor.language);
        games.retain(|game| game.is_own);
        visit.known(remembering(page(view::open(&visitor, &games)), &wished.lang))
    };
    visit.work(draw).await
}

/// The query of the page of the puzzles, which its script reads.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Chosen {
    game: String,
    level: String,
    n: String,
    lang: String,
}

async fn puzzles(visit: Visit, Query(chosen): Query<Chosen>) -> Response {
    let fields = [("game", &chosen.game), ("level", &chosen.level), ("n", &chosen.n)];
    let visitor = visit.visitor(&chosen.lang, view::address("/puzzles", &fields));
    remembering(page(view::puzzles::puzzles(&visitor)), &chosen.lang)
}

async fn puzzle(visit: Visit, Path(game): Path<String>, Query(asked): Query<Asked>) -> Response {
    let draw = move |visit: &Visit| {
        let game = courses::registry::find(&game);
        match game.and_then(|game| view::puzzles::puzzle(game, &asked, visit.language(""))) {
            Some(text) => page(text),
            None => Refused::Nothing.into_response(),
        }
    };
    visit.work(draw).await
}

/// The query of the page on which positions are set up, which its script reads.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Placed {
    game: String,
    start: String,
    lang: String,
}

async fn setups(visit: Visit, Query(placed): Query<Placed>) -> Response {
    let fields = [("game", &placed.game), ("start", &placed.start)];
    let visitor = visit.visitor(&placed.lang, view::address("/setup", &fields));
    visit.known(remembering(page(view::setup::page(&visitor)), &placed.lang))
}

async fn setup(visit: Visit, Query(asked): Query<view::setup::Asked>) -> Response {
    let draw = move |visit: &Visit| match view::setup::setup(&asked, visit.language("")) {
        Some(text) => page(text),
        None => Refused::Nothing.into_response(),
    };
    visit.work(draw).await
}

/// The query of the page of the searches, which its script reads.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Watched {
    #[serde(flatten)]
    asked: thinking::Asked,
    lang: String,
}

async fn searches(visit: Visit, Query(watched): Query<Watched>) -> Response {
    let thinking::Asked { demo, search, at } = &watched.asked;
    let fields = [("demo", demo), ("search", search), ("at", at)];
    let visitor = visit.visitor(&watched.lang, view::address("/search", &fields));
    remembering(page(thinking::page(&visitor)), &watched.lang)
}

async fn search(visit: Visit, Query(asked): Query<thinking::Asked>) -> Response {
    let draw = move |visit: &Visit| match thinking::thinking(&asked, visit.language("")) {
        Some(text) => page(text),
        None => Refused::Nothing.into_response(),
    };
    visit.work(draw).await
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Looking {
    /// Ply shown; any other text means the latest.
    at: String,
    path: String,
    lang: String,
    /// The ticket of an invitation.
    seat: String,
}

impl Looking {
    fn at(&self) -> Option<usize> {
        self.at.parse().ok()
    }
}

async fn room(visit: Visit, Path(id): Path<String>, Query(looking): Query<Looking>) -> Response {
    let draw = move |visit: &Visit| {
        let ticket = Some(looking.seat.as_str()).filter(|ticket| !ticket.is_empty());
        let at = looking.at().filter(|_| ticket.is_none()).map_or_else(String::new, |at| at.to_string());
        let address = format!("/r/{}", view::encoded(&id));
        let visitor =
            visit.visitor(&looking.lang, view::address(&address, &[("at", &at), ("seat", &looking.seat)]));
        let Some(room) = visit.site.rooms.find(&id, visit.client.0) else {
            let title = visitor.say("Cette partie n'existe plus", "This game is gone");
            let why = visitor.say(
                "Elle n'a pas été gardée, ou son numéro n'est celui d'aucune partie.",
                "It was not kept, or its number is no game's.",
            );
            return (StatusCode::NOT_FOUND, page(view::notice(&visitor, title, why))).into_response();
        };
        room.wake(&visit.by, visit.client.0);
        let seen = Viewpoint { at: looking.at(), path: Vec::new() };
        room.turn_to(seen.at, &visit.by);
        let title = room.lock().play.game().title(visitor.language);
        let text = room.view(&seen, None, &visit.by, visitor.language);
        let invited = ticket.map(|ticket| match offered(&room, ticket, &visit.by) {
            Ok(seat) => seat.map_or_else(String::new, |seat| {
                let name = room.lock().play.seat_name(seat, visitor.language);
                view::invited(&visitor, ticket, &name)
            }),
            Err(refusal) => view::warning(&refusal.text(visitor.language)),
        });
        let shown = view::room(&visitor, &room.id, title, &invited.unwrap_or_default(), &text);
        visit.known(remembering(page(shown), &looking.lang))
    };
    visit.work(draw).await
}

async fn view(visit: Visit, Path(id): Path<String>, Query(looking): Query<Looking>) -> Response {
    visit
        .in_room(id, move |visit, room| {
            let words = looking.path.split(' ').filter(|word| !word.is_empty());
            let path = words.take(8).map(str::to_owned).collect();
            let seen = Viewpoint { at: looking.at(), path };
            let text = room.view(&seen, None, &visit.by, visit.language(&looking.lang));
            shown(room, &visit.headers, text)
        })
        .await
}

/// The query of the board after a line.
#[derive(Deserialize)]
struct Ahead {
    at: usize,
    line: String,
}

async fn ahead(visit: Visit, Path(id): Path<String>, Query(asked): Query<Ahead>) -> Response {
    let draw = move |visit: &Visit, room: &Arc<Room>| match view::ahead(
        &room.lock(),
        asked.at,
        &asked.line,
        visit.language(""),
    ) {
        Some(text) => page(text),
        // The line is gone: nothing is shown.
        None => StatusCode::NO_CONTENT.into_response(),
    };
    visit.in_room(id, draw).await
}

async fn act(visit: Visit, Path(id): Path<String>, request: Request) -> Result<Response, Refused> {
    let asked: Acted = json_body(request, ACTION).await?;
    let perform = move |visit: &Visit, room: &Arc<Room>| {
        let language = visit.language("");
        let (seen, refused) = match room.act(&asked.action, &visit.by, visit.client.0, language) {
            Ok(Outcome { branch: Some(branched), .. }) => return branch(visit, room, branched),
            Ok(outcome) => (outcome.seen, None),
            Err(refusal) => (asked.seen, Some(refusal.text(language))),
        };
        shown(room, &visit.headers, room.view(&seen, refused.as_deref(), &visit.by, language))
    };
    Ok(visit.in_room(id, perform).await)
}

async fn delete(visit: Visit, Path(id): Path<String>) -> Response {
    visit
        .in_room(id, |visit, room| {
            if !room.lock().settings.takes_part(&visit.by) {
                return Refused::Seat(Refusal::Watching).into_response();
            }
            match visit.site.rooms.delete(room) {
                Ok(true) => StatusCode::NO_CONTENT.into_response(),
                Ok(false) => Refused::InProgress.into_response(),
                Err(_) => Refused::Failed.into_response(),
            }
        })
        .await
}

async fn download(visit: Visit, Path((id, file)): Path<(String, String)>) -> Response {
    visit
        .in_room(id, move |visit, room| {
            let session = room.lock();
            let game = session.play.game();
            let (text, ending) = match file.as_str() {
                "record" => (record_file(&session, Reader::Visitor(&visit.by)), "jsonl"),
                "notation" => {
                    let own = game.notations().iter().find_map(|notation| notation.extension());
                    (courses::notation::all(&[record(&session, &visit.by)]), own.unwrap_or("pgn"))
                }
                _ => return Refused::Nothing.into_response(),
            };
            drop(session);
            let disposition = format!("attachment; filename=\"{}-{}.{ending}\"", game.name(), room.id);
            let mut response = typed("application/octet-stream", text);
            if let Ok(value) = HeaderValue::from_str(&disposition) {
                response.headers_mut().insert(header::CONTENT_DISPOSITION, value);
            }
            response
        })
        .await
}

#[derive(Deserialize)]
struct Rooms {
    rooms: String,
}

/// Streams news of the rooms that a browser shows in all of its tabs.
async fn news(visit: Visit, Query(wished): Query<Rooms>) -> Response {
    let place = visit.site.budget.stream(visit.client);
    let work = move |visit: &Visit| {
        // Once each: every listener makes the others of its room wait longer.
        let names: BTreeSet<&str> = wished.rooms.split(',').take(TABS).collect();
        let find = |id| visit.site.rooms.find(id, visit.client.0);
        let rooms: Vec<_> = names.into_iter().filter_map(find).collect();
        if rooms.is_empty() {
            return Refused::NoRoom.into_response();
        }
        rooms.iter().for_each(|room| room.wake(&visit.by, visit.client.0));
        let sources = rooms.iter().map(|room| Source::of_room(room, &visit.by)).collect();
        streams::news(sources, place)
    };
    visit.work(work).await
}

async fn watch(visit: Visit, Query(wished): Query<Wished>) -> Response {
    let draw = move |visit: &Visit| {
        let visitor = visit.visitor(&wished.lang, "/watch");
        let games = visit.site.rooms.watchable(50, &visit.by, visitor.language);
        remembering(page(view::nothing_on(&visitor, &games)), &wished.lang)
    };
    visit.work(draw).await
}
