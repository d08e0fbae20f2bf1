//! What is kept of a game: one JSON line, complete in itself.

use crate::fault::{Fault, last_words};
use serde::{Deserialize, Serialize};

/// A game that was played to its end or to a fault.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The game's number in its run, from 0.
    pub game: u64,
    /// Its group: games of a group share their opening, with the seats exchanged.
    pub group: u64,
    /// The assignment's name.
    pub course: String,
    /// The players' numbers in the run, by seat.
    pub seats: Vec<usize>,
    /// The players' names, by seat.
    pub names: Vec<String>,
    /// What the game began from, in the course's own words.
    pub opening: String,
    /// The seed that the players were given.
    pub seed: u64,
    /// What was played.
    #[serde(flatten)]
    pub played: Played,
}

/// What was played and how it ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Default)]
pub struct Played {
    /// The moves behind the opening, as the game writes them.
    pub moves: Vec<String>,
    /// Who played each of them, by seat.
    pub movers: Vec<usize>,
    /// Microseconds that each move took.
    pub micros: Vec<u64>,
    /// Points by seat, 0 to 1: won, drawn, lost, or by rank.
    pub points: Vec<f64>,
    /// The course's own score by seat: discs, points of mussels, …
    pub score: Vec<f64>,
    /// Why it ended, in words.
    pub end: String,
    /// Faults, with the seat of each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<(usize, Fault)>,
    /// Processor time by seat, in microseconds; zero where it is not known.
    pub cpu: Vec<u64>,
    /// The end of each player's standard error, by seat, where there was any.
    #[serde(default, skip_serializing_if = "no_text")]
    pub errors: Vec<String>,
    /// Wall time of the whole game, in microseconds.
    pub wall: u64,
    /// How many moves there were, where they are no longer held.
    #[serde(skip)]
    pub forgotten: usize,
}

fn no_text(texts: &[String]) -> bool {
    texts.iter().all(String::is_empty)
}

impl Played {
    /// Moves behind the opening.
    pub fn length(&self) -> usize {
        self.moves.len() + self.forgotten
    }

    /// The last line of a player's standard error.
    pub fn last_words(&self, seat: usize) -> &str {
        self.errors.get(seat).map_or("", |errors| last_words(errors))
    }

    /// The faults as a person reads them: with the last words of those who made them.
    pub fn complaints(&self) -> impl Iterator<Item = (usize, Fault)> {
        let errors = |seat: usize| self.errors.get(seat).map_or("", String::as_str);
        self.faults.iter().map(move |(seat, fault)| (*seat, fault.quoting(errors(*seat))))
    }

    /// Lets go of the moves themselves: what is left is enough for results, and small.
    pub fn forget_moves(&mut self) {
        self.forgotten = self.length();
        self.moves = Vec::new();
        let mut words = vec![String::new(); self.errors.len()];
        for &(seat, _) in &self.faults {
            if let Some(kept) = words.get_mut(seat) {
                *kept = self.last_words(seat).to_owned();
            }
        }
        self.errors = words;
        self.movers.shrink_to_fit();
        self.micros.shrink_to_fit();
    }
}

impl Record {
    /// The record without what differs between two runs of the same game: times and the words of processes.
    #[must_use]
    pub fn without_times(&self) -> Self {
        let mut same = self.clone();
        same.played.micros = Vec::new();
        same.played.cpu = Vec::new();
        same.played.wall = 0;
        same.played.errors = Vec::new();
        same
    }
}
