//! A player's report of its search: depth, score, nodes and principal variation.
//!
//! A player of any protocol may write it to standard error before it answers: `info depth 9 score 31 nodes 51234 line
//! e6 f4`. Piskvork has `MESSAGE` for it, NBoard its own format. An environment variable asks every process for it
//! ([`wire::search_log`]).

use crate::fault::excerpt;
use search_core::{Report, Score};
use serde::{Deserialize, Serialize};
use std::str::FromStr;
use std::time::Duration;

/// The report of a search, as far as the player gives it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Thought {
    /// Depth in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Score for the mover, in the player's own unit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<f64>,
    /// Plies to a proven end: positive for a win, negative for a loss, 0 for a draw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<i32>,
    /// Positions visited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// The principal variation, in the player's notation.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub line: String,
}

/// A player's reports during a search: the latest values, and the history of its best moves.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SearchInfo {
    /// The latest value of each field.
    pub thought: Thought,
    /// The best moves in the order of the reports, without repetitions.
    pub choices: Vec<Choice>,
}

/// A best move during a search, from a report on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// The move, in the player's notation.
    pub mv: String,
    /// The time from the question to the report.
    pub after: Duration,
    /// Positions visited by then, if reported.
    pub nodes: Option<u64>,
}

/// Maximum number of choices kept. Older ones are dropped.
const CHOICES: usize = 200;

impl SearchInfo {
    /// Adds a report, which came `after` the question.
    pub fn add(&mut self, later: Thought, after: Duration) {
        if let Some(mv) = later.line.split_whitespace().next()
            && self.choices.last().is_none_or(|choice| choice.mv != mv)
        {
            if self.choices.len() == CHOICES {
                self.choices.remove(0);
            }
            self.choices.push(Choice { mv: mv.to_owned(), after, nodes: later.nodes });
        }
        self.thought.add(later);
    }
}

impl SearchInfo {
    /// Returns the moment from which the answer was the reported best move until the end. `is_answer` returns true for
    /// the answer, false for another move, and `None` for text that is not a move. An answer that was not the last
    /// choice counts as found at the end of its `time`. Returns `None` if no choice is known.
    pub fn settled(&self, time: Duration, is_answer: impl Fn(&str) -> Option<bool>) -> Option<Settled> {
        let mut known =
            self.choices.iter().filter_map(|choice| Some((choice, is_answer(&choice.mv)?))).peekable();
        known.peek()?;
        let mut since = None;
        for (choice, is_answer) in known {
            since = if is_answer { since.or(Some(choice)) } else { None };
        }
        Some(since.map_or(Settled { after: time, nodes: self.thought.nodes }, |choice| Settled {
            after: choice.after.min(time),
            nodes: choice.nodes,
        }))
    }
}

/// The moment from which an answer was the best move for the rest of its search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settled {
    /// The time after the question.
    pub after: Duration,
    /// Positions visited by then, if reported.
    pub nodes: Option<u64>,
}

impl From<Thought> for SearchInfo {
    fn from(thought: Thought) -> Self {
        Self { thought, choices: Vec::new() }
    }
}

/// Maximum number of characters of a line that are kept.
const LINE: usize = 200;

impl Thought {
    /// Parses a line of output that begins with `info` or `MESSAGE` and has a depth or a score.
    ///
    /// ```
    /// let thought = courses::thought::Thought::read("info depth 9 score 31 nodes 51234 line e6 f4").unwrap();
    /// assert_eq!((thought.depth, thought.score, thought.nodes), (Some(9), Some(31.0), Some(51234)));
    /// assert_eq!(thought.line, "e6 f4");
    /// ```
    pub fn read(line: &str) -> Option<Self> {
        let (first, rest) = line.trim().split_once(char::is_whitespace)?;
        if !["info", "message"].iter().any(|word| first.eq_ignore_ascii_case(word)) {
            return None;
        }
        let mut thought = Self::default();
        let mut words = Words(rest);
        while let Some(word) = words.next() {
            match word.to_ascii_lowercase().as_str() {
                "depth" => thought.depth = words.next().and_then(leading).or(thought.depth),
                "score" | "eval" | "ev" | "value" => thought.set_score(&mut words),
                "nodes" | "node" => thought.nodes = words.next().and_then(count).or(thought.nodes),
                "line" | "pv" | "bestline" => thought.line = words.rest(),
                _ => {}
            }
        }
        (thought.depth.is_some() || thought.value().is_some()).then_some(thought)
    }

