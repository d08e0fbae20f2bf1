//! Combines rules, evaluation and search: finds a move for a position within limits.
//!
//! - `hooks`: Othello's hooks for the search, with `ordering`, `horizon` (the last two plies) and `probcut`; `heuristics`
//!   has their state.
//! - `dispatch`: the searches, compiled for each evaluation function.

mod dispatch;
mod heuristics;
mod hooks;
mod horizon;
mod ordering;
mod probcut;

pub use heuristics::{NearEquals, OthelloHeuristics};
pub use ordering::rank;

use crate::endgame::Goal;
use crate::evaluation::Evaluation;
use crate::evaluation::patterns::Weights;
use crate::rules::{Move, Position};
use dispatch::{Searches, Task};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use search_core::{
    Clock, Control, Crew, Depth, Limits, Options, Position as _, Report, Searched, Table, TableCut, memory,
};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The settings of a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// The evaluation function of the leaves.
    pub evaluation: Evaluation,
    /// The size of the transposition table in bytes; memory is taken as it is used.
    pub table_bytes: usize,
    /// The table entries that may cut. With entries of the same depth only, a search never knows more than its depth
    /// allows. `None`: the same depth, but also greater depths in a search by the clock without a depth.
    pub table_cut: Option<TableCut>,
    /// Switches ProbCut on or off. It is stronger by the clock, but the value is no longer that of a plain search.
    /// `None`: on in a search by the clock without a depth.
    pub probcut: Option<bool>,
    /// The number of empty squares from which on the game is solved exactly, whatever the depth; 0: never.
    pub solve_from: u32,
    /// The number of plies at the start of a game that are played at random, so that games differ.
    pub random_plies: u32,
    /// The seed of the random plies.
    pub seed: u64,
    /// The number of threads that search. With more than one, node counts and the choice among equal moves vary.
    pub threads: usize,
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
            threads: 1,
        }
    }
}

/// The search options. Killers and history are off: they predict less than mobility and the evaluation.
pub const OPTIONS: Options = Options { killers: false, history: false, ..Options::EXACT };

/// The depth that the course's menu offers first, in plies.
pub const DEFAULT_DEPTH: Depth = 5;

/// A player that keeps its transposition table from move to move.
#[derive(Debug)]
pub struct Player {
    settings: Settings,
    searches: &'static dyn Searches,
    table: Option<Table<Move>>,
    /// The cuts of the searches that filled the table.
    cuts: Option<Cuts>,
    random: Xoshiro256PlusPlus,
}

/// The cuts that may change the value of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Cuts {
    table_cut: TableCut,
    probcut: bool,
}

/// A callback for every finished iteration.
pub type Inform<'a> = &'a mut dyn FnMut(&Report<Move>);

