//! Players that walk from one item to the next: the simpler players, and what they make of the others' turns.

use crate::board::{Board, FAR, NOWHERE};
use crate::evaluation::bits;
use crate::rules::{Direction, MAX_PLAYERS, Move};
use smallvec::SmallVec;

/// How somebody chooses the item to walk to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aim {
    /// The nearest mussel on foot.
    Nearest,
    /// The same, and it walks on even when another has taken it.
    Stubborn,
    /// The mussel with the most points for its distance on foot.
    Rate,
    /// The item, bonuses too, with the most left after a price for each turn, the next item counted in; less where
    /// another is as near.
    Margin,
    /// A mussel nobody else reaches sooner, by points for the turns.
    Open,
    /// By a plan of its own, as if alone.
    Plans,
}

/// How somebody plays who walks from item to item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Habit {
    /// Where it goes.
    pub aim: Aim,
    /// When it drinks its beers.
    pub drinks: Drinks,
    /// When it uses its frites.
    pub jumps: Jumps,
}

/// When somebody drinks a beer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Drinks {
    /// Never.
    Never,
    /// As soon as the way is two steps or longer.
    AtOnce,
    /// To arrive: when the way is two or three steps.
    ToArrive,
}

/// When somebody uses a frite.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Jumps {
    /// Never.
    Never,
    /// Where the way goes straight on.
    Straight,
    /// As its budget allows, where it comes nearer.
    Planned,
}

impl Drinks {
    /// Whether somebody does with `beers` in hand, `distance` steps from where it goes.
    #[inline]
    pub fn now(self, beers: u8, distance: u16) -> bool {
        beers > 0
            && match self {
                Self::Never => false,
                Self::AtOnce => (2..FAR).contains(&distance),
                Self::ToArrive => (2..=3).contains(&distance),
            }
    }
}

impl Jumps {
    /// The jump that somebody does who has frites, on its way from `cell` to `item`.
    #[inline]
    pub fn now(self, board: &Board, cell: u32, item: usize, frites: u8) -> Option<(u32, Direction)> {
        let distance = board.distance(cell, item, 0);
        let saves = |to: u32, after: u16| {
            to != NOWHERE && board.distance(to, item, 0).saturating_add(after) <= distance
        };
        let jumps = Direction::ALL.into_iter().map(|direction| (board.jump(cell, direction), direction));
        match self {
            Self::Never => None,
            Self::Planned => spared(board, cell, item, usize::from(frites)),
            Self::Straight => jumps
                .filter(|&(to, direction)| saves(to, 2) && saves(board.step(cell, direction), 1))
                .find(|&(to, _)| board.distance(to, item, 0).saturating_add(2) == distance),
        }
    }
}

/// No item.
pub const NONE: u8 = u8::MAX;

/// A player on its way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Walker {
    /// Where it stands.
    pub cell: u32,
    /// Frites in hand.
    pub frites: u8,
    /// Beers in hand.
    pub beers: u8,
    /// The item it walks to, or [`NONE`].
    pub aim: u8,
    /// Frites it may spend on the way there.
    pub budget: u8,
    /// The number of the course it follows, or [`NONE`].
    pub course: u8,
    /// The next turn of that course.
    pub at: u8,
}

impl Walker {
    /// A player that has not chosen yet.
    pub fn new(cell: u32, frites: u32, beers: u32) -> Self {
        let few = |count: u32| count.min(150) as u8;
        Self { cell, frites: few(frites), beers: few(beers), aim: NONE, budget: 0, course: NONE, at: 0 }
    }
}

/// Everybody on the way, in the order of play, and what is left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scene {
    /// The items left, as bits of the board.
    pub left: u64,
    /// Who stands where.
    pub walkers: [Walker; MAX_PLAYERS],
}

/// The price of a turn, and what bonuses are worth, to who plays by margin: in tenths of a point.
const TURN: i32 = 16;
const FRITE: i32 = 250;
const BEER: i32 = 350;

