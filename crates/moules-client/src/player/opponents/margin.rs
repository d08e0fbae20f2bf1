//! The margin policy: goes to the item whose discounted value, with those that can follow, is greatest.
//!
//! Walking to an item is one option of several turns in a discounted decision process. The parameters are the discount
//! a turn, the value of a bonus in points, and the discount where another player is nearer. They are not known;
//! [`model`](super::model) finds the likeliest for each player from its moves.
//!
//! Sources: Sutton, Precup & Singh, "Between MDPs and semi-MDPs" (1999), for options; Albrecht & Stone, "Reasoning
//! about hypothetical agent behaviours and their parameters" (2017), for inferring the parameters during play.

use super::state::JointState;
use crate::maze::{FAR, Maze, bits};

/// The parameters of a margin policy.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Margin {
    /// The factor on an item's value for each turn.
    discount: f32,
    /// The value of a bonus, in points.
    bonus: f32,
    /// The factor on an item's value where another player is nearer.
    contested: f32,
}

const DISCOUNTS: usize = 5;
const BONUSES: usize = 4;
const REGARDS: usize = 2;

/// The number of margin policies considered.
pub const MARGINS: usize = DISCOUNTS * BONUSES * REGARDS;

impl Margin {
    /// Returns the margin policy of index `number`, below [`MARGINS`].
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

/// The index of the default margin policy.
pub const USUAL: u8 = 0;

/// Length of the discount tables, in turns.
const TURNS: usize = 256;
/// Number of cached item sets, a power of two.
const SLOTS: usize = 1 << 12;

/// Cached values of items under the margin policies.
#[derive(Debug, Clone)]
pub struct MarginValues {
    items: usize,
    /// For each discount, the factor after each number of turns.
    left_after: Vec<[f32; TURNS]>,
    /// For each discount, the factor on the way from each item to each other.
    between: Vec<f32>,
    /// The item set and the margin policy cached in each slot.
    keys: Vec<(u64, u8)>,
    /// The value of each item, by slot.
    values: Vec<f32>,
}

impl MarginValues {
    /// Creates an empty cache for `maze`.
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

    /// Computes the value of each item of `left` when it is taken: its own, and that of the two best to follow.
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
        // The best and the second best item to follow each one, because the best may be its predecessor.
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

    /// Returns the item that player `order` of `count` goes to under margin policy `number`.
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

/// Returns the cache slot of an item set.
fn slot(left: u64, number: u8) -> usize {
    ((left ^ u64::from(number) << 56).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 52) as usize % SLOTS
}

/// Returns the discount factor after `turns`.
#[inline]
fn after(table: &[f32; TURNS], turns: u16) -> f32 {
    if turns == FAR { 0.0 } else { table[usize::from(turns).min(TURNS - 1)] }
}
