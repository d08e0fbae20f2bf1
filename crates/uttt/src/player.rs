//! Rules, evaluation and search-core joined.
//!
//! - [`Player`]: solves what can be solved, and searches the rest.
//! - [`Solver`]: exact results by df-pn.
//! - [`Evaluator`]: an evaluation, as the Monte-Carlo tree asks for it.
//! - [`UtttHeuristics`]: an evaluation, as alpha-beta asks for it.

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
use search_core::{Clock, Control, Limits, Options, Position, Report, Score, Search, Table, memory};
use std::time::Duration;

/// The method.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Method {
    /// A tree that grows where play is best, guided by the evaluation; the end of the game is solved.
    #[default]
    MonteCarlo,
    /// Deeper and deeper with the evaluation at the leaves.
    AlphaBeta,
    /// A thousand random games for each move, as the assignment's appendix has it; no evaluation, no tree.
    Playouts,
}

wire::named!(Method, "search": MonteCarlo = "monte-carlo", AlphaBeta = "alpha-beta", Playouts = "playouts");

/// The settings of a player. The default is what the course gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// The method.
    pub method: Method,
    /// The evaluation function.
    pub evaluation: Evaluation,
    /// Memory for all that a search keeps: three quarters for the tree or the transposition table, the rest for proofs.
    /// It is taken from the system as it is used.
    pub table_bytes: usize,
    /// Where there is chance, it starts here.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { method: Method::default(), evaluation: Evaluation::default(), table_bytes: 384 << 20, seed: 1 }
    }
}

/// The Monte-Carlo search's configuration.
pub const CONFIGURATION: Configuration = Configuration { exploration: 0.6, best_line: 0.5 };

/// Random games a move, as the assignment's appendix has it.
const SAMPLES: u32 = 1000;

/// Told of searches that go on.
pub type Inform<'a> = &'a mut dyn FnMut(&Report<Cell>);

/// A player: it keeps its tree and what it has proven from one move to the next.
#[derive(Debug)]
pub struct Player {
    settings: Settings,
    table: Option<Table<Cell>>,
    solver: Option<Solver>,
    tree: Option<Tree>,
}

/// The tree, and the position that it grew from.
#[derive(Debug)]
struct Tree {
    search: MonteCarlo<Evaluator>,
    root: State,
}

impl Player {
    /// A player that has seen nothing yet.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        Self { settings, table: None, solver: None, tree: None }
    }

    /// The best move that the limits let it find, and why; no move where the game is over. A depth asks for alpha-beta,
    /// whatever the settings say: a Monte-Carlo tree has no depth.
    pub fn think(&mut self, state: &State, limits: Limits, clock: &dyn Clock) -> Report<Cell> {
        self.think_aloud(state, limits, clock, &mut |_| {})
    }

    /// As [`think`](Self::think), telling `inform` of every finished iteration, and of a tree each time it has doubled.
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
        Search::new(heuristics, *state, table, &control, Options::STRONG).think(inform)
    }

    fn grow(&mut self, state: &State, limits: Limits, clock: &dyn Clock, inform: Inform<'_>) -> Report<Cell> {
        if let Some(report) = self.solve(state, limits, clock) {
            return report;
        }
        // A tree is grown at least as long as it takes to have a move.
        let control = Control::new(limits, clock);
        let (evaluation, bytes) = (self.settings.evaluation, self.settings.table_bytes / 4 * 3);
        let tree = self.tree.get_or_insert_with(|| Tree {
            search: MonteCarlo::new(Evaluator::new(evaluation), CONFIGURATION, bytes),
            root: *state,
        });
        tree.move_to(state);
        tree.search.go_on_aloud(state, &control, inform)
    }

    /// The solver, with no more memory than proofs by time fill; one that was too small is replaced by an empty one.
    fn solver_for(&mut self, limits: Limits) -> &mut Solver {
        /// What is proven is of use for so many moves.
        const MOVES: usize = 4;
        let most = self.settings.table_bytes / 4;
        let bytes = (MOVES * memory::bytes_for(limits, most)).min(most);
        let solver = self.solver.take().filter(|solver| solver.bytes() >= bytes);
        self.solver.insert(solver.unwrap_or_else(|| Solver::new(bytes)))
    }

    /// Solves the position, if that looks possible and a share of the limits is enough.
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
        // What proves a draw may have been replaced in the memory of proofs since: then the tree has a move.
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
    /// Keeps what has grown below `state`, if that comes after the root by one move or two.
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

/// The moves from a position to a later one, none where they are the same, if they are at most two.
fn between(before: &State, after: &State) -> Option<Vec<Cell>> {
    if before == after {
        return Some(Vec::new());
    }
    // The cells that were taken in between: the last one played is known, the other one is the mover's before it.
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

/// The share of the limits that a proof may take: the fewer cells are left, the likelier it is.
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

impl Solved {
    /// The score of what is known; where the number of plies is not, the line's length stands for it.
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