    /// Parses `31`, `points 0.31`, `cp 31`, `win in 5`, `loss 4`, `mate -3`, `+M5` or `draw`.
    fn set_score(&mut self, words: &mut Words<'_>) {
        let plies = |words: &mut Words<'_>| {
            let word = words.next().filter(|word| *word != "in").or_else(|| words.next());
            word.and_then(|word| word.parse::<i32>().ok())
        };
        let Some(word) = words.next() else { return };
        match word.to_ascii_lowercase().as_str() {
            "points" | "exact" | "cp" => self.score = words.next().and_then(number).or(self.score),
            "win" | "mate" => self.end = plies(words),
            "loss" => self.end = plies(words).map(i32::wrapping_neg),
            "draw" => self.end = Some(0),
            text => match text.split_once('m') {
                Some((sign @ ("+" | "-" | ""), plies)) => {
                    self.end = format!("{sign}{plies}").parse().ok();
                }
                _ => self.score = number(text).or(self.score),
            },
        }
    }

    /// Converts a report of our own search, with scores in units of `unit` and the variation as text.
    pub fn of<M>(report: &Report<M>, unit: f64, line: String) -> Self {
        let decided = report.score.plies_to_end().map(|plies| i32::try_from(plies).unwrap_or(i32::MAX));
        let sign = if report.score > Score::DRAW { 1 } else { -1 };
        Self {
            depth: u32::try_from(report.depth).ok(),
            score: decided.is_none().then(|| f64::from(report.score.value()) / unit),
            end: decided.map(|plies| sign * plies),
            nodes: Some(report.nodes),
            line,
        }
    }

    /// Merges a later info line of the same search.
    pub fn add(&mut self, later: Self) {
        let is_judged = later.value().is_some();
        self.depth = later.depth.or(self.depth);
        if is_judged {
            (self.score, self.end) = (later.score, later.end);
        }
        self.nodes = later.nodes.or(self.nodes);
        if !later.line.is_empty() {
            self.line = later.line;
        }
    }

    /// Changes the side that the score is for.
    pub fn turn(&mut self) {
        self.score = self.score.map(|score| -score);
        self.end = self.end.map(i32::wrapping_neg);
    }

    /// Returns the mover's score. A proven win or loss is beyond all others.
    #[must_use]
    pub fn value(&self) -> Option<f64> {
        match self.end {
            Some(0) => Some(0.0),
            Some(plies) => Some(f64::INFINITY.copysign(plies.into())),
            None => self.score,
        }
    }

    /// Formats a comment: `+31/9 51234 nodes, e6 f4`. A proven end is `+M5` or `-M4`.
    #[must_use]
    pub fn text(&self) -> String {
        let score = match (self.end, self.score) {
            (Some(0), _) => "=".to_owned(),
            (Some(plies), _) => format!("{}M{}", if plies > 0 { '+' } else { '-' }, plies.unsigned_abs()),
            (None, Some(score)) => signed(score),
            (None, None) => "?".to_owned(),
        };
        let depth = self.depth.map(|depth| format!("/{depth}")).unwrap_or_default();
        let nodes = self.nodes.map(|nodes| format!(" {nodes} nodes")).unwrap_or_default();
        let line = if self.line.is_empty() { String::new() } else { format!(", {}", self.line) };
        format!("{score}{depth}{nodes}{line}")
    }
}

/// Formats a score with its sign, and with decimals if it has any.
fn signed(score: f64) -> String {
    if score.fract() == 0.0 { format!("{score:+.0}") } else { format!("{score:+.2}") }
}

/// The words of a line, separated by blanks, slashes, commas, colons and equals signs.
struct Words<'a>(&'a str);

const BETWEEN: [char; 4] = ['|', ',', ':', '='];

impl<'a> Words<'a> {
    fn next(&mut self) -> Option<&'a str> {
        let is_between = |c: char| c.is_whitespace() || BETWEEN.contains(&c);
        let text = self.0.trim_start_matches(is_between);
        let end = text.find(is_between).unwrap_or(text.len());
        let (word, rest) = text.split_at(end);
        self.0 = rest;
        (!word.is_empty()).then_some(word)
    }

    /// Returns the rest of the line unchanged.
    fn rest(&mut self) -> String {
        let is_between = |c: char| c.is_whitespace() || BETWEEN.contains(&c);
        let rest: String = std::mem::take(&mut self.0).trim_matches(is_between).chars().take(LINE).collect();
        excerpt(&rest)
    }
}

fn number(word: &str) -> Option<f64> {
    word.parse::<f64>().ok().filter(|number| number.is_finite())
}

