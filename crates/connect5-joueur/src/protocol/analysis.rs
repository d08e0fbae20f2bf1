//! The analysis dialogue: the best moves of a position, deeper and deeper until the analysis is stopped.

use crate::player::{Player, Settings};
use crate::rules::{Cell, Grid, GridError, Position};
use search_core::side_by_side::{FlagClock, Ranked, best_side_by_side};
use search_core::{Position as _, Report, Score};
use std::cmp::Reverse;
use wire::analysis::{self, Info, Listener, Value};

/// One unit of evaluation in the output.
const UNIT: f64 = 100.0;
/// The deepest iteration.
const DEEPEST: i32 = 60;
/// Number of moves searched beyond depth 1.
const MOST: usize = 6;

/// The player used for analysis.
#[derive(Debug)]
pub struct Analyst {
    player: Player,
}

impl Analyst {
    /// Creates an analyst with these settings.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        // The table is kept, because the searches after different moves share positions.
        Self { player: Player::new(Settings { keep_table: true, ..settings }) }
    }
}

impl analysis::Analyst for Analyst {
    type Position = Position;
    type Error = GridError;

    /// Parses a position: the grid's rows separated by slashes.
    fn read(&self, text: &str) -> Result<Position, GridError> {
        let rows: Vec<&str> = text.split('/').collect();
        let mut grid = Grid::new(rows.len(), rows[0].len())?;
        for (row, text) in rows.iter().enumerate() {
            grid.set_row(row, text.as_bytes())?;
        }
        Ok(Position::from_grid(&grid))
    }

    /// Searches the moves near the stones to depth 1, then the best of them deeper and deeper.
    fn analyse(&mut self, position: &Position, listener: &mut Listener<'_>) {
        let clock = FlagClock::by(listener.stop, listener.clock());
        let columns = position.geometry().columns();
        let moves = near(position);
        let most = MOST.max(listener.moves());
        let player = &mut self.player;
        let think = |after: &Position, depth| player.think(after, FlagClock::limits(depth), &clock);
        best_side_by_side(position, (&moves, most), DEEPEST, &clock, think, |depth, ranked, nodes| {
            let names =
                |ranked: &Ranked<Cell>| ranked.line.clone().into_iter().map(move |cell| cell.name(columns));
            listener.report(
                depth as u32,
                nodes,
                ranked.iter().map(|ranked| (value(ranked.score), names(ranked))),
            );
        });
    }
}

/// Returns the moves at most two steps from a stone, or those around the middle of an empty grid. Cells where the
/// opponent would make five come first, then those beside many stones: of moves that lose equally soon, the one that
/// stops the most is the best.
fn near(position: &Position) -> Vec<Cell> {
    let geometry = position.geometry();
    let (rows, columns) = (geometry.rows(), geometry.columns());
    let mut stones: Vec<Cell> = position.cells().filter(|&cell| !position.is_free(cell)).collect();
    if stones.is_empty() {
        stones.push(Cell::at(rows / 2, columns / 2, columns));
    }
    // The number of stones beside each cell near one.
    let mut beside = vec![None; geometry.cells()];
    for stone in stones {
        let at = stone.coordinates(columns);
        for row in at.row.saturating_sub(2)..rows.min(at.row + 3) {
            for column in at.column.saturating_sub(2)..columns.min(at.column + 3) {
                let cell = Cell::at(row, column, columns);
                *beside[cell.index()].get_or_insert(0) +=
                    u8::from(row.abs_diff(at.row).max(column.abs_diff(at.column)) == 1);
            }
        }
    }
    let free = position.move_list();
    let is_near = |cell: &Cell| beside[cell.index()].is_some();
    let mut near: Vec<Cell> = free.iter().copied().filter(is_near).collect();
    let opponent = position.mover().other();
    near.sort_by_cached_key(|&cell| Reverse((position.makes_five(cell, opponent), beside[cell.index()])));
    // All cells near the stones may be taken while others are free.
    if near.is_empty() { free.to_vec() } else { near }
}

