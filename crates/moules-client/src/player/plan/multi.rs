//! The multi-agent problem: the player's own plan among opponents who follow policies. A plan's value is the expected
//! marks for the final points.

use crate::maze::{Maze, NOWHERE, bits};
use crate::player::opponents::forecast::PredictedPlans;
use crate::player::opponents::margin::MarginValues;
use crate::player::opponents::policy::{self, Drinks, Jumps, Objective, Policy};
use crate::player::opponents::state::{JointState, NONE};
use crate::rules::{Direction, Game, MAX_PLAYERS, Move};
use search_core::Sink;
use search_core::beam::Plan;

/// The value of one mark.
const MARK: f64 = 10_000.0;
/// The value of one point, and the discount on it for each turn of delay.
const POINT: f64 = 10.0;
const DELAY: f64 = 0.05;
/// Maximum number of turns played out.
const TURNS: usize = 60;
/// The standard error of a forecast at the end of a match, in points.
const UNSURE: f64 = 4.0;

/// All players' cells, bonuses and points in the middle of a plan. The planner is first in the order of play.
#[derive(Debug, Clone, Copy)]
pub struct State {
    /// Cells, bonuses and the items left.
    pub joint: JointState,
    /// Points so far.
    pub points: [u32; MAX_PLAYERS],
    /// The variance of the forecast of the opponents' gains so far, in points squared.
    pub doubt: f32,
    /// The sum of the mover's gains, each its points times its turn. Of equal plans the one that takes sooner is
    /// better.
    pub delay: f32,
}

/// The problem of the mover's plan among opponents.
#[derive(Debug)]
pub struct MultiAgent<'a, 'b> {
    /// The prepared maze.
    pub maze: &'a mut Maze,
    /// The values of items under the margin policies.
    pub margins: &'a mut MarginValues,
    /// The predicted plans of the opponents who plan.
    pub predicted: &'a mut PredictedPlans<'b>,
    /// The policies in the order of play. The first is the mover's, for the turns after its plan.
    pub policies: [Policy; MAX_PLAYERS],
    /// The probability that a late gain of each player is mispredicted.
    pub wrong: [f32; MAX_PLAYERS],
    /// The number of players.
    pub count: usize,
}

/// The mover's policy after the end of its plan.
pub const AFTER: Policy =
    Policy { objective: Objective::Open, drinks: Drinks::AtOnce, jumps: Jumps::Planned };

impl State {
    /// Returns the state of the match for its mover.
    pub fn of(maze: &Maze, game: &Game) -> Self {
        let mut joint = JointState::of(maze, game, game.to_move());
        joint.agents.iter_mut().for_each(|agent| agent.budget = u8::MAX);
        let mut points = [0; MAX_PLAYERS];
        for (order, points) in points.iter_mut().enumerate().take(game.player_count()) {
            *points = game.purses[(game.to_move() + order) % game.player_count()].points;
        }
        Self { joint, points, doubt: 0.0, delay: 0.0 }
    }

    /// Gives `items` to player `order` in turn `turn` from now.
    #[inline]
    fn take(&mut self, maze: &Maze, order: usize, items: u64, turn: usize, wrong: f32) {
        let taken = items & self.joint.left;
        if taken == 0 {
            return;
        }
        self.joint.left &= !taken;
        let agent = &mut self.joint.agents[order];
        agent.frites += (taken & maze.frites()).count_ones() as u8;
        agent.beers += (taken & maze.beers()).count_ones() as u8;
        for item in bits(taken & maze.mussels()) {
            let points = maze.points(item);
            self.points[order] += points;
            if order == 0 {
                self.delay += points as f32 * turn as f32;
            } else {
                self.doubt += (points as f32).powi(2) * doubt(wrong, turn);
            }
        }
    }
}

/// Returns the variance of the forecast that a player takes an item in turn `turn` from now; `wrong` is its rate of
/// mispredictions.
fn doubt(wrong: f32, turn: usize) -> f32 {
    // Half of it after eight turns.
    let turn = turn as f32;
    let wrong = wrong * turn / (turn + 8.0);
    wrong * (1.0 - wrong)
}

/// Returns the probability that a late gain is mispredicted, for a player with a rate of `missed` mispredicted moves.
pub fn wrong(missed: f64) -> f32 {
    (0.1 + 1.2 * missed).min(0.4) as f32
}

