//! The searches of a player, compiled for each evaluation function and selected once.

use super::heuristics::{NearEquals, OthelloHeuristics};
use super::{Inform, OPTIONS};
use crate::endgame::{Goal, Solver};
use crate::evaluation::{Discs, Evaluation, Mobility, Patterns, Positional};
use crate::rules::{Move, Position};
use search_core::{
    Control, Crew, Depth, Limits, Options, Position as _, Report, Score, Search, Searched, Stopwatch, Table,
    TableCut, Window,
};
use std::fmt;
use std::marker::PhantomData;
use std::sync::atomic::AtomicBool;

/// The input of every search.
pub(super) struct Task<'a> {
    pub position: &'a Position,
    pub table: &'a Table<Move>,
    pub control: &'a Control<'a>,
    pub crew: &'a Crew,
}

/// The searches that use one evaluation function.
pub(super) trait Searches: fmt::Debug + Sync {
    /// Runs iterative deepening until a limit.
    fn think(&self, task: Task<'_>, options: Options, probcut: bool, inform: Inform<'_>) -> Report<Move>;

    /// Returns the value of an inner node, `depth` plies before the horizon.
    fn value(&self, task: Task<'_>, depth: Depth) -> Report<Move>;

    /// Solves the position to the end of the game.
    fn solve(&self, task: Task<'_>, goal: Goal) -> Searched<Report<Move>>;
}

/// The searches that use `evaluation`.
pub(super) fn searches(evaluation: Evaluation) -> &'static dyn Searches {
    match evaluation {
        Evaluation::Discs => &With::<Discs>(PhantomData),
        Evaluation::Positional => &With::<Positional>(PhantomData),
        Evaluation::Mobility => &With::<Mobility>(PhantomData),
        Evaluation::Patterns => &With::<Patterns>(PhantomData),
    }
}

struct With<V>(PhantomData<fn() -> V>);

impl<V> fmt::Debug for With<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(std::any::type_name::<V>())
    }
}

/// The smallest number of empty squares at which a search for the first guess saves time.
const FIRST_SCORE_FROM: u32 = 14;
/// The search for the first guess ends this many plies before the end of the game, and has at most
/// `FIRST_SCORE_DEEPEST` plies.
const FIRST_SCORE_SHORT_OF_END: Depth = 10;
const FIRST_SCORE_DEEPEST: Depth = 10;

impl<V: NearEquals> Searches for With<V> {
    fn think(&self, task: Task<'_>, options: Options, probcut: bool, inform: Inform<'_>) -> Report<Move> {
        if probcut {
            think::<V, true>(task, options, inform)
        } else {
            think::<V, false>(task, options, inform)
        }
    }

    fn value(&self, task: Task<'_>, depth: Depth) -> Report<Move> {
        let Task { position, table, control, .. } = task;
        let heuristics = OthelloHeuristics::<V>::new(position);
        let mut search = Search::new(heuristics, *position, table, control, OPTIONS);
        let Ok(score) = search.value(Window::FULL, depth) else { return Report::empty() };
        let principal_variation = search.line().into();
        Report { score, depth, nodes: control.nodes(), principal_variation, ..Report::empty() }
    }

    fn solve(&self, task: Task<'_>, goal: Goal) -> Searched<Report<Move>> {
        let Task { position, table, control, crew } = task;
        table.new_search();
        let mut guess = None;
        if position.empties() >= FIRST_SCORE_FROM && position.outcome().is_none() {
            let options = Options { table_cut: TableCut::AtLeast, ..OPTIONS };
            let heuristics = OthelloHeuristics::<V>::new(position);
            let mut search = Search::new(heuristics, *position, table, control, options);
            let deepest = position.empties() as Depth - FIRST_SCORE_SHORT_OF_END;
            for depth in 1..=deepest.clamp(1, FIRST_SCORE_DEEPEST) {
                guess = Some(search.value(Window::FULL, depth)?.value() / Score::POINT);
            }
        }
        let solver = |control| Solver::<V>::new(position, table, control).in_crew(crew);
        if crew.threads() == 1 {
            return solver(control).solve(position, goal, guess);
        }
        let help = |done: &AtomicBool| {
            let clock = Stopwatch::start();
            let control = Control::new(Limits::default(), &clock).with_stop_flag(done);
            control.arm();
            // The leader finds the same in the table.
            let _ = Solver::<V>::new(position, table, &control).in_crew(crew).solve(position, goal, guess);
            control.nodes()
        };
        let (solved, helped) = crew.run(help, || solver(control).solve(position, goal, guess));
        solved.map(|report| Report { nodes: report.nodes + helped.iter().sum::<u64>(), ..report })
    }
}

fn think<V: NearEquals, const PROBCUT: bool>(
    task: Task<'_>,
    options: Options,
    inform: Inform<'_>,
) -> Report<Move> {
    let Task { position, table, control, crew } = task;
    let heuristics = || OthelloHeuristics::<V, PROBCUT>::new(position);
    Search::new(heuristics(), *position, table, control, options).think_with(crew, heuristics, inform)
}
