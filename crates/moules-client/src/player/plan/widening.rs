//! Iterative widening: wider and wider beams in one or more scenarios, for the plan with the best mean value.

use crate::rules::Move;
use search_core::Control;
use search_core::beam::{Beam, Configuration, Found, Plan};

/// The ratio of successive beam widths.
const WIDEN: usize = 3;

/// The beams of a search, and the weights of its scenarios.
#[derive(Debug, Clone, Copy)]
pub struct Widening<'a> {
    /// The configuration of the first, narrowest beam.
    pub configuration: Configuration,
    /// The width of the last beam.
    pub width: usize,
    /// The weight of each scenario.
    pub shares: &'a [f64],
}

impl Widening<'_> {
    /// Returns the best plan of the beams in every scenario. `enter` puts `problem` into a scenario and returns its
    /// root. `known` is a plan to start from, and `note` is called with each better one. Scenario 0 is entered at the
    /// end.
    pub fn search<P: Plan<Action = Move>>(
        self,
        problem: &mut P,
        enter: impl Fn(&mut P, usize) -> P::State,
        known: &[Move],
        control: &Control<'_>,
        note: impl Fn(&Found<Move>),
    ) -> Option<Found<Move>> {
        let mut beam = Beam::default();
        let mut best: Option<Found<Move>> = None;
        let mut configuration =
            Configuration { width: self.configuration.width.min(self.width), ..self.configuration };
        let consider = |problem: &mut P, best: &mut Option<Found<Move>>, actions: &[Move]| {
            let known = best.as_ref().is_some_and(|best| best.actions == actions);
            if let Some(found) = self.value(problem, &enter, actions).filter(|_| !known)
                && best.as_ref().is_none_or(|best| self.rank(&found) > self.rank(best))
            {
                note(&found);
                *best = Some(found);
            }
        };
        consider(problem, &mut best, known);
        loop {
            for scenario in 0..self.shares.len() {
                let root = enter(problem, scenario);
                let found = beam.search(problem, root, configuration, control);
                if best.is_none() || !control.is_stopped() {
                    consider(problem, &mut best, &found.actions);
                }
                control.arm();
            }
            if configuration.width >= self.width || !control.may_deepen() {
                enter(problem, 0);
                return best;
            }
            configuration.width = (configuration.width * WIDEN).min(self.width);
        }
    }

    /// Returns the sort key of a plan. Where turns are counted, a complete plan precedes an unfinished one, whose value
    /// is only a bound.
    pub fn rank(&self, plan: &Found<Move>) -> (bool, i64) {
        (plan.complete && self.configuration.first_complete, plan.value)
    }

    /// Returns the part of a plan that can be followed in the first scenario, with its mean value over all scenarios,
    /// or `None` if its first move is impossible.
    pub fn value<P: Plan<Action = Move>>(
        self,
        problem: &mut P,
        enter: impl Fn(&mut P, usize) -> P::State,
        actions: &[Move],
    ) -> Option<Found<Move>> {
        let mut sum = 0.0;
        let mut found = Found { actions: Vec::new(), value: 0, complete: false };
        for (scenario, share) in self.shares.iter().enumerate() {
            let root = enter(problem, scenario);
            let (state, turns) = follow(problem, root, actions);
            sum += share * problem.estimate(&state, turns) as f64;
            if scenario == 0 {
                found.actions = actions[..turns].to_vec();
                found.complete = problem.is_complete(&state);
            }
        }
        found.value = (sum / self.shares.iter().sum::<f64>()) as i64;
        (!found.actions.is_empty()).then_some(found)
    }
}

/// Applies `actions` from `root` as far as possible. Returns the last state and the number applied.
pub fn follow<P: Plan<Action = Move>>(
    problem: &mut P,
    root: P::State,
    actions: &[Move],
) -> (P::State, usize) {
    let mut state = root;
    let mut made = Vec::new();
    for (turn, action) in actions.iter().enumerate() {
        if problem.is_complete(&state) {
            return (state, turn);
        }
        made.clear();
        problem.successors(&state, turn, &mut made);
        match made.iter().find(|(made, _)| made == action) {
            Some(&(_, next)) => state = next,
            None => return (state, turn),
        }
    }
    (state, actions.len())
}