/// The item that `order` of `count` players walks to by `aim`, with the frites that may be spent on the way.
pub fn choose(board: &Board, aim: Aim, scene: &Scene, order: usize, count: usize) -> Option<(usize, u8)> {
    let walker = &scene.walkers[order];
    let near = |item: &usize| board.distance(walker.cell, *item, 0);
    let mussels = bits(scene.left & board.mussels).filter(|item| near(item) != FAR);
    match aim {
        Aim::Nearest | Aim::Stubborn => mussels.min_by_key(near).map(|item| (item, u8::MAX)),
        Aim::Rate => {
            let rate = |item: &usize| board.points(*item) * 1000 / u32::from(near(item)).max(1);
            mussels.max_by_key(rate).map(|item| (item, u8::MAX))
        }
        Aim::Margin => by_margin(board, scene, order, count, 2).map(|item| (item, u8::MAX)),
        Aim::Open | Aim::Plans => open(board, scene, order, count),
    }
}

/// Ten times the points an item is worth to who plays by margin, before the way to it.
fn base(board: &Board, item: usize) -> i32 {
    match 1 << item {
        bit if board.frites & bit != 0 => FRITE,
        bit if board.beers & bit != 0 => BEER,
        _ => 10 * board.points(item) as i32,
    }
}

/// The first item of the best sequence of up to `depth` among the eight best.
pub fn by_margin(board: &Board, scene: &Scene, order: usize, count: usize, depth: usize) -> Option<usize> {
    const WIDTH: usize = 8;
    let few = (scene.left & board.mussels).count_ones() <= 3;
    let wanted = if few { scene.left & board.mussels } else { scene.left };
    let walker = &scene.walkers[order];
    let mut items: SmallVec<[Prize; 32]> = SmallVec::new();
    for item in bits(wanted) {
        let walk = board.distance(walker.cell, item, usize::from(walker.frites));
        if walk == FAR {
            continue;
        }
        let others = (0..count).filter(|&other| other != order);
        let rival =
            others.map(|other| board.distance(scene.walkers[other].cell, item, 0)).min().unwrap_or(FAR);
        let turns = walk - 2 * u16::from(walker.beers).min(walk / 3);
        let prize = Prize { item, base: base(board, item), rival, margin: 0 };
        items.push(Prize { margin: prize.after(turns), ..prize });
    }
    items.sort_by_key(|prize| -prize.margin);
    items.truncate(WIDTH);
    let first = items
        .iter()
        .enumerate()
        .map(|(at, prize)| (prize.margin + sequel(board, &items, at, 1 << at, depth - 1, 70), prize.item));
    first.max_by_key(|&(total, _)| total).map(|(_, item)| item)
}

/// An item to who plays by margin.
#[derive(Debug, Clone, Copy)]
struct Prize {
    item: usize,
    base: i32,
    /// Steps from it to the nearest other player.
    rival: u16,
    margin: i32,
}

impl Prize {
    /// What is left of it after so many turns.
    fn after(&self, turns: u16) -> i32 {
        let share = match i32::from(turns) - i32::from(self.rival) {
            ..0 => 4,
            0 => 2,
            1 => 1,
            _ => 0,
        };
        self.base * share / 4 - TURN * i32::from(turns)
    }
}

/// What the best sequence adds that goes on from `items[at]`, each item counted for 70 % of the one before.
fn sequel(board: &Board, items: &[Prize], at: usize, used: u32, depth: usize, percent: i32) -> i32 {
    if depth == 0 {
        return 0;
    }
    let from = board.items()[items[at].item].cell;
    let next =
        items.iter().enumerate().filter(|&(next, _)| used >> next & 1 == 0).filter_map(|(next, prize)| {
            let walk = board.distance(from, prize.item, 0);
            let rest = || sequel(board, items, next, used | 1 << next, depth - 1, percent * 7 / 10);
            (walk != FAR).then(|| prize.after(walk) * percent / 100 + rest())
        });
    next.max().unwrap_or(0)
}

/// Turns that a frite must save to be spent.
const FRITE_SAVES: u16 = 3;

fn open(board: &Board, scene: &Scene, order: usize, count: usize) -> Option<(usize, u8)> {
    let walker = scene.walkers[order];
    let mut best: Option<(u64, usize, u8)> = None;
    for item in bits(scene.left & board.mussels) {
        let mut distance = board.distance(walker.cell, item, 0);
        let mut used = 0;
        for frites in 1..=usize::from(walker.frites).min(board.most_jumps()) {
            let shorter = board.distance(walker.cell, item, frites);
            if u32::from(shorter) + u32::from(FRITE_SAVES) * (frites as u32 - u32::from(used))
                <= u32::from(distance)
            {
                distance = shorter;
                used = frites as u8;
            }
        }
        if distance == FAR {
            continue;
        }
        let turns = |distance: u16, beers: u8| (distance - 2 * u16::from(beers).min(distance / 3)).max(1);
        let mine = turns(distance, walker.beers);
        let sooner = (0..count).filter(|&other| other != order).any(|other| {
            let rival = &scene.walkers[other];
            let distance = board.distance(rival.cell, item, 0);
            // One that plainly walks elsewhere is no rival yet.
            let comes = rival.aim == NONE || usize::from(rival.aim) == item;
            let theirs = turns(distance, rival.beers);
            comes && distance != FAR && (theirs < mine || (theirs == mine && other < order))
        });
        let rate = u64::from(board.points(item)) * 64 / (u64::from(mine) + 2);
        let rate = if sooner { rate / 8 } else { rate };
        if best.is_none_or(|(other, ..)| rate > other) {
            best = Some((rate, item, used));
        }
    }
    best.map(|(_, item, used)| (item, used))
}

