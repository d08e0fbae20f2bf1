//! Policies: the item that a player goes to, and its use of bonuses on the way.
//!
//! Source: three of the policies imitate public clients: 24hiut, IA_HighSchool_Project and superAI.

use super::margin::MarginValues;
use super::state::{Agent, JointState, NONE};
use crate::maze::{FAR, Maze, NOWHERE, Turning, bits};
use crate::rules::{Direction, Move};

/// The choice of the target item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Objective {
    /// The nearest mussel on foot.
    Nearest,
    /// The nearest mussel on foot, kept as target even when another has taken it.
    Stubborn,
    /// The mussel with the most points for its distance on foot.
    Rate,
    /// The best item under a [margin policy](super::margin), by its index.
    Margin(u8),
    /// The mussel with the most points per turn among those that nobody else reaches sooner.
    Open,
    /// The next item of a plan made as if alone.
    Plans,
}

impl Objective {
    /// Returns the player's tie-breaking among shortest paths.
    #[must_use]
    pub fn turning(self) -> Turning {
        if self == Self::Stubborn { Turning::Rows } else { Turning::Columns }
    }
}

/// The policy of a player who walks from item to item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Policy {
    /// The choice of the target.
    pub objective: Objective,
    /// When it drinks its beers.
    pub drinks: Drinks,
    /// When it uses its frites.
    pub jumps: Jumps,
}

/// The condition for drinking a beer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Drinks {
    /// Never.
    Never,
    /// If the target is two steps away or more.
    AtOnce,
    /// If the target is three steps away or more.
    Whole,
    /// To arrive: if the target is two or three steps away.
    ToArrive,
}

/// The condition for using a frite.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Jumps {
    /// Never.
    Never,
    /// If the path goes straight on for two cells.
    Straight,
    /// Within the player's budget, if the jump comes nearer.
    Planned,
}

impl Drinks {
    /// Returns true if a player with `beers` beers drinks one, `distance` steps from its target.
    #[inline]
    #[must_use]
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
    /// Returns the jump of a player with frites on its way from `cell` to `item`.
    #[inline]
    #[must_use]
    pub fn now(
        self,
        maze: &Maze,
        cell: u32,
        item: usize,
        frites: u8,
        turning: Turning,
    ) -> Option<(u32, Direction)> {
        match self {
            Self::Never => None,
            Self::Planned => spared(maze, cell, item, usize::from(frites)),
            Self::Straight => {
                let direction = maze.way(cell, item, turning)?;
                let middle = maze.step(cell, direction);
                (maze.way(middle, item, turning) == Some(direction))
                    .then(|| (maze.step(middle, direction), direction))
            }
        }
    }
}

/// Returns the item that player `order` of `count` goes to, with the frites that it may spend on the way.
fn choose(
    maze: &Maze,
    margins: &mut MarginValues,
    objective: Objective,
    state: &JointState,
    order: usize,
    count: usize,
) -> Option<(usize, u8)> {
    let agent = &state.agents[order];
    let near = |item: &usize| maze.distance(agent.cell, *item, 0);
    let mussels = bits(state.left & maze.mussels()).filter(|item| near(item) != FAR);
    let chosen = match objective {
        // The leftmost among equally near ones.
        Objective::Nearest => {
            mussels.min_by_key(|item| (near(item), maze.coordinates(maze.items()[*item].cell)))
        }
        Objective::Stubborn => mussels.min_by_key(near),
        Objective::Rate => {
            mussels.max_by_key(|item| maze.points(*item) * 1000 / u32::from(near(item)).max(1))
        }
        Objective::Margin(number) => margins.choose(maze, number, state, order, count),
        Objective::Open | Objective::Plans => return open(maze, state, order, count),
    };
    chosen.map(|item| (item, u8::MAX))
}

/// Turns that a frite must save to be spent.
const FRITE_SAVES: u16 = 3;