impl Player {
    /// A new player. Its table is allocated by the first search.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        let searches = dispatch::searches(settings.evaluation);
        let random = Xoshiro256PlusPlus::seed_from_u64(settings.seed);
        Self { settings, searches, table: None, cuts: None, random }
    }

    /// The settings it was made with.
    #[must_use]
    pub fn settings(&self) -> Settings {
        self.settings
    }

    /// Unpacks the weights, so that this does not count against the clock of the first move.
    pub fn prepare(&self) {
        if self.settings.evaluation == Evaluation::Patterns {
            Weights::embedded().unpack_all();
        }
    }

    /// Clears the table and keeps its memory: fresh memory would cost a page fault per page.
    pub fn new_game(&mut self) {
        if let Some(table) = &mut self.table {
            table.forget();
        }
    }

    /// Finds a move. A depth limit is strict: no line is searched deeper, passes counted.
    pub fn think(&mut self, position: &Position, limits: Limits, clock: &dyn Clock) -> Report<Move> {
        self.think_until(position, limits, clock, None, &mut |_| {})
    }

    /// As [`think`](Self::think), with a callback for every iteration, until `stop` is set.
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

    /// As [`think_until`](Self::think_until), but never plays at random.
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
        // A search to a depth iterates over depths of the same parity only: values and move orders alternate with the
        // side that moves last (odd–even effect). By the clock, every depth may be the last.
        let by_depth = limits.depth.is_some() && limits.nodes.is_none() && limits.hard.is_none();
        let step = if by_depth { 2 } else { 1 };
        let Cuts { table_cut, probcut } = self.cuts_within(limits);
        let options = Options { table_cut, step, ..OPTIONS };
        let searches = self.searches;
        let crew = &self.crew();
        let table = self.table_for(limits);
        searches.think(Task { position, table, control: &control, crew }, options, probcut, inform)
    }

    fn crew(&self) -> Crew {
        Crew::new(self.settings.threads)
    }

    /// The cuts for these limits: none that break a strict depth, unless the settings say so.
    fn cuts_within(&self, limits: Limits) -> Cuts {
        let by_clock = limits.depth.is_none() && limits.hard.is_some();
        let usual = if by_clock { TableCut::AtLeast } else { TableCut::SameDepth };
        Cuts {
            table_cut: self.settings.table_cut.unwrap_or(usual),
            probcut: self.settings.probcut.unwrap_or(by_clock),
        }
    }

    /// The table for a search. Entries of searches with other cuts are cleared, since a strict search must not rely on
    /// them.
    fn table_for(&mut self, limits: Limits) -> &mut Table<Move> {
        let cuts = Some(self.cuts_within(limits));
        if self.cuts != cuts
            && let Some(table) = &mut self.table
        {
            table.forget();
        }
        self.cuts = cuts;
        let bytes = self.table_bytes_for(limits);
        Table::grown(&mut self.table, bytes)
    }

    /// The table size for these limits, in bytes: no more than the search can fill, so that it stays in the processor's
    /// caches.
    fn table_bytes_for(&self, limits: Limits) -> usize {
        const AT_DEPTH_ZERO: usize = 1 << 9;
        let depth = limits.depth.unwrap_or(Depth::MAX).clamp(0, 23);
        memory::bytes_for(limits, self.settings.table_bytes.min(AT_DEPTH_ZERO.saturating_mul(1 << depth)))
    }

    /// Solves the rest of the game exactly; falls back to a short search if a limit comes first.
    fn finish(&mut self, position: &Position, control: &Control<'_>, inform: Inform<'_>) -> Report<Move> {
        let bytes = self.table_bytes_for(Limits { depth: None, ..control.limits() });
        let crew = &self.crew();
        let table = Table::grown(&mut self.table, bytes);
        let options = Options { table_cut: TableCut::AtLeast, ..OPTIONS };
        let limits = Limits { depth: Some(FALLBACK_DEPTH), ..control.limits() };
        let clock = ControlClock(control);
        let short = Control::new(limits, &clock);
        let task = Task { position, table, control: &short, crew };
        let report = self.searches.think(task, options, false, &mut *inform);
        control.arm();
        let Ok(solved) = self.solve(position, Goal::Score, control) else { return report };
        let solved = Report { nodes: solved.nodes + report.nodes, ..solved };
        inform(&solved);
        solved
    }

    /// Solves the rest of the game exactly, without clearing the table.
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
        let crew = &self.crew();
        let table = Table::grown(&mut self.table, bytes);
        self.searches.solve(Task { position, table, control, crew }, goal)
    }

    /// Ranks all moves by score, best first, with their lines. Time limits are shared evenly among the moves.
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
                // A root takes its best move's score; only inner nodes use the M & N backup. After the move, this is an
                // inner node.
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

    /// The value of a position as an inner node of a search, `depth` plies before the horizon.
    fn value(
        &mut self,
        position: &Position,
        depth: Depth,
        limits: Limits,
        clock: &dyn Clock,
    ) -> Report<Move> {
        // Without limits: the depth is so small that the search ends at once.
        let control = Control::new(Limits::default(), clock);
        let searches = self.searches;
        let crew = &Crew::new(1);
        let table = self.table_for(limits);
        searches.value(Task { position, table, control: &control, crew }, depth)
    }

    fn random_move(&mut self, position: &Position) -> Report<Move> {
        let moves = position.move_list();
        let best = (!moves.is_empty()).then(|| moves[self.random.random_range(0..moves.len())]);
        Report { best, ..Report::empty() }
    }
}

/// The depth of the fallback search when no solution comes in time, in plies.
const FALLBACK_DEPTH: Depth = 6;

/// The clock of a control, for a second control of the same move.
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