/// The next cell on foot from `cell` to `item`.
#[inline]
fn towards(board: &Board, cell: u32, item: usize) -> Option<(u32, Direction)> {
    board.towards(cell, item).map(|direction| (board.step(cell, direction), direction))
}

/// One turn of player `order`: its move, where it ends, and the items on its way; `None` when it stays.
#[inline]
pub fn turn(
    board: &Board,
    habit: Habit,
    scene: &mut Scene,
    order: usize,
    count: usize,
) -> Option<(Move, u32, u64)> {
    let walker = scene.walkers[order];
    let arrived = |walker: &Walker| walker.cell == board.items()[usize::from(walker.aim)].cell;
    let keeps = walker.aim != NONE
        && (scene.left >> walker.aim & 1 != 0 || (habit.aim == Aim::Stubborn && !arrived(&walker)));
    if !keeps {
        let chosen = choose(board, habit.aim, scene, order, count);
        let walker = &mut scene.walkers[order];
        (walker.aim, walker.budget) = chosen.map_or((NONE, 0), |(item, budget)| (item as u8, budget));
    }
    let walker = &mut scene.walkers[order];
    if walker.aim == NONE {
        return None;
    }
    let item = usize::from(walker.aim);
    let distance = board.distance(walker.cell, item, 0);
    if habit.drinks.now(walker.beers, distance) {
        let mut steps = [None; 3];
        let mut items = 0;
        let mut cell = walker.cell;
        for step in &mut steps {
            let Some((to, direction)) = towards(board, cell, item) else { break };
            *step = Some(direction);
            items |= board.bit(to);
            cell = to;
        }
        walker.cell = cell;
        walker.beers -= 1;
        return Some((Move::Beer(steps), cell, items));
    }
    let spare = walker.frites.min(walker.budget);
    if spare > 0 && habit.jumps != Jumps::Never {
        if let Some((to, direction)) = habit.jumps.now(board, walker.cell, item, spare) {
            walker.cell = to;
            walker.frites -= 1;
            walker.budget -= 1;
            return Some((Move::Jump(direction), to, board.bit(to)));
        }
        if habit.jumps == Jumps::Planned
            && let Some((to, direction)) = nearer(board, walker.cell, item, usize::from(spare))
        {
            walker.cell = to;
            return Some((Move::Step(direction), to, board.bit(to)));
        }
    }
    let Some((to, direction)) = towards(board, walker.cell, item) else {
        // Its frites were spent, or it cannot be reached on foot.
        walker.aim = NONE;
        return None;
    };
    walker.cell = to;
    Some((Move::Step(direction), to, board.bit(to)))
}

/// A step that comes nearer to `item` for who has `frites`.
fn nearer(board: &Board, cell: u32, item: usize, frites: usize) -> Option<(u32, Direction)> {
    let distance = board.distance(cell, item, frites);
    let steps = Direction::ALL.into_iter().map(|direction| (board.step(cell, direction), direction));
    steps.into_iter().find(|&(to, _)| to != NOWHERE && board.distance(to, item, frites) < distance)
}

/// A jump that comes nearer to `item` for who has `frites`, where no step does.
fn spared(board: &Board, cell: u32, item: usize, frites: usize) -> Option<(u32, Direction)> {
    if frites == 0 || nearer(board, cell, item, frites).is_some() {
        return None;
    }
    let distance = board.distance(cell, item, frites);
    let jumps = Direction::ALL.into_iter().map(|direction| (board.jump(cell, direction), direction));
    jumps.into_iter().find(|&(to, _)| to != NOWHERE && board.distance(to, item, frites - 1) < distance)
}
