//! `SWAP2BOARD`: one player places three stones; the other plays white, takes black (`SWAP`), or places two more and lets
//! the first choose.
//!
//! This engine answers three or five stones by the side that its search prefers, and never places two more.

use super::{CommandError, Game, Stone};
use crate::rules::{Cell, Grid};
use search_core::{Clock, Limits, Stopwatch};

/// Positions that are searched for each opening that is tried.
const TRIED: u64 = 300;
/// Openings that are tried.
const OPENINGS: usize = 24;
/// The largest distance of the third stone from the centre, in cells.
const FAR: usize = 4;

impl Game {
    /// The stones of an opening, the move of white, or `SWAP`.
    pub(super) fn swap2(&mut self, stones: &[Stone], clock: &Stopwatch) -> Result<String, CommandError> {
        match stones.len() {
            0 => self.open(clock),
            3 | 5 => {
                self.set_up(stones)?;
                let report = self.think(self.limits(), clock)?;
                if report.score >= search_core::Score::DRAW {
                    return self.reply(&report);
                }
                let others: Vec<Stone> =
                    stones.iter().map(|stone| Stone { own: !stone.own, ..*stone }).collect();
                self.set_up(&others)?;
                Ok("SWAP".to_owned())
            }
            count => Err(CommandError::Swap2(count)),
        }
    }

    /// Three stones, the third where the search finds the game nearest to level.
    fn open(&mut self, clock: &Stopwatch) -> Result<String, CommandError> {
        let grid = self.grid.as_ref().ok_or(CommandError::NoGame)?;
        let (rows, columns) = (grid.rows(), grid.columns());
        let cells = from_the_middle(grid);
        let [first, second, rest @ ..] = &cells[..] else { return Err(CommandError::Full) };
        let step = rest.len().div_ceil(OPENINGS).max(1);
        let limits = Limits { nodes: Some(TRIED), ..self.limits() };
        let mut best: Option<(i32, Cell)> = None;
        for &third in rest.iter().step_by(step) {
            if best.is_some() && clock.elapsed() > self.allowance() / 2 {
                break;
            }
            let stone = |cell: Cell, own| {
                let at = cell.coordinates(columns);
                Stone { column: at.column, row: at.row, own }
            };
            self.set_up(&[stone(*first, false), stone(*second, true), stone(third, false)])?;
            let score = self.think(limits, clock).map_or(0, |report| report.score.value().abs());
            if best.is_none_or(|(least, _)| score < least) {
                best = Some((score, third));
            }
        }
        // Whose the stones are is the other player's choice, which comes with the next list.
        self.start(rows, columns)?;
        let (_, third) = best.ok_or(CommandError::Full)?;
        let texts = [*first, *second, third].map(|cell| {
            let at = cell.coordinates(columns);
            format!("{},{}", at.column, at.row)
        });
        Ok(texts.join(" "))
    }
}

/// The cells around the middle, the nearest first.
fn from_the_middle(grid: &Grid) -> Vec<Cell> {
    let (row, column) = (grid.rows() / 2, grid.columns() / 2);
    let rows = row.saturating_sub(FAR)..(row + FAR + 1).min(grid.rows());
    let columns = column.saturating_sub(FAR)..(column + FAR + 1).min(grid.columns());
    let mut cells: Vec<(usize, Cell)> = rows
        .flat_map(|at_row| columns.clone().map(move |at_column| (at_row, at_column)))
        .map(|(at_row, at_column)| {
            let away = at_row.abs_diff(row).pow(2) + at_column.abs_diff(column).pow(2);
            (away, Cell::at(at_row, at_column, grid.columns()))
        })
        .collect();
    cells.sort_by_key(|(away, cell)| (*away, cell.index()));
    cells.into_iter().map(|(_, cell)| cell).collect()
}
