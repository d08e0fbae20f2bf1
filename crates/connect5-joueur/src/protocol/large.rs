//! Large grids: their set-up time, and a quick answer when time is short.

use crate::rules::{Cell, Grid};
use search_core::{Limits, Report};
use std::time::Duration;

/// Time to set up each cell of a large grid, on a shared processor.
const TIME_PER_CELL: Duration = Duration::from_nanos(400);
/// Maximum number of cells of a grid whose time and memory are negligible.
pub(super) const SMALL: usize = 2_500;

/// Returns true if the set-up of a search from `grid` would use up these limits.
pub fn is_hurried(grid: &Grid, limits: Limits) -> bool {
    limits.hard.is_some_and(|hard| set_up_time(grid) > hard)
}

/// Returns the time to set up a search from `grid`.
fn set_up_time(grid: &Grid) -> Duration {
    let cells = grid.rows() * grid.columns();
    if cells <= SMALL { Duration::ZERO } else { TIME_PER_CELL * cells as u32 }
}

/// Returns an answer without a search: a free cell next to a stone, or else the first free one from the middle on.
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
