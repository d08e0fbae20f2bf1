//! The player: joins rules, evaluation and search-core.
//!
//! - [`Player`]: solves the position if it can, and searches otherwise.
//! - [`Solver`]: exact results by df-pn.
//! - [`Evaluator`]: an evaluation function for the Monte-Carlo tree search.
//! - [`UtttHeuristics`]: an evaluation function for alpha-beta.

mod classes;
mod ending;
mod evaluator;
mod heuristics;
mod order;
mod proof_numbers;
mod solver;

pub use evaluator::Evaluator;
pub use heuristics::UtttHeuristics;
pub use solver::{Solved, Solver};

use crate::evaluation::Evaluation;
use crate::rules::{Boards, Cell, State};
use search_core::monte_carlo::{Configuration, MonteCarlo, flat};
use search_core::{Clock, Control, Crew, Limits, Options, Position, Report, Score, Search, Table, memory};
use std::time::Duration;

/// The search method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Method {
    /// Monte-Carlo tree search guided by the evaluation; proof-number search solves the end of the game.
    #[default]
    MonteCarlo,
    /// Iterative-deepening alpha-beta with the evaluation at the leaves.
    AlphaBeta,
    /// A thousand random games for each move, as in the assignment's appendix; no evaluation and no tree.
    Playouts,
}

wire::named!(Method, "search": MonteCarlo = "monte-carlo", AlphaBeta = "alpha-beta", Playouts = "playouts");

/// A player's settings. The default is what the course receives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// The search method.
    pub method: Method,
    /// The evaluation function.
    pub evaluation: Evaluation,
    /// Memory for a search in bytes: three quarters for the tree or the transposition table, the rest for proofs. The
    /// system provides it as it is used.
    pub table_bytes: usize,
    /// Seed of the random playouts.
    pub seed: u64,
    /// Threads of a search. A course's game is played on one; more are for analysis.
    pub threads: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            method: Method::default(),
            evaluation: Evaluation::default(),
            table_bytes: 384 << 20,
            seed: 1,
            threads: 1,
        }
    }
}

/// The configuration of the Monte-Carlo tree search.
pub const CONFIGURATION: Configuration = Configuration { exploration: 0.6, best_line: 0.5 };

/// The plies of the longest game: a proven result at an unknown distance.
const MOST_PLIES: usize = 81;

/// Random games a move, as in the assignment's appendix.
const SAMPLES: u32 = 1000;

/// A callback that receives reports of a running search.
pub type Inform<'a> = &'a mut dyn FnMut(&Report<Cell>);

/// A player. It keeps its tree and its proofs from one move to the next.
#[derive(Debug)]
pub struct Player {
    settings: Settings,
    table: Option<Table<Cell>>,
    solver: Option<Solver>,
    tree: Option<Tree>,
}

/// A search tree and the position at its root.
#[derive(Debug)]
struct Tree {
    search: MonteCarlo<Evaluator>,
    root: State,
}

