//! The line dialogue of an engine that thinks on as long as one looks.
//!
//! In: `position TEXT`, answered by `ready` or `error TEXT`; `analyse N`, `stop`. Out, for each of the best `N` moves
//! and each depth: `info rank 1 depth 9 score points 2.31 nodes 51234 time 120 line e6 f4`. A position ends the
//! analysis of the one before; the end of input ends the program.

use crate::{Failure, LineReader, put_line};
use std::fmt;
use std::io::{BufRead, Write};
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

/// The longest line of the dialogue, in bytes.
pub const MAX_LINE: usize = 16 * 1024;
/// The answer to a position that was read.
pub const READY: &str = "ready";
/// The beginning of the answer to one that was not.
pub const ERROR: &str = "error ";
/// The most moves that are analysed side by side.
pub const MAX_MOVES: usize = 81;

/// The value of a position, for the player to move.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value {
    /// An evaluation, in the game's own unit.
    Points(f64),
    /// The proven margin.
    Exact(f64),
    /// A proven win, in so many plies where that is known.
    Win(Option<u32>),
    /// A proven loss, in so many plies where that is known.
    Loss(Option<u32>),
    /// A proven draw.
    Draw,
}

/// One of the best moves at one depth.
#[derive(Debug, Clone, PartialEq)]
pub struct Info {
    /// 1 for the best.
    pub rank: usize,
    /// Plies.
    pub depth: u32,
    /// Its value.
    pub value: Value,
    /// Positions visited so far, for all moves.
    pub nodes: u64,
    /// Milliseconds so far.
    pub millis: u64,
    /// The move and what is expected to follow it.
    pub line: Vec<String>,
}

impl Info {
    /// The best move of a search or of an iteration, with its line.
    pub fn of_best<M: fmt::Display>(
        depth: i32,
        value: Value,
        nodes: u64,
        elapsed: Duration,
        line: impl IntoIterator<Item = M>,
    ) -> Self {
        let line = line.into_iter().map(|mv| mv.to_string()).collect();
        let (depth, millis) = (depth.max(0).unsigned_abs(), elapsed.as_millis() as u64);
        Self { rank: 1, depth, value, nodes, millis, line }
    }
}

/// A line of who looks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Request {
    /// The position, in the game's own text.
    Position(String),
    /// Think on about the best so many moves.
    Analyse(usize),
    /// Think no more.
    Stop,
}

/// A line that is none of the dialogue's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" is no line of an analysis")]
pub struct AnalysisError(String);

impl AnalysisError {
    fn of(line: &str) -> Self {
        Self(line.chars().filter(|c| !c.is_control()).take(60).collect())
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Points(points) => write!(f, "points {points:.2}"),
            Self::Exact(margin) => write!(f, "exact {margin}"),
            Self::Win(Some(plies)) => write!(f, "win {plies}"),
            Self::Loss(Some(plies)) => write!(f, "loss {plies}"),
            Self::Win(None) => write!(f, "win {UNKNOWN}"),
            Self::Loss(None) => write!(f, "loss {UNKNOWN}"),
            Self::Draw => f.write_str("draw 0"),
        }
    }
}

/// Plies of which only their end is known.
const UNKNOWN: &str = "?";

fn plies(number: &str) -> Option<Option<u32>> {
    if number == UNKNOWN { Some(None) } else { number.parse().ok().map(Some) }
}

impl Value {
    /// The value of a search's score: proven, so many plies before the end, for whom `points` favours; or those points.
    #[must_use]
    pub fn of_search(plies_to_end: Option<usize>, points: f64) -> Self {
        match plies_to_end {
            Some(plies) if points > 0.0 => Self::Win(Some(plies as u32)),
            Some(plies) => Self::Loss(Some(plies as u32)),
            None => Self::Points(points),
        }
    }

    fn read(kind: &str, number: &str) -> Option<Self> {
        let points = || number.parse::<f64>().ok().filter(|points| points.is_finite());
        Some(match kind {
            "points" => Self::Points(points()?),
            "exact" => Self::Exact(points()?),
            "win" => Self::Win(plies(number)?),
            "loss" => Self::Loss(plies(number)?),
            "draw" => Self::Draw,
            _ => return None,
        })
    }
}

impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rank, depth, value, nodes, millis, line } = self;
        write!(f, "info rank {rank} depth {depth} score {value} nodes {nodes} time {millis} line")?;
        line.iter().try_for_each(|mv| write!(f, " {mv}"))
    }
}

