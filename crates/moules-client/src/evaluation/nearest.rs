use super::{AgentState, Worth};
use crate::maze::{FAR, Maze, bits};

/// Returns the value taken, plus the best of the mussels left, halved for every sixteen turns of walk.
pub fn estimate(maze: &Maze, worth: &Worth, agent: &AgentState, turn: usize) -> i64 {
    let ahead = bits(agent.left & maze.mussels()).map(|item| {
        match usize::from(maze.distance(agent.cell, item, usize::from(agent.frites))) {
            far if far == usize::from(FAR) => 0,
            distance => worth.of(item, turn + distance) * 16 / (16 + distance as i64),
        }
    });
    i64::from(agent.gain) + ahead.max().unwrap_or(0)
}