impl Player {
    /// A player with an empty tree and no proofs.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        Self { settings, table: None, solver: None, tree: None }
    }

    /// Returns the best move found within the limits, with its report; no move where the game is over. A depth limit
    /// selects alpha-beta whatever the settings say, because a Monte-Carlo tree has no depth.
    pub fn think(&mut self, state: &State, limits: Limits, clock: &dyn Clock) -> Report<Cell> {
        self.think_aloud(state, limits, clock, &mut |_| {})
    }

    /// Like [`think`](Self::think), and reports to `inform` after each iteration, or each time the tree has doubled.
    pub fn think_aloud(
        &mut self,
        state: &State,
        limits: Limits,
        clock: &dyn Clock,
        inform: Inform<'_>,
    ) -> Report<Cell> {
        let method = if limits.depth.is_some() { Method::AlphaBeta } else { self.settings.method };
        match method {
            Method::MonteCarlo => self.grow(state, limits, clock, inform),
            Method::AlphaBeta => self.deepen(state, limits, clock, inform),
            Method::Playouts => flat(state, SAMPLES, self.settings.seed, &Control::new(limits, clock)),
        }
    }

    fn deepen(
        &mut self,
        state: &State,
        limits: Limits,
        clock: &dyn Clock,
        inform: Inform<'_>,
    ) -> Report<Cell> {
        let control = Control::new(limits, clock);
        let bytes = self.settings.table_bytes / 4 * 3;
        let table = self.table.get_or_insert_with(|| Table::with_bytes(bytes));
        let heuristics = UtttHeuristics { evaluation: self.settings.evaluation };
        let crew = Crew::new(self.settings.threads);
        let mut search = Search::new(heuristics, *state, table, &control, Options::STRONG);
        search.think_with(&crew, || heuristics, inform)
    }

    fn grow(&mut self, state: &State, limits: Limits, clock: &dyn Clock, inform: Inform<'_>) -> Report<Cell> {
        let is_late = solving_share(state).is_some();
        if let Some(report) = self.solve(state, limits, clock) {
            return report;
        }
        let (evaluation, bytes) = (self.settings.evaluation, self.settings.table_bytes / 4 * 3);
        let tree = self.tree.get_or_insert_with(|| Tree {
            search: MonteCarlo::new(Evaluator::new(evaluation), CONFIGURATION, bytes),
            root: *state,
        });
        tree.move_to(state);
        let solver = self.solver.as_mut().filter(|_| is_late);
        if let Some(solver) = &solver {
            for cell in state.move_list() {
                if let Some(outcome) = solver.known_after(state, cell) {
                    tree.search.settle(state, cell, Score::of_outcome(outcome, MOST_PLIES));
                }
            }
        }
        // The tree always grows until it has a move, whatever the limits.
        let most = if is_late { without_check(limits, clock.elapsed()) } else { limits };
        let control = Control::new(most, clock);
        let crew = Crew::new(self.settings.threads);
        let report = tree.search.go_on_with(state, &control, &crew, |_| Evaluator::new(evaluation), inform);
        match solver {
            Some(solver) if !report.proven => tree.checked(report, solver, limits, &control, clock),
            _ => report,
        }
    }

    /// The solver, with no more memory than proofs fill within the limits. A smaller solver is replaced by an empty
    /// one.
    fn solver_for(&mut self, limits: Limits) -> &mut Solver {
        /// Proofs are useful for this many moves.
        const MOVES: usize = 4;
        let most = self.settings.table_bytes / 4;
        let bytes = (MOVES * memory::bytes_for(limits, most)).min(most);
        let solver = self.solver.take().filter(|solver| solver.bytes() >= bytes);
        self.solver.insert(solver.unwrap_or_else(|| Solver::new(bytes)))
    }

    /// Tries to solve the position with a share of the limits, if it is late enough in the game.
    fn solve(&mut self, state: &State, limits: Limits, clock: &dyn Clock) -> Option<Report<Cell>> {
        let share = solving_share(state)?;
        let now = clock.elapsed();
        let part = |hard: Duration| now + hard.saturating_sub(now).mul_f64(share);
        let some = Limits {
            hard: limits.hard.map(part),
            nodes: limits.nodes.map(|nodes| (nodes as f64 * share) as u64),
            ..Limits::default()
        };
        let control = Control::new(some, clock);
        control.arm();
        let solver = self.solver_for(limits);
        let solution = solver.outcome(state, u64::MAX, &control);
        solution.outcome()?;
        let rest = Control::new(Limits { depth: None, soft: None, ..limits }, clock);
        rest.arm();
        let solved = solver.line(state, solution, &rest);
        let score = solved.score()?;
        // The proof of a draw may since have been replaced in the table: then the tree chooses the move.
        let best = *solved.line.first()?;
        Some(Report {
            best: Some(best),
            score,
            depth: solved.line.len() as i32,
            nodes: control.nodes() + rest.nodes(),
            elapsed: clock.elapsed(),
            principal_variation: solved.line,
            proven: true,
        })
    }
}

