//! The player: static win and loss rules, then a VCF search (victory by continuous fours), then alpha-beta with an
//! interleaved VCT search (victory by continuous threats).

mod candidates;
mod heuristics;
mod margins;
mod static_result;
mod vcf;
mod vct;
mod vct_probe;

use heuristics::{Heuristics, Search};
use static_result::StaticResult;
use vct_probe::VctProbe;

pub use vcf::{VcfSearch, VcfWin};
pub use vct::{VctSearch, VctWin};

use crate::evaluation::Evaluation;
use crate::patterns::Patterns;
use crate::rules::{Cell, Color, Grid, Position};
use search_core::{
    Clock, Control, Crew, Limits, Line, Options, Outcome, Position as _, Report, Score, Stopwatch, Table,
    memory,
};
use std::time::Duration;

/// A player's settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// The evaluation function.
    pub evaluation: Evaluation,
    /// Size of the transposition table in bytes.
    pub table_bytes: usize,
    /// True if the table is kept between searches, and the only move against a five is searched too, for its value and the
    /// next search. The course asks that nothing is kept between requests.
    pub keep_table: bool,
    /// The number of positions that stands for a millisecond, in place of the clock.
    pub nodes_per_milli: Option<u64>,
    /// The number of threads that search. With more than one, the same position may get another of its equal moves.
    pub threads: usize,
}

impl Settings {
    /// Returns the search limits for a move with this time.
    #[must_use]
    pub fn limits(self, time: Duration) -> Limits {
        match self.nodes_per_milli {
            None => Limits::time(time),
            Some(nodes) => Limits::nodes(nodes.saturating_mul(time.as_millis() as u64)),
        }
    }

    /// Returns the table size in bytes for a search with these limits. A kept table has its full size, because many
    /// searches fill it.
    fn table_bytes_for(self, limits: Limits) -> usize {
        if self.keep_table { self.table_bytes } else { memory::bytes_for(limits, self.table_bytes) }
    }
}

impl Default for Settings {
    /// The settings for the course.
    fn default() -> Self {
        Self {
            evaluation: Evaluation::default(),
            table_bytes: 64 << 20,
            keep_table: false,
            nodes_per_milli: None,
            threads: 1,
        }
    }
}

/// The options of the main search.
const OPTIONS: Options = Options { aspiration: Some(margins::ASPIRATION), ..Options::STRONG };
/// Maximum number of positions in the VCF search before the main search.
const ROOT_VCF_NODES: u64 = 200_000;

/// A player. It keeps its memory between moves, and the contents only if the settings say so.
#[derive(Debug, Default)]
pub struct Player {
    settings: Settings,
    /// Size of the table in bytes.
    bytes: usize,
    /// Allocated at the first search.
    table: Option<Table<Cell>>,
    /// Allocated with the table, at a sixteenth of its size.
    threats: Option<VctSearch>,
}

impl Player {
    /// Creates a player.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        Self { settings, bytes: 0, table: None, threats: None }
    }

    /// Returns the settings.
    #[must_use]
    pub fn settings(&self) -> Settings {
        self.settings
    }

    /// Builds tables and allocates memory, so that the first answer is not delayed.
    pub fn prepare(&mut self) {
        let mut grid = Grid::new(5, 5).expect("a size");
        // An empty grid is answered without a search, so a stone is needed.
        grid.set(Cell::at(2, 2, 5), Some(Color::Black));
        let clock = Stopwatch::start();
        let limits = Limits { nodes: Some(1), ..Limits::time(Duration::ZERO) };
        self.think(&Position::from_grid(&grid), limits, &clock);
        if self.settings.keep_table {
            // Touches all of a kept table now rather than during the first move.
            self.make_room(Limits::default()).0.clear();
        }
    }

    /// Returns the tables, at least as large as a search with these limits needs.
    fn make_room(&mut self, limits: Limits) -> (&mut Table<Cell>, &mut Option<VctSearch>) {
        let bytes = self.settings.table_bytes_for(limits);
        if self.bytes < bytes {
            *self = Self { bytes, ..Self::new(self.settings) };
        }
        (self.table.get_or_insert_with(|| Table::in_large_pages(self.bytes)), &mut self.threats)
    }

    /// Returns the move to play within `limits`. [`Report::best`] is `None` only if no cell is free.
    ///
    /// On a grid that is already won it returns any good move.
    pub fn think(&mut self, position: &Position, limits: Limits, clock: &dyn Clock) -> Report<Cell> {
        self.think_aloud(position, limits, clock, &mut |_| {})
    }

    /// Like [`think`](Self::think), and calls `inform` after each finished iteration.
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
        if let Some(report) = by_static_rules(position, &patterns, self.settings.keep_table) {
            return Report { elapsed: clock.elapsed(), ..report };
        }
        let control = Control::new(limits, clock);
        control.arm();
        let mut vcf = VcfSearch::new();
        let mut start = position.clone();
        let found = vcf.prove(&mut start, &mut patterns, &control, ROOT_VCF_NODES);
        if let Some(win) = found {
            let score = Score::win_in(win.plies);
            let report = decided(win.line, score, true);
            return Report { elapsed: clock.elapsed(), nodes: control.nodes(), ..report };
        }
        let fallback = patterns.highest_scored(position);
        // Unused time has no value here, and even an interrupted iteration may have found a better move.
        let control = Control::new(Limits { soft: limits.hard, ..limits }, clock);
        // An answer exists already, so even the first iteration, long on a large grid, may be interrupted.
        control.arm();
        let settings = self.settings;
        let (table, threats) = self.make_room(limits);
        let threats_bytes = settings.table_bytes_for(limits) / 16;
        let threats = threats.get_or_insert_with(|| VctSearch::new(patterns.clone(), threats_bytes));
        threats.set(patterns.clone());
        if !settings.keep_table {
            table.forget();
            threats.forget();
        }
        let probe = VctProbe::new(threats, start.clone());
        let network = settings.evaluation.network(&start);
        let (crew, root) = (Crew::new(settings.threads), start.clone());
        let helper = || Heuristics::of_helper(patterns.clone(), settings.evaluation.network(&root));
        let heuristics = Heuristics::new(patterns.clone(), network, Some(probe));
        let mut search = Search::new(heuristics, start, table, &control, OPTIONS);
        let report = search.think_with(&crew, helper, inform);
        let won = search.heuristics.probe.and_then(|probe| probe.won);
        if let Some(win) = won {
            let report = decided(win.line, Score::win_in(win.plies), true);
            return Report { elapsed: clock.elapsed(), nodes: control.nodes(), ..report };
        }
        Report { best: report.best.or(Some(fallback)), ..report }
    }
}

