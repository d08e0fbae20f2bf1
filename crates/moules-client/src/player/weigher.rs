//! Who weighs: the item with the most left after a price for each turn, the next ones counted in, less where another
//! is as near; chosen anew every turn, bonuses kept until the way is longer without them.

use super::walker::Scene;
use crate::board::{Board, FAR, MAX_ITEMS, NOWHERE};
use crate::evaluation::bits;
use crate::rules::{Direction, Move};
use smallvec::SmallVec;

/// The price of a turn, and what bonuses are worth: in points.
const TURN: f32 = 1.6;
const FRITE: f32 = 25.0;
const BEER: f32 = 35.0;
/// What the use of one costs.
const JUMP: f32 = 20.0;
const DRINK: f32 = 28.0;
/// Items weighed against one another, and items in a sequence.
const WIDTH: usize = 8;
const DEPTH: usize = 4;
/// What an item counts beside the one before it.
const LATER: f32 = 0.7;

/// The order in which it looks at directions.
const ORDER: [Direction; 4] = [Direction::North, Direction::South, Direction::East, Direction::West];

/// Points of an item before the way to it.
fn base(board: &Board, item: usize) -> f32 {
    match 1 << item {
        bit if board.frites & bit != 0 => FRITE,
        bit if board.beers & bit != 0 => BEER,
        _ => board.points(item) as f32,
    }
}

/// What is left of an item after so many turns.
#[inline]
fn margin(base: f32, turns: u16, rival: u16) -> f32 {
    let share = if rival == FAR || turns < rival {
        1.0
    } else {
        match turns - rival {
            0 => 0.5,
            1 => 0.25,
            _ => 0.0,
        }
    };
    base * share - TURN * f32::from(turns)
}

#[derive(Debug, Clone, Copy, Default)]
struct Prize {
    item: usize,
    base: f32,
    rival: u16,
    first: f32,
}

/// The steps from `item` to the nearest player other than `order`.
#[inline]
fn rival(board: &Board, scene: &Scene, order: usize, count: usize, item: usize) -> u16 {
    let others = (0..count).filter(|&other| other != order);
    others.map(|other| board.distance(scene.walkers[other].cell, item, 0)).min().unwrap_or(FAR)
}

/// The item that `order` goes for.
pub fn choose(board: &Board, scene: &Scene, order: usize, count: usize) -> Option<usize> {
    let mussels = scene.left & board.mussels;
    let wanted = if mussels.count_ones() <= 3 { mussels } else { scene.left };
    let walker = &scene.walkers[order];
    let mut prizes = [Prize::default(); MAX_ITEMS];
    let mut found = 0;
    for item in bits(wanted) {
        let turns = board.turns(walker.cell, item, walker.frites, walker.beers);
        if turns == FAR {
            continue;
        }
        let (base, rival) = (base(board, item), rival(board, scene, order, count, item));
        prizes[found] = Prize { item, base, rival, first: margin(base, turns, rival) };
        found += 1;
    }
    let prizes = &mut prizes[..found];
    prizes.sort_by_key(|prize| board.items()[prize.item].cell);
    let width = WIDTH.min(found);
    for at in 0..width {
        let mut best = at;
        for other in at + 1..prizes.len() {
            if prizes[other].first > prizes[best].first {
                best = other;
            }
        }
        prizes.swap(at, best);
    }
    let prizes = &prizes[..width];
    let sequels = Sequels::new(board, prizes);
    let depth = DEPTH.min(width).saturating_sub(1);
    let mut best: Option<(f32, usize)> = None;
    for (at, prize) in prizes.iter().enumerate() {
        let floor = best.map_or(f32::MIN, |(best, _)| best);
        if prize.first + LATER * sequels.most[2][at] <= floor {
            continue;
        }
        let total = prize.first + sequels.best(at, 1 << at, depth, LATER, floor - prize.first);
        if total > floor {
            best = Some((total, prize.item));
        }
    }
    best.map(|(_, item)| item)
}

/// What items are worth one after the other.
struct Sequels {
    width: usize,
    /// What each is worth right after each.
    after: [[f32; WIDTH]; WIDTH],
    /// No more than this can follow each with one, two, three items; nothing is never more.
    most: [[f32; WIDTH]; DEPTH - 1],
}

impl Sequels {
    fn new(board: &Board, prizes: &[Prize]) -> Self {
        let width = prizes.len();
        let mut after = [[f32::MIN; WIDTH]; WIDTH];
        for (at, from) in prizes.iter().enumerate() {
            let cell = board.items()[from.item].cell;
            for (to, prize) in prizes.iter().enumerate() {
                let walk = board.distance(cell, prize.item, 0);
                if to != at && walk != FAR {
                    after[at][to] = margin(prize.base, walk, prize.rival);
                }
            }
        }
        Self::of(after, width)
    }

    fn of(after: [[f32; WIDTH]; WIDTH], width: usize) -> Self {
        let mut most = [[0.0; WIDTH]; DEPTH - 1];
        for (most, after) in most[0].iter_mut().zip(&after) {
            *most = after.iter().copied().fold(0.0, f32::max);
        }
        for further in 1..DEPTH - 1 {
            for at in 0..width {
                let follow = |to: usize| after[at][to] + LATER * most[further - 1][to];
                most[further][at] = (0..width).map(follow).fold(0.0, f32::max);
            }
        }
        Self { width, after, most }
    }

