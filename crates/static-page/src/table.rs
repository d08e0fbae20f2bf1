//! The session of a page. Its players and its analysis are in workers, which the script starts.

use crate::host;
use anyhow::{Context as _, Result};
use arena::session::{
    self, Action, Analysis, Answered, Asker, Browser, Conversation, Engine, Finding, Host, New, News,
    Outcome, Question, Reader, Refusal, Seat, Session, Settings, Spec, Unable, Viewpoint,
};
use arena::view;
use courses::drawing::Language;
use courses::record::Played;
use courses::registry::Game;
use courses::strength::Strength;
use serde_json::{Value, json};
use std::time::Duration;

/// A session and the number of its changes.
pub struct Table {
    session: Session,
    version: u64,
}

/// Starts players and analyses in workers.
struct Workers {
    game: &'static str,
    opening: String,
    seats: usize,
}

impl Workers {
    fn of(session: &Session) -> Self {
        let play = &session.play;
        Self { game: play.game().name(), opening: play.opening().to_owned(), seats: play.seats() }
    }
}

/// A player in a worker.
#[derive(Debug)]
struct Player {
    game: &'static str,
    opening: String,
    seats: usize,
    strength: Strength,
    seat: usize,
    question: u64,
}

impl Player {
    fn id(&self) -> String {
        format!("{}-{}", self.seat, self.question)
    }
}

impl Engine for Player {
    fn ask(&self, moves: &[String]) -> bool {
        let Self { game, opening, seats, strength, seat, question } = self;
        let choice = json!({
            "id": self.id(), "game": game, "opening": opening, "seats": seats, "strength": strength, "moves": moves,
        });
        host::send(&json!({ "ask": choice, "seat": seat, "question": question }).to_string());
        true
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        host::send(&json!({ "end": self.id() }).to_string());
    }
}

/// An analysis in a worker.
#[derive(Debug)]
struct Analyst {
    game: Game,
    is_hint: bool,
    number: u64,
}

impl Analysis for Analyst {
    fn ask(&self, question: Option<Question>) {
        let (number, position) = question.map_or((0, None), |asked| (asked.number, Some(asked.position)));
        let moves = self.game.analysis().map_or(1, |program| program.moves);
        let study = json!({ "game": self.game.name(), "position": position, "moves": moves });
        let message =
            json!({ "study": study, "hint": self.is_hint, "number": self.number, "question": number });
        host::send(&message.to_string());
    }
}

impl Drop for Analyst {
    fn drop(&mut self) {
        host::send(&json!({ "studied": self.number }).to_string());
    }
}

impl Host for Workers {
    fn now(&self) -> Duration {
        host::now()
    }

    fn engine(&self, _: Conversation, spec: &Spec, seat: usize, question: u64) -> Option<Box<dyn Engine>> {
        let Self { game, seats, .. } = *self;
        let (opening, strength) = (self.opening.clone(), spec.strength);
        Some(Box::new(Player { game, opening, seats, strength, seat, question }))
    }

    fn analysis(&self, game: Game, asker: Asker, number: u64) -> Option<Box<dyn Analysis>> {
        Some(Box::new(Analyst { game, is_hint: asker == Asker::Hint, number }))
    }
}

impl Table {
    fn of(session: Session) -> Self {
        Self { session, version: 0 }
    }

    /// Begins the game of a wish; `seed` draws what is drawn.
    ///
    /// # Errors
    /// If the wish is not valid.
    pub fn begin(wish: &New, seed: u64) -> Result<Self, Unable> {
        if let Some(record) = wish.pasted()? {
            let (game, settings) = session::replayed(&record)?;
            return Ok(Self::of(session::open(game, &record.opening, &record.played, settings)?));
        }
        let game = wish.game()?;
        let number = courses::seed::mix(seed, 0);
        let settings = wish.settings(game, number % 1_000_000, |who, strength, seed| {
            Ok(if who == "person" { Seat::Person } else { Seat::Engine(session::own(game, strength, seed)) })
        })?;
        let (opening, played) = wish.beginning(game, settings.seats.len(), number)?;
        Ok(Self::of(session::open(game, &opening, &played, settings)?))
    }

    /// Opens the session of a record.
    ///
    /// # Errors
    /// If the text is not a record of this game.
    pub fn reopen(text: &str) -> Result<Self> {
        let (saved, records) = session::read(text)?;
        let record = records.first().context("the record has no game")?;
        Ok(Self::of(session::reopen(saved.context("the record has no session")?, record)?))
    }

    /// Lists the games of a file, each with what [`New`] needs.
    ///
    /// # Errors
    /// The error in the file.
    pub fn list(text: &str, language: Language) -> Result<Value> {
        Ok(session::listed(&session::games_of(text)?, language))
    }

    /// Begins another game with the same seats and start.
    ///
    /// # Errors
    /// If the start is no longer valid.
    pub fn again(&self) -> Result<Self> {
        self.beside(&Played::default(), self.session.again())
    }

