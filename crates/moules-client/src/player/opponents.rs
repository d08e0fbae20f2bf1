//! What the others are expected to take, and when: everybody's own best plan, played out against one another.

use super::errand::Errand;
use super::habits::{Habit, Habits};
use crate::board::{Board, NOWHERE};
use crate::evaluation::{Evaluation, POINT, Spot, Tours, Worth, bits};
use crate::rules::{Direction, Game, Move};
use search_core::Control;
use search_core::beam::{Beam, Plan, Shape};

/// The beam of an opponent's plan.
const WIDTH: usize = 16;
/// Turns played out.
const TURNS: usize = 40;
/// The shape of an opponent's plan.
const SHAPE: Shape = Shape { width: WIDTH, turns: TURNS, first_complete: false };
/// Plans made in one play-out at most, so that its time is bounded.
const PLANS: usize = 24;

/// Who is expected to take an item, and in which turn from now, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Taking {
    /// Its turn.
    pub turn: usize,
    /// The player's place in the order of play: 0 moves now.
    pub order: usize,
}

/// Who is expected to take each item; `None`: nobody soon.
pub type Forecast = Vec<Option<Taking>>;

/// A player in a play-out.
struct Walker {
    order: usize,
    habit: Habit,
    spot: Spot,
    plan: Vec<Move>,
    /// The next move of the plan.
    at: usize,
    /// What the rest of the plan takes.
    wants: u64,
}

/// How the mover looks at the others.
#[derive(Debug)]
pub struct Eyes<'a> {
    /// The maze.
    pub board: &'a mut Board,
    /// Kept lengths of tours.
    pub tours: &'a mut Tours,
    /// The match.
    pub game: &'a Game,
    /// What ranks plans.
    pub evaluation: Evaluation,
    /// The mover's limits.
    pub control: &'a Control<'a>,
}

impl Eyes<'_> {
    /// The share of the mover's time that looking at the others may take.
    const SHARE: f64 = 0.35;

    /// Whether enough time went into looking at the others.
    pub fn is_tired(&self) -> bool {
        let hard = self.control.limits().hard;
        self.control.is_stopped()
            || hard.is_some_and(|hard| self.control.elapsed() > hard.mul_f64(Self::SHARE))
    }

    fn player(&self, order: usize) -> usize {
        (self.game.to_move() + order) % self.game.player_count()
    }

    /// Plays everybody's plans out, each as if alone until something it wants is taken by another. The mover follows
    /// `mine`, or stays out of it when that is `None`.
    pub fn play_out(&mut self, habits: &Habits, mine: Option<&[Move]>) -> Forecast {
        let worth = Worth::alone(self.board, TURNS + 1);
        let mut forecast = vec![None; self.board.items().len()];
        let mut left = self.board.left(&self.game.state);
        let mut beam = Beam::default();
        let mut plans = 0;
        let mut walkers: Vec<Walker> = (usize::from(mine.is_none())..self.game.player_count())
            .map(|order| {
                let spot = Spot::of(self.board, self.game, self.player(order));
                let habit = if order == 0 { Habit::Plans } else { habits.of(self.player(order)) };
                let plan = if order == 0 { mine.unwrap_or_default().to_vec() } else { Vec::new() };
                Walker { order, habit, spot, plan, at: 0, wants: u64::MAX }
            })
            .collect();
        for turn in 1..=TURNS {
            for walker in &mut walkers {
                if left & self.board.mussels == 0 {
                    return forecast;
                }
                let stolen = walker.spot.left & !left & walker.wants != 0;
                walker.spot.left = left;
                walker.spot.gain = 0;
                let next = if walker.habit == Habit::Plans {
                    if (stolen || walker.at >= walker.plan.len())
                        && walker.order > 0
                        && plans < PLANS
                        && !self.is_tired()
                    {
                        plans += 1;
                        let control = self.control;
                        let mut errand = self.errand(&worth);
                        walker.plan = beam.search(&mut errand, walker.spot, SHAPE, control).actions;
                        walker.at = 0;
                        walker.wants = wanted(&mut errand, walker.spot, &walker.plan);
                    }
                    let action = walker.plan.get(walker.at).copied();
                    walker.at += 1;
                    action.and_then(|action| done(&mut self.errand(&worth), &walker.spot, action, turn))
                } else {
                    let target = walker.habit.target(self.board, walker.spot.cell, left);
                    let cell = target.and_then(|item| towards(self.board, walker.spot.cell, item));
                    cell.map(|cell| Spot { cell, left: left & !self.board.bit(cell), ..walker.spot })
                };
                match next {
                    Some(next) => {
                        for item in bits(left & !next.left) {
                            forecast[item] = Some(Taking { turn, order: walker.order });
                        }
                        left = next.left;
                        walker.spot = next;
                    }
                    // A bonus that the plan uses was taken by another.
                    None => walker.plan.clear(),
                }
            }
        }
        forecast
    }

    /// The item that each opponent's plan would take first.
    pub fn first_wanted(&mut self) -> Vec<Option<usize>> {
        let worth = Worth::alone(self.board, TURNS + 1);
        let (me, count) = (self.game.to_move(), self.game.player_count());
        let first = |player: usize| {
            if player == me || self.is_tired() {
                return None;
            }
            let spot = Spot::of(self.board, self.game, player);
            let control = self.control;
            let mut errand = self.errand(&worth);
            let plan = Beam::default().search(&mut errand, spot, SHAPE, control).actions;
            (1..=plan.len()).find_map(|turns| bits(wanted(&mut errand, spot, &plan[..turns])).next())
        };
        (0..count).map(first).collect()
    }

    fn errand<'b>(&'b mut self, worth: &'b Worth) -> Errand<'b> {
        Errand { board: self.board, worth, tours: self.tours, evaluation: self.evaluation }
    }
}