/// Returns the move that the static rules decide. The only move against a five may be `searched` instead.
fn by_static_rules(position: &Position, patterns: &Patterns, searched: bool) -> Option<Report<Cell>> {
    let mover = position.mover();
    let one = |cell| [cell].into_iter().collect::<Line<Cell>>();
    // The last free cell may still make five.
    let is_last = position.free() == 1 && patterns.fives(mover).is_empty();
    if position.outcome().is_some() || is_last || patterns.is_dead() {
        let score = match position.outcome() {
            Some(outcome @ (Outcome::Loss | Outcome::Win)) => Score::of_outcome(outcome, 0),
            _ => Score::DRAW,
        };
        return Some(decided(one(patterns.highest_scored(position)), score, true));
    }
    let found = StaticResult::at(patterns, mover);
    match found {
        StaticResult::Forced(_) if searched => None,
        StaticResult::Win(cell, _) | StaticResult::Lost(cell) | StaticResult::Forced(cell) => {
            let score = found.score(0);
            Some(decided(one(cell), score.unwrap_or(Score::DRAW), score.is_some()))
        }
        StaticResult::Open if patterns.candidates().next().is_none() => {
            Some(decided(one(patterns.highest_scored(position)), Score::DRAW, false))
        }
        StaticResult::Open => None,
    }
}

fn decided(line: Line<Cell>, score: Score, proven: bool) -> Report<Cell> {
    Report { best: line.first().copied(), score, principal_variation: line, proven, ..Report::empty() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kept_table_has_its_full_size() {
        let short = Limits::time(Duration::from_millis(200));
        let bytes = |keep_table| Settings { keep_table, ..Settings::default() }.table_bytes_for(short);
        assert_eq!([false, true].map(bytes), [8 << 20, 64 << 20]);
    }

    #[test]
    fn a_move_against_a_five_is_valued_where_the_table_is_kept() {
        // Black's four on the left, and its open three on the right.
        let mut grid = Grid::new(9, 9).unwrap();
        for (row, column) in [(0, 1), (0, 2), (0, 3), (0, 4), (4, 3), (4, 4), (4, 5)] {
            grid.set(Cell::at(row, column, 9), Some(Color::Black));
        }
        for (row, column) in [(0, 0), (8, 0), (8, 8), (6, 1), (7, 4), (2, 8)] {
            grid.set(Cell::at(row, column, 9), Some(Color::White));
        }
        let position = Position::from_grid(&grid);
        let [at_once, searched] = [false, true].map(|keep_table| {
            let mut player = Player::new(Settings { keep_table, ..Settings::default() });
            player.think(&position, Limits::nodes(10_000), &Stopwatch::start())
        });
        assert_eq!([at_once.best, searched.best], [Some(Cell::at(0, 5, 9)); 2]);
        assert_eq!((at_once.nodes, at_once.proven), (0, false));
        assert!(searched.score.is_loss() && searched.proven, "{searched:?}");
    }

    #[test]
    fn the_first_answer_finds_its_searches_built() {
        let mut player = Player::default();
        player.prepare();
        assert!(player.table.is_some() && player.threats.is_some());
    }

    #[test]
    fn a_table_grows_with_the_time_for_a_move() {
        let mut position = Position::from_grid(&Grid::new(7, 7).unwrap());
        position.play(Cell::at(3, 3, 7));
        let mut player = Player::default();
        let mut bytes = |limits| {
            let limits = Limits { nodes: Some(100), ..limits };
            player.think(&position, limits, &Stopwatch::start());
            player.table.as_ref().map(Table::bytes).unwrap_or_default()
        };
        let [short, long] = [20, 5_000].map(|millis| Limits::time(Duration::from_millis(millis)));
        let sizes = [bytes(short), bytes(long), bytes(short)];
        assert!(sizes[0] < 2 << 20 && sizes[1] > 60 << 20 && sizes[2] == sizes[1], "{sizes:?}");
    }
}
