//! The record of a game: one self-contained JSON line.

use crate::drawing::Language;
use crate::fault::{Fault, excerpt, last_words};
use crate::note::Notes;
use crate::peer::{Ended, QUOTED, Said};
use crate::results::SearchTotals;
use crate::seated::Seated;
use crate::thought::Thought;
use serde::{Deserialize, Serialize};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

/// A game played to its end or to a fault.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The game's index in its run, from 0.
    pub game: u64,
    /// The game's group. Games of a group share their opening, with the seats exchanged.
    pub group: u64,
    /// The assignment's name.
    pub course: String,
    /// The players' indices in the run, by seat.
    pub seats: Vec<usize>,
    /// The players' names, by seat.
    pub names: Vec<String>,
    /// The opening, in the course's notation.
    pub opening: String,
    /// The seed given to the players.
    pub seed: u64,
    /// The moves and the result.
    #[serde(flatten)]
    pub played: Played,
}

impl Record {
    /// Returns a hash of the players by seat, the opening, the moves and the points. Equal games have equal hashes,
    /// however their openings are spelt, and wherever the opening ends.
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

    /// Returns about how much memory the game takes, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        /// The head of a text, and the allocator's part.
        const APART: usize = size_of::<String>() + 16;
        let Played { moves, movers, errors, thoughts, last_lines, .. } = &self.played;
        let lines = thoughts.iter().flatten().map(|thought| &thought.line);
        let texts =
            moves.iter().chain(errors).chain(last_lines.iter().flatten()).chain(&self.names).chain(lines);
        let numbers = 2 * size_of::<u64>() * movers.len() + size_of::<Option<Thought>>() * thoughts.len();
        let text = self.opening.len() + texts.map(|text| APART + text.len()).sum::<usize>();
        size_of::<Self>() + numbers + text
    }

    /// Drops the moves to save memory. The rest is enough for results.
    pub fn forget_moves(&mut self) {
        self.played.line = Some(self.line());
        self.played.forget_moves();
    }

    /// Drops the moves, sums their times by seat, and drops the texts that no table tells. The rest is enough for results
    /// without charts.
    pub fn forget_times(&mut self) {
        self.played.times = Some(self.played.times(self.seats.len()));
        self.forget_moves();
        (self.played.movers, self.played.micros, self.played.thoughts) = Default::default();
        (self.course, self.played.end) = Default::default();
    }
}

/// Returns moves in a canonical spelling: `F5D6`, `f5 d6` and `f5d6` are the same. A position keeps its letters' case.
pub fn plain_spelling<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    let mut plain = String::new();
    for word in texts.into_iter().flat_map(str::split_whitespace) {
        let is_position = word.starts_with(['@', '{']);
        // A blank is kept between two digits or two letters.
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

/// The reason why a server played a turn for a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Missed {
    /// The answer came too late.
    Late,
    /// The player is gone.
    Gone,
}

impl Missed {
    /// Returns the reason in words.
    #[must_use]
    pub fn say(self, language: Language) -> &'static str {
        match self {
            Self::Gone => language.choose("absent", "gone"),
            Self::Late => language.choose("retard", "late"),
        }
    }
}

/// A line beside the moves of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
pub struct Variation {
    /// The number of the game's moves before it.
    pub after: usize,
    /// The moves after those.
    pub moves: Vec<String>,
    /// The time of each of its moves, in microseconds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub micros: Vec<u64>,
    /// The notes of a person on its moves, by index of the move from the beginning of the game.
    #[serde(default, skip_serializing_if = "Notes::is_empty")]
    pub notes: Notes,
}

/// Facts that a file of another program states about a game, as written there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(default)]
pub struct About {
    /// The day on which it was played, as the file writes it.
    pub date: String,
    /// The result in the file's notation, such as `B+5`.
    pub result: String,
    /// The comment before the first move.
    pub comment: String,
}

impl About {
    /// The longest date or result, and the longest comment, in characters.
    const MOST: (usize, usize) = (40, 4_000);

    /// Creates the facts, each without unprintable characters and no longer than a limit.
    #[must_use]
    pub fn new(date: &str, result: &str, comment: &str) -> Self {
        let line = |text: &str| {
            let printed = text.trim().chars().filter(|c| !wire::is_unprintable(*c));
            printed.take(Self::MOST.0).collect::<String>()
        };
        let printed = comment.trim().chars().filter(|c| *c == '\n' || !wire::is_unprintable(*c));
        Self { date: line(date), result: line(result), comment: printed.take(Self::MOST.1).collect() }
    }

