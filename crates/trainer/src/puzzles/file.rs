//! The lines of a file of puzzles.

use anyhow::{Context, Result, bail};
use std::fmt;
use std::path::Path;
use std::str::FromStr;

/// Maximum number of plies or turns of a goal.
const LONGEST: u32 = 200;

/// The goal that the solution of a puzzle reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    /// To win.
    Win,
    /// To win within this number of plies.
    WinWithin(u32),
    /// To stop the opponent, who would win with the next move.
    Hold,
    /// To end with this disc difference.
    Discs(i32),
    /// To take every mussel within this number of turns.
    Turns(u32),
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Win => f.write_str("win"),
            Self::WinWithin(plies) => write!(f, "win within {plies}"),
            Self::Hold => f.write_str("hold"),
            Self::Discs(discs) => write!(f, "discs {discs:+}"),
            Self::Turns(turns) => write!(f, "turns {turns}"),
        }
    }
}

impl FromStr for Goal {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Self> {
        let (kind, number) = text.rsplit_once(' ').unwrap_or((text, ""));
        let wrong = || format!("\"{text}\" is not a goal: win, win within N, hold, discs N or turns N");
        let length = || number.parse().ok().filter(|length| (1..=LONGEST).contains(length));
        let discs = || number.parse().ok().filter(|discs| (-64..=64).contains(discs));
        let goal = match kind {
            "win" if number.is_empty() => Some(Self::Win),
            "win within" => length().map(Self::WinWithin),
            "hold" if number.is_empty() => Some(Self::Hold),
            "discs" => discs().map(Self::Discs),
            "turns" => length().map(Self::Turns),
            _ => None,
        };
        goal.with_context(wrong)
    }
}

/// A puzzle: a position in the notation of openings, and its solution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Puzzle {
    /// The position in the game's own notation.
    pub position: String,
    /// The goal of the solution.
    pub goal: Goal,
    /// A line of best play, at least one move; the first is the solution.
    pub line: Vec<String>,
    /// The number of positions that the player visits until it finds the solution.
    pub nodes: u64,
    /// The seed of the game and the ply in it.
    pub origin: (u64, usize),
}

impl Puzzle {
    /// Returns the solution.
    #[must_use]
    pub fn best(&self) -> &str {
        self.line.first().map_or("", String::as_str)
    }

    /// Returns the name in the file: the seed of its game and the ply.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{}.{}", self.origin.0, self.origin.1)
    }
}

impl fmt::Display for Puzzle {
    /// Writes `POSITION; bm MOVE; goal GOAL; pv MOVE …; nodes N; id SEED.PLY`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { position, goal, line, nodes, .. } = self;
        let (best, line, name) = (self.best(), line.join(" "), self.name());
        write!(f, "{position}; bm {best}; goal {goal}; pv {line}; nodes {nodes}; id {name}")
    }
}

impl FromStr for Puzzle {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Self> {
        let mut fields = text.split(';').map(str::trim);
        let position = fields.next().unwrap_or_default().to_owned();
        let fields: Vec<&str> = fields.collect();
        let field = |name: &str| {
            let found = fields.iter().find_map(|field| field.strip_prefix(name)?.strip_prefix(' '));
            found.with_context(|| format!("no \"{name}\""))
        };
        let (seed, ply) = field("id")?.split_once('.').context("expected \"id SEED.PLY\"")?;
        let puzzle = Self {
            position,
            goal: field("goal")?.parse()?,
            line: field("pv")?.split_whitespace().map(str::to_owned).collect(),
            nodes: field("nodes")?.parse().context("expected a number of nodes")?,
            origin: (seed.parse().context("a seed")?, ply.parse().context("a ply")?),
        };
        if field("bm")? != puzzle.best() {
            bail!("the line does not begin with the best move");
        }
        Ok(puzzle)
    }
}

/// Parses the puzzles of a text. Ignores blank lines and those that begin with `#`.
pub(super) fn parse(text: &str) -> Result<Vec<Puzzle>> {
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    lines.map(|(number, line)| line.parse().with_context(|| format!("line {number}"))).collect()
}

/// Reads a file of puzzles.
pub(super) fn read(path: &Path) -> Result<Vec<Puzzle>> {
    let text = wire::text::decode(&crate::records::bytes(path)?);
    parse(&text).with_context(|| path.display().to_string())
}

/// Writes a file of puzzles after a first line, the easiest first.
pub(super) fn write(path: &Path, head: &str, puzzles: &[Puzzle]) -> Result<()> {
    let mut sorted: Vec<&Puzzle> = puzzles.iter().collect();
    sorted.sort_by_key(|puzzle| (puzzle.nodes, puzzle.origin));
    let lines = sorted.into_iter().map(|puzzle| format!("{puzzle}\n"));
    let text = std::iter::once(format!("{head}\n")).chain(lines).collect::<String>();
    wire::file::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_puzzle_survives_its_line() {
        for goal in [Goal::Win, Goal::WinWithin(5), Goal::Hold, Goal::Discs(-4), Goal::Turns(17)] {
            let line = ["e6", "f4"].map(str::to_owned).to_vec();
            let puzzle = Puzzle { position: "@1 2".into(), goal, line, nodes: 640, origin: (3, 41) };
            assert_eq!(puzzle.to_string().parse::<Puzzle>().unwrap(), puzzle);
        }
        let text = "@1; bm e6; goal win; pv f4; nodes 1; id 1.2";
        assert!(text.parse::<Puzzle>().is_err(), "the line begins with another move");
        assert!(parse(&format!("# a head\n\n{}", text.replace("f4", "e6"))).is_ok());
    }

    #[test]
    fn a_goal_out_of_range_is_refused() {
        for goal in
            ["win within 0", "win within 4294967295", "discs -2147483648", "discs +65", "turns 4294967295"]
        {
            assert!(goal.parse::<Goal>().is_err(), "{goal}");
        }
    }
}
