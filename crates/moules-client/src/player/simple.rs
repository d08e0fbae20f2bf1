//! The players that consider one mussel at a time.

use crate::evaluation::AgentState;
use crate::maze::{FAR, Maze, NOWHERE, bits};
use crate::rules::{Direction, Game, Move};

/// Returns a step towards the nearest mussel reachable on foot.
pub fn nearest(maze: &mut Maze, game: &Game) -> Option<Move> {
    let agent = AgentState::of(maze, game, game.to_move());
    let target = bits(agent.left & maze.mussels())
        .min_by_key(|&item| maze.distance(agent.cell, item, 0))
        .filter(|&item| maze.distance(agent.cell, item, 0) != FAR)?;
    approach(maze, &agent, target, 0)
}

/// Returns a move towards the mussel with the most points per turn, with a frite or a beer where it saves turns.
pub fn greedy(maze: &mut Maze, game: &Game) -> Option<Move> {
    let agent = AgentState::of(maze, game, game.to_move());
    let frites = usize::from(agent.frites);
    let rate = |item: usize| {
        let distance = u32::from(maze.distance(agent.cell, item, frites));
        // In thousandths, to compare without fractions.
        maze.points(item) * 1000 / distance.max(1)
    };
    let reachable = |item: &usize| maze.distance(agent.cell, *item, frites) != FAR;
    let target = bits(agent.left & maze.mussels()).filter(reachable).max_by_key(|&item| rate(item))?;
    let distance = maze.distance(agent.cell, target, frites);
    if agent.beers > 0 && distance >= 3 {
        for index in maze.walks(agent.cell) {
            let walk = maze.walk(index);
            if maze.distance(walk.end, target, frites) + 3 <= distance {
                return Some(Move::Beer(walk.steps));
            }
        }
    }
    approach(maze, &agent, target, frites)
}

/// Returns a move that comes one turn nearer to `item`: a step if possible, else a jump.
fn approach(maze: &Maze, agent: &AgentState, item: usize, frites: usize) -> Option<Move> {
    let distance = maze.distance(agent.cell, item, frites);
    let nearer = |cell: u32, frites: usize| cell != NOWHERE && maze.distance(cell, item, frites) < distance;
    let step = Direction::ALL.into_iter().find(|&direction| nearer(maze.step(agent.cell, direction), frites));
    let jump = || {
        let lands =
            |&direction: &Direction| frites > 0 && nearer(maze.jump(agent.cell, direction), frites - 1);
        Direction::ALL.into_iter().find(lands).map(Move::Jump)
    };
    step.map(Move::Step).or_else(jump)
}
