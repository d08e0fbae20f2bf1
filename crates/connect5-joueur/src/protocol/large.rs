//! Large grids: what they cost before a search begins, and the answer where there is no time for that.

use crate::rules::{Cell, Grid};
use search_core::{Limits, Report};
use std::time::Duration;

/// Bytes that a search needs for each cell of a large grid, its table aside.
const BYTES_PER_CELL: usize = 100;
/// Time to set up a cell of a large grid, on a processor that others use too.
const TIME_PER_CELL: Duration = Duration::from_nanos(400);
/// Grids of so many cells are not large: they take neither time nor memory to speak of.
const SMALL: usize = 2_500;

/// The memory that a search from `grid` needs, its table aside.
pub fn position_bytes(grid: &Grid) -> usize {
    let cells = grid.rows() * grid.columns();
    if cells <= SMALL { 0 } else { BYTES_PER_CELL * cells }
}

/// Returns whether a search from `grid` within these limits would end before it begins.
pub fn is_hurried(grid: &Grid, limits: Limits) -> bool {
    limits.hard.is_some_and(|hard| set_up_time(grid) > hard)
}

/// The time before a search from `grid` can begin.
fn set_up_time(grid: &Grid) -> Duration {
    let cells = grid.rows() * grid.columns();
    if cells <= SMALL { Duration::ZERO } else { TIME_PER_CELL * cells as u32 }
}

/// An answer without a search, where there is no time to set one up: a free cell beside a stone, or else the first
/// free one from the middle on.
pub fn hasty(grid: &Grid) -> Report<Cell> {
    let (rows, columns) = (grid.rows(), grid.columns());
    let is_free = |&cell: &Cell| grid.stone(cell).is_none();
    let beside = |stone: Cell| {
        let at = stone.coordinates(columns);
        let rows = at.row.saturating_sub(1)..(at.row + 2).min(rows);
        let columns_around = at.column.saturating_sub(1)..(at.column + 2).min(columns);
        rows.flat_map(move |row| columns_around.clone().map(move |column| Cell::at(row, column, columns)))
            .find(is_free)
    };
    let best = grid.stones().find_map(beside).or_else(|| {
        let cells = rows * columns;
        let middle = Cell::at(rows / 2, columns / 2, columns).index();
        (middle..cells).chain(0..middle).map(Cell::new).find(is_free)
    });
    Report { best, principal_variation: best.into_iter().collect(), ..Report::empty() }
}
