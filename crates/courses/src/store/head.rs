//! The head of a record file, and how two of them differ.

use serde::{Deserialize, Serialize};

/// Which groups of players meet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Everybody meets everybody.
    RoundRobin,
    /// The first player meets all others.
    Gauntlet,
    /// Rounds in which players of equal points meet.
    Swiss,
    /// A knockout: the loser of a meeting is out.
    Knockout,
}

/// The definition of a run: two runs with the same head play the same games.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Head {
    /// The assignment.
    pub course: String,
    /// Its settings, in the course's words.
    pub setting: String,
    /// The checksum of its openings and the limits beside the time, in words; empty in an older referee's record.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub conditions: String,
    /// The players as they were written.
    pub players: Vec<String>,
    /// Their names.
    pub names: Vec<String>,
    /// Players a game.
    pub seats: usize,
    /// The pairing.
    pub format: Format,
    /// The run's seed.
    pub seed: u64,
    /// Milliseconds a move, if they are limited.
    pub time: Option<u64>,
    /// The players' [fingerprints](crate::player::Player::fingerprint). Two shards of a run may have their own, built where
    /// they are played; a run that goes on keeps its own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub programs: Vec<String>,
    /// For a tournament that its course's rules rank.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ranking: Option<CourseRanking>,
}

/// A tournament that is ranked as its course ranks it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct CourseRanking {
    /// The games of the ranking; those behind them replay its ties.
    pub games: u64,
    /// Their depth; ties are replayed at the next ones.
    pub depth: u16,
}

impl Head {
    /// True for a game of the run itself, false for the replay of a tie.
    #[must_use]
    pub fn counts(&self, game: u64) -> bool {
        self.ranking.is_none_or(|ranking| game < ranking.games)
    }
}

/// The difference where only one of two heads has its conditions.
const UNTOLD: &str = "one of the two does not tell its limits and the checksum of its openings: an older referee wrote \
                      it, which report and merge still read";

/// The first thing in which two runs differ.
#[must_use]
pub fn difference(a: &Head, b: &Head) -> Option<String> {
    let show = |name: &str, a: String, b: String| (a != b).then(|| format!("{name} {b} instead of {a}"));
    show("assignment", a.course.clone(), b.course.clone())
        .or_else(|| show("players", format!("{:?}", a.players), format!("{:?}", b.players)))
        .or_else(|| show("settings", a.setting.clone(), b.setting.clone()))
        .or_else(|| show("seed", a.seed.to_string(), b.seed.to_string()))
        .or_else(|| show("seats", a.seats.to_string(), b.seats.to_string()))
        .or_else(|| show("format", format!("{:?}", a.format), format!("{:?}", b.format)))
        .or_else(|| show("ranking", format!("{:?}", a.ranking), format!("{:?}", b.ranking)))
        .or_else(|| show("time", format!("{:?}", a.time), format!("{:?}", b.time)))
        .or_else(|| match (a.conditions.as_str(), b.conditions.as_str()) {
            ("", _) | (_, "") if a.conditions != b.conditions => Some(UNTOLD.to_owned()),
            (a, b) => show("conditions", a.to_owned(), b.to_owned()),
        })
        .or_else(|| show("names", format!("{:?}", a.names), format!("{:?}", b.names)))
}

/// The first player whose program is another than when the run was begun, where both are known.
pub(super) fn rebuilt(head: &Head, found: &Head) -> Option<String> {
    let mut programs = head.names.iter().zip(head.programs.iter().zip(&found.programs));
    let (name, _) = programs.find(|(_, (now, then))| now != then)?;
    Some(format!("the program of \"{name}\" is another one now"))
}
