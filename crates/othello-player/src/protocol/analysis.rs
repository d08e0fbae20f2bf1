//! The analysis protocol: the best moves of a position, deeper and deeper until stopped.

use crate::player::{Player, Settings};
use crate::rules::{Board, Move, Position, obf};
use search_core::side_by_side::{FlagClock, side_by_side};
use search_core::{Depth, Report, Score, TableCut};
use wire::analysis::{self, Info, Listener, Value};

/// The deepest iteration, in plies.
const DEEPEST: Depth = 60;
/// The number of empty squares after a move from which on its exact value is found in an instant.
const SOLVE_FROM: u32 = 14;

/// A player that analyses.
#[derive(Debug)]
pub struct Analyst {
    player: Player,
}

impl Analyst {
    /// An analyst with these settings, except that it never plays at random.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        let solve_from = settings.solve_from.max(SOLVE_FROM);
        let table_cut = Some(TableCut::AtLeast);
        Self { player: Player::new(Settings { table_cut, solve_from, random_plies: 0, ..settings }) }
    }
}

/// The text is not a position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PositionError {
    /// The line is not valid.
    #[error(transparent)]
    Problem(#[from] obf::ProblemError),
    /// The line is a comment of a problem file.
    #[error("expected a position, found a comment")]
    Comment,
}

impl analysis::Analyst for Analyst {
    type Position = Board;
    type Error = PositionError;

    /// Parses a line of a problem file.
    fn read(&self, text: &str) -> Result<Board, PositionError> {
        obf::parse(text)?.map(|problem| problem.board).ok_or(PositionError::Comment)
    }

    fn analyse(&mut self, board: &Board, listener: &mut Listener<'_>) {
        let clock = FlagClock::by(listener.stop, listener.clock());
        let player = &mut self.player;
        let think = |after: &Position, depth| player.think(after, FlagClock::limits(depth), &clock);
        side_by_side(&board.position, DEEPEST, &clock, think, |depth, ranked, nodes| {
            let lines = ranked.iter().map(|ranked| (value(ranked.score, ranked.proven), &ranked.line));
            listener.report(depth as u32, nodes, lines);
        });
    }
}

/// Converts a search report to an `info` line.
#[must_use]
pub fn info(report: &Report<Move>) -> Info {
    let line = report.best.iter().chain(report.principal_variation.iter().skip(1));
    let value = value(report.score, report.proven);
    Info::of_best(report.depth, value, report.nodes, report.elapsed, line)
}

/// Converts a score to discs; a proven one is exact.
fn value(score: Score, proven: bool) -> Value {
    let discs = f64::from(score.value()) / f64::from(Score::POINT);
    if proven { Value::Exact(discs) } else { Value::Points(discs) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, Ordering};
    use wire::analysis::Analyst as _;

    #[test]
    fn a_position_is_a_line_of_a_problem_file() {
        let analyst = Analyst::new(Settings::default());
        let start = Board::START.to_string();
        for line in [start.clone(), format!("{start}; D3:+0; F5:-2; % name")] {
            assert_eq!(analyst.read(&line), Ok(Board::START), "{line}");
        }
        assert_eq!(analyst.read("% name"), Err(PositionError::Comment));
        assert!(analyst.read(&format!("{start}; D3")).unwrap_err().to_string().contains("found \"D3\""));
    }

    #[test]
    fn an_analysis_draws_no_moves() {
        let stop = AtomicBool::new(false);
        let settings = Settings { random_plies: 60, table_bytes: 1 << 20, ..Settings::default() };
        let mut told = Vec::new();
        let mut tell = |info: &Info| {
            told.push(info.clone());
            stop.store(info.depth == 2, Ordering::Relaxed);
        };
        Analyst::new(settings).analyse(&Board::START, &mut Listener::new(4, &stop, &mut tell));
        assert!(
            !told.is_empty() && told.iter().all(|info| info.nodes > 0 && info.line.len() > 1),
            "{told:?}"
        );
    }
}
