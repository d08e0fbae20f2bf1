//! The single-agent problem: a player's plan if nobody else takes anything.

use crate::evaluation::{AgentState, Evaluation, Tours, Worth};
use crate::maze::{Maze, NOWHERE, bits};
use crate::player::opponents::forecast::Foresight;
use crate::rules::{Direction, Move};
use search_core::beam::{Beam, Configuration, Plan};
use search_core::{Control, Sink};

/// The problem of one player's plan.
#[derive(Debug)]
pub struct SingleAgent<'a> {
    /// The prepared maze.
    pub maze: &'a mut Maze,
    /// The value of each item by turn.
    pub worth: &'a Worth,
    /// Memoised spanning trees.
    pub tours: &'a mut Tours,
    /// The evaluation that ranks the plans.
    pub evaluation: Evaluation,
}

impl SingleAgent<'_> {
    /// Returns `agent` after turn `turn`, in which it passed over `items` to `cell`.
    fn arrive(&self, agent: &AgentState, cell: u32, items: u64, turn: usize) -> AgentState {
        let mut next = *agent;
        next.cell = cell;
        let taken = items & agent.left;
        if taken != 0 {
            next.left &= !taken;
            for item in bits(taken) {
                let bit = 1 << item;
                if self.maze.mussels() & bit != 0 {
                    next.gain += self.worth.of(item, turn) as i32;
                } else {
                    next.frites += u8::from(self.maze.frites() & bit != 0);
                    next.beers += u8::from(self.maze.beers() & bit != 0);
                }
            }
        }
        next
    }
}

impl Plan for SingleAgent<'_> {
    type State = AgentState;
    type Action = Move;

    fn successors<S: Sink<(Move, AgentState)>>(&mut self, agent: &AgentState, turn: usize, sink: &mut S) {
        let turn = turn + 1;
        for direction in Direction::ALL {
            let cell = self.maze.step(agent.cell, direction);
            if cell != NOWHERE {
                sink.push((Move::Step(direction), self.arrive(agent, cell, self.maze.bit(cell), turn)));
            }
            if agent.frites > 0 {
                let cell = self.maze.jump(agent.cell, direction);
                if cell != NOWHERE {
                    let mut next = self.arrive(agent, cell, self.maze.bit(cell), turn);
                    next.frites -= 1;
                    sink.push((Move::Jump(direction), next));
                }
            }
        }
        if agent.beers > 0 {
            for index in self.maze.walks(agent.cell) {
                let walk = self.maze.walk(index);
                let mut next = self.arrive(agent, walk.end, walk.items, turn);
                next.beers -= 1;
                sink.push((Move::Beer(walk.steps), next));
            }
        }
    }

    fn key(&self, agent: &AgentState) -> u64 {
        let place = u64::from(agent.cell) | u64::from(agent.frites) << 32 | u64::from(agent.beers) << 40;
        let mixed = (agent.left.wrapping_mul(0xd6e8_feb8_6659_fd93)).rotate_left(32) ^ place;
        let mixed = mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
    }

    fn secured(&self, agent: &AgentState) -> i64 {
        if self.evaluation.counts_turns() { 0 } else { i64::from(agent.gain) }
    }

    fn estimate(&mut self, agent: &AgentState, turn: usize) -> i64 {
        self.evaluation.estimate(self.maze, self.worth, self.tours, agent, turn)
    }

    fn bound(&self, agent: &AgentState, turn: usize) -> i64 {
        if self.evaluation.counts_turns() {
            return i64::MAX;
        }
        // An upper bound: everything left is taken in the very next turn.
        let rest: i64 =
            bits(agent.left & self.maze.mussels()).map(|item| self.worth.of(item, turn + 1)).sum();
        i64::from(agent.gain) + rest + i64::from(agent.frites) + i64::from(agent.beers) + 64
    }

    fn is_complete(&self, agent: &AgentState) -> bool {
        agent.left & self.maze.mussels() == 0
    }
}

/// The beam for an opponent's predicted plan.
const CONFIGURATION: Configuration = Configuration { width: 12, turns: TURNS, first_complete: false };
/// Maximum length of a predicted plan in turns.
const TURNS: usize = 40;
/// The share of the time that predicted plans may use.
const SHARE: f64 = 0.4;

/// Plans the opponents' moves as single-agent problems, while there is time.
#[derive(Debug)]
pub struct SinglePlans<'a> {
    tours: &'a mut Tours,
    worth: Worth,
    control: &'a Control<'a>,
    beam: Beam<AgentState, Move>,
}

impl<'a> SinglePlans<'a> {
    /// Creates a planner without cached plans.
    pub fn new(maze: &Maze, tours: &'a mut Tours, control: &'a Control<'a>) -> Self {
        Self { tours, worth: Worth::alone(maze, TURNS + 1), control, beam: Beam::default() }
    }
}

impl Foresight for SinglePlans<'_> {
    fn plan(&mut self, maze: &mut Maze, agent: AgentState) -> Option<Vec<(Move, AgentState)>> {
        let hard = self.control.limits().hard;
        if self.control.is_stopped() || hard.is_some_and(|hard| self.control.elapsed() > hard.mul_f64(SHARE))
        {
            return None;
        }
        let evaluation = Evaluation::Rollout;
        let mut problem = SingleAgent { maze, worth: &self.worth, tours: self.tours, evaluation };
        let actions = self.beam.search(&mut problem, agent, CONFIGURATION, self.control).actions;
        let mut plan = Vec::with_capacity(actions.len());
        let mut made = Vec::new();
        let mut agent = agent;
        for (turn, action) in actions.into_iter().enumerate() {
            made.clear();
            problem.successors(&agent, turn, &mut made);
            let Some(&(_, next)) = made.iter().find(|(made, _)| *made == action) else { break };
            plan.push((action, next));
            agent = next;
        }
        Some(plan)
    }
}
