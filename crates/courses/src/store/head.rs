//! The head of a record file, and comparison of heads.

use serde::{Deserialize, Serialize};

/// The pairing system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Everybody meets everybody.
    RoundRobin,
    /// The first player meets all others.
    Gauntlet,
    /// Players with equal points meet in each round.
    Swiss,
    /// The loser of a meeting is eliminated.
    Knockout,
}

/// The definition of a run. Runs with the same head play the same games.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Head {
    /// The assignment's name.
    pub course: String,
    /// The course's settings, in words.
    pub setting: String,
    /// The checksum of the openings and the limits other than the time, in words. Empty in an older referee's record.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub conditions: String,
    /// The players as written on the command line.
    pub players: Vec<String>,
    /// The players' names.
    pub names: Vec<String>,
    /// Number of players in a game.
    pub seats: usize,
    /// The pairing system.
    pub format: Format,
    /// The run's seed.
    pub seed: u64,
    /// Time of a move in milliseconds, if limited.
    pub time: Option<u64>,
    /// The players' [fingerprints](crate::player::Player::fingerprint). Shards of a run may have different ones, from
    /// builds on different machines. A run that is continued must have the same ones.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub programs: Vec<String>,
    /// The ranking of a tournament by its course's rules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ranking: Option<CourseRanking>,
    /// The layers of the sandbox, or "off". Empty in an older referee's record. Shards may have different ones.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub sandbox: String,
}

/// The ranking of a tournament by its course's rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct CourseRanking {
    /// The number of games in the ranking. Later ones replay its ties.
    pub games: u64,
    /// The depth of the games. Ties are replayed at the next depths.
    pub depth: u16,
}

impl Head {
    /// Returns true for a game of the ranking, false for the replay of a tie.
    #[must_use]
    pub fn counts(&self, game: u64) -> bool {
        self.ranking.is_none_or(|ranking| game < ranking.games)
    }
}

/// The difference if only one of two heads has its conditions.
const UNTOLD: &str = "one of the two records lacks its limits and the checksum of its openings, because an older \
                      referee wrote it: report and merge still read it";

/// Returns the first difference between two runs.
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

/// Returns the first player whose program has changed since the run was begun, if both fingerprints are known.
pub(super) fn rebuilt(head: &Head, found: &Head) -> Option<String> {
    let mut programs = head.names.iter().zip(head.programs.iter().zip(&found.programs));
    let (name, _) = programs.find(|(_, (now, then))| now != then)?;
    Some(format!("the program of \"{name}\" has changed"))
}