    /// Adds lines to the comment, as far as they have room.
    pub(crate) fn add(&mut self, comment: &str) {
        crate::note::add_lines(&mut self.comment, &Self::new("", "", comment).comment, Self::MOST.1);
    }

    /// Returns true if nothing is stated.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the result in words: that of SGF (`B+5`, `W+Resign`), of PGN (`1-0`) or of GGF (`-12`), with the names of
    /// the first and the second seat. Any other text stays as it is.
    #[must_use]
    pub fn result_in_words(&self, seat: impl Fn(usize) -> String, language: Language) -> String {
        let stated = self.result.trim();
        let lower = stated.to_lowercase();
        let (winner, by) = match (lower.as_str(), lower.split_at_checked(2), stated.parse::<f64>()) {
            ("1-0", ..) => (0, ""),
            ("0-1", ..) => (1, ""),
            ("1/2-1/2" | "draw" | "jigo", ..) | (_, _, Ok(0.0)) => {
                return language.choose("partie nulle", "a draw").to_owned();
            }
            (_, Some(("b+", by)), _) => (0, by),
            (_, Some(("w+", by)), _) => (1, by),
            (_, _, Ok(margin)) if margin.is_finite() && stated.starts_with(['+', '-']) => {
                (usize::from(margin < 0.0), &lower[1..])
            }
            _ => return stated.to_owned(),
        };
        let by = match by.trim() {
            "" => String::new(),
            "r" | "resign" => language.choose(" par abandon", " by resignation").to_owned(),
            "t" | "time" => language.choose(" au temps", " on time").to_owned(),
            "f" | "forfeit" => language.choose(" par forfait", " by forfeit").to_owned(),
            by if by.parse::<f64>().is_ok() => {
                format!(" {} {}", language.choose("de", "by"), language.number(by))
            }
            _ => return stated.to_owned(),
        };
        format!("{} {}{by}", seat(winner), language.choose("gagne", "wins"))
    }
}

/// The moves and the result of a game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Default)]
pub struct Played {
    /// The moves after the opening, in the game's notation.
    pub moves: Vec<String>,
    /// The seat that made each move.
    pub movers: Vec<usize>,
    /// The time of each move, in microseconds.
    pub micros: Vec<u64>,
    /// In a maze, the turns that the server played, by index of the move from 0.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missed: Vec<(usize, Missed)>,
    /// The occupants of the seats, if the names do not say all of them in every language.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seated: Vec<Seated>,
    /// The notes of a person on the moves.
    #[serde(default, skip_serializing_if = "Notes::is_empty")]
    pub notes: Notes,
    /// Lines beside the moves.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variations: Vec<Variation>,
    /// Facts from the file of another program.
    #[serde(default, skip_serializing_if = "About::is_empty")]
    pub about: About,
    /// The player's search report on each move, if any.
    #[serde(default, skip_serializing_if = "no_thoughts")]
    pub thoughts: Vec<Option<Thought>>,
    /// Points by seat, from 0 to 1: by win, draw and loss, or by rank.
    pub points: Vec<f64>,
    /// The course's own score by seat: discs, points of mussels and so on.
    pub score: Vec<f64>,
    /// The reason for the end, in words.
    pub end: String,
    /// Faults, with the seat of each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<(usize, Fault)>,
    /// Remarks on the players' use of the protocol, with the seat of each. They are not faults.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<(usize, String)>,
    /// Processor time by seat, in microseconds, or 0 if unknown.
    pub cpu: Vec<u64>,
    /// The end of each player's standard error, by seat, if any.
    #[serde(default, skip_serializing_if = "no_text")]
    pub errors: Vec<String>,
    /// Wall time of the game, in microseconds.
    pub wall: u64,
    /// The last lines of the dialogue with each player at fault, by seat: `< 7 7` from the player, `> 8 8` to it.
    #[serde(default, skip_serializing_if = "no_lines")]
    pub last_lines: Vec<Vec<String>>,
    /// The dialogues by seat, if they are kept. They go to the log and not into the record.
    #[serde(skip)]
    pub dialogues: Vec<Vec<Said>>,
    /// The number of moves, after [`Record::forget_moves`].
    #[serde(skip)]
    pub forgotten: usize,
    /// The game's [line](Record::line), after [`Record::forget_moves`].
    #[serde(skip)]
    pub line: Option<u64>,
    /// The [times](Played::times), after [`Record::forget_times`].
    #[serde(skip)]
    pub times: Option<Box<[Times]>>,
}

/// The times of a player's moves in a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Times {
    /// The number of moves.
    pub moves: u64,
    /// Total time of the moves in microseconds.
    pub micros: u64,
    /// Time of the slowest move in microseconds.
    pub slowest: u64,
    /// Sums of the searches that the player reported.
    pub told: SearchTotals,
}

