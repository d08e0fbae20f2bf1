//! The record of a game: one JSON line, complete in itself.

use crate::fault::{Fault, excerpt, last_words};
use crate::peer::{Ended, QUOTED, Said};
use crate::thought::Thought;
use moules_client::protocol::journal::Origin;
use serde::{Deserialize, Serialize};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

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
    /// The game's start, in the course's own words.
    pub opening: String,
    /// The seed that the players were given.
    pub seed: u64,
    /// The moves.
    #[serde(flatten)]
    pub played: Played,
}

impl Record {
    /// Identifies the game's line: players by seat, opening, moves and points. Two games with the same line are the same
    /// game, however their openings are spelt, and wherever the opening ends.
    #[must_use]
    pub fn line(&self) -> u64 {
        if let Some(line) = self.played.line {
            return line;
        }
        let mut hasher = DefaultHasher::new();
        self.seats.hash(&mut hasher);
        self.played.points.iter().for_each(|points| points.to_bits().hash(&mut hasher));
        let moves = self.played.moves.iter().map(String::as_str);
        plain_spelling(std::iter::once(self.opening.as_str()).chain(moves)).hash(&mut hasher);
        hasher.finish()
    }

    /// Lets go of the moves themselves: what is left is enough for results, and small.
    pub fn forget_moves(&mut self) {
        self.played.line = Some(self.line());
        self.played.forget_moves();
    }
}

/// Moves in one spelling: `F5D6`, `f5 d6` and `f5d6` are the same. A position keeps its letters' case.
pub fn plain_spelling<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    let mut plain = String::new();
    for word in texts.into_iter().flat_map(str::split_whitespace) {
        let is_position = word.starts_with(['@', '{']);
        // A blank counts where two numbers or two letters would run together.
        let of_one_kind = |a: char, b: char| {
            (a.is_ascii_digit() && b.is_ascii_digit()) || (a.is_alphabetic() && b.is_alphabetic())
        };
        if let (Some(last), Some(next)) = (plain.chars().last(), word.chars().next())
            && of_one_kind(last, next)
        {
            plain.push(' ');
        }
        plain.extend(word.chars().map(|sign| if is_position { sign } else { sign.to_ascii_lowercase() }));
    }
    plain
}

/// Why a turn of a maze was not its player's own: `C` was played for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Missed {
    /// The answer came too late.
    Late,
    /// The player is gone.
    Gone,
}

impl Missed {
    /// Of a turn as it was played; nothing where it is the player's own.
    #[must_use]
    pub fn of(origin: Origin) -> Option<Self> {
        match origin {
            Origin::Player => None,
            Origin::Late => Some(Self::Late),
            Origin::Gone => Some(Self::Gone),
        }
    }

    /// The origin of the turn's command.
    #[must_use]
    pub fn origin(self) -> Origin {
        match self {
            Self::Late => Origin::Late,
            Self::Gone => Origin::Gone,
        }
    }
}

/// The moves and the end.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Default)]
pub struct Played {
    /// The moves behind the opening, as the game writes them.
    pub moves: Vec<String>,
    /// The player of each of them, by seat.
    pub movers: Vec<usize>,
    /// Microseconds that each move took.
    pub micros: Vec<u64>,
    /// In a maze, the turns that were not their players' own, by the number of the move, from 0.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missed: Vec<(usize, Missed)>,
    /// Their players' reports on each, where there are any.
    #[serde(default, skip_serializing_if = "no_thoughts")]
    pub thoughts: Vec<Option<Thought>>,
    /// Points by seat, 0 to 1: won, drawn, lost, or by rank.
    pub points: Vec<f64>,
    /// The course's own score by seat: discs, points of mussels, …
    pub score: Vec<f64>,
    /// Why it ended, in words.
    pub end: String,
    /// Faults, with the seat of each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<(usize, Fault)>,
    /// What a reader should know of how the players took the protocol, with the seat of each: no faults.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<(usize, String)>,
    /// Processor time by seat, in microseconds; zero where it is not known.
    pub cpu: Vec<u64>,
    /// The end of each player's standard error, by seat, where there was any.
    #[serde(default, skip_serializing_if = "no_text")]
    pub errors: Vec<String>,
    /// Wall time of the whole game, in microseconds.
    pub wall: u64,
    /// The last lines of the dialogues with those at fault, by seat: `< 7 7` from the player, `> 8 8` to it.
    #[serde(default, skip_serializing_if = "no_lines")]
    pub last_lines: Vec<Vec<String>>,
    /// The dialogues by seat, where they were to be kept; they go to the log and not into the record.
    #[serde(skip)]
    pub dialogues: Vec<Vec<Said>>,
    /// The number of moves, where they are no longer held.
    #[serde(skip)]
    pub forgotten: usize,
    /// The game's [line](Record::line), where its moves are no longer held.
    #[serde(skip)]
    pub line: Option<u64>,
}

