//! One's own plan among others who go on as they were seen to go: each state is everybody's place and points.

use super::courses::Courses;
use super::walker::{self, Aim, Drinks, Habit, Jumps, Scene};
use crate::board::{Board, NOWHERE};
use crate::evaluation::{Spot, bits};
use crate::rules::{Direction, Game, MAX_PLAYERS, Move};
use search_core::Sink;
use search_core::beam::Plan;

/// Marks, in units of value.
const MARK: f64 = 10_000.0;
/// A point beside the marks, and what a turn's delay takes from it.
const POINT: f64 = 10.0;
const DELAY: f64 = 0.05;
/// Turns played out at most.
const TURNS: usize = 60;
/// Points by which a forecast is off even at the very end.
const UNSURE: f64 = 4.0;

/// Everybody's places, bonuses and points in the middle of a plan; the planner is the first in the order of play.
#[derive(Debug, Clone, Copy)]
pub struct State {
    /// Places, bonuses, and what is left.
    pub scene: Scene,
    /// Points so far.
    pub points: [u32; MAX_PLAYERS],
    /// The variance of what the others were forecast to take so far, in points squared.
    pub doubt: f32,
    /// The mover's takings so far, each by its points and its turn: of equal plans the one that takes sooner is better.
    pub delay: f32,
}

/// A plan of the mover's turns among others.
#[derive(Debug)]
pub struct Crowd<'a, 'b> {
    /// The maze.
    pub board: &'a mut Board,
    /// The courses of those who plan.
    pub courses: &'a mut Courses<'b>,
    /// How everybody plays, in the order of play; the first is the mover, as it is expected to go on after the plan.
    pub habits: [Habit; MAX_PLAYERS],
    /// The chance that what each takes late is foreseen wrong.
    pub wrong: [f32; MAX_PLAYERS],
    /// How many play.
    pub count: usize,
}

/// How the mover goes on when its plan ends.
pub const AFTER: Habit = Habit { aim: Aim::Open, drinks: Drinks::AtOnce, jumps: Jumps::Planned };

impl State {
    /// The match as its mover sees it; `aims` tells where each player is believed to go, in the order of play.
    pub fn of(board: &Board, game: &Game, aims: [u8; MAX_PLAYERS]) -> Self {
        let count = game.player_count();
        let player = |order: usize| (game.to_move() + order) % count;
        let nobody = walker::Walker::new(0, 0, 0);
        let mut state = Self {
            scene: Scene { left: board.left(&game.state), walkers: [nobody; MAX_PLAYERS] },
            points: [0; MAX_PLAYERS],
            doubt: 0.0,
            delay: 0.0,
        };
        for (order, aim) in aims.into_iter().enumerate().take(count) {
            let spot = Spot::of(board, game, player(order));
            let walker = &mut state.scene.walkers[order];
            *walker = walker::Walker::new(spot.cell, u32::from(spot.frites), u32::from(spot.beers));
            walker.aim = aim;
            walker.budget = u8::MAX;
            state.points[order] = game.purses[player(order)].points;
        }
        state
    }

    /// Gives `items` to `order` in turn `turn` from now.
    #[inline]
    fn take(&mut self, board: &Board, order: usize, items: u64, turn: usize, wrong: f32) {
        let taken = items & self.scene.left;
        if taken == 0 {
            return;
        }
        self.scene.left &= !taken;
        let walker = &mut self.scene.walkers[order];
        walker.frites += (taken & board.frites).count_ones() as u8;
        walker.beers += (taken & board.beers).count_ones() as u8;
        for item in bits(taken & board.mussels) {
            let points = board.points(item);
            self.points[order] += points;
            if order == 0 {
                self.delay += points as f32 * turn as f32;
            } else {
                self.doubt += (points as f32).powi(2) * doubt(wrong, turn);
            }
        }
    }
}

/// The variance of a forecast of who takes something in turn `turn` from now, if late ones are `wrong` so often.
fn doubt(wrong: f32, turn: usize) -> f32 {
    // Half of it after eight turns.
    let turn = turn as f32;
    let wrong = wrong * turn / (turn + 8.0);
    wrong * (1.0 - wrong)
}

