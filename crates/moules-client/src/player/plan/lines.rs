//! The best plan after each first move, by wider and wider beams, for analysis.

use super::widening::{Widening, follow};
use super::{AMONG, HORIZON, Planner};
use crate::evaluation::POINT;
use crate::rules::{Game, Move};
use search_core::beam::{Configuration, Found, Plan};
use search_core::{Control, Limits, Sink};
use std::time::Duration;

/// The initial beam width for the plans that begin with a given move.
const NARROW: usize = 8;
/// The time for which a new maze is prepared, so that a stop is heard soon in a large one.
const PREPARATION: Duration = Duration::from_millis(800);
/// The ratio of successive beam widths.
const WIDEN: usize = 3;

/// A plan and its value.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanLine {
    /// The turns, the first one first.
    pub turns: Vec<Move>,
    /// Among opponents: expected marks, 6 for the first place. Alone: minus the turns until everything is taken.
    pub value: f64,
}

/// A listener to the best plans, best first, and to the number of states visited so far.
pub type Tell<'a> = &'a mut dyn FnMut(&[PlanLine], u64);

/// A problem whose plans all begin with the same move.
struct Beginning<'a, P> {
    plan: &'a mut P,
    first: Move,
}

impl<P: Plan<Action = Move>> Plan for Beginning<'_, P> {
    type State = P::State;
    type Action = Move;

    fn successors<S: Sink<(Move, P::State)>>(&mut self, state: &P::State, turn: usize, sink: &mut S) {
        if turn > 0 {
            return self.plan.successors(state, turn, sink);
        }
        let mut made = Vec::new();
        self.plan.successors(state, turn, &mut made);
        made.into_iter().filter(|(mv, _)| *mv == self.first).for_each(|next| sink.push(next));
    }

    fn key(&self, state: &P::State) -> u64 {
        self.plan.key(state)
    }

    fn secured(&self, state: &P::State) -> i64 {
        self.plan.secured(state)
    }

    fn estimate(&mut self, state: &P::State, turn: usize) -> i64 {
        self.plan.estimate(state, turn)
    }

    fn bound(&self, state: &P::State, turn: usize) -> i64 {
        self.plan.bound(state, turn)
    }

    fn is_complete(&self, state: &P::State) -> bool {
        self.plan.is_complete(state)
    }
}

impl Planner {
    /// Calls `tell` with the best plan after each first move until `control` stops it. All first moves are searched
    /// once, then the best `most` with wider and wider beams.
    pub fn lines(&mut self, game: &Game, most: usize, control: &Control<'_>, tell: Tell<'_>) {
        let limits = Limits { hard: Some(PREPARATION), ..control.limits() };
        let Some(turns) = self.turns(game, limits) else { return };
        control.arm();
        let width = self.settings.width;
        if self.is_among(game) {
            self.with_others(game, control, |problem, scenarios| {
                let shares: Vec<f64> = scenarios.iter().map(|scenario| scenario.share).collect();
                let configuration =
                    Configuration { width: NARROW, turns: AMONG.min(turns), first_complete: false };
                let enter = |problem: &mut super::MultiAgent<'_, '_>, scenario: usize| {
                    problem.policies = scenarios[scenario].policies;
                    scenarios[scenario].state
                };
                let value = |problem: &mut super::MultiAgent<'_, '_>, found: &Found<Move>| {
                    let state = enter(problem, 0);
                    let (state, turns) = follow(problem, state, &found.actions);
                    let end = problem.play_out(&state, turns);
                    problem.marks(&end)
                };
                let widening = Widening { configuration, width, shares: &shares };
                side_by_side(problem, (widening, most), enter, value, control, tell);
            });
        } else {
            self.alone(game, turns.min(HORIZON), |problem, root, configuration| {
                let widening = Widening {
                    configuration: Configuration { width: NARROW, ..configuration },
                    width,
                    shares: &[1.0],
                };
                let value =
                    |_: &mut super::SingleAgent<'_>, found: &Found<Move>| found.value as f64 / POINT as f64;
                side_by_side(problem, (widening, most), |_, _| root, value, control, tell);
            });
        }
    }
}

/// Returns the best plans after each first move. `value` converts a plan's value to marks or turns.
fn side_by_side<P: Plan<Action = Move>>(
    problem: &mut P,
    (mut widening, most): (Widening<'_>, usize),
    enter: impl Fn(&mut P, usize) -> P::State,
    value: impl Fn(&mut P, &Found<Move>) -> f64,
    control: &Control<'_>,
    tell: Tell<'_>,
) {
    let root = enter(problem, 0);
    let mut made = Vec::new();
    problem.successors(&root, 0, &mut made);
    let begun = |(mv, _): (Move, P::State)| Found { actions: vec![mv], value: 0, complete: false };
    let mut plans: Vec<Found<Move>> = made.into_iter().map(begun).collect();
    let widest = widening.width.max(NARROW);
    loop {
        widening.width = widening.configuration.width;
        for plan in &mut plans {
            let mut problem = Beginning { plan: &mut *problem, first: plan.actions[0] };
            let enter = |problem: &mut Beginning<'_, P>, scenario: usize| enter(problem.plan, scenario);
            let found = widening.search(&mut problem, enter, &plan.actions, control, |_| {});
            if control.is_stopped() {
                return;
            }
            *plan = found.unwrap_or_else(|| plan.clone());
        }
        // A stable sort: equal plans keep their order.
        plans.sort_by_key(|plan| std::cmp::Reverse(widening.rank(plan)));
        plans.truncate(most);
        let lines: Vec<PlanLine> = plans
            .iter()
            .map(|plan| PlanLine { turns: plan.actions.clone(), value: value(problem, plan) })
            .collect();
        tell(&lines, control.nodes());
        if widening.configuration.width >= widest {
            return;
        }
        widening.configuration.width = (widening.configuration.width * WIDEN).min(widest);
    }
}
