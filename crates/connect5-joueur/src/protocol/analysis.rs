//! The analysis dialogue: the best line of a position, deeper and deeper, for as long as somebody looks.

use crate::player::{Player, Settings};
use crate::rules::{Cell, Grid, Position};
use search_core::side_by_side::FlagClock;
use search_core::{Report, Score};
use std::sync::atomic::AtomicBool;
use wire::analysis::{self, Info, Value};

/// An evaluation that counts as one.
const UNIT: f64 = 100.0;
/// The deepest iteration.
const DEEPEST: i32 = 60;

/// The player that analyses.
#[derive(Debug)]
pub struct Analyst {
    player: Player,
}

impl Analyst {
    /// An analyst with these settings.
    pub fn new(settings: Settings) -> Self {
        Self { player: Player::new(settings) }
    }
}

impl analysis::Analyst for Analyst {
    type Position = Position;

    /// Reads a grid's rows with strokes between.
    fn read(&self, text: &str) -> Result<Position, String> {
        let rows: Vec<&str> = text.split('/').collect();
        let mut grid = Grid::new(rows.len(), rows[0].len()).map_err(|error| error.to_string())?;
        for (row, text) in rows.iter().enumerate() {
            grid.set_row(row, text.as_bytes()).map_err(|error| error.to_string())?;
        }
        Ok(Position::from_grid(&grid))
    }

    /// One line only: forced moves are looked at before all others, and prune them.
    fn analyse(&mut self, position: &Position, _: usize, stop: &AtomicBool, tell: &mut dyn FnMut(&Info)) {
        let clock = FlagClock::start(stop);
        let columns = position.geometry().columns();
        let mut told = |report: &Report<Cell>| {
            let Some(best) = report.best else { return };
            let mut line: Vec<String> =
                report.principal_variation.iter().map(|cell| cell.name(columns)).collect();
            if line.is_empty() {
                line.push(best.name(columns));
            }
            tell(&Info {
                rank: 1,
                depth: report.depth.max(1) as u32,
                value: value(report.score),
                nodes: report.nodes,
                millis: clock.so_far().as_millis() as u64,
                line,
            });
        };
        let report = self.player.think_aloud(position, FlagClock::limits(DEEPEST), &clock, &mut told);
        if !clock.is_stopped() {
            told(&report);
        }
    }
}

fn value(score: Score) -> Value {
    match score.plies_to_end() {
        Some(plies) if score.is_win() => Value::Win(plies as u32),
        Some(plies) => Value::Loss(plies as u32),
        None => Value::Points(f64::from(score.value()) / UNIT),
    }
}
