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
use crate::rules::{Cell, Position};
use search_core::{Clock, Control, Limits, Line, Outcome, Position as _, Report, Score, Table};

/// What makes one player different from another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// How positions are judged.
    pub evaluation: Evaluation,
    /// Bytes of the transposition table.
    pub table_bytes: usize,
}

impl Default for Settings {
    /// What the course gets.
    fn default() -> Self {
        Self { evaluation: Evaluation::default(), table_bytes: 64 << 20 }
    }
}

/// Positions that the four-search may visit before the main search begins.
const ROOT_FOUR_NODES: u64 = 200_000;

/// A player. Between two moves it remembers what its table holds, which is as true of the next position as of the last.
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
