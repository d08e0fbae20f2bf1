//! Predicted plans of opponents who plan: one for each situation, cached for the turn.

use super::state::{Agent, NONE};
use crate::evaluation::AgentState;
use crate::maze::{Maze, bits};
use crate::rules::Move;
use std::collections::HashMap;

/// Maximum number of cached plans. A plan's number must be less than [`NONE`].
const PLANS: usize = 96;

/// A planner for a player who is alone in the maze.
pub trait Foresight: std::fmt::Debug {
    /// Plans from `agent`. Returns each turn with the state after it, or `None` if there is no time.
    fn plan(&mut self, maze: &mut Maze, agent: AgentState) -> Option<Vec<(Move, AgentState)>>;
}

/// One turn of a plan.
#[derive(Debug, Clone, Copy)]
struct Leg {
    cell: u32,
    items: u64,
    frites: u8,
    beers: u8,
    /// The items that the plan takes from this turn on.
    wants: u64,
    /// The next mussel that the plan takes, or [`NONE`].
    next: u8,
}

/// The key of a cached plan: the cell, frites, beers and the items left.
type Situation = (u32, u8, u8, u64);

/// The plans predicted in this turn.
#[derive(Debug)]
pub struct PredictedPlans<'a> {
    foresight: &'a mut dyn Foresight,
    known: HashMap<Situation, u8>,
    plans: Vec<Vec<Leg>>,
}

impl<'a> PredictedPlans<'a> {
    /// Creates an empty cache.
    pub fn new(foresight: &'a mut dyn Foresight) -> Self {
        Self { foresight, known: HashMap::default(), plans: Vec::new() }
    }

    /// Returns the number of the plan from here: a cached one, or a new one if there is time.
    fn find(&mut self, maze: &mut Maze, agent: &Agent, left: u64) -> Option<u8> {
        let situation = (agent.cell, agent.frites, agent.beers, left);
        if let Some(&plan) = self.known.get(&situation) {
            return Some(plan);
        }
        if self.plans.len() >= PLANS {
            return None;
        }
        let (cell, frites, beers, left) = situation;
        let mut before = AgentState { left, cell, gain: 0, frites, beers };
        let mut legs = Vec::new();
        for (action, after) in self.foresight.plan(maze, before)? {
            let frites = u8::from(matches!(action, Move::Jump(_)));
            let beers = u8::from(matches!(action, Move::Beer(_)));
            let items = before.left & !after.left;
            legs.push(Leg { cell: after.cell, items, frites, beers, wants: 0, next: NONE });
            before = after;
        }
        let (mut wants, mut next) = (0, NONE);
        for leg in legs.iter_mut().rev() {
            wants |= leg.items;
            next = bits(leg.items & maze.mussels()).next().map_or(next, |item| item as u8);
            (leg.wants, leg.next) = (wants, next);
        }
        self.plans.push(legs);
        let plan = (self.plans.len() - 1) as u8;
        self.known.insert(situation, plan);
        Some(plan)
    }

    /// Returns the cell after the first turn of `agent`'s plan, and the first item that the plan takes.
    pub fn outlook(&mut self, maze: &mut Maze, agent: &Agent, left: u64) -> Option<(u32, Option<usize>)> {
        let plan = self.find(maze, agent, left)?;
        let legs = &self.plans[usize::from(plan)];
        let first = legs.iter().find_map(|leg| bits(leg.items).next());
        legs.first().map(|leg| (leg.cell, first))
    }

    /// Plays one turn of `agent`'s plan and returns the items on its way. Plans again if an item of the plan is gone.
    /// Returns `None` if there is no plan.
    pub fn turn(&mut self, maze: &mut Maze, agent: &mut Agent, left: u64) -> Option<u64> {
        let on = |plans: &[Vec<Leg>], agent: &Agent| {
            plans.get(usize::from(agent.plan)).and_then(|legs| legs.get(usize::from(agent.at))).copied()
        };
        let mut leg = on(&self.plans, agent);
        if leg.is_none_or(|leg| leg.wants & !left != 0)
            && let Some(plan) = self.find(maze, agent, left)
        {
            (agent.plan, agent.at) = (plan, 0);
            leg = on(&self.plans, agent);
        }
        // Another player may have taken a bonus that the plan uses.
        let Some(leg) = leg.filter(|leg| leg.frites <= agent.frites && leg.beers <= agent.beers) else {
            agent.plan = NONE;
            return None;
        };
        agent.cell = leg.cell;
        agent.frites -= leg.frites;
        agent.beers -= leg.beers;
        (agent.target, agent.budget) = (leg.next, u8::MAX);
        agent.at += 1;
        Some(leg.items)
    }
}
