//! The line protocol of an engine that analyses a position until it is told to stop.
//!
//! Input: `position TEXT`, answered by `ready` or `error TEXT`; `analyse N`; `stop`. Output, for each of the best `N`
//! moves and each depth: `info rank 1 depth 9 score points 2.31 nodes 51234 time 120 line e6 f4`. Any input line ends
//! the running analysis. The end of input ends the analysis and the program.

mod serve;

pub use serve::{Analyst, Listener, serve};

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// The longest line of the protocol, in bytes. The longest position is a maze of a million cells, eight bytes each.
pub const MAX_LINE: usize = (8 << 20) + 1024;
/// The answer to a valid position.
pub const READY: &str = "ready";
/// The prefix of the answer to an invalid position or line.
pub const ERROR: &str = "error ";
/// The largest number of moves that one analysis ranks.
pub const MAX_MOVES: usize = 81;

/// The value of a position for the player to move.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value {
    /// An evaluation in the game's own unit.
    Points(f64),
    /// The proven final margin.
    Exact(f64),
    /// A proven win; the number of plies to it if known.
    Win(Option<u32>),
    /// A proven loss; the number of plies to it if known.
    Loss(Option<u32>),
    /// A proven draw.
    Draw,
}

/// One ranked move of one iteration.
#[derive(Debug, Clone, PartialEq)]
pub struct Info {
    /// The move's rank; 1 is the best.
    pub rank: usize,
    /// The depth in plies.
    pub depth: u32,
    /// The value of the move.
    pub value: Value,
    /// Positions visited since the analysis began, for all moves together.
    pub nodes: u64,
    /// Milliseconds since the analysis began.
    pub millis: u64,
    /// The principal variation, beginning with the move.
    pub line: Vec<String>,
}

impl Info {
    /// Describes the best move of a search or an iteration: rank 1, with its principal variation.
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

/// A request of the client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Request {
    /// Set the position, given in the game's own notation.
    Position(String),
    /// Analyse the position and report this many best moves.
    Analyse(usize),
    /// Stop the analysis.
    Stop,
}

/// The line is not part of the protocol.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{line}\" is not part of the analysis protocol")]
pub struct AnalysisError {
    /// The start of the line.
    line: String,
}

impl AnalysisError {
    fn of(line: &str) -> Self {
        Self { line: line.chars().filter(|c| !c.is_control()).take(60).collect() }
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

/// Stands for an unknown number of plies in `win` and `loss`.
const UNKNOWN: &str = "?";

fn plies(number: &str) -> Option<Option<u32>> {
    if number == UNKNOWN { Some(None) } else { number.parse().ok().map(Some) }
}

impl Value {
    /// Converts a score. `plies_to_end` means that the score is proven: a win if `points` is positive, else a loss.
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

    #[test]
    fn what_is_no_line_of_the_dialogue_is_refused_with_its_text() {
        for line in ["", "info", "info rank 0 depth 1", "info rank 1 depth 1 score points x", "bestmove e6"] {
            assert!(line.parse::<Info>().is_err(), "{line}");
        }
        for line in ["", "position", "analyse 0", "analyse 1000", "analyse x", "quit"] {
            assert!(line.parse::<Request>().is_err(), "{line}");
        }
        let error = "<script>\u{7}".parse::<Request>().unwrap_err();
        assert_eq!(error.to_string(), "\"<script>\" is not part of the analysis protocol");
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
}