    /// Returns a game with the same start.
    fn beside(&self, played: &Played, settings: Settings) -> Result<Self> {
        let play = &self.session.play;
        Ok(Self::of(session::open(play.game(), play.opening(), played, settings)?))
    }

    /// Returns the game.
    #[must_use]
    pub fn game(&self) -> Game {
        self.session.play.game()
    }

    /// Returns the number of moves.
    #[must_use]
    pub fn length(&self) -> usize {
        self.session.play.moves().len()
    }

    /// Returns the record with the session's settings, and the number of moves.
    #[must_use]
    pub fn save(&self) -> Value {
        json!({ "record": session::record_file(&self.session, Reader::Arena), "length": self.length() })
    }

    /// Shows why the browser did not keep the record; `None` if it did. The answer says whether this is new.
    pub fn kept(&mut self, why: Option<String>) -> Value {
        let is_new = self.session.unkept != why;
        self.session.unkept = why;
        self.news(is_new)
    }

    /// Returns the text and the name's ending of a file of the game.
    #[must_use]
    pub fn write(&self, kind: &str) -> Value {
        if kind == "record" {
            return json!({ "text": session::record_file(&self.session, Reader::Visitor(&Browser::default())) });
        }
        json!({ "text": courses::notation::all(&[session::record(&self.session, &Browser::default())]) })
    }

    fn draw(&self, seen: &Viewpoint, refused: Option<&str>, language: Language) -> String {
        view::session(
            &self.session.view(seen, &Browser::default(), host::now()),
            self.version,
            refused,
            language,
        )
    }

    /// Ends a turn whose time is up. Returns true if there was one.
    fn expire(&mut self) -> bool {
        let is_late = self.session.expire(host::now());
        if is_late {
            self.wake();
            self.version += 1;
        }
        is_late
    }

    /// Draws the session at a ply. The answer says whether the session is to be saved.
    pub fn view(&mut self, seen: &Viewpoint, language: Language) -> Value {
        let is_kept = self.expire();
        json!({ "html": self.draw(seen, None, language), "keep": is_kept })
    }

    /// Draws the board after the first moves of the game and a line; null if there is no such line.
    #[must_use]
    pub fn ahead(&self, at: usize, line: &str, language: Language) -> Value {
        json!({ "html": view::ahead(&self.session, at, line, language) })
    }

    /// Performs an action. The answer has the drawing, and says whether the session is to be saved; or it has the
    /// record of the game in which a replay plays on.
    ///
    /// # Errors
    /// If that game cannot be opened.
    pub fn act(&mut self, action: &Action, seen: Viewpoint, language: Language) -> Result<Value> {
        let workers = Workers::of(&self.session);
        self.session.last_look = host::now();
        let is_late = self.expire();
        let done = if is_late {
            Err(Refusal::TimeUp)
        } else {
            self.session.act(action, &Browser::default(), language, &workers)
        };
        let (seen, refused, is_kept) = match done {
            Ok(Outcome { branch: Some((at, line)), .. }) => {
                let (played, settings) = self.session.branch(at, line, &Browser::default());
                return Ok(json!({ "branch": self.beside(&played, settings)?.save() }));
            }
            Ok(outcome) => (outcome.seen, None, outcome.is_kept),
            Err(refusal) => (seen, Some(refusal.text(language)), is_late),
        };
        self.version += 1;
        Ok(json!({ "html": self.draw(&seen, refused.as_deref(), language), "keep": is_kept }))
    }

    /// Lets the players go on, after the session was opened.
    pub fn wake(&mut self) {
        let workers = Workers::of(&self.session);
        self.session.wake(&workers);
    }

    /// Stops the clock for an answer. Returns the milliseconds to wait before it is played.
    pub fn arrived(&mut self, seat: usize, question: u64) -> u64 {
        self.session.arrived(seat, question, host::now()).as_millis() as u64
    }

    /// Plays an answer of a player.
    pub fn answered(&mut self, seat: usize, question: u64, answer: Answered) -> Value {
        let workers = Workers::of(&self.session);
        let news = self.session.answered(seat, question, answer, &workers);
        self.news(news)
    }

    /// Takes a finding of an analysis. The answer says whether there is something new to see, and to save.
    pub fn found(&mut self, asker: Asker, number: u64, question: u64, finding: Finding) -> Value {
        let workers = Workers::of(&self.session);
        let was_reviewed = self.session.is_reviewed();
        let news = self.session.found(asker, number, question, finding, &workers) != News::Nothing;
        let mut answer = self.news(news);
        answer["keep"] = (self.session.is_reviewed() && !was_reviewed).into();
        answer
    }

    fn news(&mut self, news: bool) -> Value {
        self.version += u64::from(news);
        json!({ "news": news, "version": self.version })
    }
}
