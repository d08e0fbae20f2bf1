//! Joins rules, evaluation and search: a position and limits in, a move and the reasons for it out.
//!
//! - `heuristics`: Othello for the search, by `ordering`, `horizon` (the last two plies) and `probcut`.
//! - `dispatch`: the searches, compiled for each evaluation function.

mod dispatch;
mod heuristics;
mod horizon;
mod ordering;
mod probcut;

pub use heuristics::OthelloHeuristics;
pub use horizon::NearEquals;
pub use ordering::rank;

use crate::endgame::Goal;
use crate::evaluation::Evaluation;
use crate::evaluation::patterns::Weights;
use crate::rules::{Move, Position};
use dispatch::{Searches, Task};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use search_core::{
    Clock, Control, Depth, Limits, Options, Position as _, Report, Searched, Table, TableCut, memory,
};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The settings of a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// The evaluation function at the depth limit.
    pub evaluation: Evaluation,
    /// Memory for the transposition table; taken from the system as it is used.
    pub table_bytes: usize,
    /// The table entries that cut. At the same depth only, a search never knows more than its depth allows.
    /// `None`: those, or deeper ones too where there is a clock, and no depth that would have to be strict.
    pub table_cut: Option<TableCut>,
    /// True if shallow searches cut deep ones: stronger by the clock, and no longer the value of a plain search.
    /// `None`: where there is a clock, and no depth that would have to be strict.
    pub probcut: Option<bool>,
    /// With so many empty squares or fewer the game is solved to its end, whatever the depth; 0: never.
    pub solve_from: u32,
    /// So many plies from the start are played at random: games that differ.
    pub random_plies: u32,
    /// The seed of those.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            evaluation: Evaluation::default(),
            table_bytes: 64 << 20,
            table_cut: None,
            probcut: None,
            solve_from: 0,
            random_plies: 0,
            seed: 0,
        }
    }
}

/// The search's options: killers and history say less than mobility and the evaluation.
pub const OPTIONS: Options = Options { killers: false, history: false, ..Options::EXACT };

/// The depth that the course's menu begins with.
pub const DEFAULT_DEPTH: Depth = 5;

/// Plays: keeps its table from move to move.
#[derive(Debug)]
pub struct Player {
    settings: Settings,
    searches: &'static dyn Searches,
    table: Option<Table<Move>>,
    /// The cuts of the searches that the table's entries are of.
    cuts: Option<Cuts>,
    random: Xoshiro256PlusPlus,
}

/// The cuts of a search that may change its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Cuts {
    table_cut: TableCut,
    probcut: bool,
}

/// Told of every finished iteration.
pub type Inform<'a> = &'a mut dyn FnMut(&Report<Move>);