impl Times {
    /// Adds those of another game.
    pub fn add(&mut self, other: &Self) {
        self.moves += other.moves;
        self.micros = self.micros.saturating_add(other.micros);
        self.slowest = self.slowest.max(other.slowest);
        self.told.sum(&other.told);
    }
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
    /// Returns true if the clock decided something: the time of an answer, or of a start.
    #[must_use]
    pub fn is_judged_by_the_clock(&self) -> bool {
        self.faults.iter().any(|(_, fault)| fault.kind.is_of_time())
            || self.missed.iter().any(|(_, missed)| *missed == Missed::Late)
    }

    /// Adds the players' conduct by seat, once all faults are known.
    pub fn close(&mut self, seats: usize, ends: impl IntoIterator<Item = (usize, Ended)>) {
        self.cpu.resize(seats, 0);
        self.errors.resize(seats, String::new());
        self.dialogues.resize(seats, Vec::new());
        for (seat, ended) in ends {
            self.cpu[seat] = ended.cpu.as_micros() as u64;
            self.errors[seat] = ended.errors;
            self.faults.extend(ended.notes.into_iter().chain(ended.refusals).map(|fault| (seat, fault)));
            self.remarks.extend(ended.remarks.into_iter().map(|remark| (seat, remark)));
            self.dialogues[seat] = ended.dialogue;
        }
    }

    /// Quotes the dialogues of players at fault, once all faults are known.
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

    /// Returns the number of moves after the opening.
    #[must_use]
    pub fn length(&self) -> usize {
        self.moves.len() + self.forgotten
    }

    /// Returns the times of the moves by seat, for `seats` seats.
    #[must_use]
    pub fn times(&self, seats: usize) -> Box<[Times]> {
        if let Some(times) = &self.times {
            return times.clone();
        }
        let mut times = vec![Times::default(); seats].into_boxed_slice();
        for (nth, (&seat, &micros)) in self.movers.iter().zip(&self.micros).enumerate() {
            let of = &mut times[seat];
            of.add(&Times { moves: 1, micros, slowest: micros, told: SearchTotals::default() });
            if let Some(thought) = self.thoughts.get(nth).and_then(Option::as_ref) {
                of.told.add(thought, micros);
            }
        }
        times
    }

    /// Returns the last line of a player's standard error.
    #[must_use]
    pub fn last_words(&self, seat: usize) -> &str {
        self.errors.get(seat).map_or("", |errors| last_words(errors))
    }

    /// Iterates over the faults for display, with the last words of the players at fault.
    pub fn complaints(&self) -> impl Iterator<Item = (usize, Fault)> {
        let errors = |seat: usize| self.errors.get(seat).map_or("", String::as_str);
        self.faults.iter().map(move |(seat, fault)| (*seat, fault.quoting(errors(*seat))))
    }

    fn forget_moves(&mut self) {
        self.forgotten = self.length();
        self.moves = Vec::new();
        self.missed = Vec::new();
        self.notes = Vec::new();
        self.variations = Vec::new();
        let mut words = vec![String::new(); self.errors.len()];
        for &(seat, _) in &self.faults {
            if let Some(kept) = words.get_mut(seat) {
                *kept = self.last_words(seat).to_owned();
            }
        }
        self.errors = if no_text(&words) { Vec::new() } else { words };
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_of_a_file_is_said_in_words() {
        let said = |result: &str, language| {
            let about = About::new("", result, "");
            about.result_in_words(|seat| ["black", "white"][seat].to_owned(), language)
        };
        for (result, wanted) in [
            ("B+5", "black wins by 5"),
            ("W+0.5", "white wins by 0.5"),
            ("W+", "white wins"),
            ("B+Resign", "black wins by resignation"),
            ("b+t", "black wins on time"),
            ("0", "a draw"),
            ("Draw", "a draw"),
            ("1-0", "black wins"),
            ("1/2-1/2", "a draw"),
            ("+12", "black wins by 12"),
            ("-4", "white wins by 4"),
            ("", ""),
            ("?", "?"),
            ("Void", "Void"),
            ("é+5", "é+5"),
            ("B+much", "B+much"),
            ("+inf", "+inf"),
        ] {
            assert_eq!(said(result, Language::English), wanted, "{result}");
        }
        assert_eq!(said("W+0.5", Language::French), "white gagne de 0,5");
        assert_eq!(said("B+R", Language::French), "black gagne par abandon");
        assert_eq!(said("0", Language::French), "partie nulle");
    }
}