impl FromStr for Info {
    type Err = AnalysisError;

    fn from_str(line: &str) -> Result<Self, AnalysisError> {
        read_info(line).ok_or_else(|| AnalysisError::of(line))
    }
}

fn read_info(line: &str) -> Option<Info> {
    let mut words = line.split_ascii_whitespace();
    (words.next()? == "info" && words.next()? == "rank").then_some(())?;
    let rank = words.next()?.parse().ok().filter(|rank| (1..=MAX_MOVES).contains(rank))?;
    let mut field = |name: &str| (words.next()? == name).then(|| words.next()).flatten();
    let depth = field("depth")?.parse().ok()?;
    let kind = field("score")?;
    let value = Value::read(kind, words.next()?)?;
    let mut field = |name: &str| (words.next()? == name).then(|| words.next()).flatten();
    let nodes = field("nodes")?.parse().ok()?;
    let millis = field("time")?.parse().ok()?;
    (words.next()? == "line").then_some(())?;
    let line = words.take(256).map(str::to_owned).collect();
    Some(Info { rank, depth, value, nodes, millis, line })
}

impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Position(text) => write!(f, "position {text}"),
            Self::Analyse(moves) => write!(f, "analyse {moves}"),
            Self::Stop => f.write_str("stop"),
        }
    }
}

impl FromStr for Request {
    type Err = AnalysisError;

    fn from_str(line: &str) -> Result<Self, AnalysisError> {
        let line = line.trim();
        let request = match line.split_once(' ').unwrap_or((line, "")) {
            ("stop", "") => Some(Self::Stop),
            ("position", text) if !text.is_empty() => Some(Self::Position(text.trim().to_owned())),
            ("analyse", count) => {
                count.trim().parse().ok().filter(|count| (1..=MAX_MOVES).contains(count)).map(Self::Analyse)
            }
            _ => None,
        };
        request.ok_or_else(|| AnalysisError::of(line))
    }
}

/// A player that analyses: its own text, its own search.
pub trait Analyst {
    /// A position that was read.
    type Position;

    /// Reads a position.
    ///
    /// # Errors
    /// With what is wrong in it.
    fn read(&self, text: &str) -> Result<Self::Position, String>;

    /// Thinks on about a position until the lookout's flag is set, and tells it of what it finds.
    fn analyse(&mut self, position: &Self::Position, lookout: &mut Lookout<'_>);
}

/// The analyst of a position.
pub struct Lookout<'a> {
    /// Set when nobody looks any more.
    pub stop: &'a AtomicBool,
    moves: usize,
    began: Instant,
    tell: &'a mut dyn FnMut(&Info),
}

impl<'a> Lookout<'a> {
    /// Somebody who wants to see the best `moves` moves, from now on.
    pub fn new(moves: usize, stop: &'a AtomicBool, tell: &'a mut dyn FnMut(&Info)) -> Self {
        Self { stop, moves, began: Instant::now(), tell }
    }

    /// The number of moves to show.
    #[must_use]
    pub fn moves(&self) -> usize {
        self.moves
    }

    /// Tells of the best moves of a depth, the best first, each with its value and line.
    pub fn tell<M: fmt::Display>(
        &mut self,
        depth: u32,
        nodes: u64,
        lines: impl IntoIterator<Item = (Value, impl IntoIterator<Item = M>)>,
    ) {
        let millis = self.began.elapsed().as_millis() as u64;
        for (nth, (value, line)) in lines.into_iter().enumerate().take(self.moves) {
            let line = line.into_iter().map(|mv| mv.to_string()).collect();
            (self.tell)(&Info { rank: nth + 1, depth, value, nodes, millis, line });
        }
    }
}