/// Parses the number at the start of a word. Some engines write `12-20` for depth and selective depth.
fn leading<N: FromStr>(word: &str) -> Option<N> {
    let end = word.find(|c: char| !c.is_ascii_digit()).unwrap_or(word.len());
    word[..end].parse().ok()
}

/// Parses `51234`, `51K` or `1.2M`.
fn count(word: &str) -> Option<u64> {
    let thousands = match word.to_ascii_lowercase().chars().next_back()? {
        'k' => 1e3,
        'm' => 1e6,
        'g' | 'b' => 1e9,
        _ => return word.parse().ok(),
    };
    let shown = number(&word[..word.len() - 1])?;
    (0.0..1e9).contains(&shown).then_some((thousands * shown) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> (Option<u32>, Option<f64>, Option<i32>, Option<u64>, String) {
        let Thought { depth, score, end, nodes, line } = Thought::read(line).unwrap_or_default();
        (depth, score, end, nodes, line)
    }

    #[test]
    fn engines_of_many_kinds_are_understood() {
        let line = |text: &str| text.to_owned();
        let told = |text: &str| read(text);
        assert_eq!(
            told("MESSAGE depth 7 score +12 nodes 345 line 7,7 8,8"),
            (Some(7), Some(12.0), None, Some(345), line("7,7 8,8"))
        );
        assert_eq!(
            told("MESSAGE depth 7 score win in 5 nodes 3 line 7,7").2,
            Some(5),
            "our own words for a proven win"
        );
        assert_eq!(
            told("MESSAGE Depth 12-20 | Eval -34 | Node 1.5K | PV h8 i9"),
            (Some(12), Some(-34.0), None, Some(1500), line("h8 i9"))
        );
        assert_eq!(told("message ev=+M5, depth=3").2, Some(5));
        assert_eq!(told("message eval -M12 depth 3").2, Some(-12));
        assert_eq!(told("info rank 1 depth 9 score points 2.31 nodes 9 time 1 line a b").1, Some(2.31));
        assert_eq!(told("info depth 9 score loss 4").2, Some(-4));
        assert_eq!(told("info depth 9 score cp 31 pv e2e4").1, Some(31.0));
        for nothing in ["", "info", "MESSAGE hello", "info time 3", "depth 9 score 3", "info score nan"] {
            assert_eq!(Thought::read(nothing), None, "{nothing}");
        }
    }

    #[test]
    fn a_later_line_tells_more_and_forgets_nothing() {
        let mut thought = Thought::read("info depth 9 score 31 line e6").unwrap();
        thought.add(Thought::read("info depth 10 nodes 100").unwrap());
        assert_eq!(thought.text(), "+31/10 100 nodes, e6");
        thought.add(Thought::read("info score win 3 depth 11").unwrap());
        assert_eq!((thought.text().as_str(), thought.value()), ("+M3/11 100 nodes, e6", Some(f64::INFINITY)));
    }

    #[test]
    fn an_answer_stands_from_its_last_row_of_choices_on() {
        let ms = Duration::from_millis;
        let told = |moves: &[&str]| {
            let mut told = SearchInfo::default();
            for (nth, mv) in (1_u64..).zip(moves) {
                let line = format!("info depth {nth} nodes {} line {mv} z9", 100 * nth);
                told.add(Thought::read(&line).unwrap(), ms(nth));
            }
            told.settled(ms(50), |mv| mv.starts_with(char::is_alphabetic).then(|| mv == "e6"))
        };
        let settled = |after, nodes| Some(Settled { after: ms(after), nodes: Some(nodes) });
        assert_eq!(told(&["e6", "e6", "f4", "e6", "e6"]), settled(4, 400));
        assert_eq!(told(&["f4", "e6", "7,7", "e6"]), settled(2, 200), "what is no move counts for nothing");
        assert_eq!(told(&["e6", "f4"]), settled(50, 200), "the answer was another");
        assert_eq!((told(&[]), told(&["7,7"])), (None, None));
    }

    #[test]
    fn a_line_is_bounded_and_cannot_drive_a_terminal() {
        let long = format!("info depth 1 line \u{1b}[2J{}", "x".repeat(10_000));
        let thought = Thought::read(&long).unwrap();
        assert!(thought.line.chars().count() <= LINE && !thought.line.contains('\u{1b}'));
        assert_eq!(
            read("info depth 99999999999 score 1 nodes 999999999999999999999"),
            (None, Some(1.0), None, None, String::new())
        );
    }
}
