//! Record files: those of the referee, with the session's settings in the first line.

use super::files::GAMES;
use super::review::Kept;
use super::{Browser, LATE, Noted, RESIGNED, Review, Session, Settings, Timed};
use anyhow::{Context, Result, anyhow};
use courses::drawing::Language;
use courses::fault::shortened;
use courses::record::{Played, Record};
use courses::registry;
use courses::seated::Seated;
use courses::store::{Format, Head};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::fmt::Display;

#[derive(Deserialize)]
struct FirstLine {
    run: Head,
    #[serde(default)]
    arena: Option<Saved>,
}

/// A session without its game, as saved in its record file.
#[derive(Serialize, Deserialize)]
pub struct Saved {
    /// The seats and the pace.
    #[serde(flatten)]
    pub settings: Settings,
    /// Moves taken back.
    #[serde(default)]
    pub undone: Vec<Timed>,
    /// Lines that were left for others.
    #[serde(default)]
    pub variations: Vec<Vec<Timed>>,
    /// Notes on the moves of all lines.
    #[serde(default)]
    pub notes: Vec<Noted>,
    /// True if the engines wait.
    #[serde(default)]
    pub paused: bool,
    /// The review of a game that is over.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub review: Kept,
}

impl Saved {
    fn of(session: &Session) -> Self {
        Self {
            settings: session.settings.clone(),
            undone: session.undone.clone(),
            variations: session.variations.clone(),
            notes: session.notes.clone(),
            paused: session.paused,
            review: session.review.as_ref().map(Review::kept).unwrap_or_default(),
        }
    }
}

/// Returns the seat that lost on time in a recorded game.
#[must_use]
pub fn late(played: &Played) -> Option<usize> {
    (played.end == LATE).then(|| played.points.iter().position(|&points| points == 0.0))?
}

/// Returns the seat that resigned in a recorded game.
#[must_use]
pub fn resigned(played: &Played) -> Option<usize> {
    (played.end == RESIGNED).then(|| played.points.iter().position(|&points| points == 0.0))?
}

/// Returns the game as the referee records it, with the notes and variations that a browser sees.
#[must_use]
pub fn record(session: &Session, by: &Browser) -> Record {
    let mut record = plain_record(session);
    if session.shows_variations(by) {
        record.played.variations = session.variations_file(by);
    }
    record.played.notes = session.notes_of(by).into_iter().map(|(nth, note)| (nth, note.clone())).collect();
    record
}

/// Returns the game without notes and variations.
fn plain_record(session: &Session) -> Record {
    let play = &session.play;
    let count = play.seats();
    let ending = session.over();
    let length = play.moves().len();
    let seated: Vec<Seated> = (0..count).map(|seat| session.settings.occupant(seat).seated()).collect();
    Record {
        game: 0,
        group: 0,
        course: play.game().name().to_owned(),
        seats: (0..count).collect(),
        names: seated.iter().map(|seated| seated.name(Language::English)).collect(),
        opening: play.opening().to_owned(),
        seed: 1,
        played: Played {
            moves: play.moves().to_vec(),
            movers: (0..length).map(|nth| play.by(nth)).collect(),
            micros: session.micros.clone(),
            missed: play.missed(),
            about: session.about.clone(),
            // A name is the same in every language.
            seated: if seated.iter().all(|seated| matches!(seated, Seated::Named(_))) {
                Vec::new()
            } else {
                seated
            },
            points: ending.as_ref().map_or_else(|| vec![0.0; count], |ending| ending.points.clone()),
            score: ending.as_ref().map_or_else(|| vec![0.0; count], |ending| ending.score.clone()),
            end: ending.map_or_else(String::new, |ending| ending.text),
            cpu: vec![0; count],
            ..Played::default()
        },
    }
}

/// The reader of a record file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reader<'a> {
    /// A visitor who downloads it, with the notes that its browser sees.
    Visitor(&'a Browser),
    /// The arena when it starts again. It finds the session's settings in the first line.
    Arena,
}

/// Returns the record file of the session's game.
#[must_use]
pub fn record_file(session: &Session, reader: Reader<'_>) -> String {
    let record = match reader {
        Reader::Visitor(by) => record(session, by),
        Reader::Arena => plain_record(session),
    };
    let head = Head {
        course: record.course.clone(),
        setting: "played in the arena".to_owned(),
        conditions: String::new(),
        players: record.names.clone(),
        names: record.names.clone(),
        seats: record.names.len(),
        format: Format::RoundRobin,
        seed: 1,
        time: None,
        programs: Vec::new(),
        ranking: None,
        sandbox: String::new(),
    };
    let mut first = json!({ "run": head });
    if reader == Reader::Arena {
        first["arena"] = json!(Saved::of(session));
    }
    format!("{first}\n{}\n", json!(record))
}

/// Reads a record file: the settings of a saved session, and the games.
///
/// # Errors
/// The error, with its line.
pub fn read(text: &str) -> Result<(Option<Saved>, Vec<Record>)> {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let first = lines.next().context("an empty file")?;
    let first: FirstLine =
        serde_json::from_str(first).map_err(|error| anyhow!("line 1: {}", shortened(&error.to_string())))?;
    let mut records = Vec::new();
    for (nth, line) in lines.enumerate().take(GAMES) {
        let wrong = |error: &dyn Display| anyhow!("line {}: {}", nth + 2, shortened(&error.to_string()));
        let mut record: Record = serde_json::from_str(line).map_err(|error| wrong(&error))?;
        if let Some(game) = registry::find(&record.course) {
            let opening = game.whole_opening(&record.opening, &first.run.setting);
            record.opening = opening.map_err(|error| wrong(&error))?;
        }
        records.push(record);
    }
    Ok((first.arena, records))
}

/// Reads the games of a file: a record file, or a notation of one of the games.
///
/// # Errors
/// The error in the file.
pub fn games_of(text: &str) -> Result<Vec<Record>> {
    super::files::read(text, |text| read(text).map(|(_, records)| records))
}
