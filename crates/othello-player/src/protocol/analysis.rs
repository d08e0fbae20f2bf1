//! The analysis dialogue: the best moves of a position, deeper and deeper, for as long as somebody looks.

use crate::player::{Player, Settings};
use crate::rules::{Board, Move, Position};
use search_core::side_by_side::{FlagClock, side_by_side};
use search_core::{Depth, Report, Score, TableCut};
use wire::analysis::{self, Info, Lookout, Value};

/// The deepest iteration.
const DEEPEST: Depth = 60;
/// Empty squares behind a move from which its exact value is found in an instant.
const SOLVE_FROM: u32 = 14;

/// The player that analyses.
#[derive(Debug)]
pub struct Analyst {
    player: Player,
}

impl Analyst {
    /// An analyst with these settings.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        let solve_from = settings.solve_from.max(SOLVE_FROM);
        let table_cut = Some(TableCut::AtLeast);
        Self { player: Player::new(Settings { table_cut, solve_from, ..settings }) }
    }
}

impl analysis::Analyst for Analyst {
    type Position = Board;

    fn read(&self, text: &str) -> Result<Board, String> {
        text.parse().map_err(|error| format!("{error}"))
    }

    fn analyse(&mut self, board: &Board, lookout: &mut Lookout<'_>) {
        let clock = FlagClock::start(lookout.stop);
        let player = &mut self.player;
        let think = |after: &Position, depth| player.think(after, FlagClock::limits(depth), &clock);
        side_by_side(&board.position, DEEPEST, &clock, think, |depth, ranked, nodes| {
            let lines = ranked.iter().map(|ranked| (value(ranked.score, ranked.proven), &ranked.line));
            lookout.tell(depth as u32, nodes, lines);
        });
    }
}

/// A search as it is told.
#[must_use]
pub fn info(report: &Report<Move>) -> Info {
    let line = report.best.iter().chain(report.principal_variation.iter().skip(1));
    let value = value(report.score, report.proven);
    Info::of_best(report.depth, value, report.nodes, report.elapsed, line)
}

/// Points are discs; a proven margin is exact.
fn value(score: Score, proven: bool) -> Value {
    let discs = f64::from(score.value()) / f64::from(Score::POINT);
    if proven { Value::Exact(discs) } else { Value::Points(discs) }
}