fn no_text(texts: &[String]) -> bool {
    texts.iter().all(String::is_empty)
}

fn no_thoughts(thoughts: &[Option<Thought>]) -> bool {
    thoughts.iter().all(Option::is_none)
}

fn no_lines(lines: &[Vec<String>]) -> bool {
    lines.iter().all(Vec::is_empty)
}

impl Played {
    /// Notes what is known of the players by their ends, by seat, once all faults are known.
    pub fn close(&mut self, seats: usize, ends: impl IntoIterator<Item = (usize, Ended)>) {
        self.cpu.resize(seats, 0);
        self.errors.resize(seats, String::new());
        self.dialogues.resize(seats, Vec::new());
        for (seat, ended) in ends {
            self.cpu[seat] = ended.cpu.as_micros() as u64;
            self.errors[seat] = ended.errors;
            self.faults.extend(ended.notes.into_iter().map(|note| (seat, note)));
            self.remarks.extend(ended.remarks.into_iter().map(|remark| (seat, remark)));
            self.dialogues[seat] = ended.dialogue;
        }
    }

    /// The faults are known: the dialogues of those who made them are quoted.
    pub fn quote(&mut self) {
        let quoted = |(seat, lines): (usize, &Vec<Said>)| {
            let at_fault = self.faults.iter().any(|(of, _)| *of == seat);
            let last = &lines[lines.len().saturating_sub(if at_fault { QUOTED } else { 0 })..];
            last.iter().map(|line| excerpt(&line.to_string())).collect()
        };
        self.last_lines = self.dialogues.iter().enumerate().map(quoted).collect();
        if no_lines(&self.last_lines) {
            self.last_lines = Vec::new();
        }
    }

    /// Moves behind the opening.
    #[must_use]
    pub fn length(&self) -> usize {
        self.moves.len() + self.forgotten
    }

    /// The last line of a player's standard error.
    #[must_use]
    pub fn last_words(&self, seat: usize) -> &str {
        self.errors.get(seat).map_or("", |errors| last_words(errors))
    }

    /// The faults as a person reads them: with the last words of those who made them.
    pub fn complaints(&self) -> impl Iterator<Item = (usize, Fault)> {
        let errors = |seat: usize| self.errors.get(seat).map_or("", String::as_str);
        self.faults.iter().map(move |(seat, fault)| (*seat, fault.quoting(errors(*seat))))
    }

    fn forget_moves(&mut self) {
        self.forgotten = self.length();
        self.moves = Vec::new();
        self.missed = Vec::new();
        let mut words = vec![String::new(); self.errors.len()];
        for &(seat, _) in &self.faults {
            if let Some(kept) = words.get_mut(seat) {
                *kept = self.last_words(seat).to_owned();
            }
        }
        self.errors = words;
        self.dialogues = Vec::new();
        if no_thoughts(&self.thoughts) {
            self.thoughts = Vec::new();
        }
        for thought in self.thoughts.iter_mut().flatten() {
            thought.line = String::new();
        }
        self.movers.shrink_to_fit();
        self.micros.shrink_to_fit();
    }
}
