//! The requests of the page and of its workers, and their answers, as JSON.

use crate::measure::{Measurement, measure};
use crate::table::Table;
use crate::thinker::{Players, Study};
use arena::session::{Action, Asker, New, Unable, Viewpoint};
use arena::view::{puzzles, setup, thinking};
use courses::drawing::Language;
use courses::fault::Trouble;
use courses::play::own::OwnAnalyst;
use serde::Deserialize;
use serde_json::{Value, json};
use std::time::Duration;

/// The state of a module: a page's session, or the players of a worker.
#[derive(Default)]
pub struct Module {
    table: Option<Table>,
    players: Players,
    analyst: Option<Box<dyn OwnAnalyst>>,
}

/// A request of the page or of a worker.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Request {
    /// Makes the record of a new game.
    New { wish: Box<New>, seed: u64 },
    /// Lists the games of a file.
    File { text: String },
    /// Opens the session of a record.
    Open { record: String },
    /// Performs an action of the visitor.
    Act(Asked),
    /// Draws the session.
    View(Viewpoint),
    /// Draws the board after the first moves of the game and a line.
    Ahead { at: usize, line: String },
    /// Draws a puzzle.
    Puzzle {
        game: String,
        #[serde(flatten)]
        asked: puzzles::Asked,
    },
    /// Draws a step of a recorded search.
    Search(thinking::Asked),
    /// Draws a position that is set up by hand.
    Setup(setup::Asked),
    /// Makes the record of another game with the same seats and start.
    Again,
    /// Writes the session's record.
    Save,
    /// Shows why the browser did not keep the record, or that it did.
    Kept { why: Option<String> },
    /// Writes the game as a file: `record` or `notation`.
    Write { kind: String },
    /// A player has answered.
    Arrived { seat: usize, question: u64 },
    /// Plays a player's answer.
    Answered { seat: usize, question: u64, text: Option<String>, error: Option<String>, millis: f64 },
    /// A finding of an analysis; none after an interval without news.
    Found { hint: bool, number: u64, question: u64, info: Option<String>, error: Option<String> },
    /// Chooses a move, in a worker.
    Choose(crate::thinker::Choice),
    /// Forgets a player, in a worker.
    Forget { id: String },
    /// Analyses a position, in a worker.
    Study(Study),
    /// Plays positions with fixed limits.
    Measure(Measurement),
}

/// An action, and the position that its page shows.
#[derive(Deserialize)]
struct Asked {
    #[serde(flatten)]
    action: Action,
    #[serde(flatten)]
    seen: Viewpoint,
}

/// A request with its language.
#[derive(Deserialize)]
struct Spoken {
    #[serde(default)]
    language: String,
    #[serde(flatten)]
    request: Request,
}

fn language(text: &str) -> Language {
    if text == "fr" { Language::French } else { Language::English }
}

/// Answers a request: `{"refused": TEXT}` if it cannot be done.
#[must_use]
pub fn answered(module: &mut Module, text: &str) -> String {
    let (answer, language) = match serde_json::from_str::<Spoken>(text) {
        Ok(Spoken { language: name, request }) => {
            let language = language(&name);
            (answer(module, request, language), language)
        }
        Err(error) => (Err(Unable::Invalid(error.to_string())), Language::English),
    };
    match answer {
        Ok(answer) => answer.to_string(),
        Err(unable) => json!({ "refused": unable.text(language) }).to_string(),
    }
}

fn answer(module: &mut Module, request: Request, language: Language) -> Result<Value, Unable> {
    match request {
        Request::New { wish, seed } => Ok(Table::begin(&wish, seed)?.save()),
        Request::File { text } => Ok(Table::list(&text, language)?),
        Request::Open { record } => {
            let table = module.table.insert(Table::reopen(&record)?);
            table.wake();
            let (game, count) = (table.game(), table.length());
            Ok(json!({ "game": game.name(), "title": game.title(language), "length": count }))
        }
        Request::Puzzle { game, asked } => {
            let html = puzzles::puzzle(crate::thinker::game(&game)?, &asked, language);
            Ok(json!({ "html": html.ok_or(Unable::Invalid("no such puzzle".to_owned()))? }))
        }
        Request::Search(asked) => {
            let html = thinking::thinking(&asked, language);
            Ok(json!({ "html": html.ok_or(Unable::Invalid("no such search".to_owned()))? }))
        }
        Request::Setup(asked) => {
            let html = setup::setup(&asked, language);
            Ok(json!({ "html": html.ok_or(Unable::Invalid("no such game".to_owned()))? }))
        }
        Request::Choose(choice) => Ok(module.players.choose(&choice)?),
        Request::Forget { id } => {
            module.players.forget(&id);
            Ok(Value::Null)
        }
        Request::Study(study) => Ok(study.run(&mut module.analyst)?),
        Request::Measure(measurement) => Ok(measure(&measurement)?),
        request => {
            let table = module.table.as_mut().ok_or(Unable::Invalid("no game is open".to_owned()))?;
            at(table, request, language)
        }
    }
}

/// Answers a request about the page's session.
fn at(table: &mut Table, request: Request, language: Language) -> Result<Value, Unable> {
    Ok(match request {
        Request::Act(Asked { action, seen }) => table.act(&action, seen, language)?,
        Request::View(seen) => table.view(&seen, language),
        Request::Ahead { at, line } => table.ahead(at, &line, language),
        Request::Again => table.again()?.save(),
        Request::Save => table.save(),
        Request::Kept { why } => table.kept(why),
        Request::Write { kind } => table.write(&kind),
        Request::Arrived { seat, question } => json!({ "wait": table.arrived(seat, question) }),
        Request::Answered { seat, question, text, error, millis } => {
            let time = Duration::from_secs_f64(millis.max(0.0) / 1000.0);
            let answered = text.map(|text| (text, time)).ok_or_else(|| failed(error));
            table.answered(seat, question, answered)
        }
        Request::Found { hint, number, question, info, error } => {
            let asker = if hint { Asker::Hint } else { Asker::Study };
            let finding = match error {
                None => Ok(info.and_then(|line| line.parse().ok())),
                error => Err(failed(error)),
            };
            table.found(asker, number, question, finding)
        }
        _ => Value::Null,
    })
}

/// Returns the trouble of a player in a worker.
fn failed(error: Option<String>) -> Trouble {
    Trouble::Referee(error.unwrap_or_default())
}
