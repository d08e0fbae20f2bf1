//! Who weighs: the item with the most left after a price for each turn, the next ones counted in, less where another
//! is as near; chosen anew every turn, bonuses kept until the way is longer without them.

use super::walker::Scene;
use crate::board::{Board, FAR, LANES, MAX_ITEMS, NOWHERE};
use crate::evaluation::bits;
use crate::rules::{Direction, Move};
use smallvec::SmallVec;

/// The price of a turn: in points.
const TURN: f32 = 1.6;
/// What the use of a frite and of a beer costs.
const JUMP: f32 = 20.0;
const DRINK: f32 = 28.0;
/// Items weighed against one another, and items in a sequence.
const WIDTH: usize = 8;
const DEPTH: usize = 4;
/// What an item counts beside the one before it.
const LATER: f32 = 0.7;

/// The order in which it looks at directions.
const ORDER: [Direction; 4] = [Direction::North, Direction::South, Direction::East, Direction::West];

/// What is left of an item that weighs `weight`, after so many turns.
#[inline(always)]
fn margin(weight: f32, turns: u16, rival: u16) -> f32 {
    // Without branches, as it is asked for whole rows.
    let later = if turns == rival.wrapping_add(1) { 0.25 } else { 0.0 };
    let same = if turns == rival { 0.5 } else { later };
    let share = if turns < rival { 1.0 } else { same };
    weight * share - TURN * f32::from(turns)
}

/// The steps to each item from the nearest player other than `order`.
fn rivals(board: &Board, scene: &Scene, order: usize, count: usize) -> [u16; MAX_ITEMS] {
    let mut nearest = [FAR; MAX_ITEMS];
    for other in (0..count).filter(|&other| other != order) {
        let row = board.distances_from(scene.walkers[other].cell, 0);
        for (nearest, row) in nearest.chunks_exact_mut(LANES).zip(row.chunks_exact(LANES)) {
            for (nearest, &walk) in nearest.iter_mut().zip(row) {
                *nearest = walk.min(*nearest);
            }
        }
    }
    nearest
}

/// The item that `order` goes for.
pub fn choose(board: &Board, scene: &Scene, order: usize, count: usize) -> Option<usize> {
    among(board, scene, order, &rivals(board, scene, order, count))
}

fn among(board: &Board, scene: &Scene, order: usize, rivals: &[u16; MAX_ITEMS]) -> Option<usize> {
    let mussels = scene.left & board.mussels;
    let wanted = if mussels.count_ones() <= 3 { mussels } else { scene.left };
    let walker = &scene.walkers[order];
    let mut prizes = [(0.0, 0); MAX_ITEMS];
    let mut found = 0;
    for &item in board.by_cell.iter().filter(|&&item| wanted >> item & 1 != 0) {
        let item = usize::from(item);
        let turns = board.turns(walker.cell, item, walker.frites, walker.beers);
        prizes[found] = (margin(board.weights[item], turns, rivals[item]), item);
        found += usize::from(turns != FAR);
    }
    let prizes = &mut prizes[..found];
    let width = WIDTH.min(found);
    for at in 0..width {
        let (mut best, mut most) = (at, prizes[at].0);
        for (other, &(first, _)) in prizes.iter().enumerate().skip(at + 1) {
            (best, most) = if first > most { (other, first) } else { (best, most) };
        }
        prizes.swap(at, best);
    }
    let prizes = &prizes[..width];
    let sequels = Sequels::new(board, prizes, rivals);
    let depth = DEPTH.min(width).saturating_sub(1);
    let mut best: Option<(f32, usize)> = None;
    for (at, &(first, item)) in prizes.iter().enumerate() {
        let floor = best.map_or(f32::MIN, |(best, _)| best);
        if first + LATER * sequels.most[2][at] <= floor {
            continue;
        }
        let total = first + sequels.best(at, 1 << at, depth, LATER, floor - first);
        if total > floor {
            best = Some((total, item));
        }
    }
    best.map(|(_, item)| item)
}

/// What items are worth one after the other.
struct Sequels {
    width: usize,
    /// What each is worth, right after each.
    after: [[f32; WIDTH]; WIDTH],
    /// No more than this can follow each with one, two, three items; nothing is never more.
    most: [[f32; WIDTH]; DEPTH - 1],
}

