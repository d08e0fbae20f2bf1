//! The margin policy: the item whose points, and those of what can follow it, lose least by the turns they take.
//!
//! Going to an item is one action of several turns in a discounted decision process. Each player has a discount a turn,
//! a value for a bonus beside a mussel's points, and a regard for others who are nearer; none is known, and
//! [`model`](super::model) finds the likeliest for each player from its turns.
//!
//! Source: actions of several turns: Sutton, Precup & Singh, "Between MDPs and semi-MDPs" (1999). Parameters of a type
//! found while playing: Albrecht & Stone, "Reasoning about hypothetical agent behaviours and their parameters" (2017).

use super::state::JointState;
use crate::player::maze::{FAR, Maze, bits};

/// A player's weights of items.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Margin {
    /// The discount of an item's value a turn.
    discount: f32,
    /// The value of a bonus, in points.
    bonus: f32,
    /// The discount of an item's value where another player is nearer.
    contested: f32,
}

const DISCOUNTS: usize = 5;
const BONUSES: usize = 4;
const REGARDS: usize = 2;

/// The number of margins that are told apart.
pub const MARGINS: usize = DISCOUNTS * BONUSES * REGARDS;

impl Margin {
    /// Margin number `number` of [`MARGINS`].
    #[must_use]
    pub const fn numbered(number: u8) -> Self {
        let number = number as usize % MARGINS;
        Self {
            discount: [0.93, 0.89, 0.96, 0.85, 0.80][number % DISCOUNTS],
            bonus: [0.0, 5.0, 12.0, 30.0][number / DISCOUNTS % BONUSES],
            contested: [0.8, 1.0][number / DISCOUNTS / BONUSES],
        }
    }
}

/// The number of a margin that nothing is known against.
pub const USUAL: u8 = 0;

/// Turns whose discount is tabulated.
const TURNS: usize = 256;
/// Sets of items whose values are kept, a power of two.
const SLOTS: usize = 1 << 12;

/// The values of items to players with margins, kept as they are met.
#[derive(Debug, Clone)]
pub struct MarginValues {
    items: usize,
    /// For each discount: what is left after so many turns.
    left_after: Vec<[f32; TURNS]>,
    /// For each discount: what is left on the way from each item to each other.
    between: Vec<f32>,
    /// For each slot: the set of items and the margin.
    keys: Vec<(u64, u8)>,
    /// For each slot: each item's value.
    values: Vec<f32>,
}

impl MarginValues {
    /// Those of `maze`, none of them made yet.
    #[must_use]
    pub fn new(maze: &Maze) -> Self {
        let items = maze.items().len();
        let discounts = (0..DISCOUNTS as u8).map(|number| Margin::numbered(number).discount);
        let left_after: Vec<[f32; TURNS]> =
            discounts.map(|discount| std::array::from_fn(|turns| discount.powi(turns as i32))).collect();
        let mut between = Vec::with_capacity(DISCOUNTS * items * items);
        for table in &left_after {
            for from in maze.items() {
                between.extend((0..items).map(|to| after(table, maze.distance(from.cell, to, 0))));
            }
        }
        Self {
            items,
            left_after,
            between,
            keys: vec![(u64::MAX, u8::MAX); SLOTS],
            values: vec![0.0; SLOTS * items],
        }
    }

    /// Makes each item's value at its taking when `left` is left: its own, and that of the two best to follow.
    fn onward(&mut self, maze: &Maze, number: u8, left: u64) {
        let slot = slot(left, number);
        let range = slot * self.items..(slot + 1) * self.items;
        if self.keys[slot] == (left, number) {
            return;
        }
        self.keys[slot] = (left, number);
        let margin = Margin::numbered(number);
        let own = |item: usize| match maze.points(item) {
            0 => margin.bonus,
            points => points as f32,
        };
        let table = usize::from(number) % DISCOUNTS * self.items * self.items;
        let between = &self.between[table..][..self.items * self.items];
        let way = |from: usize, to: usize| between[from * self.items + to];
        // The best and the second best last items after each one: the best may be the one before it.
        let mut last = [(0.0f32, usize::MAX, 0.0f32); 64];
        for from in bits(left) {
            let (mut best, mut which, mut second) = (0.0, usize::MAX, 0.0);
            for to in bits(left & !(1 << from)) {
                let value = way(from, to) * own(to);
                if value > best {
                    (second, best, which) = (best, value, to);
                } else if value > second {
                    second = value;
                }
            }
            last[from] = (best, which, second);
        }
        let values = &mut self.values[range];
        for first in bits(left) {
            let follows = bits(left & !(1 << first)).map(|next| {
                let (best, which, second) = last[next];
                way(first, next) * (own(next) + if which == first { second } else { best })
            });
            values[first] = own(first) + follows.fold(0.0, f32::max);
        }
    }

    /// The item that `order` of `count` players goes to by margin number `number`.
    pub fn choose(
        &mut self,
        maze: &Maze,
        number: u8,
        state: &JointState,
        order: usize,
        count: usize,
    ) -> Option<usize> {
        self.onward(maze, number, state.left);
        let values = &self.values[slot(state.left, number) * self.items..][..self.items];
        let table = &self.left_after[usize::from(number) % DISCOUNTS];
        let contested = Margin::numbered(number).contested;
        let me = &state.agents[order];
        let mut best = (0.0, None);
        for item in bits(state.left) {
            let turns = maze.turns(me.cell, item, me.frites, me.beers);
            let mut value = after(table, turns) * values[item];
            if value > best.0 && contested < 1.0 {
                let foot = maze.distance(me.cell, item, 0);
                let others = state.agents.iter().take(count).enumerate().filter(|&(other, _)| other != order);
                if others.into_iter().any(|(_, other)| maze.distance(other.cell, item, 0) < foot) {
                    value *= contested;
                }
            }
            if value > best.0 {
                best = (value, Some(item));
            }
        }
        best.1
    }
}

/// The place of a set's values.
fn slot(left: u64, number: u8) -> usize {
    ((left ^ u64::from(number) << 56).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 52) as usize % SLOTS
}

/// The share of a value left after `turns`.
#[inline]
fn after(table: &[f32; TURNS], turns: u16) -> f32 {
    if turns == FAR { 0.0 } else { table[usize::from(turns).min(TURNS - 1)] }
}