/// How often a forecast of what somebody takes late is wrong whose turns are `missed` so often.
pub fn wrong(missed: f64) -> f32 {
    (0.1 + 1.2 * missed).min(0.4) as f32
}

impl Crowd<'_, '_> {
    /// One turn of `order` by its habit, the mover's turn number `turn` being the round's.
    fn go_on(&mut self, state: &mut State, order: usize, turn: usize) {
        let habit = self.habits[order];
        let left = state.scene.left;
        let planned = (habit.aim == Aim::Plans)
            .then(|| self.courses.turn(self.board, &mut state.scene.walkers[order], left))
            .flatten();
        let items = planned.or_else(|| {
            walker::turn(self.board, habit, &mut state.scene, order, self.count).map(|(.., items)| items)
        });
        if let Some(items) = items {
            state.take(self.board, order, items, turn, self.wrong[order]);
        }
    }

    /// The others' turns that follow the mover's turn number `turn`.
    fn others(&mut self, state: &mut State, turn: usize) {
        for order in 1..self.count {
            if state.scene.left & self.board.mussels == 0 {
                return;
            }
            self.go_on(state, order, turn);
        }
    }

    /// Everybody's points at the end, if everybody goes on by habit.
    pub fn play_out(&mut self, state: &State, turn: usize) -> State {
        let mut state = *state;
        state.scene.walkers[0].aim = walker::NONE;
        for turn in turn + 1..turn + TURNS {
            if state.scene.left & self.board.mussels == 0 {
                break;
            }
            self.go_on(&mut state, 0, turn);
            self.others(&mut state, turn);
        }
        state
    }

    /// The marks to expect at the end of the match, and a little for the points.
    fn value(&self, end: &State) -> i64 {
        let spread = f64::from(end.doubt).sqrt() + UNSURE;
        let mine = f64::from(end.points[0]);
        let beats = |order: usize| {
            let ahead = mine - f64::from(end.points[order]);
            1.0 / (1.0 + (-1.7 * ahead / spread).exp())
        };
        let marks = match self.count {
            2 => 6.0 * beats(1),
            // 6, 4, 0: the second place is most of it.
            3 => 4.0 * (beats(1) + beats(2)) - 2.0 * beats(1) * beats(2),
            _ => 2.0 * (1..self.count).map(beats).sum::<f64>(),
        };
        (MARK * marks + mine * POINT - f64::from(end.delay) * DELAY) as i64
    }
}

impl Plan for Crowd<'_, '_> {
    type State = State;
    type Action = Move;

    fn successors<S: Sink<(Move, State)>>(&mut self, state: &State, turn: usize, sink: &mut S) {
        let turn = turn + 1;
        let me = state.scene.walkers[0];
        let mut push = |crowd: &mut Self, mv: Move, cell: u32, items: u64| {
            let mut next = *state;
            let walker = &mut next.scene.walkers[0];
            walker.cell = cell;
            walker.frites -= u8::from(matches!(mv, Move::Jump(_)));
            walker.beers -= u8::from(matches!(mv, Move::Beer(_)));
            next.take(crowd.board, 0, items, turn, 0.0);
            crowd.others(&mut next, turn);
            sink.push((mv, next));
        };
        for direction in Direction::ALL {
            let cell = self.board.step(me.cell, direction);
            if cell != NOWHERE {
                let items = self.board.bit(cell);
                push(self, Move::Step(direction), cell, items);
            }
            if me.frites > 0 {
                let cell = self.board.jump(me.cell, direction);
                if cell != NOWHERE {
                    let items = self.board.bit(cell);
                    push(self, Move::Jump(direction), cell, items);
                }
            }
        }
        if me.beers > 0 {
            for index in self.board.walks(me.cell) {
                let walk = self.board.walk(index);
                push(self, Move::Beer(walk.steps), walk.end, walk.items);
            }
        }
    }

    fn key(&self, state: &State) -> u64 {
        let me = state.scene.walkers[0];
        let place = u64::from(me.cell) | u64::from(me.frites) << 32 | u64::from(me.beers) << 40;
        let mixed = (state.scene.left.wrapping_mul(0xd6e8_feb8_6659_fd93)).rotate_left(32) ^ place;
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
        state.scene.left & self.board.mussels == 0
    }
}