impl Player {
    /// A player; its table is taken when it first thinks.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        let searches = dispatch::searches(settings.evaluation);
        let random = Xoshiro256PlusPlus::seed_from_u64(settings.seed);
        Self { settings, searches, table: None, cuts: None, random }
    }

    /// Its settings.
    #[must_use]
    pub fn settings(&self) -> Settings {
        self.settings
    }

    /// Does before the first move with a clock what would be done at its expense: the weights are unpacked.
    pub fn prepare(&self) {
        if self.settings.evaluation == Evaluation::Patterns {
            Weights::embedded().unpack_all();
        }
    }

    /// Forgets the game it played. The table's memory stays, for fresh memory is paid for page by page.
    pub fn new_game(&mut self) {
        if let Some(table) = &mut self.table {
            table.forget();
        }
    }

    /// A move, and why. With a depth limit it looks so many plies ahead, passes counted, and never further.
    pub fn think(&mut self, position: &Position, limits: Limits, clock: &dyn Clock) -> Report<Move> {
        self.think_until(position, limits, clock, None, &mut |_| {})
    }

    /// As [`think`](Self::think), telling of every iteration, until `stop` is set.
    pub fn think_until(
        &mut self,
        position: &Position,
        limits: Limits,
        clock: &dyn Clock,
        stop: Option<&AtomicBool>,
        inform: Inform<'_>,
    ) -> Report<Move> {
        if 60_u32.saturating_sub(position.empties()) < self.settings.random_plies {
            return self.random_move(position);
        }
        self.search(position, limits, clock, stop, inform)
    }

    /// As [`think_until`](Self::think_until), but never plays at random: what the position is worth.
    pub fn search(
        &mut self,
        position: &Position,
        limits: Limits,
        clock: &dyn Clock,
        stop: Option<&AtomicBool>,
        inform: Inform<'_>,
    ) -> Report<Move> {
        let mut control = Control::new(limits, clock);
        if let Some(flag) = stop {
            control = control.with_stop_flag(flag);
        }
        if position.empties() <= self.settings.solve_from && position.outcome().is_none() {
            return self.finish(position, &control, inform);
        }
        // To a given depth, only depths of its own parity are searched: the evaluation sways with whose move is last, and
        // so does the order of moves. By the clock an answer is wanted of every depth.
        let by_depth = limits.depth.is_some() && limits.nodes.is_none() && limits.hard.is_none();
        let step = if by_depth { 2 } else { 1 };
        let Cuts { table_cut, probcut } = self.cuts_within(limits);
        let options = Options { table_cut, step, ..OPTIONS };
        let searches = self.searches;
        let table = self.table_for(limits);
        searches.think(Task { position, table, control: &control }, options, probcut, inform)
    }

    /// Where a depth is asked for it is strict, unless the settings say otherwise.
    fn cuts_within(&self, limits: Limits) -> Cuts {
        let by_clock = limits.depth.is_none() && limits.hard.is_some();
        let usual = if by_clock { TableCut::AtLeast } else { TableCut::SameDepth };
        Cuts {
            table_cut: self.settings.table_cut.unwrap_or(usual),
            probcut: self.settings.probcut.unwrap_or(by_clock),
        }
    }

    /// The table for a search. What searches with other cuts left is forgotten: a strict one would rest on it.
    fn table_for(&mut self, limits: Limits) -> &mut Table<Move> {
        let cuts = Some(self.cuts_within(limits));
        if self.cuts != cuts
            && let Some(table) = &mut self.table
        {
            table.forget();
        }
        self.cuts = cuts;
        let bytes = self.table_bytes_for(limits);
        memory::grown(&mut self.table, bytes)
    }

    /// Memory for a search: what a shallow or short one can fill is enough, and stays in the processor's caches.
    fn table_bytes_for(&self, limits: Limits) -> usize {
        const AT_DEPTH_ZERO: usize = 1 << 9;
        let depth = limits.depth.unwrap_or(Depth::MAX).clamp(0, 23);
        memory::bytes_for(limits, self.settings.table_bytes.min(AT_DEPTH_ZERO << depth))
    }

    /// The exact end of the game; where a limit comes first, what a short search says.
    fn finish(&mut self, position: &Position, control: &Control<'_>, inform: Inform<'_>) -> Report<Move> {
        let bytes = self.table_bytes_for(Limits { depth: None, ..control.limits() });
        let table = memory::grown(&mut self.table, bytes);
        let options = Options { table_cut: TableCut::AtLeast, ..OPTIONS };
        let limits = Limits { depth: Some(FALLBACK_DEPTH), ..control.limits() };
        let clock = ControlClock(control);
        let short = Control::new(limits, &clock);
        let task = Task { position, table, control: &short };
        let report = self.searches.think(task, options, false, &mut *inform);
        control.arm();
        let Ok(solved) = self.solve(position, Goal::Score, control) else { return report };
        let solved = Report { nodes: solved.nodes + report.nodes, ..solved };
        inform(&solved);
        solved
    }

    /// The exact value of the end of the game, the table as it is.
    ///
    /// # Errors
    /// [`Stop`](search_core::Stop) when a limit is reached first.
    pub fn solve(
        &mut self,
        position: &Position,
        goal: Goal,
        control: &Control<'_>,
    ) -> Searched<Report<Move>> {
        let bytes = self.table_bytes_for(Limits { depth: None, ..control.limits() });
        let table = memory::grown(&mut self.table, bytes);
        self.searches.solve(Task { position, table, control }, goal)
    }

    /// Every move with its own score and line, best first. Limits of time are shared out evenly.
    pub fn rank_moves(
        &mut self,
        position: &Position,
        limits: Limits,
        clock: &dyn Clock,
        stop: Option<&AtomicBool>,
    ) -> Vec<Report<Move>> {
        let moves = position.move_list();
        let mut ranked = Vec::with_capacity(moves.len());
        for (nth, &mv) in moves.iter().enumerate() {
            let next = position.after(mv);
            let until = |limit: Duration| limit * (nth as u32 + 1) / moves.len() as u32;
            let limits = Limits {
                depth: limits.depth.map(|depth| depth - 1),
                soft: limits.soft.map(until),
                hard: limits.hard.map(until),
                ..limits
            };
            let mut report = match limits.depth {
                Some(0) if next.outcome().is_none() => {
                    Report { score: self.settings.evaluation.evaluate(&next), nodes: 1, ..Report::empty() }
                }
                // A root is not worth more for a choice: it is there to make it. What it leads to is.
                Some(depth) if depth <= horizon::PLIES && next.outcome().is_none() => {
                    self.value(&next, depth, limits, clock)
                }
                _ => self.search(&next, limits, clock, stop, &mut |_| {}),
            };
            report.score = -report.score;
            report.depth += 1;
            report.best = Some(mv);
            report.principal_variation.insert(0, mv);
            ranked.push(report);
        }
        ranked.sort_by_key(|report| std::cmp::Reverse(report.score));
        ranked
    }

    /// The value of a position inside a search, with so many plies left.
    fn value(
        &mut self,
        position: &Position,
        depth: Depth,
        limits: Limits,
        clock: &dyn Clock,
    ) -> Report<Move> {
        // So few plies end at once.
        let control = Control::new(Limits::default(), clock);
        let searches = self.searches;
        let table = self.table_for(limits);
        searches.value(Task { position, table, control: &control }, depth)
    }

    fn random_move(&mut self, position: &Position) -> Report<Move> {
        let moves = position.move_list();
        let best = (!moves.is_empty()).then(|| moves[self.random.random_range(0..moves.len())]);
        Report { best, ..Report::empty() }
    }
}

