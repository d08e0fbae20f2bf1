//! Record files: the referee's, in which what else a room is stands in the first line.

use super::GAMES;
use crate::room::{Inner, Manner, RESIGNED, Timed};
use anyhow::{Context, Result, anyhow};
use courses::drawing::Language;
use courses::record::{Played, Record};
use courses::registry;
use courses::store::{Format, Head};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::fmt::Display;

#[derive(Deserialize)]
pub(super) struct FirstLine {
    run: Head,
    #[serde(default)]
    pub(super) arena: Option<Kept>,
}

/// A room without its game, as its record file keeps it.
#[derive(Serialize, Deserialize)]
pub(super) struct Kept {
    #[serde(flatten)]
    pub(super) manner: Manner,
    #[serde(default)]
    pub(super) undone: Vec<Timed>,
    #[serde(default)]
    pub(super) variations: Vec<Vec<Timed>>,
    #[serde(default)]
    pub(super) paused: bool,
}

impl Kept {
    fn of(inner: &Inner) -> Self {
        Self {
            manner: inner.manner.clone(),
            undone: inner.undone.clone(),
            variations: inner.variations.clone(),
            paused: inner.paused,
        }
    }
}

/// The seat that gave a recorded game up.
#[must_use]
pub fn resigned(played: &Played) -> Option<usize> {
    (played.end == RESIGNED).then(|| played.points.iter().position(|&points| points == 0.0))?
}

/// A game as the referee records it.
pub fn record(inner: &Inner) -> Record {
    let play = &inner.play;
    let count = play.seats();
    let ending = inner.over();
    let length = play.moves().len();
    Record {
        game: 0,
        group: 0,
        course: play.game().name().to_owned(),
        seats: (0..count).collect(),
        names: (0..count).map(|seat| inner.name(seat, Language::English)).collect(),
        opening: play.opening().to_owned(),
        seed: 1,
        played: Played {
            moves: play.moves().to_vec(),
            movers: (0..length).map(|nth| play.by(nth)).collect(),
            micros: inner.micros.clone(),
            missed: play.missed(),
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
pub enum Reader {
    /// Anyone who downloads it.
    Visitor,
    /// The arena when it starts again: what the room is stands in the first line, too.
    Arena,
}

/// A record file of the referee with this game.
#[must_use]
pub fn record_file(inner: &Inner, reader: Reader) -> String {
    let record = record(inner);
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
        first["arena"] = json!(Kept::of(inner));
    }
    format!("{first}\n{}\n", json!(record))
}

pub(super) fn read(text: &str) -> Result<(FirstLine, Vec<Record>)> {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let first = lines.next().context("an empty file")?;
    let first: FirstLine = serde_json::from_str(first).map_err(|error| anyhow!("line 1: {error}"))?;
    let mut records = Vec::new();
    for (nth, line) in lines.enumerate().take(GAMES) {
        let wrong = |error: &dyn Display| anyhow!("line {}: {error}", nth + 2);
        let mut record: Record = serde_json::from_str(line).map_err(|error| wrong(&error))?;
        if let Some(game) = registry::find(&record.course) {
            let opening = game.whole_opening(&record.opening, &first.run.setting);
            record.opening = opening.map_err(|error| wrong(&error))?;
        }
        records.push(record);
    }
    Ok((first, records))
}

/// The games of a file that somebody opens: a record file, a maze server's journal, GGF or SGF.
///
/// # Errors
/// With what is wrong in it.
pub fn games_of(text: &str) -> Result<Vec<Record>> {
    crate::files::read(text, |text| read(text).map(|(_, records)| records))
}