impl Tree {
    /// Replaces the move of `report` while the solver proves that it loses, in the time that [`without_check`] leaves.
    fn checked(
        &mut self,
        mut report: Report<Cell>,
        solver: &mut Solver,
        limits: Limits,
        grown: &Control<'_>,
        clock: &dyn Clock,
    ) -> Report<Cell> {
        let nodes = limits.nodes.map(|nodes| (nodes as f64 * CHECK) as u64);
        let control = Control::new(Limits { nodes, ..limits }, clock);
        control.arm();
        while !report.proven
            && let Some(best) = report.best
            && solver.refutes(&self.root, best, &control)
        {
            self.search.settle(&self.root, best, Score::loss_in(MOST_PLIES));
            report = self.search.report(grown);
        }
        Report { nodes: grown.nodes() + control.nodes(), elapsed: clock.elapsed(), ..report }
    }

    /// Keeps the subtree of `state` if `state` follows the root by one or two moves; otherwise starts a new tree.
    fn move_to(&mut self, state: &State) {
        let before = std::mem::replace(&mut self.root, *state);
        let Some(moves) = between(&before, state) else {
            self.search.forget();
            return;
        };
        for cell in moves {
            if !self.search.advance(cell) {
                return;
            }
        }
    }
}

/// The moves from `before` to `after`, if there are at most two; an empty list if the positions are the same.
fn between(before: &State, after: &State) -> Option<Vec<Cell>> {
    if before == after {
        return Some(Vec::new());
    }
    // Cells taken in between: the last one played is known, and the other is the reply before it.
    let (last, mut moves) = (after.last()?, Vec::new());
    let taken: Vec<Cell> = (0..Cell::COUNT)
        .filter_map(Cell::new)
        .filter(|&cell| before.at(cell).is_none() && after.at(cell).is_some())
        .collect();
    if taken.len() > 2 {
        return None;
    }
    moves.extend(taken.iter().copied().filter(|&cell| cell != last));
    moves.extend(taken.iter().copied().filter(|&cell| cell == last));
    let mut position = *before;
    for &cell in &moves {
        if !position.is_legal(cell) {
            return None;
        }
        position.play(cell);
    }
    (position == *after).then_some(moves)
}

/// The share of the limits for a proof attempt, larger the fewer cells are left; `None` too early in the game.
fn solving_share(state: &State) -> Option<f64> {
    if state.outcome().is_some() {
        return None;
    }
    let open = Boards(0b111_111_111 & !state.closed());
    match open.map(|board| state.empty(board).count_ones()).sum::<u32>() {
        0..=30 => Some(0.7),
        31..=40 => Some(0.4),
        41..=48 => Some(0.15),
        _ => None,
    }
}

/// The share of what a proof attempt leaves for the check of the tree's move by the solver. To refute a bad move takes
/// far fewer positions than to find the value of the position.
const CHECK: f64 = 0.35;

/// The limits of a tree whose move is checked afterwards.
fn without_check(limits: Limits, now: Duration) -> Limits {
    let part = |hard: Duration| now + hard.saturating_sub(now).mul_f64(1.0 - CHECK);
    let nodes = limits.nodes.map(|nodes| nodes - (nodes as f64 * CHECK) as u64);
    Limits { hard: limits.hard.map(part), soft: None, nodes, ..limits }
}

impl Solved {
    /// The score of what is proven. If the number of plies is unknown, the length of the line replaces it.
    fn score(&self) -> Option<Score> {
        let plies = self.plies.map_or(self.line.len().max(1), |plies| plies as usize);
        self.solution.outcome().map(|outcome| Score::of_outcome(outcome, plies))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_solver_grows_with_the_time_for_a_move() {
        let mut player = Player::new(Settings::default());
        let mut mebibytes = |limits| player.solver_for(limits).bytes() >> 20;
        let [short, long] = [20, 1_000].map(|millis| Limits::time(Duration::from_millis(millis)));
        assert_eq!([short, long, short].map(&mut mebibytes), [4, 96, 96]);
        assert_eq!(Player::new(Settings::default()).solver_for(Limits::nodes(9)).bytes() >> 20, 96);
    }
}
