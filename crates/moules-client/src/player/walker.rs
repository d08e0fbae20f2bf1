//! Players that walk from one item to the next: the simpler players, and what they make of the others' turns.

use super::weigher;
use crate::board::{Board, FAR, NOWHERE, Turning};
use crate::evaluation::bits;
use crate::rules::{Direction, MAX_PLAYERS, Move};

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

impl Aim {
    /// Which of equally short walks it takes.
    pub fn turning(self) -> Turning {
        if self == Self::Stubborn { Turning::Rows } else { Turning::Columns }
    }
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
    /// As soon as it is three steps or longer.
    Whole,
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
                Self::Whole => (3..FAR).contains(&distance),
                Self::ToArrive => (2..=3).contains(&distance),
            }
    }
}

impl Jumps {
    /// The jump that somebody does who has frites, on its way from `cell` to `item`.
    #[inline]
    pub fn now(
        self,
        board: &Board,
        cell: u32,
        item: usize,
        frites: u8,
        turning: Turning,
    ) -> Option<(u32, Direction)> {
        match self {
            Self::Never => None,
            Self::Planned => spared(board, cell, item, usize::from(frites)),
            Self::Straight => {
                let direction = board.way(cell, item, turning)?;
                let middle = board.step(cell, direction);
                (board.way(middle, item, turning) == Some(direction))
                    .then(|| (board.step(middle, direction), direction))
            }
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

/// The item that `order` of `count` players walks to by `aim`, with the frites that may be spent on the way.
pub fn choose(board: &Board, aim: Aim, scene: &Scene, order: usize, count: usize) -> Option<(usize, u8)> {
    let walker = &scene.walkers[order];
    let near = |item: &usize| board.distance(walker.cell, *item, 0);
    let mussels = bits(scene.left & board.mussels).filter(|item| near(item) != FAR);
    match aim {
        Aim::Nearest => {
            // Of equally near ones the leftmost.
            let key = |item: &usize| (near(item), board.coordinates(board.items()[*item].cell));
            mussels.min_by_key(key).map(|item| (item, u8::MAX))
        }
        Aim::Stubborn => mussels.min_by_key(near).map(|item| (item, u8::MAX)),
        Aim::Rate => {
            let rate = |item: &usize| board.points(*item) * 1000 / u32::from(near(item)).max(1);
            mussels.max_by_key(rate).map(|item| (item, u8::MAX))
        }
        Aim::Margin => weigher::choose(board, scene, order, count).map(|item| (item, u8::MAX)),
        Aim::Open | Aim::Plans => open(board, scene, order, count),
    }
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
fn towards(board: &Board, cell: u32, item: usize, turning: Turning) -> Option<(u32, Direction)> {
    board.way(cell, item, turning).map(|direction| (board.step(cell, direction), direction))
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
    if habit.aim == Aim::Margin {
        return weigher::turn(board, scene, order, count);
    }
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
    let turning = habit.aim.turning();
    let distance = board.distance(walker.cell, item, 0);
    if habit.drinks.now(walker.beers, distance) {
        let mut steps = [None; 3];
        let mut items = 0;
        let mut cell = walker.cell;
        for step in &mut steps {
            let Some((to, direction)) = towards(board, cell, item, turning) else { break };
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
        if let Some((to, direction)) = habit.jumps.now(board, walker.cell, item, spare, turning) {
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
    let Some((to, direction)) = towards(board, walker.cell, item, turning) else {
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