/// Converts a report to an analysis line, with cells by name.
#[must_use]
pub fn info(report: &Report<Cell>, columns: usize) -> Info {
    let line = report.best.into_iter().chain(report.principal_variation.iter().skip(1).copied());
    let names = line.map(|cell| cell.name(columns));
    Info::of_best(report.depth, value(report.score), report.nodes, report.elapsed, names)
}

fn value(score: Score) -> Value {
    Value::of_search(score.plies_to_end(), f64::from(score.value()) / UNIT)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, Ordering};
    use wire::analysis::Analyst as _;

    /// Returns the info lines of an analysis to a depth.
    fn told(rows: &str, depth: u32) -> Vec<analysis::Info> {
        let stop = AtomicBool::new(false);
        let mut analyst = Analyst::new(Settings { table_bytes: 1 << 20, ..Settings::default() });
        let position = analyst.read(rows).unwrap();
        let mut last = Vec::new();
        let mut tell = |info: &analysis::Info| {
            if info.depth == depth {
                last.push(info.clone());
                stop.store(true, Ordering::Relaxed);
            }
        };
        analyst.analyse(&position, &mut Listener::new(3, &stop, &mut tell));
        last
    }

    #[test]
    fn three_lines_are_told_and_a_forced_win_is_the_first() {
        let open_three =
            "000000000/000000000/000000000/000NNN000/000000000/00B0B0000/000000B00/000000000/000000000";
        let lines = told(open_three, 2);
        assert_eq!(lines.iter().map(|info| info.rank).collect::<Vec<_>>(), [1, 2, 3]);
        assert!(matches!(lines[0].value, Value::Win(Some(3))), "{:?}", lines[0]);
        assert!(lines[0].line[0] == "c4" || lines[0].line[0] == "g4", "{:?}", lines[0]);
    }

    #[test]
    fn the_last_stone_is_told_for_the_five_that_it_makes() {
        let lines = told("NNNN0/BNBNB/BNBB0", 1);
        let told: Vec<_> = lines.iter().map(|info| (info.line[0].as_str(), info.value)).collect();
        assert_eq!(told, [("e1", Value::Points(0.0)), ("e3", Value::Loss(Some(2)))]);
    }

    #[test]
    fn in_a_lost_position_a_cell_where_the_opponent_wins_comes_first() {
        // White has four in a row with two free ends: every move loses in two plies.
        let lines = told(
            "000000000/0NN000000/000000000/000000000/00BBBB000/000000000/00000N000/000000N00/000000000",
            1,
        );
        assert!(lines.iter().all(|info| info.value == Value::Loss(Some(2))), "{lines:?}");
        assert!(["b5", "g5"].contains(&lines[0].line[0].as_str()), "{lines:?}");
    }

    #[test]
    fn a_finished_game_has_no_lines() {
        assert_eq!(told("NNNNN000/BBBB0000/00000000", 1), []);
    }

    #[test]
    fn a_stop_is_heard_on_a_large_grid_full_of_stones() {
        let row = |nth: usize| if nth.is_multiple_of(2) { "NB00".repeat(150) } else { "0".repeat(600) };
        let rows: Vec<String> = (0..600).map(row).collect();
        let (mut analyst, stop) = (Analyst::new(Settings::default()), AtomicBool::new(true));
        let position = analyst.read(&rows.join("/")).unwrap();
        let start = std::time::Instant::now();
        analyst.analyse(&position, &mut Listener::new(3, &stop, &mut |_| {}));
        assert!(start.elapsed().as_secs() < 10, "{:?}", start.elapsed());
    }

    #[test]
    fn an_empty_grid_is_looked_at_around_its_middle() {
        let lines = told("0000000/0000000/0000000/0000000/0000000/0000000/0000000", 1);
        assert_eq!(lines.len(), 3);
    }
}