/// Holds the dialogue until the input ends. Lines are read beside the search, so that each stops it.
///
/// # Errors
/// Those of the output.
pub fn serve<A: Analyst>(
    analyst: &mut A,
    input: impl BufRead + Send + 'static,
    output: &mut dyn Write,
) -> Result<(), Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    let (lines, heard) = mpsc::channel();
    let flag = Arc::clone(&stop);
    std::thread::spawn(move || {
        let mut reader = LineReader::new(input, MAX_LINE);
        while let Ok(Some(line)) = reader.text() {
            let line = line.to_owned();
            flag.store(true, Ordering::Relaxed);
            if lines.send(line).is_err() {
                return;
            }
        }
        flag.store(true, Ordering::Relaxed);
    });
    let mut position = None;
    while let Ok(line) = heard.recv() {
        stop.store(false, Ordering::Relaxed);
        match line.parse() {
            Ok(Request::Position(text)) => match analyst.read(&text) {
                Ok(read) => {
                    position = Some(read);
                    put_line(output, READY)?;
                }
                Err(error) => put_line(output, &format!("{ERROR}{}", one_line(&error)))?,
            },
            Ok(Request::Analyse(moves)) => {
                let Some(position) = &position else {
                    put_line(output, &format!("{ERROR}no position"))?;
                    continue;
                };
                let mut written = Ok(());
                let mut tell = |info: &Info| {
                    if written.is_ok() {
                        written = put_line(output, &info.to_string());
                    }
                };
                analyst.analyse(position, &mut Lookout::new(moves, &stop, &mut tell));
                written?;
            }
            Ok(Request::Stop) => {}
            Err(error) => put_line(output, &format!("{ERROR}{error}"))?,
        }
    }
    Ok(())
}

fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(200).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        let decided =
            [Value::Win(Some(7)), Value::Win(None), Value::Loss(Some(2)), Value::Loss(None), Value::Draw];
        for value in [Value::Points(-2.5), Value::Exact(4.0)].into_iter().chain(decided) {
            let line = ["e6", "pass"].map(str::to_owned).to_vec();
            let info = Info { rank: 2, depth: 9, value, nodes: 51_234, millis: 120, line };
            assert_eq!(info.to_string().parse(), Ok(info));
        }
        for request in [Request::Position("a b".into()), Request::Analyse(3), Request::Stop] {
            assert_eq!(request.to_string().parse(), Ok(request));
        }
    }

    /// Knows one position and finds one line in it.
    struct Parrot;

    impl Analyst for Parrot {
        type Position = String;

        fn read(&self, text: &str) -> Result<String, String> {
            if text == "bad" { Err("no\nposition".to_owned()) } else { Ok(text.to_owned()) }
        }

        fn analyse(&mut self, position: &String, lookout: &mut Lookout<'_>) {
            lookout.began = Instant::now() + std::time::Duration::from_secs(60);
            let values = [Value::Draw, Value::of_search(Some(3), -1.0), Value::Draw];
            lookout.tell(1, 9, values.map(|value| (value, [position])));
        }
    }

    #[test]
    fn the_dialogue_answers_positions_and_analyses() {
        let input = "analyse 1\nposition bad\nposition p\nanalyse 2\nstop\nnonsense\n";
        let mut output = Vec::new();
        serve(&mut Parrot, std::io::Cursor::new(input), &mut output).unwrap();
        assert_eq!(
            String::from_utf8(output).unwrap(),
            "error no position\nerror no position\nready\ninfo rank 1 depth 1 score draw 0 nodes 9 time 0 line p\n\
             info rank 2 depth 1 score loss 3 nodes 9 time 0 line p\n\
             error \"nonsense\" is no line of an analysis\n"
        );
    }

    #[test]
    fn what_is_no_line_of_the_dialogue_is_refused_with_its_text() {
        for line in ["", "info", "info rank 0 depth 1", "info rank 1 depth 1 score points x", "bestmove e6"] {
            assert!(line.parse::<Info>().is_err(), "{line}");
        }
        for line in ["", "position", "analyse 0", "analyse 1000", "analyse x", "quit"] {
            assert!(line.parse::<Request>().is_err(), "{line}");
        }
        let error = "<script>\u{7}".parse::<Request>().unwrap_err();
        assert_eq!(error.to_string(), "\"<script>\" is no line of an analysis");
    }

    #[test]
    fn a_decided_score_is_a_win_for_whom_the_points_favour() {
        let values = [(Some(3), 1.0), (Some(3), 0.5), (Some(3), -1.0), (None, 0.25)];
        let values = values.map(|(plies, points)| Value::of_search(plies, points));
        assert_eq!(
            values,
            [Value::Win(Some(3)), Value::Win(Some(3)), Value::Loss(Some(3)), Value::Points(0.25)]
        );
        assert_eq!(Value::of_search(Some(4), 0.0), Value::Loss(Some(4)));
    }

    #[test]
    fn a_lookout_says_how_many_moves_are_to_be_seen() {
        let stop = AtomicBool::new(false);
        assert_eq!(Lookout::new(3, &stop, &mut |_| {}).moves(), 3);
    }
}