    /// The most that up to `depth` items not `used` add after `from`, the first of them counted by `share`; any
    /// value that is no more than `floor` may be given for it.
    fn best(&self, from: usize, used: u32, depth: usize, share: f32, floor: f32) -> f32 {
        if depth == 0 {
            return 0.0;
        }
        let mut best = f32::MIN;
        let mut any = false;
        for to in (0..self.width).filter(|to| used >> to & 1 == 0) {
            let next = self.after[from][to];
            if next == f32::MIN {
                continue;
            }
            any = true;
            let total = share * next;
            let floor = best.max(floor);
            let most = if depth > 1 { share * LATER * self.most[depth - 2][to] } else { 0.0 };
            if total + most > floor {
                let rest = self.best(to, used | 1 << to, depth - 1, share * LATER, floor - total);
                best = best.max(total + rest);
            }
        }
        if any { best } else { 0.0 }
    }
}

/// A turn that brings somebody nearer.
#[derive(Debug, Clone, Copy)]
struct Choice {
    mv: Move,
    cell: u32,
    items: u64,
    cost: f32,
}

/// One turn of `order`: its move, where it ends, and the items on its way.
pub fn turn(board: &Board, scene: &mut Scene, order: usize, count: usize) -> Option<(Move, u32, u64)> {
    let item = choose(board, scene, order, count)?;
    let choices = nearer(board, scene, order, item);
    let best = match choices.as_slice() {
        [only] => *only,
        choices => {
            let mut rivals = [0; MAX_ITEMS];
            bits(scene.left).for_each(|item| rivals[item] = rival(board, scene, order, count, item));
            let value = |choice: &Choice| {
                let taken = choice.items & scene.left;
                let had: f32 = bits(taken).map(|item| base(board, item)).sum();
                let ahead = bits(scene.left & !taken).filter_map(|item| {
                    let walk = board.distance(choice.cell, item, 0);
                    (walk != FAR).then(|| margin(base(board, item), walk, rivals[item]))
                });
                had - choice.cost + ahead.reduce(f32::max).unwrap_or(0.0)
            };
            // The first of equal ones.
            let mut best: Option<(f32, Choice)> = None;
            for choice in choices {
                let value = value(choice);
                if best.is_none_or(|(other, _)| value > other) {
                    best = Some((value, *choice));
                }
            }
            best?.1
        }
    };
    let walker = &mut scene.walkers[order];
    walker.frites -= u8::from(matches!(best.mv, Move::Jump(_)));
    walker.beers -= u8::from(matches!(best.mv, Move::Beer(_)));
    (walker.cell, walker.aim) = (best.cell, item as u8);
    Some((best.mv, best.cell, best.items))
}

/// The turns after which `order` is nearer to `item`, steps first.
fn nearer(board: &Board, scene: &Scene, order: usize, item: usize) -> SmallVec<[Choice; 8]> {
    let walker = scene.walkers[order];
    let now = board.turns(walker.cell, item, walker.frites, walker.beers);
    let mut choices = SmallVec::new();
    let mut consider = |mv: Move, cell: u32, items: u64, (frites, beers): (u8, u8), cost: f32| {
        let taken = items & scene.left;
        let frites = walker.frites - frites + (board.frites & taken).count_ones() as u8;
        let beers = walker.beers - beers + (board.beers & taken).count_ones() as u8;
        if board.turns(cell, item, frites, beers) < now {
            choices.push(Choice { mv, cell, items: taken, cost });
        }
    };
    for direction in ORDER {
        let cell = board.step(walker.cell, direction);
        if cell != NOWHERE {
            consider(Move::Step(direction), cell, board.bit(cell), (0, 0), 0.0);
        }
    }
    for direction in ORDER.into_iter().filter(|_| walker.frites > 0) {
        let cell = board.jump(walker.cell, direction);
        if cell != NOWHERE {
            consider(Move::Jump(direction), cell, board.bit(cell), (1, 0), JUMP);
        }
    }
    if walker.beers > 0 {
        // Blocked steps are skipped.
        let step = |(cell, items): (u32, u64), direction| match board.step(cell, direction) {
            NOWHERE => (cell, items),
            next => (next, items | board.bit(next)),
        };
        for first in ORDER {
            let one = step((walker.cell, 0), first);
            for second in ORDER {
                let two = step(one, second);
                for third in ORDER {
                    let (cell, items) = step(two, third);
                    let steps = [Some(first), Some(second), Some(third)];
                    consider(Move::Beer(steps), cell, items, (0, 1), DRINK);
                }
            }
        }
    }
    choices
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_cut_from_the_sequels_changes_nothing() {
        let mut seed = 1u64;
        let mut number = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 40) as f32 / (1 << 18) as f32 - 30.0
        };
        for width in 1..=WIDTH {
            for _ in 0..20 {
                let mut after = [[f32::MIN; WIDTH]; WIDTH];
                for (at, row) in after.iter_mut().enumerate().take(width) {
                    let others = row.iter_mut().enumerate().take(width).filter(|&(to, _)| to != at);
                    others.for_each(|(_, worth)| *worth = number());
                }
                let cut = Sequels::of(after, width);
                let mut plain = Sequels::of(after, width);
                plain.most = [[1e9; WIDTH]; DEPTH - 1];
                for at in 0..width {
                    for depth in 0..DEPTH {
                        let best = plain.best(at, 1 << at, depth, LATER, f32::MIN);
                        assert_eq!(cut.best(at, 1 << at, depth, LATER, f32::MIN), best);
                        let floor = best - 1.0;
                        assert_eq!(cut.best(at, 1 << at, depth, LATER, floor), best);
                    }
                }
            }
        }
    }
}