fn open(maze: &Maze, state: &JointState, order: usize, count: usize) -> Option<(usize, u8)> {
    let agent = state.agents[order];
    let mut best: Option<(u64, usize, u8)> = None;
    for item in bits(state.left & maze.mussels()) {
        let mut distance = maze.distance(agent.cell, item, 0);
        let mut used = 0;
        for frites in 1..=usize::from(agent.frites).min(maze.most_jumps()) {
            let shorter = maze.distance(agent.cell, item, frites);
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
        let mine = turns(distance, agent.beers);
        let sooner = (0..count).filter(|&other| other != order).any(|other| {
            let rival = &state.agents[other];
            let distance = maze.distance(rival.cell, item, 0);
            // A player on its way to another item is not a rival.
            let comes = rival.target == NONE || usize::from(rival.target) == item;
            let theirs = turns(distance, rival.beers);
            comes && distance != FAR && (theirs < mine || (theirs == mine && other < order))
        });
        let rate = u64::from(maze.points(item)) * 64 / (u64::from(mine) + 2);
        let rate = if sooner { rate / 8 } else { rate };
        if best.is_none_or(|(other, ..)| rate > other) {
            best = Some((rate, item, used));
        }
    }
    best.map(|(_, item, used)| (item, used))
}

/// Returns the next cell on foot from `cell` to `item`.
#[inline]
fn towards(maze: &Maze, cell: u32, item: usize, turning: Turning) -> Option<(u32, Direction)> {
    maze.way(cell, item, turning).map(|direction| (maze.step(cell, direction), direction))
}

/// Plays one turn of player `order`. Returns its move, the cell it reaches and the items on its way, or `None` if it
/// stays.
#[inline]
pub fn turn(
    maze: &Maze,
    margins: &mut MarginValues,
    policy: Policy,
    state: &mut JointState,
    order: usize,
    count: usize,
) -> Option<(Move, u32, u64)> {
    let agent = state.agents[order];
    let arrived = |agent: &Agent| agent.cell == maze.items()[usize::from(agent.target)].cell;
    let keeps = agent.target != NONE
        && !matches!(policy.objective, Objective::Margin(_))
        && (state.left >> agent.target & 1 != 0
            || (policy.objective == Objective::Stubborn && !arrived(&agent)));
    if !keeps {
        let chosen = choose(maze, margins, policy.objective, state, order, count);
        let agent = &mut state.agents[order];
        (agent.target, agent.budget) = chosen.map_or((NONE, 0), |(item, budget)| (item as u8, budget));
    }
    let agent = &mut state.agents[order];
    if agent.target == NONE {
        return None;
    }
    let item = usize::from(agent.target);
    let turning = policy.objective.turning();
    let distance = maze.distance(agent.cell, item, 0);
    if policy.drinks.now(agent.beers, distance) {
        let mut steps = [None; 3];
        let mut items = 0;
        let mut cell = agent.cell;
        for step in &mut steps {
            let Some((to, direction)) = towards(maze, cell, item, turning) else { break };
            *step = Some(direction);
            items |= maze.bit(to);
            cell = to;
        }
        agent.cell = cell;
        agent.beers -= 1;
        return Some((Move::Beer(steps), cell, items));
    }
    let spare = agent.frites.min(agent.budget);
    if spare > 0 && policy.jumps != Jumps::Never {
        if let Some((to, direction)) = policy.jumps.now(maze, agent.cell, item, spare, turning) {
            agent.cell = to;
            agent.frites -= 1;
            agent.budget -= 1;
            return Some((Move::Jump(direction), to, maze.bit(to)));
        }
        if policy.jumps == Jumps::Planned
            && let Some((to, direction)) = nearer(maze, agent.cell, item, usize::from(spare))
        {
            agent.cell = to;
            return Some((Move::Step(direction), to, maze.bit(to)));
        }
    }
    let Some((to, direction)) = towards(maze, agent.cell, item, turning) else {
        // Its frites are spent, or the item cannot be reached on foot.
        agent.target = NONE;
        return None;
    };
    agent.cell = to;
    Some((Move::Step(direction), to, maze.bit(to)))
}

/// Returns a step that comes nearer to `item` for a player with `frites` frites.
fn nearer(maze: &Maze, cell: u32, item: usize, frites: usize) -> Option<(u32, Direction)> {
    let distance = maze.distance(cell, item, frites);
    let steps = Direction::ALL.into_iter().map(|direction| (maze.step(cell, direction), direction));
    steps.into_iter().find(|&(to, _)| to != NOWHERE && maze.distance(to, item, frites) < distance)
}

/// Returns a jump that comes nearer to `item` for a player with `frites` frites, where no step does.
fn spared(maze: &Maze, cell: u32, item: usize, frites: usize) -> Option<(u32, Direction)> {
    if frites == 0 || nearer(maze, cell, item, frites).is_some() {
        return None;
    }
    let distance = maze.distance(cell, item, frites);
    let jumps = Direction::ALL.into_iter().map(|direction| (maze.jump(cell, direction), direction));
    jumps.into_iter().find(|&(to, _)| to != NOWHERE && maze.distance(to, item, frites - 1) < distance)
}