impl MultiAgent<'_, '_> {
    /// Plays one turn of player `order` by its policy, in round `turn`.
    fn go_on(&mut self, state: &mut State, order: usize, turn: usize) {
        let policy = self.policies[order];
        let left = state.joint.left;
        let planned = (policy.objective == Objective::Plans)
            .then(|| self.predicted.turn(self.maze, &mut state.joint.agents[order], left))
            .flatten();
        let items = planned.or_else(|| {
            policy::turn(self.maze, self.margins, policy, &mut state.joint, order, self.count)
                .map(|(.., items)| items)
        });
        if let Some(items) = items {
            state.take(self.maze, order, items, turn, self.wrong[order]);
        }
    }

    /// Plays the opponents' turns after the mover's turn `turn`.
    fn others(&mut self, state: &mut State, turn: usize) {
        for order in 1..self.count {
            if state.joint.left & self.maze.mussels() == 0 {
                return;
            }
            self.go_on(state, order, turn);
        }
    }

    /// Returns the state at the end if all players follow their policies.
    pub fn play_out(&mut self, state: &State, turn: usize) -> State {
        let mut state = *state;
        state.joint.agents[0].target = NONE;
        for turn in turn + 1..turn + TURNS {
            if state.joint.left & self.maze.mussels() == 0 {
                break;
            }
            self.go_on(&mut state, 0, turn);
            self.others(&mut state, turn);
        }
        state
    }

    /// Returns the value of a match that ends in `end`: its marks, plus a little for the points.
    fn value(&self, end: &State) -> i64 {
        let mine = f64::from(end.points[0]);
        (MARK * self.marks(end) + mine * POINT - f64::from(end.delay) * DELAY) as i64
    }

    /// Returns the expected marks at the end of the match.
    pub fn marks(&self, end: &State) -> f64 {
        let spread = f64::from(end.doubt).sqrt() + UNSURE;
        let mine = f64::from(end.points[0]);
        let beats = |order: usize| {
            let ahead = mine - f64::from(end.points[order]);
            1.0 / (1.0 + (-1.7 * ahead / spread).exp())
        };
        match self.count {
            2 => 6.0 * beats(1),
            // With 6, 4 and 0 marks the second place is worth most of the first.
            3 => 4.0 * (beats(1) + beats(2)) - 2.0 * beats(1) * beats(2),
            _ => 2.0 * (1..self.count).map(beats).sum::<f64>(),
        }
    }
}

impl Plan for MultiAgent<'_, '_> {
    type State = State;
    type Action = Move;

    fn successors<S: Sink<(Move, State)>>(&mut self, state: &State, turn: usize, sink: &mut S) {
        let turn = turn + 1;
        let me = state.joint.agents[0];
        let mut push = |problem: &mut Self, mv: Move, cell: u32, items: u64| {
            let mut next = *state;
            let agent = &mut next.joint.agents[0];
            agent.cell = cell;
            agent.frites -= u8::from(matches!(mv, Move::Jump(_)));
            agent.beers -= u8::from(matches!(mv, Move::Beer(_)));
            next.take(problem.maze, 0, items, turn, 0.0);
            problem.others(&mut next, turn);
            sink.push((mv, next));
        };
        for direction in Direction::ALL {
            let cell = self.maze.step(me.cell, direction);
            if cell != NOWHERE {
                let items = self.maze.bit(cell);
                push(self, Move::Step(direction), cell, items);
            }
            if me.frites > 0 {
                let cell = self.maze.jump(me.cell, direction);
                if cell != NOWHERE {
                    let items = self.maze.bit(cell);
                    push(self, Move::Jump(direction), cell, items);
                }
            }
        }
        if me.beers > 0 {
            for index in self.maze.walks(me.cell) {
                let walk = self.maze.walk(index);
                push(self, Move::Beer(walk.steps), walk.end, walk.items);
            }
        }
    }

    fn key(&self, state: &State) -> u64 {
        let me = state.joint.agents[0];
        let place = u64::from(me.cell) | u64::from(me.frites) << 32 | u64::from(me.beers) << 40;
        let mixed = (state.joint.left.wrapping_mul(0xd6e8_feb8_6659_fd93)).rotate_left(32) ^ place;
        let mixed = mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9)
    }

    fn secured(&self, state: &State) -> i64 {
        i64::from(state.points[0])
    }

    fn estimate(&mut self, state: &State, turn: usize) -> i64 {
        let end = self.play_out(state, turn);
        self.value(&end)
    }

    fn is_complete(&self, state: &State) -> bool {
        state.joint.left & self.maze.mussels() == 0
    }
}