/// What `action` makes of `spot` in turn `turn`, if it can be done.
fn done(errand: &mut Errand<'_>, spot: &Spot, action: Move, turn: usize) -> Option<Spot> {
    let mut made = Vec::new();
    errand.successors(spot, turn - 1, &mut made);
    made.into_iter().find(|(made, _)| *made == action).map(|(_, next)| next)
}

/// The next cell on foot from `cell` to `item`.
fn towards(board: &Board, cell: u32, item: usize) -> Option<u32> {
    let distance = board.distance(cell, item, 0);
    let steps = Direction::ALL.into_iter().map(|direction| board.step(cell, direction));
    steps.into_iter().find(|&to| to != NOWHERE && board.distance(to, item, 0) < distance)
}

/// What a plan takes.
fn wanted(errand: &mut Errand<'_>, spot: Spot, plan: &[Move]) -> u64 {
    let mut now = spot;
    for (turn, action) in (1..).zip(plan) {
        match done(errand, &now, *action, turn) {
            Some(next) => now = next,
            None => break,
        }
    }
    spot.left & !now.left
}

/// The chance that an item is still there for somebody who comes `slack` turns before the one expected to take it;
/// negative when later.
fn chance(slack: i64) -> f64 {
    const FLOOR: f64 = 0.08;
    let before = 1.0 / (1.0 + (-(slack as f64 + 0.5) * 0.9).exp());
    FLOOR + (1.0 - FLOOR) * before
}

/// What each item is worth to the mover when the others take what is forecast. `stakes`: how much a point matters
/// in the race with each player, by order.
pub fn worth(board: &Board, turns: usize, forecast: &Forecast, stakes: &[f64]) -> Worth {
    let total: f64 = stakes.iter().sum();
    // The mover's own turn comes first within a round.
    let until = |item: usize| forecast[item].filter(|taking| taking.order > 0).map(|taking| taking.turn);
    let worth = |item: usize, turn: usize| {
        let there = until(item).map_or(1.0, |taken| chance(taken as i64 - turn as i64));
        // What is taken from a rival counts twice in the race with it.
        let rival = forecast[item].and_then(|taking| stakes.get(taking.order));
        let weight = rival.map_or(1.0, |stake| (total + stake) / total);
        let points = f64::from(board.points(item)) * weight;
        (points * POINT as f64 * 0.995f64.powi(turn as i32) * there) as i64
    };
    Worth::new(board.items().len(), turns, worth)
        .with_ends(|item| until(item).map_or(u32::MAX, |taken| taken as u32))
}

/// How much a point matters in the race with each player, by order: most where the end is expected to be close.
pub fn stakes(board: &Board, game: &Game, forecast: &Forecast) -> Vec<f64> {
    let count = game.player_count();
    let points = |order: usize| f64::from(game.purses[(game.to_move() + order) % count].points);
    let mut totals: Vec<f64> = (0..count).map(points).collect();
    let left: f64 = game.state.mussels().map(|(_, points)| f64::from(points)).sum();
    for (item, taking) in forecast.iter().enumerate() {
        if let Some(taking) = taking {
            totals[taking.order] += f64::from(board.points(item));
        }
    }
    // What I take is a share like another's.
    totals[0] = points(0) + left / count as f64;
    let spread = (left * 0.4).max(20.0);
    let stake = |order: usize| {
        if order == 0 { 0.0 } else { 0.05 + (-((totals[order] - totals[0]) / spread).powi(2)).exp() }
    };
    (0..count).map(stake).collect()
}