/// The depth of the search whose move stands in where no solution comes in time.
const FALLBACK_DEPTH: Depth = 6;

/// The clock behind a control, for a second control of the same move.
struct ControlClock<'a>(&'a Control<'a>);

impl Clock for ControlClock<'_> {
    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shallow_search_touches_little_memory() {
        let player = Player::new(Settings::default());
        let bytes = |limits| player.table_bytes_for(limits);
        assert_eq!(bytes(Limits::default()), 64 << 20);
        assert_eq!(bytes(Limits::depth(5)), 16 << 10);
        let by_time = Limits::time(Duration::from_millis(20));
        assert_eq!(bytes(Limits { depth: Some(60), ..by_time }), 1 << 20);
    }

    #[test]
    fn a_search_without_a_depth_may_fill_the_largest_table() {
        let settings = Settings { table_bytes: 4096 << 20, ..Settings::default() };
        let player = Player::new(settings);
        let bytes = |limits| player.table_bytes_for(limits);
        assert_eq!(bytes(Limits::default()), 4096 << 20);
        assert_eq!([21, 22, 23, 60].map(|depth| bytes(Limits::depth(depth)) >> 20), [1024, 2048, 4096, 4096]);
    }

    #[test]
    fn a_player_that_is_prepared_has_nothing_left_to_unpack() {
        Player::new(Settings { evaluation: Evaluation::Discs, ..Settings::default() }).prepare();
        Player::new(Settings::default()).prepare();
        assert!(Weights::embedded().is_unpacked());
    }

    #[test]
    fn a_table_grows_with_the_time_for_a_move() {
        let mut player = Player::new(Settings::default());
        let mut bytes = |millis| {
            let limits = Limits { nodes: Some(100), ..Limits::time(Duration::from_millis(millis)) };
            let _ = player.think(&Position::START, limits, &search_core::Stopwatch::start());
            player.table.as_ref().map_or(0, Table::bytes)
        };
        let sizes = [20, 5_000, 20].map(&mut bytes);
        assert!(sizes[0] < 2 << 20 && sizes[1] > 60 << 20 && sizes[2] == sizes[1], "{sizes:?}");
    }
}