impl Sequels {
    fn new(board: &Board, prizes: &[(f32, usize)], rivals: &[u16; MAX_ITEMS]) -> Self {
        let mut walks = [[FAR; WIDTH]; WIDTH];
        for (at, &(_, from)) in prizes.iter().enumerate() {
            let row = board.distances_from(board.items()[from].cell, 0);
            for (to, &(_, item)) in prizes.iter().enumerate() {
                walks[to][at] = if to == at { FAR } else { row[item] };
            }
        }
        let mut after = [[f32::MIN; WIDTH]; WIDTH];
        for ((after, walks), &(_, item)) in after.iter_mut().zip(&walks).zip(prizes) {
            let (weight, rival) = (board.weights[item], rivals[item]);
            for (after, &walk) in after.iter_mut().zip(walks) {
                *after = if walk == FAR { f32::MIN } else { margin(weight, walk, rival) };
            }
        }
        Self::of(after, prizes.len())
    }

    /// `after` tells for each item what it is worth after each.
    fn of(after: [[f32; WIDTH]; WIDTH], width: usize) -> Self {
        let mut most = [[0.0f32; WIDTH]; DEPTH - 1];
        for further in 0..DEPTH - 1 {
            let next = if further == 0 { [0.0; WIDTH] } else { most[further - 1] };
            for (after, next) in after.iter().zip(next) {
                for (most, after) in most[further].iter_mut().zip(after) {
                    let total = after + LATER * next;
                    *most = if total > *most { total } else { *most };
                }
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
            let next = self.after[to][from];
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
    let rivals = rivals(board, scene, order, count);
    let item = among(board, scene, order, &rivals)?;
    let choices = nearer(board, scene, order, item);
    let best = match choices.as_slice() {
        [only] => *only,
        choices => {
            // The first of equal ones.
            let mut best: Option<(f32, Choice)> = None;
            for choice in choices {
                let had: f32 = bits(choice.items).map(|item| board.weights[item]).sum();
                let ahead = ahead(board, choice.cell, scene.left & !choice.items, &rivals);
                let value = had - choice.cost + ahead;
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

/// What the best of the items `left` is worth from `cell`; nothing when none can be reached.
fn ahead(board: &Board, cell: u32, left: u64, rivals: &[u16; MAX_ITEMS]) -> f32 {
    let rows = board.distances_from(cell, 0).chunks_exact(LANES).zip(board.weights.chunks_exact(LANES));
    let mut best = [f32::MIN; LANES];
    for ((number, (walks, weights)), rivals) in rows.enumerate().zip(rivals.chunks_exact(LANES)) {
        let left = (left >> (number * LANES)) as u32;
        for lane in 0..LANES {
            let value = margin(weights[lane], walks[lane], rivals[lane]);
            let counts = (left >> lane & 1 != 0) & (walks[lane] != FAR);
            let value = if counts { value } else { f32::MIN };
            best[lane] = if value > best[lane] { value } else { best[lane] };
        }
    }
    let best = best.into_iter().fold(f32::MIN, f32::max);
    if best == f32::MIN { 0.0 } else { best }
}

/// The turns after which `order` is nearer to `item`, steps first.
fn nearer(board: &Board, scene: &Scene, order: usize, item: usize) -> SmallVec<[Choice; 8]> {
    let walker = scene.walkers[order];
    let now = board.turns(walker.cell, item, walker.frites, walker.beers);
    let mut choices: SmallVec<[Choice; 8]> = SmallVec::new();
    let mut consider = |mv: Move, cell: u32, items: u64, (frites, beers): (u8, u8), cost: f32| {
        let taken = items & scene.left;
        let frites = walker.frites - frites + (board.frites & taken).count_ones() as u8;
        let beers = walker.beers - beers + (board.beers & taken).count_ones() as u8;
        if board.turns(cell, item, frites, beers) < now {
            // Many triples of steps come to the same.
            let same = |other: &Choice| (other.cell, other.items, other.cost) == (cell, taken, cost);
            if !choices.iter().any(same) {
                choices.push(Choice { mv, cell, items: taken, cost });
            }
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
