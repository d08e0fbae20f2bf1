//! From limits to a move: what is decided at a glance, then the four-search, then alpha-beta with a search for continuous
//! threats beside it.

mod alpha_beta;
mod candidates;
mod four_search;
mod history;
mod threat_search;
mod verdict;

use alpha_beta::AlphaBeta;

pub use four_search::{FourSearch, FourWin};
pub use threat_search::{ThreatSearch, ThreatWin};

use crate::evaluation::Evaluation;
use crate::patterns::Patterns;
use crate::rules::{Cell, Grid, Position};
use search_core::{Clock, Control, Limits, Line, Outcome, Position as _, Report, Score, Stopwatch, Table};
use std::time::Duration;

/// What makes one player different from another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// How positions are judged.
    pub evaluation: Evaluation,
    /// Bytes of the transposition table.
    pub table_bytes: usize,
    /// Whether what one search has found serves the next one. The course asks that nothing is kept between requests.
    pub keep_table: bool,
    /// So many positions stand for a millisecond, in place of the clock.
    pub nodes_per_milli: Option<u64>,
}

impl Settings {
    /// What a move may use of the time for it.
    pub fn limits(self, time: Duration) -> Limits {
        match self.nodes_per_milli {
            None => Limits::time(time),
            Some(nodes) => Limits::nodes(nodes.saturating_mul(time.as_millis() as u64)),
        }
    }
}

impl Default for Settings {
    /// What the course gets.
    fn default() -> Self {
        Self {
            evaluation: Evaluation::default(),
            table_bytes: 64 << 20,
            keep_table: false,
            nodes_per_milli: None,
        }
    }
}

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

/// The time before a search from `grid` can begin.
pub fn set_up_time(grid: &Grid) -> Duration {
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

/// Positions that the four-search may visit before the main search begins.
const ROOT_FOUR_NODES: u64 = 200_000;

/// A player. Its memory is kept from one move to the next; what stands in it only if the settings say so.
#[derive(Debug, Default)]
pub struct Player {
    settings: Settings,
    /// Nothing until the first search.
    table: Option<Table<Cell>>,
    /// As the table, a sixteenth of its size.
    threats: Option<ThreatSearch>,
}

impl Player {
    /// A player with these settings.
    pub fn new(settings: Settings) -> Self {
        Self { settings, table: None, threats: None }
    }

    /// The settings.
    pub fn settings(&self) -> Settings {
        self.settings
    }

    /// Builds what the first answer would wait for.
    pub fn prepare(&mut self) {
        let grid = Grid::new(5, 5).expect("a size");
        let clock = Stopwatch::start();
        self.think(&Position::from_grid(&grid), Limits::nodes(1), &clock);
    }

    /// The move to play within `limits`; [`Report::best`] is `None` only when no cell is free.
    ///
    /// On a grid that is already won any good move is given.
    pub fn think(&mut self, position: &Position, limits: Limits, clock: &dyn Clock) -> Report<Cell> {
        self.think_aloud(position, limits, clock, &mut |_| {})
    }

    /// As [`think`](Self::think), telling `inform` of every finished iteration.
    pub fn think_aloud(
        &mut self,
        position: &Position,
        limits: Limits,
        clock: &dyn Clock,
        inform: &mut dyn FnMut(&Report<Cell>),
    ) -> Report<Cell> {
        if position.free() == 0 {
            return Report { proven: true, ..Report::empty() };
        }
        let mut patterns = Patterns::new(position, self.settings.evaluation.weights());
        if let Some(report) = at_a_glance(position, &patterns) {
            return Report { elapsed: clock.elapsed(), ..report };
        }
        let control = Control::new(limits, clock);
        control.arm();
        let mut four_search = FourSearch::new();
        let mut start = position.clone();
        let found = four_search.prove(&mut start, &mut patterns, &control, ROOT_FOUR_NODES);
        if let Some(win) = found {
            let score = Score::win_in(win.plies);
            let report = decided(win.line, score, true);
            return Report { elapsed: clock.elapsed(), nodes: control.nodes(), ..report };
        }
        let fallback = best_looking(position, &patterns);
        // Nothing is gained by time left over, and an iteration that is broken off may have found something better.
        let control = Control::new(Limits { soft: limits.hard, ..limits }, clock);
        // There is an answer already: even the first iteration, long on a large grid, may be broken off.
        control.arm();
        let table = self.table.get_or_insert_with(|| Table::with_bytes(self.settings.table_bytes));
        let threats = self.threats.get_or_insert_with(|| ThreatSearch::new(self.settings.table_bytes / 16));
        if !self.settings.keep_table {
            table.forget();
            threats.forget();
        }
        let report = AlphaBeta::new(start, patterns, table, threats, &control).think(inform);
        Report { best: report.best.or(Some(fallback)), ..report }
    }
}

/// The move where one look at the patterns decides.
fn at_a_glance(position: &Position, patterns: &Patterns) -> Option<Report<Cell>> {
    let mover = position.mover();
    let other = mover.other();
    let one = |cell| [cell].into_iter().collect::<Line<Cell>>();
    if position.outcome().is_some() || position.free() == 1 || patterns.is_dead() {
        let score = match position.outcome() {
            Some(outcome @ (Outcome::Loss | Outcome::Win)) => Score::of_outcome(outcome, 0),
            _ => Score::DRAW,
        };
        return Some(decided(one(best_looking(position, patterns)), score, true));
    }
    if let Some(five) = patterns.fives(mover).first() {
        return Some(decided(one(five), Score::win_in(1), true));
    }
    if let Some(five) = patterns.fives(other).first() {
        // Nothing else can be played, and a second five cannot be stopped.
        let lost = patterns.fives(other).len() > 1;
        return Some(decided(one(five), if lost { Score::loss_in(2) } else { Score::DRAW }, lost));
    }
    if let Some(four) = patterns.open_fours(mover).first() {
        return Some(decided(one(four), Score::win_in(3), true));
    }
    if patterns.candidates().next().is_none() {
        return Some(decided(one(best_looking(position, patterns)), Score::DRAW, false));
    }
    None
}

fn decided(line: Line<Cell>, score: Score, proven: bool) -> Report<Cell> {
    Report { best: line.first().copied(), score, principal_variation: line, proven, ..Report::empty() }
}

/// The free cell that is worth most to both colours together, the nearest to the middle among equals.
fn best_looking(position: &Position, patterns: &Patterns) -> Cell {
    let (rows, columns) = (position.geometry().rows(), position.geometry().columns());
    let mover = position.mover();
    let rank = |cell: Cell| {
        let at = cell.coordinates(columns);
        let distance = (2 * at.row + 1).abs_diff(rows) + (2 * at.column + 1).abs_diff(columns);
        (patterns.promise(cell, mover), std::cmp::Reverse(distance), std::cmp::Reverse(cell))
    };
    let free = position.cells().filter(|&cell| position.is_free(cell));
    free.max_by_key(|&cell| rank(cell)).expect("a cell is free")
}
